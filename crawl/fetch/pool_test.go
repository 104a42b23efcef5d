package fetch

import (
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// idleConn makes a connection for a host whose other end tells when it is closed.
func idleConn(host string) (*conn, func() bool) {
	client, server := net.Pipe()
	closed := make(chan struct{})
	go func() {
		_, _ = server.Read(make([]byte, 1))
		close(closed)
	}()
	c := newConn(client, connKey{host: host}, testAddr)
	return c, func() bool {
		synctest.Wait()
		select {
		case <-closed:
			return true
		default:
			return false
		}
	}
}

func (p *pool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(Pool{PerHost: 2, Total: 3, Idle: time.Minute})
		a1, a1Closed := idleConn("a")
		a2, a2Closed := idleConn("a")
		a3, a3Closed := idleConn("a")
		b1, b1Closed := idleConn("b")
		c1, c1Closed := idleConn("c")
		p.put(a1)
		p.put(a2)
		p.put(a3) // one too many for its host
		p.put(b1)
		if !a3Closed() || a1Closed() || p.size() != 3 {
			t.Errorf("third of a host: closed %v, %d kept", a3Closed(), p.size())
		}
		p.put(c1) // one too many at all: the oldest goes
		if !a1Closed() || a2Closed() || p.size() != 3 {
			t.Errorf("oldest: closed %v, %d kept", a1Closed(), p.size())
		}
		if got := p.get(connKey{host: "a"}); got != a2 {
			t.Errorf("got %p, want %p", got, a2)
		}
		time.Sleep(50 * time.Second)
		a2.idle = 20 * time.Second // the server keeps it no longer
		p.put(a2)
		time.Sleep(11 * time.Second) // 61 s: b and c are too old
		if !b1Closed() || !c1Closed() || a2Closed() || p.size() != 1 {
			t.Errorf("after a minute: %v %v %v, %d kept", b1Closed(), c1Closed(), a2Closed(), p.size())
		}
		time.Sleep(10 * time.Second)
		if got := p.get(connKey{host: "a"}); got != nil || !a2Closed() {
			t.Errorf("past the server's own time: %p", got)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		p.mu.Lock()
		if len(p.hosts) != 0 || p.timer != nil {
			t.Errorf("%d hosts left, timer %v", len(p.hosts), p.timer)
		}
		p.mu.Unlock()
		d1, d1Closed := idleConn("d")
		e1, e1Closed := idleConn("e")
		p.put(d1)
		p.close()
		p.put(e1)
		if !d1Closed() || !e1Closed() || p.size() != 0 {
			t.Errorf("after close: %v %v, %d kept", d1Closed(), e1Closed(), p.size())
		}
	})
}

// The deadline of the last read may pass while a connection is idle; that does not make it dead.
func TestPastDeadline(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) { play(c, plain) })
	c := newClient(t, quick())
	r := &Request{URL: "http://" + addr.String() + "/"}
	if _, err := get(t, c, r); err != nil {
		t.Fatal(err)
	}
	if err := c.pool.ring.newer.raw.SetDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if x, err := get(t, c, r); err != nil || !x.Reused {
		t.Errorf("%v, reused %v", err, x.Reused)
	}
}
