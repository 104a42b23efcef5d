package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"varve"
)

// Limits of a connection. Screens answer in milliseconds; what takes long (events, downloads)
// lifts its own deadline.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute
	writeTimeout      = 2 * time.Minute
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	shutdownTimeout   = 10 * time.Second
)

// Server serves an archive on two hosts.
type Server struct {
	cfg    Config
	parts  *parts
	main   net.Listener
	replay net.Listener
	proxy  net.Listener // nil: none
	asWas  http.Handler // of the proxy
}

// Listen opens both addresses, so that a wrong one is told at once, and puts the parts together.
func Listen(ctx context.Context, cfg Config) (*Server, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg}
	if s.main, err = listen(ctx, cfg.Addr); err != nil {
		return nil, err
	}
	if s.replay, err = listen(ctx, cfg.ReplayAddr); err != nil {
		return nil, errors.Join(err, s.main.Close())
	}
	if s.parts, err = newParts(cfg, s.URL(), s.ReplayURL()); err != nil {
		return nil, errors.Join(err, s.main.Close(), s.replay.Close())
	}
	if cfg.Proxy.Addr != "" {
		if s.asWas, err = s.parts.proxyHandler(); err == nil {
			s.proxy, err = listen(ctx, cfg.Proxy.Addr)
		}
		if err != nil {
			return nil, errors.Join(err, s.main.Close(), s.replay.Close(), s.parts.close())
		}
	}
	return s, nil
}

// ProxyAddr is the address of the proxy mode, "" if it is off.
func (s *Server) ProxyAddr() string {
	if s.proxy == nil {
		return ""
	}
	return s.proxy.Addr().String()
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "listen on " + addr, Err: err,
			Hint: "another process may hold the address; --addr and --replay-addr choose others",
		}
	}
	return l, nil
}

// URL is where the screens are.
func (s *Server) URL() string { return s.cfg.origin(s.cfg.PublicURL, s.cfg.Addr, s.main) }

// ReplayURL is where archived content is shown.
func (s *Server) ReplayURL() string {
	return s.cfg.origin(s.cfg.PublicReplayURL, s.cfg.ReplayAddr, s.replay)
}

// Run serves until the context ends, then lets requests under way finish for a while.
func (s *Server) Run(ctx context.Context) error {
	servers := []*http.Server{
		s.httpServer("screens", s.parts.mainHandler()),
		s.httpServer("replay", s.parts.replayHandler()),
	}
	listeners := []net.Listener{s.main, fenced{s.replay}}
	if s.proxy != nil {
		servers, listeners = append(servers, s.httpServer("proxy", s.asWas)), append(listeners, s.proxy)
	}
	ended := make(chan error, len(servers))
	for i, l := range listeners {
		go func() { ended <- servers[i].Serve(l) }()
	}
	background, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() { defer close(watched); s.parts.watch(background) }()
	listed := make(chan struct{})
	go func() { defer close(listed); s.parts.holdings.Run(background, s.cfg.Every) }()
	scheduled := make(chan struct{})
	go func() { defer close(scheduled); s.parts.runDue(background) }()
	var first error
	got := 0
	select {
	case <-ctx.Done():
	case first = <-ended:
		got++
	}
	stop()
	s.parts.closeStreams()
	err := shutdown(servers)
	for ; got < len(servers); got++ {
		<-ended
	}
	<-watched
	<-listed
	<-scheduled
	err = errors.Join(err, s.parts.close())
	if first != nil && !errors.Is(first, http.ErrServerClosed) {
		err = errors.Join(first, err)
	}
	return err
}

func (s *Server) httpServer(name string, h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, ErrorLog: slog.NewLogLogger(s.cfg.Log.With("host", name).Handler(), slog.LevelDebug),
	}
}

// shutdown lets requests finish, and cuts those that take too long.
func shutdown(servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	var all []error
	for _, s := range servers {
		if err := s.Shutdown(ctx); err != nil {
			all = append(all, fmt.Errorf("shut down: %w", err), s.Close())
		}
	}
	return errors.Join(all...)
}
