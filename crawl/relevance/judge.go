package relevance

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"varve/crawl/priority"
	"varve/crawl/scope"
)

// Opinion is a value from 0 to 1, where there is one.
type Opinion = scope.Known[float64]

// Page is what modules look at.
type Page struct {
	URL      string
	Title    string
	Text     string
	Score    Opinion                                   // with which it was queued
	Language string                                    // BCP 47; "": not known
	Links    []priority.Link                           // in the order in which they are rated
	Spam     func(url string) (value float64, ok bool) // of the host of a URL; nil: nobody knows

	scan   *scan       // once it was rated
	linked []linkWords // of each link, once it was asked for
	at     int         // the link that is rated
}

// linkWords are the words of a link: anchor, text around it, and what is in its address.
type linkWords struct {
	anchor, around, path span
	read                 bool
}

// linkWords returns the words of a link. Several modules ask for those of the one that is rated.
func (p *Page) linkWords(l *priority.Link) *linkWords {
	var w *linkWords
	if p.at < len(p.linked) && &p.Links[p.at] == l {
		w = &p.linked[p.at]
	} else {
		w = new(linkWords)
	}
	if !w.read {
		*w = linkWords{anchor: p.scan.stretch(l.AnchorAt, l.Anchor), around: p.scan.stretch(l.AroundAt, l.Around), path: p.scan.path(l.URL), read: true}
	}
	return w
}

// Module looks at one thing.
type Module interface {
	Name() string
	Page(p *Page) Opinion
	Link(p *Page, l *priority.Link) Opinion // none of its own: that on the page counts
}

// Teller is a module that can say by what it came to its opinion.
type Teller interface {
	Why(p *Page, l *priority.Link) string // l is nil for the page
}

// defaultWeights are those of modules that a definition does not weigh.
var defaultWeights = map[string]float64{
	"document": 1, "paragraph": 1, "anchor": 1, "keywords": 1, "entities": 1, "reference": 1,
	"url": 1, "place": 1, "way": 1, "language": 0.5, "time": 0.5, "spam": 0.5, "nation": 1,
}

// DefaultWeights returns the weights of modules that a definition does not weigh.
func DefaultWeights() map[string]float64 { return maps.Clone(defaultWeights) }

// Patience is how long a module may take for one page.
const Patience = 10 * time.Second

// Judge rates pages and links. It is safe for concurrent use.
type Judge struct {
	about    About
	texts    []string
	more     []Module
	voices   []*voice
	topic    *topic
	place    *place
	nation   *NationJudge // nil: none is given
	terms    *terms       // keywords, then names
	patience time.Duration
	scans    sync.Pool // of *scan, whose room is used again
}

// voice is a module with its weight.
type voice struct {
	Module
	weight float64
	silent atomic.Pointer[string] // why it is not asked any more
	spent  atomic.Int64           // nanoseconds
}

// New returns the judge of a definition; topic are texts about what is wanted. More modules join those that the definition asks for, with
// the weight that it gives their names, or 1.
func New(about About, texts []string, more ...Module) (*Judge, error) {
	return newJudge(about, texts, more, newTopic(&about, texts, priority.NewCorpus(maxLearned)), newPlace(), &linkers{from: map[string][]string{}})
}

// Redefine returns the judge of another definition, who knows what this one has learned.
func (j *Judge) Redefine(about About) (*Judge, error) {
	t := newTopic(&about, j.texts, j.topic.corpus)
	t.pages.Store(j.topic.pages.Load())
	learned := &linkers{from: map[string][]string{}}
	if j.nation != nil {
		learned = j.nation.learned
	}
	return newJudge(about, j.texts, j.more, t, j.place, learned)
}

func newJudge(about About, texts []string, more []Module, t *topic, pl *place, learned *linkers) (*Judge, error) {
	if err := about.Check(); err != nil {
		return nil, err
	}
	j := &Judge{about: about, texts: texts, more: more, patience: Patience, topic: t, place: pl, terms: &terms{}}
	list := modulesOf(&about, j.topic, j.terms, j.place)
	if about.Nation.Given() {
		j.nation = newNationJudge(about.Nation, learned)
		list = append(list, nation{j.nation})
	}
	list = append(list, more...)
	for _, m := range list {
		w, known := defaultWeights[m.Name()]
		if own, given := about.Weights[m.Name()]; given {
			w = own
		} else if !known {
			w = 1
		}
		if w > 0 {
			j.voices = append(j.voices, &voice{Module: m, weight: w})
		}
	}
	return j, nil
}

// About returns the definition.
func (j *Judge) About() *About { return &j.about }

// Rating is what a page and its links are worth.
type Rating struct {
	Page  Opinion
	Links []Opinion // in their order
}

// Rate rates a page and its links.
func (j *Judge) Rate(p *Page) Rating {
	for {
		t := &trial{page: *p, sums: make([]sum, 1+len(p.Links)), done: make(chan struct{})}
		t.page.linked, t.page.scan = make([]linkWords, len(p.Links)), j.read(p) // its own: it may be left alone
		go t.hear(j.voices)
		timer := time.NewTimer(j.patience) // of this machine, whatever the clock of the crawl says
		select {
		case <-t.done:
			timer.Stop()
			p.scan, p.linked = t.page.scan, t.page.linked
			return t.rating()
		case <-timer.C:
			j.silence(int(t.at.Load()), fmt.Sprintf("it took more than %v for %s", j.patience, p.URL))
		}
	}
}

// read reads a page, as far as somebody goes by its words.
func (j *Judge) read(p *Page) *scan {
	s, ok := j.scans.Get().(*scan)
	if !ok {
		s = &scan{terms: j.terms, found: make([]int32, len(j.terms.weight))}
	}
	s.lex = j.topic.now.Load()
	s.read(p.Title, p.Text)
	return s
}

// Done gives back what rating a page took. The page cannot be asked for after it.
func (j *Judge) Done(p *Page) {
	if p.scan != nil && cap(p.scan.words) <= maxPooled {
		j.scans.Put(p.scan)
	}
	p.scan, p.linked = nil, nil
}

// silence takes a module its voice, for the first reason there is.
func (j *Judge) silence(i int, why string) { j.voices[i].silent.CompareAndSwap(nil, &why) }

// sum is a mean that is not divided yet.
type sum struct{ value, weight float64 }

func (s *sum) add(o Opinion, weight float64) {
	if o.Set {
		s.value += weight * min(max(o.Value, 0), 1)
		s.weight += weight
	}
}

// trial is the rating of one page. It may be left alone when a module hangs.
type trial struct {
	page Page
	at   atomic.Int32 // the module that has the word
	sums []sum        // of the page, and of each link
	was  []sum        // before the module that has the word
	done chan struct{}
}

// hear asks one module after the other.
func (t *trial) hear(voices []*voice) {
	defer close(t.done)
	for i, v := range voices {
		t.at.Store(int32(i))
		if v.silent.Load() == nil {
			t.ask(v)
		}
	}
}

// ask takes the opinions of a module, all or, if it panics, none.
func (t *trial) ask(v *voice) {
	t.was = append(t.was[:0], t.sums...)
	began := time.Now()
	defer func() {
		v.spent.Add(int64(time.Since(began)))
		if e := recover(); e != nil {
			why := fmt.Sprintf("it panicked on %s: %v", t.page.URL, e)
			v.silent.CompareAndSwap(nil, &why)
			copy(t.sums, t.was)
		}
	}()
	whole := v.Page(&t.page)
	t.sums[0].add(whole, v.weight)
	for i := range t.page.Links {
		t.page.at = i
		o := v.Link(&t.page, &t.page.Links[i])
		if !o.Set {
			o = whole
		}
		t.sums[1+i].add(o, v.weight)
	}
}

func (t *trial) rating() (r Rating) {
	mean := func(s sum) (o Opinion) {
		if s.weight > 0 {
			o = scope.Is(s.value / s.weight)
		}
		return o
	}
	r.Page, r.Links = mean(t.sums[0]), make([]Opinion, len(t.page.Links))
	for i := range r.Links {
		r.Links[i] = mean(t.sums[1+i])
	}
	return r
}

// steps are those in which links wait. Finer differences say nothing (docs/algorithms/relevance.md), and each time a URL that waits is found again with a score
// that is higher by a hair it would be written and moved.
const steps = 64

// Step returns the score with which a link waits: its opinion, to the nearest step.
func Step(score float64) float64 { return math.Round(score*steps) / steps }

// Learn takes note of a page and what it was worth: of the words of the first pages, if it was rated, and of where relevant pages lie.
func (j *Judge) Learn(p *Page, relevance Opinion) {
	if p.scan != nil {
		j.topic.learn(p.scan)
	}
	if relevance.Set {
		j.place.learn(p.URL, relevance.Value)
	}
	if j.nation != nil {
		j.nation.Learn(p)
	}
}

// Similarity returns the cosine of a page that was rated with the words of the definition; 0 without any.
func (j *Judge) Similarity(p *Page) float64 { return p.scan.near }

// Hits reports whether a page that was rated has a wanted keyword or name of the definition.
func (j *Judge) Hits(p *Page) bool {
	return slices.ContainsFunc(p.scan.hits, func(h hit) bool { return int(h.from) < p.scan.page && j.terms.weight[h.thing] > 0 })
}

// Said is the opinion of a module, for people.
type Said struct {
	Module  string  `json:"module"`
	Weight  float64 `json:"weight"`
	Has     bool    `json:"has"` // an opinion
	Value   float64 `json:"value"`
	OfPage  bool    `json:"ofPage,omitempty"` // of a link: that on its page
	Why     string  `json:"why,omitempty"`
	Silent  string  `json:"silent,omitempty"` // why it lost its voice
	Seconds float64 `json:"seconds"`          // that it has taken in this run
}

// Explain says what each module says of a page, or of its link with an index from 0.
func (j *Judge) Explain(p *Page, link int) (total Opinion, list []Said) {
	r := j.Rate(p)
	total = r.Page
	var l *priority.Link
	if link >= 0 {
		l, total = &p.Links[link], r.Links[link]
	}
	for _, v := range j.voices {
		s := Said{Module: v.Name(), Weight: v.weight, Seconds: time.Duration(v.spent.Load()).Seconds()}
		if why := v.silent.Load(); why != nil {
			s.Silent = *why
			list = append(list, s)
			continue
		}
		o := v.Page(p)
		if l != nil {
			if own := v.Link(p, l); own.Set {
				o = own
			} else {
				s.OfPage = o.Set
			}
		}
		if s.Has, s.Value = o.Set, o.Value; s.Has {
			if t, ok := v.Module.(Teller); ok {
				s.Why = t.Why(p, l)
			}
		}
		list = append(list, s)
	}
	return total, list
}

// Silent returns the modules that lost their voice, and why.
func (j *Judge) Silent() map[string]string {
	out := map[string]string{}
	for _, v := range j.voices {
		if why := v.silent.Load(); why != nil {
			out[v.Name()] = *why
		}
	}
	return out
}

// Spent returns the seconds that each module has taken.
func (j *Judge) Spent() map[string]float64 {
	out := map[string]float64{}
	for _, v := range j.voices {
		out[v.Name()] = time.Duration(v.spent.Load()).Seconds()
	}
	return out
}
