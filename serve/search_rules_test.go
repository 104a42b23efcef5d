package serve_test

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/search"
)

// What rules withhold is neither found nor counted nor copied, by any way to ask for texts.
func TestRulesHoldInSearch(t *testing.T) {
	dir := copied(t)
	texts, err := servetest.NewTexts(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := texts.Close(); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.RequireLogin = true })
	users := access.OpenUsers(filepath.Join(dir, "access"))
	if err := users.Put("vera", access.Viewer, "", time.Now()); err != nil {
		t.Fatal(err)
	}
	secret, _, err := users.NewToken("vera", "", time.Now(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	get := func(target string, to any) (int, string) {
		t.Helper()
		status, body := s.get(s.ui+target, "Authorization", "Bearer "+secret)
		if to != nil && status == 200 {
			if err := json.Unmarshal([]byte(body), to); err != nil {
				t.Fatalf("%s: %v", target, err)
			}
		}
		return status, body
	}
	const ask = "/api/search?q=people&limit=1000&facets=host,year&trend=month"
	hidden := home + "politics/"
	var before, after fulltext.Answer
	get(ask, &before)
	withheld := 0
	for _, h := range before.Hits {
		if strings.HasPrefix(h.URL, hidden) {
			withheld++
		}
	}
	if withheld == 0 || withheld == len(before.Hits) {
		t.Fatalf("%d of %d hits would be withheld", withheld, len(before.Hits))
	}
	var cloud, less fulltext.Cloud
	get("/api/cloud?from=2026-02", &cloud)
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	if _, err := rules.Add(access.Rule{Prefix: hidden, Level: access.Curators, Reason: "x"}, "test", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	get(ask, &after)
	if after.Total != before.Total-int64(withheld) || len(after.Hits) != int(after.Total) || after.Of >= before.Of {
		t.Errorf("%d of %d, before %d of %d, %d withheld", after.Total, after.Of, before.Total, before.Of, withheld)
	}
	sum := func(list []fulltext.Count) (n int64) {
		for _, c := range list {
			n += c.Count
		}
		return n
	}
	points, of := int64(0), int64(0)
	for _, p := range after.Trend {
		points, of = points+p.Count, of+p.Of
	}
	if sum(after.Facets["host"]) != after.Total || sum(after.Facets["year"]) != after.Total || points != after.Total || of != after.Of {
		t.Errorf("facets %v, trend %d of %d, total %d of %d", after.Facets, points, of, after.Total, after.Of)
	}
	get("/api/cloud?from=2026-02", &less)
	if less.In+less.Other >= cloud.In+cloud.Other {
		t.Errorf("the cloud counts %d and %d, before %d and %d", less.In, less.Other, cloud.In, cloud.Other)
	}
	one := ""
	for _, h := range before.Hits {
		if strings.HasPrefix(h.URL, hidden) {
			one = url.QueryEscape(h.URL)
		}
	}
	if status, _ := get("/api/document?url="+one, nil); status != 404 {
		t.Errorf("a withheld document: %d", status)
	}
	if _, body := get("/textsearch?versionHistory="+one, nil); !strings.Contains(body, `"estimated_nr_results":0`) {
		t.Errorf("its history: %s", body)
	}
	var doc search.Document
	get("/api/document?url="+url.QueryEscape(home), &doc)
	for _, l := range doc.In {
		if strings.HasPrefix(l.URL, hidden) {
			t.Errorf("a withheld page links: %s", l.URL)
		}
	}
	for _, format := range []string{"csv", "jsonl"} {
		if status, body := get("/api/search/export?q=people&format="+format, nil); status != 200 || strings.Contains(body, hidden) {
			t.Errorf("%s: %d, withheld: %v", format, status, strings.Contains(body, hidden))
		}
	}
}
