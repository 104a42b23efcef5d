package focus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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

func web(t *testing.T, films string) *Web {
	t.Helper()
	w, err := Films(strings.NewReader(films))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// On a web whose persons keep to a genre the guided crawl finds more of it, and the same seed gives the same figures.
func TestRun(t *testing.T) {
	cfg := Config{Crawl: 120, Samples: 2, Seeds: 3, Seed: 1}
	var last string
	for range 2 {
		r, err := Run(t.Context(), cfg, web(t, films()), nil)
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
	if _, err := Films(strings.NewReader("{}\nnonsense\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
	if _, err := Run(t.Context(), Config{Crawl: 1, Samples: 1, Seeds: 1}, web(t, ""), nil); err == nil || !strings.Contains(err.Error(), "only 0 pages") {
		t.Error(err)
	}
}

// Passages link to those whom they name, and these back, by year; what is named twice in a passage is one link.
func TestSpeeches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.jsonl")
	long := strings.Repeat("We speak of peace and of what the peoples hope for. ", 40) // 400 words
	lines := fmt.Sprintf(`{"state":"FRA","year":1970,"text":%q}
{"state":"ALB","year":1970,"text":"Chad and the Security Council met."}
{"state":"ALB","year":1972,"text":"Chad again, with nuclear weapons and disarmament."}
`, "France greets Chad, and Chad. "+long+"The Security Council did not.")
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Speeches([]string{file}, strings.NewReader(`{"3166-1":[{"name":"Chad"},{"name":"France"},{"name":"Bolivia, Plurinational State of","common_name":"Bolivia"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range w.pages {
		to := []string{}
		for _, l := range p.links {
			to = append(to, w.pages[l].title)
		}
		got = append(got, p.title+" -> "+strings.Join(to, "; ")+" "+strings.Join(p.genres, ","))
	}
	slices.Sort(got)
	want := []string{
		"ALB 1970, part 1 -> Chad in 1970; Security Council in 1970 ",
		"ALB 1972, part 1 -> Chad in 1972 disarmament",
		"Chad in 1970 -> FRA 1970, part 1; ALB 1970, part 1; Chad in 1972 ",
		"Chad in 1972 -> Chad in 1970; ALB 1972, part 1 ",
		"FRA 1970, part 1 -> France in 1970; Chad in 1970; FRA 1970, part 2 ",
		"FRA 1970, part 2 -> FRA 1970, part 1; Security Council in 1970 ",
		"France in 1970 -> FRA 1970, part 1 ",
		"Security Council in 1970 -> FRA 1970, part 2; ALB 1970, part 1 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the web is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
