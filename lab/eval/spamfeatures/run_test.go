package spamfeatures

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// A small web: the whole way from answers to figures, and better than chance.
func TestRun(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Hosts: 40, Pages: 3, Snapshots: 2, Terms: 10, Seed: 3}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := res.Print(&b); err != nil || !strings.Contains(b.String(), "history") || res.Spam < 3 {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, g := range res.Groups {
		if g.Name == "all" && g.AUC < 0.65 {
			t.Errorf("all features: AUC %v\n%s", g.AUC, b.String())
		}
	}
}
