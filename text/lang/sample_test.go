package lang

import (
	"math"
	"os"
	"strings"
	"testing"

	"varve/lab/chance"
)

// A sample of a text says what all of it says: of texts in one language, and of those in two, the one behind the other, but for one in
// some thousands of the latter.
func TestSample(t *testing.T) {
	data, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sentences [][]string // words
	for line := range strings.Lines(string(data)) {
		if lang, text, _ := strings.Cut(strings.TrimSpace(line), " "); lang != "#" {
			sentences = append(sentences, strings.Fields(text))
		}
	}
	x := Default()
	r := chance.Rand(t, 1)
	sampled, differ := 0, 0
	for range 1000 {
		var text strings.Builder
		size := 200 + r.IntN(4000)
		change := r.IntN(2 * size) // half of the texts have none
		for at := range 2 {
			words := sentences[r.IntN(len(sentences))]
			for text.Len() < [2]int{min(change, size), size}[at] { // in any order, so that no two texts are the same
				text.WriteString(words[r.IntN(len(words))])
				text.WriteByte(' ')
			}
		}
		got, want := x.Identify(text.String()), Guess{}
		if all := x.Rank(text.String(), 1); len(all) > 0 {
			want = all[0]
		}
		if got.Lang != want.Lang || math.Abs(got.Confidence-want.Confidence) > 0.001 {
			differ++
			t.Logf("%+v, and %+v by all of it: %.200s", got, want, text.String())
		}
		reading, _ := x.open(text.String())
		if x.sampled(reading).Confidence >= certain {
			sampled++
		}
	}
	if sampled < 250 || differ > 4 {
		t.Errorf("of 1000 texts %d need no more than a sample, and %d are told another language by it", sampled, differ)
	}
}
