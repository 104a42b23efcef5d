package plan

import (
	"cmp"
	"iter"
	"math"
	"strings"
	"time"

	"varve/archive/history"
	"varve/coherence/changerate"
	"varve/text/dating"
	"varve/text/layer"
	"varve/web/canon"
)

// Known is what is known of a page when its visit is planned.
type Known struct {
	Key, URL string
	Hint     changerate.Hint // of sitemaps
	Entry    *history.Entry  // of earlier crawls; nil: never seen
	Visited  time.Time       // by this crawl; zero: not yet
	Stated   time.Time       // of Visited: when the content last changed, as the page says; zero: it does not
	Lasts    time.Duration   // from one look at a page to the next, about; 0: not known
}

// Rates tells how often a page changes; a rate that is not known counts as the prior.
type Rates interface {
	Rate(Known) changerate.Rate
}

// PriorRate is that of pages of which nothing at all is known: once in 30 days, about the median
// that studies of the public web found.
const PriorRate = 1.0 / (30 * 24 * 3600)

// VanishRate is how often a page vanishes or moves: half of them within two years, as studies found (Koehler, 2004, over six years).
const VanishRate = math.Ln2 / (2 * 365.25 * 24 * 3600)

// Estimated gives rates from earlier crawls, sitemaps, a forecaster where it has one, and what the crawl itself has met so far.
type Estimated struct {
	Pool   *changerate.Pool
	Trusts func(*history.Entry) bool // whether the Last-Modified of a page can be believed; nil: never
}

// Rate joins what is known: what the page itself showed, what those like it did, and at last the word of a sitemap.
func (e *Estimated) Rate(k Known) changerate.Rate {
	own, source := e.Own(k)
	b := e.Pool.Belief(k.subject(), own, true)
	if !b.Known() {
		return changerate.Changefreq(k.Hint.Changefreq)
	}
	return changerate.Rate{Value: b.Over(k.Lasts.Seconds()), Source: cmp.Or(source, b.Source())}
}

func (k *Known) subject() changerate.Subject {
	s := changerate.Subject{URL: k.URL}
	if k.Entry != nil {
		s.MIME = k.Entry.MIME
	}
	return s
}

// Own sums up what a page itself showed: in earlier crawls, in a sitemap, and when this crawl visited it.
func (e *Estimated) Own(k Known) (changerate.Own, changerate.Source) {
	var visits []changerate.Observation
	var older []changerate.Comparison
	source := changerate.Unknown
	if k.Entry != nil {
		visits, older = Observations(k.Entry)
		if n := len(visits); n > 0 && e.Trusts != nil && e.Trusts(k.Entry) {
			visits[n-1].Modified, _ = stampOf(k.Entry)
		}
		if source = changerate.FromVisits; len(older)+len(changerate.Compare(visits)) == 0 {
			source = changerate.Unknown
		}
	}
	switch {
	case !k.Stated.IsZero():
		visits = append(visits, changerate.Observation{At: k.Visited, Modified: k.Stated})
		source = changerate.FromDates
	case len(k.Hint.Lastmods) > 0:
		l := k.Hint.Lastmods[len(k.Hint.Lastmods)-1]
		visits = append(visits, changerate.Observation{At: l.Seen, Modified: l.Modified})
		source = changerate.FromLastmod
	}
	cs := append(older, changerate.Compare(visits)...)
	return changerate.Summary(cs, e.Pool.Belief(k.subject(), changerate.Own{}, true).Typical()), source
}

// Observations reads the history of a page as a change-rate estimator wants it: by its main text where two visits have it, which is what dates on pages speak of,
// else by its visible text or its payload.
func Observations(e *history.Entry) ([]changerate.Observation, []changerate.Comparison) {
	main, text, payload := e.Layer(string(layer.Main)), e.Layer(string(layer.Text)), e.Layer("sha1")
	out := make([]changerate.Observation, 0, len(e.Changes))
	for _, c := range e.Changes {
		if c.Status >= 400 {
			continue
		}
		o := changerate.Observation{At: c.At}
		switch {
		case main >= 0 && c.Compared.Has(main):
			o.Compared, o.Changed = true, c.Changed.Has(main)
		case text >= 0 && c.Compared.Has(text):
			o.Compared, o.Changed = true, c.Changed.Has(text)
		case payload >= 0 && c.Compared.Has(payload):
			o.Compared, o.Changed = true, c.Changed.Has(payload)
		}
		out = append(out, o)
	}
	if payload < 0 || payload >= len(e.Older.Layers) {
		return out, nil
	}
	n := e.Older.Layers[payload]
	return out, changerate.Folded(n.Compared, n.Changed, e.Older.To.Sub(e.First))
}

// statedChange returns when the main text of a page last changed, as the page itself says; zero if it does not, or what cannot be. What a server says is of all bytes, and
// so of what is around the text.
func statedChange(s dating.Stamps, at time.Time) time.Time {
	d, _ := dating.Of(dating.Visit{At: at, Stamps: s}, nil)
	if d.Source.Layer() != layer.Main || d.Source == dating.Published || d.Time.After(at) {
		return time.Time{}
	}
	return d.Time
}

// knownOf collects what is known of a page that was found, and how long ago it was fetched last.
func (c *Stage) knownOf(a arrival, now time.Time) (Known, time.Duration) {
	k := Known{Key: a.key, URL: a.url, Hint: changerate.Hint{Changefreq: a.found.freq}, Stated: a.stated, Visited: now, Lasts: a.lasts}
	if at := a.found.modified; !at.IsZero() && !at.After(now) && a.believed {
		k.Hint.Lastmods = []changerate.Lastmod{{Seen: now, Modified: at}}
	}
	var age time.Duration
	if e, ok, err := c.r.History().Lookup(a.key); ok && err == nil {
		k.Entry, age = &e, max(0, now.Sub(e.Last))
	}
	return k, age
}

// sourceOf names where a rate comes from.
func sourceOf(r changerate.Rate) string {
	if !r.Known() {
		return "prior"
	}
	return string(r.Source)
}

// lister is a history that can be gone through.
type lister interface {
	Entries(prefix string) iter.Seq2[history.Entry, error]
}

// maxEarlier bounds how many pages of an earlier capture are counted.
const maxEarlier = 1_000_000

// countEarlier tells how many pages of a host earlier crawls found there.
func (c *Stage) countEarlier(host string) (n int) {
	h, ok := c.r.History().(lister)
	if !ok {
		return 0
	}
	for _, scheme := range [...]string{"http://", "https://"} {
		for e, err := range h.Entries(scheme + host + "/") {
			if err != nil || n >= maxEarlier {
				break
			}
			if e.Status < 400 {
				n++
			}
		}
	}
	return n
}

// What is learnt from the history before a planned crawl: bounds on pages read and pages learnt from.
const (
	maxLearnRead     = 200_000
	maxLearnExamples = 20_000
	minLearnExamples = 20 // a predictor of fewer is no better than the prior
)

// lessons are what the history of a collection tells about the pages of a crawl that it never saw.
type lessons struct {
	hosts    map[string]*dating.Trust // of Last-Modified
	examples []changerate.Example
	shown    [][]changerate.Comparison // by them
	read     int
}

// learnRates reads what earlier crawls saw of the hosts of the seeds: how far their Last-Modified can be believed, and a
// predictor of change rates for pages without a history.
func (c *Stage) learnRates() *Estimated {
	l := &lessons{hosts: map[string]*dating.Trust{}}
	if h, ok := c.r.History().(lister); ok {
		seen := map[string]bool{}
		// A seed that cannot be read is told of when the crawl opens.
		_ = c.r.EachSeed(func(_ string, u canon.URL) error {
			if !seen[u.HostPort()] {
				seen[u.HostPort()] = true
				l.readHost(h, u.HostPort())
			}
			return nil
		})
	}
	c.pool = &changerate.Pool{Prior: PriorRate, Vanish: VanishRate}
	if len(l.examples) >= minLearnExamples {
		if p, err := changerate.Train(l.examples, changerate.Config{}); err == nil {
			c.pool.Base = p
		}
	}
	for i := range l.examples {
		c.pool.Saw(l.examples[i].Page, l.shown[i])
	}
	return &Estimated{Pool: c.pool, Trusts: l.trusts}
}

func (l *lessons) readHost(h lister, host string) {
	for _, scheme := range [...]string{"http://", "https://"} {
		for e, err := range h.Entries(scheme + host + "/") {
			if err != nil || l.read >= maxLearnRead {
				return
			}
			l.read++
			l.trustOf(host).learn(&e)
			l.example(&e)
		}
	}
}

// example adds a page whose rate the history knows.
func (l *lessons) example(e *history.Entry) {
	visits, older := Observations(e)
	if len(l.examples) >= maxLearnExamples || e.Status >= 400 {
		return
	}
	var est changerate.Estimator
	r := est.Rate(changerate.Facts{Visits: visits, Older: older})
	if r.Compared == 0 {
		return
	}
	rate := r.Value
	if r.Changed == 0 {
		rate = 0
	}
	l.examples = append(l.examples, changerate.Example{Page: changerate.Subject{URL: e.URL, MIME: e.MIME}, Rate: rate})
	l.shown = append(l.shown, append(older, changerate.Compare(visits)...))
}

// hostTrust is what is known of the Last-Modified of a host.
type hostTrust struct{ *dating.Trust }

func (l *lessons) trustOf(host string) hostTrust {
	t := l.hosts[host]
	if t == nil {
		t = &dating.Trust{}
		l.hosts[host] = t
	}
	return hostTrust{t}
}

// learn counts the stamp of a page. The last two visits of the page tell whether it moved when the content did: a
// stamp after the visit before the last has moved since.
func (t hostTrust) learn(e *history.Entry) {
	stamp, ok := stampOf(e)
	if e.LastModified == "" {
		return
	}
	t.AddStamp(stamp, ok)
	visits, _ := Observations(e)
	if n := len(visits); ok && n >= 2 && visits[n-1].Compared {
		t.AddRevisit(visits[n-1].Changed, stamp.After(visits[n-2].At))
	}
}

// stampOf reads the Last-Modified of the last visit; ok is false when it cannot be true.
func stampOf(e *history.Entry) (time.Time, bool) {
	return dating.Modified(e.LastModified, "", e.Last)
}

// trusts tells whether the Last-Modified of a page can be believed.
func (l *lessons) trusts(e *history.Entry) bool {
	u, err := canon.Parse(e.URL)
	if err != nil {
		return false
	}
	t := l.hosts[strings.ToLower(u.HostPort())]
	if t == nil || !t.Trusted() {
		return false
	}
	_, ok := stampOf(e)
	return ok
}

// sizeEstimate foretells how many pages a lane will have when all are found.
//
// Sitemaps and earlier captures count them. Without these the curve of discovery is asked: the more pages are known,
// the fewer links lead to new ones. With D pages known and y new pages per visit
//
//	y = y0 * (1 - D/N)
//
// is a line over D, which is drawn through the first and the last quarter of the visits, and N is where it meets zero:
//
//	N = D2 + y2*(D2-D1)/(y1-y2)
//
// Worked example: 8 new pages a visit when 100 were known, 2 when 325 were: N = 325 + 2*225/6 = 400.
type sizeEstimate struct {
	listed  int // by sitemaps
	earlier int // in earlier captures; -1: not asked yet
	curve   []int
	stride  int // visits between two points of the curve
	skipped int
}

// curvePoints bounds the points of a curve; every second is left out when it has more.
const curvePoints = 64

// visit notes how many pages are known at a visit.
func (s *sizeEstimate) visit(known int) {
	if s.stride == 0 {
		s.stride = 1
	}
	if s.skipped++; s.skipped < s.stride {
		return
	}
	s.skipped = 0
	if s.curve = append(s.curve, known); len(s.curve) <= curvePoints {
		return
	}
	for i := range curvePoints / 2 {
		s.curve[i] = s.curve[2*i+1]
	}
	s.curve = s.curve[:curvePoints/2]
	s.stride *= 2
}

// estimate gives the number of pages to expect when so many are known.
func (s *sizeEstimate) estimate(known int) int {
	if n := max(s.listed, s.earlier); n > 0 {
		return max(n, known)
	}
	return s.byCurve(known)
}

// maxGrowth bounds what the curve may foretell, as a multiple of what is known.
const maxGrowth = 8

func (s *sizeEstimate) byCurve(known int) int {
	n := len(s.curve)
	if n < 8 {
		return known
	}
	quarter := n / 4
	at := func(i, j int) (d, y float64) { // middle and new pages of a part of the curve
		return float64(s.curve[i]+s.curve[j]) / 2, float64(s.curve[j] - s.curve[i])
	}
	d1, y1 := at(0, quarter)
	d2, y2 := at(n-1-quarter, n-1)
	if y1 <= y2 {
		return maxGrowth * known
	}
	return int(min(max(d2+y2*(d2-d1)/(y1-y2), float64(known)), float64(maxGrowth*known)))
}

// expect tells the planner of a lane how many pages there will be. The lock is held.
func (c *Stage) expect(l *lane) {
	if l.size.earlier < 0 {
		l.size.earlier = c.countEarlier(l.host)
	}
	n := l.size.estimate(int(l.next))
	if c.size != nil {
		n = c.size(l.group.record.Name)
	}
	if c.most > 0 { // pages, which bring their parts along
		n = min(n, int(float64(c.most)*float64(l.next)/float64(max(1, int(l.next)-l.parts))))
	}
	if d := n - l.expected; d*d*64 > l.expected*l.expected || n < int(l.next) { // off by an eighth
		l.expected = n
		l.planner.Expect(n)
	}
}
