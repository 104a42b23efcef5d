package replay_test

import (
	"testing"
	"time"

	"varve/crawl"
	execution "varve/crawl/browser"
	"varve/crawl/collect"
	"varve/crawl/gather"
	"varve/crawl/stages"
	"varve/lab/websim/modern"
	"varve/serve/replay/replaytest"
)

// everyPage sends HTML pages to the browser.
type everyPage struct{}

func (everyPage) Choose(e *collect.Evidence) collect.Choice {
	if e.MIME == "text/html" && e.Status == 200 {
		return collect.Choice{Collector: "browser", Why: "a test"}
	}
	return collect.Choice{}
}

func (everyPage) Learn(collect.Choice, collect.Yield) {}

// The site is crawled from its home page by executing pages: all that its scripts ask for is in the archive, which
// answers the same with the server stopped, although nobody named those addresses.
func TestBrowserExecutedSite(t *testing.T) {
	p := newRecorder(t)
	ctx := browserBehind(t, p.srv.Listener.Addr().String())
	executor, err := execution.New(execution.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer executor.Close()
	s, dir := crawlModernFrom(t, []string{"http://" + modern.Host + "/", "http://" + modern.CDN + "/about.html"},
		crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: everyPage{}, Collectors: map[string]collect.Collector{"browser": executor}}}.Of})
	p.allow(modern.Host+":80", s.AddrOf(modern.Host))
	p.allow(modern.CDN+":80", s.AddrOf(modern.CDN))
	navigate(t, ctx, "http://"+modern.Host+"/")
	waitFor(t, ctx, settled)
	live := eval[map[string]any](t, ctx, "window.results")

	p.leave(t, ctx)
	s.Close()
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	h, host, addr := serveReplay(t, x, "")
	p.only(host, addr)
	began := time.Now()
	navigate(t, ctx, "http://"+host+"/n/if_/http://"+modern.Host+"/")
	waitFor(t, ctx, settled)
	same(t, eval[map[string]any](t, ctx, "window.results"), live)
	t.Logf("replayed in %s", time.Since(began))
	if out := p.seen(host); out != nil {
		t.Errorf("%d requests left the replay host: %q", len(out), out)
	}
	if n, list := h.Leaks(); n != 0 {
		t.Errorf("%d attempts were stopped only by the policy: %+v", n, list)
	}
}
