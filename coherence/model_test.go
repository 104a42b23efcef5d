package coherence

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"varve"
)

// at is an instant of the tests.
func at(minute int) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
}

func TestAt(t *testing.T) {
	none := time.Time{}
	for _, c := range []struct {
		name string
		page Captured
		x    int
		want Finding
	}{
		{"not captured", Captured{}, 0, Finding{Unknown, Unproven, NotThere}},
		{"at the instant", Captured{Visit: at(5)}, 5, Finding{Coherent, Witnessed, ByInstant}},
		{"bracket of bytes", Captured{Visit: at(0), Revisit: at(9), Same: true}, 5, Finding{Coherent, Witnessed, ByBracket}},
		{"bracket by 304", Captured{Visit: at(0), Revisit: at(9), Same: true, Asserted: true}, 9, Finding{Coherent, Asserted, ByBracket}},
		{"revisit too early", Captured{Visit: at(0), Revisit: at(4), Same: true}, 5, Finding{Possible, Unproven, OnlyBefore}},
		{"changed", Captured{Visit: at(0), Revisit: at(9)}, 5, Finding{Violated, Witnessed, ByChange}},
		{"changed, instant before the visit", Captured{Visit: at(2), Revisit: at(9)}, 1, Finding{Possible, Unproven, OnlyAfter}},
		{"only before", Captured{Visit: at(0), Modified: at(-5)}, 5, Finding{Possible, Unproven, OnlyBefore}},
		{"later without date", Captured{Visit: at(8)}, 5, Finding{Possible, Unproven, OnlyAfter}},
		{"later with date before", Captured{Visit: at(8), Modified: at(5)}, 5, Finding{Coherent, Asserted, ByDate}},
		{"later with date after", Captured{Visit: at(8), Modified: at(6)}, 5, Finding{Violated, Asserted, ByNewer}},
		{"zero revisit is none", Captured{Visit: at(0), Revisit: none, Same: true}, 5, Finding{Possible, Unproven, OnlyBefore}},
	} {
		if got := c.page.At(at(c.x)); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestProven(t *testing.T) {
	c := Captured{Visit: at(2), Revisit: at(9), Same: true, Modified: at(-3)}
	want := []Interval{{at(2), at(9), Witnessed}, {at(-3), at(2), Asserted}}
	if got := c.Proven(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := c.Joined(), (Interval{at(-3), at(9), Asserted}); got != want {
		t.Errorf("joined: got %v, want %v", got, want)
	}
	c.Same = false
	if got, want := c.Joined(), (Interval{at(-3), at(2), Asserted}); got != want {
		t.Errorf("changed: got %v, want %v", got, want)
	}
	if got, want := (Captured{Visit: at(2)}).Joined(), (Interval{at(2), at(2), Witnessed}); got != want {
		t.Errorf("visit alone: got %v, want %v", got, want)
	}
}

func TestIdealAndObservable(t *testing.T) {
	spans := []varve.Span{{From: at(0), To: at(5)}, {From: at(3)}, {To: at(9)}}
	if got, ok := Ideal(spans); !ok || !got.From.Equal(at(3)) || !got.To.Equal(at(5)) {
		t.Errorf("got %v %v", got, ok)
	}
	if _, ok := Ideal(append(spans, varve.Span{From: at(5)})); ok {
		t.Error("an interval that begins where another ends has nothing in common with it")
	}
	pages := []Captured{{Visit: at(4), Modified: at(0)}, {Visit: at(8), Modified: at(2)}}
	if got, v := Observable(pages); v != Coherent || got != (Interval{at(2), at(4), Asserted}) {
		t.Errorf("got %v %v", got, v)
	}
	if _, v := Observable(append(pages, Captured{Visit: at(9)})); v != Unknown {
		t.Errorf("without a date: got %v", v)
	}
	if _, v := Observable(append(pages, Captured{Visit: at(9), Modified: at(5)})); v != Violated {
		t.Errorf("with a late date: got %v", v)
	}
	if _, v := Observable(nil); v != Unknown {
		t.Errorf("no pages: got %v", v)
	}
}

func TestQuality(t *testing.T) {
	pages := []Captured{
		{Visit: at(0)}, // the start itself
		{Visit: at(1), Modified: at(-9), Revisit: at(7), Same: true},
		{Visit: at(2), Modified: at(1), Revisit: at(6)},
		{Visit: at(3)},
		{Visit: at(4)}, // the reference point
	}
	if got := Measurable(pages, at(0)); got != (Quality{5, 3, 1}) {
		t.Errorf("measurable: %+v", got)
	}
	got := Inducible(pages, at(4))
	if got != (Quality{5, 3, 1}) {
		t.Errorf("inducible: %+v", got)
	}
	if q, ok := got.Q(); !ok || q != 1./3 {
		t.Errorf("q = %v %v", q, ok)
	}
	if _, ok := (Quality{Pages: 3}).Q(); ok {
		t.Error("q of nothing known")
	}
}

func TestHoldings(t *testing.T) {
	got := Holdings([]Sighting{
		{Time: at(50), Content: "b", Crawl: "2", Modified: at(40)},
		{Time: at(0), Content: "a", Crawl: "1"},
		{Time: at(10), Content: "a", Crawl: "1"},
		{Time: at(30), Content: "a", Crawl: "2"},
		{Time: at(60), Content: "b", Crawl: "2", Confirmed: true},
		{Time: at(70), Content: "b", Crawl: "3", Modified: at(40)},
		{Time: at(90), Content: "c", Crawl: "3", Modified: at(60)}, // a date that cannot be
	})
	want := []Held{
		{"a", Interval{at(0), at(10), Witnessed}},
		{"a", Interval{at(10), at(30), Inferred}},
		{"b", Interval{at(50), at(50), Witnessed}},
		{"b", Interval{at(40), at(70), Asserted}},
		{"c", Interval{at(90), at(90), Witnessed}},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// standing counts the pages that stand at an instant.
func standing(claims []Claim[int], x time.Time, least Level) int {
	pages := map[int]bool{}
	for _, c := range claims {
		if c.Contains(x) && c.Level.AtLeast(least) {
			pages[c.Page] = true
		}
	}
	return len(pages)
}

func TestBestAgainstEveryInstant(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	levels := []Level{Witnessed, Asserted, Inferred}
	for range 300 {
		var claims []Claim[int]
		for range 1 + r.IntN(12) {
			from := r.IntN(20)
			claims = append(claims, Claim[int]{r.IntN(5), Interval{at(2 * from), at(2 * (from + r.IntN(6))), levels[r.IntN(3)]}})
		}
		least := levels[r.IntN(3)]
		most := 0
		for m := -1; m < 60; m++ {
			most = max(most, standing(claims, at(m), least))
		}
		best := Best(claims, least, 3)
		if len(best) == 0 {
			if most != 0 {
				t.Fatalf("nothing found in %v, %d at once", claims, most)
			}
			continue
		}
		if best[0].Pages != most {
			t.Fatalf("found %v, there are %d at once in %v", best[0], most, claims)
		}
		for _, p := range best {
			for m := -1; m < 60; m++ {
				inside := !at(m).Before(p.From) && !at(m).After(p.To)
				if n := standing(claims, at(m), least); inside && n != p.Pages {
					t.Fatalf("%v has %d pages at minute %d of %v", p, n, m, claims)
				}
			}
		}
	}
}

// TestThroughout asks of every stretch of random histories, and compares with a look at each minute: a stretch is covered at a level if intervals of one content
// and that level cover each half minute of it.
func TestThroughout(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 3))
	levels := []Level{Witnessed, Asserted, Inferred}
	for range 300 {
		var known []Held
		for range 1 + r.IntN(8) {
			from := r.IntN(12)
			known = append(known, Held{string(rune('a' + r.IntN(2))), Interval{at(2 * from), at(2 * (from + r.IntN(5))), levels[r.IntN(3)]}})
		}
		least := levels[r.IntN(3)]
		for x := range 24 {
			for y := x; y < 24; y++ {
				got, ok := Throughout(known, at(x), at(y), least)
				var want Level
				for _, level := range levels {
					for _, content := range []string{"a", "b"} {
						whole := level.AtLeast(least)
						for m := x; m <= y && whole; m++ {
							whole = slices.ContainsFunc(known, func(h Held) bool {
								return h.Content == content && h.Level.AtLeast(level) && h.Contains(at(m)) && (m == y || h.Contains(at(m+1))) || m == y && h.Content == content && h.Level.AtLeast(level) && h.Contains(at(m))
							})
						}
						if whole && want == "" {
							want = level
						}
					}
				}
				if ok != (want != "") || ok && (got.Level != want || got.From.After(at(x)) || got.To.Before(at(y))) {
					t.Fatalf("%v from minute %d to %d, at least %s: %v %v, want %q", known, x, y, least, got, ok, want)
				}
			}
		}
	}
}

// TestThroughoutTakesTheStrongest: of an instant the strongest interval, of a stretch the weakest of its chain; contents are not chained with each other.
func TestThroughoutTakesTheStrongest(t *testing.T) {
	known := []Held{
		{"a", Interval{at(0), at(9), Inferred}},
		{"a", Interval{at(4), at(6), Witnessed}},
		{"a", Interval{at(9), at(12), Witnessed}},
		{"b", Interval{at(12), at(20), Witnessed}},
	}
	for _, c := range []struct {
		x, y  int
		least Level
		want  Interval // empty: none
	}{
		{5, 5, Inferred, known[1].Interval},
		{8, 8, Asserted, Interval{}},
		{8, 8, Inferred, known[0].Interval},
		{5, 11, Inferred, Interval{at(0), at(12), Inferred}},
		{5, 11, Asserted, Interval{}},
		{11, 13, Inferred, Interval{}},
		{12, 20, Witnessed, known[3].Interval},
	} {
		if got, ok := Throughout(known, at(c.x), at(c.y), c.least); got.Interval != c.want || ok != (c.want.Level != "") {
			t.Errorf("minute %d to %d, at least %s: %v %v, want %v", c.x, c.y, c.least, got, ok, c.want)
		}
	}
}
