package webapp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varve/web/canon"
	"varve/web/markup/tree"
)

// onceByHand looks for each text at every word.
func onceByHand(words []string, texts [][]string) []int {
	where := make([]int, len(texts))
	for i, text := range texts {
		where[i] = -1
		n := 0
		for at := range words {
			if len(text) > 0 && len(text) <= len(words)-at && slices.Equal(words[at:at+len(text)], text) {
				where[i], n = at, n+1
			}
		}
		if n > 1 {
			where[i] = -1
		}
	}
	return where
}

func TestFindOnce(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(17, seed))
		some := func(n int) (list []string) {
			for range r.IntN(n) {
				list = append(list, string(rune('a'+r.IntN(2+int(seed%3)))))
			}
			return list
		}
		words := some(40)
		var texts [][]string
		for range r.IntN(8) {
			if len(words) > 0 && r.IntN(2) == 0 { // that stands there
				from := r.IntN(len(words))
				texts = append(texts, words[from:from+r.IntN(len(words)-from+1)])
			} else {
				texts = append(texts, some(6))
			}
		}
		if got, want := findOnce(words, texts), onceByHand(words, texts); !slices.Equal(got, want) {
			t.Fatalf("seed %d: words %q, texts %q: %v, want %v", seed, words, texts, got, want)
		}
	}
}

// Texts and pages that repeat themselves cost no more than others: these would take 10^11 comparisons one by one.
func TestFindOnceRepeats(t *testing.T) {
	words := strings.Fields(strings.Repeat("a ", 400_000))
	var texts [][]string
	for i := range 20 {
		texts = append(texts, append(slices.Clone(words[:20_000+i]), "b"))
	}
	for i, at := range findOnce(words, texts) {
		if at >= 0 {
			t.Fatalf("text %d is found at %d", i, at)
		}
	}
}

// holdingByHand asks of every element around the first word whether it holds the others.
func holdingByHand(in []*tree.Node, from, to int) (list []*tree.Node) {
	inside := func(n, t *tree.Node) bool {
		for ; t != nil && t != n; t = t.Parent {
		}
		return t != nil
	}
	for n := in[from].Parent; n != nil && n.Name != ""; n = n.Parent {
		if inside(n, in[to-1]) && !(from > 0 && inside(n, in[from-1])) && !(to < len(in) && inside(n, in[to])) {
			list = append(list, n)
		}
	}
	return list
}

func TestHolding(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(18, seed))
		var b strings.Builder
		for range 40 {
			b.WriteString([]string{"<div>", "<div>", "</div>", "<b>", "</b>", "one ", "two "}[r.IntN(7)])
		}
		_, in := wordsOf(treeOf(b.String()))
		for from := range in {
			for to := from + 1; to <= len(in); to++ {
				if got, want := holding(in, from, to), holdingByHand(in, from, to); !slices.Equal(got, want) {
					t.Fatalf("seed %d: %s: words %d to %d: %d elements, want %d", seed, b.String(), from, to, len(got), len(want))
				}
			}
		}
	}
}

// A known text without a word says nothing, and a page that repeats what is looked for costs bounded time.
func TestRelearnHostile(t *testing.T) {
	u, err := canon.Parse("http://example.org/")
	if err != nil {
		t.Fatal(err)
	}
	known := []Object{{Type: "post", Text: " \n\t"}, {Type: "post", Text: "\u00a0"}}
	for i := range 50 {
		known = append(known, Object{Type: "post", ID: fmt.Sprint(i), Text: strings.Repeat("a ", 3000+i) + "b"})
	}
	root := treeOf(strings.Repeat("<div>", 500) + strings.Repeat("a ", 300_000))
	for _, l := range Relearn([]Sample{{URL: u, Root: root, Known: known}}) {
		if l.Known != 50 || l.Found != 0 || l.Learned != nil {
			t.Errorf("%+v", l)
		}
	}
}
