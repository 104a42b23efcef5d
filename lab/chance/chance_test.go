package chance

import "testing"

func TestRand(t *testing.T) {
	t.Setenv(Variable, "7")
	a, b, c := Rand(t, 1), Rand(t, 1), Rand(t, 2)
	if x, y, z := a.Uint64(), b.Uint64(), c.Uint64(); x != y || x == z {
		t.Errorf("%d %d %d", x, y, z)
	}
}
