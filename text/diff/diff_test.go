package diff_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"varve/text/diff"
)

// lcs is the length of the longest common subsequence, by the table that everybody knows.
func lcs(a, b []byte) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				t[i+1][j+1] = t[i][j] + 1
			} else {
				t[i+1][j+1] = max(t[i][j+1], t[i+1][j])
			}
		}
	}
	return t[len(a)][len(b)]
}

// The script makes b of a, and keeps as much as can be kept.
func TestScriptIsShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, b := make([]byte, rng.IntN(14)), make([]byte, rng.IntN(14))
		for i := range a {
			a[i] = "abc"[rng.IntN(3)]
		}
		for i := range b {
			b[i] = "abc"[rng.IntN(3)]
		}
		var gotA, gotB []byte
		kept := 0
		for _, s := range diff.Script(a, b) {
			switch s.Op {
			case diff.Equal:
				if !slices.Equal(a[s.A:s.A+s.N], b[s.B:s.B+s.N]) {
					t.Fatalf("%s %s: equal pieces differ: %+v", a, b, s)
				}
				gotA, gotB, kept = append(gotA, a[s.A:s.A+s.N]...), append(gotB, b[s.B:s.B+s.N]...), kept+s.N
			case diff.Delete:
				gotA = append(gotA, a[s.A:s.A+s.N]...)
			case diff.Insert:
				gotB = append(gotB, b[s.B:s.B+s.N]...)
			}
		}
		if string(gotA) != string(a) || string(gotB) != string(b) || kept != lcs(a, b) {
			t.Fatalf("%q %q: rebuilt %q %q, kept %d of %d: %+v", a, b, gotA, gotB, kept, lcs(a, b), diff.Script(a, b))
		}
	}
}

func TestHugeDifferenceIsBounded(t *testing.T) {
	a, b := make([]int, 5000), make([]int, 6000)
	for i := range a {
		a[i] = i
	}
	for i := range b {
		b[i] = -i - 1
	}
	got := diff.Script(a, b)
	if len(got) != 2 || got[0].N != 5000 || got[1].N != 6000 {
		t.Errorf("%+v", got)
	}
}
