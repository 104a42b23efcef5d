package dating

import (
	"fmt"
	"time"
)

// Trust is what is known about the stamps of one source of a host. The zero Trust is ready; it is kept as JSON.
type Trust struct {
	Stamps  int          `json:"stamps"`            // answers that had one
	Refused int          `json:"refused,omitempty"` // of these: refused on sight (now, future, nonsense)
	Pages   int          `json:"pages,omitempty"`   // usable stamps of different pages, for Common
	Common  []StampCount `json:"common,omitempty"`  // the most common stamps (at most 8), counted by Misra and Gries
	Told    int          `json:"told,omitempty"`    // revisits: the content changed and the stamp moved
	Silent  int          `json:"silent,omitempty"`  // revisits: only the content changed
	Quiet   int          `json:"quiet,omitempty"`   // revisits: neither
	Moved   int          `json:"moved,omitempty"`   // revisits: only the stamp moved
}

// StampCount is how often a stamp was met, at least.
type StampCount struct {
	Unix  int64 `json:"unix"`
	Count int   `json:"count"`
}

// maxCommon stamps find every one that more than a ninth of the pages have.
const maxCommon = 8

// AddStamp counts the stamp of one page at its first visit; ok is false if it was refused on sight.
func (t *Trust) AddStamp(stamp time.Time, ok bool) {
	t.Stamps++
	if !ok {
		t.Refused++
		return
	}
	t.Pages++
	unix := stamp.Unix()
	for i := range t.Common {
		if t.Common[i].Unix == unix {
			t.Common[i].Count++
			return
		}
	}
	if len(t.Common) < maxCommon {
		t.Common = append(t.Common, StampCount{unix, 1})
		return
	}
	kept := t.Common[:0]
	for _, c := range t.Common {
		if c.Count--; c.Count > 0 {
			kept = append(kept, c)
		}
	}
	t.Common = kept
}

// AddRevisit counts a page that was visited again: did the content change, did the stamp move.
func (t *Trust) AddRevisit(changed, moved bool) {
	switch {
	case changed && moved:
		t.Told++
	case changed:
		t.Silent++
	case moved:
		t.Moved++
	default:
		t.Quiet++
	}
}

// Score is the trust, 0 to 1; the package comment has the formula.
func (t *Trust) Score() float64 {
	told := float64(t.Told+4) / float64(t.Told+t.Silent+5)
	quiet := float64(t.Quiet+4) / float64(t.Quiet+t.Moved+5)
	return t.usable() * t.variety() * min(told, quiet)
}

// Revisits counts the comparisons that the trust rests on.
func (t *Trust) Revisits() int { return t.Told + t.Silent + t.Quiet + t.Moved }

func (t *Trust) usable() float64 {
	if t.Stamps == 0 {
		return 1
	}
	return 1 - float64(t.Refused)/float64(t.Stamps)
}

// variety is low where most pages have the same stamp: that of the last deployment, not of a change.
func (t *Trust) variety() float64 {
	switch {
	case t.Pages < 5:
		return 0.9
	case 2*t.top() > t.Pages:
		return 0.2
	}
	return 1
}

// top is the count of the most common stamp.
func (t *Trust) top() (n int) {
	for _, c := range t.Common {
		n = max(n, c.Count)
	}
	return n
}

// Trusted tells whether stamps of this source are believed.
func (t *Trust) Trusted() bool { return t.Score() >= TrustedFrom }

// Explain gives the score and its reasons, one per line of a report.
func (t *Trust) Explain() []string {
	lines := []string{fmt.Sprintf("score %.2f of 1, believed from %.2f on", t.Score(), TrustedFrom)}
	if t.Refused > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d stamps could not be true (the time of the answer, the future, nonsense)", t.Refused, t.Stamps))
	}
	if t.Pages < 5 {
		lines = append(lines, fmt.Sprintf("only %d pages with a stamp", t.Pages))
	} else if 2*t.top() > t.Pages {
		lines = append(lines, fmt.Sprintf("at least %d of %d pages have the same stamp", t.top(), t.Pages))
	}
	if t.Revisits() == 0 {
		return append(lines, "no page was visited twice")
	}
	if n := t.Told + t.Silent; n > 0 {
		lines = append(lines, fmt.Sprintf("of %d changes of content the stamp told %d", n, t.Told))
	}
	if n := t.Quiet + t.Moved; n > 0 {
		lines = append(lines, fmt.Sprintf("on %d of %d revisits without a change the stamp moved", t.Moved, n))
	}
	return lines
}

// Learn counts what one visit says about the sources of the host, and gives the stamps for the next visit of the page,
// which are to be handed in as before then (nil at the first visit). A nil Host cannot learn.
func (h Host) Learn(v Visit, findings []Finding, before map[Source]string) map[Source]string {
	stamps := make(map[Source]string, len(findings))
	for _, f := range findings {
		stamps[f.Source] = f.Said
		t := h[f.Source]
		if t == nil {
			t = &Trust{}
			h[f.Source] = t
		}
		if before == nil || v.Previous == nil {
			t.AddStamp(f.Time, !f.Time.IsZero() && Sight(f.Date, v.At, v.Date) == "")
			continue
		}
		if old, ok := before[f.Source]; ok {
			t.AddRevisit(!v.Previous.Same, old != f.Said)
		}
	}
	return stamps
}
