package fetch

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// conn is a connection to a server, plain or TLS, direct or through a proxy.
type conn struct {
	nc     net.Conn        // what is written to and read from
	raw    net.Conn        // the socket under it
	sys    syscall.RawConn // of the socket, to look for waiting bytes; nil where there is none
	key    connKey
	addr   netip.AddrPort // what was dialled: the server or the proxy
	judged netip.AddrPort // what the guard judged: the server's; zero where an operator's word stands above it
	tls    *TLSInfo
	dns    *Answer
	h2     *http.ClientConn // set where the server speaks only HTTP/2

	used  bool
	idle  time.Duration // how long the server keeps it, if it said so
	until time.Time     // when it is too old to be used again

	older, newer *conn            // its neighbours among the idle ones
	cut          func()           // c.closeSocket, bound once
	peek         func(fd uintptr) // c.peekSocket, bound once
	peeked       error            // what peek found
}

// connKey says which requests a connection can carry.
type connKey struct {
	host  string
	port  uint16
	tls   bool
	proxy *Proxy
	h2    bool
}

func newConn(raw net.Conn, key connKey, addr netip.AddrPort) *conn {
	c := &conn{nc: raw, raw: raw, key: key, addr: addr}
	c.cut, c.peek = c.closeSocket, c.peekSocket
	if s, ok := raw.(syscall.Conn); ok {
		if rc, err := s.SyscallConn(); err == nil {
			c.sys = rc
		}
	}
	return c
}

// watch closes the socket when the context ends. The function given stops that and tells whether
// the socket is untouched.
func (c *conn) watch(ctx context.Context) (stop func() bool) {
	if ctx.Done() == nil {
		return func() bool { return true }
	}
	return context.AfterFunc(ctx, c.cut)
}

func (c *conn) closeSocket() { _ = c.raw.Close() }

// close ends the connection. Nobody waits for the goodbye of a server.
func (c *conn) close() {
	if c.h2 != nil {
		_ = c.h2.Close()
	}
	_ = c.raw.Close()
}
