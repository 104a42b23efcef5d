package control

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/crawl"
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
