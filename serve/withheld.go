package serve

import (
	"context"

	"varve"
	"varve/coherence/graph"
	"varve/coherence/report"
	"varve/serve/access"
	"varve/serve/coherence"
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
