package fetch

import (
	"net"
	"net/netip"
	"sync"
	"testing"
)

// listen serves TCP connections on loopback, n counting from 0, until the test ends.
func listen(t testing.TB, serve func(n int, c net.Conn)) netip.AddrPort {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	var mu sync.Mutex
	var conns []net.Conn
	open.Go(func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
			open.Go(func() {
				defer c.Close()
				serve(n, c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		open.Wait()
	})
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// reset ends a TCP connection hard.
func reset(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// get fetches from a loopback address and releases.
func get(t testing.TB, c *Client, r *Request) (*Exchange, error) {
	t.Helper()
	r.AllowLoopback = true
	x, err := c.Fetch(t.Context(), r)
	t.Cleanup(func() { _ = x.Release() })
	return x, err
}

// testAddr is a public address that is never dialled.
var testAddr = netip.MustParseAddrPort("192.0.32.7:80")
