package api_test

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"testing"

	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/search"
)

// Without a collection all are asked; trends, clouds and documents tell of the same versions.
func TestSearchTrendsCloudDocument(t *testing.T) {
	w := newWorld(t)
	var a fulltext.Answer
	w.get(t, "/api/search?q=people&facets=collection,host&trend=month", &a)
	if a.Total == 0 || len(a.Hits) == 0 || a.Hits[0].Collection != "aachen" || a.Facets["collection"][0] != (fulltext.Count{Name: "aachen", Count: a.Total}) {
		t.Fatalf("%+v", a)
	}
	var tr search.Trends
	w.get(t, `/api/trends?terms=people,"`+url.QueryEscape("what thient")+`",nowhereword&bucket=month`, &tr)
	if len(tr.Series) != 3 || tr.Series[0].Total != a.Total || len(tr.Series[0].Points) != len(a.Trend) || tr.Series[2].Total != 0 || tr.Series[1].Term != `"what thient"` {
		t.Errorf("%+v", tr)
	}
	for i, p := range tr.Series[0].Points {
		if p.Of < p.Hits || p.Of == 0 || p.Share != float64(p.Hits)/float64(p.Of) || !p.At.Equal(tr.Series[2].Points[i].At) {
			t.Errorf("%+v", p)
		}
	}
	var c fulltext.Cloud
	w.get(t, "/api/cloud?from=2026-02&to=2026-03&n=5", &c)
	if c.In == 0 || c.Other == 0 || len(c.Terms) > 5 {
		t.Errorf("%+v", c)
	}
	for _, r := range c.Terms {
		if r.Score <= 0 || float64(r.Hits)/float64(c.In) <= float64(r.Other)/float64(c.Other) {
			t.Errorf("%+v does not rise", r)
		}
	}
	var rising search.Rising
	w.get(t, "/api/rising?from=2026-02&facets=host,lang", &rising)
	if len(rising.Facets) != 2 || rising.Facets[0].In == 0 || rising.Facets[0].Before == 0 {
		t.Errorf("%+v", rising)
	}
	for _, path := range []string{"/api/entities?prefix=Anna", "/api/entities/Q1"} { // names of this archive were not linked
		if resp := w.do(t, access.Viewer, "GET", path, ""); resp.StatusCode != 503 {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
	if resp := w.do(t, access.Viewer, "GET", "/api/opinions", ""); resp.StatusCode != 503 { // texts of this archive were not analysed
		t.Errorf("opinions: %d", resp.StatusCode)
	} else if b, _ := io.ReadAll(resp.Body); !strings.Contains(string(b), "[analyse]") {
		t.Errorf("%s", b)
	}
	var d search.Document
	w.get(t, "/api/document?url="+url.QueryEscape(a.Hits[0].URL)+"&time="+a.Hits[0].From.Format("20060102150405"), &d)
	if d.Problem != "" || d.Collection != "aachen" || d.Text == "" || len(d.Versions) == 0 || !d.From.Equal(a.Hits[0].From) || !d.Versions[d.At].From.Equal(d.From) || len(d.Out) == 0 {
		t.Errorf("%s %v at %d of %d, want %v, %d links; %s", d.URL, d.From, d.At, len(d.Versions), a.Hits[0].From, len(d.Out), d.Problem)
	}
	var h search.Document
	w.get(t, "/api/document?url="+home, &h)
	if len(h.In) == 0 || h.At != len(h.Versions)-1 {
		t.Errorf("%d links, version %d of %d", len(h.In), h.At, len(h.Versions))
	}
	for _, bad := range []string{"/api/trends", "/api/trends?terms=a&bucket=week", "/api/cloud", "/api/document?url=http://nowhere.test/", "/api/search?q=(", "/api/trends?terms=" + strings.Repeat("a,", 20)} {
		if resp := w.do(t, access.Viewer, "GET", bad, ""); resp.StatusCode != 400 && resp.StatusCode != 404 {
			t.Errorf("%s: %d", bad, resp.StatusCode)
		}
	}
}

func TestSavedSearches(t *testing.T) {
	w := newWorld(t)
	post := func(role access.Role, body string) (int, search.Saved) {
		resp := w.do(t, role, "POST", "/api/searches", body)
		b, _ := io.ReadAll(resp.Body)
		var s search.Saved
		_ = json.Unmarshal(b, &s)
		return resp.StatusCode, s
	}
	code, s := post(access.Viewer, `{"collection":"aachen","name":" The  council ","query":"?q=council&lang=en"}`)
	if code != 200 || s.ID == "" || s.Name != "The council" || s.By != "eva" || s.Query != "lang=en&q=council" {
		t.Fatalf("%d %+v", code, s)
	}
	code, again := post(access.Viewer, `{"collection":"aachen","name":"The council","query":"q=town"}`)
	if code != 200 || again.ID != s.ID {
		t.Errorf("%d %+v", code, again)
	}
	for _, bad := range []string{`{}`, `{"collection":"aachen"}`, `{"collection":"none","name":"x"}`, `{"collection":"aachen","name":"x","query":"nonsense=1"}`, `{"x":1}`, `{"collection":"../x","name":"x"}`} {
		if code, _ := post(access.Viewer, bad); code != 400 && code != 404 {
			t.Errorf("%s: %d", bad, code)
		}
	}
	var list api.List[search.Saved]
	w.get(t, "/api/searches", &list)
	if len(list.Items) != 1 || list.Items[0].Query != "q=town" {
		t.Errorf("%+v", list)
	}
	if resp := w.do(t, access.Curator, "DELETE", "/api/searches/"+s.ID+"?collection=aachen", ""); resp.StatusCode != 200 {
		t.Error(resp.StatusCode)
	}
	list = api.List[search.Saved]{}
	w.get(t, "/api/searches?collection=aachen", &list)
	if len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
	if resp := w.do(t, access.Viewer, "DELETE", "/api/searches/none?collection=aachen", ""); resp.StatusCode != 403 {
		t.Error(resp.StatusCode)
	}
}
