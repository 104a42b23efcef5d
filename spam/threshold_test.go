package spam_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"varve/learn"
	"varve/spam"
)

func labels(y ...int) *learn.Set {
	return &learn.Set{Class: learn.Attribute{Name: "class", Values: []string{"spam", "normal"}}, Y: y}
}

func odds(p float64) float64 { return math.Log(p / (1 - p)) }

// The worked example of docs/algorithms/spam_filter.md: three kinds of normal hosts, two hosts each, whose highest log-odds are -2, -1 and 0. Their mean is -1, their
// deviation 1; α = 0.2·2/4 = 0.1; Student's t with 2 degrees has 1.886 there: θ = -1 + 1.886·√(4/3) = 1.178.
func TestDecideWorked(t *testing.T) {
	s := labels(1, 1, 1, 1, 1, 1, 0, 0)
	s.Groups = []string{"news", "news", "shop", "shop", "wiki", "wiki", "farm", "farm"}
	held := []float64{-2, -3, -1, -4, 0, -1, 1, 2}
	got, err := spam.Decide(held, s, spam.Guard{MaxLoss: 0.2})
	if err != nil || math.Abs(odds(got.At)-1.178) > 0.001 || got.Lost != 0 || got.Caught != 0.5 || got.Kinds != 3 || got.Shift != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A large host that would be lost lifts the threshold above it; a small one need not.
func TestDecideBySize(t *testing.T) {
	s := labels()
	var held, sizes []float64
	for i := range 1000 {
		s.Y = append(s.Y, 1)
		held, sizes = append(held, -6+float64(i)/1000), append(sizes, 10)
	}
	held[0], sizes[0] = 2, 1
	held[1], sizes[1] = 1, 1000
	s.Y, held, sizes = append(s.Y, 0), append(held, 5), append(sizes, 1)
	got, err := spam.Decide(held, s, spam.Guard{MaxLoss: 0.005, Sizes: sizes})
	if err != nil || odds(got.At) < 1 || odds(got.At) > 1.1 || got.Lost == 0 || got.Lost > 0.005 || got.Caught != 1 {
		t.Errorf("%+v (%.3f), %v", got, odds(got.At), err)
	}
}

// Links of hosts that are spared lower the threshold: the normal host that looks worst is linked by the others, the spam by none. Where
// content tells nothing, nobody is refused for want of links.
func TestDecideWithLinks(t *testing.T) {
	s, held, g := labels(), []float64{1.2}, spam.Guard{MaxLoss: 0.05}
	for i := range 12 {
		s.Y = append(s.Y, 1)
		if i > 0 {
			held = append(held, -1-float64(i)/100)
		}
		var to []int
		for j := range 12 {
			to = append(to, j)
		}
		g.Links = append(g.Links, to)
	}
	s.Y, held = append(s.Y, 0, 0), append(held, 1, 0.9)
	plain, err := spam.Decide(held, s, spam.Guard{})
	if err != nil || plain.Caught != 0 {
		t.Errorf("%+v, %v", plain, err)
	}
	g.Links = append(g.Links, nil, nil)
	if linked, err := spam.Decide(held, s, g); err != nil || linked.Caught != 1 || linked.Lost != 0 {
		t.Errorf("%+v, %v", linked, err)
	}
	g.Links, g.Others = make([][]int, 14), []int{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0}
	if linked, err := spam.Decide(held, s, g); err != nil || linked.Caught != 1 {
		t.Errorf("%+v, %v", linked, err)
	}
	flat := make([]float64, len(held))
	flat[0] = 0.1
	if linked, err := spam.Decide(flat, s, g); err != nil || linked.Caught != 0 {
		t.Errorf("%+v, %v", linked, err)
	}
}

// Against trying all thresholds: no lower one keeps to the loss that was seen.
func TestDecideIsLowest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		s := labels()
		var held []float64
		for i := range 60 {
			s.Y = append(s.Y, i%2)
			held = append(held, rng.NormFloat64()-2*float64(i%2))
		}
		s.Groups = nil
		got, err := spam.Decide(held, s, spam.Guard{MaxLoss: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if got.Lost > 0.1 {
			t.Fatalf("%+v", got)
		}
		lowest := math.Inf(1)
		for _, at := range held {
			lost := 0
			for i, v := range held {
				if s.Y[i] == 1 && v >= at {
					lost++
				}
			}
			if lost <= 3 {
				lowest = min(lowest, at)
			}
		}
		if odds(got.At) > lowest+1e-9 && got.Lost < 0.1-1.0/30-1e-9 && !aboveNext(held, s, odds(got.At)) {
			t.Fatalf("%+v, though %.3f loses at most three of thirty", got, lowest)
		}
	}
}

// aboveNext tells whether a threshold is what the bound for the next host asks for.
func aboveNext(held []float64, s *learn.Set, at float64) bool {
	var sum, square, n float64
	for i, v := range held {
		if s.Y[i] == 1 {
			sum, square, n = sum+v, square+v*v, n+1
		}
	}
	mean := sum / n
	sd := math.Sqrt((square - n*mean*mean) / (n - 1))
	const t = 2.0452 // Student, 29 degrees, 0.975
	return math.Abs(at-(mean+t*sd*math.Sqrt(1+1/n))) < 1e-3
}

func TestDecideNeedsBoth(t *testing.T) {
	if _, err := spam.Decide([]float64{1, 2}, labels(1, 1), spam.Guard{}); err == nil {
		t.Error("a threshold was found without spam")
	}
}

// A model carries its threshold, and kinds that were not labelled are held out for it.
func TestTrainDecides(t *testing.T) {
	s, _ := toy(80)
	for i := range s.Groups {
		s.Groups[i] = fmt.Sprint(s.Y[i], i/2%4)
	}
	cfg := spam.Config{Library: []learn.Member{{Name: "trees", Learner: learn.Forest{Trees: 20}}}, Folds: 2, Seed: 1}
	m, err := spam.Train(t.Context(), s, cfg, nil, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := spam.ThresholdOf(m)
	if !ok || got.Kinds != 4 || got.Lost > 0.005 || got.MaxLoss != 0.005 {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := spam.ThresholdOf(&learn.Model{}); ok {
		t.Error("a model without one has a threshold")
	}
}

// In a crawl nobody is refused under 0.92; a model without a threshold says so.
func TestInCrawl(t *testing.T) {
	for at, want := range map[float64]float64{0: 0, 0.66: 0.92, 0.95: 0.95, 0.98: 0.98} {
		th := spam.Threshold{At: at}
		if got := th.InCrawl(); got != want {
			t.Errorf("a threshold of %v is %v in a crawl, want %v", at, got, want)
		}
	}
}
