package replay_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/lab/websim/modern"
	"varve/serve/replay"
	"varve/serve/replay/proxy"
	"varve/serve/replay/replaytest"
	"varve/web/ca"
)

const settled = "window.results && window.pending === 0 && window.moduleRan && document.readyState === 'complete' && [...document.images].every(i => i.complete) && window.performance.getEntriesByType('resource').some(e => e.name.endsWith('style.svg')) && document.getElementById('video').readyState >= 2"

// The site is crawled, seen live, the server is stopped, and the archive must look and answer the same without a
// single request to anywhere but the replay host.
func TestBrowserModernSite(t *testing.T) {
	p := newRecorder(t)
	ctx := browser(t, p)
	s, dir := crawlModern(t)
	p.allow(modern.Host+":80", s.AddrOf(modern.Host))
	p.allow(modern.CDN+":80", s.AddrOf(modern.CDN))

	navigate(t, ctx, "http://"+modern.Host+"/")
	waitFor(t, ctx, settled)
	live := eval[map[string]any](t, ctx, "window.results")
	livePicture := still(t, ctx, "modern-live")

	p.leave(t, ctx)
	s.Close()
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	h, host, addr := serveReplay(t, x, "")
	p.only(host, addr)

	t.Run("looks the same", func(t *testing.T) {
		navigate(t, ctx, "http://"+host+"/n/if_/http://"+modern.Host+"/")
		waitFor(t, ctx, settled)
		if share, where := differing(livePicture, still(t, ctx, "modern-replayed")); share > 0.001 {
			t.Errorf("%.3f %% of the picture differs, at %v", 100*share, where)
		}
	})
	t.Run("answers the same", func(t *testing.T) {
		navigate(t, ctx, "http://"+host+"/n/http://"+modern.Host+"/")
		waitFor(t, ctx, "document.getElementById('page')")
		in := inside(t, ctx, "mp_/http://"+modern.Host+"/")
		waitFor(t, in, settled)
		got := eval[map[string]any](t, in, "window.results")
		same(t, got, live)
		waitFor(t, ctx, "document.getElementById('verdict').classList.contains('missing') || document.getElementById('parts').textContent.includes('parts within')")
		screenshot(t, ctx, "modern-framed")
	})
	t.Run("the banner follows", func(t *testing.T) {
		eval[bool](t, inside(t, ctx, "mp_/http://"+modern.Host+"/"), "document.getElementById('rel').click(), true")
		waitFor(t, ctx, "document.querySelector('#bar').dataset.url.endsWith('/page2.html') && location.pathname.endsWith('/page2.html') && document.getElementById('parts').textContent.includes('1 missing')")
		eval[bool](t, ctx, "document.getElementById('parts').click(), true")
		waitFor(t, ctx, "document.querySelector('#list tr.missing')")
		screenshot(t, ctx, "modern-parts")
	})
	t.Run("the banner knows what is not there", func(t *testing.T) {
		in := inside(t, ctx, "mp_/http://"+modern.Host+"/")
		eval[bool](t, in, "location.href.length > 0 && (document.getElementById('home').setAttribute('href', '/never.html'), document.getElementById('home').click(), true)")
		waitFor(t, ctx, "document.getElementById('verdict').textContent.includes('not in the archive') && location.pathname.endsWith('/never.html')")
	})
	t.Run("forms and encodings", func(t *testing.T) {
		navigate(t, ctx, "http://"+host+"/n/http://"+modern.Host+"/")
		in := inside(t, ctx, "mp_/http://"+modern.Host+"/")
		waitFor(t, in, "document.getElementById('find') && document.readyState === 'complete'")
		eval[bool](t, in, "document.getElementById('find').click(), true")
		waitFor(t, inside(t, ctx, "/search?q=varve"), "document.querySelector('h1') && document.querySelector('h1').textContent === 'Found: varve'")
		for path, want := range map[string]string{"/latin.html": "Grüße aus Köln", "/sjis.html": "表示ソフト", "/base/deep.html": "Base", "/old": "Moved here"} {
			navigate(t, ctx, "http://"+host+"/n/if_/http://"+modern.Host+path)
			waitFor(t, ctx, "document.querySelector('h1') && document.querySelector('h1').textContent === '"+want+"'")
		}
	})
	t.Run("nothing left", func(t *testing.T) {
		if out := p.seen(host); out != nil {
			t.Errorf("%d requests left the replay host: %q", len(out), out)
		}
		if n, list := h.Leaks(); n != 0 {
			t.Errorf("%d attempts were stopped only by the policy: %+v", n, list)
		}
	})
	t.Run("as the proxy of a browser", func(t *testing.T) {
		authority, err := ca.Open(t.TempDir(), "Varve replay", time.Now)
		if err != nil {
			t.Fatal(err)
		}
		px, err := proxy.New(proxy.Config{Archive: h, Authority: authority, Collection: "n"})
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(px)
		t.Cleanup(srv.Close)
		ctx := browserBehind(t, srv.Listener.Addr().String())
		navigate(t, ctx, "http://"+modern.Host+"/")
		waitFor(t, ctx, settled)
		same(t, eval[map[string]any](t, ctx, "window.results"), live)
		if share, where := differing(livePicture, still(t, ctx, "modern-proxied")); share > 0.001 {
			t.Errorf("%.3f %% of the picture differs, at %v", 100*share, where)
		}
	})
	t.Run("not captured", func(t *testing.T) {
		navigate(t, ctx, "http://"+host+"/n/20260101/http://"+modern.Host+"/never.html")
		if h1 := eval[string](t, ctx, "document.querySelector('h1').textContent"); h1 != "This page is not in the archive" {
			t.Error(h1)
		}
		screenshot(t, ctx, "modern-missing")
	})
}

// The site once more on a host without names for collections, where some may see what others may not: every document is
// for itself. It looks the same and answers the same, but for what needs an origin.
func TestBrowserModernSiteOneHost(t *testing.T) {
	p := newRecorder(t)
	s, dir := crawlModern(t)
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	_, host, addr := serveReplayAs(t, x, "replay.test", func(c *replay.Config) { c.Rights = fakeRights{differ: true} })
	ctx := browserBehind(t, p.srv.Listener.Addr().String(), "http://"+host, "http://content."+host)
	p.allow(modern.Host+":80", s.AddrOf(modern.Host))
	p.allow(modern.CDN+":80", s.AddrOf(modern.CDN))
	navigate(t, ctx, "http://"+modern.Host+"/")
	waitFor(t, ctx, settled)
	live := eval[map[string]any](t, ctx, "window.results")
	livePicture := still(t, ctx, "modern-live-one-host")
	p.leave(t, ctx)
	s.Close()
	p.only(host, addr)
	p.allow("content."+host, addr)

	navigate(t, ctx, "http://"+host+"/n/if_/http://"+modern.Host+"/")
	waitFor(t, ctx, strings.Replace(settled, "window.pending === 0", "window.pending === 1", 1)) // "message" waits for a frame that cannot look at the page
	if at := eval[string](t, ctx, "window['loca' + 'tion'].host + ' ' + window['orig' + 'in'].slice(0, 4) + ' ' + document.domain"); !strings.HasPrefix(at, "content."+host) {
		t.Errorf("the page is at %s", at)
	}
	if share, where := differing(livePicture, still(t, ctx, "modern-replayed-one-host")); share > 0.001 {
		t.Errorf("%.3f %% of the picture differs, at %v", 100*share, where)
	}
	got := eval[map[string]any](t, ctx, "window.results")
	for k := range live {
		if fmt.Sprint(got[k]) != fmt.Sprint(live[k]) && !slices.Contains(needsOrigin, k) {
			t.Errorf("%s: %v, live it was %v", k, got[k], live[k])
		}
	}
	for _, k := range needsOrigin {
		if fmt.Sprint(got[k]) == fmt.Sprint(live[k]) {
			t.Errorf("%s works without an origin: take it out of the list", k)
		}
	}
}

// needsOrigin are the probes of the modern site that a document for itself cannot pass.
var needsOrigin = []string{"blank", "blobWorker", "message", "worker"}
