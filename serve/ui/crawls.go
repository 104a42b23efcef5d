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
	State   string
	States  []string
	List    []*holdings.Crawl
	Pager   pager
	All     int
	Pending int // that are not listed yet

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
	state, err := holdings.ParseState(d.State)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, c := range list {
		sum := c.Sum()
		d.All += sum.Crawls
		d.Pending += c.Pending
		if total += sum.Crawls; state != "" {
			total += sum.States[state] - sum.Crawls
		}
	}
	d.Pager = newPager(r, total, crawlsShown)
	page, err := u.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{State: state, Skip: d.Pager.From, Limit: crawlsShown})
	if err != nil {
		return nil, err
	}
	for _, k := range page.Items {
		k.Follow(r.Context())
	}
	d.List = page.Items
	d.Next, d.CanPlan = upcomingOf(list, u.cfg.Now()), u.cfg.Plans != nil && access.From(r.Context()).Can(access.Curator)
	if u.cfg.Schedule != nil {
		s := u.cfg.Schedule.Status()
		d.Schedule = &s
	}
	return &view{template: "crawls", title: "Crawls", section: "crawls", data: d}, nil
}
