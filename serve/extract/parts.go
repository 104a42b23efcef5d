package extract

import (
	"context"
	"errors"
	"strings"
	"time"

	"varve/archive/warc"
	"varve/page"
	"varve/serve/holdings"
	"varve/serve/replay"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/wire"
)

// Bounds of the parts of one page: how deep (page, style sheet, what it imports, a font), how many, and how much of
// a document is looked through.
const (
	maxDepth    = 4
	maxParts    = 2000
	maxDocument = 16 << 20
)

// parts copies what a page is made of: pictures, style sheets, scripts, fonts, frames, and what these need in turn. Of
// each the capture is taken that replay would show with the page.
func (x *extraction) parts(ctx context.Context, collection string, page holdings.IndexedCapture) error {
	p := &partsOf{x: x, collection: collection, at: page.Time, seen: map[string]bool{canon.SURT(page.URL): true}}
	return p.of(ctx, page, 0)
}

// partsOf is the work on one page.
type partsOf struct {
	x          *extraction
	collection string
	at         time.Time
	seen       map[string]bool // by index key
}

// of copies the parts of a document.
func (p *partsOf) of(ctx context.Context, c holdings.IndexedCapture, depth int) error {
	list, err := p.x.needs(ctx, p.collection, c)
	if err != nil || depth == maxDepth {
		return err
	}
	for _, url := range list {
		key := canon.SURT(url)
		if p.seen[key] || len(p.seen) > maxParts {
			continue
		}
		p.seen[key] = true
		part, ok, err := p.choose(ctx, url)
		if err != nil {
			return err
		}
		if !ok {
			p.x.sum.Absent++
			continue
		}
		before := p.x.sum.Records
		if err := p.x.capture(ctx, p.collection, part); err != nil {
			return err
		}
		p.x.sum.Parts += p.x.sum.Records - before
		if err := p.of(ctx, part, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// choose finds the capture of a part by the rule of replay.
func (p *partsOf) choose(ctx context.Context, url string) (holdings.IndexedCapture, bool, error) {
	q := holdings.Query{Collection: p.collection, URL: url, From: p.at.Add(-replay.DefaultSpan), To: p.at.Add(replay.DefaultSpan)}
	var all []replay.Found
	byPlace := map[replay.Found]holdings.IndexedCapture{}
	for c, err := range p.x.src.Captures(ctx, q) {
		if err != nil {
			return holdings.IndexedCapture{}, false, err
		}
		at := replay.Found{Capture: c.Capture, Key: c.Key}
		all, byPlace[at] = append(all, at), c
	}
	best, ok := replay.Part(all, p.at)
	return byPlace[best], ok, nil
}

// needs gives the addresses that a document is made of; of a redirect, where it leads. What was found of the document
// read last is kept: captures of one version come one after the other.
func (x *extraction) needs(ctx context.Context, collection string, c holdings.IndexedCapture) ([]string, error) {
	if c.Digest != "" && c.Digest != "-" && x.read.digest == c.Digest && x.read.url == c.URL {
		return x.read.needs, nil
	}
	var out []string
	switch {
	case c.Status >= 300 && c.Status < 400 && !c.Revisit:
		to, err := x.leadsTo(collection, c)
		if err != nil {
			return nil, err
		}
		out = append(out, to...)
	case c.Revisit || mayEmbed(c.MIME):
		content, err := x.src.Content(ctx, collection, c, maxDocument)
		if err != nil {
			return nil, ctx.Err() // it was copied, or its original is not here: its parts cannot be known
		}
		if !mayEmbed(wire.MediaType(content.MIME)) {
			return nil, nil
		}
		each := func(l links.Link) {
			if l.Hop == links.HopEmbed && isWeb(l.URL) {
				out = append(out, strings.Clone(l.URL))
			}
		}
		if _, err := page.NewReader().Read(page.Input{URL: c.URL, MIME: content.MIME, Body: content.Body}, page.Want{Brief: true, Links: each}); err != nil {
			return nil, nil //nolint:nilerr // nothing can be found in it; the record itself is copied
		}
	}
	x.read.url, x.read.digest, x.read.needs = c.URL, c.Digest, out
	return out, nil
}

// leadsTo reads where a redirect leads.
func (x *extraction) leadsTo(collection string, c holdings.IndexedCapture) (out []string, err error) {
	file, err := x.src.File(collection, c.File)
	if err != nil {
		return nil, err
	}
	err = holdings.WithRecord(file, warc.PlaceOf(c.Capture), func(rec *warc.Record) error {
		h, err := rec.HTTP()
		if errors.Is(err, warc.ErrNoHTTP) {
			return nil
		}
		if err != nil {
			return err
		}
		from, err := canon.Parse(c.URL)
		if err != nil {
			return nil //nolint:nilerr // it leads nowhere
		}
		if to, err := from.Resolve(h.Header.Get("Location")); err == nil && isWeb(to.String()) {
			out = []string{to.String()}
		}
		return nil
	})
	return out, err
}

// mayEmbed tells types of documents that are made of others.
func mayEmbed(mime string) bool {
	switch mime {
	case "text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/javascript", "application/javascript", "application/x-javascript":
		return true
	}
	return false
}

func isWeb(u string) bool { return strings.HasPrefix(u, "http://") || strings.HasPrefix(u, "https://") }
