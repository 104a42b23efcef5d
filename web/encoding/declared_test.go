package encoding_test

import (
	"io"
	"strings"
	"testing"

	"varve/web/encoding"
)

func TestOfHTML(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing", `<p>charset=koi8-r`, ""},
		{"charset", `<html><META CharSet='KOI8-R'>`, "koi8-r"},
		{"of old", `<meta content="text/html; charset=koi8-r" http-equiv=" Content-Type ">`, "koi8-r"},
		{"no semicolon", `<meta http-equiv=content-type content="text/html charset = koi8-r foo">`, "koi8-r"},
		{"quotes in quotes", `<meta http-equiv=content-type content="text/html; charset='koi8-r'">`, "koi8-r"},
		{"of another kind", `<meta name=description content="charset=koi8-r">`, ""},
		{"charset beats content", `<meta charset=koi8-r http-equiv=content-type content="text/html; charset=big5">`, "koi8-r"},
		{"first that is known", `<meta charset=klingon><meta charset=koi8-r><meta charset=big5>`, "koi8-r"},
		{"comment", `<!-- <meta charset=big5> --><meta charset=koi8-r>`, "koi8-r"},
		{"comment that ends at once", `<!--><meta charset=koi8-r>`, "koi8-r"},
		{"other name", `<metadata charset=big5><meta charset=koi8-r>`, "koi8-r"},
		{"xml declaration", `<?xml version="1.0" encoding="koi8-r"?><meta charset=big5>`, "koi8-r"},
		{"white space before it", "\r\n<?xml encoding = 'koi8-r'?>", "koi8-r"},
		{"xml declaration without it", `<?xml version="1.0"?><meta charset=koi8-r>`, "koi8-r"},
		{"utf-16 cannot be", `<meta charset=utf-16>`, "utf-8"},
		{"user defined", `<meta charset=x-user-defined>`, "windows-1252"},
		{"replacement", `<meta charset=hz-gb-2312><meta charset=koi8-r>`, "koi8-r"},
		{"cut off", `<meta charset="koi8-r`, ""},
		{"far", strings.Repeat(" ", 1500) + `<meta charset=koi8-r>`, "koi8-r"},
		{"too far", strings.Repeat(" ", 2040) + `<meta charset=koi8-r>`, ""},
	} {
		if got := encoding.OfHTML([]byte(c.body)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOfOthers(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"type", encoding.OfType(`text/html; x=1; Charset="Latin1"`), "windows-1252"},
		{"type without", encoding.OfType("text/html; x=charset"), ""},
		{"type with nonsense", encoding.OfType("text/html; charset=klingon"), ""},
		{"sheet", encoding.OfCSS([]byte(`@charset "koi8-r"; a{}`)), "koi8-r"},
		{"sheet that does not begin so", encoding.OfCSS([]byte(` @charset "koi8-r";`)), ""},
		{"xml", encoding.OfXML([]byte(`<?xml version='1.0' encoding='koi8-r'?><meta charset="big5"/>`)), "koi8-r"},
		{"xml without", encoding.OfXML([]byte(`<meta charset="big5"/>`)), ""},
		{"label", encoding.Name(" UTF8 "), "utf-8"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	for body, want := range map[string]string{"\xef\xbb\xbfa": "utf-8", "\xff\xfea": "utf-16le", "\xfe\xffa": "utf-16be", "a": ""} {
		if got, _ := encoding.BOM([]byte(body)); got != want {
			t.Errorf("mark of %q: %q, want %q", body, got, want)
		}
	}
}

func TestNewReader(t *testing.T) {
	r, err := encoding.NewReader("latin1", strings.NewReader("\xe4"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != "ä" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := encoding.NewReader("klingon", strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "klingon") {
		t.Errorf("unknown label: %v", err)
	}
}

// Whatever a document says, the answer is a name.
func FuzzOfHTML(f *testing.F) {
	f.Add([]byte(`<?xml encoding="koi8-r"?><!-- a --><meta charset=big5>`))
	f.Add([]byte(`<meta http-equiv=content-type content="text/html charset='big5'">`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, name := range []string{encoding.OfHTML(body), encoding.OfXML(body), encoding.OfCSS(body), encoding.OfType(string(body))} {
			if name != encoding.Name(name) {
				t.Errorf("%q says %q", body, name)
			}
		}
	})
}

// Who is believed: the byte order mark, then the transport, then the document.
func TestDeclared(t *testing.T) {
	const meta = `<meta charset=koi8-r>`
	for _, c := range []struct {
		body, typ, name string
		by              encoding.Source
		mark            int
	}{
		{"\xef\xbb\xbf" + meta, "text/html; charset=big5", "utf-8", encoding.Mark, 3},
		{"\xff\xfe", "", "utf-16le", encoding.Mark, 2},
		{meta, "text/html; charset=big5", "big5", encoding.Transport, 0},
		{meta, "text/html; charset=nonsense", "koi8-r", encoding.Document, 0},
		{meta, "text/html", "koi8-r", encoding.Document, 0},
		{"", "text/html", "", "", 0},
	} {
		if name, by, mark := encoding.Declared([]byte(c.body), c.typ, encoding.OfHTML); name != c.name || by != c.by || mark != c.mark {
			t.Errorf("%q, %q: %q by %q, %d bytes", c.body, c.typ, name, by, mark)
		}
	}
	if name, _, _ := encoding.Declared([]byte(meta), "", nil); name != "" {
		t.Errorf("a document that says nothing said %q", name)
	}
}
