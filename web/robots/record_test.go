package robots

import (
	"slices"
	"testing"
	"time"
)

func TestRecord(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rules := []byte("User-agent: *\nDisallow: /x\n")
	type step struct {
		after  time.Duration // since start
		status int
		access Access
		x, y   bool          // may /x and /y be fetched?
		again  time.Duration // until the next request
	}
	for name, steps := range map[string][]step{
		"found":      {{0, 200, ByRules, false, true, Lifetime}},
		"missing":    {{0, 404, Open, true, true, Lifetime}},
		"forbidden":  {{0, 403, Open, true, true, Lifetime}},
		"redirected": {{0, 301, Open, true, true, Lifetime}},
		"throttled":  {{0, 429, Closed, false, false, time.Minute}},
		"never answers": {
			{0, 0, Closed, false, false, time.Minute},
			{time.Minute, 503, Closed, false, false, 2 * time.Minute},
			{time.Hour, 0, Closed, false, false, 4 * time.Minute},
			{UnreachableLimit, 500, Open, true, true, 8 * time.Minute},
		},
		"fails later": {
			{0, 200, ByRules, false, true, Lifetime},
			{24 * time.Hour, 503, Closed, false, false, time.Minute},
			{24*time.Hour + UnreachableLimit, 503, ByOldest, false, true, 2 * time.Minute},
			{24*time.Hour + UnreachableLimit + time.Hour, 404, Open, true, true, Lifetime},
		},
		"recovers": {
			{0, 503, Closed, false, false, time.Minute},
			{time.Hour, 200, ByRules, false, true, Lifetime},
			{2 * time.Hour, 503, Closed, false, false, time.Minute},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var r Record
			if r.Fresh(start) || r.For("v").Test("/y").Allowed {
				t.Error("an authority never asked must be closed")
			}
			for i, s := range steps {
				now := start.Add(s.after)
				r = r.Next(Answer{At: now, Status: s.status, Body: rules})
				if r.Access != s.access || r.Expires.Sub(now) != s.again {
					t.Errorf("step %d: %s until %v (%s)", i, r.Access, r.Expires.Sub(now), r.Why)
				}
				if x, y := r.For("v").Test("/x").Allowed, r.For("v").Test("/y").Allowed; x != s.x || y != s.y {
					t.Errorf("step %d: /x %v /y %v", i, x, y)
				}
				if !r.For("v").Test("/robots.txt").Allowed {
					t.Errorf("step %d: robots.txt itself forbidden", i)
				}
				if !r.Fresh(now) || r.Fresh(r.Expires) {
					t.Errorf("step %d: freshness", i)
				}
			}
		})
	}
	if d := retryAfter(1000); d != RetryMost {
		t.Errorf("retry after 1000 failures: %v", d)
	}
}

func TestTags(t *testing.T) {
	day := time.Date(2030, 6, 25, 15, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		got  Tag
		want Tag
	}{
		{"meta", ParseMeta("ROBOTS", "NoIndex , nofollow", "varve"), Tag{NoIndex: true, NoFollow: true, Words: []string{"noindex", "nofollow"}}},
		{"none", ParseMeta("robots", "none", "varve"), Tag{NoIndex: true, NoFollow: true, Words: []string{"none"}}},
		{"own name", ParseMeta("Varve", "noarchive", "varve"), Tag{NoArchive: true, Words: []string{"noarchive"}}},
		{"other name", ParseMeta("googlebot", "none", "varve"), Tag{}},
		{"empty name and token", ParseMeta("", "none", ""), Tag{}},
		{"header", ParseHeader([]string{"noarchive"}, "varve"), Tag{NoArchive: true, Words: []string{"noarchive"}}},
		{"header for another", ParseHeader([]string{"otherbot: noindex, nofollow"}, "varve"), Tag{}},
		{
			"header for several", ParseHeader([]string{"otherbot: noindex, VARVE: nofollow, noarchive", "nosnippet"}, "varve"),
			Tag{NoFollow: true, NoArchive: true, Words: []string{"nofollow", "noarchive", "nosnippet"}},
		},
		{
			"values", ParseHeader([]string{"max-snippet:20, Max-Image-Preview: Large"}, "varve"),
			Tag{Words: []string{"max-snippet:20", "max-image-preview:large"}},
		},
		{
			"date with comma", ParseHeader([]string{"unavailable_after: Tue, 25 Jun 2030 15:00:00 UTC, noindex"}, "varve"),
			Tag{NoIndex: true, UnavailableAfter: day, Words: []string{"unavailable_after", "noindex"}},
		},
		{
			"earlier date wins", ParseHeader([]string{"unavailable_after: 2031-01-01", "unavailable_after: 2030-06-25T15:00:00Z"}, "v"),
			Tag{UnavailableAfter: day, Words: []string{"unavailable_after", "unavailable_after:2031-01-01"}[:1]},
		},
	} {
		g, w := tt.got, tt.want
		if g.NoIndex != w.NoIndex || g.NoFollow != w.NoFollow || g.NoArchive != w.NoArchive ||
			!g.UnavailableAfter.Equal(w.UnavailableAfter) || !slices.Equal(g.Words, w.Words) {
			t.Errorf("%s: got %+v, want %+v", tt.name, g, w)
		}
	}
	if !(Tag{}).Zero() || ParseMeta("robots", "index", "").Zero() {
		t.Error("Zero")
	}
}

func FuzzTag(f *testing.F) {
	f.Add("varve: noindex, unavailable_after: Tue, 25 Jun 2030 15:00:00 UTC, none")
	f.Fuzz(func(t *testing.T, s string) {
		h, m := ParseHeader([]string{s}, "varve"), ParseMeta("robots", s, "varve")
		if len(h.Words) > maxWords || len(m.Words) > maxWords {
			t.Error("unbounded")
		}
		if a := h.Add(h); a.NoIndex != h.NoIndex || !slices.Equal(a.Words, h.Words) {
			t.Errorf("adding a tag to itself changes it: %+v, %+v", h, a)
		}
	})
}
