package serve

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/store"
	"varve/serve/access"
	"varve/serve/health"
	"varve/serve/replay"
	"varve/serve/thumb"
)

// Config says what is served where.
type Config struct {
	Archive         string             // the archive directory
	Objects         store.Opener       // opens files of it that lie in a store; nil: they lie in the archive
	PublicName      string             // of the archive in citations, as archive.example.org; empty: the host of replay
	Addr            string             // of screens and API; 127.0.0.1:8080
	ReplayAddr      string             // of replay; localhost:8081
	PublicURL       string             // of the screens as readers see it, behind a proxy; empty: from Addr
	PublicReplayURL string             // of replay, likewise
	ReplayWildcard  bool               // all names below that of replay lead here too, so that each collection gets its own; of itself so for localhost
	ReplayScripts   replay.Scripts     // in which browsers the scripts of archived pages run
	RequireLogin    bool               // also on loopback
	ReadingRoom     []netip.Prefix     // addresses of the reading room
	TrustedProxies  []netip.Prefix     // addresses of proxies whose word is taken on where requests come from
	OIDC            *access.OIDCConfig // who else vouches for people; nil: only passwords and tokens do. Addresses and clock are filled in
	Proxy           ProxyConfig

	// Origins are others than our own whose pages and extensions may have texts analysed, as readers: chrome-extension://ID, https://intranet.example.
	Origins []string

	// NewPersons shows pages of persons whom curators made entities, and no knowledge base, to readers outside of the reading room, too.
	NewPersons bool

	// Index brings the indexes of a collection up to its files; a conflict means that another process
	// writes to it just now. nil: files that appear are not indexed.
	Index func(context.Context, *catalog.Collection) (Indexed, error)

	// Engine answers questions about texts and captures in place of the indexes of the archive; nil: those do.
	Engine Engine

	// Forget takes all of a collection out of engines beside the archive that have copies: of what is removed for ever, none may stay. nil: there are none.
	Forget func(ctx context.Context, collection string) error

	// Renew builds indexes of an earlier format anew beside them, which answer until then; conflicts as above. It is called after files
	// were indexed, gives way to crawls when its context ends, and goes on the next time. nil: never.
	Renew func(context.Context, *catalog.Collection) error

	// Prepare makes tables and text index of a collection, for search; conflicts as above. It is called for collections
	// with up to PrepareUpTo bytes of WARC files after files were indexed, and their new crawls are measured. nil: never.
	Prepare     func(context.Context, *catalog.Collection) error
	PrepareUpTo int64

	// Program is run for crawls that are started from the screens: the server's own. Empty: none are.
	Program string

	// RunDue starts planned crawls when they are due; it needs a Program.
	RunDue bool

	// Draw starts a browser that draws pages for their small pictures. nil: none are drawn.
	Draw func() (thumb.Browser, error)

	// Nodes tells of crawls that several machines make; nil: no engine is joined. Store says where WARC files go: directory or s3.
	Nodes health.Source
	Store string

	Every   time.Duration // between looks for new WARC files; 2 s
	Version string
	Now     func() time.Time
	Log     *slog.Logger
	// Reindex brings the text index of a collection up to date; damaged parts are built anew. Nil: a damaged one stays so until 'varve index'.
	Reindex func(ctx context.Context, collection string) error
}

// complete fills the defaults and refuses what would be unsafe.
func (c Config) complete() (Config, error) {
	if c.Addr == "" {
		c.Addr = "127.0.0.1:8080"
	}
	if c.ReplayAddr == "" {
		c.ReplayAddr = "localhost:8081"
	}
	if c.Every == 0 {
		c.Every = 2 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if err := c.Proxy.check(); err != nil {
		return c, err
	}
	for _, u := range []*string{&c.PublicURL, &c.PublicReplayURL} {
		*u = strings.TrimSuffix(*u, "/")
		if p, err := url.Parse(*u); *u != "" && (err != nil || p.Host == "" || p.Path != "" || p.Scheme != "http" && p.Scheme != "https") {
			return c, invalidConfig("public URL "+*u, "want http(s)://HOST[:PORT] without a path")
		}
	}
	for _, o := range c.Origins {
		if p, err := url.Parse(o); err != nil || p.Host == "" || p.Path != "" || p.RawQuery != "" || p.User != nil || strings.Contains(o, "*") {
			return c, invalidConfig("allow origin "+o, "want SCHEME://HOST[:PORT] without a path, such as chrome-extension://ID; there is no word for all")
		}
	}
	main := hostOf(c.PublicURL, c.Addr)
	if strings.EqualFold(main, hostOf(c.PublicReplayURL, c.ReplayAddr)) {
		return c, invalidConfig("serve on "+c.Addr+" and "+c.ReplayAddr,
			"screens and replay need different host names, not only ports: archived scripts could ride the session otherwise (cookies ignore ports)")
	}
	if c.OIDC != nil && c.PublicURL == "" && !isLoopbackName(main) {
		return c, invalidConfig("log in by OpenID Connect", "the provider sends people back to one exact address: --public-url says which")
	}
	return c, nil
}

func invalidConfig(op, msg string) error {
	return &varve.Error{Kind: varve.Invalid, Op: op, Msg: msg, Hint: "for one machine: --addr 127.0.0.1:8080 --replay-addr localhost:8081; elsewhere --public-url and --public-replay-url"}
}

// hostOf is the host name that browsers see.
func hostOf(public, addr string) string {
	if p, err := url.Parse(public); err == nil && p.Host != "" {
		return p.Hostname()
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}

// origin is the address of a listener as browsers write it.
func (c Config) origin(public, addr string, l net.Listener) string {
	if public != "" {
		return public
	}
	host := hostOf("", addr)
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return "http://" + host
	}
	return "http://" + net.JoinHostPort(host, port)
}
