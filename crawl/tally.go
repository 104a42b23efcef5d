package crawl

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/crawl/frontier"
	"varve/web/canon"
)

// Totals are what a crawl has come to. They are kept with every commit of the frontier, so they
// are exact also after a kill.
type Totals struct {
	URLs       int64            `json:"urls"`  // answers recorded
	Pages      int64            `json:"pages"` // HTML with status 2xx among them
	Bytes      int64            `json:"bytes"` // of answers as received
	Revisits   int64            `json:"revisits"`
	Again      int64            `json:"again,omitempty"`      // of URLs: second looks at pages of this crawl
	AgainBytes int64            `json:"againBytes,omitempty"` // of Bytes: theirs
	Saved      int64            `json:"saved"`                // bytes not stored again
	Failed     int64            `json:"failed"`
	Refused    int64            `json:"refused"`
	Guesses    int64            `json:"guesses"`              // speculative URLs tried
	SitemapCut int64            `json:"sitemapCut,omitempty"` // entries of sitemaps that were not queued: the budget of their host was used up
	Status     map[int]int64    `json:"status"`
	MIME       map[string]Sized `json:"mime"`
	Errors     map[string]int64 `json:"errors"`   // by class
	Refusals   map[string]int64 `json:"refusals"` // by first words of the reason
	Traps      map[string]int64 `json:"traps"`
	Rules      map[string]Ruled `json:"scopeRules,omitempty"` // what scope rules kept out, by rule
	Declined   Sized            `json:"declined,omitzero"`    // answers that rules kept out when they came, and the bytes read of them
	Alike      map[string]int64 `json:"alike"`                // pages that say nothing of their own, by kind
	Collected  map[string]int64 `json:"collected,omitempty"`  // answers that collectors went further with, by collector
	Largest    []Extreme        `json:"largest"`
	Slowest    []Extreme        `json:"slowest"`
	Seeds      map[string]Seed  `json:"seeds"`                  // the first, and the first that brought nothing
	Outcomes   map[string]int64 `json:"seedOutcomes,omitempty"` // all seeds, by outcome

	// Unreached are the authorities (scheme, host, port) that were given up, and why.
	Unreached map[string]Unreached `json:"unreached,omitempty"`

	Files   []string `json:"files"`
	Seconds float64  `json:"seconds"` // of earlier runs of the crawl
}

// Sized counts things and their bytes.
type Sized struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
}

// Extreme is an answer that stands out.
type Extreme struct {
	URL   string  `json:"url"`
	Value float64 `json:"value"` // bytes or seconds
}

// maxKinds bounds the maps that servers can fill.
const (
	maxKinds    = 200
	maxExtremes = 10
	maxSeeds    = 2000 // that a report tells of, and as many that brought nothing
)

type tally struct {
	mu sync.Mutex
	t  Totals
	k  carried
}

func newTally() *tally {
	return &tally{t: Totals{
		Status: map[int]int64{}, MIME: map[string]Sized{}, Errors: map[string]int64{},
		Refusals: map[string]int64{}, Traps: map[string]int64{}, Alike: map[string]int64{}, Collected: map[string]int64{}, Seeds: map[string]Seed{},
	}}
}

// add counts a group of visits and gives the totals as they will be stored.
func (t *tally) add(group []*Visit) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range group {
		t.one(v)
		t.keep(v)
	}
	return t.note()
}

func (t *tally) one(v *Visit) {
	c := &t.t
	for _, r := range v.rulings {
		c.rule(r)
	}
	if v.answered() && v.Refused() {
		c.Declined = Sized{c.Declined.Count + 1, c.Declined.Bytes + v.size}
	}
	if v.recorded() {
		c.URLs++
		c.Bytes += v.size
		if v.again() {
			c.Again++
			c.AgainBytes += v.size
		}
		bump(c.Status, v.status)
		addSized(c.MIME, v.mime, v.size)
		c.Largest = extreme(c.Largest, v.item.URL, float64(v.size))
		c.Slowest = extreme(c.Slowest, v.item.URL, v.duration.Seconds())
	}
	c.SitemapCut += v.overBudget
	if v.collector != "" {
		bump(c.Collected, v.collector)
	}
	if v.queued() && v.isPage() && !v.again() && !v.isTwin() && !v.Refused() {
		c.Pages++
	}
	if v.revisit != nil {
		c.Revisits++
		c.Saved += v.saved()
	}
	if v.class != "" {
		bump(c.Errors, string(v.class))
		if v.verdict == frontier.Finished && !v.answered() {
			c.Failed++
		}
	}
	if v.verdict == frontier.Refused {
		c.Refused++
		bump(c.Refusals, firstWords(v.reason))
	}
	t.gap(v)
	if v.gaveUp != nil {
		c.countUnreached(authorityOf(v.url), v.gaveUp)
	}
	if v.item.HopPath == "" && v.verdict != frontier.Later && !v.again() {
		c.seed(v.item.URL, seedOf(v))
	}
}

// rule counts what a scope rule did.
func (t *Totals) rule(r ruling) {
	if t.Rules == nil {
		t.Rules = map[string]Ruled{}
	}
	if _, known := t.Rules[r.label]; !known && len(t.Rules) >= maxKinds {
		r.label = "other"
	}
	t.Rules[r.label] = t.Rules[r.label].add(r.Ruled)
}

// seed notes what became of a seed. All are counted; of many, only some are told of, since totals are stored with every
// commit.
func (t *Totals) seed(url string, s Seed) {
	if _, again := t.Seeds[url]; !again {
		if t.Outcomes == nil {
			t.Outcomes = map[string]int64{}
		}
		t.Outcomes[s.Outcome]++
		if n := len(t.Seeds); n >= maxSeeds && (s.Outcome == "ok" || s.Outcome == "redirected" || n >= 2*maxSeeds) {
			return
		}
	}
	t.Seeds[url] = s
}

// saved is what a revisit spared the archive: the payload it refers to.
func (v *Visit) saved() int64 {
	if v.status == 304 && v.known != nil {
		return v.known.Size
	}
	return v.size
}

func bump[K comparable](m map[K]int64, k K) {
	if _, there := m[k]; there || len(m) < maxKinds {
		m[k]++
	}
}

func addSized(m map[string]Sized, k string, bytes int64) {
	s, there := m[k]
	if !there && len(m) >= maxKinds {
		k = "other"
		s = m[k]
	}
	m[k] = Sized{s.Count + 1, s.Bytes + bytes}
}

// extreme keeps the largest few, sorted.
func extreme(list []Extreme, url string, value float64) []Extreme {
	if len(list) == maxExtremes && value <= list[maxExtremes-1].Value {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, value, func(e Extreme, v float64) int {
		if e.Value >= v {
			return -1
		}
		return 1
	})
	list = slices.Insert(list, at, Extreme{url, value})
	return list[:min(len(list), maxExtremes)]
}

// firstWords cuts a reason down to what can be counted: up to the first colon.
func firstWords(s string) string {
	for i := range len(s) {
		if s[i] == ':' {
			return s[:i]
		}
	}
	return s
}

// guess takes one from the budget of speculative URLs.
func (t *tally) guess(most int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.t.Guesses >= most {
		return false
	}
	t.t.Guesses++
	return true
}

// Kinds of pages that say nothing of their own.
const (
	nearDuplicates = "near-duplicate"
	softNotFounds  = "soft-404"
)

func (t *tally) count(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	bump(t.t.Alike, kind)
}

func (t *tally) trap(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	bump(t.t.Traps, kind)
}

func (t *tally) file(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.t.Files, name) {
		t.t.Files = append(t.t.Files, name)
	}
}

// Counts are the few totals that budgets and progress look at.
type Counts struct{ URLs, Pages, Bytes, Failed, Refused, Revisits, Again, AgainBytes int64 }

func (t *tally) totals() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Counts{t.t.URLs, t.t.Pages, t.t.Bytes, t.t.Failed, t.t.Refused, t.t.Revisits, t.t.Again, t.t.AgainBytes}
}

// copy gives the totals to be shown.
func (t *tally) copy() Totals {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.t
	c.Status, c.MIME, c.Errors = maps.Clone(c.Status), maps.Clone(c.MIME), maps.Clone(c.Errors)
	c.Refusals, c.Traps, c.Seeds = maps.Clone(c.Refusals), maps.Clone(c.Traps), maps.Clone(c.Seeds)
	c.Unreached, c.Rules = maps.Clone(c.Unreached), maps.Clone(c.Rules)
	c.Alike, c.Collected, c.Outcomes = maps.Clone(c.Alike), maps.Clone(c.Collected), maps.Clone(c.Outcomes)
	c.Largest, c.Slowest, c.Files = slices.Clone(c.Largest), slices.Clone(c.Slowest), slices.Clone(c.Files)
	return c
}

// time adds the time of a run.
func (t *tally) time(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.t.Seconds += d.Seconds()
}

// carried is what a crawl keeps beside its totals for the run that follows. Both are stored in the
// commit of the frontier that they belong to.
type carried struct {
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
	*carried
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
	if !v.recorded() || v.settles() {
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
