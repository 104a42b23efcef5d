package focus

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// films are made so that persons play mostly in films of one genre, and titles tell of it, as they do.
func films() string {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	any := func(kind string, n int) string { return fmt.Sprint(kind, rng.IntN(n)) }
	for i := range 900 {
		genre, title, text := "Drama", "Home", "a story of a family in a town and of what became of them over the long years that followed"
		cast := []string{any("D", 150), any("D", 150)}
		if i%6 == 0 {
			genre, title, text = []string{"Western", "War", "Science Fiction"}[i/6%3], "A Western Soldier in Space", "a western in space about a war in which a cowboy and a soldier meet an alien robot on a ranch, and the army comes"
			cast = []string{any("W", 30), any("D", 150)}
		}
		fmt.Fprintf(&b, "{\"title\":\"%s %d\",\"year\":1950,\"cast\":[%q,%q],\"genres\":[%q],\"extract\":%q}\n", title, i, cast[0], cast[1], genre, text)
	}
	return b.String()
}

// On a web whose persons keep to a genre the guided crawl finds more of it, and the same seed gives the same figures.
func TestRun(t *testing.T) {
	cfg := Config{Crawl: 120, Samples: 2, Seeds: 3, Seed: 1}
	var last string
	for range 2 {
		r, err := Run(t.Context(), cfg, strings.NewReader(films()), nil)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := r.Print(&b); err != nil {
			t.Fatal(err)
		}
		if last != "" && b.String() != last {
			t.Errorf("the second run prints\n%s\nafter\n%s", b.String(), last)
		}
		last = b.String()
		if r.Rows[0].Ratio < 0.999 || r.Rows[0].Ratio > 1.001 || r.Rows[2].Ratio < 1.3 || r.Rows[2].Against != 0 {
			t.Errorf("breadth first %+v\nfocused %+v", r.Rows[0], r.Rows[2])
		}
	}
}

// What is no line of films is told with its number.
func TestBadData(t *testing.T) {
	if _, err := Run(t.Context(), Config{Crawl: 1, Samples: 1, Seeds: 1}, strings.NewReader("{}\nnonsense\n"), nil); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
	if _, err := Run(t.Context(), Config{Crawl: 1, Samples: 1, Seeds: 1}, strings.NewReader(""), nil); err == nil || !strings.Contains(err.Error(), "only 0 films") {
		t.Error(err)
	}
}
