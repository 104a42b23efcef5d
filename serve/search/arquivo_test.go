package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/search"
)

// shelf is one collection; what is under hidden.test must not be seen.
type shelf struct{ ix *fulltext.Index }

func (s shelf) Sources(context.Context, ...string) ([]fulltext.Source, error) {
	return []fulltext.Source{{Name: "one", Index: s.ix, View: &fulltext.View{Key: 1, May: func(surt string, _ time.Time) bool {
		return !strings.HasPrefix(surt, "test,hidden")
	}}}}, nil
}

func newShelf(t *testing.T) shelf {
	t.Helper()
	dir := t.TempDir()
	var list []derive.VersionRow
	for i := range 30 {
		host := []string{"a.test", "b.test", "hidden.test"}[i/10]
		from := time.Date(2020, time.Month(1+i%10), 1, 0, 0, 0, 0, time.UTC)
		list = append(list, derive.VersionRow{
			URL: fmt.Sprintf("http://%s/p", host), SURT: fmt.Sprintf("test,%s)/p", strings.TrimSuffix(host, ".test")), Host: host, MIME: "text/html", From: from, Last: from, Captures: 1,
			Title: "=cmd", Text: fmt.Sprintf("election number %d", i), File: "f.warc.gz", Offset: int64(i),
		})
	}
	f, err := os.Create(filepath.Join(dir, "versions.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[derive.VersionRow](f)
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if _, err := fulltext.Build(t.Context(), filepath.Join(dir, "ix"), f.Name(), nil); err != nil {
		t.Fatal(err)
	}
	ix, err := fulltext.Open(filepath.Join(dir, "ix"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return shelf{ix}
}

func TestArquivo(t *testing.T) {
	a := &search.Arquivo{
		Texts: newShelf(t), May: func(r *http.Request) bool { return r.Header.Get("X") == "" },
		Base: "http://here", Replay: func(c, u, mod string, at time.Time) string {
			return "/" + c + "/" + at.Format("20060102150405") + mod + "/" + u
		},
	}
	for _, c := range []struct {
		query, first string
		status, n    int
		next         bool
	}{
		{"q=election&siteSearch=a.test&maxItems=4", "", 200, 4, true},
		{"q=election&siteSearch=a.test&maxItems=4&offset=8", "", 200, 2, false},
		{"q=election&from=202003&to=20200310&siteSearch=http://b.test/&type=html", "", 200, 3, false},
		{"q=election&siteSearch=hidden.test", "", 200, 0, false},
		{"q=election&type=pdf", "", 200, 0, false},
		{"versionHistory=http://b.test/p", "20200101000000", 200, 10, false},
		{"versionHistory=http://hidden.test/p", "", 200, 0, false},
		{"versionHistory=http://b.test/p&from=2020-03&to=2020-05&maxItems=2", "20200301000000", 200, 2, true},
		{"metadata=http://b.test/p/20200515000000", "20200501000000", 200, 1, false},
		{"metadata=http://hidden.test/p/20200515000000", "", 200, 0, false},
		{"metadata=nonsense", "", 400, 0, false},
		{"q=election&dedupValue=1", "", 200, 2, false},
		{"q=election&dedupValue=2&dedupField=url", "", 200, 4, false},
		{"q=election&itemsPerSite=3&maxItems=6", "", 200, 6, false},
		{"q=election&dedupField=moon", "", 400, 0, false},
		{"", "", 400, 0, false},
		{"q=election&maxItems=x", "", 400, 0, false},
		{"q=election&offset=999999", "", 400, 0, false},
		{"q=election&from=May", "", 400, 0, false},
	} {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequest("GET", "/textsearch?"+c.query, nil))
		var got struct {
			Items []struct{ Tstamp, OriginalURL, LinkToArchive string } `json:"response_items"`
			Next  string                                                `json:"next_page"`
		}
		if w.Code == 200 {
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
		}
		if w.Code != c.status || len(got.Items) != c.n || (got.Next != "") != c.next {
			t.Errorf("%s: %d, %d items, next %q: %s", c.query, w.Code, len(got.Items), got.Next, w.Body)
		}
		if c.first != "" && got.Items[0].Tstamp != c.first {
			t.Errorf("%s: %+v", c.query, got.Items[0])
		}
	}
	checkItem(t, a)
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/textsearch?q=election", nil)
	r.Header.Set("X", "no")
	if a.ServeHTTP(w, r); w.Code != 401 {
		t.Error(w.Code)
	}
}

// checkItem compares a result with what the wiki of Arquivo.pt lists, field by field.
func checkItem(t *testing.T, a *search.Arquivo) {
	t.Helper()
	get := func(target string) string {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		return w.Body.String()
	}
	var got struct {
		ServiceName   string            `json:"serviceName"`
		LinkToService string            `json:"linkToService"`
		Number        int64             `json:"estimated_nr_results"`
		Request       map[string]string `json:"request_parameters"`
		Items         []map[string]any  `json:"response_items"`
	}
	if err := json.Unmarshal([]byte(get("/textsearch?q=election&siteSearch=a.test&maxItems=1&prettyPrint=true")), &got); err != nil {
		t.Fatal(err)
	}
	if got.ServiceName == "" || got.LinkToService != "http://here/" || got.Number != 10 || got.Request["q"] != "election" || got.Request["maxItems"] != "1" {
		t.Errorf("%+v", got)
	}
	item := got.Items[0]
	stamp, _ := item["tstamp"].(string)
	id := "http%3A%2F%2Fa.test%2Fp%2F" + stamp
	for name, want := range map[string]any{
		"title": "=cmd", "originalURL": "http://a.test/p", "mimeType": "text/html", "collection": "one", "fileName": "f.warc.gz", "linkToArchive": "/one/" + stamp + "/http://a.test/p",
		"linkToNoFrame": "/one/" + stamp + "mp_/http://a.test/p", "linkToOriginalFile": "/one/" + stamp + "id_/http://a.test/p", "linkToExtractedText": "http://here/textextracted?m=" + id,
		"linkToMetadata": "http://here/textsearch?metadata=" + id, "linkToScreenshot": "", "encoding": "", "contentLength": 0.0, "digest": "",
	} {
		if item[name] != want {
			t.Errorf("%s: %v, want %v", name, item[name], want)
		}
	}
	if s, _ := item["snippet"].(string); !strings.Contains(s, "<em>election</em>") {
		t.Errorf("snippet %q", s)
	}
	if text := get("/textextracted?m=" + id); !strings.HasPrefix(text, "election number") {
		t.Errorf("text %q", text)
	}
	if few := get("/textsearch?q=election&maxItems=1&fields=title,tstamp"); strings.Contains(few, "originalURL") || !strings.Contains(few, "tstamp") {
		t.Errorf("%s", few)
	}
}

// An export has all hits that may be seen, and no formulas.
func TestWriteHits(t *testing.T) {
	s := newShelf(t)
	var b strings.Builder
	n, err := search.WriteHits(t.Context(), &b, "csv", s, "one", fulltext.Query{Text: "election", Limit: 3}, search.MaxExport)
	if err != nil || n != 20 || strings.Count(b.String(), "\n") != 21 || strings.Contains(b.String(), "hidden") || !strings.Contains(b.String(), ",'=cmd,") {
		t.Error(n, err, b.String())
	}
	b.Reset()
	if n, err = search.WriteHits(t.Context(), &b, "jsonl", s, "one", fulltext.Query{Text: "election"}, 5); err != nil || n != 5 || strings.Count(b.String(), "\n") != 5 {
		t.Error(n, err, b.String())
	}
	if _, err := search.WriteHits(t.Context(), &b, "xml", s, "one", fulltext.Query{}, 5); err == nil {
		t.Error("xml")
	}
}
