package newnames

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestBCubed(t *testing.T) {
	s := BCubed([]int{1, 1, 1}, []string{"a", "a", "b"}, nil)
	if math.Abs(s.Precision-5.0/9) > 1e-9 || s.Recall != 1 {
		t.Errorf("%+v", s)
	}
	s = BCubed([]int{1, 2, 3}, []string{"a", "a", "b"}, nil)
	if s.Precision != 1 || math.Abs(s.Recall-2.0/3) > 1e-9 {
		t.Errorf("%+v", s)
	}
	s = BCubed([]int{1, 1, 3}, []string{"a", "b", "b"}, func(i int) bool { return i == 2 })
	if s.Precision != 1 || s.Recall != 0.5 {
		t.Errorf("%+v", s)
	}
}

func TestMeasure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "films.jsonl")
	text := ""
	for _, f := range []string{
		`{"title":"One","year":1950,"cast":["Ada Fox","Bo Lind"],"extract":"One is a western film starring Ada Fox and Bo Lind about cattle on the prairie."}`,
		`{"title":"Two","year":1951,"cast":["Ada Fox","Bo Lind"],"extract":"Two is a western film starring Ada Fox and Bo Lind about cattle and sheriffs."}`,
		`{"title":"Three","year":1952,"cast":["Ada Fox","Bo Lind"],"extract":"Three is a western film starring Ada Fox and Bo Lind about sheriffs on the prairie."}`,
	} {
		text += f + "\n" + f + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Measure(context.Background(), file, Options{Films: 100, Least: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Things != 2 || r.N != 6 || r.Whole != 2 || r.F1 != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := Measure(context.Background(), file, Options{Films: 100, Least: 9}); err == nil {
		t.Error("a set without things was measured")
	}
}
