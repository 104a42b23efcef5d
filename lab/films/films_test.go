package films

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/link"
)

var few = []Film{
	{Title: "City of Bad Men", Year: 1953, Cast: []string{"Dale Robertson", "Jeanne Crain"}, Genres: []string{"Western"}, Extract: "City of Bad Men is a film directed by Harmon Jones and starring Jeanne Crain and Dale Robertson."},
	{Title: "Son of Sinbad", Year: 1955, Cast: []string{"Dale Robertson", "Lili St. Cyr"}, Genres: []string{"Adventure"}},
	{Title: "State Fair", Year: 1945, Cast: []string{"Jeanne Crain", "Dana Andrews"}, Genres: []string{"Musical"}, Extract: "A film by Walter Lang."},
	{Title: "A Hard Day", Year: 1964, Cast: []string{"Cliff Robertson", "Dana Andrews"}, Genres: []string{"Comedy"}, Extract: "Cliff Robertson, Jr. stars."},
}

func prepared() []Film {
	list := slices.Clone(few)
	for i := range list {
		list[i].phrases = append(append([]string{list[i].Title}, list[i].Genres...), capitals(list[i].Extract)...)
	}
	return list
}

func TestCut(t *testing.T) {
	text, gold := few[0].Cut()
	if text != "City of Bad Men is a film directed by Harmon Jones and starring Crain and Robertson." || len(gold) != 2 || gold[1].Person != "Dale Robertson" || text[gold[1].Start:gold[1].End] != "Robertson" {
		t.Errorf("%q, %v", text, gold)
	}
	if got := capitals("Directed by Harmon Jones and J. Lee Thompson. The Western, Fox Film"); !slices.Equal(got, []string{"Harmon Jones", "J Lee Thompson", "The Western", "Fox Film"}) {
		t.Errorf("%q", got)
	}
	for in, want := range map[string]string{"Robert Downey Jr.": "Downey", "Lili St. Cyr": "Cyr", "Ann": "Ann"} {
		if got := Last(in); got != want {
			t.Errorf("Last(%q) = %q", in, got)
		}
	}
}

// The view of all films but one is the base that is built from the others: the same decisions with the same figures.
func TestViewIsTheBase(t *testing.T) {
	films := prepared()
	world := NewWorld(films)
	for without := range films {
		var lines [][]byte
		say := func(subject string, s entity.Says, text string) {
			lines = append(lines, entity.Statement{Subject: subject, Says: s, Text: text}.AppendLine(nil))
		}
		for i, f := range films {
			if i == without {
				continue
			}
			film := fmt.Sprintf("film %03d", i)
			say(film, entity.Exists, "")
			for _, name := range f.Cast {
				say(name, entity.Exists, "")
				say(name, entity.HasAnchor, Last(name))
				say(name, entity.LinkedFrom, film)
				say(name, entity.Begins, fmt.Sprint(f.Year))
				say(name, entity.Ends, fmt.Sprint(f.Year))
				for _, p := range append(slices.Clone(f.phrases), f.Cast...) {
					if p != name {
						say(name, entity.HasPhrase, p)
					}
				}
			}
		}
		path := filepath.Join(t.TempDir(), base.FileName)
		if _, err := base.Build(t.Context(), path, func(yield func([]byte, error) bool) {
			for _, l := range lines {
				if !yield(l, nil) {
					return
				}
			}
		}, base.Options{}); err != nil {
			t.Fatal(err)
		}
		b, err := base.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		view := world.Without(without)
		if b.Observed() != view.Observed() {
			t.Errorf("without %d: %d words, want %d", without, view.Observed(), b.Observed())
		}
		text, gold := films[without].Cut()
		var mentions []link.Mention
		for _, g := range gold {
			mentions = append(mentions, g.Mention)
		}
		day, _, _ := entity.ParseDays(fmt.Sprint(films[without].Year))
		s := link.Default()
		s.Coherence = 0 // the number of entities differs: persons are entities of a base
		got, err1 := link.Link(t.Context(), view, text, mentions, day, s)
		want, err2 := link.Link(t.Context(), b, text, mentions, day, s)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for i := range got {
			if got[i].Entity != want[i].Entity || fmt.Sprintf("%.9f %+v", got[i].Confidence, got[i].Candidates) != fmt.Sprintf("%.9f %+v", want[i].Confidence, want[i].Candidates) {
				t.Errorf("without %d: %s is\n%+v, want\n%+v", without, got[i].Name, got[i], want[i])
			}
		}
		_ = b.Close()
	}
}

func TestRun(t *testing.T) {
	r, err := Run(t.Context(), prepared(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if r.N != 1 || r.Cut != 3 || len(r.Ways) != 10 { // Robertson is Dale or Cliff; Crain is one, and Cliff is in no other film
		t.Errorf("%+v", r)
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "2 candidates") {
		t.Errorf("%s, %v", b.String(), err)
	}
}
