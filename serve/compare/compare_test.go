package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// show writes a comparison as people read it.
func show(ls []Line) string {
	var out strings.Builder
	spans := func(s []Span) {
		for _, x := range s {
			if x.Op == Equal {
				out.WriteString(x.Text)
			} else {
				out.WriteString("[" + strings.TrimSpace(x.Text) + "]")
			}
		}
	}
	for _, l := range ls {
		switch l.Op {
		case Equal:
			out.WriteString("  ")
			spans(l.Left)
		case Delete:
			out.WriteString("- ")
			spans(l.Left)
		case Insert:
			out.WriteString("+ ")
			spans(l.Right)
		case Move:
			out.WriteString("~ ")
			spans(l.Left)
			spans(l.Right)
		case Replace:
			out.WriteString("< ")
			spans(l.Left)
			out.WriteString("\n> ")
			spans(l.Right)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func TestTexts(t *testing.T) {
	a := "City council\nThe council meets on Monday at 17:00.\nMinutes\nOld line\n"
	b := "City council\nThe council meets on Tuesday at 18:30.\nMinutes\nAgenda for all who come\nOther things entirely\n"
	want := `  City council
< The council meets on [Monday]at [17]:[00].
> The council meets on [Tuesday]at [18]:[30].
  Minutes
- [Old line]
+ [Agenda for all who come]
+ [Other things entirely]
`
	if got := show(Texts(a, b)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Texts("", ""); len(got) != 0 {
		t.Errorf("nothing gives %v", got)
	}
}

// A front page of another day: headlines are paired by what they say. Those that say nothing of each other went and came, a block that
// stands elsewhere moved, and a number in its place changed.
func TestFrontPages(t *testing.T) {
	a := `The Harbour Post
64.73
Council approves budget for the new bridge
Storm closes schools in the north
Museum shows maps of the old town
Ferry timetable: all departures of the week
Subscribe to the letter of the week`
	b := `The Harbour Post
65.10
Ferry timetable: all departures of the week
Police find stolen boats near the island
Council approves larger budget for the new bridge
Library opens on Sundays
Twelve questions to the minister of fish
Subscribe to the letter of the week`
	want := `  The Harbour Post
< [64].[73]
> [65].[10]
~ Council approves budget for the new bridge
- [Storm closes schools in the north]
- [Museum shows maps of the old town]
  Ferry timetable: all departures of the week
+ [Police find stolen boats near the island]
~ Council approves [larger]budget for the new bridge
+ [Library opens on Sundays]
+ [Twelve questions to the minister of fish]
  Subscribe to the letter of the week
`
	got := Texts(a, b)
	if s := show(got); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	for _, l := range got {
		if l.Op == Move && (l.A == 3 && l.Other != 5 || l.B == 5 && l.Other != 3) {
			t.Errorf("%+v", l)
		}
	}
}

// No other way to pair lines in order has more likeness.
func TestPairsAreBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("storm council bridge harbour ferry school the of museum 12 letter")
	text := func(n int) (out []string) {
		for range n {
			var line []string
			for range 1 + rng.IntN(4) {
				line = append(line, vocabulary[rng.IntN(len(vocabulary))])
			}
			out = append(out, strings.Join(line, " "))
		}
		return out
	}
	for range 400 {
		left, right := text(1+rng.IntN(5)), text(1+rng.IntN(5))
		x := newLikeness(left, right)
		var brute func(i, j int) float64
		brute = func(i, j int) float64 {
			if i == len(left) || j == len(right) {
				return 0
			}
			best := max(brute(i+1, j), brute(i, j+1))
			if s := x.of(i, j); s >= alike {
				best = max(best, s+brute(i+1, j+1))
			}
			return best
		}
		sum, last := 0.0, [2]int{-1, -1}
		for _, p := range x.pairs(0, len(left), 0, len(right)) {
			if p[0] <= last[0] || p[1] <= last[1] || x.of(p[0], p[1]) < alike {
				t.Fatalf("%q %q: %v after %v", left, right, p, last)
			}
			sum, last = sum+x.of(p[0], p[1]), p
		}
		if want := brute(0, 0); math.Abs(sum-want) > 1e-9 {
			t.Fatalf("%q %q: %g, best %g", left, right, sum, want)
		}
	}
}

// Thousands of long lines, all of them different: the parts of a gap bound the work.
func TestHugeGapIsBounded(t *testing.T) {
	line := func(i int) string { return strings.Repeat("a b c d e f g ", 20) + strconv.Itoa(i) + "\n" }
	var a, b strings.Builder
	for i := range 4000 {
		a.WriteString(line(i))
		b.WriteString(line(-1 - i))
	}
	if n := len(Texts(a.String(), b.String())); n < 4000 || n > 8000 {
		t.Errorf("%d lines", n)
	}
}

func TestDocuments(t *testing.T) {
	page := func(body string) Document {
		return Document{URL: "http://a.example/x/", MIME: "text/html; charset=utf-8", Body: []byte("<title>T</title>" + body)}
	}
	r, err := Documents(page(`<p>one</p><p>two</p><a href="k">k</a><a href="old">o</a><img src="/i.png">`),
		page(`<p>one</p><p>2</p><a href="k">k</a><a href="/new">n</a><img src="/i.png">`))
	if err != nil {
		t.Fatal(err)
	}
	if r.Links.Kept != 2 || len(r.Links.Added) != 1 || r.Links.Added[0].URL != "http://a.example/new" ||
		len(r.Links.Removed) != 1 || r.Links.Removed[0].URL != "http://a.example/x/old" || r.Links.Removed[0].Hop != "link" {
		t.Errorf("links %+v", r.Links)
	}
	if r.Same || r.Counts.Equal == 0 || r.Counts.Changed() == 0 || r.TitleA != "T" {
		t.Errorf("%+v", r)
	}
	if r, err = Documents(page("x"), page("x")); err != nil || !r.Same || r.Counts.Changed() != 0 {
		t.Errorf("same documents: %+v, %v", r, err)
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("a b\nc", "a c\nc\nd")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 4000 {
			return
		}
		var left, right []string
		for _, l := range Texts(a, b) {
			text := func(s []Span) string {
				var out strings.Builder
				for _, x := range s {
					out.WriteString(x.Text)
				}
				return out.String()
			}
			if l.A > 0 {
				left = append(left, text(l.Left))
			}
			if l.Op == Equal {
				right = append(right, text(l.Left))
			} else if l.B > 0 {
				right = append(right, text(l.Right))
			}
		}
		if !slices.Equal(left, lines(a)) || !slices.Equal(right, lines(b)) {
			t.Errorf("%q %q: rebuilt %q %q", a, b, left, right)
		}
	})
}
