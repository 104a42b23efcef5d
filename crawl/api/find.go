package api

import (
	"strings"

	"varve/crawl/collect"
	"varve/web/canon"
	"varve/web/markup"
)

// found is an interface in an answer.
type found struct {
	of   *Interface
	base string
}

// maxLooked bounds what is looked at of a page: the marks of interfaces stand in its head.
const maxLooked = 256 << 10

// find gives the interfaces that an answer leads to.
func (r *Rules) find(a *collect.Answer) (out []found) {
	if a.Status != 200 {
		return nil
	}
	content := a.Content[:min(len(a.Content), maxLooked)]
	page := a.MIME == "text/html" || a.MIME == "application/xhtml+xml"
	marks := r.marksIn(content)
	for _, n := range r.list {
		for _, f := range n.Find {
			if base, ok := f.match(a, content, page, marks); ok {
				out = append(out, found{n, base})
				break
			}
		}
	}
	return out
}

// marksIn gives the marks of interfaces that are in a content, found in one pass; nil where there is none, as in
// most pages.
func (r *Rules) marksIn(content []byte) (out map[string]bool) {
	r.marks.Find(content, func(i int) bool {
		if out == nil {
			out = map[string]bool{}
		}
		out[r.words[i]] = true
		return len(out) < len(r.words)
	})
	return out
}

// match gives the base of the interface. The marks are those that are in the content.
func (f *Find) match(a *collect.Answer, content []byte, page bool, marks map[string]bool) (string, bool) {
	if page != (f.html != nil) || f.Has != "" && !marks[f.Has] {
		return "", false
	}
	base := ""
	if f.html != nil {
		m := f.html.FindSubmatch(content)
		if m == nil {
			return "", false
		}
		if len(m) > 1 {
			base = markup.Value(m[1])
		}
	}
	if f.url != nil {
		m := f.url.FindStringSubmatch(a.URL)
		if m == nil {
			return "", false
		}
		if len(m) > 1 && base == "" {
			base = m[1]
		}
	}
	if f.Path != "" {
		tree, err := Read(a.Content)
		if err != nil || len(f.path.Values(tree)) == 0 {
			return "", false
		}
	}
	return resolve(a.URL, base)
}

// resolve makes a base absolute; none is the URL's origin.
func resolve(from, base string) (string, bool) {
	u, err := canon.Parse(from)
	if err != nil || !u.IsHTTP() {
		return "", false
	}
	if base == "" {
		return u.Origin(), true
	}
	b, err := u.Resolve(base)
	if err != nil || !b.IsHTTP() {
		return "", false
	}
	return b.WithoutFragment().String(), true
}

// originOf is scheme and authority of a URL.
func originOf(rawURL string) string {
	u, err := canon.Parse(rawURL)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Origin(), "/")
}
