package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/coherence/graph"
	"varve/coherence/report"
	"varve/curate/notes"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/evolution"
	"varve/serve/extract"
	"varve/serve/health"
	"varve/serve/holdings"
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
	Crawl(ctx context.Context, collection, id string) (*holdings.Crawl, error)
}

// Coherence tells how well crawls hang together; *coherence.Desk is one.
type Coherence interface {
	Report(ctx context.Context, collection, crawl string) (*report.Report, error)
	Measure(ctx context.Context, collection string, crawls ...string) error
	Graph(ctx context.Context, collection, crawl string) (*graph.Graph, error)
}

// Packages writes and takes WACZ packages.
type Packages interface {
	// Export writes a package of a collection, or of one crawl, or of the captures of a URL prefix.
	// begin is called when it is sure that there is something to send, with a name for the file.
	Export(ctx context.Context, what Selection, begin func(name string) io.Writer) error
	// Import takes a file into a collection, or the WARC files of a package. What was taken is told also where an error says that not all was.
	Import(ctx context.Context, collection, name string, body io.Reader) ([]Imported, error)
}

// Selection is what goes into a package.
type Selection struct {
	Collection string
	Crawl      string    // only the files of this crawl
	URL        string    // only captures of this URL prefix, as records of a new WARC file
	From, To   time.Time // only captures of this time; with URL
	// NotModified keeps index lines of revisits by which a server said that nothing changed.
	NotModified bool
	Bare        bool // pages without their parts; with URL
}

// Imported is a file that was unpacked.
type Imported struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail,omitempty"`
}

// Effects tells what access rules would change.
type Effects interface {
	Effect(ctx context.Context, r access.Rule) (access.Effect, error)
}

// Config is what the interface is made of.
type Config struct {
	Holdings  Holdings
	Index     holdings.Index
	Contents  holdings.Contents
	Coherence Coherence
	Rules     *access.Decisions
	Effects   Effects // tells what rules would change
	Audit     *access.Audit
	Retention *retention.Desk // how long captures are kept; nil: read from the archive
	Health    *health.Desk    // of nodes and uploads; nil: read from the archive
	Packages  Packages
	Crawls    Crawls           // starts crawls; nil: this server starts none
	Pulse     Pulse            // tells what the archive holds at a glance
	Tray      *review.Desk     // what somebody has to look at; nil: read from the archive
	Notes     *notes.Shelf     // what people say about collections; nil: read from the archive
	Plans     *crawls.Desk     // keeps crawls that are planned on screens; nil: plans are not changed
	Schedule  *crawls.Schedule // starts crawls that are due; nil: nobody does here
	Texts     search.Texts     // answers questions about texts
	Links     search.Inlinks   // tells which pages link to one
	Linkers   search.Linkers   // have the bases of entities; nil: there are none

	Statistics search.Statistics // has the site of statistics that texts are linked to; nil: there is none
	NewPersons bool              // persons whom no knowledge base has are shown to outside readers, too
	Evolution  *evolution.Desk   // of words, names and phrases through time; nil: read from the archive
	Source     extract.Source    // gives records to be copied
	Archive    string            // the archive directory, for decisions that are kept in it
	Versions   http.Handler      // answers questions about versions over time; it gets the collection as path value
	Streams    context.Context   // ends streams when the server ends
	Now        func() time.Time
	Log        *slog.Logger
	Version    string
}

// API is the interface.
type API struct {
	cfg Config
	mux *http.ServeMux
	doc []byte

	forecasts *crawls.Forecaster
	analyses  *analysisDesk
	paths     veil.Paths
}

// New makes the interface.
func New(cfg Config) *API {
	a := &API{cfg: cfg, mux: http.NewServeMux(), paths: veil.PathsOf(cfg.Archive), forecasts: &crawls.Forecaster{Index: cfg.Index, Now: cfg.Now}, analyses: newAnalysisDesk()}
	if a.cfg.Notes == nil {
		a.cfg.Notes = notes.OpenShelf(cfg.Archive, cfg.Now)
	}
	if a.cfg.Tray == nil {
		a.cfg.Tray = &review.Desk{Archive: cfg.Archive, Holdings: cfg.Holdings, Now: cfg.Now, Disk: review.DiskOf}
	}
	if a.cfg.Health == nil {
		a.cfg.Health = &health.Desk{Archive: catalog.Open(cfg.Archive), Store: "directory", Now: cfg.Now}
	}
	if a.cfg.Retention == nil {
		a.cfg.Retention = retention.NewDesk(context.Background(), cfg.Archive, cfg.Audit, cfg.Now, "varve "+cfg.Version)
	}
	if a.cfg.Evolution == nil {
		a.cfg.Evolution = evolution.NewDesk(cfg.Archive, cfg.Rules)
	}
	routes := append(append(a.routes(), a.cockpit()...), a.retentionRoutes()...)
	a.doc = document(routes, cfg.Version)
	for _, r := range routes {
		a.mux.Handle(r.Method+" "+r.Path, a.handler(r))
	}
	for path, methods := range methodsByPath(routes) {
		a.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { notAllowed(w, r, methods) })
	}
	a.mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		a.problem(w, r, &varve.Error{Kind: varve.NotFound, Op: r.Method + " " + r.URL.Path, Msg: "there is no such route", Hint: "/api/ shows them all, /api/openapi.json lists them for programs"})
	})
	return a
}

// methodsByPath lists the methods that a path has.
func methodsByPath(routes []route) map[string][]string {
	out := map[string][]string{}
	for _, r := range routes {
		out[r.Path] = append(out[r.Path], r.Method)
	}
	return out
}

// notAllowed answers a method that a path does not have.
func notAllowed(w http.ResponseWriter, r *http.Request, methods []string) {
	allowed := strings.Join(methods, ", ")
	w.Header().Set("Allow", allowed)
	writeProblem(w, http.StatusMethodNotAllowed, varve.Invalid, r.Method+" "+r.URL.Path+": there is no such method here", "use "+allowed)
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

func (a *API) handler(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := access.From(r.Context())
		if rt.Role != access.Nobody && !who.Can(rt.Role) {
			a.refuse(w, r, rt.Role)
			return
		}
		if rt.stream != nil {
			if err := rt.stream(w, r); err != nil {
				a.problem(w, r, err)
			}
			return
		}
		v, err := rt.answer(r)
		if err == nil {
			v, err = a.veiled(r, rt, v)
		}
		if err != nil {
			a.problem(w, r, err)
			return
		}
		writeJSON(w, http.StatusOK, "application/json", withLists(v))
	})
}

// veil gives what keeps from whoever asks what rules withhold.
func (a *API) veil(r *http.Request) (*veil.Veil, error) {
	return veil.Of(r.Context(), a.paths, a.cfg.Rules, a.cfg.Index, r.PathValue("collection"), a.cfg.Now())
}

// veiled gives an answer without what rules withhold from whoever asks. Every answer passes here.
func (a *API) veiled(r *http.Request, rt route, v any) (any, error) {
	if rt.Said && access.From(r.Context()).Can(access.Curator) {
		over, err := veil.Of(r.Context(), a.paths, nil, nil, "", a.cfg.Now())
		return over.Answer(v), err
	}
	over, err := a.veil(r)
	if err != nil {
		return nil, err
	}
	return over.Answer(v, veil.Said(r)...), nil
}

func (a *API) refuse(w http.ResponseWriter, r *http.Request, need access.Role) {
	if access.From(r.Context()).Role == access.Nobody {
		w.Header().Set("WWW-Authenticate", `Bearer realm="varve"`)
		writeProblem(w, http.StatusUnauthorized, varve.Forbidden, "this needs a login", "send a token: Authorization: Bearer TOKEN; 'varve user token NAME' makes one")
		return
	}
	a.problem(w, r, &varve.Error{Kind: varve.Forbidden, Op: r.Method + " " + r.URL.Path, Msg: "it needs the role " + string(need)})
}

// problem answers with an error.
func (a *API) problem(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the caller left
	}
	status := varve.HTTPStatus(err)
	if status >= http.StatusInternalServerError {
		a.cfg.Log.Error("request", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	detail, hint := err.Error(), varve.HintOf(err)
	if over, bad := a.veil(r); bad == nil {
		detail, hint = over.Text(detail, veil.Said(r)...), over.Text(hint, veil.Said(r)...)
	}
	writeProblem(w, status, varve.KindOf(err), detail, hint)
}

// Problem is an error as RFC 9457 has it.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"` // the kind: invalid, not_found, conflict, forbidden, unavailable, internal
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"` // what to do next
}

func writeProblem(w http.ResponseWriter, status int, kind varve.Kind, detail, hint string) {
	writeJSON(w, status, "application/problem+json", Problem{"about:blank", string(kind), status, detail, hint})
}

func writeJSON(w http.ResponseWriter, status int, mime string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		http.Error(w, `{"type":"about:blank","title":"internal","status":500}`, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", mime)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // a closed connection is the caller's business
}
