package ui

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"

	"varve"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/curate/notes"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/review"
	"varve/serve/strip"
)

// crawlData is what the page of a crawl shows.
type crawlData struct {
	*holdings.Crawl
	Tab       string
	Title     string // of the collection
	Strip     strip.Strip
	Before    *holdings.Crawl
	After     *holdings.Crawl
	Took      time.Duration
	Progress  *crawl.Progress
	Seeds     []seedRow
	Status    []tallied[int]
	MIME      []tallied[string]
	Errors    []tallied[string]
	Refusals  []tallied[string]
	Rules     []ruleRow
	Hosts     []frontier.HostStats
	CanSteer  bool
	CanReview bool
	CSRF      string
	Notes     *notesData
	Watch     *watchData        // of a running crawl
	Spent     bool              // it got all that its definition allows
	Limits    map[string]string // in force, as a form has them
	Steered   []review.Steering // what was done to it while it ran, for curators
	Did       string            // what was changed a moment ago
	Asked     bool              // it is drawn again for a page that is open
}

// seedRow is a seed and what became of it.
type seedRow struct {
	URL string
	crawl.Seed
}

// tallied is a name with a number.
type tallied[K any] struct {
	Name  K
	Count int64
	Bytes int64
}

// crawl is one crawl: how it went, or how it is going.
func (u *UI) crawl(r *http.Request) (*view, error) {
	d, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	d.Tab = "report"
	d.Notes = u.notesAbout(r, d.Collection, notes.Subject{Crawl: d.ID})
	d.Did, d.Asked = deeds[crawls.Deed(r.URL.Query().Get("did"))], r.Header.Get("HX-Request") != ""
	if d.CanReview {
		if d.Steered, err = review.Steered(r.Context(), d.Dir()); err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the events of crawl " + d.ID, Err: err, Hint: "the WARC files are not affected"}
		}
	}
	if d.State == holdings.Live {
		if d.Watch = u.watch(r, d.Crawl); d.Watch != nil {
			d.Limits = limitTexts(d.Watch.Limits)
		}
	}
	return &view{template: "crawl", title: "Crawl " + d.ID, section: "crawls", data: d}, nil
}

func (u *UI) crawlData(r *http.Request) (*crawlData, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	k, err := u.cfg.Holdings.Crawl(r.Context(), c.Name, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	k.Follow(r.Context())
	who := access.From(r.Context())
	if c.Crawls, err = u.cfg.Holdings.Around(r.Context(), c.Name, k.ID, crawlsAround); err != nil {
		return nil, err
	}
	d := &crawlData{Crawl: k, Title: c.Title, Strip: crawlStrip(message.From(r.Context()), c, 18, k.ID), CSRF: who.CSRF, CanReview: who.Can(access.Curator)}
	i := slices.IndexFunc(c.Crawls, func(x *holdings.Crawl) bool { return x.ID == k.ID })
	if i > 0 {
		d.Before = c.Crawls[i-1]
	}
	if i >= 0 && i+1 < len(c.Crawls) {
		d.After = c.Crawls[i+1]
	}
	if k.State == holdings.Live {
		d.CanSteer = who.Can(access.Curator)
		d.Progress, _ = k.Progress(r.Context()) // without it the page shows what is known
	}
	if k.Report != nil {
		d.takeReport(k.Report)
		d.Spent = k.State == holdings.Stopped && crawls.Spent(k.Report.Why)
	}
	return d, nil
}

// crawlsAround is how many crawls before and after one its strip shows.
const crawlsAround = 119

// ruleRow is what a scope rule kept out.
type ruleRow struct {
	Label string
	crawl.Ruled
}

func (d *crawlData) takeReport(rep *crawl.Report) {
	d.Took = rep.Ended.Sub(rep.Started)
	for _, u := range slices.Sorted(maps.Keys(rep.Seeds)) {
		d.Seeds = append(d.Seeds, seedRow{u, rep.Seeds[u]})
	}
	for s, n := range rep.Status {
		d.Status = append(d.Status, tallied[int]{Name: s, Count: n})
	}
	for m, n := range rep.MIME {
		d.MIME = append(d.MIME, tallied[string]{m, n.Count, n.Bytes})
	}
	for e, n := range rep.Errors {
		d.Errors = append(d.Errors, tallied[string]{Name: e, Count: n})
	}
	for e, n := range rep.Refusals {
		d.Refusals = append(d.Refusals, tallied[string]{Name: e, Count: n})
	}
	for _, label := range slices.Sorted(maps.Keys(rep.Rules)) {
		d.Rules = append(d.Rules, ruleRow{label, rep.Rules[label]})
	}
	d.Status, d.MIME, d.Errors, d.Refusals = most(d.Status), most(d.MIME), most(d.Errors), most(d.Refusals)
	d.Hosts = rep.Hosts[:min(len(rep.Hosts), 15)]
}

// most gives the largest first, and not too many of them.
func most[K cmp.Ordered](list []tallied[K]) []tallied[K] {
	slices.SortFunc(list, func(a, b tallied[K]) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), 12)]
}
