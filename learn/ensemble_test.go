package learn

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
)

// learners is every learner, with the AUC it must reach on rings (which no line parts) and on lines.
var learners = []struct {
	name         string
	learner      Learner
	rings, lines float64
}{
	{"tree", Tree{Laplace: true}, 0.9, 0.8},
	{"forest", Forest{Trees: 60}, 0.93, 0.9},
	{"extra", Forest{Trees: 60, Extra: true}, 0.93, 0.9},
	{"balanced forest", Forest{Trees: 60, Balanced: true, Least: 2}, 0.93, 0.9},
	{"boosted stumps", LogitBoost{Rounds: 60, Rate: 0.5}, 0.93, 0.92},
	{"boosted trees", LogitBoost{Rounds: 60, Rate: 0.2, Depth: 3, Rows: 0.7, Columns: 0.7}, 0.93, 0.92},
	{"logistic", Logistic{Ridge: 1}, 0.5, 0.94},
	{"logistic by rank", Logistic{Ridge: 1, Scale: Rank, Balanced: true}, 0.5, 0.93},
	{"logistic of logs", Logistic{Ridge: 1, Scale: Log}, 0.5, 0.9},
	{"svm", SVM{C: 0.1, Balanced: true}, 0.5, 0.94},
	{"fourier", Fourier{Waves: 100, Ridge: 0.1, Gamma: 3}, 0.9, 0.9},
	{"bayes", Bayes{}, 0.9, 0.92},
	{"kernel bayes", Bayes{Density: Kernel}, 0.9, 0.92},
	{"discrete bayes", Bayes{Density: Discretised}, 0.9, 0.92},
	{"bagged trees", Bagging{Learner: Tree{}, Cost: 5}, 0.93, 0.9},
	{"bagged in balance", Bagging{Learner: LogitBoost{Rounds: 20}, Balanced: true}, 0.92, 0.9},
	{"ratios", Ratios{Learner: Forest{Trees: 40}, Most: 3}, 0.9, 0.88},
	{"ensemble", Ensemble{Library: []Member{{"tree", Tree{}}, {"logistic", Logistic{}}, {"bayes", Bayes{}}}, Folds: 3, Rounds: 20}, 0.92, 0.94},
}

func TestLearners(t *testing.T) {
	ring, ringTest, line, lineTest := rings(1200, 1), rings(600, 2), lines(1200, 1), lines(600, 2)
	for _, l := range learners {
		t.Run(l.name, func(t *testing.T) {
			if got := score(l.learner, ring, ringTest); got < l.rings {
				t.Errorf("rings: AUC %.3f, want %.2f", got, l.rings)
			}
			if got := score(l.learner, line, lineTest); got < l.lines {
				t.Errorf("lines: AUC %.3f, want %.2f", got, l.lines)
			}
		})
	}
}

// Every learner gives the same classifier for the same seed, on one processor and on many, and the classifier
// is the same after it was stored.
func TestSameAndStored(t *testing.T) {
	s := rings(300, 1)
	for _, l := range learners {
		a, err := l.learner.Train(s, 7)
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		before := runtime.GOMAXPROCS(1)
		b, _ := l.learner.Train(s, 7)
		runtime.GOMAXPROCS(before)
		stored, err := Encode(a)
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		c, err := Decode(stored, len(s.Attributes), 2)
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		for i := range s.Len() {
			row := s.Row(i, nil)
			var p [3][2]float64
			a.Classify(row, p[0][:])
			b.Classify(row, p[1][:])
			c.Classify(row, p[2][:])
			if p[0] != p[1] || p[0] != p[2] {
				t.Fatalf("%s, row %d: %v, again %v, stored %v", l.name, i, p[0], p[1], p[2])
			}
			if sum := p[0][0] + p[0][1]; math.Abs(sum-1) > 1e-9 || !(p[0][0] >= 0) {
				t.Fatalf("%s, row %d: %v is no distribution", l.name, i, p[0])
			}
		}
	}
}

// No learner fails on sets that are odd: one class only, one row, all missing, a constant, huge numbers.
func TestOddSets(t *testing.T) {
	odd := map[string]*Set{"one class": lines(50, 1), "one row": rings(30, 1).Rows([]int{3}), "all missing": rings(40, 1), "huge": lines(60, 1), "constant": lines(60, 1)}
	for i := range odd["one class"].Y {
		odd["one class"].Y[i] = 1
	}
	for a := range odd["all missing"].Columns {
		for i := range odd["all missing"].Columns[a] {
			odd["all missing"].Columns[a][i] = Missing()
		}
	}
	for i := range 60 {
		odd["huge"].Columns[0][i] *= 1e300
		odd["constant"].Columns[0][i] = 5
		odd["constant"].Columns[2][i] = 0
	}
	for name, s := range odd {
		for _, l := range learners {
			c, err := l.learner.Train(s, 1)
			if err != nil {
				if _, few := l.learner.(Ensemble); !few {
					t.Errorf("%s, %s: %v", name, l.name, err)
				}
				continue
			}
			p := make([]float64, 2)
			c.Classify(s.Row(0, nil), p)
			if math.IsNaN(p[0]) || math.IsNaN(p[1]) {
				t.Errorf("%s, %s: %v", name, l.name, p)
			}
		}
	}
	for _, l := range learners {
		if _, err := l.learner.Train(lines(10, 1).Rows(nil), 1); err == nil {
			t.Errorf("%s learnt from nothing", l.name)
		}
	}
}

// By hand: one attribute, the score equations of logistic regression must hold at the solution.
func TestLogisticIsOptimal(t *testing.T) {
	s := lines(400, 3)
	for _, ridge := range []float64{1e-8, 1, 100} {
		p, err := newProblem(s, Standard, false)
		if err != nil {
			t.Fatal(err)
		}
		p.ridge = ridge
		beta := p.newton()
		margins, factor, grad := make([]float64, p.n), make([]float64, p.n), make([]float64, len(beta))
		p.margins(beta, margins)
		for i, m := range margins {
			factor[i] = -p.sign[i] * sigmoid(-p.sign[i]*m)
		}
		p.spreadBack(factor, grad)
		for j := range grad {
			if j < p.width {
				grad[j] += ridge * beta[j]
			}
			if math.Abs(grad[j]) > 0.01 {
				t.Errorf("ridge %v: gradient %v is not 0", ridge, grad)
				break
			}
		}
	}
}

// The dual solution of the SVM is that of the primal: no small step lowers the objective.
func TestSVMIsOptimal(t *testing.T) {
	s := lines(300, 4)
	p, _ := newProblem(s, Standard, false)
	w := SVM{C: 1, Passes: 2000}.descend(p, 1)
	objective := func(w []float64) float64 {
		sum := dot(w, w) / 2
		for i := range p.n {
			h := max(0, 1-p.sign[i]*(dot(p.x[i*p.width:(i+1)*p.width], w[:p.width])+w[p.width]))
			sum += h * h
		}
		return sum
	}
	best := objective(w)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		other := append([]float64(nil), w...)
		for j := range other {
			other[j] += 0.02 * rng.NormFloat64()
		}
		if v := objective(other); v < best*(1-1e-3) {
			t.Fatalf("%v is better than %v", v, best)
		}
	}
}

func TestPlatt(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	var scores []float64
	var positive []bool
	for range 20000 {
		s := rng.NormFloat64() * 2
		scores, positive = append(scores, s), append(positive, rng.Float64() < sigmoid(1.5*s-2))
	}
	a, b := Platt(scores, positive)
	if math.Abs(a-1.5) > 0.08 || math.Abs(b+2) > 0.08 {
		t.Errorf("got %.3f, %.3f, want 1.5, -2", a, b)
	}
	if a, b := Platt([]float64{1, 2}, []bool{true, true}); math.IsNaN(a) || math.IsNaN(b) {
		t.Errorf("one kind: %v, %v", a, b)
	}
}

// By hand: 1 0 | 1 pools to 1/2 1/2 1; ties are one step.
func TestIsotonic(t *testing.T) {
	c := NewIsotonic([]float64{1, 2, 3, 4, 4}, []bool{false, true, false, true, true})
	got := fmt.Sprint(c.Of(0), c.Of(1), c.Of(2), c.Of(2.5), c.Of(3), c.Of(3.5), c.Of(4), c.Of(9))
	if want := "0 0 0.5 0.5 0.5 0.75 1 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for range 100 {
		n := 2 + rng.IntN(30)
		scores, pos := make([]float64, n), make([]bool, n)
		for i := range n {
			scores[i], pos[i] = float64(rng.IntN(8)), rng.IntN(2) == 0
		}
		c := NewIsotonic(scores, pos)
		for s := -1.0; s < 8; s += 0.25 {
			if c.Of(s) > c.Of(s+0.25) {
				t.Fatalf("falls at %v: %+v", s, c)
			}
		}
	}
}

// Selection finds the two of four members whose mean parts the classes, and gives noise no weight.
func TestSelection(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	n := 600
	odds, positive := make([][]float64, 4), make([]bool, n)
	for i := range n {
		positive[i] = i%5 == 0
		y, noise := -1.0, rng.NormFloat64()*3
		if positive[i] {
			y = 1
		}
		for k, v := range []float64{y + noise, y - noise, rng.NormFloat64(), -y} {
			odds[k] = append(odds[k], v)
		}
	}
	w := choice{odds, positive, Ensemble{Share: 1, Bags: 1, Rounds: 20}.filled()}.run(1)
	if math.Abs(w[0]-w[1]) > 0.1 || w[0] < 0.4 || w[2]+w[3] > 0.1 || math.Abs(w[0]+w[1]+w[2]+w[3]-1) > 1e-9 {
		t.Errorf("weights %v", w)
	}
}

func TestModelFile(t *testing.T) {
	s := rings(300, 1)
	c, err := Forest{Trees: 5}.Train(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Header{Task: "rings", Class: s.Class, Attributes: s.Attributes, Rows: s.Len(), Digest: Digest(s), Measures: map[string]float64{"auc": 0.9}}, c}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	back, err := ReadModel(bytes.NewReader(whole))
	if err != nil || fmt.Sprint(back.Header) != fmt.Sprint(m.Header) {
		t.Fatalf("%+v, %v", back, err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-3] ^= 1
	for name, damaged := range map[string][]byte{
		"empty": nil, "other": []byte("hello\n"), "cut": whole[:len(whole)-1], "header cut": whole[:60], "flipped": flipped,
		"newer": bytes.Replace(whole, []byte("varve-model 1"), []byte("varve-model 2"), 1), "class": bytes.Replace(whole, []byte(`"Values": [`), []byte(`"Values": "`), 1),
	} {
		if _, err := ReadModel(bytes.NewReader(damaged)); err == nil || !strings.HasPrefix(err.Error(), "model") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if other := rings(300, 2); Digest(other) == Digest(s) || Digest(s) != Digest(rings(300, 1)) {
		t.Error("digests must name sets")
	}
}

// Whatever bytes Decode accepts classify any row.
func FuzzDecode(f *testing.F) {
	s := rings(60, 1)
	for _, l := range learners {
		if c, err := l.learner.Train(s, 1); err == nil {
			b, _ := Encode(c)
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Decode(b, len(s.Attributes), 2)
		if err != nil {
			return
		}
		p := make([]float64, 2)
		c.Classify(s.Row(0, nil), p)
		c.Classify([]float64{Missing(), Missing(), Missing(), Missing()}, p)
		c.Classify([]float64{-1e300, 1e300, 0, 77}, p)
	})
}

func BenchmarkForest(b *testing.B) {
	s := rings(2000, 1)
	for b.Loop() {
		if _, err := (Forest{Trees: 50}).Train(s, 1); err != nil {
			b.Fatal(err)
		}
	}
}

// A model file of version 1 with every kind of classifier in it; -update writes it anew.
func TestModelVersion1(t *testing.T) {
	const file = "testdata/model-v1"
	s := rings(80, 1)
	e := Ensemble{Folds: 2, Rounds: 3, Bags: 1, Share: 1}
	for i, l := range []Learner{Tree{}, Forest{Trees: 2}, LogitBoost{Rounds: 3}, Logistic{}, Fourier{Waves: 3}, Bayes{}, Bayes{Density: Kernel}, Bayes{Density: Discretised}, Ratios{Learner: Bagging{Learner: Tree{}, Bags: 2}}} {
		e.Library = append(e.Library, Member{fmt.Sprint(i), l})
	}
	if *update {
		c, err := e.Train(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.(*Selected).Members {
			c.(*Selected).Members[i].Weight = 1 / float64(len(e.Library))
		}
		var b bytes.Buffer
		m := Model{Header{Task: "rings", Class: s.Class, Attributes: s.Attributes}, c}
		if err := errors.Join(m.Write(&b), os.WriteFile(file, b.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := ReadModel(f)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 2)
	m.Classifier.Classify(s.Row(0, nil), p)
	if got := fmt.Sprintf("%.6f", p[0]); got != "0.644865" {
		t.Errorf("the model of old says %s of the first row", got)
	}
}

var update = flag.Bool("update", false, "write testdata anew")
