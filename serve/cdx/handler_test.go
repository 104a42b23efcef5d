package cdx

import (
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rogpeppe/go-internal/txtar"

	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/lab/attack"
)

// testIndex makes an index of the lines of testdata/captures.cdxj.
func testIndex(t testing.TB) *cdx.Index {
	t.Helper()
	text, err := os.ReadFile("testdata/captures.cdxj")
	if err != nil {
		t.Fatal(err)
	}
	fsys := vfs.NewMem()
	b, err := cdx.NewBuilder("ix", cdx.Config{FS: fsys, SortDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var lines iter.Seq2[[]byte, error] = func(yield func([]byte, error) bool) {
		for l := range strings.Lines(string(text)) {
			if !yield([]byte(strings.TrimSuffix(l, "\n")), nil) {
				return
			}
		}
	}
	if _, err := b.AddLines(t.Context(), "test", lines); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	ix, err := cdx.OpenIn(fsys, "ix")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

func get(h http.Handler, query string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/news/cdx?"+query, nil))
	return w
}

// Each file of testdata has a part per query: its name is the query string, its text the answer.
// VARVE_UPDATE=1 writes the answers anew; look at the difference before you keep it.
func TestParameters(t *testing.T) {
	h := NewHandler(testIndex(t), Config{Links: func(r *http.Request, u string) Links {
		return Links{Self: "http://host" + r.URL.Path, TimeGate: "http://host/news/" + u, Memento: func(rec *cdxj.Record) string {
			return "http://host/news/" + rec.Timestamp + "mp_/" + rec.URL
		}}
	}})
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := false
		for i, f := range ar.Files {
			w := get(h, f.Name)
			got := w.Body.String()
			if w.Code != http.StatusOK {
				got = http.StatusText(w.Code) + "\n" + got
			}
			if got != "" && !strings.HasSuffix(got, "\n") {
				got += "\n"
			}
			if got == string(f.Data) {
				continue
			}
			if os.Getenv("VARVE_UPDATE") != "" {
				ar.Files[i].Data, changed = []byte(got), true
				continue
			}
			t.Errorf("%s: %s gave\n%swant\n%s", name, f.Name, got, f.Data)
		}
		if changed {
			if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestContentTypes(t *testing.T) {
	h := NewHandler(testIndex(t), Config{})
	for query, want := range map[string]string{
		"url=example.com": "text/x-cdxj; charset=utf-8", "url=example.com&output=json": "text/x-ndjson; charset=utf-8",
		"url=example.com&output=json&dialect=ia": "application/json", "url=example.com&output=link": "application/link-format",
		"url=example.com&output=text": "text/plain; charset=utf-8", "q=type:urlquery+url:example.com": "application/xml; charset=utf-8",
		"": "application/problem+json",
	} {
		if got := get(h, query).Header().Get("Content-Type"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// Reading on by resume key gives what one long answer gives, also where captures share a second.
func TestResumeKeysGiveTheWhole(t *testing.T) {
	h := NewHandler(testIndex(t), Config{})
	for _, base := range []string{"url=*.example.com&output=text", "url=*.example.com&output=text&sort=reverse", "url=example.com/*&output=text&filter=statuscode:200"} {
		whole := get(h, base+"&showResumeKey=true").Body.String()
		for _, limit := range []string{"1", "2", "3", "7"} {
			var got strings.Builder
			query := base
			for range 100 {
				text := get(h, query+"&showResumeKey=true&limit="+limit).Body.String()
				rows, key, more := strings.Cut(text, "\n\n")
				got.WriteString(strings.TrimSuffix(rows, "\n") + "\n")
				if !more {
					break
				}
				query = base + "&resumeKey=" + strings.TrimSpace(key)
			}
			if got.String() != whole {
				t.Errorf("%s by %s:\n%s\nwant\n%s", base, limit, got.String(), whole)
			}
		}
	}
}

func TestAccessIsAskedForEachCapture(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	h := NewHandler(testIndex(t), Config{Allow: func(_ *http.Request, r *cdxj.Record) bool { return r.Status == 404 }})
	body := get(h, "url=*.example.com&fl=status&output=text").Body.String()
	if body == "" || strings.Trim(body, "40\n") != "" {
		t.Errorf("captures that are not allowed: %s", body)
	}
}

func TestOnlyGet(t *testing.T) {
	w := httptest.NewRecorder()
	NewHandler(testIndex(t), Config{}).ServeHTTP(w, httptest.NewRequest("POST", "/cdx?url=a", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// No query panics, and each answer is either whole or problem+json.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		"url=example.com", "url=*.example.com&collapse=timestamp:4&filter=!statuscode:4..", "url=example.com/*&page=0&pageSize=1",
		"url=example.com&closest=2020&sort=closest&output=link", "url=x&resumeKey=com,example)/+20200101000000!2", "q=type:urlquery+url:a",
		"url=example.com&limit=-3&fl=urlkey,orig.length&resolveRevisits=true", "url=a&matchType=range&output=json&dialect=ia", "url=example.com/?utm_source=1&allowFuzzy=1",
	} {
		f.Add(s)
	}
	h := NewHandler(testIndex(f), Config{})
	f.Fuzz(func(t *testing.T, query string) {
		if _, err := url.ParseQuery(query); err != nil || strings.ContainsAny(query, " #\x00") {
			return
		}
		r := httptest.NewRequest("GET", "/cdx", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK && (w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes())) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	})
}

// Answers for pywb have no lines of server-not-modified revisits, which it shows as blank pages, unless they are asked for.
func TestNotModified(t *testing.T) {
	fsys := vfs.NewMem()
	b, err := cdx.NewBuilder("ix", cdx.Config{FS: fsys, SortDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var lines iter.Seq2[[]byte, error] = func(yield func([]byte, error) bool) {
		for _, l := range []string{
			`com,example)/ 20260101000000 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "length": "9", "offset": "0", "filename": "a"}`,
			`com,example)/ 20260102000000 {"url": "http://example.com/", "mime": "warc/revisit", "status": "304", "length": "9", "offset": "9", "filename": "a", "notModified": "strong"}`,
			`com,example)/ 20260103000000 {"url": "http://example.com/", "mime": "warc/revisit", "status": "200", "digest": "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "length": "9", "offset": "18", "filename": "a"}`,
			`com,example)/ 20260104000000 {"url": "http://example.com/", "mime": "warc/revisit", "length": "9", "offset": "27", "filename": "a", "notModified": "date"}`,
		} {
			if !yield([]byte(l), nil) {
				return
			}
		}
	}
	if _, err := b.AddLines(t.Context(), "test", lines); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	ix, err := cdx.OpenIn(fsys, "ix")
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for query, want := range map[string]int{
		"url=example.com": 2, "url=example.com&output=json": 2, "url=example.com&closest=20260102&limit=9": 2, "url=example.com&sort=reverse": 2,
		"url=example.com&notModified=1": 4, "url=example.com&dialect=ia": 4, "url=example.com&collapse=digest": 4,
	} {
		v, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		req, err := Parse(v, Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := req.Write(t.Context(), &out, ix, Links{}, nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got != want {
			t.Errorf("%s: %d lines, want %d\n%s", query, got, want, out.String())
		}
	}
}
