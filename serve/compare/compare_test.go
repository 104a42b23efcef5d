package compare

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lcs is the length of the longest common subsequence, by the table that everybody knows.
func lcs(a, b []byte) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				t[i+1][j+1] = t[i][j] + 1
			} else {
				t[i+1][j+1] = max(t[i][j+1], t[i+1][j])
			}
		}
	}
	return t[len(a)][len(b)]
}

// The script makes b of a, and keeps as much as can be kept.
func TestScriptIsShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, b := make([]byte, rng.IntN(14)), make([]byte, rng.IntN(14))
		for i := range a {
			a[i] = "abc"[rng.IntN(3)]
		}
		for i := range b {
			b[i] = "abc"[rng.IntN(3)]
		}
		var gotA, gotB []byte
		kept := 0
		for _, s := range script(a, b) {
			switch s.op {
			case Equal:
				if !slices.Equal(a[s.a:s.a+s.n], b[s.b:s.b+s.n]) {
					t.Fatalf("%s %s: equal pieces differ: %+v", a, b, s)
				}
				gotA, gotB, kept = append(gotA, a[s.a:s.a+s.n]...), append(gotB, b[s.b:s.b+s.n]...), kept+s.n
			case Delete:
				gotA = append(gotA, a[s.a:s.a+s.n]...)
			case Insert:
				gotB = append(gotB, b[s.b:s.b+s.n]...)
			}
		}
		if string(gotA) != string(a) || string(gotB) != string(b) || kept != lcs(a, b) {
			t.Fatalf("%q %q: rebuilt %q %q, kept %d of %d: %+v", a, b, gotA, gotB, kept, lcs(a, b), script(a, b))
		}
	}
}

func TestHugeDifferenceIsBounded(t *testing.T) {
	a, b := make([]int, 5000), make([]int, 6000)
	for i := range a {
		a[i] = i
	}
	for i := range b {
		b[i] = -i - 1
	}
	got := script(a, b)
	if len(got) != 2 || got[0].n != 5000 || got[1].n != 6000 {
		t.Errorf("%+v", got)
	}
}

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
+ [Agenda for all who come]
< [Old line]
> [Other things entirely]
`
	if got := show(Texts(a, b)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Texts("", ""); len(got) != 0 {
		t.Errorf("nothing gives %v", got)
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
