package ui_test

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/ui"
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
	if s.last != nil && s.last.State == crawls.Running {
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
	return crawls.Job{}, nil
}

func (s *starter) Job(string) (crawls.Job, bool) {
	if s.last == nil {
		return crawls.Job{}, false
	}
	return *s.last, true
}

func newStarting(t *testing.T, s ui.Crawls) *screens {
	t.Helper()
	cat := catalog.Open(archive)
	dir := t.TempDir()
	audit := access.OpenAudit(dir)
	x, err := ui.New(ui.Config{
		Holdings: holdings.New(cat, time.Now), Index: servetest.Index{}, Crawls: s, Rules: access.OpenDecisions(dir, audit), Users: access.OpenUsers(dir), Audit: audit,
		Background: context.Background(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	return &screens{UI: x}
}

func TestStartFromTheScreen(t *testing.T) {
	st := &starter{}
	s := newStarting(t, st)
	const page = "/collections/aachen/plan"
	if _, body, _ := s.get(t, access.Viewer, page); strings.Contains(body, "Start now") {
		t.Error("a viewer is offered to start crawls")
	}
	if _, body, _ := s.get(t, access.Curator, page); !strings.Contains(body, `aria-label="Start now: regular">`) || !strings.Contains(body, `name="csrf" value="token"`) {
		t.Error("a curator is not offered to start crawls")
	}
	start := url.Values{"definition": {"regular"}}
	for _, c := range []struct {
		role   access.Role
		target string
		form   url.Values
		status int
	}{
		{access.Viewer, page + "/start", start, 403},
		{access.Viewer, page + "/resume", nil, 403},
		{access.Curator, page + "/start", url.Values{"definition": {"other"}}, 404},
		{access.Curator, page + "/start", start, 303},
		{access.Curator, page + "/start", start, 409},
		{access.Curator, page + "/resume", nil, 303},
	} {
		if status, to := s.post(t, c.role, c.target, c.form); status != c.status || status == 303 && to != page {
			t.Errorf("%s %s %v: %d %s", c.role, c.target, c.form, status, to)
		}
	}
	if want := []string{"eva aachen regular", "eva aachen resume"}; !slices.Equal(st.asked, want) {
		t.Errorf("asked for %q", st.asked)
	}
	if _, body, _ := s.get(t, access.Curator, page); !strings.Contains(body, "is starting") || !strings.Contains(body, "disabled") {
		t.Error("the start is not to be seen")
	}
	st.last.State, st.last.Why = crawls.Failed, "varve: no <contact> is given"
	_, body, _ := s.get(t, access.Curator, page)
	if !strings.Contains(body, "no &lt;contact&gt; is given") || strings.Contains(body, "disabled") {
		t.Error("the failure is not to be seen")
	}
	harmless(t, page, body)
}

func TestServerThatStartsNone(t *testing.T) {
	s := newStarting(t, nil)
	if _, body, _ := s.get(t, access.Admin, "/collections/aachen/plan"); strings.Contains(body, "Start now") {
		t.Error("it offers what it cannot do")
	}
	if status, _ := s.post(t, access.Admin, "/collections/aachen/plan/start", url.Values{"definition": {"regular"}}); status != 503 {
		t.Errorf("%d", status)
	}
}
