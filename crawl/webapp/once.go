package webapp

import (
	"cmp"
	"slices"
)

// findOnce returns where each of some texts begins among words; -1 for one that does not stand there, or more than once.
//
// All texts are looked for in one pass (Aho and Corasick, 1975, over words instead of letters): the texts are a trie, each node of it knows the
// longest other beginning of a text that ends there as well (fallback), and a pass over the words stands at one node after the other.
// How often each node was stood at is added up along the fallbacks, from the longest beginnings to the shortest. So the cost is a few steps for
// each word of page and texts, whatever they repeat: a page and texts of the one word "a" cost as much as any.
//
//	texts "a b", "b"; words a b c b: the pass stands at a, ab, the root, b. ab was stood at once and adds its count to its fallback b: twice.
func findOnce(words []string, texts [][]string) []int {
	type edge struct {
		from int
		word string
	}
	type node struct {
		by       edge
		depth    int // words from the root
		fallback int
		count    int // how often the words end with it
		end      int // behind the last word of one of these times
	}
	nodes, next := []node{{}}, map[edge]int{}
	at := make([]int, len(texts)) // node of each text
	for i, text := range texts {
		for depth, w := range text {
			by := edge{at[i], w}
			to, ok := next[by]
			if !ok {
				to = len(nodes)
				nodes, next[by] = append(nodes, node{by: by, depth: depth + 1}), to
			}
			at[i] = to
		}
	}
	step := func(from int, w string) int {
		for {
			if to, ok := next[edge{from, w}]; ok || from == 0 {
				return to
			}
			from = nodes[from].fallback
		}
	}
	order := make([]int, len(nodes)) // those of shorter beginnings first
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[a].depth, nodes[b].depth) })
	for _, i := range order {
		if n := &nodes[i]; n.depth > 1 {
			n.fallback = step(nodes[n.by.from].fallback, n.by.word)
		}
	}
	stand := 0
	for i, w := range words {
		stand = step(stand, w)
		nodes[stand].count++
		nodes[stand].end = i + 1
	}
	for _, i := range slices.Backward(order) {
		if n := nodes[i]; n.depth > 0 && n.count > 0 {
			f := &nodes[n.fallback]
			f.count, f.end = f.count+n.count, n.end
		}
	}
	where := make([]int, len(texts))
	for i, text := range texts {
		where[i] = -1
		if n := &nodes[at[i]]; n.depth > 0 && n.count == 1 {
			where[i] = n.end - len(text)
		}
	}
	return where
}
