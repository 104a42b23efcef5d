package coherence

import "time"

// Reason says what a verdict rests on.
type Reason string

// The reasons of verdicts.
const (
	ByInstant  Reason = "captured at that instant"
	ByBracket  Reason = "equal captures before and after"
	ByDate     Reason = "captured later, last changed before"
	ByChange   Reason = "changed between visit and revisit"
	ByNewer    Reason = "changed after that instant"
	OnlyBefore Reason = "captured earlier, nothing later is known" // possibly coherent
	OnlyAfter  Reason = "captured later, without a date"           // possibly violating
	NotThere   Reason = "not captured"
	NotWhole   Reason = "not captured whole"
	NotListed  Reason = "more parts than are looked at"
)

// Finding is a verdict with its level of evidence and its reason.
type Finding struct {
	Verdict Verdict `json:"verdict"`
	Level   Level   `json:"level,omitempty"` // of Coherent and Violated
	Reason  Reason  `json:"reason"`
}

// At judges whether the content that was captured stood at the instant x: the reference point of
// the capture, or the instant t0 at which a page was captured that embeds this one.
//
//	coherent   x = t, or t <= x <= r and the same content, or mu <= x <= t with a trusted mu
//	violated   mu > x, or x > t and the revisit found another content
//	possible   t < x and nothing later is known; t > x and no date
//	unknown    it was not captured
//
// A revisit that found another content may have missed x: the change could have come later. Like
// the seed papers we call the whole interval insecure and the page violated.
func (c Captured) At(x time.Time) Finding {
	t, r, mu := c.Visit, c.Revisit, c.Modified
	switch {
	case t.IsZero():
		return Finding{Unknown, Unproven, NotThere}
	case x.Equal(t):
		return Finding{Coherent, Witnessed, ByInstant}
	case x.After(t):
		return c.after(x, !r.IsZero() && !r.Before(x))
	case mu.IsZero():
		return Finding{Possible, Unproven, OnlyAfter}
	case mu.After(x):
		return Finding{Violated, Asserted, ByNewer}
	}
	return Finding{Coherent, Asserted, ByDate}
}

// after judges an instant after the visit.
func (c Captured) after(x time.Time, covered bool) Finding {
	switch {
	case c.Revisit.IsZero():
		return Finding{Possible, Unproven, OnlyBefore}
	case !c.Same:
		return Finding{Violated, c.equality(), ByChange}
	case covered:
		return Finding{Coherent, c.equality(), ByBracket}
	}
	return Finding{Possible, Unproven, OnlyBefore}
}

// equality is the level at which visit and revisit were compared.
func (c Captured) equality() Level {
	if c.Asserted {
		return Asserted
	}
	return Witnessed
}
