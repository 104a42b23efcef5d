package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
)

// runWacz runs a command of `varve wacz` and gives what it printed.
func runWacz(args ...string) (string, error) {
	c := newWaczCommand()
	var out bytes.Buffer
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(context.Background())
	return out.String(), err
}

func writeTestWARC(t *testing.T, name string) {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Home</title>hi"
	e := warc.New(warc.TypeResponse, "<urn:uuid:00000000-0000-4000-8000-000000000001>", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), warc.Bytes(block))
	e.With(warc.FieldTargetURI, "http://example.com/").With(warc.FieldContentType, warc.ContentTypeResponse)
	if err := enc.Encode(&b, e); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A WARC file goes into a package and comes out of it; what is damaged is told by the exit code.
func TestWaczCommands(t *testing.T) {
	dir := t.TempDir()
	in, out, logs := filepath.Join(dir, "a.warc.gz"), filepath.Join(dir, "a.wacz"), filepath.Join(dir, "logs")
	writeTestWARC(t, in)
	if err := errors.Join(os.Mkdir(logs, 0o755), os.WriteFile(filepath.Join(logs, "x.log"), []byte("log"), 0o644)); err != nil {
		t.Fatal(err)
	}
	text, err := runWacz("export", out, in, "--title", "Test", "--seed", "http://example.com/", "--extra", "logs="+logs, "--created", "2026-01-03T00:00:00Z")
	if err != nil || !strings.Contains(text, "1 capture, 1 page") {
		t.Fatalf("export: %q, %v", text, err)
	}
	if _, err := runWacz("export", out, in); varve.KindOf(err) != varve.Conflict {
		t.Errorf("export over a file: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*wacz-*")); len(left) > 0 {
		t.Errorf("temporary files %v", left)
	}
	if text, err := runWacz("check", "--all", "--deep", out); err != nil || !strings.Contains(text, "valid") {
		t.Errorf("check: %q, %v", text, err)
	}
	var info waczInfo
	text, err = runWacz("info", "--json", out)
	if err := errors.Join(err, json.Unmarshal([]byte(text), &info)); err != nil || info.Manifest.Title != "Test" || info.Manifest.MainPageURL != "http://example.com/" {
		t.Errorf("info: %q, %v", text, err)
	}
	checkWaczImport(t, dir, in, out)
	damageWacz(t, out)
}

func checkWaczImport(t *testing.T, dir, in, out string) {
	t.Helper()
	collection := filepath.Join(dir, "news")
	if err := errors.Join(os.Mkdir(collection, 0o755), os.WriteFile(filepath.Join(collection, "collection.toml"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"written", "present"} {
		if text, err := runWacz("import", out, collection); err != nil || !strings.Contains(text, want) {
			t.Errorf("import: %q, %v; want %s", text, err, want)
		}
	}
	a, err1 := os.ReadFile(in)
	b, err2 := os.ReadFile(filepath.Join(collection, "warc", "a.warc.gz"))
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the imported file differs: %v", err)
	}
	if text, err := runWacz("import", "--all", out, filepath.Join(dir, "all")); err != nil || !strings.Contains(text, filepath.Join("logs", "x.log")) {
		t.Errorf("import --all: %q, %v", text, err)
	}
}

// A folder in its place in an archive is a collection, with a definition or without; a crawl that runs there keeps others out.
func TestWaczImportLocks(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.warc.gz"), filepath.Join(dir, "a.wacz")
	writeTestWARC(t, in)
	if text, err := runWacz("export", out, in); err != nil {
		t.Fatal(text, err)
	}
	col, err := catalog.Open(filepath.Join(dir, "archive")).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := col.Lock("a crawl")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := runWacz("import", out, col.Dir()); varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "a crawl") {
		t.Errorf("into a locked collection: %q, %v", text, err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if text, err := runWacz("import", out, col.Dir()); err != nil {
		t.Error(text, err)
	}
	if _, err := os.Stat(filepath.Join(col.WarcDir(), "a.warc.gz")); err != nil {
		t.Error(err)
	}
}

func damageWacz(t *testing.T, out string) {
	t.Helper()
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	b[60] ^= 1 // in the WARC file, which comes first
	bad := filepath.Join(filepath.Dir(out), "bad.wacz")
	if err := os.WriteFile(bad, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := runWacz("check", "--json", bad); !errors.Is(err, varve.ErrFindings) || !strings.Contains(text, `"rule":"corrupt"`) {
		t.Errorf("check of a damaged package: %q, %v", text, err)
	}
	if err := os.WriteFile(bad, []byte("no zip"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := runWacz("check", bad); varve.KindOf(err) != varve.Invalid {
		t.Errorf("check of something else: %v", err)
	}
}
