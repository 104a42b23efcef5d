package rehearsal

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"varve/clock"
	"varve/lab/websim"
)

// dialer opens connections into a simulated web.
type dialer struct {
	gate  *websim.Gate
	clock clock.Clock
	log   *websim.Log
	conns *atomic.Int64
}

// DialContext gives a connection that answers as the web does at the instant of each request.
func (d dialer) DialContext(_ context.Context, network, address string) (net.Conn, error) {
	return &conn{d: d, number: d.conns.Add(1), addr: addr{network, address}}, nil
}

// conn is one connection: what was written and makes no whole request yet, and what is there to be read.
type conn struct {
	d      dialer
	number int64
	addr   addr
	asked  []byte
	answer []byte
	ended  bool
}

// maxAnswer bounds an answer without an end.
const maxAnswer = 64 << 20

// Write takes a request; the answer is ready when it is whole.
func (c *conn) Write(b []byte) (int, error) {
	c.asked = append(c.asked, b...)
	if i := bytes.Index(c.asked, []byte("\r\n\r\n")); i >= 0 {
		r := parse(string(c.asked[:i]))
		c.asked = c.asked[i+4:]
		c.reply(r)
	}
	return len(b), nil
}

// parse reads the head of a request. The client is our own, so it is well formed.
func parse(head string) *websim.Request {
	lines := strings.Split(head, "\r\n")
	first := strings.SplitN(lines[0], " ", 3)
	r := &websim.Request{Scheme: "http"}
	if len(first) == 3 {
		r.Method, r.Target = first[0], first[1]
	}
	for _, l := range lines[1:] {
		name, value, _ := strings.Cut(l, ":")
		value = strings.TrimSpace(value)
		r.Header = append(r.Header, websim.Field{Name: name, Value: value})
		if strings.EqualFold(name, "Host") {
			r.Host = value
		}
	}
	return r
}

func (c *conn) reply(r *websim.Request) {
	now := c.d.clock.Now()
	a := c.d.gate.Fetch(r, now, now)
	c.answer = append(c.answer, a.Wire(r.Method, maxAnswer)...)
	c.ended = a.Close
	e := websim.Entry{
		Time: now, End: now, At: now, Conn: c.number, Scheme: r.Scheme, Host: r.Host, Method: r.Method, Target: r.Target,
		Status: a.Status, Page: a.Page, Version: a.VersionID, Fault: a.Fault, Bytes: int64(len(c.answer)),
	}
	e.Note(r)
	c.d.log.Add(e)
}

// Read gives what was answered. It never waits: nothing comes that was not asked for.
func (c *conn) Read(b []byte) (int, error) {
	if len(c.answer) == 0 {
		return 0, io.EOF
	}
	n := copy(b, c.answer)
	c.answer = c.answer[n:]
	return n, nil
}

// Close ends the connection.
func (c *conn) Close() error { return nil }

// LocalAddr names this end.
func (c *conn) LocalAddr() net.Addr { return addr{c.addr.network, "127.0.0.1:1"} }

// RemoteAddr names the web's end.
func (c *conn) RemoteAddr() net.Addr { return c.addr }

// SetDeadline has nothing to do: reads and writes never wait.
func (c *conn) SetDeadline(time.Time) error { return nil }

// SetReadDeadline has nothing to do.
func (c *conn) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline has nothing to do.
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

type addr struct{ network, address string }

func (a addr) Network() string { return a.network }
func (a addr) String() string  { return a.address }
