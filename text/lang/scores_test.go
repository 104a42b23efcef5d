package lang

import (
	"math/rand/v2"
	"testing"
)

// table is the model as a plain table.
func (x *Identifier) table() map[string][]weight {
	out := map[string][]weight{}
	var walk func(n uint32, gram string)
	walk = func(n uint32, gram string) {
		out[gram] = x.of(n)
		for c := x.nodes[n].children; c < x.nodes[n+1].children; c++ {
			walk(c, string(x.alphabet[x.nodes[c].char])+gram)
		}
	}
	walk(0, "")
	return out
}

// plainScores is what scores computes, place by place as the definition says.
func plainScores(x *Identifier, table map[string][]weight, text string, sum *[maxLangs]int32) (n, letters int) {
	var window [maxOrder]rune // the last characters, in a ring
	blanks := 0
	r := reader{text: text, blank: true}
	for c := ' '; c != 0 && n < maxCharacters; c = r.next() {
		window[n%maxOrder] = c
		n++
		if c == ' ' {
			blanks++
		}
		gram := ""
		for k := 1; k <= maxOrder && k <= n; k++ {
			gram = string(window[(n-k)%maxOrder]) + gram
			list, ok := table[gram]
			if !ok {
				break
			}
			for _, w := range list {
				sum[w.lang] += int32(w.log)
			}
		}
	}
	for i, b := range x.base {
		sum[i] += b * int32(n-1) / baseScale
	}
	return n, n - blanks
}

func TestScores(t *testing.T) {
	x := Default()
	table := x.table()
	words := []string{"the", " tide ", "Fischer", "é", "它", "日本語", " ", ".", "и не", "ing ", "ch", "a", "'s", "\n", "9", "\xff", "ω", "ไทย"}
	const seed = 5
	r := rand.New(rand.NewPCG(seed, seed))
	for range 300 {
		text := ""
		for range r.IntN(1200) {
			text += words[r.IntN(len(words))]
		}
		var got, want [maxLangs]int32
		n, letters := x.scores(text, &got)
		m, others := plainScores(x, table, text, &want)
		if n != m || letters != others || got != want {
			t.Fatalf("%q: %d characters, %d letters, want %d and %d; scores equal: %v", text, n, letters, m, others, got == want)
		}
	}
	for c := range rune(maxCharacters + 100) { // as many different characters as there can be
		text := string(rune(0x4e00 + c))
		var got, want [maxLangs]int32
		x.scores(text, &got)
		if plainScores(x, table, text, &want); got != want {
			t.Fatalf("%q differs", text)
		}
	}
	wide := make([]rune, maxCharacters+100)
	for i := range wide {
		wide[i] = rune(0x4e00 + i)
	}
	var got, want [maxLangs]int32
	x.scores(string(wide), &got)
	if plainScores(x, table, string(wide), &want); got != want {
		t.Fatal("text of different characters differs")
	}
}
