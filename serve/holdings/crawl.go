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

// Crawl is one crawl of a collection.
type Crawl struct {
	ID         string            `json:"id"`
	Collection string            `json:"collection"`
	Name       string            `json:"name,omitempty"` // in the plan of the collection
	State      State             `json:"state"`
	Why        string            `json:"why,omitempty"`
	Started    time.Time         `json:"started,omitzero"`
	Ended      time.Time         `json:"ended,omitzero"`
	Pages      int64             `json:"pages"`
	URLs       int64             `json:"urls"`
	Bytes      int64             `json:"bytes"`
	Failed     int64             `json:"failed"`
	Queued     int64             `json:"queued"`
	Coherence  *Tally            `json:"coherence,omitempty"` // nil: not measured
	Report     *crawl.Report     `json:"-"`
	Definition *crawl.Definition `json:"-"`
	Problem    string            `json:"problem,omitempty"` // why a file of it could not be read
	dir        string
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
	return h.crawl(c, id)
}

func (h *Holdings) crawl(c *catalog.Collection, id string) (*Crawl, error) {
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
		k.Definition, k.Name = def, def.Name
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
		k.State, k.Why, k.Ended = Live, "", time.Time{}
	}
	return k, nil
}

func (k *Crawl) takeReport(rep *crawl.Report) {
	k.Report, k.Why, k.Ended, k.State = rep, rep.Why, rep.Ended, Stopped
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
