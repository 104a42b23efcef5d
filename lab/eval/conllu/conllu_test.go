package conllu_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/lab/eval/conllu"
)

func columns(id, form, misc string) string {
	return strings.Join([]string{id, form, "l", "U", "X", "F", "0", "root", "_", misc}, "\t") + "\n"
}

func TestRead(t *testing.T) {
	text := "# newdoc id = d\n# newpar\n# sent_id = s1\n# text = Don't = go.\n" +
		columns("1-2", "Don't", "_") + columns("1", "Do", "_") + columns("2", "n't", "_") + columns("2.1", "there", "_") + columns("3", "go", "SpaceAfter=No") + columns("4", ".", "SpaceAfter=No") +
		"\n# a comment of nothing\n\n" + columns("1-2", "Vámonos", "_") + columns("1", "Vamos", "_") + columns("2", "nos", "_") + columns("3", "ya", "_")
	var got []string
	err := conllu.Read(strings.NewReader(text), func(s conllu.Sentence) error {
		got = append(got, fmt.Sprintf("%s|%s|%v %v %v|%d", s.ID, s.Text, s.NewDoc, s.NewPar, s.Glued, len(s.Words)))
		return nil
	})
	want := "s1|Don't = go.|true true true|4 |Vámonos ya|false false false|3"
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, want %q (%v)", strings.Join(got, " "), want, err)
	}
}

func TestReadRefuses(t *testing.T) {
	err := conllu.Read(strings.NewReader("# x\n1\tword\n"), func(conllu.Sentence) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "line 2 has 2 columns") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("# text = a b\n" + columns("1", "a", "_") + columns("2", "b", "SpaceAfter=No") + "\n")
	f.Add(columns("1-9", "a", "_") + columns("1", "a", "_"))
	f.Fuzz(func(t *testing.T, text string) {
		_ = conllu.Read(strings.NewReader(text), func(s conllu.Sentence) error {
			if len(s.Words) == 0 {
				t.Error("a sentence without words")
			}
			return nil
		})
	})
}
