package kind

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"varve/language"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
	"varve/learn/sparse"
)

// zoo is a taxonomy in which bat is below two others.
const zoo = "animal\tanimal\t\tit lives\nplace\tplace\t\tsomewhere\nbird\tbird\tanimal\t\nmammal\tmammal\tanimal\t\nflyer\tflyer\tanimal\t\nbat\tbat\tflyer mammal\t\n"

func zooTypes(t *testing.T) *Taxonomy {
	t.Helper()
	x, err := ReadTaxonomy("zoo", strings.NewReader(zoo))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func names(x *Taxonomy, list []int) string {
	var out []string
	for _, i := range list {
		out = append(out, x.Types[i].Name)
	}
	return strings.Join(out, " ")
}

func numbers(t *testing.T, x *Taxonomy, list string) (out []int) {
	t.Helper()
	for _, n := range strings.Fields(list) {
		i, ok := x.Find(n)
		if !ok {
			t.Fatalf("no type %s", n)
		}
		out = append(out, i)
	}
	return out
}

func TestTaxonomy(t *testing.T) {
	x := zooTypes(t)
	bat, _ := x.Find("bat")
	if got := names(x, x.Above(bat)); got != "animal flyer mammal bat" {
		t.Errorf("above bat: %s", got)
	}
	if x.Depth(bat) != 2 || x.Levels() != 3 || names(x, x.Roots) != "animal place" {
		t.Errorf("depth %d, levels %d, roots %s", x.Depth(bat), x.Levels(), names(x, x.Roots))
	}
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := ReadTaxonomy("zoo", &b)
	if err != nil || !slices.EqualFunc(again.Types, x.Types, func(a, b Type) bool { return a.Name == b.Name && slices.Equal(a.Parents, b.Parents) }) {
		t.Errorf("read again: %v %v", again, err)
	}
	for text, want := range map[string]string{
		"a\ta\tb\t\nb\tb\ta\t\n":    "above itself",
		"a\ta\t\t\na\ta\t\t\n":      "twice",
		"a\ta\tnothing\t\n":         "no type nothing",
		"a\n":                       "line 1",
		"":                          "has no types",
		"r\tr\t\t\nb\tb\tb\tc\td\n": "line 2",
	} {
		if _, err := ReadTaxonomy("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The farthest of some types reaches as far as the weakest step on its way.
func TestReach(t *testing.T) {
	x := zooTypes(t)
	scores := make([]float32, len(x.Types))
	for name, score := range map[string]float32{"animal": 2, "flyer": -0.5, "mammal": 1, "bat": 3, "place": -2} {
		i, ok := x.Find(name)
		if !ok {
			t.Fatal(name)
		}
		scores[i] = score
	}
	for _, c := range []struct {
		types string
		want  float32
	}{{"bat", -0.5}, {"mammal", 1}, {"mammal bat", 1}, {"place bat", -0.5}, {"place", -2}, {"", float32(math.Inf(-1))}} {
		var types []int
		for _, name := range strings.Fields(c.types) {
			i, _ := x.Find(name)
			types = append(types, i)
		}
		if got := x.Reach(scores, types); got != c.want {
			t.Errorf("%s: %v, want %v", c.types, got, c.want)
		}
	}
}

func FuzzReadTaxonomy(f *testing.F) {
	f.Add(zoo)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ReadTaxonomy("fuzz", strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range x.Types {
			for _, p := range x.Parents(i) {
				if p >= i || x.Depth(p) >= x.Depth(i) {
					t.Fatalf("%q: a parent is not before its child", text)
				}
			}
		}
	})
}

func TestLesson(t *testing.T) {
	x := zooTypes(t)
	for _, c := range []struct {
		name, types, not string
		complete         bool
		yes, no          string
	}{
		{"a kind of animal: its siblings are not meant", "bird", "", false, "animal bird", "place flyer mammal"},
		{"only that it is an animal: nothing is known of kinds", "animal", "", false, "animal", "place"},
		{"an animal of no kind", "animal", "", true, "animal", "place bird flyer mammal"},
		{"not a bird", "animal", "bird", false, "animal", "place bird"},
		{"two ways down", "bat", "", false, "animal flyer mammal bat", "place bird"},
		{"nothing of all this", "", "", true, "", "animal place"},
	} {
		got := x.Lesson(Example{Types: numbers(t, x, c.types), Not: numbers(t, x, c.not), Complete: c.complete})
		if names(x, got.Yes) != c.yes || names(x, got.No) != c.no {
			t.Errorf("%s: yes %s, no %s; want %s and %s", c.name, names(x, got.Yes), names(x, got.No), c.yes, c.no)
		}
	}
}

func TestDescend(t *testing.T) {
	x := zooTypes(t)
	scores := make([]float32, len(x.Types))
	set := func(name string, v float32) { i, _ := x.Find(name); scores[i] = v }
	set("animal", 0.5)
	set("place", -1)
	set("bird", -0.2)
	set("mammal", 0.3)
	set("flyer", -0.4)
	set("bat", 0.9)
	v := x.descend(scores, 0)
	if got := names(x, v.Accepted()); got != "animal mammal bat" {
		t.Errorf("accepted: %s", got)
	}
	bat, _ := x.Find("bat")
	if v.Reach[bat] != 0.3 {
		t.Errorf("bat reaches %v, as far as mammal does: 0.3", v.Reach[bat])
	}
	set("animal", -0.1)
	if v = x.descend(scores, 0); v.States[bat] != Accepted {
		t.Errorf("the best root is a little below the threshold, and bat is %s", v.States[bat])
	}
	set("animal", -0.6)
	if v = x.descend(scores, 0); v.States[bat] != Untested || !math.IsInf(float64(v.Reach[bat]), -1) {
		t.Errorf("what is below a type that is rejected is %s", v.States[bat])
	}
	if v = x.descend(scores, -0.7); v.States[bat] != Accepted {
		t.Errorf("with a low threshold bat is %s", v.States[bat])
	}
}

// A taxonomy of one's own can be learned.
func TestTrain(t *testing.T) {
	x := zooTypes(t)
	blank, err := Untrained(x, lexicon.Default())
	if err != nil {
		t.Fatal(err)
	}
	typer, tagger := blank.NewTyper(), tag.Default().NewTagger()
	var examples []Example
	for i, text := range []string{
		"the bird Tweety sings in its nest", "the bird Polly sings in a tree", "the bird Kes sings for food", "the bird Coco sings at night",
		"we live in Aachen near the river", "we live in Bonn near the river", "we live in Kiel near the sea", "we live in Ulm near the road",
		"the bat Bruno sleeps in a cave", "the bat Vlad sleeps in a cave", "the bat Gotham sleeps in a roof", "the bat Moe sleeps in a barn",
	} {
		typer.Read([]mention.Sentence{mention.Tagged(tagger, strings.Fields(text))})
		kinds := []string{"bird", "place", "bat"}[i/4]
		at := []int{2, 3, 2}[i/4]
		examples = append(examples, Example{Features: typer.Features(0, at, at+1), Name: strings.Fields(text)[at], Types: numbers(t, x, kinds), Complete: true})
	}
	o := Options{Types: sparse.Options{Passes: 30, C: 4, Balance: 1, Least: 2, Keep: 200}, Count: sparse.Options{Passes: 20, C: 1, Balance: 1, Least: 1, Keep: 100}}
	m, err := Train(x, examples, lexicon.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	one, two, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	if m, err = Read(x, one, two, lexicon.Default()); err != nil {
		t.Fatal(err)
	}
	typer = m.NewTyper()
	typer.Read([]mention.Sentence{mention.Tagged(tagger, strings.Fields("the bat Otto sleeps in a cave"))})
	if got := names(x, typer.Types(0, 2, 3).Accepted()); got != "animal flyer mammal bat" {
		t.Errorf("a bat: %s", got)
	}
	other, err := ReadTaxonomy("other", strings.NewReader("one\tone\t\t\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(other, one, two, lexicon.Default()); err == nil {
		t.Error("a model of other types was read")
	}
}

// The models that come with the program know what everybody would know.
func TestDefault(t *testing.T) {
	const text = "Angela Merkel, a German politician, visited Paris. She gave an interview to the singer Bob Dylan. The University of Oxford is in England."
	d, err := language.New().Analyse(context.Background(), language.Text{Text: text, Language: "en"}, language.Mentions)
	if err != nil {
		t.Fatal(err)
	}
	for taxonomy, want := range map[string]map[string]string{
		WordNet: {"Angela Merkel": "person.n.01", "Paris": "location.n.01", "Bob Dylan": "person.n.01", "University of Oxford": "organization.n.01", "England": "location.n.01"},
		FIGER:   {"Angela Merkel": "/person", "Paris": "/location", "England": "/location"},
	} {
		m, err := Default(taxonomy)
		if err != nil {
			t.Fatal(err)
		}
		found, err := m.Document(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range found {
			if text[n.Start:n.End] != n.Text {
				t.Errorf("%q stands elsewhere", n.Text)
			}
			if w := want[n.Text]; w != "" && !slices.ContainsFunc(n.Types, func(j Judged) bool { return j.Type == w }) {
				t.Errorf("%s: %s is no %s: %v", taxonomy, n.Text, w, n.Types)
			}
			for _, j := range n.Types {
				i, _ := m.Taxonomy().Find(j.Type)
				for _, p := range m.Taxonomy().Parents(i) {
					if !slices.ContainsFunc(n.Types, func(o Judged) bool { return o.Type == m.Taxonomy().Types[p].Name }) && len(m.Taxonomy().Parents(i)) == 1 {
						t.Errorf("%s is a %s and no %s", n.Text, j.Type, m.Taxonomy().Types[p].Name)
					}
				}
			}
		}
	}
	if _, err := Default("nothing"); err == nil {
		t.Error("a taxonomy that is not there was found")
	}
	w, err := Default("")
	if err != nil {
		t.Fatal(err)
	}
	if x := w.Taxonomy(); len(x.Types) < 450 || x.Levels() < 9 || len(x.Roots) != 5 {
		t.Errorf("%d types on %d levels below %d roots, want about 500 on 9 below 5", len(x.Types), x.Levels(), len(x.Roots))
	}
}
