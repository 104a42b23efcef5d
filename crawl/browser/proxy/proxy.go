package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"varve/crawl/collect"
	"varve/web/ca"
	"varve/web/links"
)

// Limits bound what a browser may make us do. Zero fields mean the default named at the field.
type Limits struct {
	Head        int           // bytes of a head, in both directions; 256 KiB
	Body        int64         // bytes of a request body; 8 MiB
	Connections int           // at a time; 256
	Requests    int           // of one turn; 1,000
	Idle        time.Duration // how long a connection may be silent; 2 min
}

func (l Limits) withDefaults() Limits {
	l.Head = orDefault(l.Head, 256<<10)
	l.Body = orDefault(l.Body, 8<<20)
	l.Connections = orDefault(l.Connections, 256)
	l.Requests = orDefault(l.Requests, 1000)
	l.Idle = orDefault(l.Idle, 2*time.Minute)
	return l
}

func orDefault[N int | int64 | time.Duration](v, usual N) N {
	if v <= 0 {
		return usual
	}
	return v
}

// Proxy is the HTTP proxy of one browser context, on a port of its own on loopback.
type Proxy struct {
	listener  net.Listener
	authority *ca.Authority
	limits    Limits
	ctx       context.Context
	cancel    context.CancelFunc
	tasks     sync.WaitGroup

	mu        sync.Mutex
	listeners []net.Listener // all of them
	conns     map[net.Conn]struct{}
	turn      *Turn
}

// Listen opens a proxy on any free port of 127.0.0.1.
func Listen(authority *ca.Authority, limits Limits) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("proxy for a browser: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Proxy{listener: l, authority: authority, limits: limits.withDefaults(), ctx: ctx, cancel: cancel, conns: map[net.Conn]struct{}{}}
	p.Also(l)
	return p, nil
}

// Also lets the proxy answer on another listener, such as the door of a jail, until one of both is closed.
func (p *Proxy) Also(l net.Listener) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil {
		l.Close()
		return
	}
	p.listeners = append(p.listeners, l)
	p.tasks.Go(func() { p.accept(l) })
}

// Addr gives host and port to be set as the browser's proxy.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Close ends all connections and returns when nothing of the proxy runs any more.
func (p *Proxy) Close() error {
	p.cancel()
	err := p.listener.Close()
	p.mu.Lock()
	for _, l := range p.listeners {
		l.Close() // once more does not matter
	}
	for c := range p.conns {
		c.Close()
	}
	p.mu.Unlock()
	p.tasks.Wait()
	return err
}

// Begin gives the proxy to a page: its requests go to the net until the turn ends or the context
// does. The turn before it must have ended.
func (p *Proxy) Begin(ctx context.Context, page string, net collect.Net) (*Turn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turn != nil {
		return nil, errors.New("proxy: another page uses it")
	}
	p.turn = newTurn(ctx, p, page, net)
	return p.turn, nil
}

// current gives the turn that a request belongs to, or nil.
func (p *Proxy) current() *Turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turn
}

func (p *Proxy) accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if !p.add(c) {
			c.Close()
			continue
		}
		p.tasks.Go(func() {
			defer p.drop(c)
			p.serve(c)
		})
	}
}

func (p *Proxy) add(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil || len(p.conns) >= p.limits.Connections {
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) drop(c net.Conn) {
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
	c.Close()
}

// Exchange is one request of a page and what became of it.
type Exchange struct {
	URL      string
	Method   string
	Hop      links.Hop
	Dest     string // what the browser wants it for: image, script, empty (a script's own request); "" where it did not say
	Status   int    // 0: no answer
	MIME     string
	RecordID string
	Cached   bool
	Err      error // why there is no answer
}
