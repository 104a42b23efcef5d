package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/wacz"
	"varve/archive/warc"
	"varve/serve/holdings"
)

var at = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

// shelf is one file: a page, a revisit of it a day later, another page.
type shelf struct {
	path     string
	captures []holdings.IndexedCapture
	hidden   bool // rules withhold everything
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{path: filepath.Join(t.TempDir(), "a.warc.gz")}
	f, err := os.Create(s.path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ kind, url string }{{warc.TypeResponse, "http://a.test/"}, {warc.TypeRevisit, "http://a.test/"}, {warc.TypeResponse, "http://a.test/b"}} {
		offset, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			t.Fatal(err)
		}
		when := at.AddDate(0, 0, i)
		e := warc.New(c.kind, fmt.Sprintf("<urn:%d>", i), when, warc.Bytes(fmt.Sprintf("HTTP/1.1 200 OK\r\n\r\nbody %d", i))).
			With(warc.FieldTargetURI, c.url).With(warc.FieldContentType, warc.ContentTypeResponse)
		if err := enc.Encode(f, e); err != nil {
			t.Fatal(err)
		}
		s.captures = append(s.captures, holdings.IndexedCapture{Revisit: c.kind == warc.TypeRevisit, Capture: varve.Capture{URL: c.url, Time: when, Location: varve.Location{File: "a.warc.gz", Offset: offset}}})
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shelf) Captures(_ context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		for _, c := range s.captures {
			if !s.hidden && c.URL == q.URL && !c.Time.Before(q.From) && !c.Time.After(q.To) && !yield(c, nil) {
				return
			}
		}
	}
}

func (s *shelf) Original(context.Context, string, holdings.IndexedCapture) (holdings.IndexedCapture, error) {
	return s.captures[0], nil
}

func (s *shelf) Content(ctx context.Context, _ string, c holdings.IndexedCapture, limit int64) (out *holdings.Content, err error) {
	err = holdings.WithRecord(catalog.File{Path: s.path}, warc.PlaceOf(c.Capture), func(rec *warc.Record) error {
		h, err := rec.HTTP()
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(h.Payload(), limit))
		out = &holdings.Content{MIME: h.Header.Get("Content-Type"), Body: b}
		return err
	})
	return out, err
}

func (s *shelf) File(_, file string) (catalog.File, error) {
	if file != "a.warc.gz" {
		return catalog.File{}, errors.New("no such file")
	}
	return catalog.File{Path: s.path}, nil
}

var prov = Provenance{Software: "test", Asked: "q=x\r\nforged: yes", Collections: []string{"one"}, Now: at, Random: strings.NewReader(strings.Repeat("0123456789abcdef", 100))}

func ids(t *testing.T, b []byte) (out []string, blocks []string) {
	t.Helper()
	r, err := warc.NewReader(bytes.NewReader(b), warc.Options{Policy: warc.Silent()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, blocks
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		out, blocks = append(out, rec.Type()+rec.ID()), append(blocks, string(body))
	}
}

func list(v ...Choice) iter.Seq2[Choice, error] {
	return func(yield func(Choice, error) bool) {
		for _, x := range v {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// A revisit brings its original, no record comes twice, and a line of the warcinfo cannot be forged.
func TestWrite(t *testing.T) {
	s := newShelf(t)
	var b bytes.Buffer
	second := Choice{Collection: "one", URL: "http://a.test/", First: at.AddDate(0, 0, 1), Last: at.AddDate(0, 0, 1)}
	all := Choice{Collection: "one", URL: "http://a.test/", First: at, Last: at.AddDate(0, 0, 9)}
	sum, err := Write(t.Context(), &b, s, prov, list(second, all, Choice{Collection: "one", URL: "http://none.test/", First: at, Last: at}))
	if err != nil || sum.Records != 2 || sum.Versions != 3 || sum.Missing != 1 || sum.Files["one/a.warc.gz"] != 2 {
		t.Fatalf("%+v, %v", sum, err)
	}
	got, blocks := ids(t, b.Bytes())
	if len(got) != 4 || got[1] != "response<urn:0>" || got[2] != "revisit<urn:1>" || !strings.HasPrefix(got[3], "metadata") {
		t.Errorf("%v", got)
	}
	if !strings.Contains(blocks[0], "asked: q=x forged: yes\r\n") || !strings.Contains(blocks[3], "source-file: one/a.warc.gz\r\nsource-records: 2\r\n") {
		t.Errorf("%q", blocks)
	}
}

// Where the index shows nothing, a record is copied only if the caller says where it is.
func TestWithoutIndex(t *testing.T) {
	s := newShelf(t)
	s.hidden = true
	v := Choice{Collection: "one", URL: "http://a.test/b", First: at.AddDate(0, 0, 2), Last: at.AddDate(0, 0, 2)}
	if sum, err := Write(t.Context(), io.Discard, s, prov, list(v)); err != nil || sum.Records != 0 || sum.Missing != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	v.Location = s.captures[2].Location
	if sum, err := Write(t.Context(), io.Discard, s, prov, list(v)); err != nil || sum.Records != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	v.File = "../secret"
	if _, err := Write(t.Context(), io.Discard, s, prov, list(v)); err == nil {
		t.Error("a file that is not there")
	}
}

// Nothing is sent when nothing was copied.
func TestFile(t *testing.T) {
	s := newShelf(t)
	for _, format := range []string{"warc", "wacz"} {
		var b bytes.Buffer
		name := ""
		copied := func(v ...Choice) Summary {
			t.Helper()
			sum, err := File(t.Context(), format, "x", wacz.Config{Title: "x", Software: "test", Created: at, Workers: 1, SortMemory: 1 << 20}, func(w io.Writer) (Summary, error) {
				return Write(t.Context(), w, s, prov, list(v...))
			}, func(n string) io.Writer { name = n; return &b })
			if err != nil {
				t.Fatal(err)
			}
			return sum
		}
		if sum := copied(); sum.Records != 0 || name != "" {
			t.Errorf("%+v was sent as %s", sum, name)
		}
		if sum := copied(Choice{Collection: "one", URL: "http://a.test/b", First: at, Last: at.AddDate(0, 0, 5)}); sum.Records != 1 || !strings.HasPrefix(name, "x.") || b.Len() == 0 {
			t.Errorf("%+v as %s, %d bytes", sum, name, b.Len())
		}
	}
}

// A page comes with what it is made of, as of its time: pictures, style sheets with their fonts and imports, frames with their
// pictures, redirects with what they lead to. Pages that it links to stay away.
func TestParts(t *testing.T) {
	s := &shelf{path: filepath.Join(t.TempDir(), "a.warc.gz")}
	f, err := os.Create(s.path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(days int, url, mime, body string) {
		t.Helper()
		offset, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			t.Fatal(err)
		}
		status, head := 200, "HTTP/1.1 200 OK\r\nContent-Type: "+mime+"\r\n\r\n"
		if to, ok := strings.CutPrefix(body, "-> "); ok {
			status, head, body = 302, "HTTP/1.1 302 Found\r\nLocation: "+to+"\r\n\r\n", ""
		}
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:%s-%d>", url, days), at.AddDate(0, 0, days), warc.Bytes(head+body)).
			With(warc.FieldTargetURI, url).With(warc.FieldContentType, warc.ContentTypeResponse)
		if err := enc.Encode(f, e); err != nil {
			t.Fatal(err)
		}
		s.captures = append(s.captures, holdings.IndexedCapture{Capture: varve.Capture{URL: url, Time: at.AddDate(0, 0, days), Status: status, MIME: mime, Location: varve.Location{File: "a.warc.gz", Offset: offset}}})
	}
	put(0, "http://a.test/", "text/html", `<link rel=stylesheet href=/s.css><img src=/p.png><img src=/moved.png><img src=/never.png><iframe src=/frame></iframe><script src=/x.js></script><a href=/other>other</a>`)
	put(-9, "http://a.test/p.png", "image/png", "old")
	put(1, "http://a.test/p.png", "image/png", "near")
	put(400, "http://a.test/never.png", "image/png", "far too late")
	put(0, "http://a.test/s.css", "text/css", `@import "more.css"; body { background: url(b.png) }`)
	put(0, "http://a.test/more.css", "text/css", `@font-face { src: url(f.woff2) }`)
	put(0, "http://a.test/f.woff2", "font/woff2", "font")
	put(0, "http://a.test/b.png", "image/png", "b")
	put(0, "http://a.test/moved.png", "", "-> /there.png")
	put(0, "http://a.test/there.png", "image/png", "there")
	put(0, "http://a.test/frame", "text/html", `<img src=in.png>`)
	put(0, "http://a.test/in.png", "image/png", "in")
	put(0, "http://a.test/x.js", "text/javascript", "1")
	put(0, "http://a.test/other", "text/html", "other")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	v := Choice{Collection: "one", URL: "http://a.test/", First: at, Last: at}
	for parts, want := range map[bool]string{
		false: "/-0",
		true:  "/-0 /b.png-0 /f.woff2-0 /frame-0 /in.png-0 /more.css-0 /moved.png-0 /p.png-1 /s.css-0 /there.png-0 /x.js-0",
	} {
		p := prov
		p.Parts, p.Random = parts, strings.NewReader(strings.Repeat("0123456789abcdef", 100))
		var b bytes.Buffer
		sum, err := Write(t.Context(), &b, s, p, list(v, v))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		all, _ := ids(t, b.Bytes())
		for _, id := range all {
			if name, ok := strings.CutPrefix(id, "response<urn:http://a.test"); ok {
				got = append(got, strings.TrimSuffix(name, ">"))
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want || parts && (sum.Parts != 10 || sum.Absent != 1) {
			t.Errorf("parts %v: %v, %+v", parts, got, sum)
		}
	}
}
