package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/text/layer"
)

// State is what a run is doing.
type State string

// The states of a run.
const (
	Running  State = "running"
	Paused   State = "paused"   // by a person, or because the disk is nearly full
	Stopping State = "stopping" // no new URL is taken
	Ended    State = "ended"
)

// Place is where a run keeps its things. Tests hand in file systems that lose power.
type Place struct {
	Dir     string // of the crawl: frontier, events, report
	WarcDir string
	// Find finds a WARC file of the collection that is not in WarcDir: one imported in place, or in a store. May be nil.
	Find  func(name string) (catalog.File, error)
	Store vfs.FS  // of the frontier; the disk if nil
	Files warc.FS // of the WARC files; the disk if nil
}

// Run is one crawl under way.
type Run struct {
	ID     string
	Def    Definition
	engine *Engine
	place  Place
	log    *slog.Logger
	number int // among the politeness' customers

	frontier *frontier.Frontier
	writer   *warc.Writer
	scope    *scope.Live
	seeds    *scope.Seeds
	heavy    *heavy
	traps    *scope.Traps
	robots   *robotsCache
	reach    *reach   // authorities that fail
	guesses  *guesses // what they brought, by host
	jar      *fetch.Jar
	history  History
	layers   layer.Set // of pages, that are looked at
	stages   stages
	events   *eventLog
	lines    *lineLog
	tally    *tally
	dns      *dnsSeen
	alike    *likeness
	twins    *twins
	known    knownPages
	meter    rateMeter
	minutes  rateMeter // the pace of the last minutes

	loopback bool // the seeds are on loopback, so loopback may be reached
	resumed  bool
	started  time.Time

	most      atomic.Pointer[inForce] // limits
	keeping   sync.Mutex              // of the definition on disk
	exchanges *exchanges              // under way

	lookout  *lookout // who looks for work
	handover handover // to the committer
	load     load     // what is under way
	status   status
	hosts    hostTable

	done   chan struct{}
	report *Report
}

// Options are what a run is started with beside its definition.
type Options struct {
	History History // nil: no memory of earlier crawls
	Jar     *fetch.Jar
	// Stages makes the stages of a run from its definition, in the order in which they are asked; nil: there are none.
	Stages func(Definition) []Stage
}

// Start begins a crawl of a collection. Resume goes on with the crawl of that id instead.
func (e *Engine) Start(ctx context.Context, col *catalog.Collection, def Definition, opts Options) (*Run, error) {
	id, dir, err := col.NewCrawlID(e.cfg.Clock.Now())
	if err != nil {
		return nil, err
	}
	r, err := e.StartIn(ctx, id, Place{Dir: dir, WarcDir: col.WarcDir(), Find: col.Find}, def, opts)
	if err != nil {
		_ = os.Remove(dir) // goes only if it is empty: what was refused before anything was written is no crawl
	}
	return r, err
}

// Resume goes on with a crawl that was killed, paused or stopped, with the definition it had.
func (e *Engine) Resume(ctx context.Context, col *catalog.Collection, id string, opts Options) (*Run, error) {
	dir, err := col.CrawlDir(id)
	if err != nil {
		return nil, err
	}
	def, err := ReadDefinition(dir)
	if err != nil {
		return nil, err
	}
	return e.StartIn(ctx, id, Place{Dir: dir, WarcDir: col.WarcDir(), Find: col.Find}, def, opts)
}

// ReadDefinition reads the definition that a crawl ran with.
func ReadDefinition(dir string) (Definition, error) {
	var def Definition
	b, err := os.ReadFile(filepath.Join(dir, "definition.json"))
	if err == nil {
		err = json.Unmarshal(b, &def)
	}
	if err != nil {
		return def, fmt.Errorf("read definition of %s: %w", filepath.Base(dir), err)
	}
	return def, nil
}

// ErrComplete is returned for a crawl that has nothing left to do.
var ErrComplete = errors.New("the crawl is complete")

// StartIn starts or resumes a crawl in a place. What is there decides which of the two it is. A
// crawl with nothing left is not started again: its frontier is gone, so it would begin anew.
func (e *Engine) StartIn(ctx context.Context, id string, place Place, def Definition, opts Options) (*Run, error) {
	r := &Run{
		ID: id, Def: def.WithDefaults(), engine: e, place: place,
		log: e.cfg.Log.With(slog.String("crawl", id)), started: e.cfg.Clock.Now(),
		lookout: newLookout(), handover: newHandover(), status: status{state: Running}, hosts: newHostTable(),
		done: make(chan struct{}), heavy: newHeavy(), exchanges: newExchanges(),
		traps: scope.NewTraps(scope.TrapLimits{}), robots: newRobotsCache(), reach: newReach(), guesses: newGuesses(), dns: newDNSSeen(), alike: newLikeness(), twins: newTwins(def.Coherence.Twins),
		history: memoryOf(opts.History), jar: opts.Jar,
	}
	r.layers = layer.SetOf(r.Def.Layers...)
	if r.stages = newStages(r, opts); r.Def.Planned() && !r.stages.ordered {
		return nil, &varve.Error{Kind: varve.Internal, Op: "crawl", Msg: "the definition asks for a planned order, and no stage plans"}
	}
	if rep, err := ReadReport(place.Dir); err == nil && rep.Finished && rep.Queued == 0 {
		// A kill may have come between the report and the end of the frontier.
		return nil, errors.Join(ErrComplete, r.dropFrontier())
	}
	r.putLimits(limitsOf(&r.Def))
	if err := r.open(ctx); err != nil {
		return nil, errors.Join(err, r.closeAll())
	}
	r.number = e.Enter(r)
	go r.run(ctx)
	return r, nil
}

// run is the life of a run.
func (r *Run) run(ctx context.Context) {
	fetching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		r.Stop("interrupted")
		time.AfterFunc(r.engine.cfg.Grace, cancel)
	})
	defer stop()
	for _, s := range r.stages.starters {
		s.Start(fetching)
	}
	var workers, watch, committer sync.WaitGroup
	committer.Go(r.commit)
	watch.Go(func() { r.watchDisk(fetching) })
	watch.Go(func() { r.tellProgress(fetching) })
	for range r.Def.Workers {
		workers.Go(func() { newWorker(r).loop(fetching) })
	}
	workers.Wait()
	for _, s := range r.stages.starters {
		s.Stop()
	}
	r.handover.over.Store(true)
	r.hurry()
	cancel()
	watch.Wait()
	close(r.handover.visits)
	committer.Wait()
	r.engine.Leave(r.number)
	r.finish()
	close(r.done)
}

// finish writes the report and closes everything.
func (r *Run) finish() {
	finished := r.finished()
	if finished {
		for _, s := range r.stages.finishers {
			if err := s.Finish(); err != nil {
				r.Fail(err)
			}
		}
	}
	err := r.writer.Close()
	if err == nil && r.fatalError() == nil {
		err = errors.Join(r.keepReach(), r.keepTotals(true))
	}
	err = errors.Join(err, r.stages.close())
	r.report = r.makeReport(finished && err == nil) // finished is what is durable
	r.events.add("ended", "complete", r.report.Complete, "finished", r.report.Finished, "why", r.report.Why, "urls", r.report.URLs, "pages", r.report.Pages)
	r.writer = nil
	err = errors.Join(r.fatalError(), err, r.report.write(r.place.Dir), r.closeAll())
	if r.report.Finished && r.report.Queued == 0 && err == nil {
		err = r.dropFrontier()
	}
	r.status.mu.Lock()
	defer r.status.mu.Unlock()
	r.status.state = Ended
	r.status.fatal = err
}

// dropFrontier removes the frontier of a crawl with nothing left: all that it knew is in the WARC files, the
// history and the report.
func (r *Run) dropFrontier() error {
	dir := filepath.Join(r.place.Dir, "frontier")
	if r.place.Store == nil {
		return os.RemoveAll(dir)
	}
	return r.place.Store.RemoveAll(dir)
}

func (r *Run) closeAll() error {
	var errs []error
	if r.writer != nil {
		errs = append(errs, r.writer.Close())
	}
	if r.frontier != nil {
		errs = append(errs, r.frontier.Close())
	}
	if r.lines != nil {
		errs = append(errs, r.lines.close())
	}
	if r.events != nil {
		errs = append(errs, r.events.close())
	}
	return errors.Join(errs...)
}

// Wait returns when the run has ended, with its report. The report is there also with an error.
func (r *Run) Wait() (*Report, error) {
	<-r.done
	return r.report, r.fatalError()
}

// Done is closed when the run has ended.
func (r *Run) Done() <-chan struct{} { return r.done }

func (r *Run) fatalError() error {
	r.status.mu.Lock()
	defer r.status.mu.Unlock()
	return r.status.fatal
}

// Fail ends the run because of an error that no further visit would be spared.
func (r *Run) Fail(err error) {
	r.status.mu.Lock()
	if r.status.fatal == nil {
		r.status.fatal = err
	}
	r.status.mu.Unlock()
	r.Stop("failed: " + err.Error())
}
