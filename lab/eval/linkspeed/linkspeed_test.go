package linkspeed

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/entity/base"
)

func TestMeasure(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	set := filepath.Join(dir, "set.jsonl")
	text := strings.Repeat("Angela Merkel met Barack Obama in Berlin on Monday to speak about the economy. ", 90)
	if err := os.WriteFile(set, []byte(`{"text":"`+text+`","mentions":[]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	documents, err := Documents(set, 10)
	if err != nil || len(documents) != 2 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	path, about, err := Generate(ctx, dir, documents, Config{Entities: 300, Namesakes: 4, Memory: 16 << 20})
	if err != nil || about.Entities != 300 {
		t.Fatalf("%d entities, %v", about.Entities, err)
	}
	b, err := base.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r, err := Measure(ctx, documents, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Names < 10 || r.Candidates < 2 || r.Linked <= 0 || r.Linked > r.Tags {
		t.Errorf("%+v", r)
	}
	if _, err := Documents(filepath.Join(dir, "none.jsonl"), 1); err == nil {
		t.Error("a file that is not there was read")
	}
}
