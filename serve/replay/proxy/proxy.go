package proxy

import (
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"varve/serve/memento"
	"varve/web/ca"
)

// Archive answers for a URL at a time as its server did. *replay.Handler is one.
type Archive interface {
	ServeAsWas(w http.ResponseWriter, r *http.Request, collection, url string, at time.Time)
}

// Config says what a proxy shows.
type Config struct {
	Archive    Archive
	Authority  *ca.Authority
	Collection string
	Time       time.Time // that is shown where a request asks for none; zero: the newest
	Now        func() time.Time
	Log        *slog.Logger // of connections that failed; nil: silent
}

// ownHost is the host at which the proxy tells about itself.
const ownHost = "varve.proxy"

// Proxy is an HTTP proxy in front of an archive. It must listen on loopback or behind a login: who may use it may
// see the collection.
type Proxy struct{ cfg Config }

// New makes a Proxy.
func New(cfg Config) (*Proxy, error) {
	if cfg.Archive == nil || cfg.Authority == nil || cfg.Collection == "" {
		return nil, errors.New("proxy: an archive, an authority and a collection are needed")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Proxy{cfg}, nil
}

// ServeHTTP answers a request of a browser that uses us as its proxy.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case !r.URL.IsAbs():
		http.Error(w, "this is an HTTP proxy: set it as the proxy of a browser, then open http://"+ownHost+"/", http.StatusBadRequest)
	default:
		p.answer(w, r, r.URL.String())
	}
}

// answer shows a URL.
func (p *Proxy) answer(w http.ResponseWriter, r *http.Request, url string) {
	if r.Header.Get("Upgrade") != "" {
		http.Error(w, "there is nobody to talk to in an archive", http.StatusNotFound)
		return
	}
	if r.URL.Hostname() == ownHost {
		p.about(w, r)
		return
	}
	at := p.cfg.Time
	if at.IsZero() {
		at = p.cfg.Now().UTC()
	}
	if v := r.Header.Get("Accept-Datetime"); v != "" {
		t, err := memento.ParseAcceptDatetime(v)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		at = t
	}
	p.cfg.Archive.ServeAsWas(w, r, p.cfg.Collection, url, at)
}

// about tells what this is and hands out the certificate of the authority.
func (p *Proxy) about(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ca.pem" {
		w.Header().Set("Content-Type", "application/x-x509-ca-cert")
		w.Write(p.cfg.Authority.CA())
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	at := "the newest captures"
	if !p.cfg.Time.IsZero() {
		at = p.cfg.Time.UTC().Format(time.RFC3339)
	}
	io.WriteString(w, "This browser sees the collection "+p.cfg.Collection+" at "+at+", and nothing else.\nThe certificate to trust for https is http://"+ownHost+"/ca.pem\n")
}

// tunnel takes the place of the server at the other end of a TLS connection. Browsers ask for plain WebSockets this
// way too; those find nobody.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || host == "" || strings.ContainsAny(host, "/\\ ") {
		http.Error(w, "want CONNECT host:port", http.StatusBadRequest)
		return
	}
	conn, buf, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "cannot take the connection over", http.StatusInternalServerError)
		return
	}
	if buf.Reader.Buffered() > 0 { // a client that speaks before it is asked to
		conn.Close()
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		conn.Close()
		return
	}
	if port == "80" { // a plain WebSocket
		p.serve(conn, "http", r.Host, ":80")
		return
	}
	secure := tls.Server(conn, &tls.Config{
		NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if hello.ServerName != "" {
				host = hello.ServerName
			}
			return p.cfg.Authority.Certificate(host)
		},
	})
	p.serve(secure, "https", r.Host, ":443")
}

// serve answers the requests on one connection.
func (p *Proxy) serve(conn net.Conn, scheme, hostPort, usual string) {
	l := &oneConn{conn: conn, done: make(chan struct{})}
	srv := &http.Server{
		ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, ErrorLog: slog.NewLogLogger(p.cfg.Log.Handler(), slog.LevelDebug),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateClosed || s == http.StateHijacked {
				l.end()
			}
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			host := r.Host
			if host == "" {
				host = hostPort
			}
			p.answer(w, r, scheme+"://"+strings.TrimSuffix(host, usual)+r.URL.RequestURI())
		}),
	}
	if err := srv.Serve(l); err != nil && !errors.Is(err, net.ErrClosed) {
		conn.Close()
	}
}
