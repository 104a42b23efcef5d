package crawl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
)

// Progress is how far a run is.
type Progress struct {
	Crawl   string        `json:"crawl"`
	State   State         `json:"state"`
	Why     string        `json:"why,omitempty"`
	Elapsed time.Duration `json:"elapsed"`
	URLs    int64         `json:"urls"`
	Pages   int64         `json:"pages"`
	Bytes   int64         `json:"bytes"`
	Failed  int64         `json:"failed"`
	Refused int64         `json:"refused"`
	Queued  int64         `json:"queued"`
	Hosts   int64         `json:"hosts"` // with URLs queued
	Rate    float64       `json:"urlsPerSecond"`
	ETA     time.Duration `json:"eta,omitempty"`      // for what is queued, or until a limit, at the pace of the last minutes; none while it is paused, or too young
	Until   string        `json:"until,omitempty"`    // the limit that ends the crawl before its queue is empty, as things look
	Phase   string        `json:"phase,omitempty"`    // of a planned crawl: visits, then revisits
	Left    int64         `json:"revisits,omitempty"` // of Queued: still to be revisited
	Spam    *SpamProgress `json:"spam,omitempty"`     // of a crawl that filters spam
	Waits   string        `json:"waitsFor,omitempty"` // in words

	Together *Together `json:"together,omitempty"` // of a crawl that several nodes make

	Guidance *Guidance `json:"guidance,omitempty"` // of a crawl that knows what it is about
}

// rateMeter gives the rate over a span of time up to now, however often it is asked.
type rateMeter struct {
	mu   sync.Mutex
	at   []time.Time
	urls []int64
}

// rateSpan is what counts as the last seconds. It is as long as the lines of progress in a log are apart: each tells of what came since the
// last one, so that a crawl of which nothing comes says what it waits for.
const rateSpan = 10 * time.Second

// The time left follows the pace of paceSpan, and is told when paceLeast was seen of it: hosts that rest and answers of
// all sizes make the rate of ten seconds jump, and a time left that jumps tells nothing.
const (
	paceSpan  = 3 * time.Minute
	paceLeast = 20 * time.Second
)

// rate notes a reading and returns the rate since the newest one that is span old, or the oldest.
func (m *rateMeter) rate(now time.Time, urls int64, span time.Duration) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.at)
	if n > 0 && now.Before(m.at[n-1]) { // the clock was set back
		m.at, m.urls, n = nil, nil, 0
	}
	if n == 0 || now.Sub(m.at[n-1]) >= 500*time.Millisecond {
		m.at, m.urls = append(m.at, now), append(m.urls, urls)
	}
	for len(m.at) > 1 && now.Sub(m.at[1]) >= span {
		m.at, m.urls = m.at[1:], m.urls[1:]
	}
	d := now.Sub(m.at[0]).Seconds()
	if d <= 0 {
		return 0
	}
	return float64(urls-m.urls[0]) / d
}

// Rate returns the answers per second of the last seconds.
func (r *Run) Rate() float64 {
	return r.meter.rate(r.engine.cfg.Clock.Now(), r.tally.totals().URLs, rateSpan)
}

// Progress tells how far the run is.
func (r *Run) Progress() Progress {
	t := r.tally.totals()
	s := r.frontier.Stats()
	now := r.engine.cfg.Clock.Now()
	p := Progress{
		Crawl: r.ID, Elapsed: now.Sub(r.started), URLs: t.URLs, Pages: t.Pages, Bytes: t.Bytes, Failed: t.Failed,
		Refused: t.Refused, Queued: s.Queued + s.InFlight, Hosts: s.Active, Rate: r.meter.rate(now, t.URLs, rateSpan),
	}
	p.State, p.Why = r.State()
	for _, s := range r.stages.tellers {
		s.Progress(&p)
	}
	p.Waits = r.WaitsFor()
	pace := r.minutes.rate(now, t.URLs, paceSpan)
	if p.State == Running && pace > 0 && p.Elapsed >= paceLeast {
		n, until := r.most.Load().toDo(t, p.Queued, p.Left)
		p.ETA, p.Until = time.Duration(n/pace*float64(time.Second)).Round(time.Second), until
		if end := r.most.Load().deadline; !end.IsZero() && p.ETA > end.Sub(now) {
			p.ETA, p.Until = max(0, end.Sub(now).Round(time.Second)), "max-time"
		}
	}
	return p
}

// toDo estimates how many answers come before the crawl ends: for all that is queued, or, where a limit comes first, up to it. Limits are of
// visits; pages and bytes come as often among those to come as among those that were; each visit of a planned crawl brings as many revisits
// as those before it did.
func (l Limits) toDo(t Counts, queued, revisits int64) (n float64, until string) {
	visited := float64(t.URLs - t.Again)
	visits := float64(max(0, queued-revisits))
	limit := func(name string, most, used int64, visitsEach float64) {
		if left := float64(max(0, most-used)) * visitsEach; most > 0 && used > 0 && left < visits {
			visits, until = left, name
		}
	}
	limit("max-pages", l.MaxPages, t.Pages, visited/float64(max(1, t.Pages)))
	limit("max-urls", l.MaxURLs, t.URLs-t.Again, 1)
	limit("max-bytes", l.MaxBytes, t.Bytes-t.AgainBytes, visited/float64(max(1, t.Bytes-t.AgainBytes)))
	return visits + float64(revisits)*(1+visits/max(1, visited)), until
}

// Counts says how much was done and how much is left.
func (p Progress) Counts() string {
	return fmt.Sprintf("%d pages, %d answers, %.1f MB, %.0f/s; %d queued on %d hosts; %d failed",
		p.Pages, p.URLs, float64(p.Bytes)/1e6, p.Rate, p.Queued, p.Hosts, p.Failed)
}

// String gives the progress as a line for people.
func (p Progress) String() string {
	s := p.Counts()
	if p.Phase != "" {
		s = fmt.Sprintf("%s: %s; %d to revisit", p.Phase, s, p.Left)
	}
	if p.Spam != nil {
		s += "; " + p.Spam.String()
	}
	switch {
	case p.ETA > 0 && p.Until != "":
		s += fmt.Sprintf("; about %s left until %s", p.ETA, p.Until)
	case p.ETA > 0:
		s += fmt.Sprintf("; at least %s left for what is queued", p.ETA)
	}
	if p.State == Running && p.Rate == 0 && p.Waits != "" {
		s += "; waits for " + p.Waits
	}
	if p.State != Running {
		s += fmt.Sprintf(" [%s: %s]", p.State, p.Why)
	}
	return s
}

// Unfinished gives the newest crawl of a collection that has no report saying it is complete.
func Unfinished(col *catalog.Collection) (string, error) {
	ids, err := col.Crawls()
	if err != nil {
		return "", err
	}
	for i := len(ids) - 1; i >= 0; i-- {
		dir, err := col.CrawlDir(ids[i])
		if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "definition.json")); errors.Is(err, fs.ErrNotExist) {
			continue // it ended before it began
		}
		if rep, err := ReadReport(dir); err != nil || !rep.Finished {
			return ids[i], nil
		}
	}
	return "", &varve.Error{
		Kind: varve.NotFound, Op: "resume", Msg: "collection " + col.Name + " has no unfinished crawl",
		Hint: "start a new one with 'varve crawl URL'",
	}
}

// progressEvery is how often progress becomes an event.
const progressEvery = 30 * time.Second

// tellProgress writes the progress into the events now and then.
func (r *Run) tellProgress(ctx context.Context) {
	for r.engine.cfg.Clock.Sleep(ctx, progressEvery) == nil {
		p := r.Progress()
		fields := []any{
			"urls", p.URLs, "pages", p.Pages, "bytes", p.Bytes, "failed", p.Failed, "queued", p.Queued,
			"hosts", p.Hosts, "urlsPerSecond", p.Rate, "secondsLeftForQueued", p.ETA.Seconds(),
		}
		if p.Phase != "" {
			fields = append(fields, "phase", p.Phase, "revisits", p.Left)
		}
		if p.Spam != nil {
			fields = append(fields, "spam", p.Spam)
		}
		r.events.add("progress", fields...)
	}
}

// exchanges are the requests that are under way, with the instant at which they began. That is real time also in a
// crawl on a virtual clock: servers answer in it, and timeouts are measured in it.
type exchanges struct {
	mu    sync.Mutex
	since map[*Visit]time.Time
}

func newExchanges() *exchanges { return &exchanges{since: map[*Visit]time.Time{}} }

func (e *exchanges) begin(v *Visit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.since[v] = time.Now()
}

func (e *exchanges) end(v *Visit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.since, v)
}

// oldest returns the request that has been under way for the longest time, and how many there are.
func (e *exchanges) oldest() (url string, since time.Time, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for v, at := range e.since {
		if url == "" || at.Before(since) {
			url, since = v.url.String(), at
		}
	}
	return url, since, len(e.since)
}

// maxLookedAt bounds the hosts that WaitsFor asks politeness about.
const maxLookedAt = 200

// WaitsFor says in words what the run waits for at this moment: an answer, its disk, a host that must be left alone, a retry,
// or a person. It is empty for a run that has ended.
func (r *Run) WaitsFor() string {
	state, why := r.State()
	switch state {
	case Ended:
		return ""
	case Paused:
		return "someone to resume it: it is paused " + why
	}
	if url, since, n := r.exchanges.oldest(); n > 0 {
		text := fmt.Sprintf("the answer of %s for %s", clipText(url, 120), time.Since(since).Round(time.Second))
		if n > 1 {
			text += fmt.Sprintf(" and %d other answers", n-1)
		}
		return text
	}
	if n := r.load.busy.Load(); n > 0 {
		return fmt.Sprintf("the disk: %d visits are being stored", n)
	}
	now := r.engine.cfg.Clock.Now()
	if host, rest, failures := r.firstRested(now); host != "" {
		text := fmt.Sprintf("%s, which is left alone for another %s", host, rest.Round(time.Second))
		if failures > 0 {
			text += fmt.Sprintf(" after %d failures", failures)
		}
		return text
	}
	if at, ok := r.frontier.NextDue(); ok && at.After(r.steady(now)) {
		return fmt.Sprintf("a URL that is tried again in %s", at.Sub(r.steady(now)).Round(time.Second))
	}
	return "its turn"
}

// firstRested returns the host of this run that may be asked first, among those that rest.
func (r *Run) firstRested(now time.Time) (host string, rest time.Duration, failures int) {
	r.hosts.mu.Lock()
	hosts := make([]string, 0, min(len(r.hosts.claimed), maxLookedAt))
	for h := range r.hosts.claimed {
		if len(hosts) == maxLookedAt {
			break
		}
		hosts = append(hosts, h)
	}
	r.hosts.mu.Unlock()
	for _, h := range hosts {
		s := r.engine.polite.Status(h)
		if d := s.Next.Sub(now); s.Known && d > 0 && (host == "" || d < rest) {
			host, rest, failures = h, d, s.Failures
		}
	}
	return host, rest, failures
}
