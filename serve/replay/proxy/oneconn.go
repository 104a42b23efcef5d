package proxy

import (
	"net"
	"sync"
)

// oneConn is a listener with one connection; it ends when that is closed.
type oneConn struct {
	conn  net.Conn
	taken bool
	once  sync.Once
	done  chan struct{}
}

// Accept gives the connection, and then waits for its end.
func (l *oneConn) Accept() (net.Conn, error) {
	if !l.taken {
		l.taken = true
		return l.conn, nil
	}
	<-l.done
	return nil, net.ErrClosed
}

// end lets Accept return.
func (l *oneConn) end() { l.once.Do(func() { close(l.done) }) }

// Close ends the listener.
func (l *oneConn) Close() error {
	l.end()
	return nil
}

// Addr gives the address of the connection.
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }
