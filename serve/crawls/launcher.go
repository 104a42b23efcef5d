package crawls

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/serve/access"
)

// Audit keeps who did what; *access.Audit is one.
type Audit interface {
	Append(e access.Entry) error
}

// Config says how crawls are started.
type Config struct {
	Program string // the program to run: the server's own
	Archive string // the archive directory, as the program is to be told
	Audit   Audit
	Clock   clock.Clock
	Log     *slog.Logger

	// GiveWay asks those who work on a collection in the background to let go of it. May be nil.
	GiveWay func(collection string)

	Most     int           // jobs at a time; 4
	Patience time.Duration // for a collection that is written to just now, as by indexing; 3 s
	Grace    time.Duration // for crawls to end in good order with the server; 30 s
}

// Launcher starts crawls and knows those that it started.
type Launcher struct {
	cfg     Config
	archive *catalog.Archive

	mu     sync.Mutex
	closed bool
	jobs   map[string]*process // the last of each collection
}

// New makes a launcher.
func New(cfg Config) *Launcher {
	if cfg.Most == 0 {
		cfg.Most = 4
	}
	if cfg.Patience == 0 {
		cfg.Patience = 3 * time.Second
	}
	if cfg.Grace == 0 {
		cfg.Grace = 30 * time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Launcher{cfg: cfg, archive: catalog.Open(cfg.Archive), jobs: map[string]*process{}}
}

// Start starts a planned crawl of a collection.
func (l *Launcher) Start(ctx context.Context, collection, definition, by string) (Job, error) {
	col, err := l.planned(collection, definition)
	if err != nil {
		return Job{}, err
	}
	return l.launch(ctx, col, Job{Definition: definition, By: by}, "crawl", "--quiet", "--definition="+definition)
}

// Refer starts the reference crawl of a planned crawl, after which proposals are made from its pages.
func (l *Launcher) Refer(ctx context.Context, collection, definition, by string) (Job, error) {
	col, err := l.planned(collection, definition)
	if err != nil {
		return Job{}, err
	}
	return l.launch(ctx, col, Job{Definition: ReferenceName(definition), By: by}, "define", "propose", "--who="+by, "--", definition)
}

// planned opens a collection whose plan has a crawl.
func (l *Launcher) planned(collection, definition string) (*catalog.Collection, error) {
	col, err := l.open(collection)
	if err != nil {
		return nil, err
	}
	plan, err := crawl.ReadPlan(col)
	if err != nil {
		return nil, err
	}
	if _, ok := plan.Crawls[definition]; !ok {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: fmt.Sprintf("start crawl %q of %s", definition, collection),
			Msg: "the plan of the collection has no such crawl", Hint: "plan it on the page Plan of the collection, or add [crawl.NAME] to its collection.toml",
		}
	}
	return col, nil
}

// Resume goes on with the newest unfinished crawl of a collection, up to the limits of its definition.
func (l *Launcher) Resume(ctx context.Context, collection, by string) (Job, error) {
	col, err := l.open(collection)
	if err != nil {
		return Job{}, err
	}
	id, err := crawl.Unfinished(col)
	if err != nil {
		return Job{}, err
	}
	dir, err := col.CrawlDir(id)
	if err != nil {
		return Job{}, err
	}
	def, err := crawl.ReadDefinition(dir)
	if err != nil {
		return Job{}, &varve.Error{Kind: varve.Conflict, Op: "resume crawl " + id, Msg: "it never really began", Err: err, Hint: "start a new one"}
	}
	if rep, err := crawl.ReadReport(dir); err == nil && Spent(rep.Why) {
		return Job{}, &varve.Error{
			Kind: varve.Conflict, Op: "resume crawl " + id, Msg: "it got all that its definition allows: " + rep.Why,
			Hint: "start a new one, or give it more on the command line: varve crawl --resume --collection " + collection + " --max-pages N",
		}
	}
	return l.launch(ctx, col, Job{Definition: def.Name, Resumed: id, By: by}, append([]string{"crawl", "--quiet", "--resume"}, limits(def)...)...)
}

func (l *Launcher) open(collection string) (*catalog.Collection, error) {
	col, err := l.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	if !col.Exists() {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open collection " + collection, Msg: "there is no such collection"}
	}
	return col, nil
}

// launch runs the program, if nothing speaks against it.
func (l *Launcher) launch(ctx context.Context, col *catalog.Collection, job Job, command ...string) (Job, error) {
	job.Collection, job.State, job.Started = col.Name, Running, l.cfg.Clock.Now().UTC()
	p := &process{job: job, done: make(chan struct{})}
	before, err := l.reserve(p)
	if err != nil {
		return Job{}, err
	}
	if err := l.run(ctx, p, col, command); err != nil {
		l.giveBack(p, before)
		return Job{}, err
	}
	l.cfg.Log.Info("crawl started", "collection", col.Name, "definition", job.Definition, "resumed", job.Resumed, "by", job.By)
	return l.jobOf(p), nil
}

// reserve makes p the job of its collection, so that no other is started meanwhile.
func (l *Launcher) reserve(p *process) (before *process, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	op := "start a crawl of " + p.job.Collection
	if l.closed {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: op, Msg: "the server is about to end"}
	}
	before = l.jobs[p.job.Collection]
	if before != nil && before.job.State == Running {
		return nil, &varve.Error{
			Kind: varve.Conflict, Op: op, Msg: "one runs already, started by " + before.job.By + " at " + before.job.Started.Format(time.RFC3339),
			Hint: "wait until it has ended, or stop it on its page",
		}
	}
	n := 0
	for _, q := range l.jobs {
		if q.job.State == Running {
			n++
		}
	}
	if n >= l.cfg.Most {
		return nil, &varve.Error{Kind: varve.Conflict, Op: op, Msg: fmt.Sprintf("%d crawls run already, which is all that this server starts", n), Hint: "wait until one has ended"}
	}
	l.jobs[p.job.Collection] = p
	return before, nil
}

// giveBack takes a reservation back that nothing came of.
func (l *Launcher) giveBack(p, before *process) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if before == nil {
		delete(l.jobs, p.job.Collection)
	} else {
		l.jobs[p.job.Collection] = before
	}
	close(p.done)
}

func (l *Launcher) jobOf(p *process) Job {
	l.mu.Lock()
	defer l.mu.Unlock()
	return p.job
}

// Job gives the last crawl of a collection that was started here.
func (l *Launcher) Job(collection string) (Job, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.jobs[collection]
	if !ok {
		return Job{}, false
	}
	return p.job, true
}

// Close lets all crawls end in good order, and kills those that take too long. None is started
// afterwards.
func (l *Launcher) Close() error {
	l.mu.Lock()
	l.closed = true
	var running []*process
	for _, p := range l.jobs {
		if p.job.State == Running {
			running = append(running, p)
		}
	}
	l.mu.Unlock()
	for _, p := range running {
		p.stop()
	}
	patience := clock.After(l.cfg.Clock, l.cfg.Grace)
	var killed error
	for _, p := range running {
		select {
		case <-p.done:
		case <-patience:
			for _, q := range running {
				killed = errors.Join(killed, q.kill())
			}
			<-p.done
		}
	}
	return killed
}
