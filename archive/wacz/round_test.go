package wacz

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/web/canon"
)

// Every capture that goes in comes out through the index, byte for byte.
func TestRoundTrip(t *testing.T) {
	for _, p := range []warc.Packing{{}, {Kind: warc.Plain}, {Kind: warc.Zstd}, {Kind: warc.Zstd, Dictionary: nil}} {
		t.Run(string(p.Kind), func(t *testing.T) {
			data := site(t, p)
			pkg, sum := build(t, Config{Title: "A site", Software: "test", BlockLines: 3, Workers: 2}, packed{"crawl" + p.Extension(), data})
			rep := mustBeValid(t, pkg)
			want := captures(t, data)
			if sum.Captures != int64(len(want)) || rep.Captures != sum.Captures || rep.Looked != sum.Captures {
				t.Fatalf("%d captures went in, %d came out, %d in the check", len(want), sum.Captures, rep.Captures)
			}
			compareCaptures(t, open(t, pkg), want)
		})
	}
}

// captures reads the records of a WARC file that an index lists: block by offset.
func captures(t *testing.T, data []byte) map[int64]string {
	r, err := warc.NewReader(bytes.NewReader(data), warc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]string{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch rec.Type() {
		case warc.TypeResponse, warc.TypeRevisit, warc.TypeResource:
			b, err := io.ReadAll(rec.Block)
			if err != nil {
				t.Fatal(err)
			}
			out[rec.Offset] = rec.Raw + string(b)
		}
	}
}

func compareCaptures(t *testing.T, p *Package, want map[int64]string) {
	t.Helper()
	for c, err := range p.Range("", "") {
		if err != nil {
			t.Fatal(err)
		}
		rec, r, err := p.Record(c, warc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		if want[c.Offset] != rec.Raw+string(b) {
			t.Errorf("%s at %d differs", c.URL, c.Offset)
		}
		if n, err := rec.Finish(); err != nil || n != c.Length {
			t.Errorf("%s: %d bytes (%v), the index says %d", c.URL, n, err, c.Length)
		}
		r.Close()
		delete(want, c.Offset)
	}
	if len(want) > 0 {
		t.Errorf("%d captures are not in the index", len(want))
	}
}

func TestLookup(t *testing.T) {
	pkg, _ := build(t, Config{BlockLines: 2}, packed{"a.warc.gz", site(t, warc.Packing{})}, packed{"b.warc.gz", site(t, warc.Packing{})})
	p := open(t, pkg)
	cases := []struct {
		url  string
		want []string // mime, in order of time
	}{
		{"http://example.com/START", []string{"text/html", "text/html", "warc/revisit", "warc/revisit"}},
		{"https://www.example.com/style.css", []string{"text/css", "text/css"}},
		{"https://www.example.com/api", nil}, // only by the key of its POST
		{"https://www.example.com/nothing", nil},
	}
	for _, c := range cases {
		var got []string
		for r, err := range p.Lookup(c.url) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.MIME)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.url, got, c.want)
		}
	}
}

// Answers to POST are told apart by what was posted, whichever of the two records comes first.
func TestPostKeys(t *testing.T) {
	pkg, _ := build(t, Config{}, packed{"a.warc.gz", site(t, warc.Packing{})})
	p := open(t, pkg)
	for _, c := range []struct{ contentType, body, want string }{
		{"application/x-www-form-urlencoded", "q=one", `{"n":1}`},
		{"application/json", `{"q":"two"}`, `{"n":2}`},
	} {
		key, body := canon.RequestKey("POST", "https://www.example.com/api", c.contentType, []byte(c.body))
		var got []string
		for r, err := range p.Range(key+" ", key+"!") {
			if err != nil {
				t.Fatal(err)
			}
			method, _ := r.Get("method")
			requestBody, _ := r.Get("requestBody")
			if method != "POST" || requestBody != body {
				t.Errorf("method %q, body %q, want %q", method, requestBody, body)
			}
			got = append(got, content(t, p, r))
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}

func content(t *testing.T, p *Package, c cdxj.Record) string {
	t.Helper()
	rec, r, err := p.Record(c, warc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	in, err := rec.Content()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A revisit leads to its original through the index alone.
func TestOriginals(t *testing.T) {
	pkg, _ := build(t, Config{}, packed{"a.warc.gz", site(t, warc.Packing{})})
	p := open(t, pkg)
	for c, err := range p.Lookup("https://www.example.com/start") {
		if err != nil {
			t.Fatal(err)
		}
		if !c.IsRevisit() {
			continue
		}
		rec, r, err := p.Record(c, warc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		ref, step, ok := warc.Resolve(rec, c.Key, p.Originals())
		if !ok || step != warc.StepURIDate || ref.File != "a.warc.gz" {
			t.Errorf("original %+v by %s: %t", ref, step, ok)
		}
		ref2, ok := p.Originals().ByKeyDigest(c.Key, c.Digest, testTime.Add(1000e9))
		if !ok || ref2.Offset != ref.Offset {
			t.Errorf("by key and digest: %+v", ref2)
		}
	}
}

// The same input at the same time gives the same bytes, with any number of workers.
func TestDeterministic(t *testing.T) {
	data := site(t, warc.Packing{})
	cfg := Config{Title: "x", Seeds: []string{"http://example.com"}, Text: true, Workers: 1}
	a, _ := build(t, cfg, packed{"a.warc.gz", data})
	cfg.Workers = 4
	b, _ := build(t, cfg, packed{"a.warc.gz", data})
	if !bytes.Equal(a, b) {
		t.Error("two packages of the same input differ")
	}
}

func TestUnpack(t *testing.T) {
	data := site(t, warc.Packing{})
	pkg, _ := build(t, Config{}, packed{"a.warc.gz", data})
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, want := range []string{UnpackWritten, UnpackPresent} {
		var got []Unpacked
		err := open(t, pkg).Unpack(context.Background(), root, UnpackOptions{OnFile: func(u Unpacked) { got = append(got, u) }})
		if err != nil || len(got) != 1 || got[0].Outcome != want || got[0].Name != "a.warc.gz" {
			t.Fatalf("%+v, %v; want %s", got, err, want)
		}
	}
	if b, err := os.ReadFile(dir + "/a.warc.gz"); err != nil || !bytes.Equal(b, data) {
		t.Errorf("the file differs (%v)", err)
	}
	if err := os.WriteFile(dir+"/a.warc.gz", []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{UnpackWritten, UnpackPresent} {
		var got []Unpacked
		err := open(t, pkg).Unpack(context.Background(), root, UnpackOptions{OnFile: func(u Unpacked) { got = append(got, u) }})
		sum := sha256.Sum256(data)
		if name := hex.EncodeToString(sum[:4]) + "-a.warc.gz"; err != nil || len(got) != 1 || got[0].Outcome != want || got[0].Name != name {
			t.Errorf("a name that is taken: %+v, %v; want %s", got, err, want)
		}
	}
	if b, err := os.ReadFile(dir + "/a.warc.gz"); err != nil || string(b) != "other" {
		t.Errorf("the other file is now %.20q, %v", b, err)
	}
	if err := open(t, pkg).Unpack(context.Background(), root, UnpackOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/archive/a.warc.gz", []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := open(t, pkg).Unpack(context.Background(), root, UnpackOptions{All: true}); !errors.Is(err, os.ErrExist) {
		t.Errorf("an existing file gave %v", err)
	}
}

// What the format cannot hold is refused with the reason, and leaves no temporary file.
func TestRefused(t *testing.T) {
	arc := "filedesc://a.arc 0.0.0.0 20260101000000 text/plain 9\n1 0 t\nURL\n\nhttp://e.com/ 1.2.3.4 20260101000000 text/html 19\nHTTP/1.0 200 OK\n\nhi\n\n"
	cases := []struct {
		name string
		data string
		want string
	}{
		{"old.arc", arc, "ARC"},
		{"../..", "WARC/1.0\r\n", "no name"},
	}
	for _, c := range cases {
		dir := t.TempDir()
		w, err := NewWriter(io.Discard, Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		err = w.AddWARC(context.Background(), c.name, strings.NewReader(c.data), int64(len(c.data)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, again := w.Finish(context.Background()); again == nil {
			t.Errorf("%s: Finish after a failure", c.name)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: temporary files were left", c.name)
		}
	}
}
