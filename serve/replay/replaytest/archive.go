package replaytest

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/serve/replay"
)

// Answer is one capture to be written.
type Answer struct {
	URL    string
	Time   string // RFC 3339
	Status int    // 200 if 0
	Header string // lines, "Name: value\n"
	Body   string
	Method string // POST: a request record is written too
	Sent   string // the body of the request
	Type   string // of that body; a form if empty
	Of     string // RFC 3339: it is a revisit of the capture of that time
	Crawl  string // the crawl that made it; files are named after it
}

// Base is the address of the replay host in tests that need no browser.
const Base = "http://localhost:8081"

// Write writes pages into WARC files of a new folder, one each, and indexes them as the collections "n" and "aachen".
func Write(t testing.TB, pages ...Answer) *Index {
	t.Helper()
	dir := t.TempDir()
	WriteInto(t, dir, pages...)
	x := NewIndex()
	for _, name := range []string{"n", "aachen"} {
		if err := x.AddDir(name, dir); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// WriteInto writes pages into WARC files of a folder, one each.
func WriteInto(t testing.TB, dir string, pages ...Answer) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, p := range pages {
		name := fmt.Sprintf("test%s-%05d-%d", p.Crawl, 0, i)
		w, err := warc.NewWriter(warc.WriterConfig{Dir: dir, Name: func(int) string { return name }})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(entries(t, p)...); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// entries makes the records of a page.
func entries(t testing.TB, p Answer) []*warc.Entry {
	t.Helper()
	date, err := time.Parse(time.RFC3339, p.Time)
	if err != nil {
		t.Fatal(err)
	}
	status := p.Status
	if status == 0 {
		status = 200
	}
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\n%s\r\n", status, http.StatusText(status), strings.ReplaceAll(p.Header, "\n", "\r\n"))
	block := warc.Bytes(head + p.Body)
	sums, err := warc.Sum(block, int64(len(head)), false)
	if err != nil {
		t.Fatal(err)
	}
	kind := warc.TypeResponse
	if p.Of != "" {
		kind, block = warc.TypeRevisit, warc.Bytes(head)
	}
	e := warc.New(kind, id(t), date, block).With(warc.FieldTargetURI, p.URL).With(warc.FieldContentType, warc.ContentTypeResponse).With(warc.FieldPayloadDigest, sums.Payload)
	if p.Of != "" {
		e.With(warc.FieldProfile, warc.ProfileIdentical).With(warc.FieldRefersToURI, p.URL).With(warc.FieldRefersToDate, p.Of)
	}
	if p.Method == "" {
		return []*warc.Entry{e}
	}
	typ := p.Type
	if typ == "" {
		typ = "application/x-www-form-urlencoded"
	}
	request := fmt.Sprintf("%s / HTTP/1.1\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", p.Method, typ, len(p.Sent), p.Sent)
	r := warc.New(warc.TypeRequest, id(t), date, warc.Bytes(request)).With(warc.FieldTargetURI, p.URL).With(warc.FieldContentType, warc.ContentTypeRequest)
	r.With(warc.FieldConcurrentTo, e.Header.Get(warc.FieldRecordID))
	return []*warc.Entry{e, r}
}

func id(t testing.TB) string {
	t.Helper()
	s, err := warc.NewID(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Handler makes a replay host over an index; change may set more of the configuration.
func Handler(t testing.TB, x *Index, change func(*replay.Config)) *replay.Handler {
	t.Helper()
	files := replay.NewFiles(func(collection, file string) (catalog.File, error) {
		path, err := x.Path(collection, file)
		return catalog.File{Path: path}, err
	})
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg := replay.Config{Index: x, Records: files, Base: Base, Now: func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }}
	if change != nil {
		change(&cfg)
	}
	h, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
