package cli

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/archive/catalog"
	"varve/crawl"
)

// A crawl with the filter says at its start which labels do not count; sound ones are no reason to say anything.
func TestSpamFilterTellsOfBadLabels(t *testing.T) {
	col, err := catalog.Open(t.TempDir()).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(col.Dir(), "labels"), 0o755); err != nil {
		t.Fatal(err)
	}
	const sound = `{"format":"varve-spam-labels","version":1}
{"host":"a.example","label":"spam","who":"eva","when":"2026-11-15T09:00:00Z"}
`
	for text, want := range map[string]string{sound: "", sound + "damaged\n": "line 3"} {
		if err := os.WriteFile(filepath.Join(col.Dir(), "labels", "spam.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		if _, err := spamFilter(col, crawl.SpamRules{SpamModel: "/none"}, slog.New(slog.NewTextHandler(&told, nil))); err == nil {
			t.Fatal("there is no such model")
		}
		if got := told.String(); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("said %q, want %q", got, want)
		}
	}
}
