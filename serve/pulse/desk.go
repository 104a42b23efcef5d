package pulse

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/review"
	"varve/serve/search"
)

// Holdings tells what the archive holds; *holdings.Holdings is one.
type Holdings interface {
	Collections(ctx context.Context) ([]*holdings.Collection, error)
	Crawls(ctx context.Context, q holdings.CrawlQuery) (*holdings.CrawlPage, error)
}

// Index tells what was captured, as the visitor may see it.
type Index interface {
	Captures(ctx context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error]
	// Size gives the number of all captures of a collection, and a number that changes when they do.
	Size(collection string) (captures int64, state uint64, err error)
}

// Rules gives the access rules; *access.Decisions is one.
type Rules interface {
	InForce() (*access.RuleSet, error)
}

// Alerts gives what somebody has to look at; *review.Desk is one.
type Alerts interface {
	Tray(ctx context.Context) (*review.Tray, error)
}

// Config is what a pulse is taken of. All but Holdings, Archive and Now may be nil: then that part is missing.
type Config struct {
	Archive    string // the archive directory
	Holdings   Holdings
	Index      Index
	Texts      search.Texts
	Rules      Rules
	Tray       Alerts
	Disk       func(dir string) (review.Disk, error)
	Background context.Context // of counting that goes on after its request
	Now        func() time.Time
}

// Sizes of lists.
const (
	mostCrawls  = 8
	mostRunning = 50
	mostDue     = 8
	mostChanges = 8
	mostWords   = 10
	mostAlerts  = 5
)

// Desk takes the pulse of an archive.
type Desk struct {
	cfg    Config
	kept   kept
	counts counts
}

// New makes a desk.
func New(cfg Config) *Desk {
	return &Desk{cfg: cfg, kept: kept{now: cfg.Now}, counts: counts{now: cfg.Now, running: map[countKey]chan struct{}{}, done: map[countKey]counted{}}}
}

// Wait waits for countings that go on after their request. The Background of the desk must have ended.
func (d *Desk) Wait() { d.counts.under.Wait() }

// class is what rules ask of a visitor: those of one class see the same. Without rules there is one.
type class struct {
	set           *access.RuleSet
	curator, room bool
	hour          int64 // embargoes end at the full hour
}

func (d *Desk) classOf(ctx context.Context) (class, error) {
	if d.cfg.Rules == nil {
		return class{}, nil
	}
	set, err := d.cfg.Rules.InForce()
	if err != nil || set.Empty() {
		return class{}, err
	}
	who := access.From(ctx)
	return class{set, who.Can(access.Curator), who.ReadingRoom, d.cfg.Now().Unix() / 3600}, nil
}

// withheld tells whether a part of a collection is kept from the class.
func (c class) withheld(collection string) bool {
	who := access.Visitor{ReadingRoom: c.room}
	if c.curator {
		who.Role = access.Curator
	}
	return c.set.Withholds(who, collection)
}

// Of takes the pulse for the visitor of a context.
func (d *Desk) Of(ctx context.Context, ask Ask) (*Pulse, error) {
	ask, err := ask.complete(d.cfg.Now())
	if err != nil {
		return nil, err
	}
	class, err := d.classOf(ctx)
	if err != nil {
		return nil, err
	}
	all, err := keep(&d.kept, "collections", nil, func() ([]*holdings.Collection, error) { return d.cfg.Holdings.Collections(ctx) })
	if err != nil {
		return nil, err
	}
	p := &Pulse{Time: d.cfg.Now().UTC(), Collections: []Collection{}, Running: []Crawl{}, Last: []Crawl{}, Due: []Due{}, Changes: []Change{}}
	known, titles := ask.Collection == "", map[string]string{}
	for _, c := range all {
		if ask.Collection != "" && c.Name != ask.Collection {
			continue
		}
		known = true
		withheld := class.withheld(c.Name)
		titles[c.Name] = c.Title
		got, err := d.collection(ctx, class, c, withheld)
		if err != nil {
			p.Trouble = append(p.Trouble, err.Error())
		}
		p.takeCollection(got)
		p.takePlans(c)
	}
	if !known {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "take the pulse of " + ask.Collection, Msg: "there is no such collection", Hint: "the first page without a collection shows all"}
	}
	if err := d.takeCrawls(ctx, p, class, titles, ask); err != nil {
		return nil, err
	}
	p.arrange()
	if err := p.cut(ask); err != nil {
		return nil, err
	}
	d.texts(ctx, p, class, ask)
	if access.From(ctx).Can(access.Curator) {
		d.needs(ctx, p, ask)
	}
	return p, nil
}

// takeCollection adds a collection to the totals.
func (p *Pulse) takeCollection(c Collection) {
	t := &p.Totals
	t.Collections++
	t.Crawls += c.Crawls
	if c.Source.Known() {
		t.Captures, t.Pages, t.Bytes = t.Captures+c.Captures, t.Pages+c.Pages, t.Bytes+c.Bytes
	} else {
		t.Partial = true
	}
	if !c.First.IsZero() && (t.First.IsZero() || c.First.Before(t.First)) {
		t.First = c.First
	}
	if c.Last.After(t.Last) {
		t.Last = c.Last
	}
	if c.Tally != nil {
		t.Measured++
		add(&t.Tally, *c.Tally)
	}
	p.Collections = append(p.Collections, c)
}

func add(to *holdings.Tally, t holdings.Tally) {
	to.Coherent += t.Coherent
	to.Content += t.Content
	to.Links += t.Links
	to.Missing += t.Missing
	to.Unknown += t.Unknown
}

// takePlans adds what is due.
func (p *Pulse) takePlans(c *holdings.Collection) {
	for _, x := range c.Plans {
		if x.Every > 0 {
			p.Due = append(p.Due, Due{Collection: c.Name, Title: c.Title, Name: x.Name, Every: x.Every, Next: x.Next, Simulated: c.Simulated()})
		}
	}
}

// arrange sorts and cuts the lists. What is due by a simulated clock comes last: nobody waits for it.
func (p *Pulse) arrange() {
	slices.SortStableFunc(p.Running, func(a, b Crawl) int { return a.Started.Compare(b.Started) })
	slices.SortStableFunc(p.Last, func(a, b Crawl) int { return b.Started.Compare(a.Started) })
	slices.SortStableFunc(p.Due, func(a, b Due) int {
		if a.Simulated != b.Simulated {
			return map[bool]int{true: 1, false: -1}[a.Simulated]
		}
		return a.Next.Compare(b.Next)
	})
	p.Last, p.Due = p.Last[:min(len(p.Last), mostCrawls)], p.Due[:min(len(p.Due), mostDue)]
}

// cut leaves the collections of the page that is asked for. Totals, and what else is told, are of all.
func (p *Pulse) cut(ask Ask) error {
	from := 0
	if ask.After != "" {
		var err error
		if from, err = strconv.Atoi(ask.After); err != nil || from < 0 {
			return &varve.Error{Kind: varve.Invalid, Op: "take the pulse", Msg: "the cursor cannot be used", Hint: "take next of the page before"}
		}
	}
	all := p.Collections
	p.From = min(from, len(all))
	p.Collections = all[p.From:]
	if ask.Limit > 0 && len(p.Collections) > ask.Limit {
		p.Collections, p.Next = p.Collections[:ask.Limit], strconv.Itoa(p.From+ask.Limit)
	}
	return nil
}

// needs adds what curators are told: alerts and room.
func (d *Desk) needs(ctx context.Context, p *Pulse, ask Ask) {
	if d.cfg.Disk != nil {
		if room, err := d.cfg.Disk(d.cfg.Archive); err == nil && room.Size > 0 {
			p.Disk = &room
		}
	}
	if d.cfg.Tray == nil {
		return
	}
	t, err := keep(&d.kept, "tray", nil, func() (*review.Tray, error) { return d.cfg.Tray.Tray(ctx) })
	if err != nil {
		p.Trouble = append(p.Trouble, "the in-tray: "+err.Error())
		return
	}
	p.Tray = &Tray{Kinds: []KindCount{}, Top: []review.Alert{}}
	for _, a := range t.Open {
		if ask.Collection == "" || a.Collection == ask.Collection {
			p.Tray.add(a)
		}
	}
}

func (t *Tray) add(a review.Alert) {
	t.Open++
	if len(t.Top) < mostAlerts {
		t.Top = append(t.Top, a)
	}
	i := slices.IndexFunc(t.Kinds, func(k KindCount) bool { return k.Kind == a.Kind })
	if i < 0 {
		i, t.Kinds = len(t.Kinds), append(t.Kinds, KindCount{Kind: a.Kind})
	}
	t.Kinds[i].Count++
}

// table is where the days of the crawls of a collection are summed up.
func (d *Desk) table(collection string) string {
	return filepath.Join(d.cfg.Archive, "collections", collection, "derived", "crawls.parquet")
}
