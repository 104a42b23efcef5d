package api_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"varve/archive/wacz"
	"varve/archive/warc"
	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/holdings"
)

func (w *world) download(t *testing.T, target string) (*http.Response, []byte) {
	t.Helper()
	resp := w.do(t, access.Viewer, "GET", target, "")
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d %.300s %v", target, resp.StatusCode, b, err)
	}
	return resp, b
}

// A WARC of results holds every capture of every version that was found, what revisits refer to, and where it comes from.
func TestExportRecords(t *testing.T) {
	w := newWorld(t)
	const asked = "q=people&host=aachen.sim.test"
	var a fulltext.Answer
	w.get(t, "/api/search?limit=1000&"+asked, &a)
	index, err := servetest.NewIndex(archive)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{} // url and time of captures
	for _, h := range a.Hits {
		for c, err := range index.Captures(t.Context(), holdings.Query{Collection: "aachen", URL: h.URL, From: h.From.Truncate(1e9), To: h.Last}) {
			if err != nil {
				t.Fatal(err)
			}
			want[c.URL+" "+c.Time.UTC().Format("20060102150405")] = true
		}
	}
	resp, b := w.download(t, "/api/search/export?format=warc&"+asked)
	if resp.Header.Get("Content-Type") != "application/warc" || !strings.Contains(resp.Header.Get("Content-Disposition"), "varve-search.warc.gz") {
		t.Error(resp.Header)
	}
	got, originals, revisits, last := map[string]bool{}, map[string]bool{}, 0, ""
	r, err := warc.NewReader(bytes.NewReader(b), warc.Options{Name: "export"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for n := 0; ; n++ {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		last = rec.Type() + "\n" + string(body)
		if n == 0 && (rec.Type() != warc.TypeWarcinfo || !strings.Contains(string(body), "asked: host=aachen.sim.test&q=people") || !strings.Contains(string(body), "asked-by: eva")) {
			t.Errorf("%s", last)
		}
		switch rec.Type() {
		case warc.TypeRevisit:
			revisits++
			if d := rec.Header.Get(warc.FieldPayloadDigest); !originals[d] {
				t.Errorf("the original of %s is not before it", rec.Header.Get(warc.FieldTargetURI))
			}
		case warc.TypeResponse:
			originals[rec.Header.Get(warc.FieldPayloadDigest)] = true
		default:
			continue
		}
		at, err := warc.ParseDate(rec.Header.Get(warc.FieldDate))
		if err != nil {
			t.Fatal(err)
		}
		got[rec.Header.Get(warc.FieldTargetURI)+" "+at.UTC().Format("20060102150405")] = true
	}
	for k := range want {
		if !got[k] {
			t.Errorf("%s is missing", k)
		}
	}
	if len(want) < len(a.Hits) || revisits == 0 || !strings.HasPrefix(last, "metadata\n") || !strings.Contains(last, "source-file: aachen/") {
		t.Errorf("%d captures of %d versions, %d revisits, at the end %q", len(want), len(a.Hits), revisits, last)
	}
}

func TestExportPackageAndTables(t *testing.T) {
	w := newWorld(t)
	_, b := w.download(t, "/api/search/export?format=wacz&q=people&collection=aachen")
	pkg, err := wacz.Open("export.wacz", bytes.NewReader(b), int64(len(b)), wacz.DefaultLimits())
	if err != nil || pkg == nil {
		t.Fatal(err)
	}
	_, table := w.download(t, "/api/search/export?format=csv&q=people")
	if head, _, _ := strings.Cut(string(table), "\n"); !strings.HasPrefix(head, "collection,url,title,") || strings.Count(string(table), "\naachen,http://") < 3 {
		t.Errorf("%.300s", table)
	}
	_, lines := w.download(t, "/api/search/export?format=jsonl&q=people")
	if strings.Count(string(lines), "\n") != strings.Count(string(table), "\naachen,") {
		t.Errorf("%d lines", strings.Count(string(lines), "\n"))
	}
	for target, status := range map[string]int{
		"/api/search/export?q=people": 400, "/api/search/export?format=xml&q=people": 400, "/api/search/export?format=csv&q=people&relation=spouse": 400, "/api/search/export?format=warc&q=nowhereword": 404,
		"/api/search/export?format=warc&q=(": 400,
	} {
		if resp := w.do(t, access.Viewer, "GET", target, ""); resp.StatusCode != status {
			t.Errorf("%s: %d, want %d", target, resp.StatusCode, status)
		}
	}
}
