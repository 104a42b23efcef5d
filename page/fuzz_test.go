package page_test

import (
	"encoding/json"
	"testing"

	"varve/page"
	"varve/text/layer"
)

// Whatever the bytes are, reading them ends, is the same each time and finds a page equal to itself on all layers; and
// the body is not touched.
func FuzzOf(f *testing.F) {
	f.Add("text/html", []byte(article("<script>var t=1763184000123</script>", "<!-- x --><svg><a/></svg>")))
	f.Add("", []byte("<!doctype html><p a=1 a='2' nonce"))
	f.Add("text/html; charset=utf-16", []byte("\xff\xfe<\x00p\x00>\x00"))
	f.Add("application/pdf", []byte("%PDF-1.4"))
	r := page.NewReader()
	f.Fuzz(func(t *testing.T, mime string, body []byte) {
		in := page.Input{URL: "http://h.example/", MIME: mime, Body: append(make([]byte, 0, len(body)+8), body...)}
		d := r.Of(in, layer.All)
		if e := page.Of(in, layer.All); e != d {
			t.Fatalf("a fresh reader finds %+v, a used one %+v", e, d)
		}
		if c := layer.Compare(&d, &d, layer.Config{}); c.Equal != layer.All || c.Defect != "" {
			t.Fatalf("not equal to itself: %+v", c)
		}
		if string(in.Body) != string(body) {
			t.Fatal("the body was changed")
		}
	})
}

// Digests are read from JSON that others may have written: no panic, and what is read is written as it was.
func FuzzDigests(f *testing.F) {
	d := page.Of(page.Input{URL: "http://h.example/", MIME: "text/html", Body: []byte(article("", ""))}, layer.All)
	b, err := json.Marshal(d)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"bytes":"sha256:00","near":"near:AA"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var d, again layer.Digests
		if json.Unmarshal(data, &d) != nil {
			return
		}
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &again); err != nil || again != d {
			t.Fatalf("%s became %+v, then %+v (%v)", data, d, again, err)
		}
	})
}
