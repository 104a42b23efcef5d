package crawl

import (
	"net/http"
	"time"

	"varve/crawl/frontier"
	"varve/crawl/scope"
)

// Watch is what those see who watch a run.
type Watch struct {
	At time.Time `json:"at"`
	Progress
	States     QueueStates      `json:"states"`
	Limits     Limits           `json:"limits"`
	Priorities []Priority       `json:"priorities,omitempty"`
	Planned    bool             `json:"planned,omitempty"` // its order is planned for coherence
	Revisited  *Revisiting      `json:"revisiting,omitempty"`
	Readings   []Reading        `json:"readings"`         // oldest first
	Errors     map[string]int64 `json:"errors,omitempty"` // by class
	Refusals   map[string]int64 `json:"refusals,omitempty"`
	TopHosts   []WatchedHost    `json:"topHosts"` // with most queued, then with most done
	Newest     []NewPage        `json:"newest"`
}

// Revisiting is how the revisits of a planned crawl stand, over its groups.
type Revisiting struct {
	Groups    int     `json:"groups"`    // with a page
	Planned   int64   `json:"planned"`   // revisits that have their turn
	Forecast  float64 `json:"forecast"`  // share of these expected unchanged, when they were planned
	Revisited int64   `json:"revisited"` // so far
	Unchanged int64   `json:"unchanged"` // of these, on the layer that counts
}

// revisiting adds up the groups.
func (r *Run) revisiting() *Revisiting {
	if r.coh == nil {
		return nil
	}
	var out Revisiting
	for _, g := range r.coh.reports() {
		out.Groups++
		out.Planned += g.Planned
		out.Forecast += g.Forecast * float64(g.Planned)
		out.Revisited += g.Revisited
		out.Unchanged += g.Unchanged[g.Layer]
	}
	if out.Planned > 0 {
		out.Forecast /= float64(out.Planned)
	}
	return &out
}

// QueueStates counts the URLs of a run by what became of them.
type QueueStates struct {
	Queued   int64 `json:"queued"` // to be taken now or when their host has rested
	Late     int64 `json:"late"`   // to be tried again later
	Aside    int64 `json:"aside"`  // of hosts that are not asked: budget, spam, or a curator
	InFlight int64 `json:"inFlight"`
	Done     int64 `json:"done"`
	Failed   int64 `json:"failed"`  // of Done
	Dropped  int64 `json:"dropped"` // by rule
}

// WatchedHost is a host of a run.
type WatchedHost struct {
	frontier.HostStats
	Delay     *scope.Duration `json:"delay,omitempty"`    // fixed; missing: it follows how fast the host answers
	Rests     float64         `json:"rests,omitempty"`    // seconds until it may be asked again
	Failures  int             `json:"failures,omitempty"` // in a row
	Parked    string          `json:"parked,omitempty"`   // why it is not asked at all
	Spam      string          `json:"spam,omitempty"`     // where it stands with the filter
	Spamicity *float64        `json:"spamicity,omitempty"`
	Fault     *HostFault      `json:"fault,omitempty"` // what went wrong last
}

// watchedHosts is how many hosts are shown.
const watchedHosts = 25

// Watch tells how the run goes, for those who watch it.
func (r *Run) Watch() Watch {
	now := r.engine.cfg.Clock.Now()
	s := r.frontier.Stats()
	t := r.tally.copy()
	w := Watch{
		At: now.UTC(), Progress: r.Progress(), Limits: r.most.Load().Limits, Priorities: *r.priorities.Load(), Planned: r.coh != nil,
		Errors: t.Errors, Refusals: t.Refusals,
	}
	w.States = QueueStates{
		Queued: max(0, s.Queued-s.Late-s.Retired), Late: s.Late, Aside: s.Retired, InFlight: s.InFlight, Done: s.Done, Failed: s.Failed, Dropped: s.Dropped,
	}
	w.Revisited = r.revisiting()
	var faults map[string]HostFault
	w.Newest, faults, w.Readings = r.recent.show()
	w.TopHosts = r.watchHosts(faults, now)
	return w
}

func (r *Run) watchHosts(faults map[string]HostFault, now time.Time) []WatchedHost {
	out := []WatchedHost{}
	seen := map[string]bool{}
	for _, by := range []frontier.Metric{frontier.ByQueued, frontier.ByDone} {
		list, err := r.frontier.TopHosts(by, watchedHosts)
		if err != nil {
			return out // it has just ended
		}
		for _, h := range list {
			if !seen[h.Host] && len(out) < watchedHosts {
				seen[h.Host] = true
				out = append(out, r.watchHost(h, faults, now))
			}
		}
	}
	return out
}

func (r *Run) watchHost(h frontier.HostStats, faults map[string]HostFault, now time.Time) WatchedHost {
	w := WatchedHost{HostStats: h, Delay: r.Def.Delay}
	if d := r.scope.Load().Settings(hostName(h.Host)).Delay; d != nil {
		w.Delay = d
	}
	status := r.engine.polite.Status(h.Host)
	w.Failures = status.Failures
	if rest := status.Next.Sub(now); rest > 0 && status.Known {
		w.Rests = rest.Seconds()
	}
	r.mu.Lock()
	w.Parked = r.parked[h.Host]
	r.mu.Unlock()
	if f, ok := faults[h.Host]; ok {
		w.Fault = &f
	}
	for _, s := range r.stages.all {
		if f, ok := s.(hostFilter); ok {
			w.Spam, w.Spamicity = f.HostState(h.Host)
		}
	}
	return w
}

// hostFilter is a stage that says where a host stands with it.
type hostFilter interface {
	HostState(host string) (state string, spamicity *float64)
}

func (r *Run) controlWatch(*http.Request) (any, error) { return r.Watch(), nil }

// reading is how far the run is, with the counts of its last commit.
func (r *Run) reading(now time.Time) Reading {
	t, s := r.tally.totals(), r.frontier.Stats()
	return Reading{At: now.UTC(), URLs: t.URLs, Pages: t.Pages, Bytes: t.Bytes, Failed: t.Failed, Queued: s.Queued + s.InFlight}
}
