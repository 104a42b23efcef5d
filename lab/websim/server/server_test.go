package server_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base32"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"testing"
	"time"

	"go.uber.org/goleak"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves a preset or description at an instant that stands still.
func start(t testing.TB, text string, after time.Duration) (*websim.Web, *server.Server) {
	t.Helper()
	spec, err := websim.Preset(text)
	if err != nil {
		spec, err = websim.Load("test", []byte(text))
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(w, server.Options{Timeline: server.NewTimeline(clock.Real(), w.Epoch().Add(after), 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return w, s
}

// client reaches the hosts of the server by name, follows no redirects and unpacks nothing.
func client(t testing.TB, s *server.Server) *http.Client {
	tr := &http.Transport{
		DisableCompression: true,
		TLSClientConfig:    &tls.Config{RootCAs: s.Pool()},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			host, _, _ := net.SplitHostPort(addr)
			if at := s.AddrOf(host); at != "" {
				addr = at
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		},
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// The bytes of the wire, of the transport in memory and of Fetch are the same for an instant.
func TestThreeWaysSameBytes(t *testing.T) {
	for _, text := range []string{"tiny", "blog", odd} {
		w, s := start(t, text, 77*24*time.Hour)
		at := s.Timeline().Now()
		wire := client(t, s)
		memory := &http.Client{Transport: websim.NewTransport(w, clock.NewVirtual(at), nil), CheckRedirect: wire.CheckRedirect}
		for i := range min(w.Len(), 60) {
			url := w.URL(websim.PageID(i), at)
			a, b := dump(t, wire, url), dump(t, memory, url)
			if !bytes.Equal(a, b) {
				t.Fatalf("%s: the server says\n%.600s\nthe transport\n%.600s", url, a, b)
			}
			if body := w.Get(url, at).Body; !bytes.HasSuffix(a, body) {
				t.Fatalf("%s: Fetch gives another body", url)
			}
		}
	}
}

const odd = `
[[site]]
host = "odd.sim.test"
scheme = "both"
pages = 30
assets = 20
lang = "fr"
[[site.serve]]
share = 0.5
chunked = true
[[site.serve]]
share = 0.5
charset = "iso-8859-1"
declared = "none"
`

func dump(t testing.TB, c *http.Client, url string) []byte {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := httputil.DumpResponse(resp, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.TransferEncoding) > 0 { // DumpResponse frames anew
		body, _ := io.ReadAll(resp.Body)
		return body
	}
	return b
}

// The digest in the log is that of the bytes a client reads off the socket.
func TestLogDigestIsOfTheWire(t *testing.T) {
	w, s := start(t, "tiny", 0)
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: tiny.sim.test\r\nUser-Agent: test\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha1.Sum(raw)
	e := s.Log().Entries()
	if len(e) != 1 || e[0].Digest != "sha1:"+base32.StdEncoding.EncodeToString(sum[:]) || e[0].Bytes != int64(len(raw)) {
		t.Fatalf("%+v for %d bytes", e, len(raw))
	}
	if v := w.Version(0, w.Epoch()); e[0].Page != 0 || e[0].Version != "p0:"+v.String() || e[0].UserAgent != "test" {
		t.Errorf("%+v", e[0])
	}
}

// The timeline of a virtual clock and the clock are one: who moves the one moves the other, and waits end with it.
func TestFollow(t *testing.T) {
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	v := clock.NewVirtual(start)
	line, timer := server.Follow(v), v.NewTimer(time.Hour)
	line.Advance(time.Minute)
	v.Advance(time.Minute)
	if got := line.Now(); got != v.Now() || got.Sub(start) != 2*time.Minute {
		t.Errorf("the timeline says %v, the clock %v", got, v.Now())
	}
	line.Set(start.Add(time.Hour))
	select {
	case <-timer.C:
	default:
		t.Error("an hour has gone by on the timeline, and a timer of an hour has not fired")
	}
	if line.Set(start); line.Now().Sub(start) != time.Hour {
		t.Errorf("the clock went back to %v", line.Now())
	}
}

// With a pace, time moves on with answers and not with the machine.
func TestPace(t *testing.T) {
	spec, err := websim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	line := server.NewTimeline(clock.NewVirtual(web.Epoch()), web.Epoch(), 0)
	s, err := server.Listen(web, server.Options{Timeline: line, Pace: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 3 {
		r, err := http.NewRequest("GET", "http://"+s.Addr()+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = web.Hosts()[0].Name
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	if got := line.Now().Sub(web.Epoch()); got != 3*time.Minute {
		t.Errorf("%v went by with three answers", got)
	}
}
