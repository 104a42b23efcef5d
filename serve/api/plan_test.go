package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"varve"
	"varve/crawl"
	"varve/serve/access"
	"varve/serve/crawls"
)

// starter remembers what it was asked to start.
type starter struct {
	asked []string
	last  *crawls.Job
}

func (s *starter) Start(_ context.Context, collection, definition, by string) (crawls.Job, error) {
	if definition != "regular" {
		return crawls.Job{}, &varve.Error{Kind: varve.NotFound, Op: "start", Msg: "no such crawl"}
	}
	if s.last != nil {
		return crawls.Job{}, &varve.Error{Kind: varve.Conflict, Op: "start", Msg: "one runs already"}
	}
	s.asked = append(s.asked, by+" "+collection+" "+definition)
	s.last = &crawls.Job{Collection: collection, Definition: definition, By: by, State: crawls.Running}
	return *s.last, nil
}

func (s *starter) Refer(_ context.Context, collection, definition, by string) (crawls.Job, error) {
	s.asked = append(s.asked, by+" "+collection+" reference of "+definition)
	return crawls.Job{}, nil
}

func (s *starter) Resume(_ context.Context, collection, by string) (crawls.Job, error) {
	s.asked = append(s.asked, by+" "+collection+" resume")
	return crawls.Job{Collection: collection, By: by, State: crawls.Running}, nil
}

func (s *starter) Job(string) (crawls.Job, bool) {
	if s.last == nil {
		return crawls.Job{}, false
	}
	return *s.last, true
}

func TestStartCrawl(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		role   access.Role
		body   string
		status int
	}{
		{access.Nobody, `{"definition":"regular"}`, 401},
		{access.Viewer, `{"definition":"regular"}`, 403},
		{access.Curator, `{}`, 400},
		{access.Curator, `{"definition":"regular","resume":true}`, 400},
		{access.Curator, `{"definition":"regular","seeds":["https://x.example/"]}`, 400},
		{access.Curator, `nonsense`, 400},
		{access.Curator, `{"definition":"` + strings.Repeat("x", 5000) + `"}`, 400},
		{access.Curator, `{"definition":"other"}`, 404},
		{access.Curator, `{"definition":"regular"}`, 200},
		{access.Curator, `{"definition":"regular"}`, 409},
		{access.Curator, `{"resume":true}`, 200},
	} {
		resp := w.do(t, c.role, "POST", "/api/collections/aachen/crawls", c.body)
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode != c.status {
			t.Errorf("%s %.60s: %d %s", c.role, c.body, resp.StatusCode, b)
		}
	}
	if want := []string{"eva aachen regular", "eva aachen resume"}; !slices.Equal(w.starter.asked, want) {
		t.Errorf("asked for %q", w.starter.asked)
	}
	var p crawls.Plan
	w.get(t, "/api/collections/aachen/plan", &p)
	if p.Job == nil || p.Job.By != "eva" || len(p.Crawls) != 1 || p.Crawls[0].Name != "regular" || p.Crawls[0].Definition == nil {
		t.Errorf("%+v", p)
	}
}

func TestScopeOfPlan(t *testing.T) {
	w := newWorld(t)
	ask := func(definition, address, hops string) (*http.Response, crawl.ScopeTest) {
		resp := w.do(t, access.Viewer, "GET", "/api/collections/aachen/plan/"+definition+"/scope?"+url.Values{"url": {address}, "hops": {hops}}.Encode(), "")
		var got crawl.ScopeTest
		_ = json.NewDecoder(resp.Body).Decode(&got) // problems have other fields
		return resp, got
	}
	if _, got := ask("regular", home+"x", ""); !got.Decision.Accepted() || len(got.Opinions) == 0 {
		t.Errorf("%+v", got)
	}
	if _, got := ask("regular", "https://elsewhere.example/", "L"); got.Decision.Accepted() || got.Decision.Why == "" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		definition, address, hops string
		status                    int
	}{{"none", home, "", 404}, {"regular", "", "", 400}, {"regular", home, "?", 400}} {
		if resp, _ := ask(c.definition, c.address, c.hops); resp.StatusCode != c.status {
			t.Errorf("%+v: %d", c, resp.StatusCode)
		}
	}
}
