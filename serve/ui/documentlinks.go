package ui

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"varve"
	"varve/index/fulltext"
	"varve/serve/search"
	"varve/text/near"
	"varve/web/canon"
)

// listPager cuts one of several lists of a page; each has a parameter of its own.
type listPager struct {
	From, To, Total int
	Before, After   string
}

func newListPager(r *http.Request, name string, total, size int) listPager {
	q := cloneValues(r.URL.Query())
	from, err := strconv.Atoi(q.Get(name))
	if err != nil || from < 0 || from >= total {
		from = 0
	}
	p := listPager{From: from, To: min(from+size, total), Total: total}
	link := func(n int) string {
		q.Del(name)
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
		return address(r.URL.Path, q) + "#" + name
	}
	if from > 0 {
		p.Before = link(max(from-size, 0))
	}
	if p.To < total {
		p.After = link(p.To)
	}
	return p
}

// addLinks makes the lists of links in and out. Those to pages whose text is here lead to them.
func (d *documentData) addLinks(u *UI, r *http.Request) error {
	sources, err := u.cfg.Texts.Sources(r.Context(), d.Document.Collection)
	if err != nil {
		return err
	}
	list := func(name string, all []search.DocumentLink) (out linkList) {
		out.Pager = newListPager(r, name, len(all), linksShown)
		for _, l := range all[out.Pager.From:out.Pager.To] {
			x := documentLink{DocumentLink: l}
			if found := hasText(sources, l.URL); found {
				x.Href = address("/document", values("collection", d.Document.Collection, "url", l.URL))
			}
			out.Links = append(out.Links, x)
		}
		return out
	}
	d.In, d.Out = list("in", d.Document.In), list("out", d.Document.Out)
	return nil
}

func hasText(sources []fulltext.Source, target string) bool {
	for _, s := range sources {
		if list, err := s.Index.Versions(canon.SURT(target), s.View, 1); err == nil && len(list) > 0 {
			return true
		}
	}
	return false
}

// nearDocument is another page with the same passages.
type nearDocument struct {
	fulltext.Hit
	In          string // title of the collection
	Resemblance float64
	Document    string
	Open        string
}

// Percent is the resemblance in percent.
func (n nearDocument) Percent() int { return int(100*n.Resemblance + 0.5) }

// How near documents are looked for.
const (
	passageWords = 6
	nearAsked    = 60
	nearShown    = 10
)

// near finds other pages with passages of a document, and tells how much alike they are. It is asked of all
// collections; a text that is too short for a passage has none.
func (u *UI) near(ctx context.Context, doc *search.Document) (out []nearDocument, looked bool, err error) {
	text := passages(doc.Text)
	if text == "" {
		return nil, false, nil
	}
	found, err := search.Ask(ctx, u.cfg.Texts, "", fulltext.Query{Text: text, Limit: nearAsked})
	if err != nil {
		return nil, false, err
	}
	sources, err := u.cfg.Texts.Sources(ctx)
	if err != nil {
		return nil, false, err
	}
	print := near.Of(doc.Text).Minhash
	seen := map[string]bool{doc.Collection + " " + doc.SURT: true}
	for _, h := range found.Hits {
		if key := h.Collection + " " + h.SURT; seen[key] || len(seen) > 3*nearShown {
			continue
		} else {
			seen[key] = true
		}
		n := nearDocument{Hit: h, In: h.Collection, Document: documentPath(h.Collection, h.URL, h.From), Open: u.hitReplay(h)}
		if n.Resemblance, err = resemblance(sources, h, print); err != nil {
			return nil, false, err
		}
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b nearDocument) int { return cmp.Compare(b.Resemblance, a.Resemblance) })
	return out[:min(len(out), nearShown)], true, nil
}

// resemblance compares the text of a hit with a fingerprint.
func resemblance(sources []fulltext.Source, h fulltext.Hit, print near.Minhash) (float64, error) {
	for _, s := range sources {
		if s.Name != h.Collection {
			continue
		}
		list, err := s.Index.Versions(h.SURT, s.View, versionsOfHit)
		if err != nil {
			return 0, &varve.Error{Kind: varve.Unavailable, Op: "read the versions of " + h.URL, Err: err}
		}
		for i := range list {
			if list[i].From.Equal(h.From) {
				other := near.Of(list[i].Text).Minhash
				return print.Similarity(&other), nil
			}
		}
	}
	return 0, nil
}

// passages makes a query of three passages of a text: near its begin, its middle and its end.
func passages(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"“”()[]{}", r) })
	if len(words) < 3*passageWords {
		return ""
	}
	var out []string
	for _, at := range []int{len(words) / 6, len(words) / 2, len(words) - len(words)/6 - passageWords} {
		out = append(out, `"`+strings.Join(words[at:at+passageWords], " ")+`"`)
	}
	return strings.Join(out, " OR ")
}
