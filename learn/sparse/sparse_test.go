package sparse

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

func features(hashes ...uint32) []Feature {
	var out []Feature
	for _, h := range hashes {
		out = append(out, Feature{h, 1})
	}
	return out
}

var plain = Options{Passes: 50, C: 1, Balance: 1, Least: 1, Keep: 100}

func TestWorkedExample(t *testing.T) {
	rows := []row{{at: []int32{0}, values: []float32{1}, square: 1}, {square: 1e9}}
	w := make([]float64, 2)
	solve(w, rows, []int{0}, []int{1}, Options{Passes: 1, C: 0.5})
	if math.Abs(w[0]-0.5) > 1e-6 {
		t.Errorf("w is %v, want 1/2", w[0])
	}
}

// Brute force beside the algorithm: gradient descent on the same objective ends at the same weights.
func TestSolveAgainstGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, dims = 40, 6
	rows := make([]row, n)
	var yes, no []int
	for i := range rows {
		rows[i].square = 1
		for f := range dims {
			v := float32(r.NormFloat64())
			rows[i].at, rows[i].values = append(rows[i].at, int32(f)), append(rows[i].values, v)
			rows[i].square += float64(v) * float64(v)
		}
		if rows[i].values[0]+rows[i].values[1]+float32(r.NormFloat64()) > 0.3 {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	w := make([]float64, dims+1)
	solve(w, rows, yes, no, Options{Passes: 2000, C: 0.5, Balance: 1})
	v := make([]float64, dims+1)
	label := make([]float64, n)
	for i := range label {
		label[i] = -1
	}
	for _, i := range yes {
		label[i] = 1
	}
	for range 20000 {
		g := append([]float64{}, v...)
		for i, row := range rows {
			dot := v[dims]
			for f := range dims {
				dot += v[f] * float64(row.values[f])
			}
			if slack := 1 - label[i]*dot; slack > 0 {
				for f := range dims {
					g[f] -= 2 * 0.5 * slack * label[i] * float64(row.values[f])
				}
				g[dims] -= 2 * 0.5 * slack * label[i]
			}
		}
		for f := range v {
			v[f] -= 0.002 * g[f]
		}
	}
	for f := range v {
		if math.Abs(v[f]-w[f]) > 0.02 {
			t.Errorf("weight %d is %.3f by coordinates and %.3f by gradients", f, w[f], v[f])
		}
	}
}

func tiny(t *testing.T) *Model {
	t.Helper()
	m, err := Train([]string{"animal", "dog", "never"}, []Example{
		{features(1, 2), []int{0, 1}, []int{2}},
		{features(1, 3), []int{0}, []int{1, 2}},
		{features(4, 5), nil, []int{0, 2}},
	}, plain)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTrain(t *testing.T) {
	m := tiny(t)
	for _, c := range []struct {
		name     string
		features []Feature
		want     [3]bool
	}{
		{"a dog", features(1, 2), [3]bool{true, true, false}},
		{"another animal", features(1, 3), [3]bool{true, false, false}},
		{"no animal", features(4, 5), [3]bool{false, false, false}},
	} {
		for i, s := range m.Scores(c.features, nil) {
			if i == 1 && c.name == "no animal" {
				continue // it is never asked
			}
			if (s > 0) != c.want[i] {
				t.Errorf("%s: %s has %.2f", c.name, m.Classes()[i], s)
			}
		}
	}
	if _, err := Train([]string{"one"}, []Example{{Yes: []int{1}}}, plain); err == nil {
		t.Error("a class that is not there was taken")
	}
}

func TestKeepTakesWhatCounts(t *testing.T) {
	var examples []Example
	for i := range uint32(20) {
		e := Example{Features: features(7, 100+i)}
		if i%2 == 0 {
			e.Features, e.Yes = append(e.Features, Feature{1, 1}), []int{0}
		} else {
			e.No = []int{0}
		}
		examples = append(examples, e)
	}
	o := plain
	o.Keep = 1
	m, err := Train([]string{"one"}, examples, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.find(1); !ok {
		t.Error("the one feature that decides was not kept")
	}
	if n, _ := m.Size(); n != 1 {
		t.Errorf("%d features are kept, want 1", n)
	}
}

func TestFile(t *testing.T) {
	m := tiny(t)
	var a, b bytes.Buffer
	if err := m.Write(&a); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(a.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Write(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("written again it differs")
	}
	for i, s := range again.Scores(features(1, 2), nil) {
		if want := m.Scores(features(1, 2), nil)[i]; s != want {
			t.Errorf("class %d has %v, before %v", i, s, want)
		}
	}
	for i := range a.Len() {
		broken := bytes.Clone(a.Bytes())
		broken[i] ^= 1
		if _, err := Read(bytes.NewReader(broken)); err == nil {
			t.Errorf("byte %d is broken and it is read", i)
		}
		if _, err := Read(bytes.NewReader(a.Bytes()[:i])); err == nil {
			t.Errorf("cut at %d it is read", i)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{1, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 5, 1, 0, 3})
	f.Fuzz(func(t *testing.T, body []byte) {
		if m, err := decode(body); err == nil {
			m.Scores(features(0, 1, 5, 1<<Bits-1), nil)
		}
	})
}
