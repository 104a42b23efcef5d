package plan

import (
	"fmt"
	"math"
	"strings"
	"time"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/coherence/changerate"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/text/dating"
	"varve/text/layer"
)

// Pass is which look at a page a record is of.
type Pass string

// The passes of a crawl that is planned.
const (
	FirstPass  Pass = "visit"
	SecondPass Pass = "revisit"
)

// pageLook is what a visit of a planned crawl has beside the others.
type pageLook struct {
	group   *group
	round   uint32
	first   *firstLook // of a revisit: what the visit found
	outcome outcome    // of a revisit
	stated  time.Time  // of a visit: when the page last changed, as it says
}

// lookOf returns what the stage keeps with a visit; nil for those that it does not plan.
func (c *Stage) lookOf(v *crawl.Visit) *pageLook {
	p, _ := v.Remark(c).(*pageLook)
	return p
}

// Begin gives a visit its group, and a revisit what the visit found.
func (c *Stage) Begin(v *crawl.Visit) error {
	if v.IsProbe() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !crawl.IsAgain(v.Item().Key) {
		g := c.itemGroup(v.Item())
		p := &pageLook{group: g, round: g.round()}
		v.SetRemark(c, p)
		v.AddField("pass", string(FirstPass))
		v.AddField("group", label(g.record.Name, int(p.round)))
		return nil
	}
	first, err := parseFirst(v.Item().Meta)
	if err != nil {
		return err
	}
	if int(first.group) >= len(c.numbers) || c.numbers[first.group] == nil {
		return fmt.Errorf("its group %d is not known", first.group)
	}
	g := c.numbers[first.group]
	v.SetRemark(c, &pageLook{group: g, round: first.round, first: first})
	v.AddField("pass", string(SecondPass))
	v.AddField("group", label(g.record.Name, int(first.round)))
	v.AddField("visit-record", first.record.ID)
	v.AddField("visit-date", warc.FormatDate(first.record.Date))
	v.LookAgain(first.earlier(v.Item()))
	return nil
}

// round is the one that a page belongs to which is visited now. The lock is held.
func (g *group) round() uint32 {
	n := g.record.Now.Round
	if g.record.Now.Phase == crawl.PhaseRevisits {
		n++
	}
	return uint32(n)
}

// maxProof is the size up to which a revisit fetches an answer again that the server could call unchanged only by a
// weak validator.
const maxProof = 1 << 20

// earlier is what the visit found, for the core. The validators are those of a request that can prove something: a strong ETag
// vouches for the bytes; after a 304 to a weak one or to a date nobody knows them, so such an answer is fetched again
// and compared, unless it is large. Equal bytes are stored as a reference either way.
func (f *firstLook) earlier(it *frontier.Item) *crawl.Earlier {
	e := &crawl.Earlier{At: f.at, Due: f.placed, Digest: f.sha1, Layers: &f.layers, Entry: history.Entry{
		Key: crawl.PageKey(it.Key), URL: it.URL, Status: f.status, MIME: f.mime, Size: f.size, Original: f.holder(),
	}}
	if f.strong() || f.size > maxProof {
		e.Entry.ETag, e.Entry.LastModified = f.etag, f.modified
	}
	if d, err := history.Payload(f.sha1); err == nil {
		e.Entry.Digests = []history.Digest{d}
	}
	return e
}

// holder is the record that holds the payload the visit got.
func (f *firstLook) holder() history.Reference {
	if f.original.IsZero() {
		return f.record
	}
	return f.original
}

// judge says what a revisit found. The visit's answer is compared on all layers that both have; equal bytes are equal
// on every layer that the crawl looks at, also if the visit had no body to look at.
func (p *pageLook) judge(v *crawl.Visit, asked layer.Set) {
	p.outcome = outcome{known: true}
	f := p.first
	switch {
	case !v.Answered() || v.Status() >= 400:
		p.outcome.missing = true
	case v.Status() == 304 && !f.strong():
		p.outcome.vouched, p.outcome.equal = true, (asked|f.layers.Have)&forReaders
	case v.Status() == 304, v.Status() == f.status && v.Digest() == f.sha1 && v.Redirect() == f.location && !v.Truncated():
		p.outcome.equal = (asked | f.layers.Have).With(layer.Bytes)
	case v.Status() != f.status || v.Redirect() != f.location:
		// Another kind of answer is another page, whatever its body says.
	case v.Layers() != nil:
		same := layer.Compare(&f.layers, v.Layers(), layer.Config{})
		p.outcome.equal = same.Equal
		equal, known := same.Same(layer.Links)
		p.outcome.links = known && !equal
	}
}

// forReaders are the layers of which a 304 to a weak validator says something: it is kept while nothing of meaning
// changes, and a date has no more than seconds. Of bytes and markup it proves nothing.
var forReaders = layer.SetOf(layer.Text, layer.Main, layer.Near, layer.Links)

// strong tells whether a 304 to the validator of the visit is the server's word that every byte is the same.
func (f *firstLook) strong() bool { return f.etag != "" && !strings.HasPrefix(f.etag, "W/") }

// defect names in the metadata what a revisit found.
func (o outcome) defect() string {
	switch {
	case o.missing:
		return "missing"
	case o.equal.Has(layer.Bytes), o.vouched:
		return ""
	case o.links:
		return string(layer.LinksDefect)
	}
	return string(layer.ContentDefect)
}

// Examine says in the metadata what a revisit found.
func (c *Stage) Examine(v *crawl.Visit, a *crawl.Answer) {
	p := c.lookOf(v)
	if p == nil || v.Later() {
		return // an answer that is tried again later is no look at the page
	}
	if p.first == nil {
		if r, ok := a.Read(c).(*dating.Reader); ok {
			p.stated = statedChange(r.Stamps(), v.Fetched())
		} else if c.pool != nil && !isHTML(v.MIME()) { // its bytes are its content
			if at, ok := dating.Modified(v.Validators()[1], "", v.Fetched()); ok {
				p.stated = at
			}
		}
		return
	}
	p.judge(v, c.r.Layers())
	a.Field("defect", p.outcome.defect())
	if equal := p.outcome.equal; equal != 0 {
		a.Field("unchanged", equal.String())
	}
}

func isHTML(mime string) bool { return strings.Contains(mime, "html") }

// farFuture is when a revisit would be made that never gets a turn.
var farFuture = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxValidator bounds a validator that is kept for the revisit.
const maxValidator = 1 << 10

// againItem is the revisit of a page, to be queued with the commit of its visit.
func (c *Stage) againItem(v *crawl.Visit, p *pageLook, l *lane, s showing) frontier.Item {
	f := firstLook{
		group: p.group.number, round: p.round, seq: l.record.Visited, rate: s.rate, own: s.own,
		at: v.Fetched(), status: v.Status(), mime: v.MIME(), size: v.Size(), sha1: v.Digest(), location: v.Redirect(),
		record: v.Record(),
	}
	if d := v.Layers(); d != nil {
		f.layers = *d
	}
	if math.IsNaN(f.rate) || f.rate < 0 {
		f.rate = PriorRate
	}
	held, digest := v.RefersTo()
	f.original = held
	known := v.Known()
	if v.Status() == 304 && known != nil { // what a visit finds unmodified is what the collection has
		f.status, f.mime, f.size, f.sha1 = known.Status, known.MIME, known.Size, digest
	}
	f.etag, f.modified = validator(v, 0), validator(v, 1)
	it := v.Item()
	return frontier.Item{
		Key: crawl.AgainKey(it.Key), URL: v.URL().String(), Host: it.Host, Domain: it.Domain, Via: it.Via,
		HopPath: it.HopPath, Band: bandAgain, Score: crawl.PlainScore, Depth: it.Depth, NotBefore: farFuture,
		Meta: f.append(nil),
	}
}

// validator returns ETag or Last-Modified of the answer, or of what it says is not modified.
func validator(v *crawl.Visit, i int) string {
	s := v.Validators()[i]
	if known := v.Known(); s == "" && v.Status() == 304 && known != nil {
		s = [2]string{known.ETag, known.LastModified}[i]
	}
	if len(s) > maxValidator {
		return ""
	}
	return s
}

// Settle takes note of visits whose records are durable: it queues the revisits of pages with the commit
// of their visits, counts what revisits found, and notes the records of the groups.
func (c *Stage) Settle(visits []*crawl.Visit, notes *crawl.Notes) error {
	shown := make([]showing, len(visits))
	for i, v := range visits {
		if c.isPage(v) && c.def.Revisits() {
			shown[i] = c.showing(v)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, v := range visits {
		p := c.lookOf(v)
		if p == nil || v.Later() {
			continue
		}
		l := c.laneOf(p.group, v.Item().Host)
		c.keepPace(l, v)
		switch {
		case p.first != nil:
			c.settleAgain(l, v, p)
		case c.isPage(v):
			if c.def.Revisits() {
				v.Queue(c.againItem(v, p, l, shown[i]))
			}
			c.settlePage(l, v)
		}
	}
	changed, err := c.notes()
	for name, note := range changed {
		notes.Put(name, note)
	}
	return err
}

// showing is what is known of a page when it was visited: its rate as given, or what it showed by which the pool believes something of its rate.
type showing struct {
	rate float64
	own  changerate.Own
}

// showing sums up what a page showed, and has the pool learn from it. A date of the page takes the place of one that its sitemap gave.
func (c *Stage) showing(v *crawl.Visit) showing {
	a := arrival{key: v.Item().Key, url: v.URL().String(), found: foundOf(v), stated: c.lookOf(v).stated}
	c.mu.Lock()
	l := c.laneOf(c.lookOf(v).group, v.Item().Host)
	a.believed, a.lasts = l.listed.Trusted(), l.lasts()
	c.mu.Unlock()
	k, _ := c.knownOf(a, v.Fetched())
	if c.pool == nil {
		rate := c.rates.Rate(k)
		if !rate.Known() {
			rate.Value = PriorRate
		}
		return showing{rate: rate.Value}
	}
	if !a.stated.IsZero() && len(k.Hint.Lastmods) == 0 {
		c.pool.Learn(changerate.Subject{URL: a.url}, v.Fetched().Sub(a.stated).Seconds())
	}
	own, _ := c.rates.(*Estimated).Own(k)
	return showing{rate: c.rates.Rate(k).Value, own: own}
}

// Committed moves groups on whose visits or revisits are over with the last commit.
func (c *Stage) Committed() error {
	_, err := c.advance()
	return err
}

func foundOf(v *crawl.Visit) found {
	f, _ := parseFound(v.Item().Meta)
	return f
}

// isPage tells first looks at pages with an answer that a second one can be compared with.
func (c *Stage) isPage(v *crawl.Visit) bool {
	return c.lookOf(v) != nil && !v.Again() && v.Settles() && v.Status() > 0 && v.Status() < 400
}

// settlePage counts a page that was visited.
func (c *Stage) settlePage(l *lane, v *crawl.Visit) {
	rep := c.change(l.group)
	c.stir(l)
	l.record.Visited++
	if rep.Phase == crawl.PhaseRevisits {
		l.group.record.Early++ // it belongs to the next round
		return
	}
	rep.Visited++
	if rep.Begun.IsZero() {
		rep.Begun = v.Fetched()
	}
}

// settleAgain counts a revisit.
func (c *Stage) settleAgain(l *lane, v *crawl.Visit, p *pageLook) {
	if v.Refused() {
		p.outcome = outcome{}
	}
	count(c.change(l.group), p.outcome)
	if o := p.outcome; c.pool != nil && o.known && !o.missing {
		c.pool.Compared(changerate.Subject{URL: v.URL().String()}, v.Fetched().Sub(p.first.at).Seconds(), !o.equal.Has(c.level()))
	}
	c.stir(l)
	l.record.Revisited++
}

// paceMemory is the weight of the last interval in the mean.
const paceMemory = 0.2

// keepPace measures the time from one fetch of a lane to the next. Long pauses are cut: they are no pace.
func (c *Stage) keepPace(l *lane, v *crawl.Visit) {
	if v.Fetched().IsZero() {
		return
	}
	c.stir(l)
	if l.record.Begun.IsZero() {
		l.record.Begun = v.Fetched()
	}
	last := l.record.Last
	l.record.Last = v.Fetched()
	d := v.Fetched().Sub(last).Seconds()
	if last.IsZero() || d <= 0 {
		return
	}
	p := &l.record.Pace
	d = min(d, 10**p)
	*p += paceMemory * (d - *p)
	if math.Abs(*p-l.told) > maxOff*l.told { // a new plan costs more than a small change of pace
		l.told = *p
		l.planner.SetPace(*p)
	}
}

// firstPace is that of a lane without fetches, in seconds.
func (c *Stage) firstPace() float64 {
	if d := c.delay; d != nil && *d > 0 {
		return time.Duration(*d).Seconds()
	}
	return 1
}
