package serve

import (
	"bytes"
	"net"
)

// fenced puts a policy on the answers that net/http writes by itself, before any handler is asked: to requests that it
// cannot read ("/%zz") or that are too long. In a browser they are documents of our origin like all others, and without
// a policy an archived script that leads a frame there has a window from which it reaches the network.
type fenced struct{ net.Listener }

// Accept returns the next connection.
func (l fenced) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return fencedConn{c}, nil
}

type fencedConn struct{ net.Conn }

var (
	refusal      = []byte("HTTP/1.1 4")
	refusalHead  = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n") // as net/http writes it
	refusalFence = []byte("\r\nContent-Security-Policy: default-src 'none'; sandbox")
)

// Write sends p, with the policy if it is an answer of net/http itself.
func (c fencedConn) Write(p []byte) (int, error) {
	i := bytes.Index(p, refusalHead)
	if !bytes.HasPrefix(p, refusal) || i < 0 || bytes.IndexByte(p, '\r') != i {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(bytes.Join([][]byte{p[:i], refusalFence, p[i:]}, nil)); err != nil {
		return 0, err
	}
	return len(p), nil
}
