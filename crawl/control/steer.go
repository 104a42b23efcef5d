package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"varve"
	"varve/crawl"
	"varve/crawl/guide"
	"varve/crawl/relevance"
	"varve/crawl/scope"
	"varve/web/canon"
)

// maxPriorities bounds those in force.
const maxPriorities = 200

// controlPriority puts a priority in force, or lifts it, and re-ranks what is queued below its prefix.
func (c *Stage) controlPriority(req *http.Request) (any, error) {
	body, err := readBody("priorities", req)
	if err != nil {
		return nil, err
	}
	var ask struct {
		crawl.Priority
		Lift bool `json:"lift,omitempty"`
	}
	if err = decodeOne(body, &ask); err == nil {
		ask.Priority, err = crawl.ParsePriority(ask.Priority)
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "priorities", Err: err, Hint: `{"prefix":"news.example/politics/","score":1}, or "lift":true`}
	}
	if c.r.Ordered() {
		return nil, &varve.Error{Kind: varve.Conflict, Op: "priorities", Msg: "the order of this crawl is planned for coherence", Hint: "pause or leave out hosts by rules instead, or crawl without strategy and revisits"}
	}
	for _, s := range c.r.Stages() {
		if g, ok := s.(guided); ok {
			rep, err := c.prioritise(req, g, ask.Priority, ask.Lift)
			return rep, c.asked("priorities", err)
		}
	}
	return nil, &varve.Error{Kind: varve.Conflict, Op: "priorities", Msg: "this crawl takes no priorities"}
}

// guided is a stage that gives URLs below prefixes a score.
type guided interface {
	Priorities() []crawl.Priority
	Set(list []crawl.Priority)
	Rerank(ctx context.Context, p crawl.Priority, lift bool) (guide.Reranked, error)
}

// prioritise puts a priority in force, or lifts it.
func (c *Stage) prioritise(req *http.Request, g guided, p crawl.Priority, lift bool) (rep guide.Reranked, err error) {
	c.steering.Lock()
	defer c.steering.Unlock()
	if all := c.r.Commander(); all != nil {
		_, err := all.Order(req.Context(), asker(req), func(o *crawl.Orders) error {
			was := g.Priorities()
			if o.Priorities != nil {
				was = *o.Priorities
			}
			list, err := withPriority(was, p, lift)
			o.Priorities = &list
			return err
		})
		rep.Priorities = g.Priorities()
		return rep, err
	}
	was := g.Priorities()
	list, err := withPriority(was, p, lift)
	if err != nil {
		return rep, err
	}
	g.Set(list)
	if err := c.r.KeepDefinition(); err != nil {
		g.Set(was)
		return rep, err
	}
	rep, err = g.Rerank(req.Context(), p, lift)
	c.r.Event("priority", "by", asker(req), "prefix", p.Prefix, "score", p.Score, "lifted", lift, "changed", rep.Changed)
	c.r.Wake()
	return rep, err
}

// withPriority returns the priorities with one more, or without it.
func withPriority(was []crawl.Priority, p crawl.Priority, lift bool) ([]crawl.Priority, error) {
	list := slices.DeleteFunc(slices.Clone(was), func(o crawl.Priority) bool { return o.Prefix == p.Prefix })
	if !lift {
		list = append(list, p)
	}
	if len(list) > maxPriorities {
		return was, &varve.Error{Kind: varve.Invalid, Op: "priorities", Msg: fmt.Sprintf("%d are in force, more are not taken", maxPriorities), Hint: "lift some"}
	}
	return list, nil
}

// controlPause pauses the crawl, or goes on with it: on all of its nodes.
func (c *Stage) controlPause(req *http.Request) (any, error) {
	paused, why := strings.HasSuffix(req.URL.Path, "/pause"), "by "+asker(req)
	all := c.r.Commander()
	switch {
	case all != nil:
		_, err := all.Order(req.Context(), asker(req), func(o *crawl.Orders) error {
			o.Paused, o.Stopped, o.Why = paused, false, ""
			if paused {
				o.Why = why
			}
			return nil
		})
		return c.r.Progress(), err
	case paused:
		c.r.Pause(why)
	default:
		c.r.Resume()
	}
	return c.r.Progress(), nil
}

// controlStop ends this run; of several, with all=1, all of them.
func (c *Stage) controlStop(req *http.Request) (any, error) {
	why := "by " + asker(req)
	if all := c.r.Commander(); all != nil && req.URL.Query().Get("all") != "" {
		_, err := all.Order(req.Context(), asker(req), func(o *crawl.Orders) error {
			o.Stopped, o.Why = true, why
			return nil
		})
		return c.r.Progress(), err
	}
	c.r.Stop(why)
	return c.r.Progress(), nil
}

// Steer is part of crawl.Steered: priorities, and what a guided crawl is about, as they were decided at any of its nodes.
func (c *Stage) Steer(ctx context.Context, was, now crawl.Orders) error {
	if now.Priorities != nil && !reflect.DeepEqual(was.Priorities, now.Priorities) {
		for _, s := range c.r.Stages() {
			if g, ok := s.(guided); ok {
				if err := c.follow(ctx, g, *now.Priorities); err != nil {
					return err
				}
			}
		}
	}
	if len(now.About) == 0 || bytes.Equal(was.About, now.About) {
		return nil
	}
	j, err := c.judged("about")
	if err != nil {
		return nil //nolint:nilerr // it was refused where it was asked for
	}
	var about relevance.About
	if err := json.Unmarshal(now.About, &about); err != nil {
		return err
	}
	return j.SetAbout(about)
}

// follow puts a list of priorities in force: what is new or changed re-ranks the queue, and what is gone.
func (c *Stage) follow(ctx context.Context, g guided, list []crawl.Priority) error {
	was := g.Priorities()
	g.Set(list)
	if err := c.r.KeepDefinition(); err != nil {
		g.Set(was)
		return err
	}
	for _, p := range was {
		if !slices.ContainsFunc(list, func(o crawl.Priority) bool { return o.Prefix == p.Prefix }) {
			if _, err := g.Rerank(ctx, p, true); err != nil {
				return err
			}
		}
	}
	for _, p := range list {
		if !slices.Contains(was, p) {
			if _, err := g.Rerank(ctx, p, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// controlLimits puts other limits in force.
func (c *Stage) controlLimits(req *http.Request) (any, error) {
	body, err := readBody("limits", req)
	if err != nil {
		return nil, err
	}
	var l crawl.Limits
	if err := decodeOne(body, &l); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "limits", Err: err, Hint: `{"maxPages":5000,"maxBytes":10000000000,"maxTime":"12h"}; what is missing has no limit`}
	}
	was := c.r.Limits()
	if all := c.r.Commander(); all != nil {
		if err = l.Check(); err == nil {
			_, err = all.Order(req.Context(), asker(req), func(o *crawl.Orders) error { o.Limits = &l; return nil })
		}
	} else {
		err = c.r.SetLimits(l)
	}
	if err != nil {
		return nil, err
	}
	c.r.Event("limits", "by", asker(req), "was", was, "now", l)
	return l, nil
}

// asker tells who steers: those who pass requests on say it in a header.
func asker(req *http.Request) string {
	by := req.Header.Get("Varve-By")
	if by == "" {
		by = "request"
	}
	return strings.ToValidUTF8(by[:min(len(by), 200)], "")
}

// Preview tells what rules would do to what is queued now.
type Preview struct {
	Queued   int64             `json:"queued"`
	Looked   int               `json:"looked"` // URLs of the queue
	Dropped  int               `json:"dropped"`
	Whole    bool              `json:"whole"`    // all of the queue was looked at
	Examples []crawl.ScopeTest `json:"examples"` // of dropped ones
}

// maxPreview bounds the queued URLs that a preview looks at.
const maxPreview = 20_000

// controlPreview asks new rules about what is queued, without putting them in force.
func (c *Stage) controlPreview(req *http.Request) (any, error) {
	set, err := readScope(req)
	if err != nil {
		return nil, err
	}
	now := c.r.Rules()
	p := Preview{Queued: c.r.Frontier().Stats().Queued, Examples: []crawl.ScopeTest{}}
	for cursor := ""; ; {
		list, next, err := c.r.Frontier().List("", cursor, 1000)
		if err != nil {
			return nil, c.asked("preview", err)
		}
		for _, l := range list {
			if l.Item.HopPath == "" || crawl.IsAgain(l.Item.Key) {
				continue // seeds and revisits are not asked about
			}
			found, err := scope.CandidateOf(l.Item.URL, l.Item.HopPath)
			if err != nil {
				continue
			}
			found.Via, _ = canon.Parse(l.Item.Via)
			if d := set.Decide(&found, c.r.Seeds()); !d.Accepted() && now.Decide(&found, c.r.Seeds()).Accepted() {
				if p.Dropped++; len(p.Examples) < 20 {
					p.Examples = append(p.Examples, crawl.ScopeTest{URL: l.Item.URL, Decision: d, Opinions: []scope.Opinion{}})
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
