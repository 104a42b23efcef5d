package crawl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"varve"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// maxControlBody bounds what the control interface reads of a request.
const maxControlBody = 16 << 20

// Handler is the control interface of a run:
//
//	GET  /api/crawls/{id}                      progress
//	POST /api/crawls/{id}/{pause,resume,stop}
//	POST /api/crawls/{id}/urls                 [{url, score, blacklist}]: re-rank, add, bar
//	GET  /api/crawls/{id}/queue?host=&cursor=  what waits, in order
//	GET  /api/crawls/{id}/hosts?by=queued      the largest hosts
//	GET  /api/crawls/{id}/scope                the rules in force
//	PUT  /api/crawls/{id}/scope                new rules and settings (TOML)
//	GET  /api/crawls/{id}/events               server-sent events
//	GET  /metrics                              Prometheus
func (r *Run) Handler() http.Handler {
	mux := http.NewServeMux()
	base := "/api/crawls/" + r.ID
	handle := func(pattern string, fn func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) {
			v, err := fn(req)
			answer(w, v, err)
		})
	}
	handle("GET "+base, func(*http.Request) (any, error) { return r.Progress(), nil })
	handle("POST "+base+"/pause", func(*http.Request) (any, error) { r.Pause("by request"); return r.Progress(), nil })
	handle("POST "+base+"/resume", func(*http.Request) (any, error) { r.Resume(); return r.Progress(), nil })
	handle("POST "+base+"/stop", func(*http.Request) (any, error) { r.Stop("by request"); return r.Progress(), nil })
	handle("POST "+base+"/urls", r.controlURLs)
	handle("GET "+base+"/queue", r.controlQueue)
	handle("GET "+base+"/hosts", r.controlHosts)
	handle("GET "+base+"/scope", func(*http.Request) (any, error) { return r.scope.Load().Definition(), nil })
	handle("PUT "+base+"/scope", r.controlScope)
	mux.HandleFunc("GET "+base+"/events", r.controlEvents)
	mux.Handle("GET /metrics", r.metrics())
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

func (r *Run) controlURLs(req *http.Request) (any, error) {
	var list []URLUpdate
	d := json.NewDecoder(io.LimitReader(req.Body, maxControlBody))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "urls", Msg: "the body is no list of {url, score, blacklist}", Err: err}
	}
	updates := make([]frontier.ScoreUpdate, 0, len(list))
	for i, u := range list {
		parsed, err := canon.Parse(u.URL)
		if err != nil || !parsed.IsHTTP() || u.Score < 0 || u.Score > 1 {
			return nil, &varve.Error{Kind: varve.Invalid, Op: fmt.Sprintf("urls[%d]", i), Msg: fmt.Sprintf("%q is no http URL, or its score is not in [0,1]", u.URL)}
		}
		updates = append(updates, frontier.ScoreUpdate{
			Blacklist: u.Blacklist, Reason: "blacklisted: " + u.Reason,
			Item: frontier.Item{
				Key: parsed.FrontierKey(), URL: parsed.String(), Host: parsed.HostPort(), Domain: canon.PayLevelDomain(parsed.Host()),
				HopPath: string(scope.HopListed), Band: bandPage, Score: u.Score, Depth: 1,
			},
		})
	}
	rep, err := r.frontier.Update(req.Context(), updates)
	r.events.add("urls", "given", len(list), "new", rep.New, "updated", rep.Updated, "dropped", rep.Dropped)
	r.poke()
	return rep, err
}

func (r *Run) controlQueue(req *http.Request) (any, error) {
	q := req.URL.Query()
	items, cursor, err := r.frontier.List(q.Get("host"), q.Get("cursor"), limitOf(q.Get("limit"), 100, 1000))
	return map[string]any{"items": items, "cursor": cursor}, err
}

func limitOf(s string, normal, most int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return normal
	}
	return min(n, most)
}

func (r *Run) controlHosts(req *http.Request) (any, error) {
	by := map[string]frontier.Metric{"": frontier.ByQueued, "queued": frontier.ByQueued, "done": frontier.ByDone, "failed": frontier.ByFailed, "bytes": frontier.ByBytes}
	m, ok := by[req.URL.Query().Get("by")]
	if !ok {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "hosts", Msg: "by is queued, done, failed or bytes"}
	}
	return r.frontier.TopHosts(m, limitOf(req.URL.Query().Get("limit"), 50, 1000))
}

// controlScope puts new rules and settings in force; running visits end under the old ones.
func (r *Run) controlScope(req *http.Request) (any, error) {
	text, err := io.ReadAll(io.LimitReader(req.Body, maxControlBody))
	if err != nil {
		return nil, err
	}
	set, err := scope.Parse(string(text))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err}
	}
	def := set.Definition()
	if err := r.scope.Swap(def); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err}
	}
	r.events.add("scope", "rules", len(def.Rules), "domains", len(def.Domains))
	r.unpark()
	return def, nil
}

// controlEvents streams the events from now on.
func (r *Run) controlEvents(w http.ResponseWriter, req *http.Request) {
	flush, ok := w.(http.Flusher)
	if !ok {
		answer(w, nil, errors.New("this connection cannot stream"))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	events, end := r.events.subscribe()
	defer end()
	flush.Flush()
	for {
		select {
		case e := <-events:
			fmt.Fprintf(w, "data: %s\n\n", e)
			flush.Flush()
		case <-req.Context().Done():
			return
		case <-r.done:
			return
		}
	}
}
