package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/archive/warc"
)

func extractor(t *testing.T, opts ExtractOptions, inputs ...*Input) *Extractor {
	t.Helper()
	opts.Selection.Offset = -1
	opts.MaxSize, opts.MaxFiles, opts.MaxTotal = 1<<20, 1000, 1<<30
	x, err := NewExtractor(context.Background(), inputs, opts)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A revisit in one file gets its body from another; the nearest capture is chosen.
func TestExtractOne(t *testing.T) {
	a := testResponse(0, "http://example.com/", []byte("first"))
	b := testResponse(10, "https://www.example.com/", []byte("second"))
	one, _ := packed(t, warc.Packing{}, a, b)
	two, _ := packed(t, warc.Packing{Kind: warc.Plain}, testRevisit(20, a))
	x := extractor(t, ExtractOptions{}, input(t, "one", one), input(t, "two", two))
	for _, c := range []struct {
		want Wanted
		body string
		step string
	}{
		{Wanted{Offset: -1, URL: "http://example.com/"}, "first", "uri-date"}, // the latest is the revisit
		{Wanted{Offset: -1, URL: "http://example.com/", Time: start.Add(12 * time.Minute)}, "second", ""},
		{Wanted{Offset: -1, URL: "http://example.com/", Time: start}, "first", ""},
		{Wanted{Offset: 0}, "first", ""},
	} {
		var out bytes.Buffer
		e, err := x.One(context.Background(), c.want, &out)
		if err != nil || out.String() != c.body || e.Original != c.step {
			t.Errorf("%+v: %q by %q, %v; want %q by %q", c.want, out.String(), e.Original, err, c.body, c.step)
		}
	}
	if _, err := x.One(context.Background(), Wanted{Offset: -1, URL: "http://example.com/none"}, &bytes.Buffer{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("none: %v", err)
	}
}

// Records that share a member are extracted, too, and revisits find them.
func TestExtractShared(t *testing.T) {
	var entries []*warc.Entry
	for i := range 5 {
		entries = append(entries, testResponse(i, fmt.Sprintf("http://example.com/%d.txt", i), fmt.Appendf(nil, "body %d", i)))
	}
	entries = append(entries, testRevisit(9, entries[3]))
	plain, _ := packed(t, warc.Packing{Kind: warc.Plain}, entries...)
	file := gzipped(plain)
	dir := t.TempDir()
	folder, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	rep, err := extractor(t, ExtractOptions{Workers: 2}, input(t, "shared.warc.gz", file)).Into(context.Background(), folder)
	if err != nil || rep.Files != 6 || rep.Problems != 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "example.com", "3~20260102031305.txt"))
	if err != nil || string(got) != "body 3" {
		t.Errorf("revisit: %q, %v", got, err)
	}
}

func TestDedupReport(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 1000)
	a := testResponse(1, "http://example.com/a", body)
	noDigest := testResponse(4, "http://example.com/a", body)
	noDigest.Header.Del(warc.FieldPayloadDigest)
	stray := testRevisit(6, testResponse(7, "http://example.com/gone", []byte("gone")))
	file, ends := packed(t, warc.Packing{},
		a, testResponse(2, "http://example.com/b", body), testResponse(3, "http://example.com/c", nil), noDigest, testRevisit(5, a), stray)
	d, err := DedupReport(context.Background(), []*Input{input(t, "x", file)}, DedupOptions{Workers: 2, Top: 5})
	if err != nil {
		t.Fatal(err)
	}
	wasted := ends[1] - ends[0] + ends[3] - ends[2]
	if d.Captures != 3 || d.Payloads != 1 || d.Hashed != 1 || d.Duplicates != (Duplicates{2, 2000, wasted}) || d.SameURL.Records != 1 {
		t.Errorf("%+v", d)
	}
	if d.Revisits != 2 || d.Unresolved != 1 || d.Resolved[warc.StepURIDate] != (Solved{1, 1000}) {
		t.Errorf("revisits: %+v", d)
	}
	if len(d.Top) != 1 || d.Top[0].Copies != 3 || d.Top[0].URL != "http://example.com/a" || d.Top[0].Packed != wasted {
		t.Errorf("top: %+v", d.Top)
	}
}

func TestHostOf(t *testing.T) {
	for uri, want := range map[string]string{
		"http://Example.COM/a": "example.com", "https://u:p@h:8080?q": "h", "http://[::1]:80/": "[::1]", "dns:x": "", "http://": "", "ftp://h/": "",
	} {
		if got := hostOf(uri); got != want {
			t.Errorf("hostOf(%q) = %q, want %q", uri, got, want)
		}
	}
}

// A tally stays bounded and loses no count.
func TestTallyBound(t *testing.T) {
	var tally Tally
	for i := range maxNames + 500 {
		tally.add(fmt.Sprint(i), Sum{Records: 1})
	}
	var n int64
	for _, r := range tally.ByRecords() {
		n += r.Records
	}
	if n != maxNames+500 || tally.Len() > maxNames+1 || tally.ByRecords()[0] != (Row{other, Sum{Records: 500}}) {
		t.Errorf("%d counted under %d names, first %+v", n, tally.Len(), tally.ByRecords()[0])
	}
}
