package ui

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"varve"
	"varve/serve/holdings"
	"varve/serve/message"
)

// pagesShown is the number of pages on one page of a list: each is counted over all its captures, which are thousands in an archive of years.
const pagesShown = 50

// capturesSeen bounds what one list looks at: with filters that let little through, the list ends
// early and says so.
const capturesSeen = 500_000

// pageListData is what the list of pages shows.
type pageListData struct {
	*holdings.Collection
	Tab    string
	URL    string
	Kind   string // page, all
	List   []holdings.HeldPage
	Next   string // address of the next page of the list
	First  bool
	Titles map[string]string // by address, of the newest version; none: the texts were not read yet
	Kept   map[string]string // by address: why readers do not see its newest capture, for curators
}

func noIndex() error {
	return &varve.Error{
		Kind: varve.Unavailable, Op: "look into the index", Msg: "this archive has no index yet",
		Hint: "varve serve builds it in the background as soon as there are WARC files; reload in a moment",
	}
}

// titles gives what pages call themselves, as far as their texts were read.
func (u *UI) titles(ctx context.Context, collection string, list []holdings.HeldPage) (map[string]string, error) {
	if u.cfg.Texts == nil {
		return nil, nil
	}
	sources, err := u.cfg.Texts.Sources(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, s := range sources {
		if s.Name != collection {
			continue
		}
		for _, p := range list {
			v, ok, err := s.Index.Newest(p.Key, s.View)
			if err != nil {
				return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the title of " + p.URL, Err: err, Hint: "varve index --rebuild --collection " + collection}
			}
			if ok {
				out[p.URL] = v.Title
			}
		}
	}
	return out, nil
}

// pageList lists the URLs of a collection, by key.
func (u *UI) pageList(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d := pageListData{Collection: c, Tab: "pages", URL: strings.TrimSpace(q.Get("url")), Kind: q.Get("type"), First: q.Get("after") == ""}
	if d.Kind == "" {
		d.Kind = "page"
	}
	if u.cfg.Index == nil {
		return nil, noIndex()
	}
	ask := holdings.Query{Collection: c.Name, After: q.Get("after"), Limit: capturesSeen}
	ask.Match, ask.URL = holdings.Typed(d.URL)
	var keep func(*holdings.HeldPage) bool
	if d.Kind == "page" {
		keep = func(p *holdings.HeldPage) bool { return holdings.IsPage(p.MIME) }
	}
	list, cursor, err := holdings.Pages(u.cfg.Index.Captures(r.Context(), ask), keep, pagesShown)
	if err != nil {
		return nil, err
	}
	d.List = list
	kept, err := u.fromReaders(r.Context())
	if err != nil {
		return nil, err
	}
	if kept != nil {
		d.Kept = map[string]string{}
		for _, p := range list {
			d.Kept[p.URL] = kept(c.Name, p.URL, p.Last)
		}
	}
	if d.Titles, err = u.titles(r.Context(), c.Name, list); err != nil {
		return nil, err
	}
	if cursor != "" {
		d.Next = collectionPath(c.Name) + "/pages?" + url.Values{"url": {d.URL}, "type": {d.Kind}, "after": {cursor}}.Encode()
	}
	return &view{template: "pages", title: message.From(r.Context()).Text("Pages of {0}", c.Title), section: "collections", data: d}, nil
}
