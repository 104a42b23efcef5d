package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"varve/web/wire"
)

func TestMain(m *testing.M) {
	if runChild() {
		return
	}
	goleak.VerifyTestMain(m)
}

// pipes is a Dialer whose connections are in memory, each served by a script. In a synctest
// bubble its time is virtual, so timeouts are tested without waiting.
type pipes struct {
	serve func(n int, c net.Conn) // n counts connections from 0

	mu    sync.Mutex
	count int
	all   sync.WaitGroup
	addrs []string
}

func (p *pipes) DialContext(_ context.Context, _, address string) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	client, server := net.Pipe()
	n := p.count
	p.count++
	p.addrs = append(p.addrs, address)
	p.all.Go(func() {
		defer server.Close()
		p.serve(n, server)
	})
	return client, nil
}

// takeRequest reads one request without a body and gives its bytes.
func takeRequest(c net.Conn) (string, error) {
	var got []byte
	buf := make([]byte, 4<<10)
	for wire.HeadEnd(got) < 0 {
		n, err := c.Read(buf)
		if got = append(got, buf[:n]...); err != nil {
			return string(got), err
		}
	}
	return string(got), nil
}

// play is what a scripted server does after each request: strings are sent, durations waited.
func play(c net.Conn, steps ...any) {
	for {
		if _, err := takeRequest(c); err != nil {
			return
		}
		for _, s := range steps {
			switch s := s.(type) {
			case string:
				if _, err := io.WriteString(c, s); err != nil {
					return
				}
			case time.Duration:
				time.Sleep(s)
			case error: // the connection ends
				return
			}
		}
	}
}

var errHangUp = errors.New("hang up")

const (
	testURL = "http://192.0.32.7/page?q=1"
	plain   = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
)

// quick are limits that scripts can reach.
func quick() Config {
	return Config{
		Timeouts: Timeouts{Connect: time.Second, TLS: time.Second, Write: time.Second, FirstByte: 10 * time.Second, Idle: 5 * time.Second, Total: time.Minute},
		Limits:   Limits{Head: 1 << 10, Body: 1 << 20, MinRate: 10, Window: 8 * time.Second, Interim: 2},
		Memory:   16 << 10,
	}
}

func newClient(t testing.TB, cfg Config) *Client {
	t.Helper()
	if cfg.SpoolDir == "" {
		cfg.SpoolDir = t.TempDir()
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// response gives all bytes in the spool.
func response(t testing.TB, x *Exchange) string {
	t.Helper()
	b, err := io.ReadAll(io.NewSectionReader(&x.Response, 0, x.Response.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var answers = []struct {
	name    string
	method  string
	steps   []any
	want    string // bytes recorded; those sent if empty
	payload string
	class   Class
	cut     Reason
	note    string
	extra   int
	keep    bool
}{
	{name: "length", steps: []any{plain}, payload: "hello", keep: true},
	{name: "in pieces", steps: []any{"HTT", "P/1.1 200 OK\r", "\nContent-Le", "ngth: 5\r\n\r", "\nhe", "llo"}, payload: "hello", keep: true},
	{name: "http/1.0", steps: []any{"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"}, payload: "hello"},
	{name: "http/1.0 kept", steps: []any{"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 5\r\n\r\nhello"}, payload: "hello", keep: true},
	{name: "connection close", steps: []any{"HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 5\r\n\r\nhello"}, payload: "hello"},
	{name: "chunked", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n", "2\r\nlo\r\n0\r\nX-T: 1\r\n\r\n"}, payload: "hello", keep: true},
	{name: "chunked byte by byte", steps: bytewise("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), payload: "hello", keep: true},
	{name: "until close", steps: []any{"HTTP/1.1 200 OK\r\n\r\nhello ", "world", errHangUp}, payload: "hello world"},
	{name: "empty until close", steps: []any{"HTTP/1.1 200 OK\r\n\r\n", errHangUp}},
	{name: "no body 204", steps: []any{"HTTP/1.1 204 No Content\r\n\r\n"}, keep: true},
	{name: "no body 304 with length", steps: []any{"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: \"x\"\r\n\r\n"}, keep: true},
	{name: "head request", method: "HEAD", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nTransfer-Encoding: chunked\r\n\r\n"}, keep: true},
	{name: "head request with body", method: "HEAD", steps: []any{plain}, want: plain[:len(plain)-5], extra: 5, note: "behind the end"},
	{name: "interim", steps: []any{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + plain}, want: plain, payload: "hello", keep: true},
	{name: "lf only", steps: []any{"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"}, payload: "hello", note: "LF alone", keep: true},
	{name: "blank lines first", steps: []any{"\r\n\r\n" + plain}, want: plain, payload: "hello", note: "empty lines", keep: true},
	{name: "blank lines without end", steps: []any{strings.Repeat("\r\n", 10), strings.Repeat("\r\n", 10)}, want: strings.Repeat("\r\n", 10), note: "empty lines", class: Protocol},
	{name: "status under 100", steps: []any{"HTTP/1.1 42 What\r\n\r\n"}, class: Protocol},
	{name: "icy", steps: []any{"ICY 200 OK\r\nicy-name: x\r\n\r\nmp3", errHangUp}, payload: "mp3"},
	{name: "same length twice", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5, 5\r\n\r\nhello"}, payload: "hello", keep: true},
	{name: "two lengths, the longer", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nhello"}, payload: "hello", note: "differ"},
	{name: "two lengths, the shorter", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 5\r\n\r\nhello"}, payload: "hello", note: "differ"},
	{name: "two lengths, neither", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 5\r\n\r\nhel", errHangUp}, payload: "hel", note: "differ", class: Disconnect, cut: TruncatedBroken},
	{name: "length no number", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", errHangUp}, payload: "hello", note: "no number"},
	{name: "length and chunked", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"}, payload: "hello", note: "both"},
	{name: "other transfer coding", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nzzz", errHangUp}, payload: "zzz", note: "without chunked"},
	{name: "identity", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello"}, payload: "hello", keep: true},
	{name: "chunked in name only", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n12", "<html>", errHangUp}, payload: "12<html>", note: "not in chunks"},
	{name: "chunked in name only, looks like a size", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n12", "3 <html>", errHangUp}, payload: "123 <html>", note: "not in chunks"},
	{name: "length too short", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello"}, want: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhel", payload: "hel", extra: 2, note: "behind the end"},
	{name: "length too long", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", errHangUp}, payload: "hello", class: Disconnect, cut: TruncatedBroken},
	{name: "chunks end early", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello", errHangUp}, payload: "hello", class: Disconnect, cut: TruncatedBroken},
	{name: "bytes after last chunk", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\nmore"}, want: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", payload: "x", extra: 4, note: "behind the end"},
	{name: "malformed chunk", steps: []any{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX5\r\n"}, payload: "hello", class: Protocol, cut: TruncatedOtherwise},
	{name: "no answer", steps: []any{errHangUp}, class: Disconnect},
	{name: "half a head", steps: []any{"HTTP/1.1 200 OK\r\nConte", errHangUp}, class: Disconnect},
	{name: "http/0.9", steps: []any{"<html>hello</html>"}, class: Protocol},
	{name: "status no number", steps: []any{"HTTP/1.1 yes\r\n\r\n"}, class: Protocol},
	{name: "upgrade unasked", steps: []any{"HTTP/1.1 101 Switching Protocols\r\n\r\n"}, class: Protocol},
	{name: "interim without end", steps: []any{strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 3)}, want: "HTTP/1.1 100 Continue\r\n\r\n", class: Protocol},
	{name: "head too big", steps: []any{"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1100)}, class: HeadLarge},
	{name: "silent", steps: []any{time.Hour}, class: HeadTimeout},
	{name: "stalls in head", steps: []any{"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 20), time.Hour}, class: IdleTimeout},
	{name: "stalls in body", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + strings.Repeat("x", 400), time.Hour}, payload: strings.Repeat("x", 400), class: IdleTimeout, cut: TruncatedTime},
	{name: "drips", steps: drip("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"), class: TooSlow, cut: TruncatedTime, payload: "xx", want: "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nxx"},
	{name: "drips in head", steps: bytewiseSlow("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"), class: TooSlow, want: "HTTP/1"},
	{name: "over the limit by length", steps: []any{"HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n" + strings.Repeat("x", 1048577)}, payload: strings.Repeat("x", 1<<20), want: "HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n" + strings.Repeat("x", 1<<20), class: BodyLarge, cut: TruncatedLength},
	{name: "at the limit by close", steps: []any{"HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 1<<20), errHangUp}, payload: strings.Repeat("x", 1<<20)},
	{name: "over the limit by close", steps: []any{"HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 1<<20), "y", errHangUp}, payload: strings.Repeat("x", 1<<20), want: "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 1<<20), class: BodyLarge, cut: TruncatedLength},
}

func bytewise(s string) (steps []any) {
	for _, c := range []byte(s) {
		steps = append(steps, string(c))
	}
	return steps
}

func bytewiseSlow(s string) (steps []any) {
	for _, c := range []byte(s) {
		steps = append(steps, string(c), 1500*time.Millisecond)
	}
	return steps
}

func drip(head string) []any {
	steps := []any{head}
	for range 90 {
		steps = append(steps, 3*time.Second, "x")
	}
	return steps
}

func TestAnswers(t *testing.T) {
	for _, tt := range answers {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{serve: func(_ int, c net.Conn) { play(c, tt.steps...) }}
				cfg := quick()
				cfg.Dialer = p
				c := newClient(t, cfg)
				x, err := c.Fetch(t.Context(), &Request{Method: tt.method, URL: testURL})
				if ClassOf(err) != tt.class || x.Truncated != tt.cut {
					t.Errorf("error %v, truncated %q; want %q, %q", err, x.Truncated, tt.class, tt.cut)
				}
				want := tt.want
				if want == "" {
					want = sent(tt.steps)
				}
				if got := response(t, x); got != want {
					t.Errorf("recorded %q, want %q", clip(got), clip(want))
				}
				checkPayload(t, x, tt.payload)
				if x.Extra != tt.extra {
					t.Errorf("%d extra bytes, want %d", x.Extra, tt.extra)
				}
				if got := strings.Join(x.Notes, ", "); (tt.note == "") != (got == "") || !strings.Contains(got, tt.note) {
					t.Errorf("notes %q, want %q", got, tt.note)
				}
				if err := x.Release(); err != nil {
					t.Error(err)
				}
				if kept := c.pool.count == 1; kept != tt.keep {
					t.Errorf("connection kept: %v", kept)
				}
				c.Close()
				p.all.Wait()
			})
		})
	}
}

func sent(steps []any) string {
	var b strings.Builder
	for _, s := range steps {
		if s, ok := s.(string); ok {
			b.WriteString(s)
		}
	}
	return b.String()
}

// checkPayload compares payload, its digests and those of the block with what they should be.
func checkPayload(t *testing.T, x *Exchange, payload string) {
	t.Helper()
	if x.Head.Status == 0 {
		return
	}
	got, err := io.ReadAll(x.Payload())
	if string(got) != payload || (err != nil && x.Truncated == Whole) {
		t.Errorf("payload %q, %v; want %q", clip(string(got)), err, clip(payload))
	}
	if x.PayloadSize != int64(len(payload)) {
		t.Errorf("payload size %d, want %d", x.PayloadSize, len(payload))
	}
	if want := digestsOf(response(t, x), payload); x.Digests != want {
		t.Errorf("digests %x, want %x", x.Digests, want)
	}
	appended, _ := x.AppendContent([]byte("before "), 1<<30)
	if !bytes.Equal(appended, []byte("before "+payload)) {
		t.Errorf("appended %q", clip(string(appended)))
	}
}
