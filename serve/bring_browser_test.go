package serve_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
)

// A curator brings files of others into a collection in a browser: what is none is refused with its reason, what is there is not taken twice, and what was taken can
// be found.
func TestBrowserBringFiles(t *testing.T) {
	b := newTab(t)
	from, err := catalog.Open(searchable(t)).Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	files, err := from.WARCs()
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	folder := t.TempDir()
	record, err := os.ReadFile(files[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	sent := []string{filepath.Join(folder, "theirs.warc.gz"), filepath.Join(folder, "again", "theirs.warc.gz"), filepath.Join(folder, "letter.txt")}
	for path, content := range map[string][]byte{sent[0]: record, sent[1]: record, sent[2]: []byte("Dear archive,")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, t.TempDir(), nil)
	if resp, body := s.do("POST", s.ui+"/api/collections", `{"name":"aachen","title":"Aachen"}`, "Content-Type", "application/json"); resp.StatusCode/100 != 2 {
		t.Fatal(resp.Status, body)
	}
	b.open(s.ui + "/collections/aachen")
	if err := chromedp.Do(b.ctx, chromedp.SetUploadFiles("#bring input[type=file]", sent)); err != nil {
		t.Fatal(err)
	}
	b.click("#bring button.first")
	b.is("document.querySelectorAll('#bring li').length === 3 && !document.querySelector('#bring progress')")
	for i, want := range []string{"theirs.warc.gz: taken", "was there already", "neither WARC"} {
		b.is("document.querySelectorAll('#bring li')[" + string(rune('0'+i)) + "].innerText.includes('" + want + "')")
	}
	b.fits(1400, false)
	s.indexed()
	if s.captures(home) == 0 {
		t.Error("nothing of what was brought in can be found")
	}
	into, err := catalog.Open(s.dir).Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	if events, _ := into.Events(); len(events) != 1 || events[0].Type != "ingestion" || events[0].Objects[0] != "theirs.warc.gz" {
		t.Errorf("the journal has %+v", events)
	}
	if left, err := filepath.Glob(filepath.Join(into.Dir(), ".varve-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	for _, name := range []string{"../../x.warc.gz", "/etc/x.warc.gz", ".hidden.warc.gz", "a\nb.warc.gz", "", ".."} {
		if resp, body := s.do("POST", s.ui+"/api/collections/aachen/files?name="+url.QueryEscape(name), string(record)); resp.StatusCode != 400 {
			t.Errorf("%q: %s %s", name, resp.Status, body)
		}
	}
}
