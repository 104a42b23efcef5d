package crawl

import (
	"encoding/json"
	"maps"
	"slices"

	"varve"
	"varve/crawl/frontier"
	"varve/web/canon"
)

// kept is what a crawl keeps beside its totals for the run that follows. Both are stored in the
// commit of the frontier that they belong to.
type kept struct {
	// Moved lists where seeds redirect to: these are seeds, too.
	Moved []string `json:"moved,omitempty"`
	// Aside counts by WARC file the answers in the totals that settle no URL of the frontier, such
	// as robots.txt and refusals that are tried again: a replay must not count them twice.
	Aside map[string]int64 `json:"aside,omitempty"`
	// Clean says that the last run ended by itself, so that there is nothing to replay.
	Clean bool `json:"clean,omitempty"`
	// Missing is why the crawl is not complete so far, by cause.
	Missing map[string]Gap `json:"missing,omitempty"`
}

// note is all that is stored.
type note struct {
	*Totals
	*kept
}

// maxAside bounds the files of which counts are kept: a replay looks at the last ones only.
const maxAside = 64

// maxMoved bounds the redirected seeds that are kept.
const maxMoved = 10_000

// note gives totals and the rest as they are stored; the lock is held.
func (t *tally) note() ([]byte, error) { return json.Marshal(note{&t.t, &t.k}) }

// keep counts what a visit leaves for the run that follows; the lock is held.
func (t *tally) keep(v *Visit) {
	t.k.Clean = false
	if v.movedSeed() && len(t.k.Moved) < maxMoved {
		t.k.Moved = append(t.k.Moved, v.redirect)
	}
	if !v.answered() || v.settles() {
		return
	}
	if t.k.Aside == nil {
		t.k.Aside = map[string]int64{}
	}
	t.k.Aside[v.where.File]++
	if len(t.k.Aside) > maxAside {
		delete(t.k.Aside, slices.Min(slices.Collect(maps.Keys(t.k.Aside)))) // names begin with their time
	}
}

// aside tells how many answers of a file are counted that settle nothing.
func (t *tally) aside(file string) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.k.Aside[file]
}

// settles tells visits after which a URL of the frontier is done.
func (v *Visit) settles() bool { return v.queued() && v.verdict == frontier.Finished }

// movedSeed tells that the visit ends a chain of redirects from a seed with one more.
func (v *Visit) movedSeed() bool {
	return v.settles() && !v.again() && v.redirect != "" && isRedirectChain(v.item.HopPath)
}

// loadTally reads the totals that were kept with the last commit.
func loadTally(f *frontier.Frontier) (*tally, error) {
	stored, err := f.Note()
	if err != nil {
		return nil, err
	}
	t := newTally()
	if stored != nil {
		if err := json.Unmarshal(stored, &note{&t.t, &t.k}); err != nil {
			return nil, &varve.Error{Kind: varve.Internal, Op: "resume crawl", Msg: "its totals cannot be read", Err: err}
		}
	}
	return t, nil
}

// keepTotals stores the totals outside of a commit of visits: at the end of a run, which was a
// clean one, and at the beginning of the next.
func (r *Run) keepTotals(clean bool) error {
	r.tally.mu.Lock()
	r.tally.k.Clean = clean
	if clean {
		r.tally.k.Aside = nil
	}
	b, err := r.tally.note()
	r.tally.mu.Unlock()
	if err != nil {
		return err
	}
	_, err = r.frontier.FinishNoting(b)
	return err
}

// knowMoved makes the seeds of a resumed crawl what they were: those given, and where they redirect.
func (r *Run) knowMoved() {
	for _, s := range r.tally.k.Moved {
		if u, err := canon.Parse(s); err == nil {
			r.seeds.Add(u)
		}
	}
}
