package capture

import (
	"errors"
	"io"
	"log/slog"
	"testing"

	"varve/crawl"
	"varve/crawl/browser"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/gather"
	"varve/crawl/route"
	"varve/crawl/stages"
)

// executing gives the options of a crawl that executes pages where it pays.
func executing(t testing.TB) func(Job, fetch.Config) crawl.Options {
	t.Helper()
	path, err := browser.Find("")
	if errors.Is(err, browser.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func(j Job, _ fetch.Config) crawl.Options {
		b, err := browser.New(browser.Config{Path: path, Tabs: 2, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		mode := map[Mode]route.Mode{Parser: route.ParserOnly, Routed: route.Auto, Browser: route.Everywhere}[j.Mode]
		return crawl.Options{Stages: stages.Set{Collect: gather.Options{
			Route: route.New(route.Default(), mode, nil, route.Browser), Slots: 2, Runs: route.Browser,
			Collectors: map[string]collect.Collector{route.Browser: b},
		}}.Of}
	}
}

// Executed pages are captured to the byte: of every request of the browser, the record has what the server says it
// sent, POST included. With the server stopped, replay finds it again. How much comes is for the experiment to tell: on
// a machine that is busy with other tests a page may count as quiet too early.
func TestExecuted(t *testing.T) {
	if testing.Short() {
		t.Skip("short: Chromium is not started")
	}
	res, err := Run(t.Context(), Config{
		Sites: []string{"post", "router"}, Modes: []Mode{Routed}, Plain: 2, Seed: 1, Dir: t.TempDir(),
		Crawl: within(t, executing(t)), Replay: replayed(t),
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range res.Lines {
		if len(l.Inexact) > 0 {
			t.Errorf("%s: %d answers differ between server and records: %q", l.Site, len(l.Inexact), l.Inexact)
		}
		if l.Share() < 0.6 {
			t.Errorf("%s: %d of %d key elements; missed %v", l.Site, l.Captured, l.Elements, l.Missed)
		}
		if 2*l.Shown < l.Views {
			t.Errorf("%s: %d of %d views shown; %+v", l.Site, l.Shown, l.Views, l.Unshown)
		}
	}
}
