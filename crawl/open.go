package crawl

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/archive/durable"
	"varve/archive/warc"
	"varve/archive/whole"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// open opens everything, and gets over a crash where there was one.
func (r *Run) open(ctx context.Context) error {
	if err := r.parseSeeds(ctx); err != nil {
		return err
	}
	if err := r.Def.check(r.loopback); err != nil {
		return err
	}
	set, err := scope.NewSet(r.Def.Scope)
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err}
	}
	r.scope = scope.NewLive(set)
	if err := os.MkdirAll(r.place.Dir, 0o755); err != nil {
		return err
	}
	if r.events, err = openEvents(r.place.Dir, r.engine.cfg.Clock); err != nil {
		return err
	}
	if r.lines, err = openLines(r.place.Dir); err != nil {
		return err
	}
	if err := r.keepSeeds(); err != nil {
		return err
	}
	if err := r.openFrontier(); err != nil {
		return err
	}
	return r.openWriter()
}

// parseSeeds reads the seeds; one that is no URL ends the start, since nobody would notice it later.
func (r *Run) parseSeeds(ctx context.Context) error {
	r.loopback, r.seeds = !r.Def.OnlyPublic, scope.NewSeeds()
	last := ""
	return r.EachSeed(func(_ string, u canon.URL) error {
		if host := u.Host(); host != last { // lists have the pages of a host together
			r.loopback, last = r.loopback && r.onLoopback(ctx, host), host
		}
		r.seeds.Add(u)
		return nil
	})
}

// onLoopback tells whether a host is this machine, by its name or by where the operator put it.
func (r *Run) onLoopback(ctx context.Context, host string) bool {
	if isLoopbackHost(host) {
		return true
	}
	answer, err := r.engine.cfg.Fetcher.Resolve(ctx, host)
	if err != nil || len(answer.Addrs) == 0 {
		return false
	}
	for _, a := range answer.Addrs {
		if !a.Unmap().IsLoopback() {
			return false
		}
	}
	return true
}

// openWriter gets over a crash, where there was one, and makes the writer of this run: the torn
// tail is cut and the sound records are made known to the frontier.
func (r *Run) openWriter() error {
	if r.place.Files == nil {
		r.place.Files = warc.Disk{}
	}
	if err := r.recover(); err != nil {
		return err
	}
	var err error
	r.writer, err = warc.NewWriter(warc.WriterConfig{
		Dir: r.place.WarcDir, FS: r.place.Files, MaxSize: r.Def.MaxWARC, Packing: warc.Packing{Level: r.Def.Level},
		Name: warc.TemplateName(r.ID, "varve", r.started), Info: r.warcinfo,
		Finished: func(name string) {
			r.tally.file(name)
			r.events.add("file", "name", name)
		},
	})
	return err
}

func (r *Run) openFrontier() error {
	store := r.place.Store
	if store == nil {
		store = vfs.Default
	}
	var err error
	cfg := frontier.Config{Order: r.Def.Order, Combine: r.Def.Combine, MaxWait: 2 * max(maxRetryWait, time.Duration(r.Def.RetryAfter))}
	dir := filepath.Join(r.place.Dir, "frontier")
	r.frontier, err = frontier.Open(store, dir, cfg, r.log)
	if err != nil {
		return frontierError(dir, err)
	}
	if r.tally, err = loadTally(r.frontier); err != nil {
		return err
	}
	if err := errors.Join(r.stages.open(r), r.loadReach()); err != nil {
		return err
	}
	r.knowMoved()
	stats := r.frontier.Stats()
	r.resumed = stats.Seen() > 0
	if info, err := os.Stat(filepath.Join(r.place.Dir, logName)); err == nil && info.Size() > 0 && !r.resumed {
		return frontierError(dir, errors.New("it is empty, and "+info.Name()+" tells of visits"))
	}
	if r.resumed {
		r.events.add("resumed", "queued", stats.Queued, "done", stats.Done)
		if err := r.unparkAll(); err != nil {
			return err
		}
	} else {
		if err := r.KeepDefinition(); err != nil {
			return err
		}
		r.events.add("started", "seeds", r.Def.SeedCount(), "definition", r.Def.Digest())
	}
	return r.queueSeeds()
}

// frontierError gives the error of a frontier that does not open what to do next.
func frontierError(dir string, err error) error {
	if errors.Is(err, frontier.ErrVersion) || errors.Is(err, frontier.ErrConfig) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) {
		return err
	}
	hint := "the WARC files have all that was fetched. Bring the folder " + dir + " back from a copy, or start the crawl anew: pages that did not change cost only a revisit"
	if errors.Is(err, durable.ErrDamaged) {
		hint += "; or remove " + filepath.Join(dir, "sealed") + " and resume from what is left of it: pages may be fetched again or be missed"
	}
	return &varve.Error{Kind: varve.Unavailable, Op: "resume", Msg: "the frontier, which says what was fetched and what comes next, cannot be read", Err: err, Hint: hint}
}

// KeepDefinition keeps the definition for a resume, with the rules, limits and priorities that are in force.
func (r *Run) KeepDefinition() error {
	def, limits := r.Def, r.most.Load()
	def.Scope = r.scope.Load().Definition()
	for _, s := range r.stages.definers {
		s.Define(&def)
	}
	def.MaxPages, def.MaxURLs, def.MaxBytes, def.MaxTime = limits.MaxPages, limits.MaxURLs, limits.MaxBytes, limits.MaxTime
	r.keeping.Lock()
	defer r.keeping.Unlock()
	return whole.JSON(filepath.Join(r.place.Dir, "definition.json"), 0o644, def)
}
