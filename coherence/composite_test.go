package coherence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"varve/lab/chance"
)

func TestComposite(t *testing.T) {
	coherent := Finding{Coherent, Witnessed, ByBracket}
	asserted := Finding{Coherent, Asserted, ByDate}
	possible := Finding{Possible, Unproven, OnlyAfter}
	violated := Finding{Violated, Asserted, ByNewer}
	missing := Finding{Unknown, Unproven, NotThere}
	for _, c := range []struct {
		parts []Finding
		want  Finding
	}{
		{nil, Finding{Coherent, Witnessed, ByInstant}},
		{[]Finding{coherent, asserted}, asserted},
		{[]Finding{asserted, possible, coherent}, possible},
		{[]Finding{possible, missing}, missing},
		{[]Finding{missing, violated, possible}, violated},
	} {
		if got := Composite(c.parts); got != c.want {
			t.Errorf("%v: got %v, want %v", c.parts, got, c.want)
		}
	}
}

// see makes sightings of one crawl: "0a 5b" was captured at 0 with content a and at 5 with content b; "5b3" was last changed at 3.
func see(t *testing.T, text string) Seen {
	t.Helper()
	var all []Sighting
	for _, word := range strings.Fields(text) {
		var n, mu int
		var content string
		got, err := fmt.Sscanf(word, "%d%1s%d", &n, &content, &mu)
		if got < 2 {
			t.Fatalf("%q: %v", word, err)
		}
		s := Sighting{Time: at(n), Content: content, Crawl: "c"}
		if got == 3 {
			s.Modified = at(mu)
		}
		all = append(all, s)
	}
	return NewSeen(all)
}

func TestSeenAt(t *testing.T) {
	for _, c := range []struct {
		seen string
		x    int
		want Finding
	}{
		{"", 5, Finding{Unknown, Unproven, NotThere}},
		{"5a", 5, Finding{Coherent, Witnessed, ByInstant}},
		{"0a 9a", 5, Finding{Coherent, Witnessed, ByBracket}},
		{"0a 9b", 5, Finding{Violated, Witnessed, ByChange}},
		{"0a 9b4", 5, Finding{Coherent, Asserted, ByDate}},
		{"0a 9b6", 5, Finding{Violated, Witnessed, ByChange}},
		{"0a 3b 9b", 5, Finding{Coherent, Witnessed, ByBracket}},
		{"0a 4b", 5, Finding{Possible, Unproven, OnlyBefore}},
		{"7a 8a", 5, Finding{Possible, Unproven, OnlyAfter}},
		{"7a5 8a", 5, Finding{Coherent, Asserted, ByDate}},
		{"7a6 8a", 5, Finding{Violated, Asserted, ByNewer}},
	} {
		if got := see(t, c.seen).At(at(c.x)); got != c.want {
			t.Errorf("%q at %d: got %v, want %v", c.seen, c.x, got, c.want)
		}
	}
}

func TestTogether(t *testing.T) {
	for _, c := range []struct {
		name  string
		page  string
		parts []string
		at    int
		want  Finding
	}{
		{"no parts", "0a", nil, 0, Finding{Coherent, Witnessed, ByInstant}},
		{"the example of the comment", "0a 9a", []string{"1p 8p", "2s 7t"}, 2, Finding{Coherent, Witnessed, ByInstant}},
		{"a single visit", "0a", []string{"1p"}, 0, Finding{Possible, Unproven, OnlyAfter}},
		{"a single visit with dates", "5a1", []string{"6p2", "7s3"}, 5, Finding{Coherent, Asserted, ByDate}},
		{"a part is newer than the page", "5a", []string{"7p6"}, 5, Finding{Violated, Asserted, ByNewer}},
		{"the page changed before the part came", "0a 2b", []string{"4p3 5p"}, 0, Finding{Violated, Asserted, ByNewer}},
		{"a part changed while the page stood once", "5a", []string{"0p 9q"}, 5, Finding{Violated, Witnessed, ByChange}},
		{"a part is not there", "0a 9a", []string{"1p 8p", ""}, 0, Finding{Unknown, Unproven, NotThere}},
		{"two parts never at once", "0a 9a", []string{"1p 3q", "2s"}, 0, Finding{Possible, Unproven, OnlyAfter}},
		{"the page comes back later", "0a 2b 4a", []string{"4p"}, 0, Finding{Possible, Unproven, OnlyAfter}},
	} {
		var parts []Seen
		for _, p := range c.parts {
			parts = append(parts, see(t, p))
		}
		got, all, each := Together(see(t, c.page), see(t, c.page).sightings[0].Time, parts)
		if !got.Equal(at(c.at)) || all.Verdict != c.want.Verdict || all.Level != c.want.Level || len(each) != len(parts) {
			t.Errorf("%s: %v at %v, parts %v; want %v at %d", c.name, all, got.Sub(at(0)), each, c.want, c.at)
		}
	}
	if _, all, _ := Together(see(t, ""), at(0), nil); all != (Finding{Unknown, Unproven, NotWhole}) {
		t.Errorf("a page that is not there: %v", all)
	}
}

// The instant that is found is as good as the best of all instants of a fine grid, and the visit is taken where it is as good.
func TestTogetherIsTheBestInstant(t *testing.T) {
	rng := chance.Rand(t, 1)
	random := func(most int) Seen {
		var all []Sighting
		for range rng.IntN(most + 1) {
			s := Sighting{Time: at(2 * rng.IntN(8)), Content: string(rune('a' + rng.IntN(2))), Crawl: []string{"x", "y"}[rng.IntN(2)]}
			if s.Confirmed = rng.IntN(4) == 0; rng.IntN(3) == 0 {
				s.Modified = s.Time.Add(-time.Duration(2*rng.IntN(6)) * time.Minute)
			}
			all = append(all, s)
		}
		return NewSeen(all)
	}
	coherent := 0
	for range 20_000 {
		page := random(3)
		if len(page.sightings) == 0 {
			continue
		}
		visit := page.sightings[rng.IntN(len(page.sightings))].Time
		parts := make([]Seen, rng.IntN(4))
		for i := range parts {
			parts[i] = random(3)
		}
		x, got, each := Together(page, visit, parts)
		if all := Composite(append(each, Finding{Coherent, levelOf(page, visit, x), ByInstant})); all.Verdict != got.Verdict || all.Level != got.Level {
			t.Fatalf("the parts make %v, not %v", all, got)
		}
		for half := -30; half <= 60; half++ { // half minutes: between the instants at which anything begins or ends too
			y := at(0).Add(time.Duration(half) * time.Minute / 2)
			level := levelOf(page, visit, y)
			if level == Unproven {
				continue
			}
			var findings []Finding
			for _, p := range parts {
				findings = append(findings, p.At(y))
			}
			other := Composite(append(findings, Finding{Coherent, level, ByBracket}))
			if worse(got, other) || y.Equal(visit) && !worse(other, got) && !x.Equal(visit) {
				t.Fatalf("page %+v visited at %v, parts %+v: %v at %v, but %v at %v", page, visit, parts, got, x, other, y)
			}
		}
		if got.Verdict == Coherent && len(parts) > 0 && !x.Equal(visit) {
			coherent++
		}
	}
	if coherent < 100 {
		t.Errorf("only %d pages stood together with their parts at another instant than the visit: the test shows little", coherent)
	}
}

// levelOf is how well is known that the content of the visit stood at x without a break.
func levelOf(page Seen, visit, x time.Time) Level {
	for _, h := range page.held {
		if h.Contains(visit) && h.Contains(x) {
			return levelAt(page.held, x)
		}
	}
	return Unproven
}

// A page and a part that were captured thousands of times, each time otherwise, are judged with what is near the visit, in bounded time.
func TestTogetherOfManyCaptures(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0).UTC() }
	page := NewSeen([]Sighting{{Time: at(0), Content: "p"}, {Time: at(100_000), Content: "p"}})
	var often []Sighting
	for n := range 20_000 {
		often = append(often, Sighting{Time: at(5*n + 1), Content: string(rune('a' + n%7))})
	}
	parts := []Seen{NewSeen(often), NewSeen([]Sighting{{Time: at(21), Content: "s"}})}
	when, all, _ := Together(page, at(0), parts)
	if !when.Equal(at(21)) || all.Verdict != Coherent || all.Level != Witnessed {
		t.Errorf("%v, %+v; want 21, witnessed", when.Unix(), all)
	}
	if got := nearest([]time.Time{at(10), at(1), at(9), at(12), at(30)}, 3); len(got) != 3 || !got[0].Equal(at(10)) || !got[1].Equal(at(9)) || !got[2].Equal(at(12)) {
		t.Errorf("nearest gives %v", got)
	}
}
