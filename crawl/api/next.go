package api

import (
	"net/url"
	"strconv"
	"strings"

	"varve/web/wire"
)

// next makes the request that follows an answer; ok is false at the end of the list.
func (l *List) next(r *listRun, last request, a *reply, items int) (request, bool) {
	if l.Next.More != "" && !l.goesOn(a) {
		return request{}, false
	}
	switch l.Next.By {
	case "page":
		r.number++
		if items == 0 || l.Next.Last != "" && beyond(r.number, a.header.Get(l.Next.Last)) {
			return request{}, false
		}
		return l.request(r, l.following())
	case "offset":
		r.number += items
		if items == 0 {
			return request{}, false
		}
		return l.request(r, l.following())
	case "cursor":
		s, ok := l.nextPath.Text(a.tree)
		if !ok || s == "" {
			return request{}, false
		}
		r.cursor = s
		return l.request(r, l.following())
	case "merge":
		return l.merged(last, a)
	case "url":
		s, ok := l.nextPath.Text(a.tree)
		return absolute(last, s, ok)
	case "header":
		s, ok := linkHeader(a.header, "next")
		return absolute(last, s, ok)
	case "rel":
		s, ok := relLink(a.tree, "next")
		return absolute(last, s, ok)
	}
	return request{}, false
}

// following is the template of all requests but the first.
func (l *List) following() Template {
	if l.nextURL != nil {
		return l.nextURL
	}
	return l.url
}

// goesOn tells whether the answer says that there is more.
func (l *List) goesOn(a *reply) bool {
	s, ok := l.nextMore.Text(a.tree)
	return ok && s != "" && s != "false" && s != "0"
}

// beyond tells whether a number is behind the last one, as a header field has it.
func beyond(n int, last string) bool {
	most, err := strconv.Atoi(strings.TrimSpace(last))
	return err == nil && n > most
}

// merged puts the members of an object into the query of the last request, as MediaWiki has it.
func (l *List) merged(last request, a *reply) (request, bool) {
	for _, v := range l.nextPath.Values(a.tree) {
		o, ok := v.(object)
		if !ok || len(o) == 0 {
			continue
		}
		u, err := url.Parse(last.url)
		if err != nil {
			return request{}, false
		}
		q := u.Query()
		for _, m := range o {
			if s, ok := textOf(m.value); ok {
				q.Set(m.name, s)
			}
		}
		u.RawQuery = q.Encode()
		return request{u.String(), last.body}, true
	}
	return request{}, false
}

// absolute makes a request of an address that may be relative to the last one.
func absolute(last request, s string, ok bool) (request, bool) {
	if !ok || s == "" {
		return request{}, false
	}
	u, ok := resolve(last.url, s)
	return request{u, last.body}, ok
}

// linkHeader finds a relation in Link fields: <https://e.example/?max_id=7>; rel="next".
func linkHeader(h wire.Header, rel string) (string, bool) {
	for _, field := range h.Values("Link") {
		for field != "" {
			open := strings.IndexByte(field, '<')
			end := strings.IndexByte(field, '>')
			if open < 0 || end < open {
				break
			}
			target, rest := field[open+1:end], field[end+1:]
			params := rest
			if i := strings.Index(rest, ",<"); i >= 0 {
				params, field = rest[:i], rest[i:]
			} else if i := strings.Index(rest, ", <"); i >= 0 {
				params, field = rest[:i], rest[i:]
			} else {
				field = ""
			}
			for p := range strings.SplitSeq(params, ";") {
				name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
				if strings.EqualFold(name, "rel") && strings.EqualFold(strings.Trim(value, `" `), rel) {
					return target, true
				}
			}
		}
	}
	return "", false
}

// relLink finds a link element with a relation in a feed.
func relLink(tree any, rel string) (string, bool) {
	for _, where := range [...]Path{{{name: "feed"}, {name: "link"}}, {{name: "rss"}, {name: "channel"}, {name: "link"}}} {
		for _, v := range where.Values(tree) {
			list, ok := v.([]any)
			if !ok {
				list = []any{v}
			}
			for _, e := range list {
				o, ok := e.(object)
				if !ok {
					continue
				}
				if r, ok := o.get("@rel"); ok && r == rel {
					href, _ := o.get("@href")
					return textOf(href)
				}
			}
		}
	}
	return "", false
}
