package scope

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/text/near"
	"varve/web/canon"
)

func FuzzParse(f *testing.F) {
	f.Add("scope = \"host\"\n[[rule]]\ndo = \"accept\"\nregex = ['a+']\n[domain.\"x.org\"]\ndelay = 2\n", "http://x.org/a?b", "LLE")
	f.Add("[[rule]]\ndo = \"reject\"\nprefix = [\"+http://(org,x,)/a\", \"org,x,\"]\nlarger-than = \"5MB\"\n", "http://www.x.org/", "")
	f.Fuzz(func(t *testing.T, text, url, hops string) {
		set, err := Parse(text)
		if (set == nil) != (err != nil) {
			t.Fatalf("set %v, error %v", set, err)
		}
		c, cerr := CandidateOf(url, hops)
		if err != nil || cerr != nil {
			return
		}
		d := set.Decide(&c, NewSeeds())
		want := Decision{Verdict: Reject, Rule: -1}
		for _, o := range set.Explain(&c, NewSeeds()) {
			if o.Word != Pass {
				want.Verdict, want.Rule = o.Word, o.Rule
			}
		}
		if d.Verdict != want.Verdict || d.Rule != want.Rule {
			t.Errorf("Decide %v, last word of Explain %v", d, want)
		}
		set.Settings(c.URL.HostPort())
	})
}

func FuzzTraps(f *testing.F) {
	f.Add("http://h/a/b/a/b/a/b?year=2031&month=4", uint64(1))
	f.Fuzz(func(t *testing.T, url string, hash uint64) {
		u, err := canon.Parse(url)
		if err != nil {
			return
		}
		traps := NewTraps(TrapLimits{})
		traps.Page(u, near.Simhash(hash), 100)
		for _, s := range traps.URL(u, now) {
			if !slices.Contains(TrapKinds, s.Kind) || s.Why == "" {
				t.Errorf("%q: %v", url, s)
			}
		}
	})
}

// TestRequired shows which text is looked for before an expression is tried, and that it never hides a match.
func TestRequired(t *testing.T) {
	for expr, must := range map[string]string{
		`/calendar/\d{4}`: "/calendar/", `a.*bcd`: "bcd", `(?i)abc`: "", `abc|abd`: "ab", `abc|xyz`: "", `(abc)+x`: "abc", `(?:abc){2,}`: "abc",
		`(?:abc)*`: "", `^https?://x`: "http", `[0-9]`: "", ``: "", `(?:abc)?`: "", `ü.x`: "ü",
	} {
		f, err := newFinders([]string{expr})
		if err != nil || f[0].must != must {
			t.Errorf("%s: %q, %v", expr, f[0].must, err)
		}
		for _, s := range []string{"abcabcx", "/calendar/2026", "https://x", "ABC", "xyz", "a12bcd", "", "üxx", "ü_x"} {
			if f.match(s) != f[0].re.MatchString(s) {
				t.Errorf("%s on %q", expr, s)
			}
		}
	}
}

// TestPrefixList compares the sorted list with trying every prefix.
func TestPrefixList(t *testing.T) {
	list := []string{"/a/b", "/a", "/b/", "/c?x=", "/ab/", "/z/z/z", "/a-"}
	p := newPaths(slices.Clone(list))
	for _, path := range []string{"/", "/a", "/a/b/c", "/ab", "/ab/", "/b", "/b/x", "/c?x=3", "/c", "/z/z/zz", "/z/z", "/a-b", "/zz", ""} {
		want := slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(path, s) })
		if p.has(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	many := make([]string, 100_000)
	for i := range many {
		many[i] = fmt.Sprintf("site%d.example", i)
	}
	for _, bb := range []struct {
		name string
		def  Definition
	}{
		{"default", Definition{}},
		{"prefix", Definition{Mode: Prefix}},
		{"100000 domains", Definition{Rules: []Rule{{Do: Accept, Domain: many}}}},
		{"10 regexes", Definition{Rules: []Rule{{Do: Reject, Regex: []string{
			`/calendar/\d{4}`, `action=edit`, `\.exe$`, `/login`, `print=1`, `/tag/[^/]+/feed`, `sessionid=`, `/wp-json/`, `replytocom=`, `/trackback/`,
		}}}}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			set, err := NewSet(bb.def)
			if err != nil {
				b.Fatal(err)
			}
			seeds := NewSeeds(parseURL(b, "https://www.example.org/news/index.html"))
			c := Candidate{URL: parseURL(b, "https://www.example.org/news/2026/05/article-about-something.html?page=2"), Hops: "LLL"}
			b.ReportAllocs()
			for b.Loop() {
				set.Decide(&c, seeds)
			}
		})
	}
}

func BenchmarkTraps(b *testing.B) {
	traps := NewTraps(TrapLimits{Queries: 1 << 60, Growth: 1 << 60})
	u := parseURL(b, "https://www.example.org/news/2026/05/article-about-something.html?page=2")
	b.ReportAllocs()
	for b.Loop() {
		traps.URL(u, now)
	}
}
