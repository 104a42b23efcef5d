package scope

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"varve/web/canon"
)

func parseURL(t testing.TB, s string) canon.URL {
	t.Helper()
	u, err := canon.Parse(s)
	if err != nil {
		t.Fatalf("parse %q: %v", s, err)
	}
	return u
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// TestCases runs the files of testdata: a definition, its seeds, and lines of
// `verdict "rule" hops URL [what is known]`.
func TestCases(t *testing.T) {
	for _, name := range []string{"host", "modes", "prefix", "domain", "web", "rules"} {
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			set, err := Parse(section(a, "scope.toml"))
			if err != nil {
				t.Fatal(err)
			}
			seeds := NewSeeds()
			for line := range strings.FieldsSeq(section(a, "seeds")) {
				seeds.Add(parseURL(t, line))
			}
			for line := range strings.Lines(section(a, "cases")) {
				runCase(t, set, seeds, strings.TrimSpace(line))
			}
		})
	}
}

func runCase(t *testing.T, set *Set, seeds *Seeds, line string) {
	t.Helper()
	verdict, rest, _ := strings.Cut(line, " ")
	parts := strings.SplitN(rest, `"`, 3)
	fields := strings.Fields(parts[2])
	c := Candidate{URL: parseURL(t, fields[1]), Hops: Hops(strings.Trim(fields[0], "."))}
	for _, f := range fields[2:] {
		know(t, &c, f)
	}
	d := set.Decide(&c, seeds)
	if string(d.Verdict) != verdict || d.Name != parts[1] {
		t.Errorf("%s\n  got %v", line, d)
	}
	said := 0
	for _, o := range set.Explain(&c, seeds) {
		if o.Decide {
			said++
			if o.Word != d.Verdict || o.Rule != d.Rule {
				t.Errorf("%s: Explain and Decide differ: %v, %v", line, o, d)
			}
		}
		if o.Rule > d.Rule && o.Word != Pass {
			t.Errorf("%s: rule %d speaks behind the last word", line, o.Rule)
		}
	}
	if (said == 1) != (d.Rule >= 0) {
		t.Errorf("%s: %d deciding rules", line, said)
	}
}

func know(t *testing.T, c *Candidate, field string) {
	name, value, _ := strings.Cut(field, "=")
	number, _ := strconv.ParseFloat(value, 64)
	switch name {
	case "via":
		c.Via = parseURL(t, value)
	case "hops":
		c.Hops = Hops(value)
	case "mime":
		c.MIME = value
	case "size":
		c.Size = Is(int64(number))
	case "lang":
		c.Language = value
	case "spam":
		c.Spam = Is(number)
	case "relevance":
		c.Relevance = Is(number)
	case "nofollow":
		c.NoFollow = true
	case "robots":
		c.Robots = Robots(value)
	case "trap":
		c.Suspicions = []Suspicion{{Kind: TrapKind(value)}}
	default:
		t.Fatalf("unknown field %q", field)
	}
}

func TestErrors(t *testing.T) {
	a, err := txtar.ParseFile(filepath.Join("testdata", "errors.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		text := string(f.Data)
		first, _, _ := strings.Cut(text, "\n")
		want := strings.TrimPrefix(first, "# want: ")
		_, err := Parse(text)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", f.Name, err, want)
		}
	}
	for _, text := range []string{"rule = 3", "[[rule]]\ndo = 3", "scope = ", "[domain.\"x\"]\ndelay = true", "[domain.\"x\"]\ndelay = \"-3s\"", "[[rule]]\ndo=\"accept\"\nlarger-than=\"big\""} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v has no line", text, err)
		}
	}
}

// TestRedirectedSeed shows that the host of a redirected seed becomes a seed host.
func TestRedirectedSeed(t *testing.T) {
	set, err := NewSet(Definition{})
	if err != nil {
		t.Fatal(err)
	}
	seeds := NewSeeds(parseURL(t, "http://example.org/"))
	target := Candidate{URL: parseURL(t, "https://www.example.org/"), Hops: "R"}
	page := Candidate{URL: parseURL(t, "https://www.example.org/page"), Hops: "RL"}
	if set.Decide(&page, seeds).Accepted() {
		t.Error("accepted before the redirect")
	}
	if !set.Decide(&target, seeds).Accepted() {
		t.Error("the redirect itself is out")
	}
	seeds.Add(target.URL)
	if d := set.Decide(&page, seeds); !d.Accepted() {
		t.Errorf("after the redirect: %v", d)
	}
	if seeds.Len() != 2 {
		t.Errorf("%d seeds", seeds.Len())
	}
}

func TestSettings(t *testing.T) {
	set, err := Parse(`
[domain."example.org"]
delay = "2s"
max-pages = 2
user-agent = "x"
[domain."news.example.org"]
delay = 0
max-bytes = "1GiB"
ignore-robots = true
[domain."a.news.example.org"]
max-pages = 4
[domain."127.0.0.1:8081"]
max-pages = 9
`)
	if err != nil {
		t.Fatal(err)
	}
	s := set.Settings("b.a.news.example.org")
	if *s.Delay != 0 || *s.MaxPages != 4 || *s.MaxBytes != 1<<30 || !*s.IgnoreRobots || s.UserAgent != "x" {
		t.Errorf("merged settings: %+v", s)
	}
	if s := set.Settings("example.org:8080"); *s.MaxPages != 2 || s.MaxBytes != nil {
		t.Errorf("host with port: %+v", s)
	}
	if s := set.Settings("127.0.0.1:8081"); *s.MaxPages != 9 {
		t.Errorf("own port: %+v", s)
	}
	for _, host := range []string{"badexample.org", "org", "127.0.0.1:8082", "[::1]:80", ""} {
		if s := set.Settings(host); s != (Settings{}) {
			t.Errorf("%q: %+v", host, s)
		}
	}
}

func TestLive(t *testing.T) {
	set, _ := NewSet(Definition{Mode: Host})
	l := NewLive(set)
	if err := l.Swap(Definition{Mode: "moon"}); err == nil || l.Load() != set {
		t.Errorf("a wrong definition was put in force: %v", err)
	}
	if err := l.Swap(Definition{Mode: Page}); err != nil || l.Load() == set || l.Load().Definition().Mode != Page {
		t.Errorf("swap: %v", err)
	}
}

func TestSizes(t *testing.T) {
	for in, want := range map[string]Size{"0": 0, "500": 500, "64KiB": 65536, "1.5 MB": 1500000, "2gb": 2e9, "3b": 3} {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("%q: %d, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "x", "-1", "1e99GB", "NaN", "5 apples"} {
		if got, err := ParseSize(in); err == nil {
			t.Errorf("%q gives %d", in, got)
		}
	}
}
