package server

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"hash"
	"io"
	"net"
	"net/http"
	"time"

	"varve/lab/websim"
)

// conn is one connection while it is served.
type conn struct {
	s        *Server
	raw      net.Conn // the socket
	net.Conn          // the same, or TLS over it
	id       int64
	scheme   string
	local    string
	remote   string

	in   []byte // what was read
	used int    // of it, what belongs to requests answered already
	req  parsed
	out  []byte
	bufs net.Buffers
	pair [2][]byte
	sum  hash.Hash
}

// serve answers the requests of a connection until one side ends it.
func (s *Server) serve(raw net.Conn) {
	c := &conn{
		s: s, raw: raw, Conn: raw, id: s.count.Add(1), scheme: "http", sum: sha1.New(),
		local: raw.LocalAddr().String(), remote: raw.RemoteAddr().String(), in: make([]byte, 0, 4096),
	}
	if err := c.maybeTLS(); err != nil {
		return
	}
	for {
		err := c.readHead()
		if err == nil {
			err = parseHead(c.in[:c.used], &c.req)
		}
		if errors.Is(err, errHead) {
			c.refuse(err)
			return
		}
		if err != nil || !c.exchange() {
			return
		}
	}
}

// readHead reads until the empty line; c.used is then the length of the head.
func (c *conn) readHead() error {
	c.in = append(c.in[:0], c.in[c.used:]...)
	c.used = 0
	for from := 0; ; {
		n := headEnd(c.in, from)
		if n > maxHead || n == 0 && len(c.in) > maxHead {
			return errLarge
		}
		if n > 0 {
			c.used = n
			return nil
		}
		from = max(0, len(c.in)-3)
		if err := c.read(); err != nil {
			return err
		}
	}
}

// headEnd is the length of a head with its empty line, or 0 when it is not there yet. Empty
// lines before the request line belong to it (RFC 9112 2.2).
func headEnd(b []byte, from int) int {
	start := 0
	for start < len(b) && (b[start] == '\r' || b[start] == '\n') {
		start++
	}
	from = max(from, start)
	if i := bytes.Index(b[from:], []byte("\r\n\r\n")); i >= 0 {
		return from + i + 4
	}
	if i := bytes.Index(b[from:], []byte("\n\n")); i >= 0 {
		return from + i + 2
	}
	return 0
}

// read appends what comes next to c.in.
func (c *conn) read() error {
	if len(c.in) == cap(c.in) {
		c.in = append(c.in, 0)[:len(c.in)]
	}
	if err := c.SetReadDeadline(time.Now().Add(c.s.opts.Idle)); err != nil {
		return err
	}
	n, err := c.Read(c.in[len(c.in):cap(c.in)])
	c.in = c.in[:len(c.in)+n]
	if n > 0 {
		return nil
	}
	return err
}

// refuse answers a head that cannot be read.
func (c *conn) refuse(err error) {
	status := http.StatusBadRequest
	if errors.Is(err, errLarge) {
		status = http.StatusRequestHeaderFieldsTooLarge
	}
	a := &websim.Answer{Status: status, Header: []websim.Field{{Name: "Connection", Value: "close"}}}
	_, werr := c.Write(a.AppendHead(nil))
	c.s.opts.Log.Add(websim.Entry{
		Time: c.s.opts.Clock.Now(), At: c.s.opts.Timeline.Now(), Conn: c.id, Local: c.local, Remote: c.remote,
		Scheme: c.scheme, Status: status, Page: websim.NoPage, Broken: errors.Join(err, werr).Error(),
	})
	// What the client still sends is read for a moment: closing before it would reset the connection,
	// and the answer might be lost.
	if t, ok := c.raw.(*net.TCPConn); ok && c.scheme == "http" {
		_ = t.CloseWrite()
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Second))
	_, _ = io.Copy(io.Discard, io.LimitReader(c, 1<<20))
}

// exchange reads the body of a request, answers it and tells whether the connection goes on.
func (c *conn) exchange() bool {
	r := &c.req
	if err := c.readBody(); err != nil {
		return false
	}
	if r.Scheme == "" || !r.absolute {
		r.Scheme = c.scheme
	}
	if c.s.own[r.Host] {
		return c.control()
	}
	now, at := c.s.opts.Clock.Now(), c.s.opts.Timeline.take(c.s.opts.Pace)
	a := c.s.gate.Fetch(&r.Request, at, now)
	e := websim.Entry{
		Time: now, At: at, Conn: c.id, Local: c.local, Remote: c.remote,
		Status: a.Status, Page: a.Page, Version: a.VersionID, Fault: a.Fault,
	}
	e.Note(&r.Request)
	c.sum.Reset()
	if bare := r.Method == http.MethodHead || a.Status == http.StatusNotModified; a.Plain() && !bare {
		return c.sendPlain(a, &e) && !a.Close
	}
	goOn, err := c.play(a, &e)
	if err != nil {
		e.Broken = err.Error()
	}
	c.finish(&e)
	c.s.opts.Log.Add(e)
	return goOn && err == nil && !a.Close
}

// finish completes an entry.
func (c *conn) finish(e *websim.Entry) {
	e.End = c.s.opts.Clock.Now()
	if !c.s.opts.NoDigest {
		e.Digest = websim.Digest(c.sum)
	}
}

// sendPlain sends head and body at once. The entry is in the log before a client can see the
// answer, so that who has the answer finds it there; it is corrected if sending fails.
func (c *conn) sendPlain(a *websim.Answer, e *websim.Entry) bool {
	c.out = a.AppendHead(c.out[:0])
	c.note(c.out, a.Body)
	e.Bytes = int64(len(c.out) + len(a.Body))
	c.finish(e)
	seq := c.s.opts.Log.Add(*e)
	n, err := c.write(c.out, a.Body)
	if err != nil {
		e.Seq, e.Bytes, e.Broken, e.End = seq, n, err.Error(), c.s.opts.Clock.Now()
		c.s.opts.Log.Correct(*e)
	}
	return err == nil
}

// note adds what is sent to the digest.
func (c *conn) note(parts ...[]byte) {
	if c.s.opts.NoDigest {
		return
	}
	for _, p := range parts {
		c.sum.Write(p)
	}
}

// readBody reads the body of a request, if it has one, behind the head in c.in.
func (c *conn) readBody() error {
	r := &c.req
	if r.chunked || r.length > maxBody {
		r.Close = true // what follows cannot be told from a next request
		return nil
	}
	if r.length == 0 {
		return nil
	}
	if r.expect {
		if _, err := io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return err
		}
	}
	for int64(len(c.in)-c.used) < r.length {
		if err := c.read(); err != nil {
			return err
		}
	}
	r.Body = c.in[c.used : c.used+int(r.length)]
	c.used += int(r.length)
	return nil
}

// writeTime is how long a client may take to make room for what is sent.
const writeTime = time.Minute

// play sends an answer step by step. Its entry is made at the end, when the bytes are known.
func (c *conn) play(a *websim.Answer, e *websim.Entry) (goOn bool, err error) {
	ctx, cancel := context.WithCancel(c.s.ctx)
	defer cancel()
	for _, step := range a.Script(c.req.Method) {
		for k := int64(0); k < max(1, step.Times) || step.Times < 0; k++ {
			if err := c.s.opts.Clock.Sleep(ctx, step.Pause); err != nil {
				return false, err
			}
			c.note(step.Data)
			n, err := c.write(step.Data, nil)
			e.Bytes += n
			if err != nil {
				return false, err
			}
		}
		if step.Then != websim.Go {
			return false, c.end(ctx, step.Then)
		}
	}
	return true, nil
}

// write sends head and body with one system call and tells how much was sent.
func (c *conn) write(head, body []byte) (int64, error) {
	if len(head)+len(body) == 0 {
		return 0, nil
	}
	if err := c.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	if c.scheme == "https" || len(body) == 0 {
		c.out = append(append(c.out[:0], head...), body...)
		n, err := c.Write(c.out)
		return int64(n), err
	}
	c.pair = [2][]byte{head, body}
	c.bufs = c.pair[:]
	return c.bufs.WriteTo(c.Conn)
}

// end ends the connection in the way the answer wants.
func (c *conn) end(ctx context.Context, how websim.End) error {
	switch how {
	case websim.Reset:
		if t, ok := c.raw.(*net.TCPConn); ok {
			if err := t.SetLinger(0); err != nil {
				return err
			}
		}
	case websim.Hang:
		stop := context.AfterFunc(ctx, func() { _ = c.raw.Close() })
		defer stop()
		_ = c.SetReadDeadline(time.Now().Add(10 * c.s.opts.Idle))
		_, _ = io.Copy(io.Discard, io.LimitReader(c, maxBody)) // until the client gives up
	}
	return nil
}
