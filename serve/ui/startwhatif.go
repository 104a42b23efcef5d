package ui

import (
	"net/http"
	"strconv"
	"time"

	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
)

// whatIf is the form that foretells how well a crawl may hang together, and its answer.
type whatIf struct {
	Pages, Delay string // as typed
	Trouble      string
	History      *crawls.History // nil: not asked
	Rated        int
	Delays       []time.Duration
	Rows         [][]crawls.Foretold // pages down, delays across
}

// foretell reads the form. Only when it is asked is the index looked at.
func (u *UI) foretell(r *http.Request, p crawls.Plan) (whatIf, error) {
	q := r.URL.Query()
	w := whatIf{Pages: q.Get("pages"), Delay: q.Get("delay")}
	if w.Pages == "" && w.Delay == "" {
		w.Pages, w.Delay = proposed(p)
		return w, nil
	}
	return u.reckon(r, p.Collection, w.Pages, w.Delay)
}

// reckon foretells for a number of pages and a delay as they were typed.
func (u *UI) reckon(r *http.Request, collection, typedPages, typedDelay string) (whatIf, error) {
	l := message.From(r.Context())
	w := whatIf{Pages: typedPages, Delay: typedDelay}
	pages, err := strconv.Atoi(w.Pages)
	seconds, wrong := strconv.ParseFloat(w.Delay, 64)
	if err != nil || wrong != nil || pages < 1 || pages > crawls.MaxPages || !(seconds > 0 && seconds <= crawls.MaxDelay.Seconds()) {
		w.Trouble = l.Text("Pages are a number from 1 to {0}, the delay is up to {1}, in seconds.", crawls.MaxPages, l.Duration(crawls.MaxDelay))
		return w, nil
	}
	if u.cfg.Index == nil {
		w.Trouble = l.Text("The archive has no index yet, so nothing is known of how often pages change.")
		return w, nil
	}
	h, err := crawls.ReadHistory(u.cfg.Index.Captures(r.Context(), holdings.Query{Collection: collection}))
	if err != nil {
		return w, err
	}
	w.History, w.Rated = &h, len(h.Rates)
	w.fill(pages, time.Duration(seconds*float64(time.Second)))
	return w, nil
}

// fill reckons around what was asked for: half and twice as much.
func (w *whatIf) fill(pages int, delay time.Duration) {
	w.Delays = []time.Duration{delay / 2, delay, min(2*delay, crawls.MaxDelay)}
	for _, n := range []int{max(1, pages/2), pages, min(2*pages, crawls.MaxPages)} {
		var row []crawls.Foretold
		for _, d := range w.Delays {
			row = append(row, w.History.Foretell(n, d))
		}
		w.Rows = append(w.Rows, row)
	}
}

// proposed is what stands in the form at first: what the first crawl with limits says.
func proposed(p crawls.Plan) (pages, delay string) {
	pages, delay = "1000", "1"
	for _, c := range p.Crawls {
		if c.Definition.MaxPages > 0 {
			pages = strconv.FormatInt(min(c.Definition.MaxPages, crawls.MaxPages), 10)
			if d := c.Definition.Delay; d != nil && *d > 0 {
				delay = strconv.FormatFloat(time.Duration(*d).Seconds(), 'g', 4, 64)
			}
			break
		}
	}
	return pages, delay
}
