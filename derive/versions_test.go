package derive

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A page's captures, told as "minute what", and the states that they make.
func TestStates(t *testing.T) {
	for _, c := range []struct{ captures, want string }{
		{"0 A, 1 A, 2 A", "A 0-2 to - x3"},
		{"0 A, 1 B, 2 A", "A 0-0 to 1 x1; B 1-1 to 2 x1; A 2-2 to - x1"},
		{"0 A, 1 rA, 2 B, 3 rA", "A 0-1 to 2 x2; B 2-2 to 3 x1; A 3-3 to - x1"},
		{"0 A, 1 gone, 2 gone, 3 A", "A 0-0 to 1 x1; A 3-3 to - x1"},
		{"0 gone, 1 rX, 2 B, 3 304, 4 rX", "B 2-3 to - x2"},
		{"", ""},
	} {
		var got []string
		s := states{write: func(v *state) error {
			until := "-"
			if !v.Until.IsZero() {
				until = fmt.Sprint(v.Until.Minute())
			}
			if len(v.facets) != 1 || v.facets[0].Value != v.State { // of a revisit those of what it refers to
				t.Errorf("%s: %s has %+v", c.captures, v.State, v.facets)
			}
			got = append(got, fmt.Sprintf("%s %d-%d to %s x%d", v.State, v.From.Minute(), v.Last.Minute(), until, v.Captures))
			return nil
		}}
		for _, f := range strings.Split(c.captures, ", ") {
			var minute int
			var what string
			if n, _ := fmt.Sscanf(f, "%d %s", &minute, &what); n != 2 {
				continue
			}
			p := shown{SURT: "k", Time: time.Date(2024, 1, 1, 0, minute, 0, 0, time.UTC), Record: "response", Status: 200, Text: what, DigestMain: what, Digest: "d" + what, Facets: []FacetValue{{Facet: "says", Value: what}}}
			switch {
			case what == "gone":
				p.Status, p.Text = 404, ""
			case what == "304":
				p.Record, p.Status, p.Digest = "revisit", 304, ""
			case what[0] == 'r':
				p.Record, p.Digest = "revisit", "d"+what[1:]
			}
			s.take(p.value(&coder{}))
		}
		s.end()
		if s.err != nil || strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.captures, strings.Join(got, "; "), c.want, s.err)
		}
	}
}

func TestAnchors(t *testing.T) {
	var s states
	for _, a := range []string{"b", "a", "b", "c"} {
		s.take(append([]byte{anchorValue}, a...))
	}
	if got := s.anchors(); got != "b\na\nc" || s.inlinks != 4 {
		t.Errorf("%q, %d", got, s.inlinks)
	}
}
