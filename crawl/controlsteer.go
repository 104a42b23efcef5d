package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"varve"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// Priority gives the URLs below a prefix a score of their own, whatever else is known of them.
type Priority struct {
	Prefix string  `json:"prefix"` // host[:port]/path, without a scheme
	Score  float64 `json:"score"`  // 1: before all others; 0: last
}

// Bounds of priorities.
const (
	maxPriorities = 200
	maxReranked   = 200_000 // URLs of a queue that one request looks at
)

// parsePriority reads a prefix as people write it: an address, or a host.
func parsePriority(p Priority) (Priority, error) {
	raw := strings.TrimSpace(p.Prefix)
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := canon.Parse(raw)
	if err != nil || !u.IsHTTP() || len(raw) > 4000 {
		return p, fmt.Errorf("%q is no host and no address", clipText(p.Prefix, 200))
	}
	if p.Score < 0 || p.Score > 1 {
		return p, fmt.Errorf("the score %g is not in [0,1]", p.Score)
	}
	p.Prefix = u.HostPort() + u.WithoutFragment().Target()
	return p, nil
}

// covers tells whether a URL lies below the prefix.
func (p Priority) covers(u canon.URL) bool {
	host, path, _ := strings.Cut(p.Prefix, "/")
	return u.HostPort() == host && strings.HasPrefix(u.Target(), "/"+path)
}

// prioritise gives the score of a URL that was found: that of the longest prefix, if there is one.
func (r *Run) prioritise(u canon.URL, score float64) float64 {
	list := *r.priorities.Load()
	best := -1
	for i, p := range list {
		if p.covers(u) && (best < 0 || len(p.Prefix) > len(list[best].Prefix)) {
			best = i
		}
	}
	if best < 0 {
		return score
	}
	return list[best].Score
}

// Reranked tells what came of a priority.
type Reranked struct {
	Priorities []Priority `json:"priorities"` // now in force
	Looked     int        `json:"looked"`     // URLs of the queue
	Changed    int        `json:"changed"`
	Whole      bool       `json:"whole"` // all of the queue was looked at
}

// controlPriority puts a priority in force, or lifts it, and re-ranks what is queued below its prefix.
func (r *Run) controlPriority(req *http.Request) (any, error) {
	body, err := readBody("priorities", req)
	if err != nil {
		return nil, err
	}
	var ask struct {
		Priority
		Lift bool `json:"lift,omitempty"`
	}
	if err = decodeOne(body, &ask); err == nil {
		ask.Priority, err = parsePriority(ask.Priority)
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "priorities", Err: err, Hint: `{"prefix":"news.example/politics/","score":1}, or "lift":true`}
	}
	if r.coh != nil {
		return nil, &varve.Error{Kind: varve.Conflict, Op: "priorities", Msg: "the order of this crawl is planned for coherence", Hint: "pause or leave out hosts by rules instead, or crawl without strategy and revisits"}
	}
	r.steering.Lock()
	defer r.steering.Unlock()
	was := *r.priorities.Load()
	list := slices.DeleteFunc(slices.Clone(was), func(p Priority) bool { return p.Prefix == ask.Prefix })
	if !ask.Lift {
		list = append(list, ask.Priority)
	}
	if len(list) > maxPriorities {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "priorities", Msg: fmt.Sprintf("%d are in force, more are not taken", maxPriorities), Hint: "lift some"}
	}
	r.priorities.Store(&list)
	if err := r.keepDefinition(); err != nil {
		r.priorities.Store(&was)
		return nil, err
	}
	rep, err := r.rerank(req.Context(), ask.Priority, ask.Lift)
	rep.Priorities = list
	r.events.add("priority", "by", asker(req), "prefix", ask.Prefix, "score", ask.Score, "lifted", ask.Lift, "changed", rep.Changed)
	r.Wake()
	return rep, r.asked("priorities", err)
}

// rerank gives the queued URLs below a prefix their score; lifted, that of other URLs.
func (r *Run) rerank(ctx context.Context, p Priority, lift bool) (rep Reranked, err error) {
	host, _, _ := strings.Cut(p.Prefix, "/")
	done := map[string]bool{}
	for cursor := ""; ; {
		list, next, err := r.frontier.List(host, cursor, 1000)
		if err != nil {
			return rep, err
		}
		var updates []frontier.ScoreUpdate
		for _, l := range list {
			u, err := canon.Parse(l.Item.URL)
			if err != nil || !p.covers(u) || done[l.Item.Key] || isAgain(l.Item.Key) {
				continue
			}
			done[l.Item.Key] = true
			score := p.Score
			if lift {
				score = r.prioritise(u, plainScore)
			}
			if score != l.Item.Score {
				l.Item.Score = score
				updates = append(updates, frontier.ScoreUpdate{Item: l.Item})
			}
		}
		rep.Looked += len(list)
		got, err := r.frontier.Update(ctx, updates)
		rep.Changed += got.Updated
		if cursor = next; cursor == "" || err != nil || rep.Looked >= maxReranked {
			rep.Whole = cursor == ""
			return rep, err
		}
	}
}

// Preview tells what rules would do to what is queued now.
type Preview struct {
	Queued   int64       `json:"queued"`
	Looked   int         `json:"looked"` // URLs of the queue
	Dropped  int         `json:"dropped"`
	Whole    bool        `json:"whole"`    // all of the queue was looked at
	Examples []ScopeTest `json:"examples"` // of dropped ones
}

// maxPreview bounds the queued URLs that a preview looks at.
const maxPreview = 20_000

// controlPreview asks new rules about what is queued, without putting them in force.
func (r *Run) controlPreview(req *http.Request) (any, error) {
	set, err := readScope(req)
	if err != nil {
		return nil, err
	}
	now := r.scope.Load()
	p := Preview{Queued: r.frontier.Stats().Queued, Examples: []ScopeTest{}}
	for cursor := ""; ; {
		list, next, err := r.frontier.List("", cursor, 1000)
		if err != nil {
			return nil, r.asked("preview", err)
		}
		for _, l := range list {
			if l.Item.HopPath == "" || isAgain(l.Item.Key) {
				continue // seeds and revisits are not asked about
			}
			c, err := scope.CandidateOf(l.Item.URL, l.Item.HopPath)
			if err != nil {
				continue
			}
			c.Via, _ = canon.Parse(l.Item.Via)
			if d := set.Decide(&c, r.seeds); !d.Accepted() && now.Decide(&c, r.seeds).Accepted() {
				if p.Dropped++; len(p.Examples) < 20 {
					p.Examples = append(p.Examples, ScopeTest{URL: l.Item.URL, Decision: d, Opinions: []scope.Opinion{}})
				}
			}
		}
		p.Looked += len(list)
		if cursor = next; cursor == "" || p.Looked >= maxPreview || req.Context().Err() != nil {
			p.Whole = cursor == ""
			return p, nil
		}
	}
}

// readScope reads rules from the body of a request: TOML, or JSON where its type says so.
func readScope(req *http.Request) (*scope.Set, error) {
	text, err := readBody("scope", req)
	if err != nil {
		return nil, err
	}
	var set *scope.Set
	if strings.HasPrefix(req.Header.Get("Content-Type"), "application/json") {
		var def scope.Definition
		if err = decodeOne(text, &def); err == nil {
			set, err = scope.NewSet(def)
		}
	} else {
		set, err = scope.Parse(string(text))
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err}
	}
	return set, nil
}

// decodeOne reads one JSON value and nothing else.
func decodeOne(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("something follows at byte %d", d.InputOffset())
	}
	return nil
}
