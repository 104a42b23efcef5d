package serve

import (
	"context"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/coherence/graph"
	"varve/coherence/report"
	"varve/serve/access"
	"varve/serve/coherence"
	"varve/serve/holdings"
)

// withheld refuses an answer about all pages of a collection where access rules keep something of it
// from the visitor: what is made for the whole collection knows no rules.
func withheld(ctx context.Context, rules *access.Decisions, collection, op, hint string) error {
	set, err := rules.InForce()
	if err != nil {
		return err
	}
	if set.Withholds(access.From(ctx), collection) {
		return &varve.Error{Kind: varve.Forbidden, Op: op + collection, Msg: "access rules withhold a part of this collection", Hint: hint}
	}
	return nil
}

// ruledDesk tells how well crawls hang together to those who may know of all their pages: reports and
// graphs list addresses.
type ruledDesk struct {
	*coherence.Desk
	rules *access.Decisions
}

const deskHint = "'varve coherence report' on the machine itself shows all of it"

// Report gives the report of a crawl.
func (d ruledDesk) Report(ctx context.Context, collection, crawl string) (*report.Report, error) {
	if err := withheld(ctx, d.rules, collection, "show the coherence of ", deskHint); err != nil {
		return nil, err
	}
	return d.Desk.Report(ctx, collection, crawl)
}

// Graph gives the tree of a crawl.
func (d ruledDesk) Graph(ctx context.Context, collection, crawl string) (*graph.Graph, error) {
	if err := withheld(ctx, d.rules, collection, "show the graph of ", deskHint); err != nil {
		return nil, err
	}
	return d.Desk.Graph(ctx, collection, crawl)
}

// effects tells what access rules would change, by the captures that whoever asks may see.
type effects struct {
	archive *catalog.Archive
	index   holdings.Index
	rules   *access.Decisions
	now     func() time.Time
}

// Effect returns what a rule would change.
func (e effects) Effect(ctx context.Context, r access.Rule) (access.Effect, error) {
	if err := r.Check(); err != nil {
		return access.Effect{}, &varve.Error{Kind: varve.Invalid, Op: "preview an access rule", Err: err}
	}
	set, err := e.rules.InForce()
	if err != nil {
		return access.Effect{}, err
	}
	names := []string{r.Collection}
	if r.Collection == "" {
		all, err := e.archive.Collections()
		if err != nil {
			return access.Effect{}, err
		}
		names = nil
		for _, c := range all {
			names = append(names, c.Name)
		}
	}
	after, until := r.Keys()
	return set.Effect(r, func(yield func(access.Capture, error) bool) {
		for _, name := range names {
			for c, err := range e.index.Captures(ctx, holdings.Query{Collection: name, After: after}) {
				if err == nil && until != "" && c.Key >= until {
					break
				}
				if !yield(access.Capture{Collection: name, Key: c.Key, URL: c.URL, Time: c.Time}, err) {
					return
				}
			}
		}
	}, e.now())
}
