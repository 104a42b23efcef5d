package quality

import (
	"slices"
	"sort"
)

// near is a sorted list of words in which those near another are looked up.
type near struct {
	words [][]rune
}

func newNear(words []string) *near {
	slices.Sort(words)
	n := &near{}
	for _, w := range words {
		n.words = append(n.words, []rune(w))
	}
	slices.SortFunc(n.words, slices.Compare)
	return n
}

// find calls yield with each word whose edit distance to w is at most limit. Words with the same beginning share the rows of
// the table of distances, and a beginning that is too far off skips all words that have it.
func (n *near) find(w []rune, limit int, yield func(word []rune)) {
	rows := [][]int{make([]int, len(w)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	var last []rune
	for i := 0; i < len(n.words); {
		c := n.words[i]
		k := 0
		for k < len(last) && k < len(c) && last[k] == c[k] {
			k++
		}
		cut := -1
		for ; k < len(c); k++ {
			if len(rows) <= k+1 {
				rows = append(rows, make([]int, len(w)+1))
			}
			up, row := rows[k], rows[k+1]
			row[0] = k + 1
			least := row[0]
			for j, r := range w {
				d := up[j]
				if r != c[k] {
					d++
				}
				row[j+1] = min(d, up[j+1]+1, row[j]+1)
				least = min(least, row[j+1])
			}
			if least > limit {
				cut = k + 1
				break
			}
		}
		if cut < 0 {
			if rows[len(c)][len(w)] <= limit {
				yield(c)
			}
			last = c
			i++
			continue
		}
		last = c[:cut-1] // the row of the last character is not used again: all words with it are skipped
		begin := c[:cut]
		i += sort.Search(len(n.words)-i, func(d int) bool {
			x := n.words[i+d]
			return slices.Compare(x[:min(len(x), cut)], begin) > 0
		})
	}
}
