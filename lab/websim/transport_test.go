package websim_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve/clock"
	"varve/lab/websim"
)

// outcome is what a client of the transport gets for a URL.
type outcome struct {
	status int
	body   []byte
	err    error
	took   time.Duration
}

// fetch runs one request on a virtual clock that moves by itself.
func fetch(t *testing.T, w *websim.Web, log *websim.Log, url string) (out outcome) {
	t.Helper()
	v := clock.NewVirtual(w.Epoch())
	v.Go(func(c clock.Clock) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Error(err)
			return
		}
		if strings.HasSuffix(url, "/hang") {
			cancel()
		}
		resp, err := websim.NewTransport(w, c, log).RoundTrip(req)
		if out.err = err; err == nil {
			out.status = resp.StatusCode
			out.body, out.err = io.ReadAll(io.LimitReader(resp.Body, 4<<20))
			_ = resp.Body.Close()
		}
	})
	if err := v.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	out.took = v.Now().Sub(w.Epoch())
	return out
}

func TestFaultsInMemory(t *testing.T) {
	w := load(t, 1, "bad")
	good := fetch(t, w, nil, "http://bad.sim.test/")
	if good.err != nil || good.status != 200 || good.took != 0 {
		t.Fatalf("%+v", good)
	}
	is := func(target error) func(outcome) bool {
		return func(o outcome) bool { return errors.Is(o.err, target) }
	}
	fine := func(o outcome) bool { return o.err == nil && o.status == 200 && len(o.body) > 5000 }
	failed := func(o outcome) bool { return o.err != nil }
	for kind, ok := range map[string]func(outcome) bool{
		"slow":          func(o outcome) bool { return fine(o) && o.took == 2*time.Second },
		"drip":          func(o outcome) bool { return fine(o) && o.took > 500*time.Millisecond },
		"truncate":      is(io.ErrUnexpectedEOF),
		"short-length":  func(o outcome) bool { return o.err == nil && len(o.body) > 0 },
		"no-length":     fine,
		"endless":       func(o outcome) bool { return o.err == nil && len(o.body) == 4<<20 },
		"bomb":          func(o outcome) bool { return o.err == nil && len(o.body) < 400_000 && o.body[0] == 0x1f },
		"bad-gzip":      func(o outcome) bool { return o.err == nil && unpacked(o.body) < 0 },
		"broken-chunks": failed,
		"cut-chunks":    is(io.ErrUnexpectedEOF),
		"reset":         is(syscall.ECONNRESET),
		"reset-early":   is(syscall.ECONNRESET),
		"close":         is(io.EOF),
		"hang":          is(context.Canceled),
		"garbage":       failed,
		"header-flood":  func(o outcome) bool { return o.err != nil || o.status == 200 },
		"huge-header":   func(o outcome) bool { return o.err != nil || o.status == 200 },
		"odd-head":      func(o outcome) bool { return o.err != nil || o.status == 200 },
		"interim":       fine,
		"wrong-type":    fine,
		"loop":          func(o outcome) bool { return o.status == 302 },
		"chain":         func(o outcome) bool { return o.status == 302 },
		"status-429":    func(o outcome) bool { return o.status == 429 },
		"status-503":    func(o outcome) bool { return o.status == 503 },
	} {
		log := websim.NewLog(0, nil)
		if o := fetch(t, w, log, "http://bad.sim.test/bad/"+kind); !ok(o) {
			t.Errorf("%s: status %d, %d bytes, error %v, took %v", kind, o.status, len(o.body), o.err, o.took)
		}
		if e := log.Entries(); len(e) != 1 || e[0].Fault == "" || !strings.HasPrefix(kind, e[0].Fault) {
			t.Errorf("%s: log %+v", kind, e)
		}
	}
}

// unpacked is how much a gzip file unpacks to, or -1 when it is broken.
func unpacked(b []byte) int64 {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return -1
	}
	n, err := io.Copy(io.Discard, r)
	if err != nil {
		return -1
	}
	return n
}

// A bomb is a valid gzip file of the size it says.
func TestBomb(t *testing.T) {
	w := load(t, 1, "[[site]]\nhost='a.sim.test'\n[[site.fault]]\nkind='bomb'\nat='/b'\nbytes=8388608")
	if a := w.Get("http://a.sim.test/b", w.Epoch()); unpacked(a.Body) != 8<<20 || len(a.Body) > 16<<10 {
		t.Errorf("%d bytes unpack to %d", len(a.Body), unpacked(a.Body))
	}
}

func TestRedirectsWithoutEnd(t *testing.T) {
	w := load(t, 1, "bad")
	for _, path := range []string{"/bad/loop", "/bad/chain"} {
		seen := map[string]int{}
		for range 20 {
			seen[path]++
			path = w.Get("http://bad.sim.test"+path, w.Epoch()).Get("Location")
		}
		if n := len(seen); strings.HasPrefix(path, "/bad/loop") && n != 2 || strings.HasPrefix(path, "/bad/chain") && n != 20 {
			t.Errorf("%s: %d places", path, n)
		}
	}
}

func TestUnknownHost(t *testing.T) {
	w := load(t, 1, "tiny")
	o := fetch(t, w, nil, "http://nobody.sim.test/")
	if dns, ok := errors.AsType[*net.DNSError](o.err); !ok || !dns.IsNotFound {
		t.Errorf("%v", o.err)
	}
}

func TestGate(t *testing.T) {
	w := load(t, 1, "polite")
	g := websim.NewGate(w)
	now := w.Epoch()
	get := func(host, target string, after time.Duration) *websim.Answer {
		return g.Fetch(&websim.Request{Host: host, Target: target}, now, now.Add(after))
	}
	var got []int
	for _, ms := range []time.Duration{0, 1, 2, 299, 300, 301, 600, 5000, 5001, 5002} {
		a := get("limit.sim.test", "/", ms*time.Millisecond)
		if got = append(got, a.Status); a.Status == 429 && a.Get("Retry-After") != "1" {
			t.Errorf("Retry-After %q", a.Get("Retry-After"))
		}
	}
	want := []int{200, 200, 429, 429, 200, 429, 200, 200, 200, 429}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("statuses %v, want %v", got, want)
		}
	}
	first := websim.NewGate(load(t, 1, "bad"))
	for i, want := range []int{503, 503, 200, 200} {
		a := first.Fetch(&websim.Request{Host: "bad.sim.test", Target: "/bad/first-two-fail"}, now, now)
		if a.Status != want {
			t.Errorf("request %d: %d, want %d", i, a.Status, want)
		}
	}
}

// A handler stands before the pages of a host: the seam for applications and media.
type greeter struct{}

func (greeter) Answer(r *websim.Request, _ time.Time) *websim.Answer {
	if r.Target != "/hello" {
		return nil
	}
	return &websim.Answer{Status: 200, Body: append([]byte("hello "), r.Body...), Page: websim.NoPage, VersionID: "app1"}
}

func TestHandler(t *testing.T) {
	spec, err := websim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	w, err := websim.New(spec, 1, websim.WithHandler("tiny.sim.test", greeter{}), websim.WithCache(1000))
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://tiny.sim.test/hello", strings.NewReader("world"))
	resp, err := websim.NewTransport(w, clock.NewVirtual(w.Epoch()), nil).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "hello world" {
		t.Errorf("%q", b)
	}
	if a := w.Get("http://tiny.sim.test/", w.Epoch()); a.Status != 200 {
		t.Errorf("the pages are gone: %d", a.Status)
	}
}

func TestLogKeepsTheLatest(t *testing.T) {
	var out bytes.Buffer
	l := websim.NewLog(10, &out)
	for range 57 {
		l.Add(websim.Entry{Scheme: "http", Host: "h", Target: "/"})
	}
	e := l.Entries()
	if len(e) != 10 || e[9].Seq != 57 || e[0].URL() != "http://h/" || l.Len() != 57 || l.Err() != nil {
		t.Errorf("%d entries, last %d", len(e), e[len(e)-1].Seq)
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != 57 {
		t.Errorf("%d lines", n)
	}
	if got := l.Since(55); len(got) != 2 {
		t.Errorf("%d since 55", len(got))
	}
}
