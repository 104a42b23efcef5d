package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"varve"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// maxControlBody bounds what the control interface reads of a request.
const maxControlBody = 16 << 20

// Stage remembers what the last visits showed, and answers those who watch and steer.
type Stage struct {
	r        *crawl.Run
	recent   *recent
	steering sync.Mutex // one at a time changes rules and priorities
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Committer
} = (*Stage)(nil)

// New returns the stage of a run that can be watched and steered.
func New() *Stage { return &Stage{recent: newRecent()} }

// Of returns the stage of a run; for a run without, one that knows nothing of earlier visits.
func Of(r *crawl.Run) *Stage {
	for _, s := range r.Stages() {
		if c, ok := s.(*Stage); ok {
			return c
		}
	}
	c := New()
	c.r = r
	return c
}

// Open takes the run.
func (c *Stage) Open(r *crawl.Run) error {
	c.r = r
	return nil
}

// Admit lets all in: rules and limits are the core's.
func (c *Stage) Admit(*crawl.Admission) {}

// Examine looks at nothing.
func (c *Stage) Examine(*crawl.Visit, *crawl.Answer) {}

// Settle remembers what visits showed.
func (c *Stage) Settle(visits []*crawl.Visit, _ *crawl.Notes) error {
	c.recent.see(visits)
	return nil
}

// Committed takes a reading.
func (c *Stage) Committed() error {
	c.recent.read(c.reading(c.r.Clock().Now()))
	return nil
}

// Handler is the control interface of a run:
//
//	GET  /api/crawls/{id}                      progress
//	POST /api/crawls/{id}/{pause,resume,stop}  of several nodes all pause and resume; ?all=1: all stop
//	POST /api/crawls/{id}/urls                 [{url, score, blacklist}]: re-rank, add, bar
//	GET  /api/crawls/{id}/queue?host=&cursor=  what waits, in order
//	GET  /api/crawls/{id}/hosts?by=queued      the largest hosts
//	GET  /api/crawls/{id}/scope                the rules in force
//	PUT  /api/crawls/{id}/scope                new rules and settings (TOML, or JSON as GET gives it)
//	POST /api/crawls/{id}/scope/preview        what such rules would drop of the queue
//	GET  /api/crawls/{id}/limits               and PUT: pages, captures, bytes, time
//	POST /api/crawls/{id}/priorities           {prefix, score, lift}: what comes first, now and later
//	GET  /api/crawls/{id}/about                what a guided crawl is about, and PUT: queued URLs are scored again
//	GET  /api/crawls/{id}/why?url=             what the modules of a guided crawl say of a URL
//	GET  /api/crawls/{id}/watch                all that those see who watch
//	GET  /api/crawls/{id}/events               server-sent events
//	GET  /metrics                              Prometheus
//
// Of a crawl that several nodes make, each answers for all of them: what is decided goes to all, single URLs to the node that has their site. Queue, hosts, why and
// preview are those of the node that is asked.
func (c *Stage) Handler() http.Handler {
	r, mux := c.r, http.NewServeMux()
	base := "/api/crawls/" + r.ID
	handle := func(pattern string, fn func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) {
			v, err := fn(req)
			answer(w, v, err)
		})
	}
	handle("GET "+base, func(*http.Request) (any, error) { return r.Progress(), nil })
	handle("POST "+base+"/pause", c.controlPause)
	handle("POST "+base+"/resume", c.controlPause)
	handle("POST "+base+"/stop", c.controlStop)
	handle("GET "+base+"/watch", c.controlWatch)
	handle("GET "+base+"/limits", func(*http.Request) (any, error) { return r.Limits(), nil })
	handle("PUT "+base+"/limits", c.controlLimits)
	handle("POST "+base+"/priorities", c.controlPriority)
	handle("POST "+base+"/scope/preview", c.controlPreview)
	handle("POST "+base+"/urls", c.controlURLs)
	handle("GET "+base+"/about", c.controlAbout)
	handle("PUT "+base+"/about", c.controlAbout)
	handle("GET "+base+"/why", c.controlWhy)
	handle("GET "+base+"/queue", c.controlQueue)
	handle("GET "+base+"/hosts", c.controlHosts)
	handle("GET "+base+"/scope", func(*http.Request) (any, error) { return r.Rules().Definition(), nil })
	handle("PUT "+base+"/scope", c.controlScope)
	mux.HandleFunc("GET "+base+"/events", c.controlEvents)
	mux.Handle("GET /metrics", c.metrics())
	return mux
}

// answer writes a value as JSON, or an error as problem+json.
func answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(varve.HTTPStatus(err))
		_ = json.NewEncoder(w).Encode(map[string]any{
			"type": "about:blank", "title": string(varve.KindOf(err)), "status": varve.HTTPStatus(err),
			"detail": err.Error(), "hint": varve.HintOf(err),
		})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// URLUpdate is one entry of POST urls.
type URLUpdate struct {
	URL       string  `json:"url"`
	Score     float64 `json:"score"`
	Blacklist bool    `json:"blacklist,omitempty"`
	Reason    string  `json:"reason,omitempty"`
}

// Sent is the answer of POST urls in a crawl of several nodes: what comes of each URL, the node finds that has its site.
type Sent struct {
	Sent int `json:"sent"`
}

// readBody reads the body of a request, if it is not too large.
func readBody(op string, req *http.Request) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(req.Body, maxControlBody+1))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
	}
	if len(b) > maxControlBody {
		return nil, &varve.Error{
			Kind: varve.Invalid, Op: op, Msg: fmt.Sprintf("the body has more than %d MB", maxControlBody>>20), Hint: "send it in parts",
		}
	}
	return b, nil
}

// asked gives an error of the frontier the kind that tells whose fault it is.
func (c *Stage) asked(op string, err error) error {
	switch state, _ := c.r.State(); {
	case err == nil:
		return nil
	case state == crawl.Ended || errors.Is(err, frontier.ErrClosed):
		return &varve.Error{Kind: varve.Unavailable, Op: op, Msg: "the crawl has ended"}
	}
	return err
}

func (c *Stage) controlURLs(req *http.Request) (any, error) {
	body, err := readBody("urls", req)
	if err != nil {
		return nil, err
	}
	var list []URLUpdate
	if err := decodeOne(body, &list); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "urls", Msg: "the body is no list of {url, score, blacklist}", Err: err}
	}
	updates := make([]frontier.ScoreUpdate, 0, len(list))
	for i, u := range list {
		parsed, err := canon.Parse(u.URL)
		if err != nil || !parsed.IsHTTP() || u.Score < 0 || u.Score > 1 {
			return nil, &varve.Error{Kind: varve.Invalid, Op: fmt.Sprintf("urls[%d]", i), Msg: fmt.Sprintf("%q is no http URL, or its score is not in [0,1]", u.URL)}
		}
		parsed = parsed.WithoutFragment()
		updates = append(updates, frontier.ScoreUpdate{
			Blacklist: u.Blacklist, Reason: "blacklisted: " + u.Reason,
			Item: frontier.Item{
				Key: parsed.FrontierKey(), URL: parsed.String(), Host: parsed.HostPort(), Domain: canon.PayLevelDomain(parsed.Host()),
				HopPath: string(scope.HopListed), Band: crawl.BandPage, Score: u.Score, Depth: 1,
			},
		})
	}
	if all := c.r.Commander(); all != nil {
		if err := all.Send(req.Context(), updates); err != nil {
			return nil, err
		}
		c.r.Event("urls", "by", asker(req), "given", len(list), "sent", len(updates))
		return Sent{Sent: len(updates)}, nil
	}
	rep, err := c.r.Frontier().Update(req.Context(), updates)
	c.r.Event("urls", "by", asker(req), "given", len(list), "new", rep.New, "updated", rep.Updated, "dropped", rep.Dropped)
	c.r.Wake()
	return rep, c.asked("urls", err)
}

func (c *Stage) controlQueue(req *http.Request) (any, error) {
	q := req.URL.Query()
	items, cursor, err := c.r.Frontier().List(q.Get("host"), q.Get("cursor"), limitOf(q.Get("limit"), 100, 1000))
	if err = c.asked("queue", err); err != nil && varve.KindOf(err) == varve.Internal && q.Get("cursor") != "" {
		err = &varve.Error{Kind: varve.Invalid, Op: "queue", Err: err}
	}
	return map[string]any{"items": items, "cursor": cursor}, err
}

func limitOf(s string, normal, most int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return normal
	}
	return min(n, most)
}

func (c *Stage) controlHosts(req *http.Request) (any, error) {
	by := map[string]frontier.Metric{"": frontier.ByQueued, "queued": frontier.ByQueued, "done": frontier.ByDone, "failed": frontier.ByFailed, "bytes": frontier.ByBytes}
	m, ok := by[req.URL.Query().Get("by")]
	if !ok {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "hosts", Msg: "by is queued, done, failed or bytes"}
	}
	hosts, err := c.r.Frontier().TopHosts(m, limitOf(req.URL.Query().Get("limit"), 50, 1000))
	return hosts, c.asked("hosts", err)
}

// controlScope puts new rules and settings in force; running visits end under the old ones.
func (c *Stage) controlScope(req *http.Request) (any, error) {
	set, err := readScope(req)
	if err != nil {
		return nil, err
	}
	c.steering.Lock()
	defer c.steering.Unlock()
	def := set.Definition()
	if all := c.r.Commander(); all != nil {
		_, err = all.Order(req.Context(), asker(req), func(o *crawl.Orders) error { o.Scope = &def; return nil })
	} else {
		err = c.r.SetRules(def)
	}
	if err != nil {
		return nil, err
	}
	c.r.Event("scope", "by", asker(req), "rules", len(def.Rules), "domains", len(def.Domains), "now", def)
	return def, nil
}

// controlEvents streams the events from now on.
func (c *Stage) controlEvents(w http.ResponseWriter, req *http.Request) {
	flush, ok := w.(http.Flusher)
	if !ok {
		answer(w, nil, errors.New("this connection cannot stream"))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	events, end := c.r.Subscribe()
	defer end()
	flush.Flush()
	for {
		select {
		case e := <-events:
			fmt.Fprintf(w, "data: %s\n\n", e)
			flush.Flush()
		case <-req.Context().Done():
			return
		case <-c.r.Done():
			for len(events) > 0 { // the last ones, "ended" among them
				fmt.Fprintf(w, "data: %s\n\n", <-events)
			}
			return
		}
	}
}
