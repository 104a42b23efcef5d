package ui

import (
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"varve"
	"varve/crawl"
	"varve/curate/notes"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/review"
)

// reviewData is what the quality review of a crawl shows.
type reviewData struct {
	*crawlData
	*review.Quality
	Again   int // addresses that another attempt may bring
	List    string
	Command string
	Has     bool // there is a log
	Menders []*review.Mender
	Mending bool // one of them runs, or is about to
	CanMend bool // this server can start a crawl
	Trouble string
	Notes   *notesData
	Whole   *wholeData // pages with their parts, where that was measured
}

// review lists what a crawl lacks, worst first.
func (u *UI) review(r *http.Request) (*view, error) {
	c, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	d := &reviewData{crawlData: c, Quality: &review.Quality{}, List: "recrawl-" + c.ID + ".txt"}
	d.Tab = "review"
	d.Notes = u.notesAbout(r, c.Collection, notes.Subject{Crawl: c.ID})
	q, err := review.Of(r.Context(), c.Dir())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "review crawl " + c.ID, Err: err, Hint: "the WARC files are not affected"}
	default:
		d.Quality, d.Has = q, true
		if err := u.addMenders(r, d); err != nil {
			d.Trouble = err.Error()
		}
	}
	if u.cfg.Coherence != nil {
		// Not measured, or withheld: the screen of coherence tells which.
		if rep, err := u.cfg.Coherence.Report(r.Context(), c.Collection, c.ID); err == nil {
			if d.Whole = wholes(c, rep, 20); d.Whole != nil {
				d.Whole.Href = crawlPath(c.Crawl) + "/coherence#whole"
			}
		}
	}
	again := d.Recrawl()
	if r.URL.Query().Get("list") == "recrawl" {
		return &view{file: &file{d.List, "text/plain; charset=utf-8", []byte("# crawl " + c.ID + " of " + c.Collection + "\n" + strings.Join(append(again, ""), "\n"))}}, nil
	}
	d.Again = len(again)
	d.Command = "varve crawl --seeds " + d.List + " --scope page --collection " + c.Collection
	if c.Definition != nil && c.Definition.Contact != "" && !strings.ContainsAny(c.Definition.Contact, " '\"`$\\") {
		d.Command += " --contact " + c.Definition.Contact
	}
	return &view{template: "review", title: "Review of " + c.ID, section: "crawls", data: d}, nil
}

// mendersShown is the number of later crawls that are looked at for what one lacks.
const mendersShown = 200

// addMenders tells what later crawls got that were to get what this one lacks.
func (u *UI) addMenders(r *http.Request, d *reviewData) error {
	later, err := u.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{Collection: d.Collection, Name: holdings.MendingName(d.ID), Limit: mendersShown})
	if err != nil {
		return err
	}
	slices.Reverse(later.Items)
	var lines []crawl.Defined
	if u.cfg.Plans != nil {
		lines, _ = u.cfg.Plans.History(d.Collection, holdings.MendingName(d.ID)) // newest first; none if there never was one
		slices.Reverse(lines)
	}
	d.Menders = review.Menders(later.Items, d.ID, lines)
	for _, m := range d.Menders {
		m.Follow(r.Context())
		d.Mending = d.Mending || m.State == holdings.Live
	}
	d.CanMend = u.cfg.Crawls != nil && u.cfg.Plans != nil && d.Definition != nil
	if u.cfg.Crawls != nil {
		j, ok := u.cfg.Crawls.Job(d.Collection)
		d.Mending = d.Mending || ok && j.State == crawls.Running && j.Definition == holdings.MendingName(d.ID)
	}
	return d.Heal(r.Context(), d.Menders)
}

// recrawl starts a crawl of what another lacks: of all that another attempt may bring, or of what is ticked.
func (u *UI) recrawl(r *http.Request) (*view, error) {
	if u.cfg.Crawls == nil || u.cfg.Plans == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "crawl addresses again", Msg: "this server starts no crawls", Hint: "download the list and use 'varve crawl --seeds FILE --scope page' where the archive is"}
	}
	c, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	q, err := review.Of(r.Context(), c.Dir())
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "review crawl " + c.ID, Err: err}
	}
	d := &reviewData{crawlData: c, Quality: q}
	if err := u.addMenders(r, d); err != nil {
		return nil, err
	}
	if err := r.ParseForm(); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "crawl addresses again", Err: err}
	}
	chosen := r.PostForm["url"]
	if r.PostForm.Get("all") == "yes" {
		chosen = nil
	} else if len(chosen) == 0 {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "crawl addresses again", Msg: "none is ticked", Hint: "tick some in the review, or take all"}
	}
	urls, err := q.Choose(chosen)
	if err != nil {
		return nil, err
	}
	if _, err := review.Recrawl(r.Context(), u.cfg.Plans, u.cfg.Crawls, c.Crawl, urls, access.From(r.Context()).Label()); err != nil {
		return nil, err
	}
	return &view{to: crawlPath(c.Crawl) + "/review#again"}, nil
}
