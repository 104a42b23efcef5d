package links

import (
	"bytes"
	"compress/zlib"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite golden files and docs/links.md")

// kindsMIME are the types that the files of the kinds site are served with.
var kindsMIME = map[string]string{
	".html": "text/html", ".css": "text/css", ".json": "application/json", ".webmanifest": "application/manifest+json", ".xml": "application/xml",
	".opml": "text/x-opml", ".txt": "text/plain", ".xspf": "application/xspf+xml", ".pls": "audio/x-scpls", ".m3u8": "application/vnd.apple.mpegurl",
	".mpd": "application/dash+xml", ".vtt": "text/vtt", ".pdf": "application/pdf", ".svg": "image/svg+xml",
}

// kindsDocuments reads the files of a txtar as documents of http://kinds.example/.
func kindsDocuments(t testing.TB, file string) []Document {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, f := range ar.Files {
		files[f.Name] = f.Data
	}
	var docs []Document
	for _, f := range ar.Files {
		mime := kindsMIME[path.Ext(f.Name)]
		if mime == "" {
			continue
		}
		d := Document{URL: "http://kinds.example/" + f.Name, MIME: mime, Body: f.Data}
		for line := range strings.Lines(string(files[f.Name+".headers"])) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			d.Headers = append(d.Headers, Header{name, value})
		}
		if inner := files[f.Name+".objstm"]; inner != nil {
			d.Body = append(bytes.Clone(d.Body), objectStream(inner)...)
		}
		docs = append(docs, d)
	}
	return docs
}

// objectStream wraps objects in a compressed object stream of a PDF.
func objectStream(inner []byte) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(inner)
	_ = w.Close()
	return fmt.Appendf(nil, "4 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >> stream\r\n%s\nendstream endobj\n", z.Len(), z.Bytes())
}

// label says what the author of the kinds site wants a URL to be found as.
func label(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if l := u.Query().Get("label"); l != "" {
		return l
	}
	rest, ok := strings.CutPrefix(u.Path, "/k/")
	if !ok {
		return ""
	}
	l, _, _ := strings.Cut(rest, "/")
	return l
}

// TestKinds reads the kinds site: every link is found as what its path says, every kind occurs, and the list of all
// links is the golden one.
func TestKinds(t *testing.T) {
	var golden strings.Builder
	seen := make(map[Kind]bool)
	for _, doc := range kindsDocuments(t, "testdata/kinds/site.txtar") {
		fmt.Fprintf(&golden, "# %s\n", doc.URL)
		_, err := Extract(doc, func(l Link) {
			seen[l.Kind] = true
			as := l.Kind.String()
			if l.In != 0 {
				as += "@" + l.In.String()
			}
			if want := label(l.URL); want != as {
				t.Errorf("%s: %s found as %s, want %q", doc.URL, l.URL, as, want)
			}
			fmt.Fprintf(&golden, "%s %s %s", l.Hop, as, strings.TrimPrefix(l.URL, "http://kinds.example"))
			if l.Anchor != "" {
				fmt.Fprintf(&golden, " [%s]", l.Anchor)
			}
			if l.Rel != "" {
				fmt.Fprintf(&golden, " rel=%q", l.Rel)
			}
			if l.Entry != nil {
				fmt.Fprintf(&golden, " lastmod=%s changefreq=%q priority=%v", l.Entry.Lastmod.Format("2006-01-02T15:04:05Z"), l.Entry.Changefreq, l.Entry.Priority)
			}
			golden.WriteByte('\n')
		})
		if err != nil {
			t.Errorf("%s: %v", doc.URL, err)
		}
		allLabels(t, doc, golden.String())
	}
	for _, k := range Kinds()[:DOMLink-1] {
		if !seen[k] {
			t.Errorf("kind %s does not occur", k)
		}
	}
	compareGolden(t, "testdata/kinds/golden.txt", golden.String())
}

// allLabels checks that every address written in a document was found: the count of /k/ in the source must not exceed
// what was found, address by address.
func allLabels(t *testing.T, doc Document, found string) {
	for rest := string(doc.Body); ; {
		_, after, ok := strings.Cut(rest, "/k/")
		if !ok {
			return
		}
		rest = after
		end := strings.IndexAny(after, "\"'`<>) \n\\{$&?#,;%")
		if end < 0 {
			return
		}
		if addr := after[:end]; strings.Contains(addr, "/") && !strings.HasSuffix(addr, "/") && !strings.Contains(found, "/k/"+addr) {
			t.Errorf("%s: /k/%s was not found", doc.URL, addr)
		}
	}
}

// TestExecution asserts that what only execution can find is not guessed either.
func TestExecution(t *testing.T) {
	cases := kindsDocuments(t, "testdata/kinds/execution.txtar")
	if len(cases) < 10 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, doc := range cases {
		_, err := Extract(doc, func(l Link) {
			if strings.Contains(l.URL, "exec") {
				t.Errorf("%s: found %s %s: move it to the kinds site", doc.URL, l.Kind, l.URL)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", doc.URL, err)
		}
	}
}

// compareGolden compares with a golden file, or rewrites it.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; see git diff after go test -run %s -update", file, t.Name())
	}
}
