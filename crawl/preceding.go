package crawl

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"varve/archive/warc"
	"varve/crawl/frontier"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/wire"
)

// preceding is what the records before an answer say of it, when a WARC file is replayed. They stand
// before it where a replay needs them: what a collector asked for may be no plain GET of a queued URL, and
// a page that was collected has links that are not in its source.
type preceding struct {
	id    string // of the answer
	via   string
	hops  string
	asked *question // nil: a plain GET
	links []links.Link

	collector string // who had gone further
}

// of gives what is known of an answer: nothing, if the records before it were about another.
func (p *preceding) of(id string) *preceding {
	if p == nil || p.id != id {
		return new(preceding)
	}
	return p
}

// note reads a record that is no answer.
func (p *preceding) note(rec *warc.Record) error {
	about := rec.Header.Get(warc.FieldConcurrentTo)
	if about == "" || rec.Type() != warc.TypeRequest && rec.Type() != warc.TypeMetadata {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(rec.Block, maxAsked+maxHead))
	if err != nil {
		return fmt.Errorf("%s of %s: %w", rec.Type(), rec.TargetURI(), err)
	}
	if about != p.id {
		*p = preceding{id: about}
	}
	if rec.Type() == warc.TypeRequest {
		p.request(b)
	} else {
		p.fields(b)
	}
	return nil
}

// request notes how the answer was asked for, if it was no plain GET.
func (p *preceding) request(b []byte) {
	head, err := wire.ParseHead(b)
	if err != nil {
		return
	}
	q := &question{method: head.Method, body: b[head.Size:]}
	if q.method == http.MethodGet {
		q.method = ""
	}
	if ranged := head.Header.Get("Range"); ranged != "" {
		q.header.Add("Range", ranged)
	}
	if !q.plain() {
		p.asked = q
	}
}

// fields notes how the answer was found, and, where a collector went further, all links.
func (p *preceding) fields(b []byte) {
	collected := bytes.Contains(b, []byte("\r\ncollector: "))
	for line := range strings.SplitSeq(string(b), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "via":
			p.via = value
		case "collector":
			p.collector = value
		case "hopsFromSeed":
			p.hops = value
		case "outlink":
			if l, ok := parseOutlink(value); ok && collected {
				p.links = append(p.links, l)
			}
		}
	}
}

// key is the frontier key of the answer.
func (p *preceding) key(u canon.URL) string {
	if p.asked == nil {
		return u.FrontierKey()
	}
	return requestKey(p.asked.method, u.FrontierKey(), p.asked.header.Get("Range"), p.asked.body)
}

// part tells answers that a collector asked for.
func (p *preceding) part() bool { return p.via != "" && p.hops != "" && p.hops != "P" }

// item is what the frontier would know of the URL.
func (p *preceding) item(u canon.URL) frontier.Item {
	hop := links.HopLink
	if h, ok := hopOf(p.hops[len(p.hops)-1:]); ok {
		hop = h
	}
	return frontier.Item{
		Key: p.key(u), URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
		Via: p.via, HopPath: p.hops, Band: bandOf(hop, p.hops[:len(p.hops)-1]), Score: plainScore, Depth: len(p.hops),
	}
}

// parseOutlink reads what appendOutlink wrote; the anchor is left out.
func parseOutlink(s string) (links.Link, bool) {
	f := strings.SplitN(s, " ", 4)
	if len(f) < 3 {
		return links.Link{}, false
	}
	l := links.Link{URL: f[0]}
	hop, ok := hopOf(f[1])
	l.Hop = hop
	return l, ok && l.Kind.UnmarshalText([]byte(f[2])) == nil
}

// hopOf is the inverse of hopLetter.
func hopOf(letter string) (links.Hop, bool) {
	for h := range links.NumHops {
		if hopLetter(h) == letter {
			return h, true
		}
	}
	return 0, false
}

// followNoted queues links that a collector had found.
func (w *Worker) followNoted(v *Visit, found []links.Link) {
	w.items = w.items[:0]
	for i := range found {
		w.queue(v, &found[i], plainScore, false, v.nofollow)
	}
	v.links = append(slices.Clip(v.links), w.items...)
	w.forget(w.found)
}
