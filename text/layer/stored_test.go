package layer_test

import (
	"testing"

	"varve/text/layer"
)

// What was read by an older rule is no layer of today's.
func TestStoredNames(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range layer.Names() {
		s := n.Stored()
		if back, ok := layer.FromStored(s); back != n || !ok || seen[s] {
			t.Errorf("%s is kept as %q, which is read as %q", n, s, back)
		}
		seen[s] = true
	}
	for _, old := range []string{"main", "near", "other", ""} {
		if n, ok := layer.FromStored(old); ok {
			t.Errorf("%q is read as %s", old, n)
		}
	}
}
