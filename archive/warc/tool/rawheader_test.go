package tool

import (
	"strings"
	"testing"

	"varve/web/wire"
)

func TestRawHeader(t *testing.T) {
	const raw = "WARC/1.0\r\nWARC-Type: response\r\ncontent-length : 10\r\nX: a\r\n  folded\r\nY: b\r\n\r\n"
	h := parseRaw(raw)
	if h.String() != raw {
		t.Fatalf("unchanged header is %q", h)
	}
	h.set("Content-Length", "7")
	h.del("X")
	h.add("Note", "n")
	h.set("New", "v")
	const want = "WARC/1.0\r\nWARC-Type: response\r\ncontent-length : 7\r\nY: b\r\nNote: n\r\nNew: v\r\n\r\n"
	if h.String() != want {
		t.Errorf("got  %q\nwant %q", h, want)
	}
	lf := parseRaw("WARC/1.0\nA: b\n\n")
	lf.add("N", "v")
	if lf.String() != "WARC/1.0\nA: b\nN: v\n\n" {
		t.Errorf("line ends are not kept: %q", lf)
	}
}

// Editing a header never loses the fields that were not meant, and the edit can be read back.
func FuzzRawHeader(f *testing.F) {
	f.Add("WARC/1.0\r\nA: b\r\n c\r\n\r\n")
	f.Add("WARC/1.0\nA\n\n")
	f.Fuzz(func(t *testing.T, raw string) {
		end := wire.HeadEnd([]byte(raw))
		if end < 0 || !strings.HasPrefix(raw, "WARC/") || strings.HasPrefix(raw[strings.IndexByte(raw, '\n')+1:], " ") {
			return
		}
		raw = raw[:end]
		h := parseRaw(raw)
		if h.String() != raw {
			t.Fatalf("%q became %q", raw, h)
		}
		before := fieldsOf(raw)
		h.set("Content-Length", "42")
		h.add("Note", "x")
		after := fieldsOf(h.String())
		if after.Get("Content-Length") != "42" || after.Get("Note") == "" {
			t.Fatalf("%q: edit is lost in %q", raw, h)
		}
		for _, field := range before {
			if !strings.EqualFold(field.Name, "Content-Length") && !after.Has(field.Name) {
				t.Fatalf("%q: field %q is lost in %q", raw, field.Name, h)
			}
		}
	})
}

func fieldsOf(raw string) wire.Header {
	_, rest, _ := strings.Cut(raw, "\n")
	h, _ := wire.ParseFields(nil, rest, 2)
	return h
}
