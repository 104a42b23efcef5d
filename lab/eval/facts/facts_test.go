package facts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/fact"
)

func TestConvert(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	text := `{"title":"Sahara","year":2005,"href":"Sahara_(2005_film)","cast":["Steve Zahn","Cher"],"extract":"x"}
{"page":"/wiki/Diane_Downs","relation":"P54","paras":["Diane Downs"],"questions":[{"q":"For what club did she play from Jul 2001 to Jun 2002?","answers":[{"answer":"C.D . Montijo"}]},{"q":"Which rank in 1989?","answers":[{"answer":"Grandmaster"},{"answer":""}]},{"q":"Which rank?","answers":[{"answer":"x"}]}]}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	n, left, err := Convert(path, &b)
	want := "subject\trelation\tobject\tbegin\tend\nSteve Zahn\tcast_of\tSahara (2005 film)\t2005\t2005\nDiane Downs\tP54\tC.D. Montijo\t2001-07\t2002-06\nDiane Downs\tP54\tGrandmaster\t1989\t1989\n"
	if err != nil || n != 3 || b.String() != want || len(left) != 3 {
		t.Errorf("%d, %v, %v\n%s", n, left, err, b.String())
	}
	list := filepath.Join(t.TempDir(), "list.tsv")
	if err := os.WriteFile(list, []byte(want+"a\tb\tc\tsoon\t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTruth(list); err == nil || !strings.Contains(err.Error(), `line 5: "soon" is no date`) {
		t.Error(err)
	}
}

// Films whose half teaches the other: actors are found with their year, directors are not.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	var text, truth strings.Builder
	truth.WriteString(header + "\n")
	first := []string{"John", "Mary", "Robert", "Linda", "James", "Susan", "David", "Karen", "Peter", "Helen"}
	last := []string{"Smith", "Baker", "Miller", "Walker", "Turner"}
	for i := range 24 {
		name := func(k int) string { return first[(i+k)%10] + " " + last[(i/3+k)%5] }
		year := 1950 + i
		title := "Film " + []string{"Alpha", "Beta", "Gamma", "Delta"}[i%4] + " " + string(rune('A'+i))
		fmt.Fprintf(&text, `{"title":%q,"year":%d,"cast":[%q],"extract":"%s is a %d American film directed by %s and starring %s."}`+"\n", title, year, name(1), title, year, name(2), name(1))
		fmt.Fprintf(&truth, "%s\tcast_of\t%s\t%d\t%d\n", name(1), title, year, year)
	}
	files := []string{filepath.Join(dir, "films.jsonl"), filepath.Join(dir, "truth.tsv")}
	for i, s := range []string{text.String(), truth.String()} {
		if err := os.WriteFile(files[i], []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Measure(t.Context(), files[0], files[1], Options{Settings: fact.Default(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Settings[1].After
	if r.Known != 24 || r.InText != 24 || s.Precision < 0.9 || s.Recall < 0.7 || r.AtHalf < 0.9 {
		t.Errorf("%+v", r)
	}
	if a := r.Asked; a.Questions != 24 || a.Possible != 24 || a.Right < 20 {
		t.Errorf("%+v", a)
	}
	if p := r.Planted[0]; len(r.Planted) != 2 || p.Planted == 0 || p.After <= p.Before {
		t.Errorf("%+v", r.Planted)
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "precision at recall 0.5") {
		t.Errorf("%s, %v", b.String(), err)
	}
	if err := os.WriteFile(files[1], []byte(header+"\nA\tcast_of\tB\t1950\t1950\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Measure(t.Context(), files[0], files[1], Options{Settings: fact.Default()}); err == nil || !strings.Contains(err.Error(), "no fact of") {
		t.Error(err)
	}
}
