package report

import (
	"time"

	"varve/crawl/coherence/evidence"
)

// Dating is when a page last changed, as far as a date is trusted.
type Dating struct {
	Time       time.Time `json:"time,omitzero"`
	Source     string    `json:"source,omitempty"`
	Confidence float64   `json:"confidence,omitempty"`
	Trust      bool      `json:"trusted,omitempty"`
}

// Trusted gives the time of a trusted date; zero for others.
func (d Dating) Trusted() time.Time {
	if !d.Trust {
		return time.Time{}
	}
	return d.Time
}

// Dater tells when the content of a capture last changed, by what the server and the page say, and
// whether that is to be trusted.
type Dater interface {
	Date(c *evidence.Capture) Dating
}

// date asks the dater, if there is one.
func (o *Options) date(c *evidence.Capture) Dating {
	if o.Dater == nil {
		return Dating{}
	}
	return o.Dater.Date(c)
}

// DatingReport tells where dates come from and how many are trusted.
type DatingReport struct {
	Pages   int64                   `json:"pages"`
	Dated   int64                   `json:"dated"`   // of Pages
	Trusted int64                   `json:"trusted"` // of Dated
	Sources map[string]*SourceCount `json:"sources"`
}

// SourceCount counts the dates of one source.
type SourceCount struct {
	Dated   int64 `json:"dated"`
	Trusted int64 `json:"trusted"`
}

// datingTally adds up a DatingReport.
type datingTally struct{ out DatingReport }

func (t *datingTally) add(p *Page) {
	t.out.Pages++
	if p.Dating.Source == "" {
		return
	}
	if t.out.Sources == nil {
		t.out.Sources = map[string]*SourceCount{}
	}
	s := t.out.Sources[p.Dating.Source]
	if s == nil {
		s = &SourceCount{}
		t.out.Sources[p.Dating.Source] = s
	}
	s.Dated++
	t.out.Dated++
	if p.Dating.Trust {
		s.Trusted++
		t.out.Trusted++
	}
}

func (t *datingTally) report() DatingReport {
	if t.out.Sources == nil {
		t.out.Sources = map[string]*SourceCount{}
	}
	return t.out
}
