package wacz

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"varve/archive/warc"
)

// tight keeps a fuzzer from measuring how long large things take.
var tight = Limits{Directory: 1 << 20, Manifest: 1 << 20, Idx: 1 << 20, Line: 1 << 20, Unpacked: 4 << 20, Findings: 100, Nested: 1}

// Whatever the bytes are: opening, checking, looking up and unpacking end, and write only below
// the directory.
func FuzzOpen(f *testing.F) {
	good, _ := build(f, Config{Title: "x", BlockLines: 4, Seeds: []string{"http://example.com"}}, packed{"a.warc.gz", site(f, warc.Packing{})})
	f.Add(good)
	f.Add(rezip(f, good, replace(PagesPath, "ts", "xx")))
	f.Add(rezip(f, emptyZip(f), nil, packed{ManifestPath, []byte(`{"profile":"multi-wacz","resources":[{"path":"a.wacz"}]}`)}, packed{"a.wacz", good}))
	f.Add(emptyZip(f))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Open("fuzz", bytes.NewReader(data), int64(len(data)), tight)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		rep, err := Check(ctx, p, CheckOptions{Records: -1, Deep: true, Dir: dir})
		if err == nil {
			if _, err := json.Marshal(rep); err != nil {
				t.Fatal(err)
			}
		}
		for r, err := range p.Lookup("http://example.com/") {
			if err != nil {
				break
			}
			if _, in, err := p.Record(r, warc.Options{Policy: warc.Silent()}); err == nil {
				in.Close()
			}
		}
		to, err := os.MkdirTemp(dir, "out")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(to)
		root, err := os.OpenRoot(to)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		_ = p.Unpack(ctx, root, UnpackOptions{All: true, Force: true})
	})
}

// A manifest that can be read can be written, and then read the same.
func FuzzDatapackage(f *testing.F) {
	f.Add([]byte(`{"profile":"data-package","wacz_version":"1.1.1","resources":[{"name":"a","path":"a","hash":"sha256:00","bytes":1}]}`))
	f.Add([]byte(`{"resources":[{"path":"a","stats":{"hash":"00","bytes":1},"hashing":"sha256"}],"metadata":{"title":"x"},"home":{"url":"u"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(data)
		if err != nil {
			return
		}
		b, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseManifest(b)
		if err != nil {
			t.Fatalf("%v in %s", err, b)
		}
		c, err := again.Encode()
		if err != nil || !bytes.Equal(b, c) {
			t.Fatalf("%s\n%s %v", b, c, err)
		}
		for _, r := range m.Resources {
			_, _, _ = parseHash(r.Hash)
		}
		if d, err := ParseDigestFile(data); err == nil {
			VerifySignature(data, d, Trust{})
		}
	})
}

func FuzzPages(f *testing.F) {
	f.Add([]byte(`{"format":"json-pages-1.0","id":"pages","title":"All Pages"}` + "\n" + `{"url":"u","ts":"2026-01-01T00:00:00Z"}`))
	f.Add([]byte("\r\n\n{}\n[]\nnull"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for p, err := range ReadPages(bytes.NewReader(data), 1<<16) {
			if err == nil && (p.URL == "" || p.TS == "") {
				t.Fatalf("an empty page: %+v", p)
			}
		}
	})
}

// Signatures come from strangers: certificates and stamps of any form must not do harm.
func FuzzStamp(f *testing.F) {
	f.Add([]byte{0x30, 3, 2, 1, 0})
	f.Add(makeStamp(f, newAuthority(f).key, "x", testTime))
	f.Fuzz(func(t *testing.T, der []byte) {
		s, err := parseStamp(der)
		if err != nil {
			return
		}
		for _, c := range s.certs {
			_, _ = s.signedBy(c)
		}
	})
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte("<title>x</title><p>y"), "text/html")
	f.Add([]byte("<svg><title>x</title></svg>"), "text/html; charset=utf-16")
	f.Fuzz(func(t *testing.T, data []byte, contentType string) {
		title, text := readHTML(bytes.NewReader(data), contentType, true)
		if len(title) > maxTitle || len(text) > maxText {
			t.Fatalf("%d, %d bytes", len(title), len(text))
		}
	})
}
