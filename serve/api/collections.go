package api

import (
	"net/http"
	"slices"

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
	item := CollectionItem{Collection: c, Crawls: len(c.Crawls)}
	if n := len(c.Crawls); n > 0 {
		item.Newest = c.Crawls[n-1]
	}
	return item
}

func (a *API) collections(r *http.Request) (any, error) {
	list, err := a.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	items := make([]CollectionItem, 0, len(list))
	for _, c := range list {
		items = append(items, itemOf(c))
	}
	return paged(r, items)
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
	list := slices.Clone(c.Crawls)
	slices.Reverse(list)
	page, err := paged(r, list)
	for _, k := range page.Items {
		k.Follow(r.Context())
	}
	return page, err
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
