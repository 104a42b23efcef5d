package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
)

// Config says what an endpoint does. The zero value answers queries for anybody, for 30 seconds each.
type Config struct {
	Updates bool           // whether the store may be changed
	Timeout time.Duration  // of a request; 0 is DefaultTimeout
	MaxBody int64          // bytes of a request; 0 is DefaultBody
	Limits  sparql.Options // of a query; Now, Rand, From and FromNamed are set here
	Hosts   []string       // names that a request may ask for; nil is all
	Now     func() time.Time
	Rand    *rand.Rand // for labels and names of new nodes and graphs; nil is seeded by chance

	// Spill lets queries put what they cannot hold beside the store, where Limits names no other place.
	Spill bool
	// Sees returns which graphs who asks may know of, by name; the zero term is the default graph. An error refuses the request. nil: all graphs.
	Sees func(*http.Request) (func(graph rdf.Term) bool, error)
	// Changes refuses, by an error, changes of those who may make none. nil: whoever asks may, where Updates says so.
	Changes func(*http.Request) error
	// AtOnce bounds the requests that are answered at a time, PerClient those of one Client; 0 is no bound.
	AtOnce, PerClient int
	Client            func(*http.Request) string
}

// Lend gives a store for one request; done is called when it is answered.
type Lend func() (store *triplestore.Store, done func(), err error)

// Limits where nobody says otherwise.
const (
	DefaultTimeout = 30 * time.Second
	DefaultBody    = 64 << 20
)

// Handler serves a store.
type Handler struct {
	lend Lend
	cfg  Config
	mux  http.Handler

	mu      sync.Mutex     // of cfg.Rand and what follows
	all     int            // requests that are being answered
	clients map[string]int // and by client
}

// New returns a handler of a store.
func New(store *triplestore.Store, cfg Config) *Handler {
	return NewLent(func() (*triplestore.Store, func(), error) { return store, func() {}, nil }, cfg)
}

// NewLent returns a handler of a store that is lent for each request.
func NewLent(lend Lend, cfg Config) *Handler {
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = DefaultBody
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	h := &Handler{lend: lend, cfg: cfg, clients: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/sparql", h.sparql)
	mux.HandleFunc("/sparql/", h.sparql)
	mux.HandleFunc("/graphs", h.graphs)
	mux.HandleFunc("/graphs/", h.graphs)
	h.mux = http.NewCrossOriginProtection().Handler(mux)
	return h
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if h.cfg.Hosts != nil && !slices.Contains(h.cfg.Hosts, strings.Trim(host, "[]")) {
		fail(w, &varve.Error{Kind: varve.Forbidden, Msg: fmt.Sprintf("this server is not called %q", host)})
		return
	}
	end, err := h.begin(r)
	if err != nil {
		w.Header().Set("Retry-After", "5")
		failWith(w, http.StatusTooManyRequests, err)
		return
	}
	defer end()
	ctx, cancel := context.WithTimeout(r.Context(), h.cfg.Timeout)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, h.cfg.MaxBody)
	h.mux.ServeHTTP(w, r.WithContext(ctx))
}

// begin counts a request, until end is called; there may be too many.
func (h *Handler) begin(r *http.Request) (end func(), err error) {
	client := ""
	if h.cfg.Client != nil {
		client = h.cfg.Client(r)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.cfg.AtOnce > 0 && h.all >= h.cfg.AtOnce:
		return nil, &varve.Error{Kind: varve.Unavailable, Msg: fmt.Sprintf("%d queries are being answered, and no more at a time", h.all), Hint: "try again in a moment"}
	case h.cfg.PerClient > 0 && h.clients[client] >= h.cfg.PerClient:
		return nil, &varve.Error{Kind: varve.Unavailable, Msg: fmt.Sprintf("%d queries of yours are being answered, and no more at a time", h.clients[client]), Hint: "wait for them, or end one"}
	}
	h.all++
	h.clients[client]++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.all--
		if h.clients[client]--; h.clients[client] == 0 {
			delete(h.clients, client)
		}
	}, nil
}

// view returns the graphs that who asks may see, until end is called, and where what does not fit into memory goes.
func (h *Handler) view(r *http.Request) (data sparql.Dataset, scratch sparql.Scratch, end func(), err error) {
	may := func(rdf.Term) bool { return true }
	if h.cfg.Sees != nil {
		if may, err = h.cfg.Sees(r); err != nil {
			return nil, nil, nil, err
		}
	}
	store, done, err := h.lend()
	if err != nil {
		return nil, nil, nil, err
	}
	view := store.View()
	data = view
	if h.cfg.Sees != nil {
		data = sparql.Restrict(r.Context(), view, may)
	}
	return data, store.Scratch(), func() {
		_ = view.Close() // what was read was read
		done()
	}, nil
}

// mayChange reports, by an error, that who asks may change nothing.
func (h *Handler) mayChange(r *http.Request) error {
	if !h.cfg.Updates {
		return &varve.Error{Kind: varve.Forbidden, Msg: "this endpoint answers queries only", Hint: "varve kb serve --updates"}
	}
	if h.cfg.Changes != nil {
		return h.cfg.Changes(r)
	}
	return nil
}

// fail answers with an error.
func fail(w http.ResponseWriter, err error) {
	status := varve.HTTPStatus(err)
	if _, ok := errors.AsType[*sparql.Error](err); ok {
		status = http.StatusBadRequest
	}
	if e, ok := errors.AsType[*rdf.Error](err); ok && e.Err == nil {
		status = http.StatusBadRequest
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		status = http.StatusRequestEntityTooLarge
	}
	if _, ok := errors.AsType[*mediaError](err); ok {
		status = http.StatusUnsupportedMediaType
	}
	failWith(w, status, err)
}

func failWith(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": err.Error(), "hint": varve.HintOf(err)})
}

// mediaError is a body of a kind that is not read here.
type mediaError struct{ msg string }

// Error returns what is wrong.
func (e *mediaError) Error() string { return e.msg }

func invalid(format string, args ...any) error {
	return &varve.Error{Kind: varve.Invalid, Msg: fmt.Sprintf(format, args...)}
}

// options returns the limits of a request.
func (h *Handler) options() sparql.Options {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.cfg.Limits
	o.Now = h.cfg.Now()
	o.Rand = rand.New(rand.NewPCG(h.cfg.Rand.Uint64(), h.cfg.Rand.Uint64()))
	return o
}

// baseOf returns the IRI of a request without its query.
func baseOf(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + r.URL.EscapedPath()
}

// sparql answers the SPARQL protocol.
func (h *Handler) sparql(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	var query, update string
	var err error
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if len(values["update"]) > 0 {
			err = invalid("an update is sent by POST")
		} else if len(values["query"]) == 0 {
			h.describe(w, r)
			return
		}
		query, err = one(values, "query", err)
	case http.MethodPost:
		query, update, err = h.posted(r, values)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		failWith(w, http.StatusMethodNotAllowed, invalid("queries are sent by GET or POST"))
		return
	}
	switch {
	case err != nil:
		fail(w, err)
	case update != "":
		h.update(w, r, update, values)
	default:
		h.query(w, r, query, values)
	}
}

func one(values url.Values, name string, err error) (string, error) {
	if err == nil && len(values[name]) != 1 {
		err = invalid("one %s is expected, not %d", name, len(values[name]))
	}
	return values.Get(name), err
}

// posted reads a query or an update from the body of a request; parameters of a form are added to values.
func (h *Handler) posted(r *http.Request, values url.Values) (query, update string, err error) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	if c := params["charset"]; c != "" && !strings.EqualFold(c, "utf-8") {
		return "", "", invalid("the query must be in UTF-8, not %s", c)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", "", err
	}
	if !utf8.Valid(body) {
		return "", "", invalid("the query must be in UTF-8")
	}
	switch media {
	case "application/sparql-query":
		return string(body), "", nil
	case "application/sparql-update":
		if len(body) == 0 {
			return "", "", invalid("the update is empty")
		}
		return "", string(body), nil
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return "", "", invalid("the form cannot be read: %v", err)
		}
		for k, v := range form {
			values[k] = append(values[k], v...)
		}
		if len(values["update"]) > 0 {
			if len(values["query"]) > 0 {
				return "", "", invalid("either a query or an update is expected, not both")
			}
			update, err = one(values, "update", nil)
			return "", update, err
		}
		query, err = one(values, "query", nil)
		return query, "", err
	}
	return "", "", &mediaError{"the body must be application/sparql-query, application/sparql-update or application/x-www-form-urlencoded"}
}

// query answers a query.
func (h *Handler) query(w http.ResponseWriter, r *http.Request, text string, values url.Values) {
	err := h.ask(r, text, values, func(q *sparql.Query, result *sparql.Result) error {
		w.Header().Set("Vary", "Accept")
		out := &lateWriter{w: w}
		var err error
		if result.Triples != nil {
			f := negotiateRDF(r)
			out.media = f.MediaType()
			err = writeQuads(out, f, q.Prefixes, func(yield func(rdf.Quad, error) bool) { result.Triples(yield) })
		} else {
			f := negotiateResult(r)
			out.media = f.MediaType()
			_, err = result.Write(out, f)
		}
		out.end(err)
		return nil
	})
	if err != nil {
		fail(w, err)
	}
}

// ask hands the result of a query on, while the store is lent for it.
func (h *Handler) ask(r *http.Request, text string, values url.Values, use func(*sparql.Query, *sparql.Result) error) error {
	q, err := sparql.Parse(text, baseOf(r))
	if err != nil {
		return err
	}
	o := h.options()
	if values.Has("default-graph-uri") || values.Has("named-graph-uri") {
		o.From, o.FromNamed = orEmpty(values["default-graph-uri"]), orEmpty(values["named-graph-uri"])
	}
	data, scratch, end, err := h.view(r)
	if err != nil {
		return err
	}
	defer end()
	if o.Scratch == nil && h.cfg.Spill {
		o.Scratch = scratch
	}
	result, err := sparql.Evaluate(r.Context(), data, q, o)
	if err != nil {
		return err
	}
	return use(q, result)
}

// Ask answers a query for whoever makes a request, within the limits of all others: for screens. The result is good until use returns.
func (h *Handler) Ask(r *http.Request, query string, use func(*sparql.Query, *sparql.Result) error) error {
	end, err := h.begin(r)
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithTimeout(r.Context(), h.cfg.Timeout)
	defer cancel()
	return h.ask(r.WithContext(ctx), query, nil, use)
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// lateWriter holds the first bytes of an answer back, so that an error that comes early has its own status.
type lateWriter struct {
	w     http.ResponseWriter
	media string
	first []byte
	sent  bool
}

// Write writes to the answer.
func (l *lateWriter) Write(b []byte) (int, error) {
	if !l.sent {
		if len(l.first)+len(b) < 64<<10 {
			l.first = append(l.first, b...)
			return len(b), nil
		}
		if err := l.send(); err != nil {
			return 0, err
		}
	}
	return l.w.Write(b)
}

func (l *lateWriter) send() error {
	l.sent = true
	l.w.Header().Set("Content-Type", l.media)
	l.w.Header().Set("X-Content-Type-Options", "nosniff")
	_, err := l.w.Write(l.first)
	return err
}

// end sends what is held back, or the error; an answer that has begun is cut off.
func (l *lateWriter) end(err error) {
	switch {
	case err != nil && l.sent:
		panic(http.ErrAbortHandler)
	case err != nil:
		fail(l.w, err)
	case !l.sent:
		_ = l.send()
	}
}

func writeQuads(w io.Writer, f rdf.Format, prefixes map[string]string, quads func(func(rdf.Quad, error) bool)) error {
	out := rdf.NewWriter(w, f, prefixes)
	for q, err := range quads {
		if err == nil {
			err = out.Write(q)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// update does an update.
func (h *Handler) update(w http.ResponseWriter, r *http.Request, text string, values url.Values) {
	if err := h.mayChange(r); err != nil {
		fail(w, err)
		return
	}
	ops, err := sparql.ParseUpdate(text, baseOf(r))
	if err != nil {
		fail(w, err)
		return
	}
	if using, named := values["using-graph-uri"], values["using-named-graph-uri"]; using != nil || named != nil {
		for i := range ops {
			if ops[i].Using != nil || ops[i].UsingNamed != nil || ops[i].With != "" {
				fail(w, invalid("the request names graphs to use, and so does the update"))
				return
			}
			ops[i].Using, ops[i].UsingNamed = orEmpty(using), orEmpty(named)
		}
	}
	store, done, err := h.lend()
	if err != nil {
		fail(w, err)
		return
	}
	defer done()
	tx := store.Update()
	err = sparql.Update(r.Context(), tx, ops, sparql.UpdateOptions{Options: h.options()})
	if err == nil {
		err = tx.Commit()
	}
	if err = errors.Join(err, tx.Cancel()); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// accepted returns the media types of a request with their weights, the heaviest first.
func accepted(r *http.Request) []string {
	type weighted struct {
		media string
		q     float64
	}
	var all []weighted
	for _, part := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil {
			continue
		}
		q := 1.0
		if s, ok := params["q"]; ok {
			if q, err = strconv.ParseFloat(s, 64); err != nil || q <= 0 {
				continue
			}
		}
		all = append(all, weighted{media, q})
	}
	slices.SortStableFunc(all, func(a, b weighted) int {
		switch {
		case a.q > b.q:
			return -1
		case a.q < b.q:
			return 1
		}
		return 0
	})
	var out []string
	for _, a := range all {
		out = append(out, a.media)
	}
	return out
}

// negotiateRDF chooses the format of a graph: that of ?format=, which links can have, else what the client accepts, else Turtle.
func negotiateRDF(r *http.Request) rdf.Format {
	if f := rdf.FormatOf(r.URL.Query().Get("format")); f != 0 {
		return f
	}
	for _, media := range accepted(r) {
		if f := rdf.FormatOf(media); f != 0 && strings.Contains(media, "/") {
			return f
		}
	}
	return rdf.Turtle
}

// negotiateResult chooses the format of solutions likewise; JSON where the client does not mind.
func negotiateResult(r *http.Request) sparql.ResultFormat {
	if f := sparql.ResultFormatOf(r.URL.Query().Get("format")); f != 0 {
		return f
	}
	for _, media := range accepted(r) {
		if f := sparql.ResultFormatOf(media); f != 0 {
			return f
		}
	}
	return sparql.ResultJSON
}

// describe answers with the description of the service.
func (h *Handler) describe(w http.ResponseWriter, r *http.Request) {
	const sd = "http://www.w3.org/ns/sparql-service-description#"
	endpoint := rdf.NewIRI(baseOf(r))
	service, dataset, graph := rdf.NewBlank("service"), rdf.NewBlank("dataset"), rdf.NewBlank("graph")
	var quads []rdf.Quad
	say := func(s rdf.Term, p string, o rdf.Term) {
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{Subject: s, Predicate: rdf.NewIRI(p), Object: o}})
	}
	say(service, rdf.Type, rdf.NewIRI(sd+"Service"))
	say(service, sd+"endpoint", endpoint)
	say(service, sd+"supportedLanguage", rdf.NewIRI(sd+"SPARQL11Query"))
	if h.cfg.Updates {
		say(service, sd+"supportedLanguage", rdf.NewIRI(sd+"SPARQL11Update"))
	}
	for _, f := range []string{"SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV", "Turtle", "N-Triples", "N-Quads", "TriG", "RDF_XML", "JSON-LD"} {
		say(service, sd+"resultFormat", rdf.NewIRI("http://www.w3.org/ns/formats/"+f))
	}
	if h.cfg.Limits.UnionDefault {
		say(service, sd+"feature", rdf.NewIRI(sd+"UnionDefaultGraph"))
	}
	say(service, sd+"defaultDataset", dataset)
	say(dataset, rdf.Type, rdf.NewIRI(sd+"Dataset"))
	say(dataset, sd+"defaultGraph", graph)
	say(graph, rdf.Type, rdf.NewIRI(sd+"Graph"))
	f := negotiateRDF(r)
	out := &lateWriter{w: w, media: f.MediaType()}
	out.end(writeQuads(out, f, map[string]string{"sd": sd, "format": "http://www.w3.org/ns/formats/"}, func(yield func(rdf.Quad, error) bool) {
		for _, q := range quads {
			if !yield(q, nil) {
				return
			}
		}
	}))
}
