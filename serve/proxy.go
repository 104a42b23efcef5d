package serve

import (
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"time"

	"varve"
	"varve/serve/replay/proxy"
	"varve/web/ca"
)

// ProxyConfig is the proxy mode: a browser that uses us as its proxy sees the web of a collection as it
// was, without rewriting.
type ProxyConfig struct {
	Addr       string    // on loopback; empty: no proxy
	Collection string    // that is shown
	Time       time.Time // at which; zero: the newest
}

// check refuses a proxy that others could use: it knows of no login.
func (c ProxyConfig) check() error {
	if c.Addr == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Addr)
	ip, _ := netip.ParseAddr(host)
	switch {
	case err != nil:
		return &varve.Error{Kind: varve.Invalid, Op: "proxy on " + c.Addr, Err: err, Hint: "for example --proxy-addr 127.0.0.1:8082"}
	case host != "localhost" && !ip.IsLoopback():
		return &varve.Error{Kind: varve.Invalid, Op: "proxy on " + c.Addr, Msg: "a proxy has no login, so it is for this machine only", Hint: "--proxy-addr 127.0.0.1:8082"}
	case c.Collection == "":
		return &varve.Error{Kind: varve.Invalid, Op: "proxy on " + c.Addr, Msg: "which collection should it show?", Hint: "--proxy-collection NAME"}
	}
	return nil
}

// proxyHandler is the proxy mode. Its authority is kept in the archive, so that a browser needs to be
// told of it only once.
func (p *parts) proxyHandler() (http.Handler, error) {
	authority, err := ca.Open(filepath.Join(p.cfg.Archive, "keys", "proxy"), "Varve replay", p.cfg.Now)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "open the authority of the proxy", Err: err}
	}
	return proxy.New(proxy.Config{
		Archive: p.replay, Authority: authority, Collection: p.cfg.Proxy.Collection, Time: p.cfg.Proxy.Time,
		Now: p.cfg.Now, Log: p.cfg.Log.With("part", "proxy"),
	})
}
