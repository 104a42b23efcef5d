package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/coherence"
)

// Fit says how well a capture fits an instant: whether its content was there then.
type Fit uint8

// The fits, from unknown to best. Their names stand in the banner.
const (
	Unknown  Fit = iota // nothing is known
	Violated            // it changed around then, or is proven not to have been there
	Possible            // nothing speaks against it
	Inferred            // the same bytes in crawls before and after, and no others between
	Proven              // witnessed by visit and revisit of one crawl, or asserted by the server
)

// String names the fit.
func (f Fit) String() string {
	return [...]string{"unknown", "violated", "possible", "inferred", "proven"}[min(f, Proven)]
}

// choice is a capture with how well it fits.
type choice struct {
	Found
	fit  Fit
	rank int
}

// choose orders the captures of an embedded part by how well they show what was there at the instant of the page:
// by evidence, then failures of the server last, then by distance in time. Captures further away than the span are
// left out. Captures must be sorted by distance.
//
// Evidence is what a witness says, else what the captures say themselves (coherence.Holdings): a content that one
// crawl saw before and after the instant is proven, one that two crawls saw is inferred. Where one crawl saw another
// content after than before, it changed around then: the nearer one is shown and marked violated.
//
// Example, page at 12:00: captures 11:50 A, 12:20 A, 12:05 B. B lies between, so A is not inferred; the nearest, B,
// is shown. Without B both A are inferred and the nearer one is shown.
func choose(ctx context.Context, w Witness, collection string, captures []Found, at time.Time, span time.Duration) []choice {
	held := coherence.Holdings(sightings(captures))
	changed := changedAround(captures, at)
	out := make([]choice, 0, len(captures))
	for _, c := range captures {
		if span >= 0 && distance(c.Time, at) > span {
			continue
		}
		fit := Unknown
		if w != nil {
			fit = w.Valid(ctx, collection, c.Capture, at)
		}
		if fit == Unknown {
			fit = evidence(held, content(c), at)
		}
		n := rank(c, fit)
		if fit == Possible && changed {
			fit = Violated
		}
		out = append(out, choice{c, fit, n})
	}
	slices.SortStableFunc(out, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(distance(a.Time, at), distance(b.Time, at)))
	})
	return out
}

// Part gives the capture of an embedded part that is shown with a page of an instant, of all captures of its key;
// false if none is near enough. What witnesses know beside the captures is not asked.
func Part(captures []Found, at time.Time) (Found, bool) {
	near := slices.Clone(captures)
	slices.SortStableFunc(near, func(a, b Found) int { return cmp.Compare(distance(a.Time, at), distance(b.Time, at)) })
	choices := choose(context.Background(), nil, "", near[:min(len(near), maxCandidates)], at, DefaultSpan)
	if len(choices) == 0 {
		return Found{}, false
	}
	return choices[0].Found, true
}

// evidence tells how well a content is known to have stood at an instant.
func evidence(held []coherence.Held, content string, at time.Time) Fit {
	best := Possible
	for _, h := range held {
		if h.Content != content || !h.Contains(at) {
			continue
		}
		switch {
		case h.Level.Proven():
			return Proven
		case h.Level == coherence.Inferred:
			best = Inferred
		case h.From.Equal(h.To): // captured at this very instant
			return Proven
		}
	}
	return best
}

// sightings are captures in order of time, as the judges of coherence read them.
func sightings(captures []Found) []coherence.Sighting {
	out := make([]coherence.Sighting, 0, len(captures))
	for _, c := range captures {
		out = append(out, coherence.Sighting{Time: c.Time, Content: content(c), Crawl: crawlOf(c.File)})
	}
	slices.SortStableFunc(out, func(a, b coherence.Sighting) int { return a.Time.Compare(b.Time) })
	return out
}

// content names what a capture holds; one without a digest is like no other.
func content(c Found) string {
	if c.Digest == "" || c.Digest == "-" {
		return fmt.Sprintf("%s %d", c.File, c.Offset)
	}
	return cdxj.NormalDigest(c.Digest)
}

// crawlOf names the crawl that wrote a file: the name without the number of the file, as in prefix-time-00000-host.
func crawlOf(file string) string {
	parts := strings.Split(file, "-")
	for i := len(parts) - 1; i > 0; i-- {
		if p := parts[i]; len(p) == 5 && strings.Trim(p, "0123456789") == "" {
			return strings.Join(parts[:i], "-")
		}
	}
	return file
}

// changedAround tells whether one crawl saw different contents before and after an instant.
func changedAround(captures []Found, at time.Time) bool {
	var before, after *Found
	for i := range captures {
		c := &captures[i]
		if !c.Time.After(at) && (before == nil || c.Time.After(before.Time)) {
			before = c
		}
		if !c.Time.Before(at) && (after == nil || c.Time.Before(after.Time)) {
			after = c
		}
	}
	return before != nil && after != nil && content(*before) != content(*after) && crawlOf(before.File) == crawlOf(after.File)
}

// rank orders choices: a failure of the server says nothing about the content.
func rank(c Found, fit Fit) int {
	switch {
	case c.Status >= 500 || c.Status == 429:
		return -1
	case fit == Unknown:
		return int(Possible)
	}
	return int(fit)
}

func distance(a, b time.Time) time.Duration {
	return a.Sub(b).Abs()
}
