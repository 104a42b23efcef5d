package focus

import (
	"context"
	"fmt"
	"html"
	"strings"

	"varve/crawl/relevance"
	"varve/curate/proposal"
)

// referencePages is how many pages a reference crawl fetches, as in the product.
const referencePages = 200

// proposals are the terms that a reference crawl proposes: pages from the seeds on, breadth first, read as the product reads them (curate/proposal).
func (w *Web) proposals(ctx context.Context, t *task) ([]proposal.Proposal, error) {
	fetched, err := w.crawl(t, way{update: "FIRST"}, referencePages)
	if err != nil {
		return nil, err
	}
	g := proposal.New()
	for n, i := range fetched {
		p := &w.pages[i]
		var b strings.Builder
		fmt.Fprintf(&b, "<html lang=en><title>%s</title><body><article>", html.EscapeString(p.title))
		for line := range strings.Lines(p.text) {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(strings.TrimSpace(line)))
		}
		b.WriteString("</article>")
		if err := g.Add(ctx, proposal.Page{URL: p.url, MIME: "text/html; charset=utf-8", Body: []byte(b.String()), Seed: n < len(t.seeds)}); err != nil {
			return nil, err
		}
	}
	var out []proposal.Proposal
	for _, p := range g.List("", t.about).Items {
		if p.Kind == proposal.Term {
			out = append(out, p)
		}
	}
	return out, nil
}

// accepted is the definition with the first terms of a list. Nobody looks at them: a curator would strike what does not belong, so this is the least
// that a reference crawl can do.
func (t *task) accepted(most int) (relevance.About, error) {
	about := t.about
	for _, p := range t.proposed[:min(most, len(t.proposed))] {
		if err := p.Add(&about); err != nil {
			return about, err
		}
	}
	return about, nil
}
