// Package diff finds the shortest way from one sequence to another, by Myers' algorithm (An O(ND) Difference Algorithm and Its
// Variations, 1986): O((N+M)·D) time for D differences and O(D²) memory; beyond maxEdits differences all between the first and the last
// is one difference.
package diff

// Op says what became of a piece.
type Op string

// The operations.
const (
	Equal  Op = "equal"
	Delete Op = "delete"
	Insert Op = "insert"
)

// Step is a run of one operation: pieces [A, A+N) of the first or [B, B+N) of the second.
type Step struct {
	Op   Op
	A, B int
	N    int
}

// maxEdits is the number of differences up to which the shortest script is looked for.
const maxEdits = 1500

// Script returns the steps that make b of a.
func Script[T comparable](a, b []T) []Step {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []Step
	add := func(op Op, ai, bi, n int) {
		if n == 0 {
			return
		}
		if last := len(out) - 1; last >= 0 && out[last].Op == op {
			out[last].N += n
			return
		}
		out = append(out, Step{op, ai, bi, n})
	}
	add(Equal, 0, 0, head)
	for _, s := range middle(a[head:len(a)-tail], b[head:len(b)-tail]) {
		add(s.Op, s.A+head, s.B+head, s.N)
	}
	add(Equal, len(a)-tail, len(b)-tail, tail)
	return out
}

// middle is Myers' algorithm with the furthest points of each round kept for the way back.
func middle[T comparable](a, b []T) []Step {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return whole(n, m)
	}
	limit := min(n+m, maxEdits)
	v := make([]int, 2*limit+3)
	at := limit + 1
	var rounds [][]int
	for d := 0; d <= limit; d++ {
		rounds = append(rounds, append([]int(nil), v[at-d-1:at+d+2]...))
		for k := -d; k <= d; k += 2 {
			x := v[at+k-1] + 1
			if k == -d || k != d && v[at+k-1] < v[at+k+1] {
				x = v[at+k+1]
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			v[at+k] = x
			if x >= n && x-k >= m {
				return back(rounds, n, m)
			}
		}
	}
	return whole(n, m)
}

// whole replaces everything.
func whole(n, m int) []Step {
	var out []Step
	if n > 0 {
		out = append(out, Step{Delete, 0, 0, n})
	}
	if m > 0 {
		out = append(out, Step{Insert, n, 0, m})
	}
	return out
}

// back walks from the end to the beginning by the rounds, and gives the steps in order.
func back(rounds [][]int, x, y int) []Step {
	var reversed []Step
	for d := len(rounds) - 1; d >= 0; d-- {
		v, at := rounds[d], d+1 // v is of the round before, from -d-1 to d+1
		k := x - y
		before := k - 1
		if k == -d || k != d && v[at+k-1] < v[at+k+1] {
			before = k + 1
		}
		px := v[at+before]
		py := px - before
		for x > px && y > py && x > 0 && y > 0 {
			x, y = x-1, y-1
			reversed = append(reversed, Step{Equal, x, y, 1})
		}
		if d == 0 {
			break
		}
		if x == px {
			y--
			reversed = append(reversed, Step{Insert, x, y, 1})
		} else {
			x--
			reversed = append(reversed, Step{Delete, x, y, 1})
		}
	}
	out := make([]Step, len(reversed))
	for i, s := range reversed {
		out[len(reversed)-1-i] = s
	}
	return out
}
