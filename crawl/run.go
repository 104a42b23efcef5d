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

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/priority"
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
	// Path tells where a WARC file of the collection lies that is not in WarcDir: one imported in place. May be nil.
	Path  func(name string) (string, error)
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
	reach    *reach // authorities that fail
	jar      *fetch.Jar
	history  History
	fresh    *freshHistory // nil: the history must be asked
	coh      *coherent     // nil: not planned for coherence
	layers   layer.Set     // of pages, that are looked at
	sized    func(group string) int
	scorer   priority.Scorer
	stages   stages
	events   *eventLog
	lines    *lineLog
	tally    *tally
	dns      *dnsSeen
	alike    *likeness
	collects *collecting // nil: the parser is enough
	answers  *answers    // nil as well
	meter    rateMeter

	loopback bool // the seeds are on loopback, so loopback may be reached
	resumed  bool
	started  time.Time

	most       atomic.Pointer[inForce] // limits
	priorities atomic.Pointer[[]Priority]
	keeping    sync.Mutex // of the definition on disk
	steering   sync.Mutex // one at a time changes rules and priorities
	recent     *recent    // for those who watch
	exchanges  *exchanges // under way

	turn   sync.Mutex    // one worker at a time looks for work
	wakeup chan struct{} // something changed for the one that looks
	visits chan *Visit   // to the committer
	hungry chan struct{} // somebody waits for the committer: it should not
	nap    *nap          // whether the worker that looks waits
	over   atomic.Bool   // no worker is left
	busy   atomic.Int64  // visits between taking and commit
	parts  atomic.Int64  // of these, those made for collectors
	got    atomic.Int64  // bytes of visits that wait for their commit
	budget sync.Mutex    // one at a time asks for a place

	mu     sync.Mutex
	state  State
	why    string // of the state
	fatal  error
	hosts  map[string]struct{}  // claimed
	met    map[string]time.Time // hosts with a budget of time: when this run first came
	parked map[string]string    // retired hosts and why: a budget, or the curator
	held   []string             // hosts claimed until the visits under way show what is left of their budget

	done   chan struct{}
	report *Report
}

// Options are what a run is started with beside its definition.
type Options struct {
	History History         // nil: no memory of earlier crawls
	Scorer  priority.Scorer // nil: all links are worth the same
	Jar     *fetch.Jar
	Rates   Rates                  // of planned crawls; nil: from the history and sitemaps
	Size    func(group string) int // pages that a group will have; nil: estimated
	Collect Collect                // who goes further with answers
	// Stages makes the stages of a run from its definition, in the order in which they are asked; nil: there are none.
	Stages func(Definition) []Stage
}

// Start begins a crawl of a collection. Resume goes on with the crawl of that id instead.
func (e *Engine) Start(ctx context.Context, col *catalog.Collection, def Definition, opts Options) (*Run, error) {
	id, dir, err := col.NewCrawlID(e.cfg.Clock.Now())
	if err != nil {
		return nil, err
	}
	return e.StartIn(ctx, id, Place{Dir: dir, WarcDir: col.WarcDir(), Path: col.FilePath}, def, opts)
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
	return e.StartIn(ctx, id, Place{Dir: dir, WarcDir: col.WarcDir(), Path: col.FilePath}, def, opts)
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
		wakeup: make(chan struct{}, 1), visits: make(chan *Visit, groupSize), hungry: make(chan struct{}, 1), nap: newNap(),
		state: Running, hosts: map[string]struct{}{}, parked: map[string]string{}, met: map[string]time.Time{}, done: make(chan struct{}), recent: newRecent(), heavy: newHeavy(), exchanges: newExchanges(),
		traps: scope.NewTraps(scope.TrapLimits{}), robots: newRobotsCache(), reach: newReach(), dns: newDNSSeen(), alike: newLikeness(),
		history: opts.History, fresh: newFreshHistory(opts.History), scorer: opts.Scorer, jar: opts.Jar, sized: opts.Size,
	}
	r.layers = layer.SetOf(r.Def.Layers...)
	r.coh = newCoherent(r, opts.Rates)
	r.collectWith(opts.Collect)
	if opts.Stages != nil {
		r.stages = newStages(r, opts.Stages(r.Def))
	} else {
		r.stages = newStages(r, nil)
	}
	if rep, err := ReadReport(place.Dir); err == nil && rep.Finished && rep.Queued == 0 {
		// A kill may have come between the report and the end of the frontier.
		return nil, errors.Join(ErrComplete, r.dropFrontier())
	}
	r.putLimits(limitsOf(&r.Def))
	r.priorities.Store(&r.Def.Priorities)
	if err := r.open(ctx); err != nil {
		return nil, errors.Join(err, r.closeAll())
	}
	r.number = e.enter(r)
	r.collects.enter(e)
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
	r.collects.begin(fetching)
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
	r.collects.wait()
	for _, s := range r.stages.starters {
		s.Stop()
	}
	r.over.Store(true)
	r.hurry()
	cancel()
	watch.Wait()
	close(r.visits)
	committer.Wait()
	r.engine.leave(r.number)
	r.collects.leave()
	r.finish()
	close(r.done)
}
