package serve_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/serve"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// firefox is a Firefox that is driven by WebDriver BiDi: JSON over a WebSocket, of which only texts are needed.
type firefox struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
	n    int
}

// newFirefox starts a Firefox with preferences as about:config has them.
func newFirefox(t testing.TB, prefs ...string) *firefox {
	t.Helper()
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		t.Skip("no firefox-esr on this machine (Debian: apt-get install firefox-esr)")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(addr)
	profile := t.TempDir()
	for i := 0; i < len(prefs); i += 2 {
		prefs[i] = fmt.Sprintf("user_pref(%q, %s);\n", prefs[i], prefs[i+1])
		prefs[i+1] = ""
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(strings.Join(prefs, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", port, "about:blank")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
	})
	f := &firefox{t: t}
	for range 300 {
		if f.conn, err = net.Dial("tcp", addr); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.conn.Close() })
	_ = f.conn.SetDeadline(time.Now().Add(4 * time.Minute))
	f.r = bufio.NewReader(f.conn)
	fmt.Fprintf(f.conn, "GET /session HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", addr)
	resp, err := http.ReadResponse(f.r, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v %v", resp, err)
	}
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	return f
}

// call sends a command and reads its result; events are passed over.
func (f *firefox) call(method string, params, result any) {
	f.t.Helper()
	f.n++
	text, err := json.Marshal(map[string]any{"id": f.n, "method": method, "params": params})
	if err != nil {
		f.t.Fatal(err)
	}
	head := []byte{0x81, 0x80 | byte(min(len(text), 126))}
	if len(text) > 65535 {
		head = binary.BigEndian.AppendUint64([]byte{0x81, 0x80 | 127}, uint64(len(text)))
	} else if len(text) >= 126 {
		head = binary.BigEndian.AppendUint16(head, uint16(len(text)))
	}
	mask := [4]byte{1, 2, 3, 4}
	for i := range text {
		text[i] ^= mask[i%4]
	}
	if _, err := f.conn.Write(append(append(head, mask[:]...), text...)); err != nil {
		f.t.Fatal(err)
	}
	for {
		var answer struct {
			ID     int
			Type   string
			Result json.RawMessage
		}
		message := f.message()
		if err := json.Unmarshal(message, &answer); err != nil {
			f.t.Fatalf("%v: %.200s", err, message)
		}
		if answer.ID != f.n {
			continue
		}
		if answer.Type != "success" {
			f.t.Fatalf("%s: %.300s", method, message)
		}
		if result != nil {
			if err := json.Unmarshal(answer.Result, result); err != nil {
				f.t.Fatal(err)
			}
		}
		return
	}
}

// message reads one message of the other side.
func (f *firefox) message() (out []byte) {
	f.t.Helper()
	for {
		var head [2]byte
		if _, err := io.ReadFull(f.r, head[:]); err != nil {
			f.t.Fatal(err)
		}
		size := uint64(head[1] & 127)
		if size >= 126 {
			more := make([]byte, map[uint64]int{126: 2, 127: 8}[size])
			if _, err := io.ReadFull(f.r, more); err != nil {
				f.t.Fatal(err)
			}
			size = binary.BigEndian.Uint64(append(make([]byte, 8-len(more)), more...))
		}
		part := make([]byte, size)
		if _, err := io.ReadFull(f.r, part); err != nil {
			f.t.Fatal(err)
		}
		if out = append(out, part...); head[0]&0x80 != 0 {
			return out
		}
	}
}

// The realms once more in Firefox, which does not know Connection-Allowlist. A script that looks at a frame between all
// other tasks sees its next window before the shim is in it, and Firefox has no header that would stop WebRTC there
// (tried: the policies webrtc, connect-src and sandbox, Permissions-Policy). So, as it comes, no script runs: nothing is
// tried, in no realm, and nothing is heard. Where the archive or the reader lets scripts run, nothing is read, nothing is
// heard by TCP, and the race for WebRTC can be won; with the preference that docs/safety.md names there is none.
func TestDrillFirefoxRealms(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	t.Run("as it comes", firefoxStill)
	t.Run("scripts allowed", func(t *testing.T) { firefoxRealms(t, false) })
	t.Run("scripts allowed, without WebRTC", func(t *testing.T) { firefoxRealms(t, true, "media.peerconnection.enabled", "false") })
}

// hostilePaths are pages that try the realms, each in a number of batches.
var hostilePaths = []string{"all.html", "all.html", "all.html", "all.html", "all.html", "static.html", "replaced.html", "written.html", "races.html"}

const hostileBatches = 5

// firefoxStill opens the pages that try the realms, by themselves and in their frame, as Firefox comes: no script of them
// runs, as their noscript shows, and nothing is heard.
func firefoxStill(t *testing.T) {
	tally := attack.Count(t)
	s := start(t, hostileArchive(t, func(live string) []replaytest.Answer {
		pages := hostilePages(live)
		for i := range pages {
			if strings.HasSuffix(pages[i].URL, ".html") && !strings.HasSuffix(pages[i].URL, "/frameset.html") {
				pages[i].Body += "<noscript><p id=without></p></noscript>"
			}
		}
		return pages
	}), nil)
	s.waitForCapture("open", "http://evil.example/all.html")
	c := newCanary(t)
	f := newFirefox(t)
	shown := 0
	for i, path := range hostilePaths {
		k, err := json.Marshal(map[string]any{"live": "http://" + c.tcp.Addr().String(), "ui": s.ui, "stun": c.stun(), "secrets": []string{}, "batch": i, "batches": hostileBatches})
		if err != nil {
			t.Fatal(err)
		}
		for _, mod := range []string{"if_", ""} {
			var tab struct{ Context string }
			f.call("browsingContext.create", map[string]any{"type": "tab"}, &tab)
			f.call("browsingContext.navigate", map[string]any{"context": tab.Context, "url": s.replay + "/open/20260102030405" + mod + "/http://evil.example/" + path + "#" + url.PathEscape(string(k)), "wait": "complete"}, nil)
			for _, context := range f.contexts(tab.Context) {
				said := f.evaluate(context, "location.pathname + ' ' + !!document.getElementById('without') + ' ' + (typeof tried === 'undefined')")
				tally.Try(1)
				switch {
				case !strings.Contains(said, "evil.example/"+path+" ") || strings.Contains(said, "/20260102030405/"): // the banner, or a frame of the page
				case strings.HasSuffix(said, " true true"):
					shown++
				default:
					tally.Through(1)
					t.Errorf("%s%s: a script ran: %s", mod, path, said)
				}
			}
			f.call("browsingContext.close", map[string]any{"context": tab.Context}, nil)
		}
	}
	if shown != 2*len(hostilePaths) {
		t.Errorf("%d pages were shown, want %d", shown, 2*len(hostilePaths))
	}
	time.Sleep(6 * time.Second) // for packets that must not come
	for _, h := range c.take() {
		tally.Through(1)
		t.Errorf("the live network heard: %s", h)
	}
}

// In Firefox classic pages are shown as they are without scripts, the banner follows, and the reader may let scripts run.
func TestDrillFirefoxWithoutScripts(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	s := start(t, hostileArchive(t, func(string) []replaytest.Answer {
		p := func(path, body string) replaytest.Answer {
			return replaytest.Answer{URL: "http://c.example/" + path, Time: "2026-01-02T03:04:05Z", Header: "Content-Type: text/html\n", Body: body}
		}
		const ran = `<script>document.body.id = 'ran'</script>`
		return []replaytest.Answer{
			p("one", `<body>`+ran+`<noscript><p id=plain>x</p></noscript><img src=/gone.gif><a id=next href=/two target=_blank>next</a>`), p("two", `<body>`+ran+`second`), p("refresh", `<meta http-equiv=refresh content="0; url=/two">`),
			p("frames", `<frameset cols="50%,50%"><frame name=list src=/list><frame name=main src=/one></frameset>`), p("list", `<a id=next href=/two>in this frame</a>`),
		}
	}), nil)
	s.waitForCapture("open", "http://c.example/one")
	f := newFirefox(t)
	var tab struct{ Context string }
	f.call("browsingContext.create", map[string]any{"type": "tab"}, &tab)
	open := func(path string) {
		f.call("browsingContext.navigate", map[string]any{"context": tab.Context, "url": s.replay + "/open/20260102030405/http://c.example/" + path, "wait": "complete"}, nil)
	}
	// until waits until an expression is true in some frame, and returns that frame.
	until := func(expression string) string {
		t.Helper()
		for range 300 {
			for _, context := range f.contexts(tab.Context) {
				if f.evaluate(context, "String(!!("+expression+"))") == "true" {
					return context
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%s never became true: %s", expression, f.evaluate(tab.Context, "document.body.innerText"))
		return ""
	}
	const content = "location.hostname.startsWith('open.') && "
	open("one")
	in := until(content + "document.getElementById('plain') && document.getElementById('plain').getBoundingClientRect().height > 0 && document.body.id !== 'ran'")
	until("document.getElementById('scripts') && document.getElementById('scripts').textContent.includes('are off') && document.getElementById('parts').textContent.includes('1 missing')")
	f.evaluate(in, "document.getElementById('next').click(), ''")
	until("document.getElementById('bar') && document.getElementById('bar').dataset.url === 'http://c.example/two'")
	open("refresh")
	until("document.getElementById('bar') && document.getElementById('bar').dataset.url === 'http://c.example/two'")
	open("one")
	f.evaluate(tab.Context, "document.querySelector('#scripts button[value=page]').click(), ''")
	until(content + "document.body && document.body.id === 'ran'")
	until("document.getElementById('scripts') && document.getElementById('scripts').textContent.includes('this once')")
	open("one")
	until(content + "document.getElementById('plain') && document.body.id !== 'ran'")
	open("frames")
	f.evaluate(until(content+"location.pathname.endsWith('/list') && document.getElementById('next')"), "document.getElementById('next').click(), ''")
	until(content + "location.pathname.endsWith('fr_/http://c.example/two')")
	if said := f.evaluate(tab.Context, "document.getElementById('bar').dataset.url"); said != "http://c.example/frames" {
		t.Errorf("the banner took a frame for the page: %s", said)
	}
}

// contexts returns a tab and all frames in it.
func (f *firefox) contexts(tab string) (out []string) {
	f.t.Helper()
	type node struct {
		Context  string
		Children []node
	}
	var tree struct{ Contexts []node }
	f.call("browsingContext.getTree", map[string]any{"root": tab}, &tree)
	var walk func([]node)
	walk = func(nodes []node) {
		for _, n := range nodes {
			out = append(out, n.Context)
			walk(n.Children)
		}
	}
	walk(tree.Contexts)
	return out
}

// evaluate runs an expression of ours in a context, beside the scripts of the page.
func (f *firefox) evaluate(context, expression string) string {
	f.t.Helper()
	var r struct{ Result struct{ Value string } }
	f.call("script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": context}, "awaitPromise": false}, &r)
	return r.Result.Value
}

func firefoxRealms(t *testing.T, without bool, prefs ...string) {
	tally := attack.Count(t)
	s := start(t, hostileArchive(t, hostilePages), func(c *serve.Config) { c.ReplayScripts = replay.ScriptsAlways })
	s.waitForCapture("open", "http://evil.example/all.html")
	s.waitForCapture("secret", "http://s.example/")
	c := newCanary(t)
	f := newFirefox(t, prefs...)
	port := s.replay[strings.LastIndex(s.replay, ":")+1:]
	var secrets []string
	for _, path := range []string{"/secret/20260102030405id_/http://s.example/", "/open/20260102030405id_/http://withheld.example/", "/open/20260102030405mp_/http://withheld.example/", "/secret/cdx?url=s.example&output=json"} {
		secrets = append(secrets, path)
		for _, host := range []string{"", "open.", "secret."} {
			secrets = append(secrets, "http://"+host+"localhost:"+port+path)
		}
	}
	all, through, packets := 0, 0, 0
	var races []string
	for i, path := range hostilePaths {
		k, err := json.Marshal(map[string]any{"secrets": secrets, "ui": s.ui, "live": "http://" + c.tcp.Addr().String(), "stun": c.stun(), "batch": i, "batches": hostileBatches, "skip": []string{"download"}}) // a download that is missing leads the page to our answer, which ends the batch
		if err != nil {
			t.Fatal(err)
		}
		var tab struct{ Context string }
		f.call("browsingContext.create", map[string]any{"type": "tab"}, &tab)
		f.call("browsingContext.navigate", map[string]any{"context": tab.Context, "url": s.replay + "/open/20260102030405if_/http://evil.example/" + path + "#" + url.PathEscape(string(k)), "wait": "none"}, nil)
		var said [2][]string
		for range 600 {
			if v := f.evaluate(tab.Context, "window.done ? JSON.stringify([window.tried, window.got]) : ''"); v != "" && json.Unmarshal([]byte(v), &said) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		for n := range said {
			slices.Sort(said[n])
			said[n] = slices.Compact(said[n])
		}
		if len(said[0]) == 0 {
			t.Errorf("%s, batch %d: nothing was tried", path, i)
		}
		all += len(said[0])
		if slices.ContainsFunc(said[1], func(s string) bool { return strings.Contains(s, "WebRTC") }) {
			time.Sleep(6 * time.Second) // for its packets
		}
		for _, g := range said[1] {
			if strings.HasSuffix(g, "WebRTC in a race") && !without {
				races = append(races, strings.TrimSuffix(g, ": WebRTC in a race"))
				continue
			}
			through++
			t.Errorf("%s: %s", path, g)
		}
		for _, h := range c.take() {
			if strings.Contains(h, "by UDP") && !without {
				packets++
				continue
			}
			through++
			t.Errorf("%s: the live network heard: %s", path, h)
		}
		f.call("browsingContext.close", map[string]any{"context": tab.Context}, nil)
	}
	tally.Try(all * (len(secrets) + 1 + 16))
	tally.Through(through)
	t.Logf("known limit, WebRTC by a race: %d, with %d packets", len(races), packets)
	t.Logf("by a race: %q", races)
}
