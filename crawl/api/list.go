package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"varve/crawl/collect"
	"varve/web/links"
	"varve/web/wire"
)

// listRun is the state of paging through one list.
type listRun struct {
	first      string // the first request, by which the list is known
	base       string
	origin     string
	groups     []string // of when
	number     int      // page or offset
	cursor     string
	parent     any // an item of another list
	parentName string
}

// start begins a list of an interface found in a page; ok is false when the page is none for it.
func (l *List) start(f found, page string) (*listRun, bool) {
	r := &listRun{base: f.base, origin: originOf(f.base), number: l.Next.First}
	if l.when != nil {
		if r.groups = l.when.FindStringSubmatch(page); r.groups == nil {
			return nil, false
		}
	}
	r.first = l.Name + " " + f.base + " " + strings.Join(r.groups, " ")
	return r, true
}

// value gives what stands at a place of a template: of the paging, or of an item.
func (r *listRun) value(item any) values {
	return func(place string) (string, bool) {
		switch place {
		case "base":
			return r.base, true
		case "origin":
			return r.origin, true
		case "page", "offset":
			return strconv.Itoa(r.number), true
		case "cursor":
			return r.cursor, true
		}
		if n, err := strconv.Atoi(place); err == nil && n < len(r.groups) {
			return r.groups[n], true
		}
		if r.parentName != "" {
			if rest, ok := strings.CutPrefix(place, r.parentName+"."); ok {
				return memberText(r.parent, rest)
			}
		}
		return memberText(item, place)
	}
}

func memberText(item any, place string) (string, bool) {
	p, err := ParsePath(place)
	if err != nil || item == nil {
		return "", false
	}
	s, ok := p.Text(item)
	return s, ok && s != ""
}

// request is one request of a list.
type request struct {
	url  string
	body string
}

// list pages through a list and gives its items, as many as another list may ask for.
func (w *walk) list(ctx context.Context, l *List, r *listRun) (kept []any, err error) {
	req, ok := l.request(r, l.url)
	if !ok {
		return nil, nil
	}
	if l.Of == "" {
		if mine, full := w.c.claim(r.first); !mine {
			if full {
				w.out.Cut++
			}
			return nil, nil
		}
	}
	asked := map[request]bool{}
	items := 0
	for page := 0; page < l.Pages && !asked[req]; page++ {
		asked[req] = true
		a, err := w.ask(ctx, l, req)
		if err != nil || a == nil {
			return kept, err
		}
		list, cut := l.items.within(a.tree, maxValues)
		w.out.Cut += cut
		for _, item := range list {
			w.item(l, r, item)
		}
		if len(kept) < w.c.cfg.Limits.Each {
			kept = append(kept, list...)
		}
		items += len(list)
		w.items += len(list)
		next, ok := l.next(r, req, a, len(list))
		if !ok {
			return kept, nil
		}
		if items >= l.Most {
			w.out.Cut++
			return kept, nil
		}
		req = next
	}
	if !asked[req] {
		w.out.Cut++ // there are more pages, of nobody knows how many items
	}
	return kept, nil
}

// request fills in a request.
func (l *List) request(r *listRun, t Template) (request, bool) {
	u, ok := t.URL(r.value(nil))
	if !ok {
		return request{}, false
	}
	body, ok := l.body.Text(r.value(nil))
	return request{u, body}, ok
}

// item gives back what an item leads to.
func (w *walk) item(l *List, r *listRun, item any) {
	for kind, list := range map[links.Kind][]Path{links.APIItem: l.links, links.DOMEmbed: l.embeds} {
		for _, p := range list {
			values, cut := p.within(item, maxValues)
			w.out.Cut += cut
			for _, v := range values {
				if s, ok := textOf(v); ok {
					w.addFrom(r, s, kind)
				}
			}
		}
	}
	for _, t := range l.made {
		if s, ok := t.URL(r.value(item)); ok {
			w.add(s, links.APIItem)
		}
	}
}

// addFrom gives back an address that may be relative.
func (w *walk) addFrom(r *listRun, s string, kind links.Kind) {
	if s = strings.TrimSpace(s); s == "" || strings.ContainsAny(s, " \n<>") {
		return
	}
	if !strings.Contains(s, "://") {
		if s[0] != '/' {
			return
		}
		if abs, ok := resolve(r.origin+"/", s); ok {
			s = abs
		}
	}
	w.add(s, kind)
}

// reply is an answer of an interface.
type reply struct {
	tree   any
	header wire.Header
	url    string
}

// maxTries bounds how often a request is made that meets a rate limit.
const maxTries = 4

// ask makes a request; without an error and an answer, the list is at its end.
func (w *walk) ask(ctx context.Context, l *List, r request) (*reply, error) {
	lim := w.c.cfg.Limits
	for try := 1; ; try++ {
		if w.requests >= lim.Requests || w.bytes >= lim.Bytes {
			return nil, fmt.Errorf("%d requests, %d bytes: %w", w.requests, w.bytes, errLimit)
		}
		w.requests++
		resp, err := w.net.Fetch(ctx, l.asked(r, try > 1))
		if err != nil {
			if errors.Is(err, collect.ErrRefused) {
				return nil, nil // scope, robots.txt or budget: nothing went wrong
			}
			return nil, err
		}
		content, err := resp.Content(lim.Answer)
		w.bytes += resp.Size
		resp.Close()
		wait, limited := rateLimit(resp.Status, resp.Header, w.c.cfg.Clock.Now())
		if limited && wait > lim.Wait {
			return nil, fmt.Errorf("%s: rate limit for %s", r.url, wait)
		}
		if wait > 0 && !resp.Cached {
			if err := w.sleep(ctx, wait); err != nil {
				return nil, err
			}
		}
		if limited && try < maxTries {
			continue
		}
		if err != nil || resp.Status != 200 {
			return nil, err // an error ends a list: that is how many say so
		}
		tree, err := Read(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.url, err)
		}
		return &reply{tree, resp.Header, r.url}, nil
	}
}

// asked is the request as the Net takes it.
func (l *List) asked(r request, again bool) *collect.Request {
	req := &collect.Request{Method: l.Method, URL: r.url, Hop: links.HopFeed, Fresh: again}
	accept := l.Accept
	if accept == "" {
		accept = "application/json, application/xml;q=0.9, */*;q=0.1"
	}
	req.Header.Add("Accept", accept)
	if l.Method == "POST" {
		req.Body = []byte(r.body)
		typ := l.Type
		if typ == "" {
			typ = "application/json"
		}
		req.Header.Add("Content-Type", typ)
	}
	return req
}

// sleep waits on the collector's clock.
func (w *walk) sleep(ctx context.Context, d time.Duration) error {
	timer := w.c.cfg.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
