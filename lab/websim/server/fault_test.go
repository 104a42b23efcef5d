package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// raw sends a request over a socket and reads up to limit bytes.
func raw(t testing.TB, addr, request string, limit int64) ([]byte, error) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return io.ReadAll(io.LimitReader(c, limit))
}

func get(host, path string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
}

// Every fault shows on the wire exactly as in the steps of its answer.
func TestFaultsOnTheWire(t *testing.T) {
	spec, err := websim.Preset("bad")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0), Clock: hasty{clock.Real()}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const limit = 2 << 20
	for _, kind := range websim.Faults() {
		if kind == "status" || kind == "hang" {
			continue
		}
		path := "/bad/" + kind
		got, err := raw(t, s.Addr(), get("bad.sim.test", path), limit)
		want := web.Fetch(&websim.Request{Host: "bad.sim.test", Target: path, Close: true}, web.Epoch()).Wire("GET", limit)
		if strings.HasPrefix(kind, "reset") {
			if !errors.Is(err, syscall.ECONNRESET) || !bytes.HasPrefix(want, got) {
				t.Errorf("%s: %d of %d bytes, then %v", kind, len(got), len(want), err)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d; %v", kind, len(got), len(want), err)
		}
	}
}

// hasty is a clock that does not wait.
type hasty struct{ clock.Clock }

func (hasty) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func TestHangEndsWithClientAndWithServer(t *testing.T) {
	_, s := start(t, "bad", 0)
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, get("bad.sim.test", "/bad/hang")); err != nil {
		t.Fatal(err)
	}
	c.Close() // the client gives up
	d, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := io.WriteString(d, get("bad.sim.test", "/bad/hang")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil { // the server gives up; goleak sees that nothing is left
		t.Fatal(err)
	}
}

func TestBadRequests(t *testing.T) {
	_, s := start(t, "tiny", 0)
	for _, c := range []struct{ request, want string }{
		{"hello\r\n\r\n", "HTTP/1.1 400 "},
		{"GET /\r\n\r\n", "HTTP/1.1 400 "},
		{"GET / HTTP/2.0\r\n\r\n", "HTTP/1.1 400 "},
		{"GET / HTTP/1.1\r\nno colon\r\n\r\n", "HTTP/1.1 400 "},
		{"GET ftp://x/ HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},
		{"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 400 "},
		{"GET / HTTP/1.1\r\nX: " + strings.Repeat("a", 70_000) + "\r\n\r\n", "HTTP/1.1 431 "},
		{"GET / HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", 300) + "\r\n", "HTTP/1.1 400 "},
		{"GET / HTTP/1.0\r\nHost: tiny.sim.test\r\n\r\n", "HTTP/1.1 200 "},
		{"\r\nGET / HTTP/1.0\nHost: tiny.sim.test\n\n", "HTTP/1.1 200 "},
		{"GET http://tiny.sim.test/ HTTP/1.0\r\nHost: proxy\r\n\r\n", "HTTP/1.1 200 "},
		{"BREW / HTTP/1.0\r\nHost: tiny.sim.test\r\n\r\n", "HTTP/1.1 405 "},
		{"GET / HTTP/1.0\r\nHost: nobody.test\r\n\r\n", "HTTP/1.1 421 "},
		{"POST / HTTP/1.0\r\nHost: tiny.sim.test\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "},
		{"POST / HTTP/1.1\r\nHost: tiny.sim.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 200 "},
	} {
		got, err := raw(t, s.Addr(), c.request, 1<<20)
		if !bytes.HasPrefix(got, []byte(c.want)) {
			t.Errorf("%.50q: %.40q %v, want %q", c.request, got, err, c.want)
		}
	}
}

// Several requests at once on one connection are answered in order.
func TestPipelineAndHead(t *testing.T) {
	w, s := start(t, "tiny", 0)
	request := "GET / HTTP/1.1\r\nHost: tiny.sim.test\r\n\r\n" +
		"HEAD / HTTP/1.1\r\nHost: tiny.sim.test\r\n\r\n" +
		"POST / HTTP/1.1\r\nHost: tiny.sim.test\r\nContent-Length: 5\r\n\r\nhello" +
		get("tiny.sim.test", "/none")
	all, err := raw(t, s.Addr(), request, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	br := bufio.NewReader(bytes.NewReader(all))
	for i, want := range []int{200, 200, 200, 404} {
		method := []string{"GET", "HEAD", "POST", "GET"}[i]
		resp, err := http.ReadResponse(br, &http.Request{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != want || (method == "HEAD") != (len(body) == 0) {
			t.Errorf("%d: %d, %d bytes, %v", i, resp.StatusCode, len(body), err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	e := s.Log().Entries()
	if len(e) != 4 || e[0].Conn != e[3].Conn || e[0].Version != "p0:"+w.Version(0, w.Epoch()).String() {
		t.Errorf("%+v", e)
	}
}

func TestTLSOnTheSamePort(t *testing.T) {
	_, s := start(t, "redirects", 0)
	c := client(t, s)
	for url, want := range map[string]int{
		"http://apex.sim.test/": 301, "https://apex.sim.test/": 200, "https://www.apex.sim.test/": 301, "http://plain.sim.test/": 200,
	} {
		resp, err := c.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d", url, resp.StatusCode)
		}
	}
	if _, err := c.Get("https://other.test/"); err == nil {
		t.Error("a certificate for a host that is not there")
	}
	if !bytes.HasPrefix(s.CA(), []byte("-----BEGIN CERTIFICATE-----")) {
		t.Error("no certificate")
	}
}

// Hosts are on the addresses that the description gives them, and the log tells which was used.
func TestAddresses(t *testing.T) {
	_, s := start(t, "polite", 0)
	c := client(t, s)
	for host, ip := range map[string]string{"delay": "127.0.0.1", "shared01": "127.0.0.2", "shared03": "127.0.0.2", "own": "127.0.0.3"} {
		if resp, err := c.Get("http://" + host + ".sim.test/"); err != nil {
			t.Fatal(err)
		} else {
			resp.Body.Close()
		}
		e := s.Log().Entries()
		if last := e[len(e)-1]; !strings.HasPrefix(last.Local, ip+":") || last.Host != host+".sim.test" {
			t.Errorf("%s: %+v", host, last)
		}
	}
	rules := s.Resolve()
	_, port, _ := net.SplitHostPort(s.Addr())
	for _, want := range []string{"shared02.sim.test=127.0.0.2:" + port, "own.sim.test=127.0.0.3:" + port} {
		if !slices.Contains(rules, want) {
			t.Errorf("rules %v, want %s", rules, want)
		}
	}
	if rules[len(rules)-1] != "*.sim.test="+s.Addr() {
		t.Errorf("the general rule must be the last: %v", rules)
	}
}

func TestControlPages(t *testing.T) {
	w, s := start(t, "tiny", 0)
	base := "http://" + s.Addr()
	read := func(method, path string) (int, string) {
		req, _ := http.NewRequestWithContext(t.Context(), method, base+path, nil)
		resp, err := client(t, s).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	dump(t, client(t, s), "http://tiny.sim.test/")
	first := w.History(0)[0].Time
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/", `"resolve":["*.sim.test=` + s.Addr()},
		{"GET", "/log", `"version":"p0:c0.m0.l0.t0.a0.v0"`},
		{"POST", "/clock?at=" + first.Format(time.RFC3339Nano), first.Format(time.RFC3339Nano)},
		{"POST", "/clock?advance=1d", first.Add(24 * time.Hour).Format(time.RFC3339Nano)},
		{"GET", "/truth?url=http://tiny.sim.test/", `"history":[{"time":"` + first.Format(time.RFC3339Nano)},
	} {
		if status, body := read(c.method, c.path); status != 200 || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %.300s, want %s", c.path, status, body, c.want)
		}
	}
	for _, path := range []string{"/none", "/truth?url=http://x.test/", "/log?since=x"} {
		if status, _ := read("GET", path); status < 400 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if status, _ := read("POST", "/clock?advance=x"); status != 400 {
		t.Errorf("a wrong duration: %d", status)
	}
	if s.Log().Len() != 1 {
		t.Errorf("control requests are in the log: %d", s.Log().Len())
	}
}

func TestListenErrors(t *testing.T) {
	w, s := start(t, "tiny", 0)
	for _, addr := range []string{"8.8.8.8:0", "nonsense", s.Addr()} {
		if _, err := server.Listen(w, server.Options{Addr: addr}); err == nil {
			t.Errorf("%s: no error", addr)
		}
	}
}

func TestTimeline(t *testing.T) {
	v := clock.NewVirtual(time.Unix(0, 0))
	line := server.NewTimeline(v, time.Unix(1000, 0), 60)
	v.Advance(time.Minute)
	line.Advance(time.Hour)
	v.Advance(time.Second)
	if got := line.Now(); !got.Equal(time.Unix(1000+3600+3600+60, 0)) {
		t.Error(got.Unix())
	}
	line.Set(time.Unix(5, 0))
	if got := line.Now(); !got.Equal(time.Unix(5, 0)) {
		t.Error(got)
	}
}

// FuzzRequest throws bytes at the server's parser by way of a connection.
func FuzzRequest(f *testing.F) {
	spec, err := websim.Preset("tiny")
	if err != nil {
		f.Fatal(err)
	}
	w, err := websim.New(spec, 1)
	if err != nil {
		f.Fatal(err)
	}
	s, err := server.Listen(w, server.Options{Log: websim.NewLog(10, nil)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	f.Add([]byte(get("tiny.sim.test", "/")))
	f.Add([]byte("POST http://tiny.sim.test/a?b HTTP/1.0\nContent-Length: 4\nHost: x\n\nbody"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Skip(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(5 * time.Second))
		if _, err := c.Write(append(data, "\r\n\r\n"...)); err != nil {
			return
		}
		_ = c.(*net.TCPConn).CloseWrite()
		n, err := io.Copy(io.Discard, io.LimitReader(c, 1<<24))
		if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
			t.Fatalf("no end after %d bytes", n)
		}
	})
}
