package priority

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func near1(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestVector(t *testing.T) {
	a := VectorOf(map[uint64]float64{1: 3, 2: 4, 9: 0})
	b := VectorOf(map[uint64]float64{2: 2, 3: 1})
	if a.Len() != 2 || !near1(a.norm, 5) {
		t.Errorf("%+v", a)
	}
	if got := a.Cosine(b); !near1(got, 8/(5*math.Sqrt(5))) {
		t.Errorf("cosine %v", got)
	}
	if got := a.Cosine(a); !near1(got, 1) {
		t.Errorf("cosine with itself %v", got)
	}
	if a.Cosine(Vector{}) != 0 || (Vector{}).Cosine(Vector{}) != 0 {
		t.Error("cosine with nothing")
	}
	sum := a.Add(b)
	want := VectorOf(map[uint64]float64{1: 3, 2: 6, 3: 1})
	if fmt.Sprint(sum) != fmt.Sprint(want) || fmt.Sprint(b.Add(a)) != fmt.Sprint(want) {
		t.Errorf("sum %v, want %v", sum, want)
	}
	if h := want.heaviest(2); h.Len() != 2 || h.terms[0] != 1 || h.terms[1] != 2 {
		t.Errorf("heaviest %v", h)
	}
}

// TestVectorAgainstMaps compares sums and cosines with the plain definition.
func TestVectorAgainstMaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() map[uint64]float64 {
		m := map[uint64]float64{}
		for range rng.IntN(30) {
			m[uint64(rng.IntN(40))] = rng.Float64()
		}
		return m
	}
	for range 500 {
		x, y := random(), random()
		a, b := VectorOf(x), VectorOf(y)
		var dot, xx, yy float64
		for k, v := range x {
			dot += v * y[k]
			xx += v * v
		}
		for k, v := range y {
			yy += v * v
			x[k] += v
		}
		want := 0.0
		if xx > 0 && yy > 0 {
			want = dot / math.Sqrt(xx*yy)
		}
		if !near1(a.Cosine(b), want) {
			t.Fatalf("cosine %v, want %v", a.Cosine(b), want)
		}
		if s := a.Add(b); !near1(s.norm, VectorOf(x).norm) || s.Len() != len(x) {
			t.Fatal("sum")
		}
	}
}

func TestCorpus(t *testing.T) {
	c := NewCorpus(0)
	for i := range 10 {
		c.Show(fmt.Sprintf("the common word and rare%d", i))
	}
	if c.Docs() != 10 {
		t.Errorf("%d documents", c.Docs())
	}
	v, w := c.Vector("the the the"), c.Vector("rare3")
	if !near1(v.norm, (1+math.Log(3))*math.Log(2)) || !near1(w.norm, math.Log(11)) {
		t.Errorf("weights %v and %v", v.norm, w.norm)
	}
	small := NewCorpus(20)
	for i := range 200 {
		small.Show(fmt.Sprintf("the word w%d", i))
	}
	if len(small.df) > 20 || small.Vector("the").norm > 1 {
		t.Errorf("%d terms kept; the weighs %v", len(small.df), small.Vector("the").norm)
	}
}

const (
	bridge  = "The council builds a bridge over the river. The bridge will carry trains over the river."
	cooking = "Take two eggs and flour for the cake, and bake the cake in the oven."
)

func topicOf(w Weights) *Topic {
	c := NewCorpus(0)
	for _, s := range []string{bridge, cooking, "The weather is the talk of the town.", "A page about the sea."} {
		c.Show(s)
	}
	return NewTopic(c, []string{bridge}, w)
}

func TestRate(t *testing.T) {
	topic := topicOf(Weights{})
	if r := topic.Relevance(bridge); !near1(r, 1) {
		t.Errorf("relevance of the seed %v", r)
	}
	links := []Link{{Anchor: "the bridge"}, {Anchor: "cake"}, {Anchor: ""}, {Anchor: "bridge", Around: cooking}}
	on, off := topic.Rate(bridge, links), topic.Rate(cooking, links)
	if !near1(on.Links[0], (1+topic.Relevance("the bridge"))/2) {
		t.Errorf("mean of page and anchor: %v", on.Links[0])
	}
	if !near1(on.Links[1], 0.5) || !near1(on.Links[2], on.Page) {
		t.Errorf("no relevant anchor %v, no anchor %v", on.Links[1], on.Links[2])
	}
	if on.Links[3] != topic.Rate(bridge, []Link{{Anchor: "bridge"}}).Links[0] {
		t.Error("the text around counts without a weight")
	}
	if !(on.Links[0] > off.Links[0] && off.Links[0] > off.Links[1]) {
		t.Errorf("order: %v, %v", on.Links, off.Links)
	}
	around := topicOf(Weights{Page: 1, Around: 1, Anchor: 2}).Rate(bridge, links[3:])
	want := (1 + topic.Relevance(cooking) + 2*topic.Relevance("bridge")) / 4
	if !near1(around.Links[0], want) {
		t.Errorf("weighted mean %v, want %v", around.Links[0], want)
	}
	if r := topic.Rate("", []Link{{}}); r.Page != 0 || r.Links[0] != 0 {
		t.Errorf("empty page: %+v", r)
	}
	terms := topic.Terms([]string{bridge}, 2)
	if len(terms) != 2 || terms[0].Word != "bridge" && terms[1].Word != "bridge" {
		t.Errorf("terms %v", terms)
	}
}

func TestBatch(t *testing.T) {
	topic := topicOf(Weights{})
	b := topic.NewBatch()
	if r := b.Add(bridge, []Link{{URL: "x", Anchor: "cake"}, {URL: "y", Anchor: "river"}}); !near1(r, 1) {
		t.Errorf("relevance %v", r)
	}
	b.Add(cooking, []Link{{URL: "x", Anchor: "bridge"}})
	if b.Pages() != 2 {
		t.Errorf("%d pages", b.Pages())
	}
	got := b.Flush()
	c := topic.corpus
	pages, anchors := c.Vector(bridge).Add(c.Vector(cooking)), c.Vector("cake").Add(c.Vector("bridge"))
	want := (pages.Cosine(topic.vector) + anchors.Cosine(topic.vector)) / 2
	if len(got) != 2 || got[0].URL != "x" || got[0].Found != 2 || !near1(got[0].Score, want) {
		t.Errorf("%+v, want %v", got, want)
	}
	if single := topic.Rate(bridge, []Link{{Anchor: "river"}}).Links[0]; !near1(got[1].Score, single) {
		t.Errorf("found once: %v, immediate score %v", got[1].Score, single)
	}
	if len(b.Flush()) != 0 || b.Pages() != 0 {
		t.Error("not empty after Flush")
	}
}

func TestUpdate(t *testing.T) {
	for u, want := range map[Update]float64{First: 0.2, Last: 0.4, Max: 0.6, Avg: 0.4, Sum: 1.2} {
		var s Score
		for _, v := range []float64{0.2, 0.6, 0.4} {
			s = u.Apply(s, v)
		}
		if !near1(s.Value, want) || s.N != 3 {
			t.Errorf("%s: %+v, want %v", u, s, want)
		}
		if p, err := ParseUpdate(string(u)); err != nil || p != u {
			t.Errorf("%s: %v", u, err)
		}
	}
	if _, err := ParseUpdate("MEDIAN"); err == nil {
		t.Error("unknown function accepted")
	}
}

func BenchmarkRate(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	text := func(n int) string {
		var s strings.Builder
		for range n {
			fmt.Fprintf(&s, "w%d ", int(math.Exp(rng.Float64()*8)))
		}
		return s.String()
	}
	c := NewCorpus(0)
	for range 100 {
		c.Show(text(500))
	}
	topic := NewTopic(c, []string{text(500), text(500)}, Weights{})
	links := make([]Link, 100)
	for i := range links {
		links[i] = Link{Anchor: text(4)}
	}
	page := text(800)
	b.ReportAllocs()
	for b.Loop() {
		topic.Rate(page, links)
	}
}
