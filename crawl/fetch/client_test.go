package fetch

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func digestsOf(block, payload string) Digests {
	return Digests{sha1.Sum([]byte(block)), sha1.Sum([]byte(payload)), sha256.Sum256([]byte(payload))}
}

func TestReuse(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) { play(c, plain) })
	c := newClient(t, quick())
	for i := range 3 {
		x, err := get(t, c, &Request{URL: "http://" + addr.String() + "/"})
		if err != nil {
			t.Fatal(err)
		}
		if x.Reused != (i > 0) {
			t.Errorf("fetch %d: reused %v", i, x.Reused)
		}
		if x.Remote != addr {
			t.Errorf("remote %v, want %v", x.Remote, addr)
		}
	}
}

// A server that closes, resets, or sends bytes unasked on an idle connection: the next fetch must
// see its own answer.
func TestIdleConnection(t *testing.T) {
	for name, after := range map[string]func(net.Conn){
		"closed": func(c net.Conn) { c.Close() },
		"reset":  reset,
		"stale":  func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong") },
	} {
		t.Run(name, func(t *testing.T) {
			did := make(chan struct{})
			addr := listen(t, func(n int, c net.Conn) {
				if n > 0 {
					play(c, plain)
					return
				}
				_, _ = takeRequest(c)
				_, _ = io.WriteString(c, plain)
				<-did
				after(c)
				did <- struct{}{}
				_, _ = takeRequest(c)
			})
			c := newClient(t, quick())
			r := &Request{URL: "http://" + addr.String() + "/"}
			if _, err := get(t, c, r); err != nil {
				t.Fatal(err)
			}
			did <- struct{}{}
			<-did
			x, err := get(t, c, r)
			if err != nil {
				t.Fatal(err)
			}
			if got := response(t, x); got != plain {
				t.Errorf("got %q", got)
			}
		})
	}
}

// In memory nothing can be peeked at, so the dead connection shows only when used.
func TestSecondTry(t *testing.T) {
	for _, tt := range []struct {
		method string
		sends  string // on the kept connection
		class  Class
		conns  int
	}{
		{"GET", "", "", 2},
		{"PUT", "", "", 2},
		{"POST", "", Disconnect, 1},
		{"GET", "H", Disconnect, 1},
		{"GET", "HTTP/1.1 100 Continue\r\n\r\n", Disconnect, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &pipes{serve: func(n int, c net.Conn) {
				if n > 0 {
					play(c, plain)
					return
				}
				_, _ = takeRequest(c)
				_, _ = io.WriteString(c, plain)
				_, _ = takeRequest(c)
				_, _ = io.WriteString(c, tt.sends)
			}}
			cfg := quick()
			cfg.Dialer = p
			c := newClient(t, cfg)
			r := &Request{Method: tt.method, URL: testURL}
			if _, err := get(t, c, r); err != nil {
				t.Fatal(err)
			}
			x, err := get(t, c, r)
			if ClassOf(err) != tt.class {
				t.Errorf("%s after %q: %v", tt.method, tt.sends, err)
			}
			if err == nil && response(t, x) != plain {
				t.Errorf("got %q", response(t, x))
			}
			if p.count != tt.conns {
				t.Errorf("%s after %q: %d connections, want %d", tt.method, tt.sends, p.count, tt.conns)
			}
			c.Close()
			p.all.Wait()
		})
	}
}

func TestReset(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) {
		_, _ = takeRequest(c)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
		_, _ = c.Read(make([]byte, 1)) // the client says when it has read that
		reset(c)
	})
	cfg := quick()
	cfg.Dialer = afterFirstRead{}
	c := newClient(t, cfg)
	x, err := get(t, c, &Request{URL: "http://" + addr.String() + "/"})
	if ClassOf(err) != Reset || x.Truncated != TruncatedBroken || !strings.HasSuffix(response(t, x), "hello") {
		t.Errorf("%v, %q, %q", err, x.Truncated, response(t, x))
	}
}

// afterFirstRead dials connections that tell the server when a byte has been read.
type afterFirstRead struct{}

func (afterFirstRead) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	return &tellingConn{Conn: c}, err
}

type tellingConn struct {
	net.Conn
	once sync.Once
}

func (c *tellingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.once.Do(func() { _, _ = c.Conn.Write([]byte("!")) })
	return n, err
}

func TestCancel(t *testing.T) {
	for name, steps := range map[string][]any{
		"before the head": {time.Hour},
		"in the body":     {"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{serve: func(_ int, c net.Conn) { play(c, steps...) }}
				cfg := quick()
				cfg.Dialer = p
				c := newClient(t, cfg)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				x, err := c.Fetch(ctx, &Request{URL: testURL})
				if ClassOf(err) != Canceled {
					t.Errorf("%v", err)
				}
				if x.Timings.Total != time.Second {
					t.Errorf("took %v", x.Timings.Total)
				}
				_ = x.Release()
				c.Close()
				p.all.Wait()
			})
		})
	}
}

func TestTotalTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps := []any{"HTTP/1.1 200 OK\r\n\r\n"}
		for range 100 {
			steps = append(steps, time.Second, strings.Repeat("x", 100))
		}
		p := &pipes{serve: func(_ int, c net.Conn) { play(c, steps...) }}
		cfg := quick()
		cfg.Dialer = p
		c := newClient(t, cfg)
		x, err := get(t, c, &Request{URL: testURL, MaxTime: 5500 * time.Millisecond})
		if ClassOf(err) != TotalTimeout || x.Truncated != TruncatedTime || x.BodySize != 500 {
			t.Errorf("%v, %q, %d bytes", err, x.Truncated, x.BodySize)
		}
		c.Close()
		p.all.Wait()
	})
}

func TestWriteTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{serve: func(int, net.Conn) { time.Sleep(time.Hour) }}
		cfg := quick()
		cfg.Dialer = p
		c := newClient(t, cfg)
		if _, err := get(t, c, &Request{URL: testURL}); ClassOf(err) != WriteTimeout {
			t.Error(err)
		}
		p.all.Wait()
	})
}

func TestInterimAndTrailers(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) {
		play(c, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n")
	})
	x, err := get(t, newClient(t, quick()), &Request{URL: "http://" + addr.String() + "/"})
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Interim) != 1 || x.Interim[0].Status != 103 || x.Interim[0].Header.Get("Link") != "</a>" {
		t.Errorf("interim %+v", x.Interim)
	}
	if got := x.Trailers.Values("x-sum"); len(got) != 2 || got[1] != "2" {
		t.Errorf("trailers %+v", x.Trailers)
	}
}

func TestErrorHidesPassword(t *testing.T) {
	_, err := get(t, newClient(t, quick()), &Request{URL: "http://user:secret@10.0.0.1/x"})
	if ClassOf(err) != Guarded || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "http://10.0.0.1/x") {
		t.Error(err)
	}
}

func TestConnectRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := newClient(t, quick())
	if _, err := get(t, c, &Request{URL: "http://" + l.Addr().String() + "/"}); ClassOf(err) != NoConnect {
		t.Error(err)
	}
}

// Bodies larger than the memory bound go to a file that has no name and leaves nothing behind.
func TestSpill(t *testing.T) {
	body := strings.Repeat("0123456789abcdef", 10_000)
	answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	addr := listen(t, func(_ int, c net.Conn) { play(c, answer) })
	cfg := quick()
	cfg.SpoolDir = t.TempDir()
	c := newClient(t, cfg)
	x, err := c.Fetch(t.Context(), &Request{URL: "http://" + addr.String() + "/", AllowLoopback: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, inMemory := x.Response.Bytes(); inMemory {
		t.Error("160 KB in 16 KB of memory")
	}
	if got := response(t, x); got != answer {
		t.Error("bytes differ")
	}
	checkPayload(t, x, body)
	if err := x.Release(); err != nil {
		t.Error(err)
	}
	if _, err := x.Response.ReadAt(make([]byte, 1), 0); err != ErrReleased {
		t.Errorf("after release: %v", err)
	}
	if err := x.Release(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(cfg.SpoolDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSpillFails(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) { play(c, "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", 1<<17), errHangUp) })
	cfg := quick()
	cfg.SpoolDir = "/nonexistent/dir"
	c := newClient(t, cfg)
	x, err := get(t, c, &Request{URL: "http://" + addr.String() + "/"})
	if ClassOf(err) != Local || x.Truncated != TruncatedOtherwise {
		t.Errorf("%v, %q", err, x.Truncated)
	}
}

func TestConcurrent(t *testing.T) {
	var served atomic.Int32
	addr := listen(t, func(_ int, c net.Conn) {
		for {
			req, err := takeRequest(c)
			if err != nil {
				return
			}
			served.Add(1)
			path := strings.Fields(req)[1]
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(path), path)
		}
	})
	c := newClient(t, quick())
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 50 {
				path := fmt.Sprintf("/%d/%d", w, i)
				x, err := c.Fetch(t.Context(), &Request{URL: "http://" + addr.String() + path, AllowLoopback: true})
				if err != nil {
					t.Error(err)
				} else if b, _ := x.PayloadBytes(); string(b) != path {
					t.Errorf("asked for %s, got %s", path, b)
				}
				_ = x.Release()
			}
		})
	}
	all.Wait()
	if served.Load() != 400 {
		t.Errorf("%d requests served", served.Load())
	}
	if c.pool.count > quick().withDefaults().Pool.PerHost {
		t.Errorf("%d connections kept", c.pool.count)
	}
}
