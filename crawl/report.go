package crawl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/archive/whole"
	"varve/crawl/frontier"
)

// Report is what a crawl came to, over all its runs.
type Report struct {
	Crawl    string    `json:"crawl"`
	Finished bool      `json:"finished"` // nothing is left to do: there is nothing to resume
	Complete bool      `json:"complete"` // and nothing is missing that belongs to it
	Why      string    `json:"why"`      // it ended
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended"`
	Queued   int64     `json:"queued"` // left in the frontier
	Totals
	Gaps   []Gap                `json:"gaps,omitempty"`   // why it is not complete, and parts of pages that lie elsewhere and were not to be had
	Hosts  []frontier.HostStats `json:"hosts"`            // the largest
	Groups []GroupReport        `json:"groups,omitempty"` // of a planned crawl
	Spam   *SpamReport          `json:"spam,omitempty"`   // of a crawl that filters spam

	Guidance *Guidance `json:"guidance,omitempty"` // of a crawl that knows what it is about

	Applications []ApplicationSeen `json:"applications,omitempty"` // that made pages of the crawl
}

// ApplicationSeen is an application that pages were recognised as.
type ApplicationSeen struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`              // forum, blog, wiki
	Version    string `json:"version,omitempty"` // of the last page that said it
	Hosts      int    `json:"hosts"`
	Pages      int64  `json:"pages"`
	NotVisited int64  `json:"notVisited"` // links to forms, sort orders and old versions; each page that has them counts
	// NotSent are the names of cookies that it set and that were not sent back, with how often they would have been.
	NotSent map[string]int64 `json:"cookiesNotSent,omitempty"`
}

// finished reports whether the crawl did all it was to do.
func (r *Run) finished() bool {
	if r.fatalError() != nil || !r.exhausted() {
		return false
	}
	r.hosts.mu.Lock()
	defer r.hosts.mu.Unlock()
	for _, why := range r.hosts.parked {
		if why == parkedByCurator || strings.HasPrefix(why, parkedByServer) {
			return false
		}
	}
	return true
}

func (r *Run) makeReport(finished bool) *Report {
	now := r.engine.cfg.Clock.Now()
	s := r.frontier.Stats()
	_, why := r.State()
	if why == "" {
		why = r.leftAlone()
	}
	if why == "" {
		why = "all done"
	}
	r.tally.time(now.Sub(r.started))
	rep := &Report{
		Crawl: r.ID, Finished: finished, Why: why, Started: r.started, Ended: now,
		Queued: s.Queued + s.InFlight, Totals: r.tally.copy(),
	}
	rep.Gaps = r.gaps(rep.Queued, why, finished)
	rep.Complete = finished && len(Missing(rep.Gaps)) == 0
	for _, s := range r.stages.tellers {
		s.Report(rep)
	}
	if hosts, err := r.frontier.TopHosts(frontier.ByDone, 50); err == nil {
		rep.Hosts = hosts
	}
	return rep
}

func (rep *Report) write(dir string) error {
	return whole.JSON(filepath.Join(dir, "report.json"), 0o644, rep)
}

// ReadReport reads the report of a crawl.
func ReadReport(dir string) (*Report, error) {
	b, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil, err
	}
	var rep Report
	if err := json.Unmarshal(b, &rep); err != nil {
		return nil, err
	}
	rep.Finished = rep.Finished || rep.Complete // one of an earlier version knew only that
	return &rep, nil
}
