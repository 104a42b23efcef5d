package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/archive/warc"
)

// Speeches become captures of their years; what is no speech is refused with its line.
func TestSpeeches(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	lines := `{"state":"AUS","session":35,"year":1980,"text":"I <warmly> thank you.\nWe agree."}` + "\n" + `{"state":"FRA","session":36,"year":1981,"text":"Later."}` + "\n" + `{"state":"FRA","session":35,"year":1980,"text":""}` + "\n"
	if err := os.WriteFile(in, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n, err := writeSpeeches(&out, []string{in}, 1980, 1980)
	if err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	r, err := warc.NewReader(&out, warc.Options{Name: "out"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if rec, err := r.Next(); err != nil || rec.Type() != warc.TypeWarcinfo {
		t.Fatalf("%v", err)
	}
	rec, err := r.Next()
	if err != nil || rec.TargetURI() != "http://aus.debate.test/1980" {
		t.Fatalf("%v", err)
	}
	if at, err := rec.Date(); err != nil || at.Year() != 1980 {
		t.Errorf("%v, %v", at, err)
	}
	if _, err := rec.HTTP(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(in, []byte(lines+"no speech\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := writeSpeeches(&bytes.Buffer{}, []string{in}, 1980, 1980); err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("%v", err)
	}
}
