package typing

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"varve/entity/kind"
)

func TestParseMap(t *testing.T) {
	m, err := ParseMap(strings.NewReader("# comment\nPER\tperson\nmisc\t?\naward\t-\ncity\tplace,town\tcountry river\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Map{"PER": {Types: []string{"person"}}, "misc": {Unknown: true}, "award": {}, "city": {Types: []string{"place", "town"}, Not: []string{"country", "river"}}}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%v", m)
	}
	if _, err := ParseMap(strings.NewReader("a\tb\nonly\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without types: %v", err)
	}
}

func tree(t *testing.T) *kind.Taxonomy {
	t.Helper()
	x, err := kind.ReadTaxonomy("t", strings.NewReader("person\tp\t\t\nplace\tp\t\t\nartist\ta\tperson\t\npainter\tp\tartist\t\n"))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestGold(t *testing.T) {
	x := tree(t)
	m := Map{"PER": {Types: []string{"person"}}, "misc": {Unknown: true}, "award": {}}
	for _, c := range []struct {
		labels []string
		want   int
		ok     bool
	}{
		{[]string{"PER"}, 1, true}, {[]string{"misc"}, 0, false}, {[]string{"award"}, 0, true}, {[]string{"painter"}, 3, true}, {[]string{"PER", "place"}, 2, true}, {[]string{"nobody"}, 0, false},
	} {
		if got, ok := Gold(x, m, c.labels); len(got) != c.want || ok != c.ok {
			t.Errorf("%v: %v %v", c.labels, got, ok)
		}
	}
}

// Two names: of one all types are found and one too many, of the other one of two.
func TestFigures(t *testing.T) {
	var c counts
	c.add([]int{0, 2, 3}, []int{0, 2})
	c.add([]int{0}, []int{0, 2})
	f := c.figures()
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %.4f, want %.4f", what, got, want)
		}
	}
	near("strict", f.Strict.F1, 0)
	near("macro precision", f.Macro.Precision, (2.0/3+1)/2)
	near("macro recall", f.Macro.Recall, (1+0.5)/2)
	near("micro precision", f.Micro.Precision, 3.0/4)
	near("micro recall", f.Micro.Recall, 3.0/4)
	near("recall by type", f.ByType.Recall, (1+0.5)/2)
}

func TestJudged(t *testing.T) {
	x := tree(t)
	tally := NewTally(x, nil)
	if got := tally.judged([]int{0, 2, 3}, []int{0, 2}); len(got) != 2 {
		t.Errorf("what is below the deepest type of the set was judged: %v", got)
	}
	if got := tally.judged([]int{0, 1}, []int{0}); len(got) != 2 {
		t.Errorf("another root was not judged: %v", got)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gold.tsv":     "Rembrandt\tB-/person/artist,/person\npaints\tO\nParis\tB-LOC\n\n",
		"tokens.jsonl": `{"tokens":["Rembrandt","paints","Paris"],"mentions":[{"start":0,"end":1,"labels":["/person/artist","/person"]},{"start":2,"end":3,"labels":["LOC"]}]}` + "\n",
		"text.jsonl":   `{"text":"Here Rembrandt paints Paris.","mentions":[{"start":5,"end":14,"labels":["/person/artist","/person"]},{"start":22,"end":27,"etype":"LOC"},{"start":15,"end":21,"etype":"no name"},{"start":0,"end":4,"etype":"place"}]}` + "\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(file)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v %v", name, got, err)
		}
		want := []Mark{{0, 0, 1, []string{"/person/artist", "/person"}}, {0, 2, 3, []string{"LOC"}}}
		if name == "text.jsonl" {
			want[0].From, want[0].To, want[1].From, want[1].To = 1, 2, 3, 4
		}
		if !reflect.DeepEqual(got[0].Marks, want) {
			t.Errorf("%s: %v", name, got[0].Marks)
		}
	}
}
