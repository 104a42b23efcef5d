package holdings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// State is what a crawl is doing, or how it ended.
type State string

// The states of a crawl.
const (
	Live        State = "running"     // its control socket is there
	Complete    State = "complete"    // nothing is left that belongs to it
	Finished    State = "finished"    // nothing is left to do, but something is missing; the report says what
	Stopped     State = "stopped"     // it ended with URLs left
	Interrupted State = "interrupted" // it neither runs nor wrote a report
)

// ParseState reads a state; none is any.
func ParseState(text string) (State, error) {
	if _, ok := stateBytes[State(text)]; ok {
		return State(text), nil
	}
	return "", &varve.Error{Kind: varve.Invalid, Op: "list crawls", Msg: fmt.Sprintf("%.20q is no state of a crawl", text), Hint: "running, complete, finished, stopped or interrupted"}
}

// Crawl is one crawl of a collection.
type Crawl struct {
	ID         string            `json:"id"`
	Collection string            `json:"collection"`
	Name       string            `json:"name,omitempty"` // in the plan of the collection
	State      State             `json:"state"`
	Paused     bool              `json:"paused,omitempty"` // of one that runs, when it was asked
	Why        string            `json:"why,omitempty"`
	Started    time.Time         `json:"started,omitzero"`
	Ended      time.Time         `json:"ended,omitzero"`
	Pages      int64             `json:"pages"`
	URLs       int64             `json:"urls"`
	Bytes      int64             `json:"bytes"`
	Failed     int64             `json:"failed"`
	Queued     int64             `json:"queued"`
	Coherence  *Tally            `json:"coherence,omitempty"` // nil: not measured
	Report     *crawl.Report     `json:"-"`                   // nil in lists: Full reads it
	Definition *crawl.Definition `json:"-"`                   // nil in lists
	Problem    string            `json:"problem,omitempty"`   // why a file of it could not be read

	Reported  bool  `json:"-"` // there is a report
	Defined   bool  `json:"-"` // there is a definition
	Revisited int64 `json:"-"` // pages that were visited twice
	SeedCount int   `json:"-"`

	dir    string
	from   *Holdings // that can read its files; nil: Report and Definition are all there is
	stamp  uint64    // of the files it was read from
	series uint64    // tells definitions without a name apart; 0: not known
	digest uint64    // of the definition; 0: not known
	over   struct {  // what it is without its socket
		state State
		why   string
		ended time.Time
	}
}

// Tally counts the pages of a crawl by what became of them between visit and revisit.
type Tally struct {
	Coherent int64 `json:"coherent"`
	Content  int64 `json:"content"`
	Links    int64 `json:"links"`
	Missing  int64 `json:"missing"`
	Unknown  int64 `json:"unknown"`
}

// Total is the number of pages counted.
func (t Tally) Total() int64 { return t.Coherent + t.Content + t.Links + t.Missing + t.Unknown }

// Dir is the folder of the crawl.
func (k *Crawl) Dir() string { return k.dir }

// Crawl gives one crawl.
func (h *Holdings) Crawl(_ context.Context, collection, id string) (*Crawl, error) {
	c, err := h.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	dir, err := c.CrawlDir(id)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open crawl " + id + " of " + collection, Msg: "there is no such crawl"}
	}
	k, err := readCrawl(h, c, id)
	if err == nil {
		k.from = h
	}
	return k, err
}

// readCrawl reads a crawl from its folder, through the cache of the holdings if they are not nil.
func readCrawl(h *Holdings, c *catalog.Collection, id string) (*Crawl, error) {
	dir, err := c.CrawlDir(id)
	if err != nil {
		return nil, err
	}
	k := &Crawl{ID: id, Collection: c.Name, State: Interrupted, dir: dir, Started: startOf(id)}
	def, err := load(h, filepath.Join(dir, "definition.json"), func(string) (*crawl.Definition, error) {
		d, err := crawl.ReadDefinition(dir)
		return &d, err
	})
	k.note("definition.json", err)
	if err == nil {
		k.Definition, k.Name, k.Defined = def, def.Name, true
		k.SeedCount, k.series, k.digest = def.SeedCount(), seriesOf(def), max(1, hashOf(def.Digest()))
	}
	rep, err := load(h, filepath.Join(dir, "report.json"), func(string) (*crawl.Report, error) { return crawl.ReadReport(dir) })
	k.note("report.json", err)
	if err == nil {
		k.takeReport(rep)
	}
	tally, err := load(h, filepath.Join(dir, CoherenceFile), readTally)
	k.note(CoherenceFile, err)
	k.Coherence = tally
	if _, err := os.Stat(k.socket()); err == nil {
		k.over.state, k.over.why, k.over.ended = k.State, k.Why, k.Ended
		k.State, k.Why, k.Ended = Live, "", time.Time{}
	}
	return k, nil
}

// ended makes a crawl whose process is gone what its files say.
func (k *Crawl) ended(why string) {
	k.State, k.Why, k.Ended = k.over.state, k.over.why, k.over.ended
	if !k.Reported {
		k.State, k.Why = Interrupted, why
	}
}

// Full returns the report of a crawl of a list; an empty one if there is none.
func (k *Crawl) Full() *crawl.Report {
	if k.Report != nil {
		return k.Report
	}
	if k.from != nil && k.Reported {
		if rep, err := load(k.from, filepath.Join(k.dir, "report.json"), func(string) (*crawl.Report, error) { return crawl.ReadReport(k.dir) }); err == nil {
			return rep
		}
	}
	return &crawl.Report{}
}

// HasReport reports whether there is a report.
func (k *Crawl) HasReport() bool { return k.Reported || k.Report != nil }

// HasDefinition reports whether there is a definition.
func (k *Crawl) HasDefinition() bool { return k.Defined || k.Definition != nil }

// Seeds returns the number of its seeds.
func (k *Crawl) Seeds() int {
	if k.Definition != nil {
		return k.Definition.SeedCount()
	}
	return k.SeedCount
}

// Series tells definitions apart: by name, else by seeds; a crawl without a definition is alone.
func (k *Crawl) Series() string {
	if k.Name != "" {
		return "name " + k.Name
	}
	seeds := k.series
	if k.Definition != nil {
		seeds = seriesOf(k.Definition)
	}
	if seeds != 0 {
		return fmt.Sprintf("seeds %x", seeds)
	}
	return "crawl " + k.ID
}

// SameDefinition reports whether two crawls had the same definition, as far as that is known.
func (k *Crawl) SameDefinition(o *Crawl) bool {
	digest := func(k *Crawl) uint64 {
		if k.Definition != nil {
			return max(1, hashOf(k.Definition.Digest()))
		}
		return k.digest
	}
	a, b := digest(k), digest(o)
	return a == 0 || b == 0 || a == b
}

func (k *Crawl) takeReport(rep *crawl.Report) {
	k.Report, k.Reported, k.Why, k.Ended, k.State = rep, true, rep.Why, rep.Ended, Stopped
	for _, g := range rep.Groups {
		k.Revisited += g.Revisited
	}
	if !rep.Started.IsZero() {
		k.Started = rep.Started
	}
	switch {
	case rep.Complete:
		k.State = Complete
	case rep.Finished:
		k.State = Finished
	}
	k.Pages, k.URLs, k.Bytes, k.Failed, k.Queued = rep.Pages, rep.URLs, rep.Bytes, rep.Failed, rep.Queued
}

// note keeps the first file that could not be read; one that is not there is no problem.
func (k *Crawl) note(file string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) && k.Problem == "" {
		k.Problem = fmt.Sprintf("%s: %v", file, err)
	}
}

func (k *Crawl) socket() string { return filepath.Join(k.dir, "control.sock") }

// startOf reads the time that a crawl id begins with.
func startOf(id string) time.Time {
	if len(id) < 16 {
		return time.Time{}
	}
	t, err := time.Parse("20060102T150405Z", id[:16])
	if err != nil {
		return time.Time{}
	}
	return t
}

func sortPlans(p []Planned) {
	slices.SortFunc(p, func(a, b Planned) int { return cmp.Compare(a.Name, b.Name) })
}
