package crawl

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

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
}

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

// recent remembers what the last visits showed, for those who watch. It is told with every commit, so nothing has
// to wake up for it; its memory has bounds.
type recent struct {
	mu       sync.Mutex
	pages    []NewPage // the oldest first
	faults   map[string]HostFault
	readings []Reading
	every    time.Duration
}

func newRecent() *recent { return &recent{faults: map[string]HostFault{}, every: readEvery} }

// see takes what a group of visits shows.
func (r *recent) see(group []*Visit, now Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range group {
		if v.queued() && v.isPage() && !v.again() {
			r.page(v)
		}
		if v.class != "" && v.item.Host != "" {
			r.fault(v)
		}
	}
	r.read(now)
}

func (r *recent) page(v *Visit) {
	if len(r.pages) == recentPages {
		r.pages = slices.Delete(r.pages, 0, 1)
	}
	r.pages = append(r.pages, NewPage{
		URL: v.item.URL, Title: strings.Clone(clipText(v.title, 200)), At: v.fetched, Status: v.status, Bytes: v.size, Collector: v.collector,
	})
}

func (r *recent) fault(v *Visit) {
	if _, there := r.faults[v.item.Host]; !there && len(r.faults) >= recentErrors {
		for host := range r.faults { // any one
			delete(r.faults, host)
			break
		}
	}
	r.faults[v.item.Host] = HostFault{Class: string(v.class), Status: v.status, URL: v.item.URL, At: v.started}
}

func (r *recent) read(now Reading) {
	n := len(r.readings)
	if n > 0 && now.At.Sub(r.readings[n-1].At) < r.every {
		return
	}
	if n == recentReadings {
		kept := r.readings[:0]
		for i := 0; i < n; i += 2 {
			kept = append(kept, r.readings[i])
		}
		r.readings, r.every = kept, 2*r.every
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
