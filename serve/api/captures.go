package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/serve/compare"
	"varve/serve/holdings"
	"varve/web/canon"
)

// maxSeen bounds the captures that one request looks at.
const maxSeen = 500_000

func (a *API) pages(r *http.Request) (any, error) {
	limit, err := limitOf(r, defaultLimit, maxLimit)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	ask := holdings.Query{Collection: r.PathValue("collection"), After: q.Get("cursor"), Limit: maxSeen}
	ask.Match, ask.URL = holdings.Typed(q.Get("url"))
	var keep func(*holdings.HeldPage) bool
	if q.Get("type") == "page" {
		keep = func(p *holdings.HeldPage) bool { return holdings.IsPage(p.MIME) }
	}
	list, cursor, err := holdings.Pages(a.cfg.Index.Captures(r.Context(), ask), keep, limit)
	if err != nil {
		return nil, err
	}
	out := all(list)
	out.Next = cursor
	return out, nil
}

// captures are listed by key and time; the cursor names the last one given.
func (a *API) captures(r *http.Request) (any, error) {
	limit, err := limitOf(r, defaultLimit, maxLimit)
	if err != nil {
		return nil, err
	}
	target, err := urlOf(r)
	if err != nil {
		return nil, err
	}
	from, to, err := spanOf(r)
	if err != nil {
		return nil, err
	}
	match := canon.Match(r.URL.Query().Get("match"))
	switch match {
	case "", canon.MatchExact, canon.MatchPrefix, canon.MatchHost, canon.MatchDomain:
	default:
		return nil, invalid("match", string(match), "exact, prefix, host or domain")
	}
	after, err := captureCursor(r.URL.Query().Get("cursor"))
	if err != nil {
		return nil, err
	}
	var now cursor
	out := all[holdings.IndexedCapture](nil)
	for c, err := range a.cfg.Index.Captures(r.Context(), holdings.Query{Collection: r.PathValue("collection"), URL: target, Match: match, From: from, To: to}) {
		if err != nil {
			return nil, err
		}
		before := now
		if now = (cursor{c.Key, cdxj.Timestamp17(c.Time), 1}); now.key == before.key && now.at == before.at {
			now.seen = before.seen + 1
		}
		if after.passed(&now) {
			continue
		}
		if len(out.Items) == limit {
			out.Next = before.String()
			break
		}
		out.Items = append(out.Items, c)
	}
	return out, nil
}

// cursor is the place of a capture in a list: its key and time, and its number among those that have both.
type cursor struct {
	key, at string
	seen    int // 0: all of them, as cursors of earlier versions mean
}

// String writes "KEY TIME!NUMBER".
func (c *cursor) String() string { return c.key + " " + c.at + "!" + strconv.Itoa(c.seen) }

// passed reports whether a capture stands before the place, or at it.
func (c *cursor) passed(o *cursor) bool {
	return c.key != "" && (o.key < c.key || o.key == c.key && (o.at < c.at || o.at == c.at && (c.seen == 0 || o.seen <= c.seen)))
}

func captureCursor(text string) (c cursor, err error) {
	if text == "" {
		return c, nil
	}
	bad := invalid("cursor", text, "take next of the page before")
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		return c, bad
	}
	at, seen, counted := strings.Cut(text[i+1:], "!")
	if counted {
		if c.seen, err = strconv.Atoi(seen); err != nil || c.seen < 1 {
			return c, bad
		}
	}
	if len(at) != 17 {
		return c, bad
	}
	c.key, c.at = text[:i], at
	return c, nil
}

// list gives the captures of a URL, at least one.
func (a *API) list(r *http.Request, target string) ([]holdings.IndexedCapture, error) {
	var out []holdings.IndexedCapture
	for c, err := range a.cfg.Index.Captures(r.Context(), holdings.Query{Collection: r.PathValue("collection"), URL: target, Limit: maxSeen}) {
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "find " + target, Msg: "there is no capture of it that you may see"}
	}
	return out, nil
}

func (a *API) versions(r *http.Request) (any, error) {
	target, err := urlOf(r)
	if err != nil {
		return nil, err
	}
	list, err := a.list(r, target)
	if err != nil {
		return nil, err
	}
	return all(holdings.Versions(list, nil)), nil
}

// valid passes questions about spans of time on to the temporal index.
func (a *API) valid(w http.ResponseWriter, r *http.Request) error {
	if a.cfg.Versions == nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask for versions", Msg: "there is no temporal index here"}
	}
	a.cfg.Versions.ServeHTTP(w, r)
	return nil
}

func (a *API) siteMap(r *http.Request) (any, error) {
	from, to, err := spanOf(r)
	if err != nil {
		return nil, err
	}
	match, target := holdings.Typed(r.URL.Query().Get("url"))
	base := ""
	if match == canon.MatchPrefix {
		base = target[:strings.LastIndex(target, "/")+1]
	}
	ask := holdings.Query{Collection: r.PathValue("collection"), URL: target, Match: match}
	return holdings.Map(a.cfg.Index.Captures(r.Context(), ask), from, to, base, maxSeen)
}

// maxContent is how much of a capture is compared.
const maxContent = 8 << 20

func (a *API) compare(r *http.Request) (any, error) {
	target, err := urlOf(r)
	if err != nil {
		return nil, err
	}
	list, err := a.list(r, target)
	if err != nil {
		return nil, err
	}
	var out Comparison
	var docs [2]compare.Document
	for i, name := range []string{"a", "b"} {
		at, err := timeOf(r, name, false)
		if err != nil {
			return nil, err
		}
		if at.IsZero() {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "read the parameter " + name, Msg: "it is missing", Hint: "the time of a capture, 14 digits"}
		}
		c := nearest(list, at)
		got, err := a.cfg.Contents.Content(r.Context(), r.PathValue("collection"), c, maxContent)
		if err != nil {
			return nil, err
		}
		docs[i] = compare.Document{URL: c.URL, MIME: got.MIME, Body: got.Body}
		if i == 0 {
			out.A = c
		} else {
			out.B = c
		}
	}
	out.Result, err = compare.Documents(docs[0], docs[1])
	return out, err
}

func nearest(list []holdings.IndexedCapture, at time.Time) holdings.IndexedCapture {
	best := list[0]
	for _, c := range list[1:] {
		if c.Time.Sub(at).Abs() < best.Time.Sub(at).Abs() {
			best = c
		}
	}
	return best
}
