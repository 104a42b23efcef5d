package replay_test

import (
	"strings"
	"testing"

	"varve/serve/replay/replaytest"
)

// A browser that is not known to keep scripts in shows classic pages as they are without scripts: what noscript holds, links,
// frames, refreshes; the banner follows, and the reader may let scripts run.
func TestBrowserWithoutScripts(t *testing.T) {
	page := func(path, body string) replaytest.Answer {
		return replaytest.Answer{URL: "http://a.example" + path, Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: body}
	}
	gif := page("/i.gif", "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")
	gif.Header = "Content-Type: image/gif\n"
	const ran = `<script>document.body.dataset.ran = 1</script>`
	x := replaytest.Write(t, gif,
		page("/p", `<!doctype html><title>p</title><body><h1>first</h1>`+ran+`<noscript><p id=plain>without scripts</p></noscript><img src=/i.gif><img src=/gone.gif><a id=next href=/q target=_blank>next</a><a id=dead href=/dead>dead</a>
<iframe srcdoc="<body>&lt;script>document.body.dataset.ran = 1&lt;/script>"></iframe><iframe src="javascript:parent.document.body.dataset.ran = 1"></iframe><a id=js href="javascript:document.body.dataset.ran = 1" onclick="document.body.dataset.ran = 1">js</a>`),
		page("/q", `<!doctype html><title>q</title><body><h1>second</h1>`+ran),
		page("/r", `<meta http-equiv=refresh content="0; url=/q"><body>wait`),
	)
	p := newRecorder(t)
	p.plain = true
	ctx := browser(t, p)
	_, host, addr := serveReplay(t, x, "")
	p.only(host, addr)
	open := func(path string) { navigate(t, ctx, "http://"+host+"/n/20260102030405/http://a.example"+path) }
	banner := func(what string) { t.Helper(); waitFor(t, ctx, what) }

	open("/p")
	in := inside(t, ctx, "mp_/http://a.example/p")
	waitFor(t, in, "document.getElementById('plain') && document.getElementById('plain').getBoundingClientRect().height > 0 && document.images[0].naturalWidth === 1")
	banner("document.querySelector('#scripts').textContent.includes('are off') && document.getElementById('parts').textContent.includes('1 missing')")
	screenshot(t, ctx, "without-scripts")
	eval[bool](t, in, "document.getElementById('js').click(), true")
	if eval[bool](t, in, "!!document.body.dataset.ran || [...document.querySelectorAll('iframe')].some(f => f.contentDocument && f.contentDocument.body && f.contentDocument.body.dataset.ran)") {
		t.Error("a script ran")
	}
	eval[bool](t, in, "document.getElementById('next').click(), true")
	banner("document.querySelector('#bar').dataset.url === 'http://a.example/q' && location.pathname.endsWith('/q') && document.querySelector('#scripts').textContent.includes('are off')")

	open("/r")
	banner("document.querySelector('#bar').dataset.url === 'http://a.example/q'")
	open("/p")
	in = inside(t, ctx, "mp_/http://a.example/p")
	waitFor(t, in, "document.getElementById('dead')")
	eval[bool](t, in, "document.getElementById('dead').click(), true")
	banner("document.getElementById('verdict').textContent.includes('not in the archive')")

	open("/p")
	eval[bool](t, ctx, "document.querySelector('#scripts button[value=page]').click(), true")
	banner("document.querySelector('#scripts') && document.querySelector('#scripts').textContent.includes('this once')")
	in = inside(t, ctx, "mp_/http://a.example/p")
	waitFor(t, in, "document.body && document.body.dataset.ran && !document.getElementById('plain')")
	banner("document.getElementById('parts').textContent.includes('1 missing')")
	eval[bool](t, in, "document.getElementById('next').removeAttribute('target'), document.getElementById('next').click(), true")
	banner("document.querySelector('#bar').dataset.url === 'http://a.example/q' && document.querySelector('#scripts').textContent.includes('are off')")
	if eval[bool](t, inside(t, ctx, "mp_/http://a.example/q"), "!!document.body.dataset.ran") {
		t.Error("the next page runs scripts too")
	}

	eval[bool](t, ctx, "document.querySelector('#scripts button[value=collection]').click(), true")
	banner("document.querySelector('#scripts') && document.querySelector('#scripts').textContent.includes('of this collection run')")
	waitFor(t, inside(t, ctx, "mp_/http://a.example/q"), "document.body && document.body.dataset.ran")
	open("/p")
	waitFor(t, inside(t, ctx, "mp_/http://a.example/p"), "document.body && document.body.dataset.ran")
	for _, line := range p.seen(host) {
		if !strings.HasPrefix(line, "CONNECT ") {
			t.Errorf("asked for: %s", line)
		}
	}
}
