package link

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/entity"
	"varve/entity/base"
	"varve/lab/chance"
)

func near0(a, b float64) bool { return math.Abs(a-b) < 5e-4 }

// The example of the seed: 4 of the words of a phrase in a window of 7.
func TestCover(t *testing.T) {
	w := newWords("United is the winner of the champions league in 2008, said the coach")
	words := entity.Words("2008 UEFA Champions League Winner")
	p := &profile{phrases: []phrase{{text: "q", words: words, weights: []float64{1, 1, 1, 1, 1}, sum: 5}}}
	got, phrases := similarity(w, p, []span{{0, 1}})
	// The window is 2 words from the mention.
	if want := 4.0 / 7 * (4.0 / 5) * (4.0 / 5) * 100 / 102; !near0(got, want) || !slices.Equal(phrases, []string{"q"}) {
		t.Errorf("similarity %.4f of %q, want %.4f", got, phrases, want)
	}
	// What the mention itself says does not count.
	if got, _ := similarity(newWords("Champions League"), p, []span{{0, 2}}); got != 0 {
		t.Errorf("similarity %.4f to itself", got)
	}
}

// cover is what trying all windows finds.
func TestCoverAgainstAllWindows(t *testing.T) {
	rnd := chance.Rand(t, 1)
	for range 2000 {
		n := 1 + rnd.IntN(4)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = rnd.Float64()
		}
		var found []match
		for place := range 12 {
			if w := rnd.IntN(2 * n); w < n {
				found = append(found, match{place, w})
			}
		}
		if len(found) == 0 {
			continue
		}
		window, covered, weight := cover(found, weights)
		has := func(from, to int) (n int, sum float64) {
			seen := map[int]bool{}
			for _, m := range found {
				if m.place >= from && m.place < to && !seen[m.word] {
					seen[m.word] = true
					sum += weights[m.word]
				}
			}
			return len(seen), sum
		}
		most, total := has(0, 12)
		shortest := 12
		for from := range 12 {
			for to := from + 1; to <= 12; to++ {
				if n, _ := has(from, to); n == most {
					shortest = min(shortest, to-from)
				}
			}
		}
		if covered != most || window.to-window.from != shortest || math.Abs(weight-total) > 1e-9 {
			t.Fatalf("%v: window %v of %d words, weight %f; want %d words, %d long, weight %f", found, window, covered, weight, most, shortest, total)
		}
	}
}

// A keyphrase in capitals is not met by a pronoun, nor by a preposition.
func TestAcronyms(t *testing.T) {
	weights := &weigher{world(t), 1e6, map[string]float64{}}
	for _, c := range []struct {
		phrase, text string
		met          bool
	}{
		{"US", "Athens let us in.", false},
		{"US", "Athens in the US was warm.", true},
		{"IT", "Athens, it seems, is warm.", false},
		{"Led Zeppelin", "Athens heard led zeppelin.", true},
		{"NATO", "Athens and Nato", false},
	} {
		p, err := weights.profile(&entity.Entity{Phrases: []entity.Phrase{{Text: c.phrase, Count: 1}, {Text: "other things of it", Count: 9}}})
		if err != nil {
			t.Fatal(err)
		}
		_, met := similarity(newWords(c.text), p, []span{{0, 1}})
		if slices.Contains(met, c.phrase) != c.met {
			t.Errorf("%s in %q: %q", c.phrase, c.text, met)
		}
	}
}

func TestRelatedness(t *testing.T) {
	a, b := []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []uint32{2, 4, 6, 8, 90}
	if got := Relatedness(a, b, 100); !near0(got, 1-(math.Log(10)-math.Log(4))/(math.Log(100)-math.Log(5))) || !near0(got, 0.6941) {
		t.Errorf("%.4f", got)
	}
	for _, c := range []struct {
		a, b []uint32
		want float64
	}{{a, nil, 0}, {a, []uint32{99}, 0}, {a, a, 1}, {[]uint32{1}, []uint32{1}, 1}} {
		if got := Relatedness(c.a, c.b, 100); !near0(got, c.want) {
			t.Errorf("%v, %v: %.4f, want %.4f", c.a, c.b, got, c.want)
		}
	}
}

func TestNear(t *testing.T) {
	berlin, potsdam, wellington := entity.Place{Latitude: 52.52, Longitude: 13.40}, entity.Place{Latitude: 52.40, Longitude: 13.06}, entity.Place{Latitude: -41.29, Longitude: 174.78}
	if a, b := near(berlin, potsdam), near(berlin, wellington); a < 0.998 || b > 0.12 || near(berlin, berlin) != 1 {
		t.Errorf("Potsdam %.4f, Wellington %.4f", a, b)
	}
}

func TestPriors(t *testing.T) {
	got := Priors([]base.Candidate{{Entity: 0, Origin: entity.Label | entity.Anchor, Count: 8}, {Entity: 1, Origin: entity.Alias}}, []int64{0, 100})
	if !near0(got[0], 0.9) || !near0(got[1], 0.1) {
		t.Errorf("by links %v", got)
	}
	if got := Priors([]base.Candidate{{Origin: entity.Label}, {Origin: entity.Alias}}, []int64{0, 2}); !near0(got[0], 0.25) {
		t.Errorf("by popularity %v", got)
	}
}

func TestExisted(t *testing.T) {
	day := func(s string) entity.Day {
		d, _, err := entity.ParseDays(s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	e := entity.Existence{From: day("1950-01-01"), Until: day("1990-01-01")}
	for _, c := range []struct {
		day  entity.Day
		want float64
	}{{entity.Unknown, 1}, {day("1960"), 1}, {day("1948-01-01"), math.Exp(-1)}, {day("1900"), 0.01}, {day("2010-01-01"), math.Exp(-1)}, {day("2200"), 0.1}} {
		if got := Existed(e, c.day); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.3f, want %.3f", c.day, got, c.want)
		}
	}
}

// world is a base of the example of the package: Page and Plant.
func world(t *testing.T) *base.Base {
	t.Helper()
	path := filepath.Join(t.TempDir(), base.FileName)
	say := func(yield func([]byte, error) bool) {
		for line := range strings.Lines(`larry	2	Larry Page	1
larry	c	Page	60
larry	d	search engine	3
larry	e	google	1
larry	5	1973	1
jimmy	2	Jimmy Page	1
jimmy	c	Page	40
jimmy	d	Led Zeppelin	3
jimmy	d	Gibson guitar	2
jimmy	e	zeppelin	1
jimmy	e	yardbirds	1
jimmy	5	1944	1
robert	2	Robert Plant	1
robert	c	Plant	3
robert	d	Led Zeppelin	3
robert	e	zeppelin	1
robert	e	yardbirds	1
flora	2	plant	1
flora	c	Plant	7
flora	d	green leaves	2
flora	e	others	1
zeppelin	2	Led Zeppelin	1
google	2	Google	1
yardbirds	2	The Yardbirds	1
others	2	Others	1
`) {
			if !yield([]byte(strings.TrimSpace(line)), nil) {
				return
			}
		}
	}
	if _, err := base.Build(t.Context(), path, say, base.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := base.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func mentions(text string, names ...string) (out []Mention) {
	for _, n := range names {
		i := strings.Index(text, n)
		out = append(out, Mention{i, i + len(n)})
	}
	return out
}

func TestLink(t *testing.T) {
	b := world(t)
	unknown := entity.Unknown
	for _, c := range []struct {
		text, names, want string
		day               entity.Day
	}{
		{"Page played with Plant that night.", "Page Plant", "jimmy robert", unknown},                                      // coherence
		{"Page showed a new search engine.", "Page", "larry", unknown},                                                     // similarity, and the prior
		{"Page took his Gibson guitar.", "Page", "jimmy", unknown},                                                         // similarity against the prior
		{"Page was seen again.", "Page", "larry", unknown},                                                                 // the prior alone
		{"Page was seen again.", "Page", "jimmy", entity.DayOf(time.Date(1968, 5, 1, 0, 0, 0, 0, time.UTC))},               // the day
		{"Jimmy Page came. Later Page went to a search engine.", "Jimmy&Page Page", "jimmy jimmy", unknown},                // the longer name
		{"Nobody of Nowhere met Page of Led Zeppelin.", "Nobody Nowhere Page Led&Zeppelin", "- - jimmy zeppelin", unknown}, // not in the base
		{"Plant grew green leaves; Page had a search engine.", "Plant Page", "flora larry", unknown},                       // two local best
		{"Page", "Page", "larry", unknown},                                                                                 // nothing around
	} {
		names := strings.Fields(c.names)
		for i := range names {
			names[i] = strings.ReplaceAll(names[i], "&", " ")
		}
		ms := mentions(c.text, names...)
		if strings.Count(c.names, "Page") == 2 { // the second one
			ms[1].Start = strings.LastIndex(c.text, "Page")
			ms[1].End = ms[1].Start + 4
		}
		got, err := Link(t.Context(), b, c.text, ms, c.day, Default())
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, d := range got {
			id := d.Entity
			if id == "" {
				id = "-"
			}
			ids = append(ids, id)
			if d.Confidence < 0 || d.Confidence > 1 || math.IsNaN(d.Confidence) {
				t.Errorf("%s: confidence %f", c.text, d.Confidence)
			}
		}
		if strings.Join(ids, " ") != c.want {
			t.Errorf("%q: %v, want %s\n%+v", c.text, ids, c.want, got)
		}
	}
	// Each decision is explained.
	got, err := Link(t.Context(), b, "Page took his Gibson guitar.", []Mention{{0, 4}}, unknown, Default())
	if err != nil || len(got[0].Candidates) != 2 || !slices.Equal(got[0].Candidates[0].Phrases, []string{"Gibson guitar"}) || !near0(got[0].Candidates[0].Prior, 0.4) {
		t.Errorf("%+v, %v", got, err)
	}
}

// random returns subjects with random weights; edges are coherences by pairs of numbers.
func random(rnd *rand.Rand, mentions, candidates int) *graph {
	g := &graph{s: Default(), pairs: map[[2]uint32]float64{}}
	number := uint32(0)
	for range mentions {
		s := &subject{}
		for range 1 + rnd.IntN(candidates) {
			s.nodes = append(s.nodes, &node{number: number, entity: &entity.Entity{}, profile: &profile{}})
			s.local = append(s.local, rnd.Float64())
			number++
		}
		normalise(s.local)
		s.chosen = best(s.local)
		g.subjects = append(g.subjects, s)
	}
	for a := range number {
		for b := range a {
			if rnd.IntN(3) == 0 {
				g.pairs[[2]uint32{b, a}] = rnd.Float64()
			}
		}
	}
	for _, s := range g.subjects {
		alive := make([]bool, len(s.nodes))
		for i := range alive {
			alive[i] = true
		}
		g.alive = append(g.alive, alive)
	}
	return g
}

// The dense subgraph weighs nearly as much as the best of all choices; where all are tried, as much.
func TestGraphAgainstBruteForce(t *testing.T) {
	rnd := chance.Rand(t, 2)
	var share, least float64
	least = 1
	const rounds = 300
	for range rounds {
		g := random(rnd, 2+rnd.IntN(4), 6)
		most := 0.0
		var try func(i int)
		try = func(i int) {
			if i == len(g.subjects) {
				most = max(most, g.weight())
				return
			}
			for c := range g.subjects[i].nodes {
				g.subjects[i].chosen = c
				try(i + 1)
			}
		}
		try(0)
		g.tryAll()
		if w := g.weight(); math.Abs(w-most) > 1e-9 {
			t.Fatalf("trying all weighs %f, the best %f", w, most)
		}
		g.prune()
		g.densest()
		g.climb()
		share += g.weight() / most
		least = min(least, g.weight()/most)
	}
	t.Logf("dense subgraph: mean %.4f of the best weight, least %.4f", share/rounds, least)
	if share/rounds < 0.95 { // nothing holds for the least: the search is greedy
		t.Errorf("dense subgraph: mean %.4f of the best weight", share/rounds)
	}
}

func BenchmarkDensest(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		g := random(rnd, 30, 20)
		g.prune()
		g.densest()
		g.climb()
	}
}

// weight returns the weight of the choice that is made, as the comment of graph has it.
func (g *graph) weight() float64 {
	w := g.pairWeight()
	sum := 0.0
	for i, s := range g.subjects {
		if len(s.nodes) == 0 {
			continue
		}
		sum += (1 - g.s.Coherence) * s.local[s.chosen]
		for j := range i {
			if t := g.subjects[j]; len(t.nodes) > 0 {
				sum += w * g.between(i, s.chosen, j, t.chosen)
			}
		}
	}
	return sum
}

// Sums are made in one order, so that a text has the same decisions on every run, to the last digit.
func TestOverlapIsExact(t *testing.T) {
	rnd := chance.Rand(t, 3)
	some := func() *entity.Entity {
		e := &entity.Entity{}
		for range 40 {
			e.Phrases = append(e.Phrases, entity.Phrase{Text: strings.Repeat("w", 1+rnd.IntN(60)), Count: 1 + rnd.Int64N(9)})
		}
		return e
	}
	b := world(t)
	x, y := some(), some()
	first := 0.0
	for i := range 200 {
		p, err := (&weigher{b, 1e6, map[string]float64{}}).profile(x)
		if err != nil {
			t.Fatal(err)
		}
		q, err := (&weigher{b, 1e6, map[string]float64{}}).profile(y)
		if err != nil {
			t.Fatal(err)
		}
		v := overlap(p, q)
		if i == 0 {
			first = v
		}
		if v != first || v != overlap(q, p) || v <= 0 || v >= 1 {
			t.Fatalf("run %d: %v, before %v, the other way round %v", i, v, first, overlap(q, p))
		}
	}
}

// A list of any number of names is linked in parts, and no part has more than a bound of candidates.
func TestManyNames(t *testing.T) {
	for _, c := range []struct{ names, most int }{{1, 25}, {24, 25}, {60, 10}, {100, 6}, {1001, 6}} {
		all := make([]*subject, c.names)
		for i := range all {
			s := &subject{key: "x", nodes: make([]*node, 40), local: make([]float64, 40)}
			for n := range s.nodes {
				s.nodes[n] = &node{number: uint32(40*i + n), entity: &entity.Entity{}, profile: &profile{}, linked: true}
			}
			all[i] = s
		}
		seen := 0
		for some := range together(all) {
			if len(some) > mostTogether || len(some) < min(c.names, mostTogether/2) {
				t.Errorf("%d names: a part of %d", c.names, len(some))
			}
			seen += len(some)
			g := newGraph(some, Settings{}, nil)
			if err := g.solve(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := count(g.alive[0]); n > c.most {
				t.Errorf("%d names: %d candidates of one, want at most %d", c.names, n, c.most)
			}
		}
		if seen != c.names {
			t.Errorf("%d names: %d are in parts", c.names, seen)
		}
	}
}

func TestLongest(t *testing.T) {
	var all []*subject
	for key := range strings.SplitSeq("merkel|angela merkel|angela merkel foundation|smith|john smith|mary smith|york|new york new york", "|") {
		all = append(all, &subject{key: key})
	}
	p := partsOf(all)
	for i, want := range []string{"angela merkel foundation", "angela merkel foundation", "", "", "", "", "new york new york", ""} {
		got := ""
		if s := p.longest(all[i]); s != nil {
			got = s.key
		}
		if got != want {
			t.Errorf("%s is a part of %q, want %q", all[i].key, got, want)
		}
	}
}

// A candidate that is not of the kind that a name seems to be is not meant, unless all are so; a name that fits in one place fits everywhere in the text.
func TestFits(t *testing.T) {
	b := world(t)
	const text = "Page showed a new search engine. Plant grew green leaves. Page left."
	ms := append(mentions(text, "Page", "Plant"), Mention{strings.LastIndex(text, "Page"), strings.LastIndex(text, "Page") + 4})
	for _, c := range []struct {
		what string
		fits func(m Mention, id string) bool
		want string
	}{
		{"all fit", func(Mention, string) bool { return true }, "larry flora larry"},
		{"one does not", func(_ Mention, id string) bool { return id != "larry" }, "jimmy flora jimmy"},
		{"none does", func(Mention, string) bool { return false }, "larry flora larry"},
		{"one fits in one place", func(m Mention, id string) bool {
			return id == "robert" || id == "jimmy" || m.Start > 40 && id == "larry"
		}, "larry robert larry"},
	} {
		s := Default()
		s.Fits = func(m Mention, e *entity.Entity) bool { return c.fits(m, e.ID) }
		e, err := Gather(t.Context(), b, text, ms, entity.Unknown)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // what is gathered is not changed by it
			got, err := e.Decide(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, d := range got {
				ids = append(ids, d.Candidates[0].ID)
			}
			if strings.Join(ids, " ") != c.want {
				t.Errorf("%s: %v, want %s", c.what, ids, c.want)
			}
		}
		plain, err := e.Decide(t.Context(), Default())
		if err != nil || len(plain[0].Candidates) != 2 || plain[0].Candidates[0].ID != "larry" {
			t.Errorf("%s: then without: %+v, %v", c.what, plain[0], err)
		}
	}
}
