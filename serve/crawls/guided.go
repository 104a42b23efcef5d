package crawls

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"varve"
	"varve/crawl/guide"
	"varve/crawl/relevance"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/web/canon"
)

// About returns what a running crawl is about now.
func (h *Helm) About(ctx context.Context, k *holdings.Crawl) (a relevance.About, err error) {
	return a, k.Tell(ctx, "", http.MethodGet, "about", nil, &a)
}

// SetAbout changes what a running crawl is about, and tells the audit log who wants it. What waits is scored again while the crawl goes on; the
// plan stays as it is.
func (h *Helm) SetAbout(ctx context.Context, k *holdings.Crawl, a relevance.About, by string) (relevance.About, error) {
	if err := a.Check(); err != nil {
		return a, &varve.Error{Kind: varve.Invalid, Op: "what the crawl is about", Err: err}
	}
	was, err := h.About(ctx, k)
	if err != nil {
		return was, err
	}
	entry := access.Entry{Time: h.Now(), By: by, Did: "change what a crawl is about", Collection: k.Collection, What: k.ID, Detail: changed(&was, &a)}
	if err := h.Audit.Append(entry); err != nil {
		return was, errAudit(err)
	}
	var now relevance.About
	if err := k.Tell(ctx, by, http.MethodPut, "about", a, &now); err != nil {
		entry.Did += " failed"
		entry.Detail = err.Error()
		return was, errors.Join(err, h.Audit.Append(entry))
	}
	return now, nil
}

// changed says in a line what is other in a definition.
func changed(was, now *relevance.About) string {
	var out []string
	for _, m := range Modules(was) {
		for _, n := range Modules(now) {
			if n.Name == m.Name && n.Weight != m.Weight {
				out = append(out, fmt.Sprintf("weight of %s %g instead of %g", m.Name, n.Weight, m.Weight))
			}
		}
	}
	for _, c := range []struct {
		what     string
		was, now int
	}{
		{"keywords", len(was.Keywords), len(now.Keywords)},
		{"names", len(was.Entities), len(now.Entities)},
		{"reference pages", len(was.References), len(now.References)},
		{"events", len(was.Events), len(now.Events)},
		{"patterns", len(was.Patterns), len(now.Patterns)},
		{"languages", len(was.Languages), len(now.Languages)},
	} {
		if c.was != c.now {
			out = append(out, fmt.Sprintf("%d %s instead of %d", c.now, c.what, c.was))
		}
	}
	if was.Relevant() != now.Relevant() {
		out = append(out, fmt.Sprintf("threshold %g instead of %g", now.Relevant(), was.Relevant()))
	}
	return cmp.Or(strings.Join(out, ", "), "words only")
}

// Module is a module of a definition with the weight it has there.
type Module struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Usual  float64 `json:"usual"` // of a definition that does not weigh it
}

// Modules returns the modules with their weights in a definition, by name.
func Modules(a *relevance.About) (out []Module) {
	usual := relevance.DefaultWeights()
	for _, name := range slices.Sorted(maps.Keys(usual)) {
		m := Module{name, usual[name], usual[name]}
		if w, given := a.Weights[name]; given {
			m.Weight = w
		}
		out = append(out, m)
	}
	return out
}

// Why explains the score of an address in a running crawl to somebody who may see it, and the page on which it was found.
func (h *Helm) Why(ctx context.Context, k *holdings.Crawl, address string, may May) (w guide.Why, err error) {
	u, err := canon.Parse(strings.TrimSpace(address))
	if err != nil {
		return w, &varve.Error{Kind: varve.Invalid, Op: "explain a score", Err: err, Hint: "a whole address, as https://news.example/flood"}
	}
	hidden := func(url string) bool { return url != "" && may != nil && !may(canon.SURT(url), h.Now()) }
	none := &varve.Error{Kind: varve.NotFound, Op: "explain a score", Msg: "the crawl does not know this address, or you may not see it"}
	if hidden(u.String()) {
		return w, none
	}
	err = k.Tell(ctx, "", http.MethodGet, "why?url="+url.QueryEscape(u.String()), nil, &w)
	if varve.KindOf(err) == varve.NotFound || err == nil && hidden(w.Found) {
		return guide.Why{}, none
	}
	return w, err
}
