package review

import (
	"strings"
	"time"
)

// DefectKind is what an address of a crawl lacks.
type DefectKind string

// The kinds of defects.
const (
	Failed    DefectKind = "failed"     // no answer, after all attempts
	Truncated DefectKind = "truncated"  // the answer was cut
	Erroneous DefectKind = "error"      // the server failed or would not: 401, 403, 429, 5xx
	NotThere  DefectKind = "not found"  // other statuses from 400 on
	ByRobots  DefectKind = "robots.txt" // robots.txt refuses it
	ByRule    DefectKind = "refused"    // a budget, the scope, or the guard of private addresses
	SoftGone  DefectKind = "soft 404"   // an error page with status 200
	Trap      DefectKind = "trap"       // it looks like one of endlessly many
)

// weight is how bad one such address is, as a page and as a part of a page: a page without its pictures or its
// style is broken for every reader, a dead link is often as the site is.
func (k DefectKind) weight(embed bool) int {
	switch k {
	case Failed, Truncated:
		return 5
	case Erroneous:
		return 4
	case ByRobots, NotThere:
		if embed {
			return 3
		}
		return 1
	case SoftGone:
		return 2
	}
	return 1
}

// Again tells whether another attempt may bring what is missing.
func (k DefectKind) Again() bool { return k == Failed || k == Truncated || k == Erroneous }

// Defect is one address that lacks something.
type Defect struct {
	Kind   DefectKind `json:"kind"`
	URL    string     `json:"url"`
	Via    string     `json:"via,omitempty"` // the page that led to it
	Embed  bool       `json:"embed,omitempty"`
	Status int        `json:"status,omitempty"`
	Why    string     `json:"why,omitempty"`
	Tries  int        `json:"tries"`
	Time   time.Time  `json:"time"` // of the last attempt
	Healed *Healing   `json:"healed,omitempty"`
}

// Captured tells whether an answer was recorded, so that there is something to look at.
func (d Defect) Captured() bool { return d.Status > 0 || d.Kind == SoftGone }

// defectOf tells what a visit lacks; ok is false if nothing.
func defectOf(l Line) (d Defect, ok bool) {
	if hop := l.hop(); hop == 'X' || hop == 'P' || l.Note == "revisit" { // guesses and robots.txt are no loss
		return d, false
	}
	d = Defect{URL: l.URL, Via: l.Via, Embed: l.hop() == 'E', Status: l.Status, Why: l.Note, Tries: 1, Time: l.Time}
	if !strings.HasPrefix(d.Via, "http") { // what led to it is shown as a link
		d.Via = ""
	}
	switch s := l.Status; {
	case s == -9998:
		d.Kind = ByRobots
	case s == -5000:
		d.Kind = ByRule
	case s < 0:
		d.Kind = Failed
	case s == 401 || s == 403 || s == 429 || s >= 500:
		d.Kind = Erroneous
	case s >= 400:
		d.Kind = NotThere
	case l.Note != "" && l.Note != "duplicate":
		d.Kind = Truncated
	default:
		return d, false
	}
	return d, true
}
