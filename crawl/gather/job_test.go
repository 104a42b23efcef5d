package gather

import "testing"

// A stream that a page's player asks for is for the collector of streams, also where that has read the page; what it
// asks for itself is not for it again.
func TestAtWork(t *testing.T) {
	for _, c := range []struct {
		name, by string
		want     bool
	}{
		{"media", "browser", false},
		{"media", "browser+media", false},
		{"media", "media", true},
		{"api", "browser+api", true},
		{"api", "browser", false},
		{"browser", "browser+media", true},
	} {
		if got := atWork(c.name, c.by); got != c.want {
			t.Errorf("%s asked for by %s: %v", c.name, c.by, got)
		}
	}
}
