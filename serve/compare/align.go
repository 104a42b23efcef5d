package compare

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// likeness tells how much two lines have in common, by their words:
//
//	likeness(l, r) = 2 * weight of the words of both / (weight of l + weight of r)
//	weight(word)   = 1 / (1 + log2(max(1, lines with it / 2))), half of it if it has three letters or less
//
// so that "the" and what stands on every line count little. Words are the same if they begin the same (key): a headline that
// is reworded says "votes" for "to vote" and "5 March" for "4 March". Lines without letters (numbers, dates) in the same
// place are half alike.
type likeness struct {
	left, right []bag
	weight      []float64 // of each word, by its number
}

// bag is the words of a line, by number, in order; a word that is there twice is there twice.
type bag struct {
	words   []uint32
	total   float64
	letters bool
}

// alike is the likeness from which two lines are one that was reworded, and near that from which a line elsewhere is the same line moved.
const (
	alike = 0.5
	near  = 0.75
)

// maxBag bounds the words of a line that likeness looks at.
const maxBag = 100

func newLikeness(left, right []string) *likeness {
	x := &likeness{}
	numbers := map[string]uint32{}
	var lines []int // with each word
	var short []bool
	take := func(text []string) []bag {
		out := make([]bag, len(text))
		for i, line := range text {
			b := &out[i]
			seen := map[uint32]bool{}
			for _, w := range strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !isWord(r) }) {
				b.letters = b.letters || strings.ContainsFunc(w, unicode.IsLetter)
				k := key(w)
				n, ok := numbers[k]
				if !ok {
					n = uint32(len(numbers))
					numbers[k] = n
					lines, short = append(lines, 0), append(short, utf8.RuneCountInString(k) <= 3)
				}
				if !seen[n] {
					seen[n] = true
					lines[n]++
				}
				if b.words = append(b.words, n); len(b.words) == maxBag {
					break
				}
			}
			slices.Sort(b.words)
		}
		return out
	}
	x.left, x.right = take(left), take(right)
	x.weight = make([]float64, len(lines))
	for n, count := range lines {
		x.weight[n] = 1 / (1 + math.Log2(max(1, float64(count)/2)))
		if short[n] {
			x.weight[n] /= 2
		}
	}
	for _, side := range [][]bag{x.left, x.right} {
		for i := range side {
			for _, n := range side[i].words {
				side[i].total += x.weight[n]
			}
		}
	}
	return x
}

// key is what stands for a word: its first four letters, five of a word of seven and more; a number stands for any number.
func key(word string) string {
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		return "0"
	}
	runes, most := []rune(word), 4
	if len(runes) >= 7 {
		most = 5
	}
	return string(runes[:min(len(runes), most)])
}

// of returns the likeness of line i of the left and line j of the right.
func (x *likeness) of(i, j int) float64 {
	l, r := &x.left[i], &x.right[j]
	if !l.letters && !r.letters {
		return alike
	}
	if total := l.total + r.total; 2*min(l.total, r.total) >= alike*total { // else not even all of the shorter one is enough
		common := 0.0
		for a, b := l.words, r.words; len(a) > 0 && len(b) > 0; {
			switch {
			case a[0] < b[0]:
				a = a[1:]
			case a[0] > b[0]:
				b = b[1:]
			default:
				common += x.weight[a[0]]
				a, b = a[1:], b[1:]
			}
		}
		return 2 * common / total
	}
	return 0
}

// maxCells bounds the table in which the lines of a gap are paired; larger gaps are paired part by part.
const maxCells = 1 << 16

// pairs returns the pairs of lines of left[a0:a1] and right[b0:b1] that are alike, in order and without crossing, with the largest sum of
// likeness (Needleman and Wunsch 1970, nothing is paid for a line that stays alone):
//
//	best(i, j) = max(best(i+1, j), best(i, j+1), likeness(i, j) + best(i+1, j+1) if it is at least alike)
func (x *likeness) pairs(a0, a1, b0, b1 int) (out [][2]int) {
	n, m := a1-a0, b1-b0
	if n == 0 || m == 0 {
		return nil
	}
	if n*m > maxCells {
		if n == 1 || m == 1 {
			return nil
		}
		out = x.pairs(a0, a0+n/2, b0, b0+m/2)
		return append(out, x.pairs(a0+n/2, a1, b0+m/2, b1)...)
	}
	best, same := make([]float64, (n+1)*(m+1)), make([]float64, n*m)
	at := func(i, j int) int { return i*(m+1) + j }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			s := x.of(a0+i, b0+j)
			v := max(best[at(i+1, j)], best[at(i, j+1)])
			if s >= alike {
				v = max(v, s+best[at(i+1, j+1)])
			}
			best[at(i, j)], same[i*m+j] = v, s
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch s := same[i*m+j]; {
		case s >= alike && best[at(i, j)] == s+best[at(i+1, j+1)]:
			out = append(out, [2]int{a0 + i, b0 + j})
			i, j = i+1, j+1
		case best[at(i, j)] == best[at(i+1, j)]:
			i++
		default:
			j++
		}
	}
	return out
}

// maxMoves bounds the pairs of lines that are looked at for one that was moved and reworded.
const maxMoves = 1 << 17

// moves finds lines that went and came elsewhere: the same line, or one that is near it and of five words or more. Short lines (one
// word) are everywhere and prove nothing. It changes Delete and Insert into Move.
func (x *likeness) moves(out []Line, left, right []string) {
	gone := map[string][]int{} // places in out, by text
	var went, came []int
	for i := range out {
		switch out[i].Op {
		case Delete:
			text := left[out[i].A-1]
			if len(x.left[out[i].A-1].words) > 1 {
				gone[text] = append(gone[text], i)
				went = append(went, i)
			}
		case Insert:
			if len(x.right[out[i].B-1].words) > 1 {
				came = append(came, i)
			}
		}
	}
	move := func(from, to int) {
		l, r := words(left[out[from].A-1], right[out[to].B-1])
		out[from].Op, out[from].Other, out[from].Left = Move, out[to].B, l
		out[to].Op, out[to].Other, out[to].Right = Move, out[from].A, r
	}
	for _, to := range came {
		if text := right[out[to].B-1]; len(gone[text]) > 0 {
			move(gone[text][0], to)
			gone[text] = gone[text][1:]
		}
	}
	if len(went)*len(came) > maxMoves {
		return
	}
	const enough = 5
	for _, to := range came {
		if out[to].Op != Insert || len(x.right[out[to].B-1].words) < enough {
			continue
		}
		from, top := -1, near
		for _, w := range went {
			if out[w].Op != Delete || len(x.left[out[w].A-1].words) < enough {
				continue
			}
			if s := x.of(out[w].A-1, out[to].B-1); s >= top && (s > top || from < 0) {
				from, top = w, s
			}
		}
		if from >= 0 {
			move(from, to)
		}
	}
}
