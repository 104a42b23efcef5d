package unitspeed

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/language"
)

const text = "Angela Merkel met Barack Obama in Berlin on Monday. It was a wonderful day, said the minister."

// Every unit has its cost, beside the splitter, whose own is 1.
func TestMeasure(t *testing.T) {
	r, err := Measure(t.Context(), []string{text, strings.Repeat(text+" ", 20)}, 2)
	if err != nil || r.Texts != 2 || r.Tokens != 21*20 || len(r.Units) != len(language.Units()) || r.HeapMB == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, c := range r.Units {
		if c.Speed <= 0 || c.Times <= 0 || c.Unit == language.Sentences && c.Times != 1 {
			t.Errorf("%+v", c)
		}
	}
	var b bytes.Buffer
	if err := r.Print(&b); err != nil || strings.Count(b.String(), "\n") != len(r.Units)+3 {
		t.Errorf("%s, %v", b.String(), err)
	}
	if _, err := Measure(t.Context(), nil, 1); err == nil {
		t.Error("nothing was measured")
	}
}

// A WARC file is derived with the units and without.
func TestDerive(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.warc.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html lang=en><body><p>" + strings.Repeat(text+" ", 5)
	e := warc.New(warc.TypeResponse, "<urn:uuid:1>", time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC), warc.Bytes(block)).With(warc.FieldTargetURI, "http://a.test/").With(warc.FieldContentType, warc.ContentTypeResponse)
	if err := enc.Encode(f, e); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := Derive(t.Context(), dir, []string{path, path}, 1) // two collections may have files of one name
	if err != nil || d.Files != 2 || d.With <= 0 || d.Without <= 0 || d.Ratio <= 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "derived")); !os.IsNotExist(err) {
		t.Error("the tables were left")
	}
}
