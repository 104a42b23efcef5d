package crawl

import (
	"context"
	"encoding/json"
	"time"

	"varve/crawl/frontier"
	"varve/crawl/scope"
)

// What a run needs that makes a crawl together with others. Which they are, and how they hear of each other, a stage knows (crawl/nodes).

// Orders are what people have decided about a crawl while it runs. They hold for all of its runs, also for those that begin later.
type Orders struct {
	Serial     uint64            `json:"serial"`            // grows with each change
	By         string            `json:"by,omitempty"`      // who made the last change
	Paused     bool              `json:"paused,omitempty"`  // no run takes URLs
	Stopped    bool              `json:"stopped,omitempty"` // all runs end; what is queued stays queued
	Why        string            `json:"why,omitempty"`     // of pause or stop
	Limits     *Limits           `json:"limits,omitempty"`  // nil: those of the definition
	Scope      *scope.Definition `json:"scope,omitempty"`   // nil: that of the definition
	Priorities *[]Priority       `json:"priorities,omitempty"`
	About      json.RawMessage   `json:"about,omitempty"` // what a guided crawl is about
}

// Commander is a stage that passes on what people decide: it holds for all runs of the crawl, whichever of them was asked.
type Commander interface {
	// Order changes the orders, and returns when they are in force here; the other runs follow.
	Order(ctx context.Context, by string, change func(*Orders) error) (Orders, error)
	// Send passes changes of single URLs on to the runs that have their sites, and returns when they cannot be lost.
	Send(ctx context.Context, updates []frontier.ScoreUpdate) error
}

// Commander returns the stage that passes on what people decide; nil for a crawl of one run.
func (r *Run) Commander() Commander {
	for _, s := range r.stages.all {
		if c, ok := s.(Commander); ok {
			return c
		}
	}
	return nil
}

// Steered is a stage that puts orders in force that the core knows nothing of.
type Steered interface {
	Steer(ctx context.Context, was, now Orders) error
}

// Traveller is a stage that keeps something with URLs or about sites that only its own run can read. What goes to another run is packed, and unpacked there.
type Traveller interface {
	Pack(it *frontier.Item)
	Unpack(it *frontier.Item)
	// Carry passes what is known of hosts, for the run that goes on with them; Receive takes it there, before their URLs. It may come more than once.
	Carry(of func(host string) bool, each func(host string, note []byte) error) error
	Receive(host string, note []byte) error
}

// PutAside takes a host out of the rotation because another run has it, or puts it back.
func (r *Run) PutAside(host string, aside bool) error {
	hold := HoldNothing
	if aside {
		hold = HoldAll
	}
	r.stages.order.Hold(host, hold)
	return r.frontier.Retire(host, aside)
}

// Usage is what a run has used of the limits of its crawl.
type Usage struct {
	Counts       // revisits are not limited
	Busy   int64 // visits under way, any of which may become an answer
	Parts  int64 // of these, those that cannot become a page of their own
	Got    int64 // bytes of visits under way
}

// Usage returns what the run has used so far.
func (r *Run) Usage() Usage {
	t := r.tally.totals()
	t.URLs, t.Bytes = t.URLs-t.Again, t.Bytes-t.AgainBytes
	return Usage{Counts: t, Busy: r.load.busy.Load(), Parts: r.load.parts.Load(), Got: r.load.got.Load()}
}

// Rationer is a stage that divides the limits of the crawl among its runs. A run has one at most, and asks it instead of the limits.
type Rationer interface {
	// Ration returns "" if the run may go on; RationWait if it has to wait until it is given more, or until what is under way has shown what
	// is left; else the limit that the crawl has reached.
	Ration(now time.Time, u Usage) string
}

// RationWait says that the ration of a run is used up, but the crawl's limit perhaps not.
const RationWait = waitForBusy

// Together is how a crawl of several runs stands as a whole.
type Together struct {
	Name    string       `json:"name"`
	Here    string       `json:"here"` // the node that tells it
	URLs    int64        `json:"urls"`
	Pages   int64        `json:"pages"`
	Bytes   int64        `json:"bytes"`
	Failed  int64        `json:"failed"`
	Refused int64        `json:"refused"`
	Queued  int64        `json:"queued"`
	Hosts   int64        `json:"hosts"`
	Rate    float64      `json:"urlsPerSecond"`
	Reached string       `json:"reached,omitempty"` // the limit that has ended it
	Orders  uint64       `json:"orders"`            // serial of those in force here
	Nodes   []NodeStands `json:"nodes"`
}

// NodeStands is how one node of a crawl stands.
type NodeStands struct {
	Node       string  `json:"node"`
	Name       string  `json:"name"`
	State      string  `json:"state"` // of its run; "gone": it has left, or died
	Why        string  `json:"why,omitempty"`
	Partitions int     `json:"partitions"`
	URLs       int64   `json:"urls"`
	Pages      int64   `json:"pages"`
	Bytes      int64   `json:"bytes"`
	Queued     int64   `json:"queued"`
	Rate       float64 `json:"urlsPerSecond"`
}
