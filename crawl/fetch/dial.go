package fetch

import (
	"context"
	"errors"
	"net/netip"
	"time"
)

// maxAddrs bounds how many addresses of a host are tried.
const maxAddrs = 4

// connect takes a kept connection or opens one.
func (k *call) connect(fresh bool) error {
	key := connKey{host: k.target.Host, port: k.target.Port, tls: k.target.TLS, proxy: k.proxy}
	if !fresh {
		if c := k.kept(key); c != nil {
			k.use(c)
			return nil
		}
	}
	c, err := k.open(key)
	if err != nil {
		return err
	}
	k.use(c)
	return nil
}

// kept takes a connection from the pool that this request may use: another may have been allowed
// to reach an address that this one is not.
func (k *call) kept(key connKey) *conn {
	for {
		c := k.client.pool.get(key)
		if c == nil {
			return nil
		}
		if !c.judged.IsValid() || k.client.guard.check(c.addr, k.req.AllowLoopback) == nil {
			return c
		}
		c.close()
	}
}

func (k *call) use(c *conn) {
	k.cn = c
	k.x.Remote, k.x.Reused, k.x.TLS, k.x.DNS = c.addr, c.used, c.tls, c.dns
}

// open dials the server, or the proxy and through it the server, and shakes hands.
func (k *call) open(key connKey) (*conn, error) {
	var c *conn
	var err error
	if k.proxy != nil {
		c, err = k.openProxied(key)
	} else {
		c, err = k.openDirect(key)
	}
	if err != nil {
		return nil, err
	}
	if !key.tls {
		return c, nil
	}
	alpn := "http/1.1"
	if key.h2 {
		alpn = "h2"
	}
	if err := k.handshake(c, alpn); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (k *call) openDirect(key connKey) (*conn, error) {
	if o, ok := k.client.cfg.override(key.host, key.port); ok {
		port := key.port
		if o.ToPort != 0 {
			port = o.ToPort
		}
		return k.dial(key, netip.AddrPortFrom(o.Addr, port))
	}
	if k.target.Addr.IsValid() {
		addr := netip.AddrPortFrom(k.target.Addr, key.port)
		if err := k.client.guard.check(addr, k.req.AllowLoopback); err != nil {
			return nil, err
		}
		return judged(k.dial(key, addr))
	}
	answer, err := k.resolve(key.host)
	if err != nil {
		return nil, err
	}
	k.x.DNS = answer
	check := func(a netip.AddrPort) error { return k.client.guard.check(a, k.req.AllowLoopback) }
	return judged(k.dialAny(key, answer, key.port, check))
}

// judged marks a connection whose address has to pass the guard for each request.
func judged(c *conn, err error) (*conn, error) {
	if err == nil {
		c.judged = c.addr
	}
	return c, err
}

// resolve looks a name up and notes the time it took.
func (k *call) resolve(host string) (*Answer, error) {
	start := k.client.cfg.Clock.Now()
	ctx, cancel := context.WithDeadline(k.ctx, k.until(k.client.cfg.Timeouts.DNS))
	defer cancel()
	answer, err := k.client.dns.lookup(ctx, host)
	k.x.Timings.DNS += k.client.cfg.Clock.Now().Sub(start)
	if err != nil {
		return nil, err
	}
	if len(answer.Addrs) == 0 {
		return nil, faultf(NoName, "%s has no address", host)
	}
	return answer, nil
}

// dialAny tries the addresses of a host in turn, the one that last worked first. Guarded ones are
// left out; if all are, that is the error.
func (k *call) dialAny(key connKey, a *Answer, port uint16, check func(netip.AddrPort) error) (*conn, error) {
	var guarded, failed error
	for i, tried := 0, 0; i < len(a.Addrs) && tried < maxAddrs; i++ {
		addr := netip.AddrPortFrom(a.order(i), port)
		if guarded = check(addr); guarded != nil {
			continue
		}
		tried++
		c, err := k.dial(key, addr)
		if err == nil {
			a.worked(addr.Addr())
			c.dns = a
			return c, nil
		}
		failed = err
		if k.ctx.Err() != nil || !time.Now().Before(k.end) {
			break
		}
	}
	if failed != nil {
		return nil, failed
	}
	return nil, guarded
}

// worked remembers the address that let us connect.
func (a *Answer) worked(addr netip.Addr) {
	for i := range a.Addrs {
		if a.Addrs[i] == addr {
			a.good.Store(int32(i))
		}
	}
}

// dial opens a connection to an address that has been checked.
func (k *call) dial(key connKey, addr netip.AddrPort) (*conn, error) {
	start := k.client.cfg.Clock.Now()
	ctx, cancel := context.WithDeadline(k.ctx, k.until(k.client.cfg.Timeouts.Connect))
	defer cancel()
	k.x.Remote = addr
	raw, err := k.client.cfg.Dialer.DialContext(ctx, "tcp", addr.String())
	k.x.Timings.Connect += k.client.cfg.Clock.Now().Sub(start)
	if err != nil {
		if ctx.Err() != nil || isTimeout(err) {
			return nil, as(ConnectTimeout, err)
		}
		return nil, as(NoConnect, err)
	}
	return newConn(raw, key, addr), nil
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
