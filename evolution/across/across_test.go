package across_test

import (
	"fmt"
	"math"
	"testing"

	"varve/evolution"
	"varve/evolution/across"
	"varve/lab/chance"
)

// each makes sources of one text each.
func each(texts, with int) (out []across.Source) {
	for i := range texts {
		s := across.Source{Texts: 1}
		if i < with {
			s.With = 1
		}
		out = append(out, s)
	}
	return out
}

// TestWorkedExample is that of the package comment; Newcombe's table II gives 0.0524 to 0.3339 for 56/70 and 48/80 (case a), method 10.
func TestWorkedExample(t *testing.T) {
	for _, x := range []struct {
		nA, xA, nB, xB int
		low, high      float64
	}{{70, 56, 80, 48, 0.0524, 0.3339}, {100, 40, 100, 20, 0.0731, 0.3185}, {10, 9, 10, 3, 0.1705, 0.8090}, {10, 10, 10, 0, 0.6075, 1}} {
		d := across.Compare(each(x.nA, x.xA), each(x.nB, x.xB), 1)
		if math.Abs(d.Low-x.low) > 5e-4 || math.Abs(d.High-x.high) > 5e-4 {
			t.Errorf("%d/%d, %d/%d: %.4f to %.4f, want %.4f to %.4f", x.xA, x.nA, x.xB, x.nB, d.Low, d.High, x.low, x.high)
		}
	}
}

// TestSources has ten sources that always say the same: ten texts of each say no more than one.
func TestSources(t *testing.T) {
	var many, few []across.Source
	for i := range 10 {
		many = append(many, across.Source{Texts: 10, With: 10 * (i % 2)})
		few = append(few, across.Source{Texts: 1, With: i % 2})
	}
	a, b := across.Compare(many, many, 1), across.Compare(few, few, 1)
	if a.High < b.High*0.9 || !a.Sourced {
		t.Errorf("ten times the same: up to %.3f, once: %.3f", a.High, b.High)
	}
	one := across.Compare(many[:3], many, 1)
	if one.Sourced {
		t.Error("three sources tell how much they differ")
	}
	if d := across.Compare(nil, many, 1); d.Low != -1 || d.High != 1 || d.Differs() {
		t.Errorf("nothing on one side: %+v", d)
	}
}

// TestControl draws both sides from the same sources: intervals for twenty companions leave 0 out in at most about 5 of 100 families; one planted difference is found.
func TestControl(t *testing.T) {
	r := chance.Rand(t, 21)
	alarms, found, families := 0, 0, 300
	for range families {
		any := false
		for k := range 20 {
			side := func(more float64) (out []across.Source) {
				for range 40 {
					p := min(1, max(0, 0.3+0.15*r.NormFloat64()+more)) // of this source
					s := across.Source{Texts: 5}
					for range 5 {
						if r.Float64() < p {
							s.With++
						}
					}
					out = append(out, s)
				}
				return out
			}
			if d := across.Compare(side(0), side(0), 20); d.Differs() {
				any = true
			}
			if k == 0 && across.Compare(side(0.25), side(0), 20).Differs() {
				found++
			}
		}
		if any {
			alarms++
		}
	}
	if alarms > families/10 || found < families*8/10 {
		t.Errorf("%d alarms and %d of the planted differences in %d families", alarms, found, families)
	}
}

func TestDiverge(t *testing.T) {
	r := chance.Rand(t, 22)
	rows := func(n int, weights ...int) (out [][]int) {
		for range n {
			var row []int
			for _, w := range weights {
				row = append(row, r.IntN(w+1))
			}
			out = append(out, row)
		}
		return out
	}
	if d := across.Diverge([][]int{{4, 0}}, [][]int{{0, 4}}, r); d.Bits != 1 || d.P != 1 {
		t.Errorf("nothing in common: %+v", d)
	}
	if d := across.Diverge(rows(30, 9, 5, 3), rows(30, 9, 5, 3), r); d.P < 0.001 || d.Bits > 0.02 {
		t.Errorf("the same: %+v", d)
	}
	if d := across.Diverge(rows(30, 9, 5, 3), rows(30, 3, 5, 9), r); d.P > 0.01 || d.Bits < d.Chance {
		t.Errorf("others: %+v", d)
	}
}

func TestRead(t *testing.T) {
	var docs []*evolution.Document
	add := func(source string, sentences ...[]string) {
		d := &evolution.Document{Source: source, Year: 2000}
		for _, s := range sentences {
			var one evolution.Sentence
			for _, k := range s {
				one = append(one, evolution.Phrase{Key: k})
			}
			d.Sentences = append(d.Sentences, one)
		}
		docs = append(docs, d)
	}
	add("a", []string{"dam", "river"}, []string{"dam", "river"}, []string{"fish"})
	add("a", []string{"dam", "power"})
	add("b", []string{"fish", "river"})
	c, err := across.Read(evolution.Of(docs), []string{"dam"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c["dam"].Texts, c["dam"].With); got != "map[a:2] map[power:map[a:1] river:map[a:1]]" {
		t.Error(got)
	}
	if f := across.Beside(c["dam"], c["dam"], 5); len(f) != 2 || f[0].D != 0 || f[0].WithA != 1 || f[0].TextsA != 2 {
		t.Errorf("%+v", f)
	}
}
