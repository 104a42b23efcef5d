package fulltext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// fixed tells the same places of every document.
type fixed []uint32

func (f fixed) read(_ uint32, buf []uint32) ([]uint32, error) { return append(buf, f...), nil }
func (f fixed) norm(uint32) float64                           { return 1 }

// The worked example of docs/algorithms/search.md.
func TestRow(t *testing.T) {
	a, b := fixed{2, 5, 7}, fixed{3, 6}
	starts := begin(nil, b, 1)
	if !slices.Equal(starts, []uint32{2, 5}) {
		t.Errorf("may begin at %v", starts)
	}
	if starts = follow(starts, a, 0); !slices.Equal(starts, []uint32{2, 5}) {
		t.Errorf("with the first word: %v", starts)
	}
	r := places{of: []whereabouts{a, b}, offsets: [][]uint32{{0, 2}, {1}}, order: []int{1, 0}, at: make([][]uint32, 2)}
	if n, err := r.inRow(0); n != 1 || err != nil || !slices.Equal(r.starts, []uint32{5}) {
		t.Errorf("%d times at %v, %v", n, r.starts, err)
	}
}

// Rows and windows are those of a scan, for phrases with words that come again, too.
func TestPlacesBrute(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 3000 {
		text, phrase := letters(rng, 1+rng.IntN(30)), letters(rng, 2+rng.IntN(3))
		r := places{}
		for w := range 3 {
			var at fixed
			for i, x := range text {
				if x == w {
					at = append(at, uint32(i+1))
				}
			}
			var offsets []uint32
			for i, x := range phrase {
				if x == w {
					offsets = append(offsets, uint32(i))
				}
			}
			if len(offsets) > 0 {
				r.of, r.offsets, r.order = append(r.of, at), append(r.offsets, offsets), append(r.order, len(r.order))
			}
		}
		r.at, r.first = make([][]uint32, len(r.of)), make([]int, len(r.of))
		rng.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
		times := 0
		for i := range text {
			if i+len(phrase) <= len(text) && slices.Equal(text[i:i+len(phrase)], phrase) {
				times++
			}
		}
		if got, err := r.times(0, len(phrase), 0); got != times || err != nil {
			t.Fatalf("%v in %v: %d times, want %d, %v", phrase, text, got, times, err)
		}
		within := 1 + rng.IntN(4)
		want := 0
		if has(words(text), Words{Text: fmt.Sprint(phrase), Within: within}) {
			want = 1
		}
		if got, err := r.times(0, len(phrase), within); got != want || err != nil {
			t.Fatalf("%v within %d in %v: %d, want %d, %v", phrase, within, text, got, want, err)
		}
	}
}

func letters(rng *rand.Rand, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = rng.IntN(3)
	}
	return out
}

func words(numbers []int) (out []string) {
	for _, n := range numbers {
		out = append(out, fmt.Sprint(n))
	}
	return out
}
