package api_test

import (
	"net/http"
	"net/url"
	"testing"

	"varve/serve/access"
	"varve/serve/thread"
)

func TestThread(t *testing.T) {
	w := newWorld(t)
	ask := func(values url.Values) string { return "/api/collections/aachen/thread?" + values.Encode() }
	var got thread.Thread
	w.get(t, ask(url.Values{"url": {home}}), &got)
	if got.Application != "Town" || len(got.Posts) != 1 || got.Posts[0].Text == "" || got.URL != home || got.Looks < 2 {
		t.Errorf("%+v", got)
	}
	var before thread.Thread
	w.get(t, ask(url.Values{"url": {home}, "at": {"20260131"}}), &before)
	if !before.At.Before(got.At) || before.Posts[0].Text == got.Posts[0].Text {
		t.Errorf("as of January: captured %v, as of now %v", before.At, got.At)
	}
	for _, c := range []struct {
		values url.Values
		status int
	}{
		{url.Values{}, http.StatusBadRequest},
		{url.Values{"url": {home}, "at": {"soon"}}, http.StatusBadRequest},
		{url.Values{"url": {home}, "at": {"1999"}}, http.StatusNotFound},
		{url.Values{"url": {"http://nobody.test/"}}, http.StatusNotFound},
	} {
		if resp := w.do(t, access.Viewer, "GET", ask(c.values), ""); resp.StatusCode != c.status {
			t.Errorf("%v: %d, want %d", c.values, resp.StatusCode, c.status)
		}
	}
}
