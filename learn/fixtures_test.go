package learn

import (
	"math"
	"math/rand/v2"
	"strings"
)

// weather is the set that every text on C4.5 uses.
func weather() *Set {
	rows := strings.Fields(`
sunny,85,85,0,no sunny,80,90,1,no overcast,83,86,0,yes rainy,70,96,0,yes rainy,68,80,0,yes rainy,65,70,1,no overcast,64,65,1,yes
sunny,72,95,0,no sunny,69,70,0,yes rainy,75,80,0,yes sunny,75,70,1,yes overcast,72,90,1,yes overcast,81,75,0,yes rainy,71,91,1,no`)
	s := &Set{
		Attributes: []Attribute{{"outlook", []string{"sunny", "overcast", "rainy"}}, {"temperature", nil}, {"humidity", nil}, {"windy", []string{"no", "yes"}}},
		Class:      Attribute{"play", []string{"yes", "no"}},
		Columns:    make([][]float64, 4),
	}
	for _, r := range rows {
		f := strings.Split(r, ",")
		s.Columns[0] = append(s.Columns[0], map[string]float64{"sunny": 0, "overcast": 1, "rainy": 2}[f[0]])
		s.Columns[1] = append(s.Columns[1], cell(f[1]))
		s.Columns[2] = append(s.Columns[2], cell(f[2]))
		s.Columns[3] = append(s.Columns[3], cell(f[3]))
		s.Y = append(s.Y, map[string]int{"yes": 0, "no": 1}[f[4]])
	}
	return s
}

func cell(s string) float64 {
	n := 0.0
	for _, c := range s {
		n = n*10 + float64(c-'0')
	}
	return n
}

// rings is two classes that no straight line parts: a disc within a ring, with noise columns, a nominal hint,
// and some cells missing.
func rings(n int, seed uint64) *Set {
	rng := rand.New(rand.NewPCG(seed, 99))
	s := &Set{
		Attributes: []Attribute{{"x", nil}, {"y", nil}, {"noise", nil}, {"hint", []string{"a", "b", "c"}}},
		Class:      Attribute{"in", []string{"in", "out"}},
		Columns:    make([][]float64, 4),
	}
	for range n {
		x, y := rng.Float64()*2-1, rng.Float64()*2-1
		c := 0
		if math.Hypot(x, y) > 0.8 {
			c = 1
		}
		hint := float64(rng.IntN(3))
		if rng.Float64() < 0.3 {
			hint = float64(c)
		}
		row := []float64{x, y, rng.NormFloat64(), hint}
		for a, v := range row {
			if rng.Float64() < 0.03 {
				v = Missing()
			}
			s.Columns[a] = append(s.Columns[a], v)
		}
		s.Y = append(s.Y, c)
	}
	return s
}

// lines is two classes parted by a line with noise: imbalanced, all numeric.
func lines(n int, seed uint64) *Set {
	rng := rand.New(rand.NewPCG(seed, 98))
	s := &Set{Attributes: []Attribute{{"x", nil}, {"y", nil}, {"z", nil}}, Class: Attribute{"side", []string{"few", "many"}}, Columns: make([][]float64, 3)}
	for range n {
		row := []float64{rng.NormFloat64(), 100 + 10*rng.NormFloat64(), rng.NormFloat64()}
		c := 1
		if 2*row[0]+(row[1]-100)/10+rng.NormFloat64() > 2.5 {
			c = 0
		}
		for a, v := range row {
			s.Columns[a] = append(s.Columns[a], v)
		}
		s.Y = append(s.Y, c)
	}
	return s
}

// score gives the AUC of a learner on rows it has not seen.
func score(l Learner, train, test *Set) float64 {
	c, err := l.Train(train, 1)
	if err != nil {
		panic(err)
	}
	scores := make([]float64, test.Len())
	p := make([]float64, test.Classes())
	for i := range scores {
		c.Classify(test.Row(i, nil), p)
		scores[i] = p[0]
	}
	return AUC(scores, test.Is(0))
}
