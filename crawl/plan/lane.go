package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/coherence"
	"varve/coherence/changerate"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/text/dating"
)

// lane has the pages of one group on one host: they are fetched one after the other, so they are
// planned by themselves.
type lane struct {
	group    *group
	host     string
	record   *laneRecord
	planner  *coherence.Planner
	size     sizeEstimate
	expected int          // pages, by that estimate
	parts    int          // of the pages that the planner was told of
	listed   dating.Trust // of the dates in sitemaps

	news    []arrival          // found, and not yet known to the planner
	worth   map[string]float64 // of those of the news that were scored again
	ids     map[string]uint64  // of the pages that the planner has, by key
	keys    map[uint64]string
	next    uint64
	back    []string // taken and given back: they come first
	guesses []string // tried when nothing else waits

	queued  int64   // visits that wait or are under way, guesses left out
	guessed int64   // guesses that wait or are under way
	waiting int64   // pages whose revisit has no turn yet
	placed  int64   // pages whose revisit has one
	planned float64 // pace that the revisits were planned for
	told    float64 // pace that the planner was told
	dirty   bool    // the record is not stored yet
	shut    bool    // the budget of the host is used up: no more visits
	parked  bool    // by the curator: nothing at all
}

// arrival is a page that was found.
type arrival struct {
	key, url string
	score    float64
	part     bool // of a page, or where it redirects
	found    found
	stated   time.Time // of a page that was visited: when it last changed, as it says
	believed bool      // what the sitemap says of its last change
	lasts    time.Duration
}

// laneOf gives the lane of a group on a host, new where there is none. The lock is held.
func (c *Stage) laneOf(g *group, host string) *lane {
	for _, l := range c.lanes[host] {
		if l.group == g {
			return l
		}
	}
	l := &lane{group: g, host: host, ids: map[string]uint64{}, keys: map[uint64]string{}}
	l.size.earlier = -1
	note := fmt.Sprintf(laneFormat, g.number) + host
	if l.record = c.kept[note]; l.record == nil {
		l.record = &laneRecord{Pace: c.firstPace()}
		c.stir(l)
	}
	delete(c.kept, note)
	if beside := c.lanes[host]; len(beside) > 0 {
		l.shut, l.parked = beside[0].shut, beside[0].parked
	}
	l.planned, l.told = l.record.Pace, l.record.Pace
	l.planner = c.newPlanner(l)
	g.lanes = append(g.lanes, l)
	c.lanes[host] = append(c.lanes[host], l)
	return l
}

// newPlanner makes the planner of a lane. The strategy was checked when the run was opened. A crawl that will not get to all that waits has to
// choose: by relevance where it is guided, else by the order of discovery. Without that the plan would be made for pages that are never
// visited, and the hopeless ones would come first for all of the crawl.
func (c *Stage) newPlanner(l *lane) *coherence.Planner {
	o := coherence.Options{Revisit: c.def.Revisits(), Eta: c.def.Eta, Pace: l.record.Pace, Prior: PriorRate}
	switch {
	case c.guided:
		o.Focus, o.Leeway = true, c.def.Leeway
	case c.most > 0:
		o.Focus, o.Leeway = true, 1
	}
	p, err := coherence.NewPlanner(c.def.Strategy, o)
	if err != nil {
		p, _ = coherence.NewPlanner(coherence.BFS, coherence.Options{})
	}
	return p
}

// itemGroup gives the group of an item of the frontier. The lock is held.
func (c *Stage) itemGroup(it *frontier.Item) *group {
	if f, ok := parseFound(it.Meta); ok && int(f.group) < len(c.numbers) && c.numbers[f.group] != nil {
		return c.numbers[f.group]
	}
	url := it.URL
	if url == "" {
		url = it.Key
	}
	return c.group(c.nameOf(url, it.Host))
}

// watch is told by the frontier of every URL that comes into its queue or leaves it.
func (c *Stage) watch(s frontier.Step, it *frontier.Item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if crawl.IsAgain(it.Key) {
		c.watchAgain(s, it)
		return
	}
	g := c.itemGroup(it)
	l := c.laneOf(g, it.Host)
	c.touched[g] = struct{}{}
	switch s {
	case frontier.Entered:
		if it.HopPath == "" {
			g.record.Seeded = true
			c.change(g)
		}
		c.count(l, it.Band, 1)
		l.arrive(it)
	case frontier.Left:
		c.count(l, it.Band, -1)
		l.forget(it)
	case frontier.Rescored:
		l.rescore(it)
	}
}

// rescore tells the planner what a page that waits is worth by now.
func (l *lane) rescore(it *frontier.Item) {
	if isPart(it) {
		return
	}
	if id, ok := l.ids[it.Key]; ok {
		l.planner.SetValue(id, it.Score)
		return
	}
	if l.worth == nil {
		l.worth = map[string]float64{}
	}
	l.worth[it.Key] = it.Score
}

// count keeps the numbers of visits that wait or are under way.
func (c *Stage) count(l *lane, band uint8, n int64) {
	if band == crawl.BandGuess {
		l.guessed += n
	} else {
		l.queued += n
	}
	if !l.shut && !l.parked {
		c.open += n
	}
}

func (c *Stage) watchAgain(s frontier.Step, it *frontier.Item) {
	if s == frontier.Rescored {
		return
	}
	first, err := parseFirst(it.Meta)
	if err != nil || int(first.group) >= len(c.numbers) || c.numbers[first.group] == nil {
		return
	}
	g := c.numbers[first.group]
	l := c.laneOf(g, it.Host)
	c.touched[g] = struct{}{}
	switch {
	case s == frontier.Entered:
		l.waiting++
	case first.placed:
		l.placed--
	default:
		l.waiting--
	}
	switch {
	case l.parked:
	case s == frontier.Entered:
		c.again++
	default:
		c.again--
	}
}

// isPart reports whether a URL is a part of a page, or where a page redirects: it is worth what a page is that was chosen.
func isPart(it *frontier.Item) bool {
	return strings.HasSuffix(it.HopPath, string(scope.HopEmbed)) || strings.HasSuffix(it.HopPath, string(scope.HopRedirect))
}

// arrive notes a page that was found, for the planner.
func (l *lane) arrive(it *frontier.Item) {
	switch {
	case it.Band == crawl.BandGuess:
		l.guesses = append(l.guesses, it.Key)
	case it.Band == bandPlanned && it.NotBefore.IsZero():
		f, _ := parseFound(it.Meta)
		url := it.URL
		if url == "" {
			url = it.Key
		}
		l.news = append(l.news, arrival{key: it.Key, url: url, score: it.Score, part: isPart(it), found: f})
	}
}

// forget takes a page out that left the queue without a visit, or after one. Sitemaps and revisits are never among the
// news, which may be millions while sitemaps are read.
func (l *lane) forget(it *frontier.Item) {
	if it.Band != bandPlanned {
		return
	}
	id, ok := l.ids[it.Key]
	if !ok {
		l.news = slices.DeleteFunc(l.news, func(a arrival) bool { return a.key == it.Key })
		return
	}
	l.planner.Remove(id)
	delete(l.ids, it.Key)
	delete(l.keys, id)
}

// learn tells the planner of the pages that were found. The lock is held.
func (c *Stage) learn(l *lane) {
	if len(l.news) == 0 {
		return
	}
	now := c.r.Clock().Now()
	rep := c.change(l.group)
	for _, a := range l.news {
		if at := a.found.modified; !at.IsZero() {
			l.listed.AddStamp(at, now.Sub(at) > atOnce)
		}
	}
	l.tellListed(c.pool, now)
	for _, a := range l.news {
		a.believed, a.lasts = l.listed.Trusted(), l.lasts()
		known, age := c.knownOf(a, now)
		rate := c.rates.Rate(known)
		if a.found.listed {
			l.size.listed++
		}
		rep.Rates[sourceOf(rate)]++
		l.next++
		l.ids[a.key], l.keys[l.next] = l.next, a.key
		page := coherence.Candidate{ID: l.next, Rate: rate.Value, Age: age.Seconds(), Value: a.score}
		if worth, again := l.worth[a.key]; again {
			page.Value = worth
		}
		if a.part {
			page.Value = 1
			l.parts++
		}
		if !rate.Known() {
			page.Rate = -1
		}
		l.planner.Discover(page)
	}
	clear(l.news)
	l.news = l.news[:0]
	clear(l.worth)
	c.expect(l)
}

// atOnce is the age below which a date in a sitemap only says when the sitemap was made.
const atOnce = 2 * time.Second

// tellListed has the pool learn from the dates that sitemaps have of pages that were found, if these can be believed.
func (l *lane) tellListed(pool *changerate.Pool, now time.Time) {
	if pool == nil || !l.listed.Trusted() {
		return
	}
	for _, a := range l.news {
		if at := a.found.modified; !at.IsZero() && !at.After(now) {
			pool.Learn(changerate.Subject{URL: a.url}, now.Sub(at).Seconds())
		}
	}
}

// lasts is about how long it takes from one look at a page to the next.
func (l *lane) lasts() time.Duration {
	return time.Duration(l.record.Pace * float64(max(l.expected, int(l.next), 1)) * float64(time.Second))
}

// nextKey gives the page of a host that is to be visited next. The lock is held.
func (c *Stage) nextKey(host string, now time.Time) (string, bool) {
	for _, l := range c.lanes[host] {
		if l.shut || l.parked {
			continue
		}
		if key, ok := c.nextOf(l, now); ok {
			return key, true
		}
	}
	for _, l := range c.lanes[host] { // guesses after all that is known to be there
		if n := len(l.guesses); n > 0 && !l.shut && !l.parked {
			key := l.guesses[0]
			l.guesses = l.guesses[1:]
			return key, true
		}
	}
	return "", false
}

func (c *Stage) nextOf(l *lane, now time.Time) (string, bool) {
	if n := len(l.back); n > 0 {
		key := l.back[n-1]
		l.back = l.back[:n-1]
		return key, true
	}
	c.learn(l)
	if l.planner.Len() == 0 {
		return "", false
	}
	l.size.visit(int(l.next))
	if b := l.record.Begun; !b.IsZero() {
		l.planner.SetElapsed(now.Sub(b).Seconds())
	}
	page, ok := l.planner.Next()
	key := l.keys[page.ID]
	delete(l.ids, key)
	delete(l.keys, page.ID)
	return key, ok
}

// Take gives out the next URL of a host: a revisit, a sitemap or one that is tried again first, then
// what the planner says.
func (c *Stage) Take(host string, now time.Time) (frontier.Item, bool, error) {
	f := c.r.Frontier()
	if it, ok, err := f.TakeBefore(host, bandPlanned, now); ok || err != nil {
		return it, ok, err
	}
	for {
		c.mu.Lock()
		key, ok := "", false
		if !c.closed {
			key, ok = c.nextKey(host, now)
		}
		c.mu.Unlock()
		if !ok {
			return frontier.Item{}, false, nil
		}
		if it, ok, err := f.TakeKey(key, now); ok || err != nil {
			return it, ok, err
		}
	}
}

// Return takes note that a URL was given back to the frontier.
func (c *Stage) Return(it *frontier.Item) {
	if crawl.IsAgain(it.Key) || it.Band < bandPlanned || !it.NotBefore.IsZero() {
		return // the frontier gives it out by itself
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.laneOf(c.itemGroup(it), it.Host)
	l.back = append(l.back, it.Key)
}
