package replay

import (
	"cmp"
	"context"
	"slices"
	"time"

	"varve/archive/cdxj"
)

// Fit says how well a capture fits an instant: whether its content was there then.
type Fit uint8

// The fits, from unknown to best. Their names stand in the banner.
const (
	Unknown  Fit = iota // nothing is known
	Violated            // proven not to have been there
	Possible            // nothing speaks against it
	Inferred            // the same bytes were captured before and after, and nothing else between
	Proven              // witnessed or asserted by visit and revisit
)

// String names the fit.
func (f Fit) String() string {
	return [...]string{"unknown", "violated", "possible", "inferred", "proven"}[min(f, Proven)]
}

// choice is a capture with how well it fits.
type choice struct {
	Capture
	fit Fit
}

// choose orders the captures of an embedded part by how well they show what was there at the instant of the page:
// by fit, then failures of the server last, then by distance in time. Captures further away than the span are left
// out. Captures must be sorted by distance.
//
// Example, page at 12:00: captures 11:50 A, 12:20 A, 12:05 B. B lies between, so A is not inferred; the nearest, B,
// is shown. Without B both A are inferred and the nearer one is shown.
func choose(ctx context.Context, w Witness, collection string, captures []Capture, at time.Time, span time.Duration) []choice {
	before, after := neighbours(captures, at)
	out := make([]choice, 0, len(captures))
	for _, c := range captures {
		if span >= 0 && distance(c.Time, at) > span {
			continue
		}
		fit := Possible
		switch {
		case c.Time.Equal(at):
			fit = Proven
		case w != nil:
			if f := w.Valid(ctx, collection, c.Capture, at); f != Unknown {
				fit = f
			}
		}
		if fit == Possible && before != nil && after != nil && cdxj.SameDigest(before.Digest, after.Digest) && cdxj.SameDigest(c.Digest, before.Digest) {
			fit = Inferred
		}
		out = append(out, choice{c, fit})
	}
	slices.SortStableFunc(out, func(a, b choice) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(distance(a.Time, at), distance(b.Time, at)))
	})
	return out
}

// rank orders choices: a failure of the server says nothing about the content.
func rank(c choice) int {
	if c.Status >= 500 || c.Status == 429 {
		return -1
	}
	if c.fit == Unknown {
		return int(Possible)
	}
	return int(c.fit)
}

// neighbours gives the last capture at or before an instant and the first at or after it.
func neighbours(captures []Capture, at time.Time) (before, after *Capture) {
	for i := range captures {
		c := &captures[i]
		if !c.Time.After(at) && (before == nil || c.Time.After(before.Time)) {
			before = c
		}
		if !c.Time.Before(at) && (after == nil || c.Time.Before(after.Time)) {
			after = c
		}
	}
	return before, after
}

func distance(a, b time.Time) time.Duration {
	return a.Sub(b).Abs()
}
