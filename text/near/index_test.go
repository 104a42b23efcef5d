package near

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	for threshold, want := range map[float64]int{0.95: 16, 0.9: 8, 0.8: 4, 0.6: 4, 0.5: 2, 0.3: 2, 0.1: 1} {
		if r := rowsFor(threshold); r != want && MeetProbability(threshold, r) < 0.99 {
			t.Errorf("threshold %.2f: %d rows meet with %.4f", threshold, r, MeetProbability(threshold, r))
		}
	}
	if r := rowsFor(0.8); r != 4 {
		t.Errorf("%d rows for 0.8, want 4", r)
	}
}

// TestIndex groups edited copies of many texts and compares with trying all pairs.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x := NewIndex(0.7, 10_000)
	var originals []Minhash
	missed, pairs := 0, 0
	for id := range uint64(300) {
		a := words(rng, 200)
		m := Of(strings.Join(a, " ")).Minhash
		if g, old := x.Add(id, &m); old {
			t.Fatalf("text %d joined group %d", id, g.ID)
		}
		originals = append(originals, m)
	}
	for range 1000 {
		k := rng.IntN(len(originals))
		m := originals[k]
		for i := range m { // a text that agrees in about 85 of 100 places
			if rng.Float64() < 0.15 {
				m[i] = rng.Uint32()
			}
		}
		if m.Similarity(&originals[k]) < 0.7 {
			continue
		}
		pairs++
		if g, ok := x.Find(&m); !ok || g.ID != uint64(k) || g.Similarity != m.Similarity(&originals[k]) {
			missed++
		}
	}
	if pairs < 900 || missed > pairs/100 {
		t.Errorf("%d of %d near texts not found", missed, pairs)
	}
	other := Of(strings.Join(words(rng, 200), " ")).Minhash
	if g, ok := x.Find(&other); ok {
		t.Errorf("an unrelated text is in group %d (%.2f)", g.ID, g.Similarity)
	}
}

// TestIndexBounds: memory stays within the limit, the group met last survives.
func TestIndexBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x := NewIndex(0.8, 50)
	keep := Of("a text that comes again and again in this crawl").Minhash
	x.Add(1_000_000, &keep)
	for id := range uint64(2000) {
		m := Of(strings.Join(words(rng, 30), " ")).Minhash
		x.Add(id, &m)
		if id%20 == 0 {
			if g, old := x.Add(id+5000, &keep); !old || g.ID != 1_000_000 {
				t.Fatalf("group lost at %d", id)
			}
		}
		if x.Len() > 50 || x.recent.Len() != x.Len() {
			t.Fatalf("%d groups", x.Len())
		}
	}
	entries := 0
	for _, list := range x.buckets {
		entries += len(list)
	}
	if most := x.Len() * Permutations / x.rows; entries > most {
		t.Errorf("%d entries in buckets, at most %d expected", entries, most)
	}
	m := Of("another text under an id that is known already, quite different").Minhash
	x.Add(1_000_000, &m)
	if _, ok := x.Find(&keep); ok {
		t.Error("the old text of a changed id is still there")
	}
	for e := x.recent.Front(); e != nil; e = x.recent.Front() {
		x.Remove(e.Value.(*member).id)
	}
	x.Remove(77)
	if x.Len() != 0 || len(x.buckets) != 0 {
		t.Errorf("not empty: %d, %d", x.Len(), len(x.buckets))
	}
}

func TestSoftNotFound(t *testing.T) {
	menu := strings.Repeat("home news sport weather contact about us imprint privacy ", 3)
	missing := func(url string) string {
		return menu + "Sorry, the page " + url + " could not be found. Perhaps it has moved. Use the search or go back to the start page. " + menu
	}
	article := menu + "The council met on Monday and decided after long debate to build the bridge that had been promised for so many years, " +
		"though the money for it is not yet there and the river is not either. " + menu
	const page, probe = "https://h/news/story.html", "https://h/news/varve00ff.html"
	soft := AnswerOf(probe, probe, 200, missing(probe))
	for _, tt := range []struct {
		name        string
		page, probe Answer
		want        bool
	}{
		{"error page with 200", AnswerOf(page, page, 200, missing(page)), soft, true},
		{"real page", AnswerOf(page, page, 200, article), soft, false},
		{"honest host", AnswerOf(page, page, 200, missing(page)), AnswerOf(probe, probe, 404, missing(probe)), false},
		{"page with error status", AnswerOf(page, page, 404, missing(page)), soft, false},
		{"both sent home", AnswerOf(page, "https://h/", 200, article), AnswerOf(probe, "https://h/", 200, article+" changed"), true},
		{"sent elsewhere", AnswerOf(page, "https://h/story", 200, article), AnswerOf(probe, "https://h/", 200, menu), false},
		{"short error page", AnswerOf(page, page, 200, "Not found: "+page), AnswerOf(probe, probe, 200, "Not found: "+probe), true},
		{"no text", AnswerOf(page, page, 200, ""), AnswerOf(probe, probe, 200, ""), false},
	} {
		got, why := SoftNotFound(tt.page, tt.probe)
		if got != tt.want || got != (why != "") {
			t.Errorf("%s: %v (%s)", tt.name, got, why)
		}
	}
	if p := ProbePath("/news", 255, ".html"); p != "/news/varve00000000000000ff.html" {
		t.Error(p)
	}
}

func BenchmarkIndex(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("%d groups", n), func(b *testing.B) {
			x := NewIndex(0.8, n)
			var m Minhash
			fill := func() {
				for i := range m {
					m[i] = rng.Uint32()
				}
			}
			for id := range n {
				fill()
				x.Add(uint64(id), &m)
			}
			id := uint64(n)
			b.ReportAllocs()
			for b.Loop() {
				fill()
				x.Add(id, &m)
				id++
			}
		})
	}
}
