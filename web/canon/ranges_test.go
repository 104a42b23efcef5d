package canon

import (
	"slices"
	"strings"
	"testing"
)

func TestRange(t *testing.T) {
	for _, c := range []struct {
		match    Match
		url      string
		from, to string
	}{
		{MatchExact, "http://example.com/a", "com,example)/a", "com,example)/a!"},
		{MatchPrefix, "http://example.com/a", "com,example)/a", "com,example)/b"},
		{MatchPrefix, "http://example.com/a/", "com,example)/a/", "com,example)/a0"},
		{MatchPrefix, "http://example.com/a?", "com,example)/a?", "com,example)/a@"},
		{MatchPrefix, "http://example.com/", "com,example)/", "com,example)0"},
		{MatchPrefix, "urn:text:", "urn:text:", "urn:text;"},
		{MatchHost, "http://example.com/a/b", "com,example)/", "com,example*"},
		{MatchHost, "http://example.com:8080/", "com,example:8080)/", "com,example:8080*"},
		{MatchDomain, "http://www.example.com/a/b", "com,example)/", "com,example-"},
		{MatchDomain, "com", "com,", "com-"},
		{MatchTLD, "http://example.com/", "com,", "com-"},
		{"", "*.example.com", "com,example)/", "com,example-"},
		{"", "*.example.com/*", "com,example)/", "com,example-"},
		{"", "example.com/*", "com,example)/", "com,example)0"},
		{"", "http://example.com/a*", "com,example)/a", "com,example)/b"},
		{"", "*.com", "com,", "com-"},
		{"", "http://example.com/a", "com,example)/a", "com,example)/a!"},
		{MatchExact, "http://example.com/a*", "com,example)/a*", "com,example)/a*!"},
	} {
		from, to, err := Range(c.match, c.url)
		if err != nil || from != c.from || to != c.to {
			t.Errorf("Range(%q, %q) = %q, %q, %v; want %q, %q", c.match, c.url, from, to, err, c.from, c.to)
		}
	}
	for _, c := range []struct {
		match Match
		url   string
	}{{MatchExact, ""}, {"fuzzy", "http://a/"}, {MatchHost, "urn:x"}, {MatchDomain, "http://"}, {"", "*."}} {
		if from, to, err := Range(c.match, c.url); err == nil {
			t.Errorf("Range(%q, %q) = %q, %q, want an error", c.match, c.url, from, to)
		}
	}
}

// TestRangeMembers looks the members of each range up among the keys of some URLs.
func TestRangeMembers(t *testing.T) {
	urls := []string{
		"http://example.com/", "http://example.com/a", "http://example.com/a?x=1", "http://example.com/a/b",
		"http://example.com/ab", "http://sub.example.com/a", "http://example.community/", "http://example-2.com/",
		"http://example.org/a", "http://a.b.example.com/",
	}
	for _, c := range []struct {
		query string
		match Match
		want  string
	}{
		{"http://example.com/a", MatchExact, "1"},
		{"http://example.com/a", MatchPrefix, "1 2 3 4"},
		{"http://example.com/a/", MatchPrefix, "3"},
		{"http://example.com/", MatchHost, "0 1 2 3 4"},
		{"http://example.com/", MatchDomain, "0 1 2 3 4 5 9"},
		{"com", MatchDomain, "0 1 2 3 4 5 7 9"},
	} {
		from, to, err := Range(c.match, c.query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, u := range urls {
			if k := SURT(u) + " 20260101000000"; k >= from && k < to {
				got = append(got, string(rune('0'+i)))
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s: %v, want %s", c.match, c.query, got, c.want)
		}
	}
}
