package crawl_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"varve/archive/warc"
	"varve/crawl"
)

// kindsSite serves the site of web/links that has every kind of link, and notes what is asked for.
type kindsSite struct {
	files map[string][]byte
	mu    sync.Mutex
	asked map[string]int
}

var kindsTypes = map[string]string{
	".html": "text/html", ".css": "text/css", ".json": "application/json", ".webmanifest": "application/manifest+json", ".xml": "application/xml",
	".opml": "text/x-opml", ".txt": "text/plain", ".xspf": "application/xspf+xml", ".pls": "audio/x-scpls", ".m3u8": "application/vnd.apple.mpegurl",
	".mpd": "application/dash+xml", ".vtt": "text/vtt", ".pdf": "application/pdf", ".svg": "image/svg+xml",
}

func (k *kindsSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	k.asked[r.URL.RequestURI()]++
	k.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/")
	body, ok := k.files[name]
	if strings.HasPrefix(name, "k/") && !ok { // what links lead to is there: guesses that bring nothing are not all tried
		w.Header().Set("Content-Type", "application/octet-stream")
		return
	}
	if !ok {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	for line := range strings.Lines(string(k.files[name+".headers"])) {
		field, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		w.Header().Add(field, value)
	}
	if inner := k.files[name+".objstm"]; inner != nil {
		body = append(bytes.Clone(body), objectStream(inner)...)
	}
	w.Header().Set("Content-Type", kindsTypes[path.Ext(name)])
	_, _ = w.Write(body)
}

// objectStream wraps objects in a compressed object stream of a PDF.
func objectStream(inner []byte) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(inner)
	_ = w.Close()
	return fmt.Appendf(nil, "4 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >> stream\r\n%s\nendstream endobj\n", z.Len(), z.Bytes())
}

// Every link of every kind that the parser finds is fetched, and stands in the metadata of the page
// it was found on with its kind.
func TestEveryKindIsFetched(t *testing.T) {
	t.Parallel()
	ar, err := txtar.ParseFile("../web/links/testdata/kinds/site.txtar")
	if err != nil {
		t.Fatal(err)
	}
	site := &kindsSite{files: map[string][]byte{}, asked: map[string]int{}}
	var seeds []string
	for _, f := range ar.Files {
		site.files[f.Name] = f.Data
		if kindsTypes[path.Ext(f.Name)] != "" {
			seeds = append(seeds, "http://kinds.example/"+f.Name)
		}
	}
	s := httptest.NewServer(site)
	t.Cleanup(s.Close)
	e, err := engineFor([]string{"kinds.example=" + s.Listener.Addr().String()}, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	place := placeIn(t.TempDir())
	complete(t, e, place, hostScope(seeds...))
	outlinks := outlinksOf(t, place)
	kinds := map[string]bool{}
	for _, l := range goldenLinks(t) {
		target, _, _ := strings.Cut(l.target, "#")
		if l.hop == "form" { // an empty form is asked for once, without its fields
			target, _, _ = strings.Cut(target, "?")
		}
		if site.asked[target] == 0 {
			t.Errorf("%s %s was not fetched", l.kind, target)
		}
		if site.asked[target] > 1 {
			t.Errorf("%s was fetched %d times", target, site.asked[target])
		}
		kind, _, _ := strings.Cut(l.kind, "@")
		kinds[kind] = true
		if want := "http://kinds.example" + l.target + " "; !strings.Contains(outlinks, "outlink: "+want) {
			t.Errorf("%s is in no metadata record", want)
		}
	}
	if len(kinds) < 60 {
		t.Errorf("%d kinds", len(kinds))
	}
	t.Logf("%d kinds, %d requests", len(kinds), len(site.asked))
}

func outlinksOf(t *testing.T, place crawl.Place) string {
	t.Helper()
	var b strings.Builder
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		if rec.Type() == warc.TypeMetadata {
			if _, err := bufio.NewReader(rec.Block).WriteTo(&b); err != nil {
				t.Fatal(err)
			}
		}
	})
	return b.String()
}

type goldenLink struct{ hop, kind, target string }

// goldenLinks reads what the parser must find in the kinds site.
func goldenLinks(t *testing.T) []goldenLink {
	t.Helper()
	b, err := os.ReadFile("../web/links/testdata/kinds/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []goldenLink
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) >= 3 && f[0] != "#" && strings.HasPrefix(f[2], "/") && !strings.HasPrefix(f[2], "//") {
			out = append(out, goldenLink{f[0], f[1], f[2]})
		}
	}
	return out
}
