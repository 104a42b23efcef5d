package robots

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

// reference decides as the RFC is worded, by trying every rule as a regular expression.
func reference(f *File, token, target string) bool {
	if target == "/robots.txt" {
		return true
	}
	allowed, most := true, -1
	for _, rule := range merged(f, token) {
		form := normal(rule.Path, ofRule)
		if !refMatch(form, normal(target, ofTarget)) && !refMatch(openQuery(form), openQuery(normal(target, ofTarget))) &&
			!refMatch(form, openQuery(normal(target, ofTarget))) && !refMatch(openQuery(form), normal(target, ofTarget)) {
			continue
		}
		if len(form) > most || len(form) == most && rule.Allow {
			allowed, most = rule.Allow, len(form)
		}
	}
	return allowed
}

func merged(f *File, token string) []Rule {
	pick := func(kind func(Agent) bool) (rules []Rule, found bool) {
		for _, g := range f.Groups {
			for _, a := range g.Agents {
				if kind(a) {
					rules, found = append(rules, g.Rules...), true
					break
				}
			}
		}
		return rules, found
	}
	if r, ok := pick(func(a Agent) bool { return a.matches(token) }); ok {
		return r
	}
	r, _ := pick(func(a Agent) bool { return a.Token == "*" })
	return r
}

func refMatch(form, target string) bool {
	body, end := strings.CutSuffix(form, "$")
	re := "^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(body), `\*`, ".*") + ")"
	if end {
		re += "$"
	}
	return regexp.MustCompile(re).MatchString(target)
}

func TestAgainstReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"/", "/", "a", "b", "ab", "*", "**", "$", "?", "%2F", "%2f", ":", "%61", "ü", "=", "&"}
	word := func(n int, stars bool) string {
		var b strings.Builder
		for range rng.IntN(n) {
			p := pieces[rng.IntN(len(pieces))]
			if stars || p[0] != '*' && p != "$" {
				b.WriteString(p)
			}
		}
		return "/" + b.String()
	}
	for range 4000 {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for range rng.IntN(8) {
			fmt.Fprintf(&b, "%s: %s\n", []string{"Allow", "Disallow"}[rng.IntN(2)], word(6, true))
		}
		f := Parse([]byte(b.String()))
		r := f.For("x")
		for range 8 {
			target := word(8, rng.IntN(4) == 0)
			if got, want := r.Test(target).Allowed, reference(f, "x", target); got != want {
				t.Fatalf("%s\n%q: got %v, want %v (%v)", b.String(), target, got, want, r.Test(target).Rule)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /%61?x=%2F\nCrawl-delay: 1\n"), "/ab?x=/")
	f.Add([]byte("\xef\xbb\xbfuser-agent: x\rrequest-rate: 1/5m 0900-1000\r\nvisit-time: 0600-0800\nclean-param: a&b /x"), "/")
	f.Fuzz(func(t *testing.T, body []byte, target string) {
		if len(body) > 4096 || len(target) > 512 {
			return
		}
		file := Parse(body)
		r := file.For("varve")
		if target == "" || target[0] != '/' {
			target = "/" + target
		}
		if got, want := r.Test(target).Allowed, reference(file, "varve", target); got != want {
			t.Errorf("%q on %q: got %v, want %v", body, target, got, want)
		}
		if d, _ := r.Delay(time.Unix(0, 0)); d < 0 || d > maxDelay {
			t.Errorf("delay %v", d)
		}
	})
}

// BenchmarkTest shows the cost of a decision on an ordinary, a long and two hostile files.
func BenchmarkTest(b *testing.B) {
	long := strings.Builder{}
	for i := range 10000 {
		fmt.Fprintf(&long, "Disallow: /section%d/private/\n", i)
	}
	for _, bb := range []struct{ name, file, target string }{
		{"ordinary", "Disallow: /cgi-bin/\nDisallow: /*?sort=\nAllow: /cgi-bin/x\nDisallow: /tmp/\n", "/news/2026/05/article.html?page=3"},
		{"10000 rules", long.String(), "/section777/public/article.html"},
		{"1000 stars", "Disallow: /" + strings.Repeat("*a", 1000) + "b$\n", "/" + strings.Repeat("a", 2000)},
		{"50000 wildcards", strings.Repeat("Allow: /*b\n", 45000), "/" + strings.Repeat("a", 2000)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			r := Parse([]byte("User-agent: *\n" + bb.file)).For("x")
			b.ReportAllocs()
			for b.Loop() {
				r.Test(bb.target)
			}
		})
	}
}
