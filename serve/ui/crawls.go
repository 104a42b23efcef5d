package ui

import (
	"net/http"
	"slices"

	"varve/serve/holdings"
)

// crawlsData is what the list of all crawls shows.
type crawlsData struct {
	State  string
	States []string
	List   []*holdings.Crawl
	Pager  pager
	All    int
}

// crawls lists the crawls of all collections, newest first.
func (u *UI) crawls(r *http.Request) (*view, error) {
	list, err := u.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	d := crawlsData{State: r.URL.Query().Get("state"), States: []string{"running", "complete", "stopped", "interrupted"}}
	var all []*holdings.Crawl
	for _, c := range list {
		for _, k := range c.Crawls {
			d.All++
			k.Follow(r.Context())
			if d.State == "" || string(k.State) == d.State {
				all = append(all, k)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *holdings.Crawl) int { return b.Started.Compare(a.Started) })
	d.Pager = newPager(r, len(all), crawlsShown)
	d.List = all[d.Pager.From:d.Pager.To]
	return &view{template: "crawls", title: "Crawls", section: "crawls", data: d}, nil
}
