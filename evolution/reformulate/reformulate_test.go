package reformulate

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"varve/evolution"
	"varve/lab/chance"
)

// speech makes a document of sentences of terms.
func speech(year int, sentences ...[]string) *evolution.Document {
	d := &evolution.Document{Year: year}
	for _, s := range sentences {
		var one evolution.Sentence
		for _, k := range s {
			one = append(one, evolution.Phrase{Key: k})
		}
		d.Sentences = append(d.Sentences, one)
	}
	return d
}

// player is a corpus in which walkmans of 1990 are ipods of 2010, and people always ride bikes.
func player() (docs []*evolution.Document) {
	for y, device := range map[int]string{1990: "walkman", 2010: "ipod"} {
		for i := range 10 {
			docs = append(docs, speech(y, []string{device, "music", "headphone"}, []string{device, "song"}, []string{"bike", "street"}, []string{"bike", "helmet"}, []string{"music", "concert"}, []string{fmt.Sprint("word", i%3), "street", "song"}))
		}
	}
	return docs
}

func eras(t *testing.T, docs []*evolution.Document, o Options, spans ...[2]int) (out []*Era) {
	t.Helper()
	for _, s := range spans {
		e, err := Read(evolution.Of(docs), s[0], s[1], o)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// TestWalkman is the example of the paper.
func TestWalkman(t *testing.T) {
	e := eras(t, player(), Default(), [2]int{1988, 1992}, [2]int{2008, 2012})
	got, none := Terms("ipod", e[1], e[0], 3)
	if none || len(got) == 0 || got[0].Term != "walkman" || got[0].Likeness < 0.99 || got[0].Fall != 1 || got[0].Shared[0] == "" {
		t.Errorf("%+v, %v", got, none)
	}
	// headphone stands with ipod alone in ten sentences of 30 companions: P(headphone|ipod) = 1/3, and of its company in 1990 the walkman has a half
	if p := Transition("ipod", e[1], e[0])["walkman"]; p < 0.3 || p > 1 {
		t.Errorf("P(walkman@1990 | ipod@2010) = %f", p)
	}
	if _, none := Terms("bike", e[1], e[0], 3); !none {
		t.Error("bikes are called bikes at all times")
	}
	if got, none := Terms("absent", e[1], e[0], 3); none || len(got) > 0 {
		t.Errorf("a word that no text has: %+v, %v", got, none)
	}
	if q := Query([]string{"ipod", "street"}, e[1], e[0], 2); len(q) == 0 || q[0].Terms[0].Term != "walkman" || q[0].Terms[1].Term != "street" {
		t.Errorf("query: %+v", q)
	}
}

// TestTransition compares with the formula, summed up plainly.
func TestTransition(t *testing.T) {
	r := chance.Rand(t, 9)
	var docs []*evolution.Document
	for y := 2000; y < 2002; y++ {
		for range 60 {
			var s []string
			for range 5 {
				s = append(s, fmt.Sprintf("w%d", r.IntN(12)))
			}
			docs = append(docs, speech(y, s))
		}
	}
	o := Default()
	o.MinTexts = 1
	e := eras(t, docs, o, [2]int{2000, 2000}, [2]int{2001, 2001})
	for v := range e[1].company {
		got := Transition(v, e[1], e[0])
		for u := range e[0].company {
			want, sum := 0.0, 0.0
			for _, w := range e[1].company[v] {
				sum += w.count
			}
			for _, w := range e[1].company[v] {
				n, of := 0.0, 0.0
				for x, list := range e[0].company {
					for _, b := range list {
						if b.term == w.term && !marked(w.term) {
							of += b.count
							if x == u {
								n = b.count
							}
						}
					}
				}
				if of > 0 {
					want += n / of * w.count / sum
				}
			}
			if math.Abs(got[u]-want) > 1e-9 {
				t.Fatalf("P(%s|%s) = %f, want %f", u, v, got[u], want)
			}
		}
	}
}

// TestSequence compares dynamic programming with trying all sequences.
func TestSequence(t *testing.T) {
	r := chance.Rand(t, 10)
	for range 30 {
		e := &Era{texts: map[string]int{}, company: map[string][]beside{}}
		var choices [][]Candidate
		for i := range 2 + r.IntN(3) {
			var list []Candidate
			for k := range 1 + r.IntN(4) {
				c := Candidate{Term: fmt.Sprintf("t%d.%d", i, k), Score: r.Float64()}
				e.texts[c.Term] = 1 + r.IntN(9)
				list = append(list, c)
			}
			choices = append(choices, list)
		}
		for i := 1; i < len(choices); i++ {
			for _, a := range choices[i-1] {
				for _, b := range choices[i] {
					if r.IntN(2) == 0 {
						e.company[a.Term] = append(e.company[a.Term], beside{b.Term, float64(r.IntN(5)), 1})
					}
				}
			}
		}
		want := 0.0
		var all func(i int, last string, score float64)
		all = func(i int, last string, score float64) {
			if i == len(choices) {
				want = max(want, score)
				return
			}
			for _, c := range choices[i] {
				s := score * c.Score
				if i > 0 {
					s *= e.coherence(last, c.Term)
				}
				all(i+1, c.Term, s)
			}
		}
		all(0, "", 1)
		if got := e.best(choices, 3); len(got) == 0 || math.Abs(got[0].Score-want) > 1e-12 {
			t.Fatalf("best %v, want %g", got, want)
		}
	}
}

func TestEras(t *testing.T) {
	if got := fmt.Sprint(Eras([]int{1946, 1950, 1957}, 5)); got != "[[1943 1947] [1948 1952] [1953 1957]]" {
		t.Error(got)
	}
	if Eras(nil, 5) != nil {
		t.Error("eras of nothing")
	}
}

// TestSameDigits: scores are the same to the last digit however often they are computed, and a term that is as frequent as the one that is asked for goes before one that is not.
func TestSameDigits(t *testing.T) {
	docs := player()
	for i, d := range docs { // companies of many words with different weights
		for k := range 60 {
			if (i*7+k*k)%(k+2) == 0 {
				d.Sentences[0] = append(d.Sentences[0], evolution.Phrase{Key: fmt.Sprint("w", k)})
			}
		}
	}
	e := eras(t, docs, Default(), [2]int{1988, 1992}, [2]int{2008, 2012})
	want, _ := Terms("ipod", e[1], e[0], 10)
	for range 50 {
		if got, _ := Terms("ipod", e[1], e[0], 10); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, and before %v", got, want)
		}
	}
	e[0].texts["walkman"] /= 4
	if rare, _ := Terms("ipod", e[1], e[0], 1); len(rare) == 0 || rare[0].Score >= want[0].Score {
		t.Errorf("a quarter as frequent: %+v, and before %+v", rare, want[0])
	}
}
