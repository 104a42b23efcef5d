package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAUC(t *testing.T) {
	if got := AUC([]float64{3, 2, 1}, []bool{true, false, true}); got != 0.5 {
		t.Errorf("got %v", got)
	}
	if got := AUC([]float64{1, 1}, []bool{true, false}); got != 0.5 {
		t.Errorf("a tie: got %v", got)
	}
	if got := AUC([]float64{1, 1}, []bool{true, true}); got != 0.5 {
		t.Errorf("one kind: got %v", got)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 { // pairs, one by one
		n := 2 + rng.IntN(30)
		scores, pos := make([]float64, n), make([]bool, n)
		for i := range n {
			scores[i], pos[i] = float64(rng.IntN(6)), rng.IntN(3) == 0
		}
		above, pairs := 0.0, 0.0
		for i := range n {
			for j := range n {
				if pos[i] && !pos[j] {
					pairs++
					if scores[i] > scores[j] {
						above++
					} else if scores[i] == scores[j] {
						above += 0.5
					}
				}
			}
		}
		if want := above / pairs; pairs > 0 && math.Abs(AUC(scores, pos)-want) > 1e-12 {
			t.Fatalf("AUC(%v, %v) = %v, want %v", scores, pos, AUC(scores, pos), want)
		}
	}
}

func TestNDCG(t *testing.T) {
	if got := NDCG([]float64{3, 2, 1}, []float64{1, 0, 1}); math.Abs(got-1.5/(1+1/math.Log2(3))) > 1e-12 {
		t.Errorf("got %v", got)
	}
	if got := NDCG([]float64{2, 2}, []float64{1, 0}); math.Abs(got-(1+1/math.Log2(3))/2) > 1e-12 {
		t.Errorf("a tie: got %v", got)
	}
	if got := NDCG([]float64{2, 1}, []float64{0, 0}); got != 0 {
		t.Errorf("nothing relevant: got %v", got)
	}
}

func TestConfusion(t *testing.T) {
	c := NewConfusion(2)
	c.Add(0, 0, 3)
	c.Add(0, 1, 1)
	c.Add(1, 0, 2)
	c.Add(1, 1, 4)
	got := []float64{c.Accuracy(), c.Precision(0), c.Recall(0), c.F1(0), c.Within(1)}
	if want := []float64{0.7, 0.6, 0.75, 2 * 0.45 / 1.35, 1}; fmt.Sprintf("%.6f", got) != fmt.Sprintf("%.6f", want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEqualFrequency(t *testing.T) {
	v := make([]float64, 100)
	for i := range v {
		v[i] = float64(i)
	}
	b := EqualFrequency(v, 10)
	counts := make([]int, b.Len())
	for _, x := range v {
		counts[b.Of(x)]++
	}
	if len(counts) != 10 || slices.Min(counts) != 10 {
		t.Errorf("ten bins of a hundred: %v", counts)
	}
	for i := range 70 { // most pages never change: they are one bin, and the others share the rest
		v[i] = 0
	}
	b = EqualFrequency(append(v, Missing()), 10)
	counts = make([]int, b.Len())
	for _, x := range v {
		counts[b.Of(x)]++
	}
	if counts[0] != 70 || len(counts) < 8 || slices.Max(counts[1:]) > 5 {
		t.Errorf("seventy equal ones: %v", counts)
	}
	if b := EqualFrequency([]float64{5, 5, 5}, 4); b.Len() != 1 || b.Of(7) != 0 || b.Of(Missing()) != -1 {
		t.Errorf("equal values: %v", b)
	}
}

// Worked by hand: 9 of 14 days have play, 2 of them sunny.
func TestBayesOfWeather(t *testing.T) {
	s := weather().Select([]int{0, 3})
	c, err := Bayes{}.Train(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 2)
	c.Classify([]float64{0, 1}, p)
	yes, no := 10.0/16*3/12*4/11, 6.0/16*4/8*4/7
	if want := yes / (yes + no); math.Abs(p[0]-want) > 1e-12 {
		t.Errorf("P(yes | sunny, windy) = %v, want %v", p[0], want)
	}
	c.Classify([]float64{Missing(), 9}, p)
	if want := 10.0 / 16; math.Abs(p[0]-want) > 1e-12 {
		t.Errorf("nothing known: %v, want the prior %v", p[0], want)
	}
}

func TestBayesNormal(t *testing.T) {
	s := &Set{Attributes: []Attribute{{"v", nil}}, Class: Attribute{"c", []string{"a", "b"}}, Columns: [][]float64{{1, 3, 10, 14}}, Y: []int{0, 0, 1, 1}}
	c, _ := Bayes{}.Train(s, 0)
	p := make([]float64, 2)
	c.Classify([]float64{4}, p)
	a, b := math.Exp(-(4.0-2)*(4-2)/2), math.Exp(-(4.0-12)*(4-12)/8)/2
	if want := a / (a + b); math.Abs(p[0]-want) > 1e-9 {
		t.Errorf("got %v, want %v", p[0], want)
	}
	c.Classify([]float64{1e300}, p)
	if math.IsNaN(p[0]) || math.IsNaN(p[1]) {
		t.Errorf("far away: %v", p)
	}
}

// Every kind of density finds the disc in the ring; a kernel must beat the single bell where there are two humps.
func TestDensities(t *testing.T) {
	train, test := rings(2000, 1), rings(1000, 2)
	for _, d := range []Density{Normal, Kernel, Discretised} {
		if got := score(Bayes{d}, train, test); got < 0.9 {
			t.Errorf("density %d: AUC %.3f", d, got)
		}
	}
}

// The humidity of the weather has no cut that pays; a step does, and the edge is where it is.
func TestSupervised(t *testing.T) {
	s := weather()
	if b := Supervised(s.Columns[2], s); b.Len() != 1 {
		t.Errorf("humidity: %v", b)
	}
	step := &Set{Class: Attribute{"c", []string{"a", "b"}}}
	var v []float64
	for i := range 100 {
		v = append(v, float64(i))
		step.Y = append(step.Y, min(i/40, 1))
	}
	if b := Supervised(v, step); !slices.Equal(b, Bins{39.5}) {
		t.Errorf("a step at 40: %v", b)
	}
}

func TestFoldsAreStratified(t *testing.T) {
	s := lines(500, 1)
	fold := Folds(s, 5, 1)
	for c, n := range s.Totals() {
		var counts [5]int
		for i, f := range fold {
			if s.Y[i] == c {
				counts[f]++
			}
		}
		for _, k := range counts {
			if math.Abs(float64(k)-n/5) >= 1 {
				t.Errorf("class %d: %v", c, counts)
			}
		}
	}
	if slices.Equal(fold, Folds(s, 5, 2)) || !slices.Equal(fold, Folds(s, 5, 1)) {
		t.Error("folds must depend on the seed, and on nothing else")
	}
}

func TestFoldsKeepGroups(t *testing.T) {
	s := lines(500, 1)
	for i := range s.Len() {
		s.Groups = append(s.Groups, fmt.Sprint(i*i%97))
	}
	fold := Folds(s, 5, 1)
	of := map[string]int{}
	var sizes, few [5]int
	for i, g := range s.Groups {
		if f, known := of[g]; known && f != fold[i] {
			t.Fatalf("group %s is torn apart", g)
		}
		of[g] = fold[i]
		sizes[fold[i]]++
		if s.Y[i] == 0 {
			few[fold[i]]++
		}
	}
	if slices.Max(sizes[:]) > 2*slices.Min(sizes[:]) || slices.Max(few[:])-slices.Min(few[:]) > 8 {
		t.Errorf("sizes %v, of the rare class %v", sizes, few)
	}
}

func TestCrossValidate(t *testing.T) {
	s := lines(600, 1)
	a, err := CrossValidate(s, Bayes{}, Folds(s, 5, 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := AUC(a.Scores(0), s.Is(0)); got < 0.9 || a.Accuracy < 0.85 || a.Confusion.Total() != 600 || len(a.FoldAccuracy) != 5 {
		t.Errorf("AUC %.3f, accuracy %.3f", got, a.Accuracy)
	}
	b, _ := CrossValidate(s, Bayes{}, Folds(s, 5, 1), 1)
	if fmt.Sprint(a.Probabilities) != fmt.Sprint(b.Probabilities) {
		t.Error("not the same twice")
	}
}

func TestCheck(t *testing.T) {
	if err := weather().Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*Set){
		"class":   func(s *Set) { s.Y[3] = 2 },
		"value":   func(s *Set) { s.Columns[0][1] = 3 },
		"half":    func(s *Set) { s.Columns[0][1] = 0.5 },
		"inf":     func(s *Set) { s.Columns[1][1] = math.Inf(1) },
		"short":   func(s *Set) { s.Columns[1] = s.Columns[1][1:] },
		"columns": func(s *Set) { s.Columns = s.Columns[1:] },
		"weights": func(s *Set) { s.Weights = []float64{1} },
		"weight":  func(s *Set) { s.Weights = make([]float64, 14); s.Weights[2] = math.NaN() },
		"classes": func(s *Set) { s.Class.Values = s.Class.Values[:1] },
	} {
		s := weather()
		if spoil(s); s.Check() == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}
