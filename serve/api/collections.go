package api

import (
	"net/http"

	"varve/crawl"
	"varve/serve/access"
	"varve/serve/holdings"
)

// CollectionItem is a collection with counts.
type CollectionItem struct {
	*holdings.Collection
	Crawls int             `json:"crawls"`
	Newest *holdings.Crawl `json:"newest,omitempty"`
}

// CrawlDetail is a crawl with all that is known of it.
type CrawlDetail struct {
	*holdings.Crawl
	Definition *crawl.Definition `json:"definition,omitempty"`
	Report     *crawl.Report     `json:"report,omitempty"`
}

// Me is who asks.
type Me struct {
	Name        string      `json:"name,omitempty"`
	Role        access.Role `json:"role,omitempty"`
	Loopback    bool        `json:"loopback,omitempty"`
	ReadingRoom bool        `json:"readingRoom,omitempty"`
	CSRF        string      `json:"csrf,omitempty"` // for requests of scripts on our own pages: header X-CSRF-Token
}

func (a *API) whoami(r *http.Request) (any, error) {
	v := access.From(r.Context())
	return Me{v.Name, v.Role, v.Loopback, v.ReadingRoom, v.CSRF}, nil
}

func itemOf(c *holdings.Collection) CollectionItem {
	item := CollectionItem{Collection: c, Crawls: c.Sum().Crawls}
	if n := len(c.Crawls); n > 0 {
		item.Newest = c.Crawls[n-1]
	}
	return item
}

func (a *API) collections(r *http.Request) (any, error) {
	limit, from, after, err := cursorOf(r, defaultLimit)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Holdings.CollectionPage(r.Context(), from, after, limit, 1)
	if err != nil {
		return nil, err
	}
	out := List[CollectionItem]{Items: make([]CollectionItem, 0, len(page.Items)), Next: page.Next, Total: len(page.All)}
	for _, c := range page.Items {
		out.Items = append(out.Items, itemOf(c))
	}
	return out, nil
}

func (a *API) collection(r *http.Request) (any, error) {
	c, err := a.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	return itemOf(c), nil
}

func (a *API) crawls(r *http.Request) (any, error) {
	c, err := a.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	return a.crawlList(r, holdings.CrawlQuery{Collection: c.Name})
}

// allCrawls lists the crawls of all collections.
func (a *API) allCrawls(r *http.Request) (any, error) {
	return a.crawlList(r, holdings.CrawlQuery{Collection: r.URL.Query().Get("collection")})
}

func (a *API) crawlList(r *http.Request, q holdings.CrawlQuery) (any, error) {
	var err error
	if q.Limit, q.Skip, q.After, err = cursorOf(r, defaultLimit); err != nil {
		return nil, err
	}
	if q.State, err = holdings.ParseState(r.URL.Query().Get("state")); err != nil {
		return nil, err
	}
	page, err := a.cfg.Holdings.Crawls(r.Context(), q)
	if err != nil {
		return nil, err
	}
	for _, k := range page.Items {
		k.Follow(r.Context())
	}
	out := all(page.Items)
	out.Next, out.Total = page.Next, page.Total
	return out, nil
}

func (a *API) find(r *http.Request) (*holdings.Crawl, error) {
	return a.cfg.Holdings.Crawl(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
}

func (a *API) crawl(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	k.Follow(r.Context())
	return CrawlDetail{k, k.Definition, k.Report}, nil
}
