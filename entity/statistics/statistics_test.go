package statistics

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
)

// The worked example of Align: a class stands for a theme by the nearest class above it that is called nearly so.
func TestAlign(t *testing.T) {
	classes := []Category{{Name: "energy source"}, {Name: "renewable energy", Parents: []string{"Energy_source"}}, {Name: "wind farm", Parents: []string{"renewable energy"}}, {Name: "politician"}}
	a := Align(classes, []Category{{Name: "Energy statistics"}, {Name: "Government", Names: []string{"Politicians"}}}, Threshold)
	for class, want := range map[string]string{
		"energy source": "Energy statistics 0.500 by energy source", "renewable energy": "Energy statistics 0.500 by renewable energy",
		"Wind farm": "Energy statistics 0.250 by renewable energy", "politician": "Government 1.000 by politician", "king": "",
	} {
		got := ""
		for _, x := range a.Of(class) {
			got += fmt.Sprintf("%s %.3f by %s", x.Theme, x.Similarity, x.Root)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", class, got, want)
		}
	}
}

// On random trees, also with circles, the similarity is the best over all classes above, by the shortest way down.
func TestAlignBruteForce(t *testing.T) {
	words := []string{"wind", "sun", "water", "price", "city"}
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		name := func(i int) string { return fmt.Sprintf("%s %s n%d", words[rnd.IntN(5)], words[rnd.IntN(5)], i) }
		var classes []Category
		for i := range 12 {
			c := Category{Name: name(i)}
			for range rnd.IntN(3) {
				if i > 0 {
					c.Parents = append(c.Parents, classes[rnd.IntN(i)].Name)
				}
			}
			classes = append(classes, c)
		}
		classes[0].Parents = append(classes[0].Parents, classes[11].Name) // a circle, as wikis have them
		themes := []Category{{Name: "wind sun"}, {Name: "price"}}
		got := Align(classes, themes, 0.2)
		for _, c := range classes {
			for _, theme := range themes {
				best := 0.0
				seen := map[string]bool{}
				for level, depth := []string{c.Name}, 1; len(level) > 0; depth++ { // upwards
					var next []string
					for _, n := range level {
						if seen[n] {
							continue
						}
						seen[n] = true
						if j := jaccard(set(stems(n)), set(stems(theme.Name))); j >= 0.2 {
							best = max(best, j/float64(depth))
						}
						for _, x := range classes {
							if x.Name == n {
								next = append(next, x.Parents...)
							}
						}
					}
					level = next
				}
				have := 0.0
				for _, x := range got.Of(c.Name) {
					if x.Theme == theme.Name {
						have = x.Similarity
					}
				}
				if math.Abs(best-have) > 1e-12 {
					t.Errorf("seed %d: %s and %s: %g, want %g", seed, c.Name, theme.Name, have, best)
				}
			}
		}
	}
}

func small(t *testing.T) *Site {
	t.Helper()
	s, err := Read(strings.NewReader(`{"version":1,"site":"Small"}
{"theme":{"name":"Energy"}}
{"theme":{"name":"Transport"}}
{"article":{"title":"Wind power","categories":["Energy"],"text":"wind wind turbines"}}
{"article":{"title":"Trains","categories":["Transport","Energy"],"text":"railway passengers and electricity"}}
{"article":{"title":"Ships","categories":["Transport","Water"],"text":"ports"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The three scores of the paper: votes alone tie, words alone miss what a text does not say, both are their product.
func TestRank(t *testing.T) {
	s := small(t)
	show := func(themes []string, m Method) (out []string) {
		for _, r := range s.Rank("The wind turned the turbines near the railway", themes, m, 9) {
			out = append(out, fmt.Sprintf("%s %d %.3f", r.Title, r.Votes, r.Score))
		}
		return out
	}
	if got, want := show([]string{"energy"}, Voting), []string{"Wind power 1 1.000", "Trains 1 1.000"}; !slices.Equal(got, want) {
		t.Errorf("voting: %q", got)
	}
	words := show(nil, Words)
	if len(words) != 2 || !strings.HasPrefix(words[0], "Wind power 0 0.") || !strings.HasPrefix(words[1], "Trains 0 0.") {
		t.Errorf("words: %q", words)
	}
	both := show([]string{"Energy", "Transport"}, Both)
	if len(both) != 2 || !strings.HasPrefix(both[0], "Wind power 1 ") || !strings.HasPrefix(both[1], "Trains 2 ") {
		t.Errorf("both: %q", both)
	}
	if themes := len(s.Themes); themes != 3 { // Water is named by an article alone
		t.Errorf("%d themes", themes)
	}
	for name, want := range map[string]bool{"": true, "both": true, "voting": true, "words": true, "luck": false} {
		if _, err := ParseMethod(name); (err == nil) != want {
			t.Errorf("method %q: %v", name, err)
		}
	}
}

// A site that is written is read again; bad lines are told with their number.
func TestRoundTrip(t *testing.T) {
	s := small(t)
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil || len(again.Articles) != 3 || len(again.Themes) != 3 || again.Name != "Small" {
		t.Errorf("%+v, %v", again, err)
	}
	for text, want := range map[string]string{
		"{": "line 1: ", `{"theme":{"name":" "}}`: "line 1: a category has no name", "\n" + `{"article":{}}`: "line 2: an article has no title", `{"version":2}`: "version 2 is not known", `{"version":1}`: "no articles",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	more := small(t)
	more.Articles = []Article{{Title: "Ships", Text: "anew", Categories: []string{"Sea"}}, {Title: "Bread"}}
	if err := s.Join(more); err != nil || len(s.Articles) != 4 || s.Articles[2].Text != "anew" {
		t.Errorf("%+v, %v", s.Articles, err)
	}
}

const wiki = `<mediawiki><siteinfo><sitename>Stats</sitename><base>https://s.example/index.php/Main_Page</base></siteinfo>
<page><title>Category:Energy</title><ns>14</ns><revision><text>[[Category:Themes]]</text></revision></page>
<page><title>Category:Power station</title><ns>14</ns><redirect title="Category:Energy"/><revision><text>#REDIRECT</text></revision></page>
<page><title>Talk:Wind</title><ns>1</ns><revision><text>x</text></revision></page>
<page><title>Wind power</title><ns>0</ns><revision><text>old</text></revision><revision><text>'''Wind''' {{a|{{b}}}} is [[Air|moving air]]&lt;ref&gt;x&lt;/ref&gt;. {| table |} [[Category:Energy]] &lt;!-- no --&gt;</text></revision></page>
</mediawiki>`

func TestMediaWiki(t *testing.T) {
	s, err := ReadMediaWiki(strings.NewReader(wiki))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Articles) != 1 || s.Articles[0].URL != "https://s.example/index.php/Wind_power" || s.Articles[0].Text != "Wind  is moving air." || !slices.Equal(s.Articles[0].Categories, []string{"Energy"}) {
		t.Errorf("%+v", s.Articles)
	}
	if len(s.Themes) != 1 || !slices.Equal(s.Themes[0].Names, []string{"Power station"}) || !slices.Equal(s.Themes[0].Parents, []string{"Themes"}) || s.Name != "Stats" {
		t.Errorf("%+v", s.Themes)
	}
	if _, err := ReadMediaWiki(strings.NewReader(wiki[:600])); err == nil || !strings.Contains(err.Error(), "byte ") {
		t.Errorf("%v", err)
	}
}

// A desk reads what was imported anew.
func TestDesk(t *testing.T) {
	dir := t.TempDir()
	d := NewDesk(dir)
	if _, _, err := d.Site(); varve.KindOf(err) != varve.NotFound {
		t.Errorf("%v", err)
	}
	write := func(s *Site, at time.Time) {
		t.Helper()
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(File(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(File(dir), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(File(dir), at, at); err != nil {
			t.Fatal(err)
		}
	}
	s := small(t)
	write(s, time.Unix(1e9, 0))
	first, a, err := d.Site()
	if err != nil || len(first.Articles) != 3 || a == nil {
		t.Fatal(err)
	}
	if second, _, _ := d.Site(); second != first {
		t.Error("it was read again")
	}
	s.Articles = s.Articles[:2]
	write(s, time.Unix(2e9, 0))
	if third, _, err := d.Site(); err != nil || len(third.Articles) != 2 {
		t.Errorf("%v, %v", third, err)
	}
}

func FuzzReadMediaWiki(f *testing.F) {
	f.Add(wiki)
	f.Add("<mediawiki><page>")
	f.Fuzz(func(_ *testing.T, text string) {
		if s, err := ReadMediaWiki(strings.NewReader(text)); err == nil {
			s.Rank(text, nil, Words, 3)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(`{"article":{"title":"a","categories":["b"],"text":"c"}}`)
	f.Fuzz(func(_ *testing.T, text string) {
		if s, err := Read(strings.NewReader(text)); err == nil {
			s.Rank(text, nil, Both, 3)
		}
	})
}
