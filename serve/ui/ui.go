package ui

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/coherence/report"
	"varve/curate/entities"
	"varve/curate/notes"
	"varve/kb/sparql"
	"varve/serve/access"
	"varve/serve/coherence"
	"varve/serve/crawls"
	"varve/serve/evolution"
	"varve/serve/health"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/retention"
	"varve/serve/review"
	"varve/serve/search"
	"varve/serve/veil"
)

// Holdings tells what the archive holds; *holdings.Holdings is one.
type Holdings interface {
	Collections(ctx context.Context) ([]*holdings.Collection, error)
	CollectionPage(ctx context.Context, skip int, after string, limit, crawls int) (*holdings.CollectionPage, error)
	Collection(ctx context.Context, name string) (*holdings.Collection, error)
	Crawls(ctx context.Context, q holdings.CrawlQuery) (*holdings.CrawlPage, error)
	Around(ctx context.Context, collection, id string, n int) ([]*holdings.Crawl, error)
	Crawl(ctx context.Context, collection, id string) (*holdings.Crawl, error)
}

// Coherence tells how well crawls hang together; *coherence.Desk is one.
type Coherence interface {
	Report(ctx context.Context, collection, crawl string) (*report.Report, error)
	Begin(ctx context.Context, collection string, crawls ...string) error
	Job(collection string) (coherence.Job, bool)
}

// Knowledge answers SPARQL queries with what who asks may see; *endpoint.Handler does. The result is good until use returns.
type Knowledge interface {
	Ask(r *http.Request, query string, use func(*sparql.Query, *sparql.Result) error) error
}

// Thumbs draws small pictures of captures; *thumb.Desk does.
type Thumbs interface {
	Picture(ctx context.Context, collection, url string, at time.Time) ([]byte, error)
}

// Effects tells what access rules would change.
type Effects interface {
	Effect(ctx context.Context, r access.Rule) (access.Effect, error)
}

// Config is what the screens are made of.
type Config struct {
	Holdings   Holdings
	Index      holdings.Index    // nil: the archive has no index yet
	Contents   holdings.Contents // nil: contents cannot be compared
	Coherence  Coherence         // nil: nothing can be measured
	Crawls     Crawls            // starts crawls; nil: this server starts none
	Pulse      Pulse             // of the first page; nil: taken from the other parts
	Tray       *review.Desk      // what somebody has to look at; nil: read from the archive
	Notes      *notes.Shelf      // what people say about collections; nil: read from the archive
	Plans      *crawls.Desk      // keeps crawls that are planned here; nil: plans are not changed
	Schedule   *crawls.Schedule  // starts crawls that are due; nil: nobody does here
	Knowledge  Knowledge         // nil: there is no knowledge base
	Thumbs     Thumbs            // nil: pages are not drawn
	Interface  []byte            // OpenAPI document of the interface for programs
	Texts      search.Texts      // answers questions about texts
	Links      search.Inlinks    // tells which pages link to one; nil: nothing does
	Linkers    search.Linkers    // have the bases of entities; nil: there are none
	Statistics search.Statistics // has the site of statistics that texts are linked to; nil: there is none
	NewPersons bool              // persons whom no knowledge base has are shown to outside readers, too
	Evolution  *evolution.Desk   // of words, names and phrases through time; nil: read from the archive
	Archive    string            // the archive directory, for decisions that are kept in it
	Rules      *access.Decisions
	Effects    Effects // tells what rules would change
	Users      *access.Users
	Audit      *access.Audit
	Retention  *retention.Desk // how long captures are kept; nil: read from the archive
	Health     *health.Desk    // of nodes and uploads; nil: read from the archive
	Gate       *access.Gate
	Background context.Context // of work that goes on after its request
	PublicName string          // of the archive in citations; empty: the host of Replay
	Replay     string          // origin of the replay host: "http://localhost:8081"
	Now        func() time.Time
	Log        *slog.Logger
	Version    string
}

// UI is the screens.
type UI struct {
	cfg    Config
	assets *assets
	pages  map[string]map[string]*page // by language and name
	mux    *http.ServeMux
	sums   textSums
	desks  desks
	under  sync.WaitGroup // work that goes on after its request

	patterns  []string
	forecasts *crawls.Forecaster
	paths     veil.Paths
	marking   chan struct{} // texts whose names and times are looked for now
	surveys   entities.Surveys
}

// Wait waits for work that goes on after its request. The Background of the screens must have ended.
func (u *UI) Wait() { u.under.Wait() }

// New makes the screens. An error means that a template or asset is broken.
func New(cfg Config) (*UI, error) {
	a, err := loadAssets()
	if err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	u := &UI{cfg: cfg, assets: a, mux: http.NewServeMux(), paths: veil.PathsOf(cfg.Archive), marking: make(chan struct{}, 2), forecasts: &crawls.Forecaster{Index: cfg.Index, Now: cfg.Now}}
	if u.cfg.Notes == nil {
		u.cfg.Notes = notes.OpenShelf(cfg.Archive, cfg.Now)
	}
	if u.cfg.Tray == nil {
		u.cfg.Tray = &review.Desk{Archive: cfg.Archive, Holdings: cfg.Holdings, Now: cfg.Now, Disk: review.DiskOf}
	}
	if u.cfg.Retention == nil {
		u.cfg.Retention = retention.NewDesk(context.Background(), cfg.Archive, cfg.Audit, cfg.Now, "varve "+cfg.Version)
	}
	if u.cfg.Evolution == nil {
		u.cfg.Evolution = evolution.NewDesk(cfg.Archive, cfg.Rules)
	}
	if u.cfg.Health == nil {
		u.cfg.Health = u.ownHealth()
	}
	if u.cfg.Pulse == nil {
		u.cfg.Pulse = u.ownPulse()
	}
	u.pages = map[string]map[string]*page{}
	for _, l := range message.All() {
		if u.pages[l.Tag()], err = u.loadTemplates(l); err != nil {
			return nil, fmt.Errorf("load templates: %w", err)
		}
	}
	u.handle("GET /assets/{name}", a)
	u.handle("GET /favicon.svg", http.HandlerFunc(favicon))
	for _, s := range append(u.screens(), u.cockpit()...) {
		u.handle(s.pattern, u.handler(s))
	}
	u.handle("GET /collections/{collection}/thumb", http.HandlerFunc(u.thumb))
	u.handle("POST /login", http.HandlerFunc(u.logIn))
	u.handle("POST /logout", http.HandlerFunc(u.logOut))
	u.handle("GET /language", http.HandlerFunc(u.chooseLanguage))
	u.handle("POST /reader", http.HandlerFunc(u.asReader))
	u.handle("GET "+access.OIDCPath, http.HandlerFunc(u.beginOIDC))
	u.handle("GET "+access.OIDCCallback, http.HandlerFunc(u.finishOIDC))
	u.handle("/", u.handler(screen{"/", access.Viewer, u.nowhere}))
	return u, nil
}

func (u *UI) handle(pattern string, h http.Handler) {
	u.mux.Handle(pattern, h)
	u.patterns = append(u.patterns, pattern)
}

// Patterns lists all that the screens answer, as http.ServeMux has it.
func (u *UI) Patterns() []string { return u.patterns }

// ServeHTTP shows a screen.
func (u *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mux.ServeHTTP(w, r.WithContext(message.With(r.Context(), message.Of(r))))
}

// chooseLanguage keeps the language that a visitor wants, and goes back to where the choice was made.
func (u *UI) chooseLanguage(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if l := message.Named(q.Get("to")); l != nil {
		http.SetCookie(w, &http.Cookie{Name: message.Cookie, Value: l.Tag(), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
	http.Redirect(w, r, inside(q.Get("back"), "/", "/"), http.StatusSeeOther)
}

// view is what a screen shows.
type view struct {
	template string
	title    string // of the window
	section  string // of the top line
	status   int    // 200 if not set
	data     any
	to       string // another address instead of a page
	wide     bool   // uses the whole width
	scripts  []string
	file     *file // a download instead of a page
	said     bool  // it shows what people wrote to run the archive: nothing of it is veiled from curators
	unkept   bool  // it shows a secret, once: no cache keeps it
}

// file is a download.
type file struct {
	name, mime string
	body       []byte
}

func (f *file) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", f.mime)
	w.Header().Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(f.body) // a closed connection is the reader's business
}

// screen is one page action.
type screen struct {
	pattern string // as http.ServeMux has it
	role    access.Role
	show    func(r *http.Request) (*view, error)
}

func (u *UI) handler(s screen) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := access.From(r.Context())
		if s.role != access.Nobody && !who.Can(s.role) {
			u.refuse(w, r, s.role)
			return
		}
		r = touring(r)
		v, err := s.show(r)
		if err != nil {
			u.broken(w, r, err)
			return
		}
		if v.file != nil {
			over, err := u.veil(r, v)
			if err != nil {
				u.broken(w, r, err)
				return
			}
			if strings.HasPrefix(v.file.mime, "text/") {
				v.file.body = []byte(over.Text(string(v.file.body)))
			}
			v.file.send(w)
			return
		}
		if v.to != "" {
			http.Redirect(w, r, v.to, http.StatusSeeOther)
			return
		}
		u.render(w, r, v)
	})
}

// veil gives what keeps from whoever looks what rules withhold. Every view passes it.
func (u *UI) veil(r *http.Request, v *view) (*veil.Veil, error) {
	if v.said && access.From(r.Context()).Can(access.Curator) {
		return veil.Of(r.Context(), u.paths, nil, nil, "", u.cfg.Now())
	}
	return veil.Of(r.Context(), u.paths, u.cfg.Rules, u.cfg.Index, r.PathValue("collection"), u.cfg.Now())
}

// refuse sends those who are not logged in to the login and tells the others what they may not do.
func (u *UI) refuse(w http.ResponseWriter, r *http.Request, need access.Role) {
	if access.From(r.Context()).Role == access.Nobody {
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
			// Strict cookies are not sent on the way from another site: the page loads itself once more.
			u.render(w, r, &view{template: "again", title: message.From(r.Context()).Text("One moment"), data: r.URL.RequestURI()})
			return
		}
		http.Redirect(w, r, "/login?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		return
	}
	u.broken(w, r, &varve.Error{
		Kind: varve.Forbidden, Op: "show this page", Msg: fmt.Sprintf("it is for the role %s", need),
		Hint: "an administrator gives roles: varve user add NAME --role " + string(need),
	})
}

// broken shows an error as a page: what failed, why, what to do.
func (u *UI) broken(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the reader left
	}
	status := varve.HTTPStatus(err)
	if status >= http.StatusInternalServerError {
		u.cfg.Log.Error("screen", "path", r.URL.Path, "error", err)
	}
	u.render(w, r, &view{template: "broken", title: message.From(r.Context()).Text("Not possible"), status: status, data: newTrouble(message.From(r.Context()), err)})
}

// trouble is what the page for broken states shows.
type trouble struct {
	Title, What, Why, Hint string
	Safe                   string
}

func newTrouble(l *message.Language, err error) trouble {
	t := trouble{Title: "This could not be shown", Safe: "Nothing in the archive was changed."}
	t.What, t.Why, t.Hint = l.Error(err)
	switch varve.KindOf(err) {
	case varve.NotFound:
		t.Title, t.Safe = "Not in this archive", ""
	case varve.Invalid:
		t.Title, t.Safe = "This address does not say enough", ""
	case varve.Forbidden:
		t.Title, t.Safe = "Not for you", ""
	case varve.Conflict:
		t.Title = "Not now"
	}
	return t
}
