package ui

import (
	"net/http"
	"strings"
	"time"

	"varve/crawl"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
)

// definedData is what the page of one planned crawl shows.
type definedData struct {
	*holdings.Collection
	Tab     string
	CSRF    string
	Entry   crawls.Entry
	Planned *crawls.Planned // nil: hidden or retired
	TOML    string
	Was     string
	CanPlan bool
	CanRun  bool // it can be started now
	Busy    bool // another crawl of the collection runs
	Retired bool
	Changes []change
	Runs    []*holdings.Crawl // newest first
}

// change is a line of the history of a definition.
type change struct {
	crawl.Defined
	Gone, Came []string // lines of its TOML
}

// runsShown is the number of runs of a planned crawl that are listed.
const runsShown = 10

// plannedCrawl shows one crawl of the plan: as TOML, with its runs, and who changed what when.
func (u *UI) plannedCrawl(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	who, name := access.From(r.Context()), r.PathValue("name")
	d := &definedData{Collection: c, Tab: "plan", CSRF: who.CSRF, CanPlan: u.cfg.Plans != nil && who.Can(access.Curator)}
	plans := u.cfg.Plans
	if plans == nil {
		plans = &crawls.Desk{Archive: u.archive(), Now: u.cfg.Now}
	}
	history, _ := plans.History(c.Name, name) // without one there is none to be shown
	d.Changes = changesOf(history)
	if d.Entry, err = plans.Entry(c.Name, name); err != nil {
		if len(history) == 0 {
			return nil, err
		}
		d.Retired, d.Entry = true, crawls.Entry{Name: name, Source: crawls.FromScreen}
	} else if d.TOML, err = d.Entry.Definition.TOML(); err != nil {
		return nil, err
	}
	d.Was = timeText(d.Entry.At)
	for _, k := range c.Crawls {
		k.Follow(r.Context())
	}
	plan := crawls.PlanOf(c, u.cfg.Now())
	if p, err := plan.Named(name); err == nil {
		d.Planned, d.CanRun = &p, u.cfg.Crawls != nil && who.Can(access.Curator)
	}
	if d.Busy = plan.Running != nil; d.CanRun && !d.Busy {
		j, ok := u.cfg.Crawls.Job(c.Name)
		d.Busy = ok && j.State == crawls.Running
	}
	runs, err := u.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{Collection: c.Name, Name: name, Limit: runsShown})
	if err != nil {
		return nil, err
	}
	for _, k := range runs.Items {
		k.Follow(r.Context())
	}
	d.Runs = runs.Items
	return &view{template: "defined", title: "Crawl " + name + " of " + c.Title, section: "collections", data: d, said: true}, nil
}

// changesOf tells what each change of a definition changed; they come newest first.
func changesOf(history []crawl.Defined) []change {
	out := make([]change, 0, len(history))
	text := func(d crawl.Defined) []string {
		if d.Crawl == nil {
			return nil
		}
		s, err := d.Crawl.TOML()
		if err != nil {
			return []string{err.Error()}
		}
		return strings.Split(strings.TrimSpace(s), "\n")
	}
	for i, h := range history {
		x := change{Defined: h}
		var before []string
		if i+1 < len(history) {
			before = text(history[i+1])
		}
		now := text(h)
		if before != nil && now != nil {
			x.Gone, x.Came = without(before, now), without(now, before)
		}
		out = append(out, x)
	}
	return out
}

// without gives the lines of a that b lacks, at most a screenful.
func without(a, b []string) (out []string) {
	count := map[string]int{}
	for _, s := range b {
		count[s]++
	}
	for _, s := range a {
		if count[s]--; count[s] < 0 && strings.TrimSpace(s) != "" && len(out) < 40 {
			out = append(out, s)
		}
	}
	return out
}

// retireCrawl takes a crawl out of the plan.
func (u *UI) retireCrawl(r *http.Request) (*view, error) {
	if u.cfg.Plans == nil {
		return nil, errNoPlans
	}
	c, name := r.PathValue("collection"), r.PathValue("name")
	was, _ := time.Parse(time.RFC3339Nano, r.PostFormValue("was")) // without a time the one in force is meant
	if err := u.cfg.Plans.Retire(c, name, was, access.From(r.Context()).Label(), strings.TrimSpace(r.PostFormValue("note"))); err != nil {
		return nil, err
	}
	return &view{to: collectionPath(c) + "/plan"}, nil
}
