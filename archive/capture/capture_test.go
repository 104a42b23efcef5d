package capture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
)

// Requests find their answers by name at a distance, and by place only when nobody is named.
func TestWindow(t *testing.T) {
	var out []*Note
	w := NewWindow(func(n *Note) error { out = append(out, n); return nil })
	answer := &Note{ID: "r1", URI: "u", Capture: true}
	add := func(n *Note) {
		if err := w.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	add(answer)
	for i := range 200 {
		add(&Note{ID: fmt.Sprint("x", i), URI: fmt.Sprint(i), Capture: true})
	}
	far := &Note{ID: "q1", URI: "u", Request: true, Peers: []string{"r1"}, Key: "posted", Method: "POST", Body: "a=b"}
	add(far)
	first := &Note{ID: "q2", URI: "v", Request: true, Peers: []string{"r2"}} // names an answer that comes later
	add(first)
	late := &Note{ID: "r2", URI: "v", Capture: true}
	add(late)
	other := &Note{ID: "q3", URI: "v", Request: true, Peers: []string{"r9"}} // belongs to somebody else
	add(other)
	near := &Note{ID: "r3", URI: "w", Capture: true}
	add(near)
	mine := &Note{ID: "q4", URI: "w", Request: true}
	add(mine)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if answer.Asked != far || late.Asked != first || near.Asked != mine {
		t.Errorf("pairs: %v %v %v", answer.Asked, late.Asked, near.Asked)
	}
	if got, _ := answer.CDX.Get("requestBody"); answer.CDX.Key != "posted" || got != "a=b" {
		t.Errorf("the answer to a POST: %+v", answer.CDX)
	}
	if len(out) != 203 || len(w.byID) != 0 || len(w.wanted) != 0 {
		t.Errorf("%d came out; %d and %d are left", len(out), len(w.byID), len(w.wanted))
	}
}

var at = time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC)

// scan packs records as a file and gives its index lines.
func scan(t *testing.T, n *Noter, entries ...*warc.Entry) string {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, e := range entries {
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	f, err := warc.NewFile("x.warc.gz", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	keep := func(r *cdxj.Record) error {
		r.Offset, r.Length, r.Digest = cdxj.Unknown, cdxj.Unknown, ""
		out = append(out, string(cdxj.Format{}.Append(nil, r)))
		return nil
	}
	win := NewWindow(func(n *Note) error { return keep(&n.CDX) })
	opts := warc.Options{Policy: warc.Silent()}
	if n == nil {
		n = &Noter{File: "x.warc.gz"}
	}
	if err = warc.Scan(t.Context(), f, opts, 1, n.Note, win.Add); err == nil {
		err = win.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

func entry(kind, uri, contentType, block string) *warc.Entry {
	return warc.New(kind, "<urn:"+kind+uri+">", at, warc.Bytes(strings.ReplaceAll(block, "\n", "\r\n"))).
		With(warc.FieldTargetURI, uri).With(warc.FieldContentType, contentType)
}

func TestNotes(t *testing.T) {
	const http = warc.ContentTypeResponse
	for _, c := range []struct {
		name string
		e    *warc.Entry
		want string
	}{
		{"an answer", entry("response", "http://e.example/", http, "HTTP/1.1 200 OK\nContent-Type: text/html; charset=x\n\nhi"), `{"url": "http://e.example/", "mime": "text/html", "status": "200", "filename": "x.warc.gz"}`},
		{"a redirect", entry("response", "http://e.example/a", http, "HTTP/1.1 302 Found\nLocation: b?c\n\n"), `{"url": "http://e.example/a", "status": "302", "filename": "x.warc.gz", "redirect": "http://e.example/b?c"}`},
		{"a date", entry("response", "http://e.example/", http, "HTTP/1.1 200 OK\nLast-Modified: Mon, 06 Apr 2020 00:00:00 GMT\n\n"), `{"url": "http://e.example/", "status": "200", "filename": "x.warc.gz", "modified": "20200406000000"}`},
		{"a date of now", entry("response", "http://e.example/", http, "HTTP/1.1 200 OK\nDate: Wed, 06 May 2020 07:08:10 GMT\nLast-Modified: Wed, 06 May 2020 07:08:08 GMT\n\n"), `{"url": "http://e.example/", "status": "200", "filename": "x.warc.gz"}`},
		{"a date of tomorrow", entry("response", "http://e.example/", http, "HTTP/1.1 200 OK\nLast-Modified: Thu, 07 May 2020 00:00:00 GMT\n\n"), `{"url": "http://e.example/", "status": "200", "filename": "x.warc.gz"}`},
		{"cut off", entry("response", "http://e.example/", http, "HTTP/1.1 200 OK\n\nab").With(warc.FieldTruncated, "length"), `{"url": "http://e.example/", "status": "200", "filename": "x.warc.gz", "truncated": "length"}`},
		{"304", entry("revisit", "http://e.example/", http, "HTTP/1.1 304 Not Modified\nETag: W/\"1\"\n\n").With(warc.FieldProfile, warc.ProfileNotModified).With(warc.FieldRefersToURI, "http://e.example/old"), `{"url": "http://e.example/", "mime": "warc/revisit", "status": "304", "filename": "x.warc.gz", "refersUrl": "http://e.example/old", "notModified": "weak"}`},
		{"a resource", entry("resource", "urn:text:x", "text/plain", "abc"), `{"url": "urn:text:x", "mime": "text/plain", "filename": "x.warc.gz"}`},
		{"no HTTP where it should be", entry("response", "http://e.example/", http, "abc"), `{"url": "http://e.example/", "filename": "x.warc.gz"}`},
		{"a request alone", entry("request", "http://e.example/", warc.ContentTypeRequest, "GET / HTTP/1.1\n\n"), ""},
		{"metadata", entry("metadata", "http://e.example/", warc.ContentTypeFields, "via: x\n"), ""},
		{"metadata of Heritrix 1", entry("metadata", "http://e.example/", "text/anvl", "via: x\nhopsFromSeed: L\n"), ""},
		{"metadata of Heritrix 1 with a charset", entry("metadata", "http://e.example/", "text/anvl; charset=utf-8", "via: x\n"), ""},
		{"metadata in JSON", entry("metadata", "http://e.example/", "application/json", `{"links": []}`), ""},
		{"metadata without a type", entry("metadata", "http://e.example/", "", "via: x\n"), ""},
		{"metadata that was made a resource", entry("resource", "http://e.example/", "text/anvl", "via: x\n"), ""},
		{"a resource in JSON", entry("resource", "http://e.example/", "application/json", `{}`), `{"url": "http://e.example/", "mime": "application/json", "filename": "x.warc.gz"}`},
		{"no address", entry("response", "", http, "HTTP/1.1 200 OK\n\n"), ""},
	} {
		got := scan(t, nil, c.e)
		if _, json, _ := strings.Cut(got, " {"); got != "" && "{"+json != c.want || got == "" && c.want != "" {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestBareNotes(t *testing.T) {
	got := scan(t, &Noter{File: "f", Bare: true}, entry("response", "http://e.example/a", warc.ContentTypeResponse, "HTTP/1.1 302 Found\nLocation: b\n\n"))
	if strings.Contains(got, "redirect") {
		t.Error(got)
	}
}

// The way from the seed is read from the metadata of Heritrix 1 too.
func TestHopsOfOldMetadata(t *testing.T) {
	var hops []string
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	answer := entry("response", "http://e.example/", warc.ContentTypeResponse, "HTTP/1.1 200 OK\n\n")
	for _, e := range []*warc.Entry{answer, entry("metadata", "http://e.example/", "text/anvl", "via: x\nhopsFromSeed: LE\n").With(warc.FieldConcurrentTo, "<urn:responsehttp://e.example/>")} {
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	f, err := warc.NewFile("x.warc.gz", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	win := NewWindow(func(n *Note) error { hops = append(hops, n.Hops); return nil })
	if err := warc.Scan(t.Context(), f, warc.Options{Policy: warc.Silent()}, 1, (&Noter{}).Note, win.Add); err != nil {
		t.Fatal(err)
	}
	if err := win.Flush(); err != nil || len(hops) != 1 || hops[0] != "LE" {
		t.Errorf("%q, %v", hops, err)
	}
}
