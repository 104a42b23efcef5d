package crawls

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/clock"
	"varve/crawl"
	"varve/serve/holdings"
)

// Starter starts crawls; *Launcher is one.
type Starter interface {
	Start(ctx context.Context, collection, definition, by string) (Job, error)
	Resume(ctx context.Context, collection, by string) (Job, error)
	Job(collection string) (Job, bool)
}

// Stock tells what there is; *holdings.Holdings is one.
type Stock interface {
	Collections(ctx context.Context) ([]*holdings.Collection, error)
	Collection(ctx context.Context, name string) (*holdings.Collection, error)
}

// Schedule starts planned crawls when they are due, one of a collection at a time, and goes on with those that were
// interrupted: by a kill, a power cut, or the end of the server.
//
//	every while, for each collection in which nothing runs:
//	    the newest crawl was interrupted, and none is due?   resume it, a few times at most
//	    crawls are due?                                      start the one that waited longest
//	    the last start failed?                               wait, twice as long each time
//
// When a crawl is due is told by its last start on disk, so a second server, or cron, never starts it twice: who comes
// second finds the lock of the collection taken, or the crawl not due any more.
type Schedule struct {
	Starter Starter
	Stock   Stock
	Clock   clock.Clock
	Log     *slog.Logger
	Every   time.Duration // between looks; 30 s

	mu      sync.Mutex
	looked  time.Time
	tried   map[string]int     // resumes of a crawl
	waiting map[string]Waiting // by collection and definition
}

// Waiting is a planned crawl that could not be started and is tried again later.
type Waiting struct {
	Collection string    `json:"collection"`
	Definition string    `json:"definition"`
	Until      time.Time `json:"until"`
	Failures   int       `json:"failures"` // in a row
	Why        string    `json:"why"`
	last       time.Time // start of the job that failed
}

// ScheduleStatus is what the schedule is doing.
type ScheduleStatus struct {
	Every   time.Duration `json:"every"`
	Looked  time.Time     `json:"looked,omitzero"` // last
	Waiting []Waiting     `json:"waiting"`
}

// Limits of trying again.
const (
	lookEvery  = 30 * time.Second
	maxResumes = 3
	firstWait  = time.Minute
	longWait   = 6 * time.Hour
)

// BySchedule is who starts what is due, in the audit log.
const BySchedule = "schedule"

// Run looks for what is due until the context ends.
func (s *Schedule) Run(ctx context.Context) {
	for {
		s.Look(ctx)
		if s.Clock.Sleep(ctx, s.every()) != nil {
			return
		}
	}
}

func (s *Schedule) every() time.Duration {
	if s.Every > 0 {
		return s.Every
	}
	return lookEvery
}

// Look starts what is due now.
func (s *Schedule) Look(ctx context.Context) {
	list, err := s.Stock.Collections(ctx)
	if err != nil {
		s.Log.Warn("look for crawls that are due", "error", err)
		return
	}
	for _, c := range list {
		if ctx.Err() != nil {
			return
		}
		if !s.mayConcern(c) {
			continue
		}
		// The list may be a while old, and without what runs: before something is started, the folders are looked at.
		name := c.Name
		c, err := s.Stock.Collection(ctx, name)
		if err != nil {
			s.Log.Warn("look for crawls that are due", "collection", name, "error", err)
			continue
		}
		if c.Pending > 0 {
			s.Log.Debug("look for crawls that are due later: its crawls are not all listed", "collection", c.Name, "missing", c.Pending)
			continue
		}
		for _, k := range c.Crawls {
			k.Follow(ctx)
		}
		s.collection(ctx, c)
	}
	s.mu.Lock()
	s.looked = s.Clock.Now().UTC()
	s.mu.Unlock()
}

// mayConcern reports whether something of a collection may have to be started or learnt: a crawl is due, one is not
// complete, or one was started here.
func (s *Schedule) mayConcern(c *holdings.Collection) bool {
	sum := c.Sum()
	now := s.Clock.Now()
	_, started := s.Starter.Job(c.Name)
	return started || c.Pending > 0 || sum.Crawls > sum.States[holdings.Complete] ||
		slices.ContainsFunc(c.Plans, func(p holdings.Planned) bool { return p.Every > 0 && !now.Before(p.Next) })
}

func (s *Schedule) collection(ctx context.Context, c *holdings.Collection) {
	now := s.Clock.Now()
	job, started := s.Starter.Job(c.Name)
	if started && job.State == Running || c.Problem != "" || c.Clock == crawl.SimulatedClock {
		return
	}
	plan := PlanOf(c, now)
	if plan.Running != nil {
		return
	}
	s.learn(job)
	due := dueOf(plan)
	if len(due) == 0 && s.goOn(ctx, plan) {
		return
	}
	for _, p := range due {
		if s.mayStart(c.Name, p.Name, now) {
			s.start(ctx, c.Name, p.Name)
			return
		}
	}
}

// dueOf gives the crawls that are due, those that waited longest first.
func dueOf(plan Plan) []Planned {
	var due []Planned
	for _, p := range plan.Crawls {
		if p.Due {
			due = append(due, p)
		}
	}
	slices.SortStableFunc(due, func(a, b Planned) int { return a.Next.Compare(b.Next) })
	return due
}

// goOn resumes the crawl of a plan that was interrupted. One that somebody stopped, or that reached its limit, is left
// as it is.
func (s *Schedule) goOn(ctx context.Context, plan Plan) bool {
	u := plan.Unfinished
	if u == nil || u.Name == "" || u.State == holdings.Stopped && u.Why != "interrupted" {
		return false
	}
	s.mu.Lock()
	if s.tried == nil {
		s.tried = map[string]int{}
	}
	id := u.Collection + "/" + u.ID
	s.tried[id]++
	n := s.tried[id]
	s.mu.Unlock()
	if n > maxResumes {
		return false
	}
	_, err := s.Starter.Resume(ctx, u.Collection, BySchedule)
	s.told("resume", u.Collection, u.ID, err)
	return err == nil
}

func (s *Schedule) start(ctx context.Context, collection, definition string) {
	_, err := s.Starter.Start(ctx, collection, definition, BySchedule)
	s.told("start", collection, definition, err)
	if err != nil && varve.KindOf(err) != varve.Conflict { // who writes to the collection just now ends sometime
		s.fails(collection, definition, err.Error(), s.Clock.Now())
	}
}

func (s *Schedule) told(did, collection, what string, err error) {
	if err != nil {
		s.Log.Warn(did+" a crawl that is due", "collection", collection, "what", what, "error", err)
	}
}

// learn notes that a job of the schedule failed, so that it is not tried at once again.
func (s *Schedule) learn(j Job) {
	if j.Collection == "" || j.State == Running || j.Definition == "" {
		return
	}
	s.mu.Lock()
	w, known := s.waiting[j.Collection+"/"+j.Definition]
	s.mu.Unlock()
	if j.State != Failed {
		if known && j.Started.After(w.last) {
			s.mu.Lock()
			delete(s.waiting, j.Collection+"/"+j.Definition)
			s.mu.Unlock()
		}
		return
	}
	if !known || j.Started.After(w.last) {
		s.fails(j.Collection, j.Definition, j.Why, j.Started)
	}
}

func (s *Schedule) fails(collection, definition, why string, started time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[string]Waiting{}
	}
	w := s.waiting[collection+"/"+definition]
	w.Collection, w.Definition, w.Why, w.last = collection, definition, why, started
	wait := min(longWait, firstWait<<min(w.Failures, 10))
	w.Failures++
	w.Until = s.Clock.Now().UTC().Add(wait)
	s.waiting[collection+"/"+definition] = w
}

func (s *Schedule) mayStart(collection, definition string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !now.Before(s.waiting[collection+"/"+definition].Until)
}

// Status tells what the schedule is doing.
func (s *Schedule) Status() ScheduleStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := ScheduleStatus{Every: s.every(), Looked: s.looked, Waiting: []Waiting{}}
	for _, w := range s.waiting {
		out.Waiting = append(out.Waiting, w)
	}
	slices.SortFunc(out.Waiting, func(a, b Waiting) int { return a.Until.Compare(b.Until) })
	return out
}
