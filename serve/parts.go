package serve

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"maps"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"varve/archive/catalog"
	"varve/coherence/statement"
	"varve/curate/notes"
	"varve/entity/statistics"
	"varve/kb/endpoint"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/coherence"
	"varve/serve/crawls"
	"varve/serve/evolution"
	"varve/serve/health"
	"varve/serve/holdings"
	"varve/serve/pulse"
	"varve/serve/replay"
	"varve/serve/retention"
	"varve/serve/review"
	"varve/serve/search"
	"varve/serve/thumb"
	"varve/serve/ui"
	"varve/serve/veil"
)

// parts are what a server is put together from.
type parts struct {
	cfg           Config
	url           string
	replayURL     string
	secureCookies bool

	archive  *catalog.Archive
	holdings *holdings.Holdings
	indexes  *indexes
	contents *holdings.Files
	rules    *access.Decisions
	gate     *access.Gate
	ui       *ui.UI
	api      *api.API
	versions *versionIndexes
	texts    *texts
	linkers  *linkers
	replay   *replay.Handler
	files    *replay.Files
	metrics  *metrics
	crawls   *crawls.Launcher // nil: none are started here
	schedule *crawls.Schedule // nil: none are started by themselves
	desk     *coherence.Desk
	pulse    *pulse.Desk
	thumbs   *thumb.Desk // nil: pages are not drawn
	kb       *knowledge
	keeping  *retention.Desk
	asked    *endpoint.Handler // of the knowledge base
	streams  context.Context   // ends when the server does, before requests under way are waited for
	endAll   context.CancelFunc

	preparing preparation
}

func newParts(cfg Config, url, replayURL string) (*parts, error) {
	dir := filepath.Join(cfg.Archive, "access")
	audit := access.OpenAudit(dir)
	users := access.OpenUsers(dir)
	p := &parts{cfg: cfg, url: url, replayURL: replayURL, secureCookies: strings.HasPrefix(url, "https://")}
	p.streams, p.endAll = context.WithCancel(context.Background())
	p.archive = catalog.OpenWith(cfg.Archive, cfg.Objects)
	p.holdings = holdings.Open(p.archive, cfg.Now, cfg.Log)
	p.indexes = newIndexes(p.archive, cfg.Engine)
	p.rules = access.OpenDecisions(dir, audit)
	p.versions = &versionIndexes{archive: p.archive, open: map[string]*lentIndex{}}
	vouching, err := p.newOIDC()
	if err != nil {
		return nil, err
	}
	p.gate = access.NewGate(access.GateConfig{
		Users: users, Audit: audit, OIDC: vouching, RequireLogin: cfg.RequireLogin || cfg.PublicURL != "",
		Secure: p.secureCookies, ReadingRoom: cfg.ReadingRoom, Proxies: cfg.TrustedProxies, Holds: p.holds, Span: replay.DefaultSpan, Now: cfg.Now, Origins: cfg.Origins, Shared: shared,
	})
	index := seen{p.indexes, p.rules, cfg.Now}
	p.contents = holdings.NewFiles(p.archive, index)
	p.texts = &texts{archive: p.archive, engine: cfg.Engine, seen: index, background: p.streams, reindex: cfg.Reindex, open: map[string]*openText{}, damaged: map[string]*damagedText{}}
	p.linkers = &linkers{archive: cfg.Archive, catalog: p.archive, open: map[string]*lentLinker{}}
	if !cfg.NewPersons {
		p.texts.private = search.HidesPrivate(p.linkers)
	}
	p.desk = coherence.New(p.archive, max(1, runtime.GOMAXPROCS(0)/2))
	desk := ruledDesk{p.desk, p.rules}
	if p.replay, p.files, err = p.newReplay(p.archive, visible{index}); err != nil {
		return nil, err
	}
	p.kb = &knowledge{linkers: p.linkers, dir: kbDir(cfg.Archive), rules: p.rules, now: cfg.Now, log: cfg.Log.With("part", "kb")}
	p.asked = p.kb.handler()
	p.keeping = retention.NewDesk(p.streams, cfg.Archive, audit, cfg.Now, "varve "+cfg.Version)
	p.keeping.Archive = p.archive // whose files may lie in a store
	p.keeping.Forget = func(ctx context.Context, collection string) error {
		if err := p.kb.forget(ctx, collection); err != nil || cfg.Forget == nil {
			return err
		}
		return cfg.Forget(ctx, collection)
	}
	well := &health.Desk{Archive: p.archive, Store: cfg.Store, Source: cfg.Nodes, Now: cfg.Now}
	p.metrics = newMetrics(func() float64 { n, _ := p.replay.Leaks(); return float64(n) })
	p.metrics.registry.MustRegister(&healthMetrics{well, p.streams})
	p.newLauncher(audit)
	p.newSchedule()
	plans := &crawls.Desk{Archive: p.archive, Audit: audit, Now: cfg.Now}
	shelf := notes.OpenShelf(cfg.Archive, cfg.Now)
	alerts := &review.Desk{Archive: cfg.Archive, Holdings: p.holdings, Now: cfg.Now, Disk: review.DiskOf}
	p.pulse = pulse.New(pulse.Config{
		Archive: cfg.Archive, Holdings: p.holdings, Index: index, Texts: p.texts, Rules: p.rules, Tray: alerts, Disk: review.DiskOf, Background: p.streams, Now: cfg.Now,
	})
	figures := statistics.NewDesk(cfg.Archive)
	evolved := evolution.NewDesk(cfg.Archive, p.rules)
	foresee := effects{p.archive, index, p.rules, cfg.Now}
	p.api = api.New(api.Config{
		Crawls: p.starter(), Plans: plans, Schedule: p.schedule, Pulse: p.pulse, Tray: alerts, Notes: shelf,
		Holdings: p.holdings, Index: index, Contents: p.contents, Texts: p.texts, Links: p.texts, Linkers: p.linkers, NewPersons: cfg.NewPersons, Statistics: figures, Evolution: evolved, Source: source{index, p.contents, p.archive}, Archive: cfg.Archive, Coherence: desk, Rules: p.rules, Effects: foresee, Audit: audit,
		Retention: p.keeping, Health: well, Packages: &packages{p}, Versions: http.HandlerFunc(p.versionsOf), Streams: p.streams, Now: cfg.Now, Log: cfg.Log.With("part", "api"), Version: cfg.Version,
	})
	p.ui, err = ui.New(ui.Config{
		Retention: p.keeping, Health: well, Thumbs: p.newThumbs(index), Knowledge: p.asked, Interface: p.api.Document(),
		Crawls: p.starter(), Plans: plans, Schedule: p.schedule, Pulse: p.pulse, Tray: alerts, Notes: shelf,
		Holdings: p.holdings, Index: index, Contents: p.contents, Texts: p.texts, Links: p.texts, Linkers: p.linkers, NewPersons: cfg.NewPersons, Statistics: figures, Evolution: evolved, Archive: cfg.Archive, Coherence: desk, Rules: p.rules, Effects: foresee, Users: users, Audit: audit, Gate: p.gate,
		Background: p.streams, PublicName: cfg.PublicName, Replay: replayURL, Now: cfg.Now, Log: cfg.Log.With("part", "screens"), Version: cfg.Version,
	})
	return p, err
}

// newOIDC returns the provider of OpenID Connect; nil if there is none.
func (p *parts) newOIDC() (*access.OIDC, error) {
	if p.cfg.OIDC == nil {
		return nil, nil
	}
	cfg := *p.cfg.OIDC
	cfg.Redirect, cfg.Home, cfg.Now = p.url+access.OIDCCallback, p.url+"/login", p.cfg.Now
	return access.NewOIDC(cfg)
}

// holds tells whether there is a collection of that name.
func (p *parts) holds(collection string) bool {
	c, err := p.archive.Collection(collection)
	return err == nil && c.Exists()
}

// mainRoutes are what the host of screens and API answers, as http.ServeMux has it.
func (p *parts) mainRoutes() map[string]http.Handler {
	return map[string]http.Handler{
		"/":                  p.ui,
		"/api/":              p.api,
		"GET /api/{$}":       p.ui,
		"GET /textsearch":    p.textSearch(),
		"GET /textextracted": p.textSearch(),
		"/sparql":            p.asked,
		"/graphs":            p.asked,
		"GET /ns":            http.HandlerFunc(ontology),

		"GET /.well-known/varve-key": http.HandlerFunc(p.publicKeys),
		"GET /metrics": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !access.From(r.Context()).Can(access.Viewer) {
				http.Error(w, "metrics need a token: varve user token NAME makes one", http.StatusUnauthorized)
				return
			}
			p.metrics.handler().ServeHTTP(w, r)
		}),
		"GET /healthz": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) }),
	}
}

// publicKeys shows everybody the keys that statements and exports of the archive are signed with.
func (p *parts) publicKeys(w http.ResponseWriter, _ *http.Request) {
	keys, err := statement.Keys{Dir: filepath.Join(p.cfg.Archive, "keys")}.Public()
	if err != nil || len(keys) == 0 {
		if err != nil {
			p.cfg.Log.Error("read the public keys", "err", err)
		}
		http.Error(w, "nothing was signed by this archive yet", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/x-pem-file")
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		der, err := x509.MarshalPKIXPublicKey(keys[id])
		if err != nil {
			continue
		}
		_ = pem.Encode(w, &pem.Block{Type: "PUBLIC KEY", Headers: map[string]string{"Key-Id": id}, Bytes: der}) // the reader may be gone
	}
}

// mainHandler is the host of screens and API.
func (p *parts) mainHandler() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range p.mainRoutes() {
		mux.Handle(pattern, h)
	}
	allowed := hostsOf(p.cfg.PublicURL, p.cfg.Addr)
	return p.metrics.counted("screens", p.recovered(checkHost(allowed, p.url, p.secure(veil.PathsOf(p.cfg.Archive).Handler(p.gate.Handler(mux))))))
}

// shared are the paths that allowed origins may ask: what a text says that they send, and what its names can be. Nothing of the archive is told there but what the bases know of names.
func shared(path string) bool {
	return strings.HasPrefix(path, "/api/text/") || strings.HasPrefix(path, "/api/types/")
}

// replayHandler is the host of archived content. No mux stands before replay: it would fold the
// slashes of archived addresses.
func (p *parts) replayHandler() http.Handler {
	own, content := p.gate.Replay(p.replay, p.needLogin), p.gate.Content(p.replay, replay.RequestKey, p.needKey)
	return p.metrics.counted("replay", p.recovered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		replay.Inert(w.Header()) // whatever answers: only what replay knows to be safe may be more
		switch {
		case !p.replay.IsContent(r.Host):
			own.ServeHTTP(w, r)
		case replay.IsOwnFile(r):
			p.replay.ServeHTTP(w, r)
		default:
			content.ServeHTTP(w, r)
		}
	})))
}

// closeStreams ends what would not end by itself: event streams, and work that goes on after its request.
func (p *parts) closeStreams() { p.endAll() }

// close waits for what goes on in the background, which closeStreams has told to end, and closes what it used.
func (p *parts) close() error {
	p.endAll()
	p.desk.Wait()
	p.pulse.Wait()
	p.keeping.Wait()
	p.ui.Wait()
	if p.thumbs != nil {
		p.thumbs.Close()
	}
	return errors.Join(p.endCrawls(), p.kb.close(), p.indexes.close(), p.versions.close(), p.texts.close(), p.linkers.close(), p.files.Close(), p.holdings.Close())
}
