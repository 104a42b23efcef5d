package proxy_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"varve/crawl/browser/proxy"
	"varve/crawl/collect"
	"varve/web/ca"
	"varve/web/links"
	"varve/web/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// canned answers by URL, as recorded bytes.
type canned struct {
	mu      sync.Mutex
	answers map[string]string
	cut     map[string]bool
	asked   []collect.Request
	hold    chan struct{} // closed: go on
}

func (c *canned) Fetch(ctx context.Context, r *collect.Request) (*collect.Response, error) {
	c.mu.Lock()
	c.asked = append(c.asked, *r)
	raw, ok := c.answers[r.URL]
	hold := c.hold
	c.mu.Unlock()
	if strings.HasSuffix(r.URL, "/slow") {
		select {
		case <-hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	switch {
	case strings.HasSuffix(r.URL, "/refused"):
		return nil, fmt.Errorf("%w: robots.txt", collect.ErrRefused)
	case !ok:
		return nil, errors.New("connect: no\r\nroute")
	}
	h, err := wire.ParseHead([]byte(raw))
	if err != nil {
		h.Status = 200
	}
	return &collect.Response{Status: h.Status, Header: h.Header, Raw: io.NopCloser(strings.NewReader(raw)), Size: int64(len(raw)), Truncated: c.cut[r.URL], RecordID: "id"}, nil
}

func start(t *testing.T, limits proxy.Limits) (*proxy.Proxy, *http.Client) {
	t.Helper()
	a, err := ca.New("test", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	p, err := proxy.Listen(a, limits)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.CA())
	tr := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: p.Addr()}), TLSClientConfig: &tls.Config{RootCAs: roots}, DisableCompression: true}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func get(c *http.Client, u string, header ...string) (int, http.Header, string, error) {
	r, err := http.NewRequest(http.MethodGet, u, nil)
	if err != nil {
		return 0, nil, "", err
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(r)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(b), err
}

// What the browser gets is what was recorded, whatever its framing; ranges are cut out of the whole.
func TestAnswers(t *testing.T) {
	c := &canned{cut: map[string]bool{"http://a.test/cut": true, "http://a.test/cutchunks": true}, answers: map[string]string{
		"http://a.test/plain":     "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nX-A: 2\r\nConnection: close\r\nAlt-Svc: h3=\":443\"\r\n\r\nhello",
		"http://a.test/close":     "HTTP/1.0 200 Fine\nServer: old\n\nuntil the end",
		"http://a.test/chunked":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n",
		"http://a.test/gzip":      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8bnot really",
		"http://a.test/none":      "HTTP/1.1 204 No Content\r\n\r\n",
		"http://a.test/moved":     "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
		"http://a.test/cut":       "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
		"http://a.test/cutchunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"http://a.test/bad":       "no head at all",
		"https://a.test/secure":   "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"https://a.test:8443/p":   "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nport",
	}}
	p, client := start(t, proxy.Limits{})
	turn, err := p.Begin(t.Context(), "http://a.test/plain", c)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.End()
	for _, tc := range []struct {
		url, rng string
		status   int
		body     string
		broken   bool
	}{
		{url: "http://a.test/plain", status: 200, body: "hello"},
		{url: "http://a.test/plain", rng: "bytes=1-2", status: 206, body: "el"},
		{url: "http://a.test/plain", rng: "bytes=3-", status: 206, body: "lo"},
		{url: "http://a.test/plain", rng: "bytes=-2", status: 206, body: "lo"},
		{url: "http://a.test/plain", rng: "bytes=0-99", status: 206, body: "hello"},
		{url: "http://a.test/plain", rng: "bytes=9-", status: 200, body: "hello"},
		{url: "http://a.test/plain", rng: "bytes=0-1,3-4", status: 200, body: "hello"},
		{url: "http://a.test/plain", rng: "lines=1-2", status: 200, body: "hello"},
		{url: "http://a.test/close", status: 200, body: "until the end"},
		{url: "http://a.test/chunked", status: 200, body: "abcde"},
		{url: "http://a.test/gzip", rng: "bytes=0-1", status: 200, body: "\x1f\x8bnot really"},
		{url: "http://a.test/none", status: 204},
		{url: "http://a.test/moved", status: 302},
		{url: "http://a.test/cut", status: 200, body: "only this", broken: true},
		{url: "http://a.test/cutchunks", status: 200, body: "hello", broken: true},
		{url: "http://a.test/bad", status: 502, body: "the recorded head: EOF"},
		{url: "http://a.test/refused", status: 403, body: "the crawl does not ask for this: robots.txt"},
		{url: "http://a.test/nowhere", status: 502, body: "connect: no  route"},
		{url: "https://a.test/secure", status: 200, body: "ok"},
		{url: "https://a.test:8443/p", status: 200, body: "port"},
	} {
		status, h, body, err := get(client, tc.url, "Range", tc.rng)
		if status != tc.status || body != tc.body || (err != nil) != tc.broken {
			t.Errorf("%s %s: %d %q %v", tc.url, tc.rng, status, body, err)
		}
		if h.Get("Alt-Svc") != "" || h.Get("Connection") != "" {
			t.Errorf("%s: %v", tc.url, h)
		}
		if failed := h.Get("X-Varve-Failed") != ""; failed != (status == 403 || status == 502) {
			t.Errorf("%s: marked as ours: %t", tc.url, failed)
		}
	}
	if _, h, _, _ := get(client, "http://a.test/plain", "Range", "bytes=1-2"); h.Get("Content-Range") != "bytes 1-2/5" || len(h["X-A"]) != 2 {
		t.Errorf("range: %v", h)
	}
	for _, r := range c.asked {
		if r.Header.Has("Range") || r.Header.Has("Proxy-Connection") || r.Header.Has("Host") {
			t.Errorf("sent on: %v", r.Header)
		}
		if want := map[bool]links.Hop{true: links.HopLink, false: links.HopEmbed}[r.URL == "http://a.test/plain"]; r.Hop != want {
			t.Errorf("%s is a %s", r.URL, r.Hop)
		}
	}
	x := turn.Exchanges()
	if x[0].Status != 200 || x[0].RecordID != "id" || x[16].Err == nil {
		t.Errorf("exchanges %+v %+v", x[0], x[16])
	}
	if asked, _ := turn.Counts(); turn.Novel() >= asked {
		t.Errorf("%d of %d are new", turn.Novel(), asked)
	}
}

// What a browser says is passed on as it is; a body too large is not.
func TestPost(t *testing.T) {
	c := &canned{answers: map[string]string{"http://a.test/p": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}}
	p, client := start(t, proxy.Limits{Body: 1000})
	turn, err := p.Begin(t.Context(), "http://a.test/", c)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.End()
	post := func(body io.Reader) int {
		resp, err := client.Post("http://a.test/p", "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if s := post(strings.NewReader(`{"a":1}`)); s != 200 {
		t.Errorf("status %d", s)
	}
	if s := post(io.MultiReader(strings.NewReader("in "), strings.NewReader("chunks"))); s != 200 {
		t.Errorf("chunked: status %d", s)
	}
	if s := post(bytes.NewReader(make([]byte, 2000))); s != 413 {
		t.Errorf("large: status %d", s)
	}
	if len(c.asked) != 2 || string(c.asked[0].Body) != `{"a":1}` || string(c.asked[1].Body) != "in chunks" || c.asked[0].Header.Get("Content-Type") != "application/json" || c.asked[0].Method != "POST" {
		t.Errorf("asked %+v", c.asked)
	}
}

// A proxy serves one page at a time; without one nothing is fetched, and the limits hold.
func TestTurns(t *testing.T) {
	c := &canned{hold: make(chan struct{}), answers: map[string]string{"http://a.test/": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "http://a.test/slow": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}}
	p, client := start(t, proxy.Limits{Requests: 3})
	if s, _, _, _ := get(client, "http://a.test/"); s != 503 || len(c.asked) != 0 {
		t.Errorf("without a turn: %d", s)
	}
	turn, err := p.Begin(t.Context(), "http://a.test/", c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Begin(t.Context(), "http://b.test/", c); err == nil {
		t.Error("two turns at a time")
	}
	slow := make(chan int, 1)
	go func() { s, _, _, _ := get(client, "http://a.test/slow"); slow <- s }()
	for asked, _ := turn.Counts(); asked == 0; asked, _ = turn.Counts() {
		time.Sleep(time.Millisecond)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := turn.Wait(short, time.Millisecond, time.Hour); err == nil {
		t.Error("quiet while a request is under way")
	}
	if err := turn.Wait(t.Context(), time.Millisecond, 20*time.Millisecond); err != nil {
		t.Errorf("a stale request counts: %v", err)
	}
	turn.Fresh()
	for range 4 {
		get(client, "http://a.test/")
	}
	if asked, refused := turn.Counts(); asked != 3 || refused != 2 {
		t.Errorf("%d asked, %d refused", asked, refused)
	}
	if !c.asked[1].Fresh || c.asked[2].Fresh {
		t.Error("the page is asked for anew once")
	}
	turn.End()
	if s := <-slow; s != 504 {
		t.Errorf("given up: %d", s)
	}
	if s, _, _, _ := get(client, "http://a.test/"); s != 503 {
		t.Errorf("after the turn: %d", s)
	}
	next, err := p.Begin(t.Context(), "http://b.test/", c)
	if err != nil {
		t.Fatal(err)
	}
	next.End()
}

// speak sends bytes to the proxy and gives what comes back until it closes or is silent.
func speak(t *testing.T, addr, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, text)
	conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	b, _ := io.ReadAll(bufio.NewReader(conn))
	return string(b)
}

// What is no request to a proxy gets a short answer.
func TestOddRequests(t *testing.T) {
	c := &canned{answers: map[string]string{}}
	p, _ := start(t, proxy.Limits{Head: 1000})
	turn, err := p.Begin(t.Context(), "http://a.test/", c)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.End()
	for _, tc := range []struct{ send, want string }{
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
		{"GET ftp://a.test/ HTTP/1.1\r\n\r\n", "400"},
		{"GET file:///etc/passwd HTTP/1.1\r\n\r\n", "400"},
		{"CONNECT a.test HTTP/1.1\r\n\r\n", "400"},
		{"CONNECT u@a.test:443 HTTP/1.1\r\n\r\n", "400"},
		{"HTTP/1.1 200 OK\r\n\r\n", "400"},
		{"GET http://a.test/ HTTP/1.1\r\nX: " + strings.Repeat("x", 2000) + "\r\n\r\n", "431"},
		{"POST http://a.test/ HTTP/1.1\r\nContent-Length: x\r\n\r\n", "413"},
		{"GET http://a.test/ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", "501"},
		{"CONNECT a.test:80 HTTP/1.1\r\n\r\n", "HTTP/1.1 200"},
	} {
		if got := speak(t, p.Addr(), tc.send); !strings.HasPrefix(strings.TrimPrefix(got, "HTTP/1.1 "), tc.want) && !strings.HasPrefix(got, tc.want) {
			t.Errorf("%.40q: %.60q", tc.send, got)
		}
	}
	if s := turn.Sockets(); len(s) != 1 || s[0] != "ws://a.test/ws" {
		t.Errorf("sockets %v", s)
	}
	if len(c.asked) != 0 {
		t.Errorf("asked %v", c.asked)
	}
}

// Whatever the bytes of a record are, the browser gets an answer that can be read, and nothing panics.
func FuzzAnswer(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "bytes=1-2", false)
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "", true)
	f.Add("HTTP/1.1 304\n\n", "bytes=-", false)
	f.Add("HTTP/0.9 99 \x00\r\nA B: c\r\n : d\r\n\r\n", "", false)
	a, err := ca.New("test", time.Now)
	if err != nil {
		f.Fatal(err)
	}
	p, err := proxy.Listen(a, proxy.Limits{Requests: 1 << 30})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { p.Close() })
	f.Fuzz(func(t *testing.T, raw, rng string, cut bool) {
		c := &canned{answers: map[string]string{"http://a.test/": raw}, cut: map[string]bool{"http://a.test/": cut}}
		turn, err := p.Begin(context.Background(), "http://a.test/", c)
		if err != nil {
			t.Fatal(err)
		}
		defer turn.End()
		conn, err := net.Dial("tcp", p.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET http://a.test/ HTTP/1.1\r\nRange: %s\r\nConnection: close\r\n\r\n", strings.NewReplacer("\r", "", "\n", "").Replace(rng))
		conn.SetDeadline(time.Now().Add(5 * time.Second))
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			if h, perr := wire.ParseHead([]byte(raw)); perr == nil && h.Status >= 200 && h.Status <= 999 {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		resp.Body.Close()
	})
}
