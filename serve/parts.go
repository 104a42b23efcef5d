package serve

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"strings"

	"varve/archive/catalog"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/ui"
)

// parts are what a server is put together from.
type parts struct {
	cfg           Config
	url           string
	replayURL     string
	secureCookies bool

	holdings *holdings.Holdings
	gate     *access.Gate
	ui       *ui.UI
	streams  context.Context // ends when the server does, before requests under way are waited for
	endAll   context.CancelFunc
}

func newParts(cfg Config, url, replayURL string) (*parts, error) {
	archive := catalog.Open(cfg.Archive)
	accessDir := filepath.Join(cfg.Archive, "access")
	p := &parts{cfg: cfg, url: url, replayURL: replayURL, secureCookies: strings.HasPrefix(url, "https://")}
	p.streams, p.endAll = context.WithCancel(context.Background())
	p.holdings = holdings.New(archive, cfg.Now)
	p.gate = access.NewGate(access.GateConfig{
		Users: access.OpenUsers(accessDir), Audit: access.OpenAudit(accessDir), RequireLogin: cfg.RequireLogin || cfg.PublicURL != "",
		Secure: p.secureCookies, ReadingRoom: cfg.ReadingRoom, Now: cfg.Now,
	})
	var err error
	p.ui, err = ui.New(ui.Config{Holdings: p.holdings, Replay: replayURL, Now: cfg.Now, Log: cfg.Log, Version: cfg.Version})
	return p, err
}

// mainHandler is the host of screens and API.
func (p *parts) mainHandler(net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", p.ui)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	return p.recovered(checkHost(hostsOf(p.cfg.PublicURL, p.cfg.Addr), p.url, p.secure(p.gate.Handler(mux))))
}

// replayHandler is the host of archived content.
func (p *parts) replayHandler(net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, p.url+"/", http.StatusFound) })
	return p.recovered(checkHost(hostsOf(p.cfg.PublicReplayURL, p.cfg.ReplayAddr), p.replayURL, p.gate.Handler(mux)))
}

// watch looks for new WARC files until the context ends.
func (p *parts) watch(ctx context.Context) { <-ctx.Done() }

// closeStreams ends what would not end by itself: event streams.
func (p *parts) closeStreams() { p.endAll() }

func (p *parts) close() error { return nil }
