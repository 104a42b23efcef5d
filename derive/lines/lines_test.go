package lines

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"varve/archive/catalog"
	"varve/archive/scan"
	"varve/archive/warc"
	"varve/derive"
	"varve/derive/job"
)

var at = time.Date(2024, 5, 6, 7, 8, 9, 123_000_000, time.UTC)

const page = `<!doctype html><html><head><title>On rivers</title><base href="http://a.test/x/"><meta name="generator" content="pen 2">
<link rel="stylesheet" href="/s.css"><script src="/s.js"></script></head><body><article><p>%s <a rel="nofollow" href="up.html">upstream</a> <img src="/i.png" alt="a river"></p></article></body></html>`

func fixture(t *testing.T) catalog.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "one.warc.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(kind, id, uri, mime, block string) {
		e := warc.New(kind, id, at, warc.Bytes(block)).With(warc.FieldContentType, mime)
		if uri != "" {
			e = e.With(warc.FieldTargetURI, uri)
		}
		if err := enc.Encode(f, e); err != nil {
			t.Fatal(err)
		}
	}
	put(warc.TypeWarcinfo, "<urn:i>", "", warc.ContentTypeFields, "software: test\r\nisPartOf: c1\r\n")
	html := fmt.Sprintf(page, strings.Repeat("The river flows through the valley and the people of the town like it. ", 6))
	put(warc.TypeResponse, "<urn:r>", "http://a.test/p", warc.ContentTypeResponse, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nX-A: 1\r\nX-A: 2\r\n\r\n"+html)
	put(warc.TypeRequest, "<urn:q>", "http://a.test/p", warc.ContentTypeRequest, "GET /p HTTP/1.1\r\nHost: a.test\r\n\r\n")
	put(warc.TypeMetadata, "<urn:m>", "http://a.test/p", warc.ContentTypeFields, "hopsFromSeed: L\r\n")
	put(warc.TypeResponse, "<urn:n>", "http://a.test/i.png", warc.ContentTypeResponse, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return catalog.File{Name: "one.warc.gz", Path: path, Kind: catalog.KindWARC}
}

func read(t *testing.T, path string) (out []map[string]any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	for in.Scan() {
		var m map[string]any
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// get walks through a line by names and places.
func get(v any, path ...any) any {
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

func TestExport(t *testing.T) {
	file := fixture(t)
	parts, err := derive.Parts([]catalog.File{file})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	export := func(wet bool) *Report {
		t.Helper()
		e := &Export{WAT: true, WET: wet}
		if _, err := derive.Run(t.Context(), job.Config{Dir: dir}, []catalog.File{file}, derive.Options{More: e.Jobs()}); err != nil {
			t.Fatal(err)
		}
		rep, err := e.Report(dir, parts)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	rep := export(true)
	if rep.Written != 2 || rep.Lines != 6 || rep.Files != 2 {
		t.Fatalf("%+v", rep)
	}
	wat := read(t, filepath.Join(dir, "wat", "one.warc.gz.wat.jsonl.gz"))
	if len(wat) != 5 {
		t.Fatalf("%d lines", len(wat))
	}
	response := []any{"Envelope", "Payload-Metadata", "HTTP-Response-Metadata"}
	for _, c := range []struct {
		line int
		path []any
		want any
	}{
		{0, []any{"Envelope", "Payload-Metadata", "WARC-Info-Metadata", 1, "Value"}, "c1"},
		{1, []any{"Container", "Filename"}, "one.warc.gz"},
		{1, []any{"Envelope", "Format"}, "WARC"},
		{1, []any{"Envelope", "WARC-Header-Metadata", "WARC-Target-URI"}, "http://a.test/p"},
		{1, []any{"Envelope", "WARC-Header-Metadata", "WARC-Record-ID"}, "<urn:r>"},
		{1, append(response, "Response-Message", "Status"), "200"},
		{1, append(response, "Headers", "X-A"), "1, 2"},
		{1, append(response, "HTML-Metadata", "Head", "Title"), "On rivers"},
		{1, append(response, "HTML-Metadata", "Head", "Base"), "http://a.test/x/"},
		{1, append(response, "HTML-Metadata", "Head", "Metas", 0, "content"), "pen 2"},
		{1, append(response, "HTML-Metadata", "Head", "Link", 0, "path"), "LINK@/href"},
		{1, append(response, "HTML-Metadata", "Head", "Link", 0, "url"), "/s.css"},
		{1, append(response, "HTML-Metadata", "Head", "Scripts", 0, "url"), "/s.js"},
		{1, append(response, "HTML-Metadata", "Links", 0, "path"), "A@/href"},
		{1, append(response, "HTML-Metadata", "Links", 0, "url"), "up.html"},
		{1, append(response, "HTML-Metadata", "Links", 0, "text"), "upstream"},
		{1, append(response, "HTML-Metadata", "Links", 0, "rel"), "nofollow"},
		{1, append(response, "HTML-Metadata", "Links", 1, "path"), "IMG@/src"},
		{2, []any{"Envelope", "Payload-Metadata", "HTTP-Request-Metadata", "Request-Message", "Path"}, "/p"},
		{3, []any{"Envelope", "Payload-Metadata", "WARC-Metadata-Metadata", "Metadata-Records", 0, "Name"}, "hopsFromSeed"},
		{4, append(response, "Entity-Length"), "3"},
		{4, append(response, "HTML-Metadata"), nil},
	} {
		if got := get(wat[c.line], c.path...); got != c.want {
			t.Errorf("line %d %v: %v, want %v", c.line, c.path, got, c.want)
		}
	}
	wet := read(t, filepath.Join(dir, "wet", "one.warc.gz.wet.jsonl.gz"))
	if len(wet) != 1 || wet[0]["WARC-Type"] != "conversion" || wet[0]["WARC-Target-URI"] != "http://a.test/p" || wet[0]["WARC-Identified-Content-Language"] != "en" ||
		wet[0]["WARC-Date"] != "2024-05-06T07:08:09.123Z" || !strings.Contains(wet[0]["text"].(string), "flows through the valley") || wet[0]["Content-Length"] != fmt.Sprint(len(wet[0]["text"].(string))) {
		t.Errorf("%v", wet)
	}
	if again := export(true); again.Written != 0 || again.Bytes != rep.Bytes {
		t.Errorf("%+v", again)
	}
	if err := os.Chtimes(file.Path, time.Time{}, time.Now()); err != nil { // the bytes count
		t.Fatal(err)
	}
	if same := export(false); same.Written != 0 || same.Files != 1 {
		t.Errorf("%+v", same)
	}
}

func FuzzWAT(f *testing.F) {
	f.Add([]byte("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nWARC-Target-URI: http://a/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 60\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>y</a>\r\n\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "f.warc")
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_ = scan.File(t.Context(), path, scan.Options{Name: "f.warc", Policy: warc.Silent()}, &scan.Task{Mapper: Mapper()})
	})
}
