package relevance

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"varve/crawl/priority"
	"varve/lab/chance"
)

// A page that is read once says of itself and of each piece of its text what vectors and a search for each phrase say.
func TestScan(t *testing.T) {
	rng := chance.Rand(t, 3)
	text := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "w%d%c", int(40*rng.Float64()*rng.Float64()), " ,\n-"[rng.IntN(4)])
		}
		return b.String()
	}
	same := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-5 {
			t.Fatalf("%s: %.7f, want %.7f", what, got, want)
		}
	}
	for range 50 {
		about := About{References: []Reference{{Text: text(60)}, {Text: text(30)}, {Text: text(40), Unwanted: true}}}
		for i := range 8 {
			about.Keywords = append(about.Keywords, Keyword{Word: fmt.Sprintf("w%d w%d", i, rng.IntN(5))})
		}
		about.Entities = []Entity{{Name: "w3", Other: []string{"w7 w1", "w2"}}}
		corpus := priority.NewCorpus(0)
		for range rng.IntN(20) {
			corpus.Show(text(30))
		}
		top := newTopic(&about, nil, corpus)
		j, err := newJudge(about, nil, nil, top, newPlace(), &linkers{})
		if err != nil {
			t.Fatal(err)
		}
		p := &Page{Title: text(3), Text: text(100)}
		s := j.read(p)
		topic := priority.NewTopic(corpus, top.texts, priority.Weights{})
		same("page", s.near, topic.Relevance(p.Title+"\n"+p.Text))
		w, u := s.references()
		near := func(i int) float64 {
			return priority.NewTopic(corpus, []string{about.References[i].Text}, priority.Weights{}).Relevance(p.Title + "\n" + p.Text)
		}
		same("wanted", w, max(near(0), near(1)))
		same("unwanted", u, near(2))
		for range 20 {
			from := rng.IntN(len(p.Text))
			at := priority.Place{From: int32(from), To: int32(from + rng.IntN(len(p.Text)-from+1))}
			piece := p.Text[at.From:at.To]
			whole := ""
			if got := s.stretch(at, piece); got.from < got.to {
				a, b := int(s.places[got.from-s.title].From), int(s.places[got.to-s.title-1].To)
				whole = p.Text[a:b]
				if a < int(at.From) || b > int(at.To) || len(phrase(p.Text[at.From:a])) > 1 || len(phrase(p.Text[b:at.To])) > 1 {
					t.Fatalf("the words of %q are %q", piece, whole)
				}
				same(piece, s.cosine(got).Value, topic.Relevance(whole))
				for _, h := range []*hits{{j.terms, "keywords", 0, 8, 0}, {j.terms, "entities", 8, 9, 1}} {
					want := h.terms.count(phrase(whole))
					h.countLink(s, &linkWords{around: got})
					found := map[int]int{}
					s.counted(func(thing, n int) { found[thing] = n })
					for thing := range h.weight {
						if n := want[thing]; thing >= h.from && thing < h.to && found[thing] != n || (thing < h.from || thing >= h.to) && found[thing] > 0 {
							t.Fatalf("%s in %q: %v, want %v", h.name, whole, found, want)
						}
					}
				}
			}
			elsewhere := text(1 + rng.IntN(20)) // an anchor that is no piece of the text
			same(elsewhere, s.cosine(s.stretch(priority.Place{}, elsewhere)).Value, topic.Relevance(elsewhere))
		}
		same("page again", s.near, topic.Relevance(p.Title+"\n"+p.Text))
		p.scan = s
		j.Done(p)
		if again := j.read(&Page{}); again.page != 0 || len(again.hits) != 0 || again.near != 0 {
			t.Fatalf("an empty page after it: %+v", again)
		}
	}
}

// The place of a URL is the same whether it is cut out or parsed.
func TestPlaceOf(t *testing.T) {
	var pl place
	for url, want := range map[string]string{
		"http://a.example/":         "a.example ",
		"http://a.example/x":        "a.example ",
		"http://a.example/x/y/z":    "a.example a.example/x/",
		"http://A.example/x/y":      "a.example a.example/x/",
		"http://a.example:80/x/y":   "a.example a.example/x/",
		"http://a.example:81/x/y":   "a.example:81 a.example:81/x/",
		"http://u@a.example/x/y":    "a.example a.example/x/",
		"http://a.example?q=/x/":    "a.example ",
		"http://a.example/?q=/x/":   "a.example ",
		"http://a.example/x?q=/x/":  "a.example ",
		"http://a.example/x#/x/":    "a.example ",
		"http://a.example//x/":      "a.example a.example//",
		"http://[::1]/x/y":          "[::1] [::1]/x/",
		"mailto:a@b.example":        " ",
		"":                          " ",
		"://":                       " ",
		"http://\u00e4.example/x/y": "xn--4ca.example xn--4ca.example/x/",
	} {
		if host, folder := pl.of(url); host+" "+folder != want {
			t.Errorf("%s: %q %q, want %s", url, host, folder, want)
		}
	}
}

// Steps are such that a score comes back from the queue, which keeps millionths, as it went there; what nobody has an opinion on is a step.
func TestStep(t *testing.T) {
	for _, c := range [][2]float64{{0, 0}, {1, 1}, {0.5, 0.5}, {0.312, 0.3125}, {0.318, 0.3125}, {0.007, 0}, {0.0079, 0.015625}} {
		if got := Step(c[0]); got != c[1] || math.Round(got*1e6)/1e6 != got {
			t.Errorf("Step(%g) = %g, want %g", c[0], got, c[1])
		}
	}
}
