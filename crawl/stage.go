package crawl

import (
	"context"
	"errors"
	"slices"
	"time"

	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/markup"
	"varve/web/wire"
)

// Stage takes part in the visits of a run. The core knows frontier, politeness, fetch, record and commit; all that is done
// beyond is a stage, and a run has any number of them, also none:
//
//	link found ──> Admit ──> queue ──> URL taken ──> Admit ──> fetch ──> Examine ──> record ──> Settle ──> commit
//
// Stages are asked one after the other, in the order of Options.Stages, by many workers at once; a Stage is a pointer, which
// is how visits know whose remark is whose. What a stage may be beside these three verbs stands below, each in one small
// interface that the core asks for once, when the run starts.
type Stage interface {
	// Admit says whether a URL may be queued, and where in the order, and whether it may be fetched once it was taken.
	Admit(a *Admission)
	// Examine looks at an answer before it is recorded, and at answers that are replayed after a kill. It may add links and
	// fields of the metadata record. It is called for URLs of the frontier, not for robots.txt and probes.
	Examine(v *Visit, a *Answer)
	// Settle takes note of visits whose records are durable, before the commit that makes them done; what it notes is stored
	// in that commit, or not at all. Visits that are tried again, refused or not of the frontier are among them.
	Settle(visits []*Visit, notes *Notes) error
}

// Opener is a stage that is told of its run: its frontier is open, so that what an earlier part of the crawl noted can be
// read, and nothing runs yet. An error ends the start.
type Opener interface{ Open(r *Run) error }

// Starter is a stage with work of its own beside the workers. Start is called before the first of them, with the context of
// all fetches; Stop when none is left, and returns when all of its work is over.
type Starter interface {
	Start(ctx context.Context)
	Stop()
}

// Idler is a stage that may have work for a run that finds none. Idle is asked when nothing can be taken now; exhausted says
// that nothing is left at all, and the run would end. It reports whether there is something by now.
type Idler interface{ Idle(exhausted bool) bool }

// Holder is a stage that knows of work that may still come from elsewhere. A run that has nothing left waits while Holds reports true, before
// it asks the Idlers a last time; when they have nothing either, it ends only if Ends reports true. Both are asked again when the
// stage wakes the run.
type Holder interface {
	Holds() bool
	Ends() bool
}

// Committer is a stage that is told when the commit is made that its notes went with.
type Committer interface{ Committed() error }

// Finisher is a stage with something to do when the crawl has done all it was to do.
type Finisher interface{ Finish() error }

// Closer is a stage with something to do when all visits of a run are committed, whatever ended it; the frontier is still open.
type Closer interface{ Close() error }

// Teller is a stage that has a part in the progress and in the report.
type Teller interface {
	Progress(p *Progress)
	Report(rep *Report)
}

// Definer is a stage whose part of the definition can change while the crawl runs. Define writes what is in force.
type Definer interface{ Define(def *Definition) }

// Scorer is a stage that says what a page and its links are worth. It gets the whole text of pages. Links of sitemaps, and those that
// were found beside the source of a page, come without it.
type Scorer interface {
	Score(v *Visit, page *links.Info, found []links.Link) Rating
}

// Rating is what a page and its links are worth, between 0 and 1, where there is an opinion.
type Rating struct {
	Page  scope.Known[float64]
	Links []scope.Known[float64] // in their order; nil: there is no opinion on any
}

func (r *Rating) link(i int) (k scope.Known[float64]) {
	if r.Links != nil {
		k = r.Links[i]
	}
	return k
}

// Knower is a stage that knows of a URL, or of its host, what scope rules can ask about. Know adds it to the candidate.
type Knower interface{ Know(c *scope.Candidate) }

// Suspecter is a stage that has suspicions about URLs. Suspect adds them to the candidate: of a link that was found, and again when its turn comes.
type Suspecter interface{ Suspect(c *scope.Candidate) }

// PageReader is a stage that looks at the markup of pages while they are read for their links.
type PageReader interface {
	// NewReader returns what one worker uses for one page after another; nil if there is nothing to look for.
	NewReader() markup.Subscriber
}

// Sharer is a stage that makes requests as well, and shares answers with the workers.
type Sharer interface {
	// Take takes a URL for a worker by calling next, as often as it likes.
	Take(next func() (frontier.Item, bool, error)) (frontier.Item, bool, error)
	Recorded(v *Visit)   // its answer is recorded, and not committed yet
	Returned(key string) // it was given back to the frontier
	Settled(key string)  // it was committed, or that failed
}

// Extender is a stage that goes further with answers. TakeOver is asked last, when an answer was examined. If it reports true, visit,
// exchange and host are the stage's: it records the visit by a Worker and hands it over, or gives it back, and unclaims the host.
type Extender interface {
	TakeOver(v *Visit, a *Answer, host string) bool
}

// Order is a stage that says which URL of a host comes next, instead of the frontier. A run has one at most.
type Order interface {
	// Begin is told of a visit before anything else is asked about it, and of one that is replayed. After an error the URL is
	// refused as unreadable.
	Begin(v *Visit) error
	Take(host string, now time.Time) (frontier.Item, bool, error)
	Return(it *frontier.Item) // it was taken, and given back
	Exhausted() bool          // nothing is left to take, now or later

	// Close is told that a limit of the crawl was reached, and reports whether something is left that the limit does not hold
	// for; Closed says that it was told so.
	Close(limit string) bool
	Closed() bool

	Hold(host string, h Hold) // what may be taken of a host from now on
	Again(host string) int64  // how many of the URLs done at a host were second looks
}

// Hold says what of a host is held back.
type Hold int

// The kinds of holds.
const (
	HoldNothing Hold = iota
	HoldVisits       // its budget is used up; second looks are made all the same
	HoldAll
)

// Admission asks whether a URL may come in.
type Admission struct {
	URL   canon.URL
	Item  *frontier.Item // band, score and meta may be changed while it is not taken: they are its place in the order
	Visit *Visit         // Taken: its own; else the one on whose answer it was found; nil for seeds and what robots.txt names
	Link  *links.Link    // that led to it; nil for seeds and when it was taken
	Taken bool           // from the queue, to be fetched

	verdict admissionVerdict
	why     string
}

type admissionVerdict int

const (
	admitted admissionVerdict = iota
	refused
	waits
	setAside
	othersHave
)

// Refuse keeps the URL out: a link is not queued, a visit is settled as refused, with the reason.
func (a *Admission) Refuse(why string) { a.verdict, a.why = refused, why }

// Wait gives a taken URL back, and leaves its host alone until the visits to it that are under way are committed.
func (a *Admission) Wait() { a.verdict = waits }

// SetAside takes the host of a taken URL out of the rotation. Its URLs stay queued, for it may be put back.
func (a *Admission) SetAside(why string) { a.verdict, a.why = setAside, why }

// Leave gives a taken URL back, and takes its host out of the rotation: another run of the crawl has it.
func (a *Admission) Leave(why string) { a.verdict, a.why = othersHave, why }

// Answer is what stages look at. Nothing of it may be kept.
type Answer struct {
	Header wire.Header  // of HTTP
	Body   []byte       // after content decoding, up to the bytes that are looked at for links; of a 304 that of the original
	Info   links.Info   // title, text and more of the page
	Links  []links.Link // found on it, in scope or not; of a sitemap the last ones

	Held *Held // the exchange, while it can be taken over

	w *Worker
	v *Visit
}

// Field adds a field to the metadata record of the visit, if it has a value.
func (a *Answer) Field(name, value string) { a.w.metaField(name, value) }

// SoftNotFound notes that a page says that there is nothing at its address, though its status says otherwise.
func (a *Answer) SoftNotFound(why string) {
	if !a.v.soft && a.v.status >= 200 && a.v.status < 300 {
		a.w.softNotFound(a.v, why)
	}
}

// Worker returns the one that examined the answer.
func (a *Answer) Worker() *Worker { return a.w }

// Read returns what the reader of a stage has seen of the page; nil if it has none, or did not see the answer.
func (a *Answer) Read(s Stage) markup.Subscriber {
	if i := slices.Index(a.w.readers, s); i >= 0 && a.w.subscribed {
		return a.w.subscribers[i]
	}
	return nil
}

// AddLink adds a link that the page does not have itself: it is listed, and queued with the visit if it is in scope.
func (a *Answer) AddLink(l links.Link) {
	w := a.w
	w.meta = appendOutlink(w.meta, l)
	w.items = w.items[:0]
	w.queue(a.v, &l, scope.Known[float64]{}, a.v.nofollow)
	a.v.links = append(a.v.links, w.items...)
}

// Notes are what stages keep in the frontier by name, stored with a commit.
type Notes struct{ by map[string][]byte }

// Put notes a value; nil deletes it.
func (n *Notes) Put(name string, value []byte) {
	if n.by == nil {
		n.by = map[string][]byte{}
	}
	n.by[name] = value
}

// stages are the stages of a run, and what each of them is beside.
type stages struct {
	all        []Stage
	order      Order
	ordered    bool // by a stage, not by the frontier
	starters   []Starter
	idlers     []Idler
	holders    []Holder
	committers []Committer
	finishers  []Finisher
	closers    []Closer
	tellers    []Teller
	definers   []Definer
	scorers    []Scorer
	knowers    []Knower
	suspecters []Suspecter
	sharers    []Sharer
	extenders  []Extender
	rationer   Rationer
}

func newStages(r *Run, opts Options) stages {
	s := stages{order: plainOrder{r}}
	if opts.Stages != nil {
		s.all = opts.Stages(r.Def)
	}
	if opts.Jar != nil {
		s.all = append(s.all, &cookies{opts.Jar})
	}
	for _, one := range s.all {
		if o, ok := one.(Order); ok {
			s.order, s.ordered = o, true
		}
		if o, ok := one.(Rationer); ok {
			s.rationer = o
		}
		s.starters = appendAs(s.starters, one)
		s.idlers = appendAs(s.idlers, one)
		s.holders = appendAs(s.holders, one)
		s.closers = appendAs(s.closers, one)
		s.committers = appendAs(s.committers, one)
		s.finishers = appendAs(s.finishers, one)
		s.tellers = appendAs(s.tellers, one)
		s.definers = appendAs(s.definers, one)
		s.scorers = appendAs(s.scorers, one)
		s.knowers = appendAs(s.knowers, one)
		s.suspecters = appendAs(s.suspecters, one)
		s.sharers = appendAs(s.sharers, one)
		s.extenders = appendAs(s.extenders, one)
	}
	return s
}

// appendAs adds a stage to the list of those that are T, if it is one.
func appendAs[T any](list []T, s Stage) []T {
	if t, ok := s.(T); ok {
		return append(list, t)
	}
	return list
}

// open tells the stages of their run.
func (s *stages) open(r *Run) error {
	var errs []error
	for _, one := range s.all {
		if o, ok := one.(Opener); ok {
			errs = append(errs, o.Open(r))
		}
	}
	return errors.Join(errs...)
}

// admits asks all stages, until one does not let the URL in, and reports whether all did.
func (s *stages) admits(a *Admission) bool {
	for _, one := range s.all {
		if one.Admit(a); a.verdict != admitted {
			return false
		}
	}
	return true
}

// settle collects the notes of all stages.
func (s *stages) settle(visits []*Visit, notes *Notes) error {
	for _, one := range s.all {
		if err := one.Settle(visits, notes); err != nil {
			return err
		}
	}
	return nil
}

func (s *stages) committed() error {
	for _, c := range s.committers {
		if err := c.Committed(); err != nil {
			return err
		}
	}
	return nil
}

// idle reports whether a stage has work for a run that finds none.
func (s *stages) idle(exhausted bool) bool {
	for _, i := range s.idlers {
		if i.Idle(exhausted) {
			return true
		}
	}
	return false
}

// hold reports whether a stage knows of work to come.
func (s *stages) hold() bool {
	for _, h := range s.holders {
		if h.Holds() {
			return true
		}
	}
	return false
}

// ends reports whether all stages let a run end that has nothing left.
func (s *stages) ends() bool {
	for _, h := range s.holders {
		if !h.Ends() {
			return false
		}
	}
	return true
}

// close tells the stages that all is committed.
func (s *stages) close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// rate asks what a page and its links are worth.
func (s *stages) rate(v *Visit, page *links.Info, found []links.Link) (rating Rating) {
	for _, one := range s.scorers {
		rating = one.Score(v, page, found)
	}
	return rating
}

// take takes a URL for a worker.
func (s *stages) take(next func() (frontier.Item, bool, error)) (frontier.Item, bool, error) {
	for _, one := range s.sharers {
		inner := next
		next = func() (frontier.Item, bool, error) { return one.Take(inner) }
	}
	return next()
}

// plainOrder is the order of the frontier.
type plainOrder struct{ r *Run }

func (plainOrder) Begin(*Visit) error { return nil }

func (o plainOrder) Take(host string, now time.Time) (frontier.Item, bool, error) {
	return o.r.frontier.Take(host, now)
}

func (plainOrder) Return(*frontier.Item) {}

func (o plainOrder) Exhausted() bool {
	s := o.r.frontier.Stats()
	return s.Queued+s.InFlight-s.Retired <= 0
}

func (plainOrder) Close(string) bool  { return false }
func (plainOrder) Closed() bool       { return false }
func (plainOrder) Hold(string, Hold)  {}
func (plainOrder) Again(string) int64 { return 0 }
