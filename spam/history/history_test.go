package history

import (
	"math"
	"testing"

	"varve/spam/feature"
	"varve/spam/graph"
	"varve/spam/terms"
)

func near(a, b float64) bool { return a != a && b != b || math.Abs(a-b) < 1e-6 }

func TestCentred(t *testing.T) {
	c := NewCentre(2, []bool{false, true})
	c.Add(0, []float64{1, 0})
	c.Add(0, []float64{3, math.E*math.E - 1})
	c.Add(1, []float64{5, feature.Unknown()})
	first, second := c.Centred(0, []float64{1, 0}), c.Centred(1, []float64{5, 0})
	if first[0] != -1 || !near(first[1], -1) || second[0] != 0 || second[1] == second[1] {
		t.Errorf("%v %v", first, second)
	}
	if v := Variance([][]float64{first, second}); v[0] != 0.25 || v[1] != 0 {
		t.Errorf("variance %v", v)
	}
	if Variance(nil) != nil {
		t.Error("variance of nothing")
	}
}

// The worked example: "a b" -> "a b" -> "c".
func TestWords(t *testing.T) {
	ab, c := terms.BagOf("a b b").Hashed(), terms.BagOf("c").Hashed()
	got := Words(nil, []terms.Hashed{ab, ab, c})
	want := []float64{3, .5, 1, .25, .5, 1, .25}
	for i := range want {
		if !near(got[i], want[i]) {
			t.Errorf("%s: %v, want %v", WordDefinitions()[i].Name, got[i], want[i])
		}
	}
	if len(got) != len(WordDefinitions()) {
		t.Error("lengths differ")
	}
	one := Words(nil, []terms.Hashed{ab})
	if one[0] != 1 || one[1] == one[1] {
		t.Errorf("one snapshot: %v", one)
	}
}

func TestWeights(t *testing.T) {
	ave, dev, decay := Weights([][]float64{{1, 0}, {3, 0}})
	if ave[0] != 2 || dev[0] != 2 || !near(decay[0], .5*math.Exp(-.5)+1.5) || ave[1]+dev[1]+decay[1] != 0 {
		t.Error(ave, dev, decay)
	}
	if a, _, _ := Weights(nil); a != nil {
		t.Error("weights of nothing")
	}
	if _, dev, _ := Weights([][]float64{{4}}); dev[0] != 0 {
		t.Error("deviation of one")
	}
}

// A host that keeps its links and one that exchanges all of them, over three snapshots.
func TestLinks(t *testing.T) {
	edges := [][][2]uint32{
		{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
		{{0, 2}, {0, 3}, {1, 4}, {1, 5}, {2, 3}},
		{{0, 2}, {0, 3}, {1, 6}, {1, 7}, {1, 2}, {2, 3}},
	}
	l, err := LinksOf(3, 8, func(s int) (*graph.Graph, error) { return graph.Of(8, edges[s]), nil }, Config{Fingerprints: 16, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	get := func(v uint32) map[string]float64 {
		out := map[string]float64{}
		vector := l.Vector(nil, v)
		defs := LinkDefinitions()
		if len(vector) != len(defs) {
			t.Fatalf("%d features, %d definitions", len(vector), len(defs))
		}
		for i, d := range defs {
			if _, twice := out[d.Name]; twice {
				t.Errorf("%s is there twice", d.Name)
			}
			out[d.Name] = vector[i]
		}
		return out
	}
	for name, want := range map[string]float64{
		"out_growth.mean": 0, "out_death.mean": 0, "xjaccard.forward.1": 1, "xjaccard.forward.2": 1, "xjaccard.forward.ratio.2": 1,
		"xjaccard.forward.log_ratio.2": 0, "clustering_change.mean": 0, "in_growth.mean": feature.Unknown(),
	} {
		if got := get(0)[name]; !near(got, want) {
			t.Errorf("steady host: %s = %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]float64{
		"out_growth.mean": 1.25, "out_growth.variance": .0625, "out_death.mean": 1, "xjaccard.forward.1": 0, "simrank.forward.1": 0,
		"clustering_change.mean": -.5, // linked pair 2, 3 -> none, and none -> none
		"xjaccard.inverted.1":    feature.Unknown(),
	} {
		if got := get(1)[name]; !near(got, want) {
			t.Errorf("changing host: %s = %v, want %v", name, got, want)
		}
	}
	var none *Links
	if v := none.Vector(nil, 0); len(v) != len(LinkDefinitions()) || v[0] == v[0] {
		t.Error("features of one snapshot")
	}
	if _, err := LinksOf(1, 9, func(int) (*graph.Graph, error) { return graph.Of(8, nil), nil }, Config{}); err == nil {
		t.Error("another number of hosts is no error")
	}
}
