package coherence

import (
	"time"

	"varve"
)

// Level is how well something is known. Levels are never mixed up: a statement names its level.
type Level string

// The levels of evidence.
const (
	// Witnessed is an equal digest of bytes that we hold at both ends. A page could have changed
	// and changed back.
	Witnessed Level = "witnessed"
	// Asserted is what the server says: 304 to a strong ETag, or a date that is trusted.
	Asserted Level = "asserted"
	// Inferred is merged over crawls: the same content at both ends of a longer span, and nothing
	// else seen between.
	Inferred Level = "inferred"
	// Unproven is no evidence.
	Unproven Level = ""
)

// rank orders levels by strength.
func (l Level) rank() int {
	switch l {
	case Witnessed:
		return 3
	case Asserted:
		return 2
	case Inferred:
		return 1
	}
	return 0
}

// AtLeast tells whether l is as strong as o or stronger.
func (l Level) AtLeast(o Level) bool { return l.rank() >= o.rank() }

// Proven tells whether the level is called proven: witnessed or asserted.
func (l Level) Proven() bool { return l.rank() >= Asserted.rank() }

// Weaker is the weaker of two levels: what holds of a chain of evidence.
func (l Level) Weaker(o Level) Level {
	if o.rank() < l.rank() {
		return o
	}
	return l
}

// Verdict is the judgement on a page or a capture. The words are the same everywhere.
type Verdict string

// The verdicts.
const (
	Coherent Verdict = "coherent" // with a level of evidence
	Possible Verdict = "possible" // nothing speaks against it, nothing proves it
	Violated Verdict = "violated" // shown to be another content
	Unknown  Verdict = "unknown"  // nothing was captured to judge by
)

// Interval is a stretch of time, both ends included, in which a content is known to have stood.
type Interval struct {
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Level Level     `json:"level"`
}

// Contains tells whether the instant x lies in the interval.
func (i Interval) Contains(x time.Time) bool { return !x.Before(i.From) && !x.After(i.To) }

// Captured is what is known of one page of a capture.
type Captured struct {
	Visit    time.Time `json:"visit"`              // t
	Revisit  time.Time `json:"revisit,omitzero"`   // r; zero when it was not revisited
	Same     bool      `json:"same,omitempty"`     // the revisit found the same content
	Asserted bool      `json:"asserted,omitempty"` // by the word of the server (304 to a strong ETag), not by bytes
	Modified time.Time `json:"modified,omitzero"`  // mu; zero when no date is trusted
}

// Proven lists the proven intervals of a captured page, strongest first: [t, r] when the content
// was the same, else [t, t], and [mu, t] when a date is trusted.
func (c Captured) Proven() []Interval {
	seen := Interval{From: c.Visit, To: c.Visit, Level: Witnessed}
	if !c.Revisit.IsZero() && c.Same {
		seen.To = c.Revisit
		if c.Asserted {
			seen.Level = Asserted
		}
	}
	out := []Interval{seen}
	if !c.Modified.IsZero() && c.Modified.Before(c.Visit) {
		out = append(out, Interval{From: c.Modified, To: c.Visit, Level: Asserted})
	}
	return out
}

// Joined is the union of the proven intervals, at the weakest of their levels.
func (c Captured) Joined() Interval {
	var out Interval
	for i, p := range c.Proven() {
		if i == 0 {
			out = p
			continue
		}
		out.From, out.Level = p.From, out.Level.Weaker(p.Level)
	}
	return out
}

// Ideal gives the instants at which all captured contents stood at once: the intersection of the
// invariance intervals [mu, mu*). It is false when there are none: the capture is not coherent. A
// zero From means since ever and a zero To for ever. Only a simulator knows all ends.
func Ideal(invariance []varve.Span) (varve.Span, bool) {
	var all varve.Span
	for _, s := range invariance {
		if s.From.After(all.From) {
			all.From = s.From
		}
		if all.To.IsZero() || !s.To.IsZero() && s.To.Before(all.To) {
			all.To = s.To
		}
	}
	return all, all.To.IsZero() || all.From.Before(all.To)
}

// Observable tells whether all [mu, t] have an instant in common. Where they have none and a page
// has no trusted date, so that its true interval may be longer, the verdict is Unknown.
func Observable(pages []Captured) (Interval, Verdict) {
	all, dated := Interval{Level: Asserted}, true
	for i, p := range pages {
		from := p.Modified
		if from.IsZero() {
			from, dated = p.Visit, false
		}
		if i == 0 || from.After(all.From) {
			all.From = from
		}
		if i == 0 || p.Visit.Before(all.To) {
			all.To = p.Visit
		}
	}
	switch {
	case len(pages) == 0:
		return Interval{}, Unknown
	case !all.From.After(all.To):
		return all, Coherent
	case dated:
		return Interval{}, Violated
	}
	return Interval{}, Unknown
}
