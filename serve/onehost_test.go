package serve_test

import (
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
	"varve/lab/attack"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/replay/replaytest"
)

// oneHost starts a server whose replay host has no names below it for collections, and a browser that finds it.
func oneHost(t *testing.T, dir string) (*site, *tab) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(addr)
	users := access.OpenUsers(filepath.Join(dir, "access"))
	if err := users.Put("ada", access.Admin, "x", time.Now()); err != nil {
		t.Fatal(err)
	}
	token, _, err := users.NewToken("ada", "", time.Now(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.ReplayAddr, c.PublicReplayURL = "127.0.0.2:"+port, "http://replay.test:"+port })
	s.transport.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
		if strings.Contains(to, "replay.test:") {
			to = "127.0.0.2:" + port
		}
		return (&net.Dialer{}).DialContext(ctx, network, to)
	}
	s.header = []string{"Authorization", "Bearer " + token}
	// As with TLS, which browsers say by Sec-Fetch headers.
	b := newTab(t, chromedp.Flag("host-resolver-rules", "MAP *.replay.test 127.0.0.2, MAP replay.test 127.0.0.2"),
		chromedp.Flag("unsafely-treat-insecure-origin-as-secure", s.replay+","+strings.Replace(s.replay, "://", "://content.", 1)))
	return s, b
}

// enter opens collections in the browser with tickets, as the screens do for somebody who is logged in.
func (s *site) enter(b *tab, path string, collections ...string) {
	s.t.Helper()
	for _, name := range collections {
		resp, body := s.do("GET", s.ui+"/open?path=/"+name+path, "")
		to := resp.Header.Get("Location")
		if !strings.Contains(to, access.TicketPath) {
			s.t.Fatalf("no ticket for %s: %d %s %.200s", name, resp.StatusCode, to, body)
		}
		b.open(to)
	}
}

// On one host for the content of collections that differ in who may see them every document is for itself. The realms
// once more there: none reads what is withheld or reaches the live network.
func TestBrowserOneHostRealms(t *testing.T) {
	s, b := oneHost(t, hostileArchive(t, hostilePages))
	s.waitForCapture("open", "http://evil.example/all.html")
	s.waitForCapture("secret", "http://s.example/")
	s.enter(b, "/20260102030405/http://evil.example/plain.html", "open", "secret") // an administrator, who may see it all
	c := newCanary(t)
	content := strings.Replace(s.replay, "://", "://content.", 1)
	secret, _ := s.content("/secret/20260102030405/http://s.example/")
	if !strings.HasPrefix(secret, content+"/secret~w") {
		t.Fatalf("content is at %s", secret)
	}
	var secrets []string
	for _, path := range []string{"/secret/20260102030405id_/http://s.example/", "/secret/20260102030405mp_/http://s.example/", "/open/20260102030405id_/http://withheld.example/", "/open/20260102030405mp_/http://withheld.example/", "/secret/cdx?url=s.example&output=json", "/secret/20260102030405/http://s.example/"} {
		secrets = append(secrets, path, content+path, s.replay+path)
	}
	secrets = append(secrets, secret) // even by its key, which no script knows: it is of another collection
	tally := attack.Count(t)
	const batches = 4
	for i, path := range []string{"all.html", "all.html", "all.html", "all.html", "static.html"} {
		k, err := json.Marshal(map[string]any{"secrets": secrets, "ui": s.ui, "live": "http://" + c.tcp.Addr().String(), "stun": c.stun(), "batch": i, "batches": batches, "skip": []string{"download"}})
		if err != nil {
			t.Fatal(err)
		}
		tried, got := b.realms(s.replay + "/open/20260102030405if_/http://evil.example/" + path + "#" + strings.ReplaceAll(strings.ReplaceAll(string(k), "%", "%25"), `"`, "%22"))
		if len(tried) == 0 {
			t.Errorf("%s: nothing was tried", path)
		}
		tally.Try(len(tried) * (len(secrets) + 1 + 16))
		for _, g := range got {
			if !strings.HasSuffix(g, "WebRTC in a race") { // the canary tells whether the wall held
				tally.Through(1)
				t.Errorf("%s: %s", path, g)
			}
		}
		for _, h := range c.take() {
			tally.Through(1)
			t.Errorf("%s: the live network heard: %s", path, h)
		}
	}
}

// What a page keeps or says in the browser does not reach a page of another collection on the same host, nor the next
// one of its own.
func TestBrowserOneHostKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first", "second", "secret"} {
		col, err := catalog.Open(dir).Collection(name)
		if err != nil {
			t.Fatal(err)
		}
		replaytest.WriteInto(t, col.WarcDir(), replaytest.Answer{URL: "http://a.example/", Time: "2026-01-02T03:04:05Z", Header: "Content-Type: text/html\nSet-Cookie: then=1\n", Body: keeper})
	}
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	if _, err := rules.Add(access.Rule{Collection: "secret", Level: access.Curators, Reason: "x"}, "test", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	s, b := oneHost(t, dir)
	for _, name := range []string{"first", "second", "secret"} {
		s.waitForCapture(name, "http://a.example/")
	}
	s.enter(b, "/20260102030405/http://a.example/", "first", "second", "secret")
	tally := attack.Count(t)
	other, stop := chromedp.NewContext(b.ctx) // a page that stays open and listens
	defer stop()
	if err := chromedp.Do(other, chromedp.Navigate(s.replay+"/second/20260102030405if_/http://a.example/#stays")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret", "first", "second", "secret"} {
		b.open(s.replay + "/" + name + "/20260102030405if_/http://a.example/#" + name)
		b.is("window.done")
		found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string]("window.found"))
		if err != nil {
			t.Fatal(err)
		}
		tried, err := chromedp.Run(b.ctx, chromedp.Evaluate[int]("window.tried"))
		if err != nil {
			t.Fatal(err)
		}
		tally.Try(tried)
		for _, f := range found {
			tally.Through(1)
			t.Errorf("%s found %s", name, f)
		}
		if tried < 9 {
			t.Errorf("%s tried %d ways only", name, tried)
		}
		if worked, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.cookie + ' ' + localStorage.getItem('mine') + ' ' + sessionStorage.mine")); err != nil || !strings.Contains(worked, "mine=") || !strings.Contains(worked, name+" "+name) || !strings.Contains(worked, "then=1") {
			t.Errorf("%s does not keep for itself: %q %v", name, worked, err)
		}
	}
	heard, err := chromedp.Run(other, chromedp.Evaluate[[]string]("window.heard"))
	if err != nil || len(heard) > 0 {
		tally.Through(len(heard))
		t.Errorf("the page that stayed heard %q (%v)", heard, err)
	}
	// Nor is anything sent: no request to content has a cookie.
	cookies, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.cookie"))
	if err != nil || strings.Contains(cookies, "varve") {
		t.Errorf("cookies: %q %v", cookies, err)
	}
}

// keeper is a page that looks for what others kept and then keeps something in every place that a browser has.
const keeper = `<!doctype html><title>keeper</title><script>
var me = window['loca' + 'tion'].hash.slice(1), found = [], heard = [], tried = 0, waiting = [];
function way(name, look, keep) {
  tried++;
  waiting.push(new Promise(function (ok) {
    setTimeout(ok, 2000);
    try {
      Promise.resolve(look()).then(function (v) { if (v) found.push(name + ': ' + v); return keep(); }).then(ok, ok);
    } catch (e) { try { keep(); } catch (e) {} ok(); }
  }));
}
way('cookie', function () { return /mine=/.test(document.cookie) && document.cookie; }, function () { document.cookie = 'mine=' + me; });
way('cookie as the browser has it', function () { var d = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie'), c = d && d.get.call(document); return /mine=(?!$)/.test(c) && c.indexOf('mine=' + me) < 0 && c; }, function () {});
way('localStorage', function () { return localStorage.getItem('mine'); }, function () { localStorage.setItem('mine', me); });
way('sessionStorage', function () { return sessionStorage.mine; }, function () { sessionStorage.mine = me; });
way('window.name', function () { return window.name; }, function () { window.name = me; });
way('history.state', function () { return history.state; }, function () { history.replaceState(me, ''); });
way('IndexedDB', function () { return new Promise(function (ok, bad) { var q = indexedDB.open('mine'); q.onupgradeneeded = function () { ok(''); }; q.onsuccess = function () { ok('a database'); }; q.onerror = bad; }); }, function () {});
way('caches', function () { return caches.keys().then(function (k) { return k.join(); }); }, function () { return caches.open('mine'); });
way('file system', function () { return navigator.storage.getDirectory().then(function (d) { return d.getFileHandle('mine'); }).then(function () { return 'a file'; }, function () { return ''; }); }, function () { return navigator.storage.getDirectory().then(function (d) { return d.getFileHandle('mine', { create: true }); }); });
way('shared worker', function () { return new Promise(function (ok) { var w = new SharedWorker(URL.createObjectURL(new Blob(['var n = 0; onconnect = function (e) { e.ports[0].postMessage(n++) }'])), 'mine'); w.port.onmessage = function (e) { ok(e.data ? 'a worker' : ''); }; w.onerror = function () { ok(''); }; }); }, function () {});
way('locks', function () { return navigator.locks.query().then(function (q) { return q.held.length ? 'a lock' : ''; }); }, function () { navigator.locks.request('mine', function () { return new Promise(function () {}); }); });
try { var radio = new BroadcastChannel('mine'); radio.onmessage = function (e) { if (e.data !== me) heard.push('broadcast of ' + e.data); }; radio.postMessage(me); } catch (e) {}
addEventListener('storage', function (e) { heard.push('storage ' + e.newValue); });
addEventListener('message', function (e) { heard.push('message ' + e.data); });
Promise.all(waiting).then(function () { setTimeout(function () { found = found.concat(heard); window.done = true; }, 300); });
</script>`
