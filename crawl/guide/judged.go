package guide

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"varve/crawl"
	"varve/crawl/priority"
	"varve/crawl/relevance"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/links"
)

// Judged is the stage of a crawl that knows what it is about.
type Judged struct {
	Stage
	judge   atomic.Pointer[relevance.Judge]
	knowers []crawl.Knower

	changing sync.Mutex    // one definition, or one step of scoring the queue again, at a time
	redo     chan struct{} // the queue is to be scored again
	end      func()

	mu    sync.Mutex
	total crawl.Guidance
	last  []crawl.Sight // the newest pages, in a ring
	told  map[string]bool
}

var _ interface {
	crawl.Scorer
	crawl.Teller
	crawl.Starter
	crawl.Definer
} = (*Judged)(nil)

// NewJudged returns the stage of a crawl that is guided by a judge.
func NewJudged(def crawl.Definition, judge *relevance.Judge) *Judged {
	j := &Judged{told: map[string]bool{}, redo: make(chan struct{}, 1)}
	j.judge.Store(judge)
	j.Stage.Set(def.Priorities)
	return j
}

// noteName is the name under which totals are kept in the frontier.
const noteName = "guidance"

// Open takes the run, who in it knows hosts, and what an earlier part of the crawl counted.
func (j *Judged) Open(r *crawl.Run) error {
	for _, s := range r.Stages() {
		if k, ok := s.(crawl.Knower); ok {
			j.knowers = append(j.knowers, k)
		}
	}
	note, err := r.Frontier().NoteOf(noteName)
	if err == nil && note != nil {
		err = json.Unmarshal(note, &j.total)
	}
	if err != nil {
		return fmt.Errorf("what is known of the relevance of the crawl so far: %w", err)
	}
	return j.Stage.Open(r)
}

// PageOf returns a page as the judge looks at it.
func (j *Judged) PageOf(url canon.URL, info *links.Info, found []links.Link) *relevance.Page {
	p := &relevance.Page{URL: url.String(), Title: info.Title, Text: info.Text, Spam: j.spam, Links: make([]priority.Link, len(found))}
	if about := j.judge.Load().About(); len(about.Languages)+len(about.Nation.Languages) > 0 && info.Text != "" {
		p.Language = crawl.LanguageOf(info)
	}
	for i, l := range found {
		p.Links[i] = priority.Link{URL: l.URL, Anchor: l.Anchor, Around: l.Around, AnchorAt: priority.Place(l.AnchorAt), AroundAt: priority.Place(l.AroundAt)}
	}
	return p
}

// spam is how likely the host of a URL is spam.
func (j *Judged) spam(url string) (float64, bool) {
	if len(j.knowers) == 0 {
		return 0, false
	}
	u, err := canon.Parse(url)
	if err != nil {
		return 0, false
	}
	c := scope.Candidate{URL: u}
	for _, k := range j.knowers {
		k.Know(&c)
	}
	return c.Spam.Value, c.Spam.Set
}

// Score says what a page and its links are worth.
func (j *Judged) Score(v *crawl.Visit, info *links.Info, found []links.Link) crawl.Rating {
	if len(found) == 0 && info.Text == "" {
		return crawl.Rating{} // a picture: nothing to go by, and nothing to rate
	}
	p := j.PageOf(v.URL(), info, found)
	p.Score = j.r.Rated(v.Item())
	judge := j.judge.Load()
	r := judge.Rate(p)
	if v.IsPage() && !v.Again() && info.Text != "" {
		judge.Learn(p, r.Page)
		v.SetRemark(j, &crawl.Sight{Relevance: r.Page.Value, Similarity: judge.Similarity(p), Keyword: judge.Hits(p)})
	}
	judge.Done(p)
	j.tell()
	return crawl.Rating{Page: r.Page, Links: r.Links}
}

// Admit gives a URL that was found the score of its link, in steps, or that of the longest prefix it lies below.
func (j *Judged) Admit(a *crawl.Admission) {
	if a.Link != nil {
		a.Item.Score = j.scoreOf(a.URL, relevance.Step(a.Item.Score))
	}
}

// tell puts modules that lost their voice into the events, each once.
func (j *Judged) tell() {
	silent := j.judge.Load().Silent()
	if len(silent) == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for name, why := range silent {
		if !j.told[name] {
			j.told[name] = true
			j.r.Event("module-silent", "module", name, "why", why)
		}
	}
}

// lastPages is how many of the newest pages tell how the crawl goes now.
const lastPages = 500

// Settle counts the pages that were judged.
func (j *Judged) Settle(visits []*crawl.Visit, notes *crawl.Notes) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, v := range visits {
		if s, ok := v.Remark(j).(*crawl.Sight); ok && !v.Later() {
			j.total.Add(*s, j.judge.Load().About().Relevant())
			if len(j.last) < lastPages {
				j.last = append(j.last, *s)
			} else {
				j.last[j.total.Pages%lastPages] = *s
			}
		}
	}
	b, err := json.Marshal(j.total)
	notes.Put(noteName, b)
	return err
}

// Totals returns how relevant the pages of the crawl were so far.
func (j *Judged) Totals() crawl.Guidance {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.total
}

// guidance is how relevant the pages of the crawl were.
func (j *Judged) guidance() *crawl.Guidance {
	j.mu.Lock()
	defer j.mu.Unlock()
	about := j.judge.Load().About()
	g := j.total
	g.Last = &crawl.Guidance{}
	for _, s := range j.last {
		g.Last.Add(s, about.Relevant())
	}
	g.Threshold, g.Silent, g.Seconds = about.Relevant(), j.judge.Load().Silent(), j.judge.Load().Spent()
	g.Stop = about.StopUnder > 0 && g.Last.Pages >= lastPages && g.Last.Harvest() < about.StopUnder
	return &g
}

// Progress tells how relevant the pages are.
func (j *Judged) Progress(p *crawl.Progress) { p.Guidance = j.guidance() }

// Report tells how relevant the pages were.
func (j *Judged) Report(rep *crawl.Report) { rep.Guidance = j.guidance() }
