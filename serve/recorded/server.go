package recorded

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve/clock"
	"varve/web/ca"
)

// Options say how a recording is served.
type Options struct {
	Addr  string      // loopback address and port; port 0 takes a free one
	At    time.Time   // the instant whose web is served
	Clock clock.Clock // for the times in the log and of certificates
	Log   io.Writer   // one line of JSON per request; nil for none
}

// Server serves a recording on loopback until it is closed: HTTP and HTTPS on one port, each host under its own name.
type Server struct {
	rec  *Recording
	opts Options
	ca   *ca.Authority
	addr string
	http *http.Server
	wg   sync.WaitGroup

	mu  sync.Mutex // for the log
	seq int
	err error
}

// Listen opens the port and begins to serve.
func Listen(rec *Recording, o Options) (*Server, error) {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", o.Addr, err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("address %q: recorded sites are served on loopback only", o.Addr)
	}
	s := &Server{rec: rec, opts: o}
	if s.ca, err = ca.New("Varve recorded sites", o.Clock.Now); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	s.addr = l.Addr().String()
	s.http = &http.Server{
		Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // what clients do wrong is no business of ours
	}
	secure := &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
		return s.ca.Certificate(h.ServerName)
	}}
	s.wg.Go(func() { _ = s.http.Serve(listenEither(l, secure)) })
	return s, nil
}

// Addr is the address of all hosts.
func (s *Server) Addr() string { return s.addr }

// CA is the certificate of the authority that signs for the hosts, in PEM.
func (s *Server) CA() []byte { return s.ca.CA() }

// Resolve lists rules PATTERN=ADDR by which a client finds the hosts.
func (s *Server) Resolve() (rules []string) {
	for _, h := range s.rec.order {
		rules = append(rules, h+"="+s.addr)
		if s.rec.hosts[h] {
			rules = append(rules, "www."+h+"="+s.addr)
		}
	}
	return slices.Clip(rules)
}

// Close ends all connections and returns when everything has ended.
func (s *Server) Close() error {
	err := s.http.Close()
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(err, s.err)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	target := r.RequestURI
	if u := r.URL; u.IsAbs() { // asked for as of a proxy
		scheme, target = u.Scheme, u.RequestURI()
	}
	a := s.rec.Answer(scheme, r.Host, target, s.opts.At)
	head := w.Header()
	head["Date"], head["Content-Type"] = nil, nil // none of our own
	for _, f := range a.Header {
		if strings.EqualFold(f.Name, "Content-Type") {
			delete(head, "Content-Type")
		}
		head[f.Name] = append(head[f.Name], f.Value)
	}
	if a.Status != http.StatusNoContent && a.Status != http.StatusNotModified {
		head["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	}
	w.WriteHeader(a.Status)
	var sent int
	if r.Method != http.MethodHead {
		sent, _ = w.Write(a.Body) // the client may have left
	}
	s.note(r, scheme, target, a, sent)
}

// line is one request in the log.
type line struct {
	Seq             int       `json:"seq"`
	Time            time.Time `json:"time"`
	At              time.Time `json:"at"` // the instant it was answered for
	Remote          string    `json:"remote"`
	Scheme          string    `json:"scheme"`
	Host            string    `json:"host"`
	Method          string    `json:"method"`
	Target          string    `json:"target"`
	Status          int       `json:"status"`
	Bytes           int       `json:"bytes"`  // of the body
	Digest          string    `json:"digest"` // of the recorded body, as in WARC-Payload-Digest
	UserAgent       string    `json:"user_agent,omitempty"`
	IfNoneMatch     string    `json:"if_none_match,omitempty"`
	IfModifiedSince string    `json:"if_modified_since,omitempty"`
}

func (s *Server) note(r *http.Request, scheme, target string, a *Response, sent int) {
	if s.opts.Log == nil {
		return
	}
	sum := sha1.Sum(a.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	text, err := json.Marshal(line{
		Seq: s.seq, Time: s.opts.Clock.Now(), At: s.opts.At, Remote: r.RemoteAddr, Scheme: scheme, Host: r.Host, Method: r.Method, Target: target,
		Status: a.Status, Bytes: sent, Digest: "sha1:" + base32.StdEncoding.EncodeToString(sum[:]),
		UserAgent: r.UserAgent(), IfNoneMatch: r.Header.Get("If-None-Match"), IfModifiedSince: r.Header.Get("If-Modified-Since"),
	})
	if err == nil {
		_, err = s.opts.Log.Write(append(text, '\n'))
	}
	if s.err == nil {
		s.err = err
	}
}

// eitherListener gives connections that are TLS where the client begins so, and plain else.
type eitherListener struct {
	net.Listener
	secure *tls.Config
	conns  chan net.Conn
	ctx    context.Context // until the listener is closed
	stop   context.CancelFunc
	wg     sync.WaitGroup
}

func listenEither(l net.Listener, secure *tls.Config) *eitherListener {
	e := &eitherListener{Listener: l, secure: secure, conns: make(chan net.Conn)}
	e.ctx, e.stop = context.WithCancel(context.Background())
	e.wg.Go(e.accept)
	return e
}

func (l *eitherListener) accept() {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			l.stop()
			return
		}
		l.wg.Go(func() { l.look(c) }) // a client that says nothing holds up nobody else
	}
}

// look waits for the first byte of a connection, which tells what it is.
func (l *eitherListener) look(c net.Conn) {
	quit := context.AfterFunc(l.ctx, func() { _ = c.Close() })
	defer quit()
	first := bufio.NewReaderSize(c, 16)
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	b, err := first.Peek(1)
	if err != nil || c.SetReadDeadline(time.Time{}) != nil {
		_ = c.Close()
		return
	}
	var out net.Conn = &peekedConn{c, first}
	if b[0] == 0x16 { // the handshake of TLS
		out = tls.Server(out, l.secure)
	}
	select {
	case l.conns <- out:
	case <-l.ctx.Done():
		_ = c.Close()
	}
}

// Accept waits for the next connection that has said something.
func (l *eitherListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close ends the listener and what waits in it.
func (l *eitherListener) Close() error {
	err := l.Listener.Close()
	l.stop()
	l.wg.Wait()
	return err
}

// peekedConn is a connection whose first bytes were looked at.
type peekedConn struct {
	net.Conn
	r *bufio.Reader
}

// Read reads what was looked at, then the rest.
func (c *peekedConn) Read(b []byte) (int, error) { return c.r.Read(b) }
