package chain

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// tiny makes a model of given weights: feature to label to value, transitions by [from+1][to].
func tiny(labels int, weights map[uint32][]weight, trans []int32) *Model {
	m := &Model{unit: 1, trans: trans}
	for i := range labels {
		m.labels = append(m.labels, string(rune('A'+i)))
	}
	m.room(len(weights), 64*len(weights))
	for h, list := range weights {
		m.add(h, list)
	}
	m.settle()
	return m
}

func features(positions ...[]uint32) *Features {
	f := &Features{}
	for _, p := range positions {
		for _, h := range p {
			f.Add(h)
		}
		f.Next()
	}
	return f
}

// The worked example of the package comment.
func ExampleModel() {
	a, b := Hash("a"), Hash("b")
	m := tiny(2, map[uint32][]weight{a: {{0, 2}}, b: {{1, 1}}}, []int32{0, 0, 1, 0, 0, 0})
	d := m.NewDecoder()
	for _, l := range d.Decode(features([]uint32{a}, []uint32{b})) {
		fmt.Print(m.Label(l))
	}
	fmt.Printf(" %.3f\n", d.Probability(0, 2))
	// Output: AA 0.458
}

// score is the sum that the package comment defines.
func (m *Model) score(f *Features, labels []uint8) int {
	sum, n := 0, len(m.labels)
	for t, l := range labels {
		from := 0
		if t > 0 {
			from = int(labels[t-1]) + 1
		}
		sum += int(m.trans[from*n+int(l)])
		for _, h := range f.At(t) {
			for _, w := range m.find(h) {
				if w.label == l {
					sum += int(w.value)
				}
			}
		}
	}
	return sum
}

// every calls fn with every labeling of so many positions.
func every(positions, labels int, fn func([]uint8)) {
	way := make([]uint8, positions)
	for {
		fn(way)
		i := 0
		for ; i < positions; i++ {
			if way[i]++; int(way[i]) < labels {
				break
			}
			way[i] = 0
		}
		if i == positions {
			return
		}
	}
}

// Viterbi and forward-backward are held against the enumeration of all labelings of small random sequences, with small
// weights (all labels stay in the race) and large ones (most are left out before the search), with and without transitions
// that never are.
func TestDecodeAgainstEnumeration(t *testing.T) {
	const seed = 16
	random := rand.New(rand.NewPCG(seed, 1))
	for round := range 600 {
		labels, positions := 2+random.IntN(3), 1+random.IntN(5)
		spread := []int{3, 60, 127}[round%3]
		weights := map[uint32][]weight{}
		for h := range uint32(12) {
			var list []weight
			for l := range labels {
				if random.IntN(2) == 0 {
					list = append(list, weight{uint8(l), int16(random.IntN(2*spread+1) - spread)})
				}
			}
			if len(list) > 0 {
				weights[h] = list
			}
		}
		trans := make([]int32, (labels+1)*labels)
		for i := range trans {
			trans[i] = int32(random.IntN(9) - 4)
			if round%2 == 1 && i%labels == 1 && i != 1 && random.IntN(4) == 0 {
				trans[i] = never
			}
		}
		m := tiny(labels, weights, trans)
		m.unit = 0.05
		f := &Features{}
		for range positions {
			for range random.IntN(5) {
				f.Add(uint32(random.IntN(15)))
			}
			f.Next()
		}
		best, total := math.MinInt, 0.0
		every(positions, labels, func(way []uint8) {
			s := m.score(f, way)
			best = max(best, s)
			total += math.Exp(float64(s) * m.unit)
		})
		d := m.NewDecoder()
		got := slices.Clone(d.Decode(f))
		if s := m.score(f, got); s != best {
			t.Fatalf("seed %d round %d: the best score is %d, decoded %v with %d", seed, round, best, got, s)
		}
		from := random.IntN(positions)
		to := from + 1 + random.IntN(positions-from)
		var part float64
		every(positions, labels, func(way []uint8) {
			if slices.Equal(way[from:to], got[from:to]) {
				part += math.Exp(float64(m.score(f, way)) * m.unit)
			}
		})
		if p := d.Probability(from, to); math.Abs(p-part/total) > 1e-9 {
			t.Fatalf("seed %d round %d: probability %v, want %v", seed, round, p, part/total)
		}
		marginals := make([]float64, labels)
		every(positions, labels, func(way []uint8) {
			marginals[way[from]] += math.Exp(float64(m.score(f, way))*m.unit) / total
		})
		for l, p := range d.Marginals(from) {
			if math.Abs(p-marginals[l]) > 1e-9 {
				t.Fatalf("seed %d round %d: label %d has probability %v at %d, want %v", seed, round, l, p, from, marginals[l])
			}
		}
		if d.Marginals(positions) != nil || d.Marginals(-1) != nil {
			t.Fatal("a position that is not there has probabilities")
		}
	}
}

// toy is a set in which the label is told by the feature or, for feature 9, by the label before.
func toy(n int, partial bool) []Sequence {
	random := rand.New(rand.NewPCG(7, 7))
	out := make([]Sequence, n)
	for i := range out {
		last := 0
		for range 3 + random.IntN(6) {
			h := uint32(random.IntN(10))
			label := int(h) % 3
			if h == 9 {
				label = (last + 1) % 3
			}
			last = label
			out[i].Features.Add(h)
			out[i].Features.Next()
			mask := uint64(1) << label
			if partial && random.IntN(3) == 0 {
				mask |= 1 << ((label + 1) % 3)
			}
			out[i].Allowed = append(out[i].Allowed, mask)
		}
	}
	return out
}

func wrong(m *Model, set []Sequence) int {
	d, n := m.NewDecoder(), 0
	for i := range set {
		for t, l := range d.Decode(&set[i].Features) {
			if set[i].Allowed[t]>>l&1 == 0 {
				n++
			}
		}
	}
	return n
}

// What the labels follow from is learned, also where a third of the positions leaves two labels open.
func TestTrain(t *testing.T) {
	labels := []string{"A", "B", "C"}
	for _, partial := range []bool{false, true} {
		m, err := Train(labels, toy(400, partial), Options{L2: 0.004, Passes: 40, Rate: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		if n := wrong(m, toy(500, false)[400:]); n > 15 { // of 550; without transitions it would be 40
			t.Errorf("partial %v: %d positions of unseen sequences are wrong", partial, n)
		}
	}
	if _, err := Train(nil, nil, Options{}); err == nil {
		t.Error("a model without labels")
	}
	bad := toy(2, false)
	bad[1].Allowed[0] = 8
	if _, err := Train(labels, bad, Options{}); err == nil {
		t.Error("a label that is not there was learned")
	}
	bad[1].Allowed = bad[1].Allowed[1:]
	if _, err := Train(labels, bad, Options{}); err == nil {
		t.Error("fewer labels than positions")
	}
	if m, err := Train(labels, nil, Options{}); err != nil || len(m.NewDecoder().Decode(&Features{})) > 0 {
		t.Errorf("an empty set: %v", err)
	}
}

// The gradient is that of the loss: after a step of size e along it the loss has fallen by e*|gradient|^2.
func TestGradient(t *testing.T) {
	set := toy(1, true)
	tr := newTrainer(3, set, Options{Rate: 1e-6, L2: 1e-12, Least: 1, Passes: 1e9})
	before := tr.step(&tr.sequences[0])
	var square float64
	for _, v := range tr.value {
		square += v * v
	}
	for _, v := range tr.trans {
		square += v * v
	}
	square /= 1e-12 // the steps were gradient*1e-6
	after := tr.step(&tr.sequences[0])
	if got, want := (before-after)/1e-6, square; math.Abs(got-want) > 1e-3*want {
		t.Errorf("the loss fell by %v for a step of 1, the gradient says %v", got, want)
	}
}

// Transitions that never are do not come out, whatever the features say.
func TestForbidden(t *testing.T) {
	set := toy(200, false)
	m, err := Train([]string{"A", "B", "C"}, set, Options{Forbidden: func(from, to int) bool { return from == 0 && to == 1 }})
	if err != nil {
		t.Fatal(err)
	}
	d := m.NewDecoder()
	for i := range set {
		labels := d.Decode(&set[i].Features)
		for k := 1; k < len(labels); k++ {
			if labels[k-1] == 0 && labels[k] == 1 {
				t.Fatalf("sequence %d: %v", i, labels)
			}
		}
	}
}

// A model that leans to a label gives it more often, and the one it was made of does not change.
func TestLean(t *testing.T) {
	m := tiny(2, map[uint32][]weight{1: {{0, 2}}, 2: {{1, 2}}}, make([]int32, 6))
	x := features([]uint32{1}, []uint32{2}, []uint32{1})
	for by, want := range map[float64]string{0: "\x00\x01\x00", 3: "\x01\x01\x01", -3: "\x00\x00\x00"} {
		if got := string(m.Lean(1, by).NewDecoder().Decode(x)); got != want {
			t.Errorf("by %v: %q, want %q", by, got, want)
		}
	}
	if got := string(m.NewDecoder().Decode(x)); got != "\x00\x01\x00" {
		t.Errorf("the model itself: %q", got)
	}
}

// Examples that ask for what never is are passed over.
func TestImpossible(t *testing.T) {
	set := toy(60, false)
	m, err := Train([]string{"A", "B", "C"}, set, Options{Forbidden: func(from, to int) bool { return to == 2 && from != 2 }})
	if err != nil {
		t.Fatal(err)
	}
	d := m.NewDecoder()
	for i := range set {
		d.Decode(&set[i].Features)
		if p := d.Probability(0, 1); math.IsNaN(p) || p < 0 || p > 1 {
			t.Fatalf("probability %v", p)
		}
	}
}

// The same data gives the same bytes, and these the same model.
func TestWriteRead(t *testing.T) {
	var files [2]bytes.Buffer
	var m *Model
	for i := range files {
		var err error
		if m, err = Train([]string{"A", "B", "C"}, toy(100, true), Options{Seed: 3}); err != nil {
			t.Fatal(err)
		}
		if err := m.Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two trainings gave two files")
	}
	read, err := Read(bytes.NewReader(files[0].Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read.Labels(), m.Labels()) || !slices.Equal(read.trans, m.trans) || read.reach != m.reach || read.count != m.count {
		t.Error("what was read is not what was written")
	}
	for h := range uint32(12) {
		if !slices.Equal(read.find(h), m.find(h)) {
			t.Errorf("feature %d: %v, want %v", h, read.find(h), m.find(h))
		}
	}
	file := files[0].Bytes()
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 0x55
		if _, err := Read(bytes.NewReader(damaged)); err == nil {
			t.Errorf("byte %d was changed and nothing said", i)
		}
		if _, err := Read(bytes.NewReader(file[:i])); err == nil {
			t.Errorf("%d bytes were read as a whole file", i)
		}
	}
}

// An exponential of our own agrees with that of package math.
func TestExp(t *testing.T) {
	for x := -690.0; x < 690; x += 0.37 {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 4e-15*want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if exp(-1e9) != 0 || math.IsInf(exp(1e9), 0) {
		t.Error("far ends")
	}
}

// A long sequence stays in range.
func TestLong(t *testing.T) {
	m := tiny(2, map[uint32][]weight{1: {{0, 127}}, 2: {{1, 127}}}, []int32{0, 0, 100, -100, -100, 100})
	f := &Features{}
	for i := range 300_000 {
		f.Add(uint32(1 + i/1000%2))
		f.Next()
	}
	d := m.NewDecoder()
	for i, l := range d.Decode(f) {
		if int(l) != i/1000%2 {
			t.Fatalf("position %d: label %d", i, l)
		}
	}
	if p := d.Probability(0, 1); math.Abs(p-1) > 1e-6 {
		t.Errorf("probability %v", p)
	}
}

// Whatever the bytes behind the checksum are: an error, or a model that works.
func FuzzDecodeModel(f *testing.F) {
	m, err := Train([]string{"A", "B", "C"}, toy(50, false), Options{Passes: 2})
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{1, 1, 'A', 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 1, 1, 5, 1, 0, 7})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := decode(body)
		if err != nil {
			return
		}
		x := features([]uint32{1, 2, 3}, nil, []uint32{5})
		d := m.NewDecoder()
		for _, l := range d.Decode(x) {
			_ = m.Label(l)
		}
		if p := d.Probability(0, 3); math.IsNaN(p) || p < 0 || p > 1 {
			t.Fatalf("probability %v", p)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	m, _ := Train([]string{"A", "B", "C"}, toy(100, false), Options{})
	x := toy(1, false)[0]
	d := m.NewDecoder()
	for b.Loop() {
		d.Decode(&x.Features)
	}
}

// Features whose weights were summed before count as if they were there one by one; nothing is learned from them.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1611, 0))
	weights := map[uint32][]weight{}
	for h := range uint32(40) {
		weights[h] = []weight{{uint8(random.IntN(3)), int16(random.IntN(200) - 100)}}
	}
	trans := make([]int32, 4*3)
	for i := range trans {
		trans[i] = int32(random.IntN(60) - 30)
	}
	m := tiny(3, weights, trans)
	var plain, summed, part Features
	for range 200 {
		part.Reset()
		for i := range random.IntN(8) {
			h := uint32(random.IntN(50))
			plain.Add(h)
			if i%2 == 0 {
				summed.Add(h)
			} else {
				part.Add(h)
			}
		}
		part.Next()
		summed.AddSum(m.Sum(&part, 0))
		plain.Next()
		summed.Next()
	}
	want, other := m.NewDecoder(), m.NewDecoder()
	if a, b := want.Decode(&plain), other.Decode(&summed); !slices.Equal(a, b) || want.Probability(0, 9) != other.Probability(0, 9) {
		t.Errorf("%v\n%v", a, b)
	}
	if _, err := Train([]string{"A"}, []Sequence{{summed, make([]uint64, 200)}}, Options{}); err == nil {
		t.Error("sums were learned from")
	}
}
