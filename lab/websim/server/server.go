package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"varve/clock"
	"varve/lab/websim"
)

// Options says how a web is served. The zero value serves it on any free port of 127.0.0.1, from
// its epoch on in real time.
type Options struct {
	Addr     string        // address and port of the default address; "127.0.0.1:0" where empty
	Timeline *Timeline     // the simulated instant
	Pace     time.Duration // the simulated instant moves on by this much with every answer: time that does not depend on the machine
	Clock    clock.Clock   // for pauses, rate limits and the times in the log; real where nil
	Log      *websim.Log   // in memory where nil
	NoDigest bool          // leave the digests out of the log
	NoTLS    bool          // do not serve TLS
	MaxConns int           // connections at a time; 4096 where 0
	Idle     time.Duration // how long a connection may be silent; 60 s where 0
}

// Server serves a web on loopback until it is closed.
type Server struct {
	web  *websim.Web
	gate *websim.Gate
	opts Options
	ctx  context.Context
	stop context.CancelFunc
	ca   *authority
	tls  *tls.Config

	listeners []net.Listener
	byAddr    map[string]string // address of the description -> where it is served
	own       map[string]bool   // names by which control pages are reached

	mu    sync.Mutex
	conns map[net.Conn]struct{}
	done  bool
	wg    sync.WaitGroup
	count atomic.Int64
}

// Listen opens the sockets and begins to serve.
func Listen(w *websim.Web, o Options) (*Server, error) {
	o.defaults(w)
	s := &Server{web: w, gate: websim.NewGate(w), opts: o, byAddr: map[string]string{}, own: map[string]bool{}, conns: map[net.Conn]struct{}{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	if !o.NoTLS {
		if err := s.startTLS(); err != nil {
			return nil, err
		}
	}
	if err := s.listen(); err != nil {
		_ = s.Close()
		return nil, err
	}
	for _, l := range s.listeners {
		s.wg.Go(func() { s.accept(l) })
	}
	return s, nil
}

func (o *Options) defaults(w *websim.Web) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Clock == nil {
		o.Clock = clock.Real()
	}
	if o.Timeline == nil {
		o.Timeline = NewTimeline(o.Clock, w.Epoch(), 1)
	}
	if o.Log == nil {
		o.Log = websim.NewLog(0, nil)
	}
	if o.MaxConns == 0 {
		o.MaxConns = 4096
	}
	if o.Idle == 0 {
		o.Idle = time.Minute
	}
}

// listen opens one socket per address, on the port of the first where it is free.
func (s *Server) listen() error {
	host, port, err := net.SplitHostPort(s.opts.Addr)
	if err != nil {
		return fmt.Errorf("address %q: %w", s.opts.Addr, err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("address %q: the simulated web is served on loopback only", s.opts.Addr)
	}
	if port, err = s.open("127.0.0.1", host, port); err != nil {
		return err
	}
	for _, h := range s.web.Hosts() {
		if _, ok := s.byAddr[h.Addr]; ok {
			continue
		}
		if _, err := s.open(h.Addr, h.Addr, port); err != nil {
			if _, err := s.open(h.Addr, h.Addr, "0"); err != nil {
				return err
			}
		}
	}
	return nil
}

// open listens on host and port, for the sites that the description puts at addr.
func (s *Server) open(addr, host, port string) (string, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return "", fmt.Errorf("serve %s: %w", addr, err)
	}
	s.listeners = append(s.listeners, l)
	at := l.Addr().String()
	s.byAddr[addr] = at
	_, port, _ = net.SplitHostPort(at)
	s.own[at], s.own["localhost:"+port] = true, true
	return port, nil
}

// Addr is the address of the hosts that the description puts nowhere else.
func (s *Server) Addr() string { return s.byAddr["127.0.0.1"] }

// AddrOf is the address that serves a host, or "" for an unknown one.
func (s *Server) AddrOf(host string) string {
	for _, h := range s.web.Hosts() {
		if h.Name == host || h.WWW && "www."+h.Name == host {
			return s.byAddr[h.Addr]
		}
	}
	return ""
}

// Resolve lists rules PATTERN=ADDR by which a client finds the hosts; the first that fits counts.
func (s *Server) Resolve() []string {
	var exact, general []string
	for _, h := range s.web.Hosts() {
		at := s.byAddr[h.Addr]
		rule := h.Name + "=" + at
		if suffix := domain(h.Name); h.Addr == "127.0.0.1" && suffix != "" {
			rule = "*." + suffix + "=" + at
		}
		if rule[0] == '*' {
			general = append(general, rule)
			continue
		}
		exact = append(exact, rule)
		if h.WWW {
			exact = append(exact, "www."+rule)
		}
	}
	slices.Sort(general)
	return append(exact, slices.Compact(general)...)
}

// domain is a host name from its first dot on, where that leaves two labels.
func domain(host string) string {
	for i := range len(host) {
		if host[i] != '.' {
			continue
		}
		for k := i + 1; k < len(host); k++ {
			if host[k] == '.' {
				return host[i+1:]
			}
		}
		return ""
	}
	return ""
}

// Seeds lists the URLs of the home pages.
func (s *Server) Seeds() []string {
	var out []string
	for _, h := range s.web.Hosts() {
		out = append(out, h.Seed)
	}
	return out
}

// Log is the log of all requests.
func (s *Server) Log() *websim.Log { return s.opts.Log }

// Timeline is the simulated clock.
func (s *Server) Timeline() *Timeline { return s.opts.Timeline }

// Close ends all connections and returns when everything has ended.
func (s *Server) Close() error {
	s.mu.Lock()
	s.done = true
	s.stop()
	for _, l := range s.listeners {
		_ = l.Close()
	}
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
	return s.opts.Log.Err()
}

func (s *Server) accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			if s.ctx.Err() != nil {
				return
			}
			// Out of file descriptors or the like: wait a little rather than spin.
			if s.opts.Clock.Sleep(s.ctx, 10*time.Millisecond) != nil {
				return
			}
			continue
		}
		if !s.enter(c) {
			_ = c.Close()
			continue
		}
		s.wg.Go(func() {
			defer s.leave(c)
			s.serve(c)
		})
	}
}

// enter admits a connection unless there are too many or the server is closing.
func (s *Server) enter(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done || len(s.conns) >= s.opts.MaxConns {
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) leave(c net.Conn) {
	_ = c.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}
