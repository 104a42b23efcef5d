package term_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"varve/evolution"
	"varve/evolution/term"
	"varve/lab/chance"
)

func edges(list ...string) (out []term.Edge) {
	for _, e := range list {
		a, b, _ := strings.Cut(e, "-")
		out = append(out, term.Edge{A: a, B: b, Count: 2})
	}
	return out
}

// TestWorkedExample is that of the specification (seed 000, figure 22).
func TestWorkedExample(t *testing.T) {
	g := term.NewGraph(edges("audi-bmw", "audi-vw", "audi-fiat", "bmw-vw", "bmw-fiat", "bmw-porsche"))
	want := map[string]float64{"vw": 1, "fiat": 1, "audi": 2. / 3, "bmw": 2. / 6, "porsche": 0}
	for i, c := range g.Curvature() {
		if math.Abs(c-want[g.Terms[i]]) > 1e-9 {
			t.Errorf("curvature of %s is %.3f, want %.3f", g.Terms[i], c, want[g.Terms[i]])
		}
	}
	got := fmt.Sprint(g.Clusters(0.5))
	if want := "[[{fiat 1} {vw 1} {audi 0.6666666666666666} {bmw 0.6666666666666666}]]"; got != want {
		t.Errorf("clusters\n%s, want\n%s", got, want)
	}
}

// TestHeads: of two terms all of whose neighbours are neighbours, that comes first which more texts have in lists; the other comes last. The same edge twice counts once, with both its counts.
func TestHeads(t *testing.T) {
	g := term.NewGraph([]term.Edge{{A: "peace", B: "war", Count: 10}, {A: "peace", B: "strife", Count: 6}, {A: "strife", B: "peace", Count: 4}, {A: "strife", B: "war", Count: 10}, {A: "peace", B: "raid", Count: 2}, {A: "raid", B: "war", Count: 2}})
	c := g.Clusters(0.2)
	if got, want := c[0].Terms(), []string{"strife", "peace", "war", "raid"}; len(c) != 1 || !slices.Equal(got, want) {
		t.Errorf("%v, want %v", c, want)
	}
}

// TestAmbiguous has a word of two senses: it is in both clusters.
func TestAmbiguous(t *testing.T) {
	g := term.NewGraph(edges("bank-river", "bank-shore", "bank-lake", "river-shore", "river-lake", "lake-shore", "bank-credit", "bank-loan", "bank-fund", "credit-loan", "fund-loan", "credit-fund"))
	c := g.Clusters(0.5)
	if len(c) != 2 || !slices.Contains(c[0].Terms(), "bank") || !slices.Contains(c[1].Terms(), "bank") {
		t.Errorf("clusters: %v", c)
	}
}

// TestCurvatureBruteForce counts triangles in the plain way.
func TestCurvatureBruteForce(t *testing.T) {
	r := chance.Rand(t, 2)
	for range 50 {
		n := 3 + r.IntN(12)
		joined := map[[2]int]bool{}
		var list []string
		for a := range n {
			for b := range a {
				if r.IntN(3) == 0 {
					joined[[2]int{a, b}], joined[[2]int{b, a}] = true, true
					list = append(list, fmt.Sprintf("%02d-%02d", b, a))
				}
			}
		}
		g := term.NewGraph(edges(list...))
		curvature := g.Curvature()
		for w := range n {
			possible, there := 0, 0
			for a := range n {
				for b := range a {
					if joined[[2]int{w, a}] && joined[[2]int{w, b}] {
						possible++
						if joined[[2]int{a, b}] {
							there++
						}
					}
				}
			}
			want := float64(there) / float64(max(1, possible))
			if at, ok := g.Node(fmt.Sprintf("%02d", w)); ok && math.Abs(curvature[at]-want) > 1e-9 {
				t.Fatalf("node %d of %v: %f, want %f", w, list, curvature[at], want)
			}
		}
	}
}

// texts makes documents; a sentence is a list of terms.
func texts(year int, lists ...string) (out []*evolution.Document) {
	for i, l := range lists {
		d := &evolution.Document{ID: fmt.Sprint(year, i), Year: year}
		for s := range strings.SplitSeq(l, ";") {
			var sentence evolution.Sentence
			for j, k := range strings.Split(s, ",") {
				sentence = append(sentence, evolution.Phrase{Key: strings.TrimSpace(k), Listed: j > 0})
			}
			d.Sentences = append(d.Sentences, sentence)
		}
		out = append(out, d)
	}
	return out
}

func count(t testing.TB, year int, o term.Options, docs []*evolution.Document) *term.Slice {
	t.Helper()
	s, err := term.Count(year, evolution.Of(docs), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCount(t *testing.T) {
	docs := texts(1990, "car, red truck, bus; peace, security", "car, red truck, car", "old bus, car; red truck", "bus")
	docs = append(docs, texts(1991, "car, bus")...)
	s := count(t, 1990, term.Default(), docs)
	var got []string
	for _, e := range s.Edges {
		if e.Count >= 2 {
			got = append(got, fmt.Sprintf("%s-%s %d", e.A, e.B, e.Count))
		}
	}
	// "red truck" occurs three times and is a term, "old bus" once and counts as bus; the pair car-car is none
	if want := []string{"bus-car 2", "car-red truck 2"}; !slices.Equal(got, want) {
		t.Errorf("edges %q, want %q", got, want)
	}
	if s.Documents != 4 || s.Frequency["bus"] != 3 || s.Frequency["old bus"] != 0 || s.Words != 12 {
		t.Errorf("%+v", s)
	}
}

// TestSpilledPairs counts the same pairs in memory and on disk, and leaves nothing there.
func TestSpilledPairs(t *testing.T) {
	r := chance.Rand(t, 3)
	docs := randomTexts(r, 40)
	o := term.Default()
	want := count(t, 2000, o, docs)
	o.Pairs = 7
	dir := t.TempDir()
	got, err := term.Count(2000, evolution.Of(docs), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || len(want.Edges) == 0 {
		t.Errorf("%d edges, want %d", len(got.Edges), len(want.Edges))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
}

func randomTexts(r *rand.Rand, n int) []*evolution.Document {
	var lists []string
	for range n {
		var s []string
		for range 3 + r.IntN(5) {
			s = append(s, fmt.Sprintf("w%d", r.IntN(30)))
		}
		lists = append(lists, strings.Join(s, ", "))
	}
	return texts(2000, lists...)
}

// TestPaths follows "bank" through two senses, of which one goes on after a gap with other words.
func TestPaths(t *testing.T) {
	water, money, later := edges("bank-river", "bank-shore", "bank-lake", "river-shore", "river-lake", "lake-shore"),
		edges("bank-credit", "bank-loan", "bank-fund", "credit-loan", "fund-loan", "credit-fund"),
		edges("bank-credit", "bank-loan", "bank-card", "credit-loan", "card-loan", "card-credit")
	var years []*term.Slice
	for y, e := range map[int][]term.Edge{1950: water, 1951: water, 1952: slices.Concat(water, money), 1953: money, 1954: nil, 1955: later} {
		years = append(years, &term.Slice{Year: y, Edges: e, Clusters: term.NewGraph(e).Clusters(0.5)})
	}
	slices.SortFunc(years, func(a, b *term.Slice) int { return a.Year - b.Year })
	o := term.Default()
	units := term.Units(years, o)
	if len(units) != 3 || units[0].From != 1950 || units[0].To != 1952 || units[1].From != 1952 || units[1].To != 1953 {
		t.Fatalf("units: %d, %+v", len(units), units)
	}
	paths, cut := term.Paths(units, "bank", o)
	if cut || len(paths) != 2 || len(paths[1].Units) != 2 || paths[1].Units[0].From != 1952 || len(paths[0].Units) != 1 {
		t.Fatalf("paths: %+v", paths)
	}
	o.SameUnitSim = 0.7 // credit, loan, bank of five terms: 0.6
	paths, _ = term.Paths(units, "bank", o)
	if p := paths[1]; len(p.Evolved) != 1 || p.Evolved[0] != (term.Period{From: 1953, To: 1955}) {
		t.Errorf("evolved: %+v", p.Evolved)
	}
	if none, _ := term.Paths(units, "mountain", o); len(none) > 0 {
		t.Errorf("paths of a term that is not there: %v", none)
	}
	o.MaxPaths = 1
	if one, cut := term.Paths(units, "bank", o); len(one) != 1 || !cut {
		t.Errorf("of two paths one is looked for: %d, cut %v", len(one), cut)
	}
}

// TestChanges gives a word a second use in 1970. Three others get none: one is said as before, one more often in the same company, and one is said more for two years only, in another.
func TestChanges(t *testing.T) {
	r := chance.Rand(t, 6)
	var docs []*evolution.Document
	var years []int
	for y := 1960; y < 1980; y++ {
		years = append(years, y)
		for range 30 {
			sentence := func(word, company string) string {
				return fmt.Sprintf("%s, %s%d, %s%d, common%d", word, company, r.IntN(10), company, r.IntN(10), r.IntN(5))
			}
			list := []string{sentence("cell", "prison"), sentence("tree", "forest"), sentence("money", "bank"), sentence("flood", "river")}
			if y >= 1970 {
				for range 4 {
					list = append(list, sentence("cell", "phone"), sentence("money", "bank"))
				}
			}
			if y == 1970 || y == 1971 {
				for range 4 {
					list = append(list, sentence("flood", "dam"))
				}
			}
			for range 20 { // what else is said
				list = append(list, sentence("house", "street"))
			}
			docs = append(docs, texts(y, strings.Join(list, ";"))...)
		}
	}
	var slice []*term.Slice
	for _, y := range years {
		slice = append(slice, count(t, y, term.Default(), docs))
	}
	c, err := term.ReadCompany(evolution.Of(docs), years, []string{"cell", "tree", "money", "flood"}, term.Companions(slice, 100))
	if err != nil {
		t.Fatal(err)
	}
	got := c.Changes("cell", term.Default())
	if len(got) != 1 || got[0].Year != 1970 || got[0].Step < 3 || got[0].Step > 5 || !strings.HasPrefix(got[0].New[0], "phone") || !strings.HasPrefix(got[0].Gone[0], "prison") {
		t.Errorf("cell: %+v", got)
	}
	for _, word := range []string{"tree", "money", "flood", "absent"} {
		if got := c.Changes(word, term.Default()); len(got) > 0 {
			t.Errorf("%s: %+v", word, got)
		}
	}
	if a, b := c.Likeness("cell", "tree"), c.Likeness("cell", "cell"); a > 0.2 || b < 0.99 {
		t.Errorf("likeness %f, %f", a, b)
	}
}
