package control

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/scope"
)

// Watch is what those see who watch a run.
type Watch struct {
	At time.Time `json:"at"`
	crawl.Progress
	States     QueueStates      `json:"states"`
	Limits     crawl.Limits     `json:"limits"`
	Priorities []crawl.Priority `json:"priorities,omitempty"`
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
	Groups    int     `json:"groups"`                // with a page
	Planned   int64   `json:"planned"`               // revisits that have their turn
	Forecast  float64 `json:"forecast"`              // share of these expected unchanged, when they were planned
	Low       float64 `json:"forecastLow,omitempty"` // the interval that holds it with 95 %; both 0: not known
	High      float64 `json:"forecastHigh,omitempty"`
	Revisited int64   `json:"revisited"` // so far
	Unchanged int64   `json:"unchanged"` // of these, on the layer that counts
}

// grouped is a stage whose pages are in groups.
type grouped interface{ Groups() []crawl.GroupReport }

// groupsOf returns the groups of a run that has some.
func groupsOf(r *crawl.Run) (list []crawl.GroupReport) {
	for _, s := range r.Stages() {
		if p, ok := s.(grouped); ok {
			list = append(list, p.Groups()...)
		}
	}
	return list
}

// revisiting adds up the groups of a planned crawl.
func (c *Stage) revisiting() *Revisiting {
	if !c.r.Ordered() {
		return nil
	}
	var out Revisiting
	for _, g := range groupsOf(c.r) {
		out.Groups++
		out.Planned += g.Planned
		out.Forecast += g.Forecast * float64(g.Planned)
		out.Low += g.ForecastLow * float64(g.Planned)
		out.High += g.ForecastHigh * float64(g.Planned)
		out.Revisited += g.Revisited
		out.Unchanged += g.Unchanged[g.Layer]
	}
	if out.Planned > 0 {
		out.Forecast /= float64(out.Planned)
		out.Low /= float64(out.Planned)
		out.High /= float64(out.Planned)
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
func (c *Stage) Watch() Watch {
	now := c.r.Clock().Now()
	s := c.r.Frontier().Stats()
	t := c.r.Totals()
	w := Watch{
		At: now.UTC(), Progress: c.r.Progress(), Limits: c.r.Limits(), Planned: c.r.Ordered(),
		Errors: t.Errors, Refusals: t.Refusals,
	}
	w.States = QueueStates{
		Queued: max(0, s.Queued-s.Late-s.Retired), Late: s.Late, Aside: s.Retired, InFlight: s.InFlight, Done: s.Done, Failed: s.Failed, Dropped: s.Dropped,
	}
	for _, s := range c.r.Stages() {
		if g, ok := s.(guided); ok {
			w.Priorities = g.Priorities()
		}
	}
	w.Revisited = c.revisiting()
	c.recent.read(c.reading(now)) // nothing is committed while it is paused: the rate must fall all the same
	var faults map[string]HostFault
	w.Newest, faults, w.Readings = c.recent.show()
	w.TopHosts = c.watchHosts(faults, now)
	return w
}

func (c *Stage) watchHosts(faults map[string]HostFault, now time.Time) []WatchedHost {
	out := []WatchedHost{}
	seen := map[string]bool{}
	for _, by := range []frontier.Metric{frontier.ByQueued, frontier.ByDone} {
		list, err := c.r.Frontier().TopHosts(by, watchedHosts)
		if err != nil {
			return out // it has just ended
		}
		for _, h := range list {
			if !seen[h.Host] && len(out) < watchedHosts {
				seen[h.Host] = true
				out = append(out, c.watchHost(h, faults, now))
			}
		}
	}
	return out
}

func (c *Stage) watchHost(h frontier.HostStats, faults map[string]HostFault, now time.Time) WatchedHost {
	w := WatchedHost{HostStats: h, Delay: c.r.Def.Delay}
	if d := c.r.Rules().Settings(crawl.HostName(h.Host)).Delay; d != nil {
		w.Delay = d
	}
	status := c.r.Polite().Status(h.Host)
	w.Failures = status.Failures
	if rest := status.Next.Sub(now); rest > 0 && status.Known {
		w.Rests = rest.Seconds()
	}
	w.Parked = c.r.Parked(h.Host)
	if f, ok := faults[h.Host]; ok {
		w.Fault = &f
	}
	for _, s := range c.r.Stages() {
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

func (c *Stage) controlWatch(*http.Request) (any, error) { return c.Watch(), nil }

// reading is how far the run is, with the counts of its last commit.
func (c *Stage) reading(now time.Time) Reading {
	t, s := c.r.Counts(), c.r.Frontier().Stats()
	out := Reading{At: now.UTC(), URLs: t.URLs, Pages: t.Pages, Bytes: t.Bytes, Failed: t.Failed, Queued: s.Queued + s.InFlight}
	for _, s := range c.r.Stages() {
		if j, ok := s.(judging); ok {
			g := j.Totals()
			out.Judged, out.Relevant, out.Keyword, out.Similarity = g.Pages, g.Relevant, g.Keyword, g.Similarity
		}
	}
	return out
}

// Bounds of what is remembered of the last visits.
const (
	recentPages    = 24
	recentReadings = 240 // then every second one is dropped and readings are taken half as often
	recentErrors   = 2000
	readEvery      = 2 * time.Second
)

// Reading is how far a run was at an instant.
type Reading struct {
	At     time.Time `json:"at"`
	URLs   int64     `json:"urls"`
	Pages  int64     `json:"pages"`
	Bytes  int64     `json:"bytes"`
	Failed int64     `json:"failed"`
	Queued int64     `json:"queued"`

	Judged     int64   `json:"judged,omitempty"`     // pages of a crawl that knows what it is about
	Relevant   int64   `json:"relevant,omitempty"`   // of these
	Keyword    int64   `json:"keyword,omitempty"`    // of these, with a keyword or name
	Similarity float64 `json:"similarity,omitempty"` // sum over them
}

// judging is a stage that judges pages.
type judging interface{ Totals() crawl.Guidance }

// NewPage is a page that was captured a moment ago.
type NewPage struct {
	URL       string    `json:"url"`
	Title     string    `json:"title,omitempty"`
	At        time.Time `json:"at"`
	Status    int       `json:"status"`
	Bytes     int64     `json:"bytes"`
	Collector string    `json:"collector,omitempty"` // who went further with it, as the browser
}

// HostFault is what went wrong with a host last.
type HostFault struct {
	Class  string    `json:"class"`
	Status int       `json:"status,omitempty"`
	URL    string    `json:"url"`
	At     time.Time `json:"at"`
}

// recent remembers what the last visits showed, for those who watch. It is told with every commit and whenever somebody
// looks, so nothing has to wake up for it; its memory has bounds.
type recent struct {
	mu       sync.Mutex
	pages    []NewPage // the oldest first
	faults   map[string]HostFault
	readings []Reading
	every    time.Duration
}

func newRecent() *recent { return &recent{faults: map[string]HostFault{}, every: readEvery} }

// see takes what visits show.
func (r *recent) see(visits []*crawl.Visit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range visits {
		if v.Queued() && v.IsPage() && !v.Again() {
			r.page(v)
		}
		if v.Class() != "" && v.Item().Host != "" {
			r.fault(v)
		}
	}
}

func (r *recent) page(v *crawl.Visit) {
	if len(r.pages) == recentPages {
		r.pages = slices.Delete(r.pages, 0, 1)
	}
	r.pages = append(r.pages, NewPage{
		URL: v.Item().URL, Title: strings.ToValidUTF8(strings.Clone(v.Title()[:min(len(v.Title()), 200)]), ""), At: v.Fetched(), Status: v.Status(), Bytes: v.Size(), Collector: v.Collector(),
	})
}

func (r *recent) fault(v *crawl.Visit) {
	if _, there := r.faults[v.Item().Host]; !there && len(r.faults) >= recentErrors {
		for host := range r.faults { // any one
			delete(r.faults, host)
			break
		}
	}
	r.faults[v.Item().Host] = HostFault{Class: string(v.Class()), Status: v.Status(), URL: v.Item().URL, At: v.Started()}
}

// read takes a reading, if the last one is old enough.
func (r *recent) read(now Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.readings)
	if n > 0 && now.At.Sub(r.readings[n-1].At) < r.every {
		return
	}
	if n == recentReadings {
		half := r.readings[:0]
		for i := 0; i < n; i += 2 {
			half = append(half, r.readings[i])
		}
		r.readings, r.every = half, 2*r.every
	}
	r.readings = append(r.readings, now)
}

// show gives copies: pages newest first.
func (r *recent) show() (pages []NewPage, faults map[string]HostFault, readings []Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pages = slices.Clone(r.pages)
	slices.Reverse(pages)
	return pages, maps.Clone(r.faults), slices.Clone(r.readings)
}
