package coherence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"varve"
	"varve/archive/catalog"
	"varve/coherence/evidence"
	"varve/coherence/graph"
	"varve/coherence/report"
)

// File is the report of a crawl, in its folder.
const File = "coherence.json"

// maxReport bounds what is read of a report.
const maxReport = 64 << 20

// Desk hands out reports and graphs.
type Desk struct {
	archive *catalog.Archive
	workers int

	job sync.Mutex // one reading of a collection at a time

	under sync.WaitGroup // measurements that go on after their request

	mu     sync.Mutex
	graphs []kept // last used last
	jobs   map[string]*Job
}

// Job is a measurement under way, or the last one of a collection.
type Job struct {
	Done, Total int // crawls
	Running     bool
	Err         error
}

// kept is a graph in memory.
type kept struct {
	collection, crawl string
	graph             *graph.Graph
}

// maxGraphs is how many graphs are kept.
const maxGraphs = 4

// New makes a desk over an archive. workers is how many cores a measurement may use.
func New(archive *catalog.Archive, workers int) *Desk {
	return &Desk{archive: archive, workers: workers, jobs: map[string]*Job{}}
}

// Report gives the report of a crawl; one that was not measured is not found.
func (d *Desk) Report(_ context.Context, collection, crawl string) (*report.Report, error) {
	_, dir, err := d.place(collection, crawl)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notMeasured(crawl)
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the coherence of crawl " + crawl, Err: err}
	}
	defer f.Close()
	var rep report.Report
	if err := json.NewDecoder(&limited{f, maxReport}).Decode(&rep); err != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "read " + f.Name(), Err: err, Hint: "it is derived: remove it and measure again",
		}
	}
	return &rep, nil
}

func notMeasured(crawl string) error {
	return &varve.Error{
		Kind: varve.NotFound, Op: "read the coherence of crawl " + crawl, Msg: "it was not measured yet",
		Hint: "measure it on its page, or POST .../coherence",
	}
}

// place finds the collection and the folder of a crawl.
func (d *Desk) place(collection, crawl string) (*catalog.Collection, string, error) {
	c, err := d.archive.Collection(collection)
	if err != nil {
		return nil, "", err
	}
	dir, err := c.CrawlDir(crawl)
	if err != nil {
		return nil, "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", &varve.Error{Kind: varve.NotFound, Op: "open crawl " + crawl + " of " + collection, Msg: "there is no such crawl"}
	}
	return c, dir, nil
}

// Begin measures crawls in the background, until the context ends. Job tells how far it is, Wait waits for all.
func (d *Desk) Begin(ctx context.Context, collection string, crawls ...string) error {
	if ctx.Err() != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "measure " + collection, Msg: "the server is about to end"}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if j := d.jobs[collection]; j != nil && j.Running {
		return &varve.Error{Kind: varve.Conflict, Op: "measure " + collection, Msg: "it is being measured just now", Hint: "wait for it to end"}
	}
	j := &Job{Total: len(crawls), Running: true}
	d.jobs[collection] = j
	d.under.Go(func() {
		err := d.measure(ctx, collection, crawls, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			j.Done++
		})
		d.mu.Lock()
		defer d.mu.Unlock()
		j.Running, j.Err = false, err
	})
	return nil
}

// Wait waits for what Begin began. Its context must have ended, or nobody else may begin anything.
func (d *Desk) Wait() { d.under.Wait() }

// Job tells how far the measurement of a collection is, or how the last one ended.
func (d *Desk) Job(collection string) (Job, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := d.jobs[collection]
	if j == nil {
		return Job{}, false
	}
	return *j, true
}

// Measure reads the WARC files of a collection and writes the reports of some of its crawls.
func (d *Desk) Measure(ctx context.Context, collection string, crawls ...string) error {
	return d.measure(ctx, collection, crawls, func() {})
}

func (d *Desk) measure(ctx context.Context, collection string, crawls []string, done func()) error {
	d.job.Lock()
	defer d.job.Unlock()
	return d.read(ctx, collection, func(set *evidence.Set) error {
		dates, err := report.LearnDates(set, "")
		if err != nil {
			return err
		}
		for _, id := range crawls {
			_, dir, err := d.place(collection, id)
			if err != nil {
				return err
			}
			rep, err := report.Make(ctx, set, report.Options{Crawl: id, Dates: dates, Workers: d.workers}, nil)
			if err != nil {
				return fmt.Errorf("measure crawl %s: %w", id, err)
			}
			rep.Collection = collection
			if err := write(filepath.Join(dir, File), rep); err != nil {
				return err
			}
			d.forget(collection, id)
			done()
		}
		return nil
	})
}

// Graph gives the graph of a crawl, built when it is first asked for.
func (d *Desk) Graph(ctx context.Context, collection, crawl string) (*graph.Graph, error) {
	if g := d.find(collection, crawl); g != nil {
		return g, nil
	}
	if _, _, err := d.place(collection, crawl); err != nil {
		return nil, err
	}
	d.job.Lock()
	defer d.job.Unlock()
	if g := d.find(collection, crawl); g != nil {
		return g, nil
	}
	var g *graph.Graph
	err := d.read(ctx, collection, func(set *evidence.Set) error {
		dates, err := report.LearnDates(set, "")
		if err == nil {
			g, err = graph.Build(ctx, set, graph.Config{Report: report.Options{Crawl: crawl, Dates: dates, Workers: d.workers}})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.graphs = append(d.graphs, kept{collection, crawl, g}); len(d.graphs) > maxGraphs {
		d.graphs = d.graphs[1:]
	}
	return g, nil
}

// find gives a graph that is in memory, and makes it the one used last.
func (d *Desk) find(collection, crawl string) *graph.Graph {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, k := range d.graphs {
		if k.collection == collection && k.crawl == crawl {
			d.graphs = append(append(d.graphs[:i:i], d.graphs[i+1:]...), k)
			return k.graph
		}
	}
	return nil
}

func (d *Desk) forget(collection, crawl string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, k := range d.graphs {
		if k.collection == collection && k.crawl == crawl {
			d.graphs = append(d.graphs[:i:i], d.graphs[i+1:]...)
			return
		}
	}
}
