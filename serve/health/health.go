// Package health tells administrators how the parts stand that run beside the server: the nodes of crawls that several machines make, and the
// files that wait to be sent to a store.
//
// Terms. A *fleet* is a crawl of several nodes, as its engine has it (crawl/nodes). *Lag* is what the log has for nodes that they have not read. An
// *upload* waits while a finished WARC file lies in the spool of a collection and no store has it (archive/spool).
//
// Cost: a look reads the folders of the collections and asks the engine some questions. It is made at most every few seconds; whoever asks meanwhile gets
// the last one.
package health

import (
	"context"
	"fmt"
	"sync"
	"time"

	"varve/archive/catalog"
	"varve/archive/spool"
	"varve/crawl/nodes"
)

// Health is how things stand.
type Health struct {
	At       time.Time        `json:"at"`
	Joined   bool             `json:"joined"`            // the server knows an engine of nodes
	Engine   string           `json:"engine,omitempty"`  // its server and version
	Trouble  string           `json:"trouble,omitempty"` // why it could not be asked
	Fleets   []nodes.Overview `json:"fleets"`
	Store    string           `json:"store"` // directory or s3
	Uploads  []Uploads        `json:"uploads"`
	Findings []Finding        `json:"findings"` // what somebody should look at, worst first
}

// Uploads is what of a collection waits to be sent to the store.
type Uploads struct {
	Collection string    `json:"collection"`
	Waiting    int       `json:"waiting"`
	Bytes      int64     `json:"bytes"`
	Oldest     time.Time `json:"oldest,omitzero"`
	Stored     int       `json:"stored"`
	Error      string    `json:"error,omitempty"`
}

// Finding is something that somebody should look at.
type Finding struct {
	Kind  Kind   `json:"kind"`
	What  string `json:"what"` // a crawl, a node, a collection
	Count int    `json:"count,omitempty"`
	Why   string `json:"why,omitempty"`
}

// Kind is a sort of finding.
type Kind string

// The sorts of findings, worst first.
const (
	Unreachable Kind = "unreachable" // the engine cannot be asked
	NoNode      Kind = "no-node"     // a crawl that is not over has no node
	Orphans     Kind = "orphans"     // partitions of nodes that are gone
	Waits       Kind = "waits"       // a node that does nothing, against its will
	Lags        Kind = "lags"        // a node with more to read than lagMost
	Uploading   Kind = "uploads"     // files have waited for longer than waitMost
	Unread      Kind = "unread"      // a collection whose files cannot be listed
)

const (
	lagMost  = 10_000
	waitMost = time.Hour
	lookMost = 10 * time.Second // for one look
	fresh    = 3 * time.Second
)

// Source tells of crawls of several nodes.
type Source interface {
	// Fleets looks at the crawls of the engine; server says who answered.
	Fleets(ctx context.Context) (fleets []nodes.Overview, server string, err error)
}

// Desk tells how things stand.
type Desk struct {
	Archive *catalog.Archive
	Store   string // directory or s3: where WARC files go
	Source  Source // nil: no engine is joined
	Now     func() time.Time

	mu   sync.Mutex
	last *Health
}

// Look returns how things stand. What cannot be asked is part of the answer.
func (d *Desk) Look(ctx context.Context) *Health {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.Now()
	if d.last != nil && now.Sub(d.last.At) < fresh && !now.Before(d.last.At) {
		return d.last
	}
	ctx, end := context.WithTimeout(ctx, lookMost)
	defer end()
	h := &Health{At: now.UTC(), Store: d.Store, Fleets: []nodes.Overview{}, Uploads: []Uploads{}, Findings: []Finding{}}
	if d.Source != nil {
		h.Joined = true
		fleets, server, err := d.Source.Fleets(ctx)
		if h.Engine = server; err != nil {
			h.Trouble = err.Error()
		} else {
			h.Fleets = append(h.Fleets, fleets...)
		}
	}
	d.uploads(h)
	h.Findings = append(h.Findings, h.find(now)...)
	d.last = h
	return h
}

// uploads looks what waits in the spools.
func (d *Desk) uploads(h *Health) {
	cols, err := d.Archive.Collections()
	if err != nil {
		h.Uploads = append(h.Uploads, Uploads{Error: err.Error()})
		return
	}
	for _, col := range cols {
		u := Uploads{Collection: col.Name}
		pending, err := spool.Pending(col)
		if err != nil {
			u.Error = err.Error()
		}
		for _, f := range pending {
			u.Waiting++
			info, err := f.Stat()
			if err != nil {
				continue // sent meanwhile
			}
			u.Bytes += info.Size
			if u.Oldest.IsZero() || info.Changed.Before(u.Oldest) {
				u.Oldest = info.Changed
			}
		}
		if stored, err := col.Objects(); err == nil {
			u.Stored = len(stored)
		}
		if u.Stored > 0 || u.Error != "" || d.Store != "" && d.Store != "directory" {
			h.Uploads = append(h.Uploads, u)
		}
	}
}

// find returns what somebody should look at.
func (h *Health) find(now time.Time) (out []Finding) {
	if h.Trouble != "" {
		out = append(out, Finding{Kind: Unreachable, Why: h.Trouble})
	}
	var orphans, waits, lags []Finding
	for i := range h.Fleets {
		f := &h.Fleets[i]
		if f.State == "no node runs" {
			out = append(out, Finding{Kind: NoNode, What: f.Crawl})
		}
		if f.Orphans > 0 && len(f.Nodes) > 0 { // of a crawl that is over nobody takes them
			orphans = append(orphans, Finding{Kind: Orphans, What: f.Crawl, Count: f.Orphans})
		}
		for j := range f.Nodes {
			s := &f.Nodes[j]
			if s.State == "paused" && !f.Orders.Paused {
				waits = append(waits, Finding{Kind: Waits, What: f.Crawl + ": " + s.Name, Why: s.Why})
			}
			if s.Waiting > lagMost {
				lags = append(lags, Finding{Kind: Lags, What: f.Crawl + ": " + s.Name, Count: int(s.Waiting)})
			}
		}
	}
	out = append(append(append(out, orphans...), waits...), lags...)
	for _, u := range h.Uploads {
		switch {
		case u.Error != "":
			out = append(out, Finding{Kind: Unread, What: u.Collection, Why: u.Error})
		case h.Store == "s3" && u.Waiting > 0 && now.Sub(u.Oldest) > waitMost:
			out = append(out, Finding{Kind: Uploading, What: u.Collection, Count: u.Waiting, Why: fmt.Sprint(now.Sub(u.Oldest).Round(time.Minute))})
		}
	}
	return out
}

// Sums are the figures for those who watch by machine. They name nothing.
type Sums struct {
	Reachable, Fleets, Nodes, Owned, Released, Orphans, Leases, Lag, Queued, Waiting, WaitingBytes, Findings float64
}

// Sum adds up.
func (h *Health) Sum() (s Sums) {
	if h.Joined && h.Trouble == "" {
		s.Reachable = 1
	}
	s.Fleets, s.Findings = float64(len(h.Fleets)), float64(len(h.Findings))
	for i := range h.Fleets {
		f := &h.Fleets[i]
		s.Nodes += float64(len(f.Nodes))
		s.Owned += float64(f.Owned)
		s.Released += float64(f.Released)
		s.Orphans += float64(f.Orphans)
		s.Leases += float64(f.Leases)
		s.Lag += float64(f.Waiting)
		s.Queued += float64(f.Together.Queued)
	}
	for _, u := range h.Uploads {
		s.Waiting += float64(u.Waiting)
		s.WaitingBytes += float64(u.Bytes)
	}
	return s
}
