package ui

import (
	"net/http"
	"slices"
	"time"

	"varve/crawl"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
)

// crawlsData is what the list of all crawls shows.
type crawlsData struct {
	State  string
	States []string
	List   []*holdings.Crawl
	Pager  pager
	All    int

	Schedule *crawls.ScheduleStatus // nil: this server starts nothing by itself
	Next     []upcoming
	CanPlan  bool
}

// upcoming is a planned crawl and when it is due.
type upcoming struct {
	Collection, Name string
	At               time.Time
	Due              bool
}

// upcomingShown is the number of crawls that are announced.
const upcomingShown = 10

// upcomingOf gives the planned crawls that are due next.
func upcomingOf(list []*holdings.Collection, now time.Time) (out []upcoming) {
	for _, c := range list {
		if c.Clock == crawl.SimulatedClock {
			continue // its time stands still
		}
		for _, p := range crawls.PlanOf(c, now).Crawls {
			if !p.Next.IsZero() {
				out = append(out, upcoming{c.Name, p.Name, p.Next, p.Due})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b upcoming) int { return a.At.Compare(b.At) })
	return out[:min(len(out), upcomingShown)]
}

// crawls lists the crawls of all collections, newest first.
func (u *UI) crawls(r *http.Request) (*view, error) {
	list, err := u.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	d := crawlsData{State: r.URL.Query().Get("state"), States: []string{"running", "complete", "finished", "stopped", "interrupted"}}
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
	d.Next, d.CanPlan = upcomingOf(list, u.cfg.Now()), u.cfg.Plans != nil && access.From(r.Context()).Can(access.Curator)
	if u.cfg.Schedule != nil {
		s := u.cfg.Schedule.Status()
		d.Schedule = &s
	}
	return &view{template: "crawls", title: "Crawls", section: "crawls", data: d}, nil
}
