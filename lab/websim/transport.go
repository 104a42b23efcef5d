package websim

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"

	"varve/clock"
)

// Transport is the web as an http.RoundTripper in memory. Answers go through the same steps as on
// the wire, with pauses on the transport's clock; a host that the web does not know is an error of
// name resolution.
type Transport struct {
	gate  *Gate
	clock clock.Clock
	log   *Log
	conns atomic.Int64
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport gives a transport whose simulated instant is the time of the clock. The log may be nil.
func NewTransport(w *Web, c clock.Clock, log *Log) *Transport {
	return &Transport{gate: NewGate(w), clock: c, log: log}
}

// RoundTrip answers a request. The entry in the log is made when the body is closed or at its end.
func (t *Transport) RoundTrip(hr *http.Request) (*http.Response, error) {
	r, err := newRequest(hr)
	if err != nil {
		return nil, err
	}
	if !t.gate.web.Knows(r.Host) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: r.Host, IsNotFound: true}}
	}
	now := t.clock.Now()
	a := t.gate.Fetch(r, now, now)
	p := newPlayer(hr.Context(), t.clock, a.Script(r.Method))
	p.entry = Entry{
		Time: now, At: now, Conn: t.conns.Add(1), Status: a.Status, Page: a.Page, Version: a.VersionID, Fault: a.Fault,
	}
	p.entry.Note(r)
	p.log = t.log
	return p.response(hr)
}

// newRequest takes a request of net/http over. Its body is read and closed.
func newRequest(hr *http.Request) (*Request, error) {
	r := &Request{Method: hr.Method, Scheme: hr.URL.Scheme, Host: hr.Host, Target: hr.URL.RequestURI(), Close: hr.Close}
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	if r.Host == "" {
		r.Host = hr.URL.Host
	}
	for name, values := range hr.Header { // order does not matter: fields are looked up by name
		for _, v := range values {
			r.Header = append(r.Header, Field{name, v})
		}
	}
	if hr.Body == nil {
		return r, nil
	}
	defer hr.Body.Close()
	body, err := io.ReadAll(io.LimitReader(hr.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("read body of request: %w", err)
	}
	r.Body = body
	return r, nil
}

// player reads the bytes of an answer step by step, as a client would get them.
type player struct {
	ctx   context.Context
	clock clock.Clock
	steps []Step
	sent  int64 // how often the data of the first step was given
	rest  []byte
	fresh bool // the pause of the next sending is not made yet
	sum   hash.Hash
	entry Entry
	log   *Log
	done  bool
}

func newPlayer(ctx context.Context, c clock.Clock, steps []Step) *player {
	return &player{ctx: ctx, clock: c, steps: steps, fresh: true, sum: sha1.New()}
}

// Read gives what comes next. The end of a connection is an error as on a socket.
func (p *player) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if err := p.advance(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.rest)
	p.sum.Write(p.rest[:n])
	p.entry.Bytes += int64(n)
	p.rest = p.rest[n:]
	return n, nil
}

// advance makes the next data ready: pause, data, repetition, end.
func (p *player) advance() error {
	if len(p.steps) == 0 {
		return io.EOF
	}
	s := &p.steps[0]
	if p.fresh {
		if err := p.clock.Sleep(p.ctx, s.Pause); err != nil {
			return err
		}
		p.fresh, p.rest = false, s.Data
		return nil
	}
	p.sent++
	p.fresh = true
	if s.Times < 0 || p.sent < s.Times {
		return p.ctx.Err()
	}
	p.sent = 0
	end := s.Then
	p.steps = p.steps[1:]
	switch end {
	case Close:
		p.steps = nil
	case Reset:
		return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	case Hang:
		<-p.ctx.Done()
		return p.ctx.Err()
	}
	return nil
}

// response parses the head and hands out the body.
func (p *player) response(hr *http.Request) (*http.Response, error) {
	resp, err := readResponse(bufio.NewReader(p), hr)
	if err != nil {
		p.finish(err)
		if errors.Is(err, io.ErrUnexpectedEOF) && p.entry.Bytes == 0 {
			err = io.EOF
		}
		return nil, fmt.Errorf("%s %s: %w", hr.Method, hr.URL, err)
	}
	resp.Body = &body{resp.Body, p}
	return resp, nil
}

// readResponse passes over interim answers.
func readResponse(br *bufio.Reader, hr *http.Request) (*http.Response, error) {
	for range 6 {
		resp, err := http.ReadResponse(br, hr)
		if err != nil || resp.StatusCode >= 200 {
			return resp, err
		}
	}
	return nil, errors.New("too many interim answers")
}

// finish writes the entry once.
func (p *player) finish(err error) {
	if p.done {
		return
	}
	p.done = true
	if err != nil && !errors.Is(err, io.EOF) {
		p.entry.Broken = err.Error()
	}
	p.entry.End = p.clock.Now()
	p.entry.Digest = Digest(p.sum)
	if p.log != nil {
		p.log.Add(p.entry)
	}
}

// Digest writes a SHA-1 sum as WARC does.
func Digest(h hash.Hash) string {
	var buf [64]byte
	out := append(buf[:0], "sha1:"...)
	return string(base32.StdEncoding.AppendEncode(out, h.Sum(nil)))
}

// body is the body of a response; its end is the end of the entry.
type body struct {
	io.ReadCloser
	p *player
}

func (b *body) Read(dst []byte) (int, error) {
	n, err := b.ReadCloser.Read(dst)
	if err != nil {
		b.p.finish(err)
	}
	return n, err
}

func (b *body) Close() error {
	b.p.finish(nil)
	return b.ReadCloser.Close()
}

// Wire gives all bytes of an answer as they would go over a connection, without pauses; an answer
// without an end is cut at limit bytes.
func (a *Answer) Wire(method string, limit int) []byte {
	var b bytes.Buffer
	for _, s := range a.Script(method) {
		for k := int64(0); k < max(s.Times, 1) || s.Times < 0; k++ {
			b.Write(s.Data)
			if b.Len() >= limit {
				return b.Bytes()[:limit]
			}
			if len(s.Data) == 0 {
				break
			}
		}
	}
	return b.Bytes()
}
