package debates_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/lab/eval/debates"
)

func write(t *testing.T, lines string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRead(t *testing.T) {
	file := write(t, `{"state":"FRA","session":2,"year":1947,"text":"We want peace and security."}
{"state":"AUS","session":1,"year":1946,"text":"Cars and trucks. The United Nations met."}
`)
	keep := filepath.Join(t.TempDir(), "kept")
	for range 2 { // the second time from what was kept
		c, err := debates.Read(context.Background(), []string{file}, keep)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for d, err := range c.All()() {
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range d.Sentences {
				for _, p := range s {
					got = append(got, d.ID+" "+p.Key)
				}
			}
		}
		want := []string{"AUS 1946 car", "AUS 1946 truck", "AUS 1946 united nations", "FRA 1947 peace", "FRA 1947 security"}
		if !slices.Equal(got, want) || !slices.Equal(c.Years, []int{1946, 1947}) || c.Speeches != 2 {
			t.Errorf("%q, want %q; %+v", got, want, c)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		file = "not there"
	}
}

func TestBrokenLine(t *testing.T) {
	_, err := debates.Read(context.Background(), []string{write(t, "{}\n{broken\n")}, "")
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
}
