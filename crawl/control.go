package crawl

import (
	"bytes"
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
//	PUT  /api/crawls/{id}/scope                new rules and settings (TOML, or JSON as GET gives it)
//	POST /api/crawls/{id}/scope/preview        what such rules would drop of the queue
//	GET  /api/crawls/{id}/limits               and PUT: pages, captures, bytes, time
//	POST /api/crawls/{id}/priorities           {prefix, score, lift}: what comes first, now and later
//	GET  /api/crawls/{id}/watch                all that those see who watch
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
	handle("POST "+base+"/pause", func(req *http.Request) (any, error) { r.Pause("by " + asker(req)); return r.Progress(), nil })
	handle("POST "+base+"/resume", func(*http.Request) (any, error) { r.Resume(); return r.Progress(), nil })
	handle("POST "+base+"/stop", func(req *http.Request) (any, error) { r.Stop("by " + asker(req)); return r.Progress(), nil })
	handle("GET "+base+"/watch", r.controlWatch)
	handle("GET "+base+"/limits", func(*http.Request) (any, error) { return r.most.Load().Limits, nil })
	handle("PUT "+base+"/limits", r.controlLimits)
	handle("POST "+base+"/priorities", r.controlPriority)
	handle("POST "+base+"/scope/preview", r.controlPreview)
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

// decodeUpdates reads a list of updates and nothing else.
func decodeUpdates(b []byte) (list []URLUpdate, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err = d.Decode(&list); err == nil && d.More() {
		err = fmt.Errorf("something follows at byte %d", d.InputOffset())
	}
	return list, err
}

// asked gives an error of the frontier the kind that tells whose fault it is.
func (r *Run) asked(op string, err error) error {
	switch state, _ := r.State(); {
	case err == nil:
		return nil
	case state == Ended || errors.Is(err, frontier.ErrClosed):
		return &varve.Error{Kind: varve.Unavailable, Op: op, Msg: "the crawl has ended"}
	}
	return err
}

func (r *Run) controlURLs(req *http.Request) (any, error) {
	body, err := readBody("urls", req)
	if err != nil {
		return nil, err
	}
	list, err := decodeUpdates(body)
	if err != nil {
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
				HopPath: string(scope.HopListed), Band: bandPage, Score: u.Score, Depth: 1,
			},
		})
	}
	rep, err := r.frontier.Update(req.Context(), updates)
	r.events.add("urls", "given", len(list), "new", rep.New, "updated", rep.Updated, "dropped", rep.Dropped)
	r.Wake()
	return rep, r.asked("urls", err)
}

func (r *Run) controlQueue(req *http.Request) (any, error) {
	q := req.URL.Query()
	items, cursor, err := r.frontier.List(q.Get("host"), q.Get("cursor"), limitOf(q.Get("limit"), 100, 1000))
	if err = r.asked("queue", err); err != nil && varve.KindOf(err) == varve.Internal && q.Get("cursor") != "" {
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

func (r *Run) controlHosts(req *http.Request) (any, error) {
	by := map[string]frontier.Metric{"": frontier.ByQueued, "queued": frontier.ByQueued, "done": frontier.ByDone, "failed": frontier.ByFailed, "bytes": frontier.ByBytes}
	m, ok := by[req.URL.Query().Get("by")]
	if !ok {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "hosts", Msg: "by is queued, done, failed or bytes"}
	}
	hosts, err := r.frontier.TopHosts(m, limitOf(req.URL.Query().Get("limit"), 50, 1000))
	return hosts, r.asked("hosts", err)
}

// controlScope puts new rules and settings in force; running visits end under the old ones.
func (r *Run) controlScope(req *http.Request) (any, error) {
	set, err := readScope(req)
	if err != nil {
		return nil, err
	}
	r.steering.Lock()
	defer r.steering.Unlock()
	def := set.Definition()
	if err := r.scope.Swap(def); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err}
	}
	if err := r.keepDefinition(); err != nil {
		return nil, err
	}
	r.events.add("scope", "by", asker(req), "rules", len(def.Rules), "domains", len(def.Domains), "now", def)
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
			for len(events) > 0 { // the last ones, "ended" among them
				fmt.Fprintf(w, "data: %s\n\n", <-events)
			}
			return
		}
	}
}
