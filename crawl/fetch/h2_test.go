package fetch

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
)

// alert makes a TLS server refuse clients that do not offer h2. The library itself is lenient: it
// lets them in and hangs up at their request.
func alert(hello *tls.ClientHelloInfo) (*tls.Config, error) {
	if slices.Contains(hello.SupportedProtos, "h2") {
		return nil, nil
	}
	return &tls.Config{NextProtos: []string{"other"}, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, errHangUp }}, nil
}

// frameFirst sends SETTINGS before it reads, as servers in the clear do.
type frameFirst struct{ net.Listener }

func (l frameFirst) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	preface := make([]byte, 3)
	if _, err := io.ReadFull(c, preface); err == nil && string(preface) != "PRI" {
		_, _ = takeRequest(c)
		_, _ = c.Write([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0})
		c.Close()
		return l.Accept()
	}
	return &prefixConn{c, preface}, nil
}

type prefixConn struct {
	net.Conn
	prefix []byte
}

func (c *prefixConn) Read(p []byte) (int, error) {
	if len(c.prefix) > 0 {
		n := copy(p, c.prefix)
		c.prefix = c.prefix[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// serveH2 serves HTTP/2 only, with TLS or in the clear, and gives its address.
func serveH2(t *testing.T, cert *tls.Certificate, refuse func(*tls.ClientHelloInfo) (*tls.Config, error)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var only http.Protocols
	if cert != nil {
		only.SetHTTP2(true)
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*cert}, NextProtos: []string{"h2"}, GetConfigForClient: refuse})
	} else {
		only.SetUnencryptedHTTP2(true)
		l = frameFirst{l}
	}
	srv := &http.Server{Protocols: &only, ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Set-Cookie", "a=b")
		if r.URL.Path == "/big" {
			for range 8 {
				w.Header().Add("X-Big", strings.Repeat("x", 300))
			}
		}
		if r.URL.Path == "/hang" {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		fmt.Fprintf(w, "%s %s %s ua=%s %s %s", r.Proto, r.Method, r.RequestURI, r.UserAgent(), r.Host, body)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close(); <-done })
	return l.Addr().String()
}

func TestH2Only(t *testing.T) {
	a := newAuthority(t)
	cert := a.issue(t, time.Now().Add(time.Hour), "www.sim.test")
	for _, tt := range []struct{ name, scheme, addr, method string }{
		{"alert", "https", serveH2(t, &cert, alert), "POST"},
		{"hangs up", "https", serveH2(t, &cert, nil), "PUT"},
		{"frame", "http", serveH2(t, nil, nil), "POST"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := quick()
			cfg.UserAgent, cfg.TLS.Roots, cfg.Overrides = "test", a.pool, simTest(t, tt.addr)
			c := newClient(t, cfg)
			jar := NewJar(time.Now)
			for i := range 3 {
				x, err := get(t, c, &Request{Method: tt.method, URL: tt.scheme + "://www.sim.test//odd/%2f?q=%", Body: []byte("sent"), Jar: jar})
				if err != nil {
					t.Fatal(err)
				}
				body := "HTTP/2.0 " + tt.method + " //odd/%2f?q=% ua=test www.sim.test sent"
				got := response(t, x)
				if x.Protocol != "h2" || x.Head.Status != 200 || !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\ncontent-length: ") || !strings.HasSuffix(got, "\r\n\r\n"+body) {
					t.Errorf("%s: %q", x.Protocol, got)
				}
				checkPayload(t, x, body)
				if !strings.HasPrefix(string(x.RequestBytes), tt.method+" //odd/%2f?q=% HTTP/1.1\r\nHost: www.sim.test\r\n") || x.Reused != (i > 0) {
					t.Errorf("reused %v, %q", x.Reused, x.RequestBytes)
				}
				if hasCookie := strings.Contains(string(x.RequestBytes), "Cookie: a=b\r\n"); hasCookie != (i > 0) {
					t.Errorf("cookie sent: %v", hasCookie)
				}
			}
		})
	}
}

func TestH2Limits(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	cfg := quick()
	cfg.Overrides = simTest(t, serveH2(t, nil, nil))
	c := newClient(t, cfg)
	if x, err := get(t, c, &Request{URL: "http://www.sim.test/", MaxBody: 10}); ClassOf(err) != BodyLarge || x.Truncated != TruncatedLength || x.BodySize != 10 {
		t.Errorf("%v, %q, %d bytes", err, x.Truncated, x.BodySize)
	}
	if _, err := get(t, c, &Request{URL: "http://www.sim.test/big"}); ClassOf(err) != HeadLarge {
		t.Error(err)
	}
}

func TestH2Stalls(t *testing.T) {
	cfg := quick()
	cfg.Timeouts.Idle, cfg.Overrides = 50*time.Millisecond, simTest(t, serveH2(t, nil, nil))
	c := newClient(t, cfg)
	x, err := get(t, c, &Request{URL: "http://www.sim.test/hang"})
	if ClassOf(err) != IdleTimeout || x.Truncated != TruncatedTime || x.Head.Status != 200 {
		t.Errorf("%v %q", err, x.Truncated)
	}
}

// A refusal stands where HTTP/2 does not work either, and is met once only.
func TestH2RefusedToo(t *testing.T) {
	refusal := "HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Length: 2\r\n\r\nno"
	conns := make(chan int, 10)
	addr := listen(t, func(n int, c net.Conn) { conns <- n; play(c, refusal) })
	c := newClient(t, quick())
	for range 3 {
		x, err := get(t, c, &Request{URL: "http://" + addr.String() + "/"})
		if err != nil || response(t, x) != refusal {
			t.Errorf("%v %q", err, response(t, x))
		}
		checkPayload(t, x, "no")
	}
	if len(conns) != 2 {
		t.Errorf("%d connections", len(conns))
	}
}
