package browser

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/crawl/browser/proxy"
	"varve/web/links"
)

// The names of kinds are those of web/links.
func TestKinds(t *testing.T) {
	for want, k := range map[string]links.Kind{
		"js-location": kinds.location, "js-history": kinds.history, "js-open": kinds.open, "form-get": kinds.formGet, "img-src": kinds.image, "script-src": kinds.script,
		"link-stylesheet": kinds.style, "css-font": kinds.font, "video-src": kinds.video, "audio-src": kinds.audio, "track-src": kinds.track, "iframe-src": kinds.frame,
		"js-worker": kinds.worker, "link-manifest": kinds.manifest, "js-fetch": kinds.any,
	} {
		if k.String() != want {
			t.Errorf("%s is %s", want, k)
		}
	}
	for _, tc := range []struct {
		dest, mime string
		want       links.Kind
	}{
		{"image", "text/html", kinds.image},
		{"empty", "image/png", kinds.any},
		{"", "image/png", kinds.image},
		{"", "text/javascript", kinds.script},
		{"", "text/css", kinds.style},
		{"", "font/woff2", kinds.font},
		{"", "text/vtt", kinds.track},
		{"", "text/html", kinds.frame},
		{"", "application/json", kinds.any},
		{"serviceworker", "", kinds.worker},
		{"", "", kinds.any},
	} {
		if got := kindOf(&proxy.Exchange{Dest: tc.dest, MIME: tc.mime}); got != tc.want {
			t.Errorf("%q %q: %s, want %s", tc.dest, tc.mime, got, tc.want)
		}
	}
}

// The processor time of a browser is shared out among the pages that were open, and nothing is lost.
func TestMeter(t *testing.T) {
	now := 10 * time.Second // used before the first page
	m := newMeter(func() time.Duration { return now })
	a, b := &page{}, &page{}
	m.begin(a)
	now += 4 * time.Second
	m.begin(b)
	now += 2 * time.Second
	if got := m.end(a); got != 5*time.Second {
		t.Errorf("the first page used %s", got)
	}
	now -= time.Second // a process ended that nobody waited for
	m.begin(a)
	now += 4 * time.Second
	if got := m.end(b); got != 2500*time.Millisecond {
		t.Errorf("the second page used %s", got)
	}
	if m.end(a); m.busy() {
		t.Error("nobody is there")
	}
}

// Each address is one link of a kind, and what cannot be followed is none.
func TestGathering(t *testing.T) {
	g := newGathering()
	g.document("http://a.test/x/", &harvest{
		Base: "http://a.test/y/", HTML: `<a href=one>One</a><a href=one#again>x</a><img src=one><script>var u = "/guess.html"</script><a href="mailto:x@y">m</a>`,
		Parts: []string{`<a href=two>Two</a>`}, Forms: []string{"http://a.test/f?a=1"}, Elements: 4,
	})
	g.exchange("http://a.test/x/#f", &proxy.Exchange{URL: "http://a.test/x/", Method: "GET"})
	g.exchange("http://a.test/x/", &proxy.Exchange{URL: "http://a.test/post", Method: "POST"})
	g.exchange("http://a.test/x/", &proxy.Exchange{URL: "http://a.test/part", Method: "GET", Dest: "style"})
	var got []string
	for _, l := range g.links {
		got = append(got, l.URL+" "+l.Kind.String()+" "+l.Hop.String()+" "+l.Anchor)
	}
	want := []string{
		"http://a.test/x/one a-href link One", "http://a.test/x/one img-src embed ", "http://a.test/y/two a-href link Two", "http://a.test/f?a=1 form-get link ", "http://a.test/part link-stylesheet embed ",
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// TestGatheringCuts: what limits keep out of an executed page is counted.
func TestGatheringCuts(t *testing.T) {
	g := newGathering()
	for i := range maxLinks + 7 {
		g.add("http://a.test/"+strconv.Itoa(i), links.DOMLink, links.HopLink)
	}
	g.add("http://a.test/3", links.DOMLink, links.HopLink)
	if len(g.links) != maxLinks || g.cut != 7 {
		t.Errorf("%d links, %d cut", len(g.links), g.cut)
	}
	g = newGathering()
	g.document("http://a.test/", &harvest{HTML: "<a href=/" + strings.Repeat("x", 9000) + ">", Cut: 1})
	if g.cut != 2 {
		t.Errorf("%d cut of a document that was not taken whole and has a link that is too long", g.cut)
	}
	var p page
	for i := range maxLeaves + 3 {
		p.note("http://a.test/"+strconv.Itoa(i), links.DOMRoute, links.HopLink)
	}
	if p.leavesCut != 3 {
		t.Errorf("%d leaves cut", p.leavesCut)
	}
}
