package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve/archive/catalog"
	"varve/cluster"
	"varve/crawl/scope"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/replay"
)

type serveOptions struct {
	cfg        serve.Config
	rooms      []string
	newPersons bool
	proxies    []string
	at         string
	scripts    string
	noIndex    bool
	index      string
	prepare    string
	noCrawls   bool
	noThumbs   bool
	json       bool
	verbose    bool
	oidc       access.OIDCConfig
	secret     string   // file of the client's secret
	roles      []string // VALUE=ROLE
	nodes      nodeOptions
}

func newServeCommand() *cobra.Command {
	var opts serveOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show the archive in a browser: screens, API, replay",
		Long: `Serves an archive directory. Screens, /api/ and /metrics are on --addr; replay, CDX, Memento and raw
content on --replay-addr, which must have another host name: archived scripts run there, and must never
reach the session of the screens (cookies ignore ports, so another port is not enough).

New collections, crawls and WARC files appear by themselves: files are indexed in the background as soon as
they are finished (--no-index leaves that to 'varve index'). Collections up to --prepare-up-to are then derived
and indexed for search, and crawls that visited pages twice are measured; larger ones are left to 'varve derive',
'varve index' and 'varve coherence report'. A crawl that is started from the screens comes first.

Curators start the crawls of a collection.toml from its page (Plan). Each is a process of its own; it is stopped in good order
when the server ends, and 'Resume' goes on with it (--no-crawls leaves that to 'varve crawl'). Curators also plan crawls there, steer
those that run, and begin collections. With --run-due the server starts what is due by itself, one crawl of a collection at a time.

With --index opensearch, texts and captures are asked of OpenSearch, which 'varve index --to opensearch' fills ([index] of varve.toml says where it
is). Answers are those of the indexes here. While it is away screens say so, and what needs neither search nor captures goes on.

On loopback nobody logs in. On any other address, or behind a proxy (--public-url), a login is needed:
add the first user with 'varve user add NAME --role admin'. With --oidc-issuer people may also log in at their institution (OpenID
Connect): those whom 'varve user add NAME --oidc EMAIL --role ROLE' names, or whose groups --oidc-role gives a role.

Ctrl-C ends it after the requests under way and the crawls it started, which get half a minute for that.

Exit codes: 0 ended by a signal, 2 could not (address in use, archive not readable).`,
		Example: `  varve serve --archive archive
  varve serve --archive archive --run-due
  varve serve --archive archive --index opensearch
  varve serve --archive archive --addr 127.0.0.1:9000 --replay-addr localhost:9001
  varve serve --archive archive --addr 127.0.0.1:8080 --replay-addr localhost:8081 --public-url https://archive.example.org --public-replay-url https://replay.example.net
  varve serve --public-url https://archive.example.org --public-replay-url https://replay.example.net --oidc-issuer https://login.example.org/realms/staff --oidc-client-id varve --oidc-client-secret-file /etc/varve/oidc-secret`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runServe(c, opts) },
	}
	f := c.Flags()
	f.StringVar(&opts.cfg.Archive, "archive", "archive", "the archive directory")
	f.StringVar(&opts.cfg.Addr, "addr", "127.0.0.1:8080", "address of screens and API")
	f.StringVar(&opts.cfg.ReplayAddr, "replay-addr", "localhost:8081", "address of replay, CDX and Memento; another host name")
	f.StringVar(&opts.cfg.PublicURL, "public-url", "", "the screens as readers see them, behind a proxy")
	f.StringVar(&opts.cfg.PublicReplayURL, "public-replay-url", "", "replay as readers see it, behind a proxy")
	f.BoolVar(&opts.cfg.ReplayWildcard, "replay-wildcard", false, "all names below that of replay lead here too (*.replay.example.net): archived content gets an origin for each collection; for localhost it is always so")
	f.StringVar(&opts.scripts, "replay-scripts", "auto", "scripts of archived pages run: auto (in browsers known to keep them from the live web, elsewhere if the reader says so), never, always")
	f.BoolVar(&opts.cfg.RequireLogin, "require-login", false, "a login is needed on loopback too")
	f.StringArrayVar(&opts.cfg.Origins, "allow-origin", nil, "another origin whose pages may have texts analysed here, as readers: chrome-extension://ID ('varve extension' says which); may be repeated")
	f.BoolVar(&opts.newPersons, "show-new-persons", false, "show pages of persons whom curators made entities, and no knowledge base, to readers outside of the reading room, too")
	f.StringArrayVar(&opts.rooms, "reading-room", nil, "addresses of the reading room, as 10.1.0.0/16; may be repeated")
	f.StringArrayVar(&opts.proxies, "trusted-proxy", nil, "address or network of a proxy in front, as 127.0.0.1 or 10.0.0.0/8: its X-Forwarded-For or Forwarded tells who asks; may be repeated")
	f.StringVar(&opts.oidc.Issuer, "oidc-issuer", "", "people may log in at this provider of OpenID Connect, as https://login.example.org/realms/staff")
	f.StringVar(&opts.oidc.ClientID, "oidc-client-id", "", "the name of this archive at the provider")
	f.StringVar(&opts.secret, "oidc-client-secret-file", "", "file with the secret of this archive at the provider (default: none, a public client)")
	f.StringVar(&opts.oidc.Name, "oidc-name", "your institution", "the words on the button: Log in with ...")
	f.StringVar(&opts.oidc.Contact, "oidc-contact", "an administrator of this archive", "whom people are told to ask who have no role yet")
	f.StringArrayVar(&opts.oidc.Scopes, "oidc-scope", []string{"email", "profile"}, "what the provider is asked to tell; may be repeated")
	f.StringVar(&opts.oidc.RoleClaim, "oidc-role-claim", "", "claim of the ID token that gives roles to people whom 'varve user' does not name, as groups or realm_access.roles")
	f.StringArrayVar(&opts.roles, "oidc-role", nil, "VALUE=ROLE: who has this value in --oidc-role-claim is viewer, curator or admin; may be repeated")
	f.StringVar(&opts.cfg.Proxy.Addr, "proxy-addr", "", "also be an HTTP proxy at this loopback address: a browser that uses it sees the web as it was")
	f.StringVar(&opts.cfg.Proxy.Collection, "proxy-collection", "", "the collection that the proxy shows")
	f.StringVar(&opts.at, "proxy-time", "", "the time that the proxy shows, RFC 3339 (default: the newest)")
	f.BoolVar(&opts.noIndex, "no-index", false, "do not index WARC files that appear")
	f.StringVar(&opts.index, "index", cluster.KindEmbedded, "where questions about texts and captures are answered: embedded, by the indexes of the archive itself; opensearch, by the OpenSearch that [index] of varve.toml names")
	f.StringVar(&opts.prepare, "prepare-up-to", "2GB", "collections with up to so many bytes of WARC files are also derived, indexed for search and measured in the background; 0: none")
	f.BoolVar(&opts.noCrawls, "no-crawls", false, "do not let curators start planned crawls from the screens")
	f.StringVar(&opts.cfg.PublicName, "public-name", "", "the archive's name in citations (PWID, APA, BibTeX), as archive.example.org (default: the host of replay)")
	f.BoolVar(&opts.cfg.RunDue, "run-due", false, "start planned crawls when they are due, and go on with interrupted ones; instead of cron with 'varve crawl --due'")
	f.BoolVar(&opts.noThumbs, "no-thumbnails", false, "do not draw small pictures of pages (they are drawn where Chromium is found, when somebody looks)")
	f.StringVar(&opts.nodes.url, "join", "", "NATS servers whose crawls of several nodes administrators see at /health: nats://[user:password@]HOST[:PORT], several joined by commas (default $VARVE_NATS)")
	f.StringVar(&opts.nodes.creds, "creds", "", "file with NATS credentials")
	f.BoolVar(&opts.json, "json", false, "print the addresses as JSON, and log as JSON")
	f.BoolVar(&opts.verbose, "verbose", false, "log more")
	return c
}

func runServe(c *cobra.Command, opts serveOptions) error {
	cfg := opts.cfg
	cfg.Version = Version
	var err error
	if cfg.ReplayScripts, err = replay.ParseScripts(opts.scripts); err != nil {
		return UsageError(c, "--replay-scripts: "+err.Error())
	}
	cfg.NewPersons = opts.newPersons
	for _, r := range opts.rooms {
		p, err := netip.ParsePrefix(r)
		if err != nil {
			return UsageError(c, "--reading-room: "+err.Error())
		}
		cfg.ReadingRoom = append(cfg.ReadingRoom, p)
	}
	for _, r := range opts.proxies {
		p, err := netip.ParsePrefix(r)
		if a, bad := netip.ParseAddr(r); bad == nil {
			p, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return UsageError(c, "--trusted-proxy: "+err.Error())
		}
		cfg.TrustedProxies = append(cfg.TrustedProxies, p)
	}
	if err := opts.setOIDC(c, &cfg); err != nil {
		return err
	}
	if opts.at != "" {
		var err error
		if cfg.Proxy.Time, err = time.Parse(time.RFC3339, opts.at); err != nil {
			return UsageError(c, "--proxy-time: "+err.Error())
		}
	}
	if !opts.noThumbs {
		cfg.Draw = drawer()
	}
	if !opts.noIndex {
		cfg.Index, cfg.Renew = IndexForServer, renewLocked
		cfg.Reindex = func(ctx context.Context, collection string) error {
			col, err := openArchive(cfg.Archive).Collection(collection)
			if err != nil {
				return err
			}
			return reindexText(ctx, col, "varve serve")
		}
		most, err := scope.ParseSize(opts.prepare)
		if err != nil {
			return UsageError(c, "--prepare-up-to: "+err.Error())
		}
		if most > 0 {
			cfg.Prepare, cfg.PrepareUpTo = prepareForServer, int64(most)
		}
	}
	if opts.noCrawls && cfg.RunDue {
		return UsageError(c, "--run-due starts crawls, and --no-crawls forbids it: leave out one of them")
	}
	if !opts.noCrawls {
		var err error
		if cfg.Program, err = os.Executable(); err != nil {
			return fmt.Errorf("find this program, to start crawls with it (--no-crawls goes without): %w", err)
		}
	}
	cfg.Objects = cluster.Objects(cfg.Archive)
	cfg.Forget = func(ctx context.Context, collection string) error {
		_, err := cluster.Forget(ctx, cfg.Archive, collection)
		return err
	}
	switch opts.index {
	case cluster.KindEmbedded:
	case cluster.KindOpenSearch:
		engine, err := cluster.OpenIndexes(cfg.Archive)
		if err != nil {
			return err
		}
		defer engine.Close()
		cfg.Engine = engine
	default:
		return UsageError(c, "--index "+opts.index+": want embedded or opensearch")
	}
	if store, err := cluster.ReadStore(cfg.Archive); err == nil { // a wrong one is told where it is used
		cfg.Store = store.Kind
	}
	if fleets := opts.nodes.fleets(); fleets != nil {
		defer fleets.close()
		cfg.Nodes = fleets
	}
	if _, err := os.Stat(cfg.Archive); err != nil {
		return InputError(cfg.Archive, err)
	}
	level := slog.LevelInfo
	if opts.verbose {
		level = slog.LevelDebug
	}
	cfg.Log = slog.New(slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
	if opts.json {
		cfg.Log = slog.New(slog.NewJSONHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
	}
	s, err := serve.Listen(c.Context(), cfg)
	if err != nil {
		return err
	}
	if opts.json {
		err = PrintJSON(c.OutOrStdout(), map[string]string{"url": s.URL(), "replay": s.ReplayURL(), "proxy": s.ProxyAddr()})
	} else {
		_, err = fmt.Fprintf(c.OutOrStdout(), "Screens and API  %s\nReplay           %s\n", s.URL(), s.ReplayURL())
		if s.ProxyAddr() != "" {
			fmt.Fprintf(c.OutOrStdout(), "Proxy            %s   (set it in a browser, then open http://varve.proxy/)\n", s.ProxyAddr())
		}
		fmt.Fprintln(c.OutOrStdout(), "Ctrl-C ends it.")
	}
	if err != nil {
		return err
	}
	return s.Run(c.Context())
}

// mostSecret bounds the file of a secret.
const mostSecret = 4 << 10

// setOIDC puts the provider of OpenID Connect into the settings, if one is named.
func (opts *serveOptions) setOIDC(c *cobra.Command, cfg *serve.Config) error {
	o := opts.oidc
	if o.Issuer == "" {
		for _, name := range []string{"oidc-client-id", "oidc-client-secret-file", "oidc-name", "oidc-contact", "oidc-scope", "oidc-role-claim", "oidc-role"} {
			if c.Flags().Changed(name) {
				return UsageError(c, "--"+name+" needs --oidc-issuer")
			}
		}
		return nil
	}
	if opts.secret != "" {
		b, err := os.ReadFile(opts.secret)
		if err != nil {
			return InputError(opts.secret, err)
		}
		o.ClientSecret = strings.TrimSpace(string(b))
		if o.ClientSecret == "" || len(b) > mostSecret {
			return InputError(opts.secret, errors.New("want one line with the secret of --oidc-client-id"))
		}
	}
	o.Roles = map[string]access.Role{}
	for _, rule := range opts.roles {
		at := strings.LastIndexByte(rule, '=') // groups may be called cn=staff,ou=people
		if at < 0 {
			return UsageError(c, "--oidc-role "+rule+": want VALUE=ROLE")
		}
		value, role := rule[:at], access.Role(rule[at+1:])
		if before, twice := o.Roles[value]; twice && before != role {
			return UsageError(c, "--oidc-role "+value+": it gives two roles")
		}
		o.Roles[value] = role
	}
	cfg.OIDC = &o
	return nil
}

// prepareForServer makes what search needs, on one core.
func prepareForServer(ctx context.Context, col *catalog.Collection) error {
	if _, err := deriveLocked(ctx, col, &deriveOptions{workers: 1, limit: deriveLimit}, io.Discard); err != nil {
		return err
	}
	if _, err := indexLocked(ctx, col, &indexOptions{workers: 1}, io.Discard); err != nil {
		return err
	}
	return evolveForServer(ctx, col)
}

// IndexForServer indexes on behalf of a server: quietly, on one core.
func IndexForServer(ctx context.Context, col *catalog.Collection) (serve.Indexed, error) {
	rep, err := indexLocked(ctx, col, &indexOptions{workers: 1}, io.Discard)
	if err != nil {
		return serve.Indexed{}, err
	}
	done := serve.Indexed{Files: rep.Added, Captures: rep.Lines}
	if v := rep.Versions; v != nil && v.Older {
		done.Anew = append(done.Anew, "versions in time")
	}
	for _, f := range rep.Failed {
		done.Failed = append(done.Failed, f.Name+": "+f.Err)
	}
	return done, nil
}
