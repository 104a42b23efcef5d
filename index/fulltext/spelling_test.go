package fulltext

import (
	"math/rand/v2"
	"testing"
)

// slipsBrute counts slips as the formula says, without any table.
func slipsBrute(a, b []rune) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	}
	i, j := len(a), len(b)
	same := 1
	if a[i-1] == b[j-1] {
		same = 0
	}
	d := min(slipsBrute(a[:i-1], b)+1, slipsBrute(a, b[:j-1])+1, slipsBrute(a[:i-1], b[:j-1])+same)
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		d = min(d, slipsBrute(a[:i-2], b[:j-2])+1)
	}
	return d
}

func TestSlipsEqualBruteForce(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	word := func() []rune {
		w := make([]rune, dice.IntN(7))
		for i := range w {
			w[i] = []rune("abü")[dice.IntN(3)]
		}
		return w
	}
	for range 3000 {
		a, b, most := word(), word(), dice.IntN(4)
		want := min(slipsBrute(a, b), most+1)
		if got := min(newSlipRows(len(b)).between(a, b, most), most+1); got != want {
			t.Fatalf("%q %q at most %d: %d, want %d", string(a), string(b), most, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"election", "electoin", 1}, {"election", "elecion", 1}, {"election", "erection", 1}, {"election", "eletcoin", 2}, {"", "abc", 3}} {
		if got := newSlipRows(len(c.b)).between([]rune(c.a), []rune(c.b), 9); got != c.want {
			t.Errorf("%s %s: %d", c.a, c.b, got)
		}
	}
}
