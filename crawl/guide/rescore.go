package guide

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/relevance"
	"varve/page"
	"varve/web/canon"
	"varve/web/links"
)

// When what a crawl is about changes, URLs that wait are scored again in the background, while it goes on:
//
//	SetAbout    the new judge is in force; definition.json and the note "from the beginning" are kept
//	rescore     the queue, 2,000 URLs at a time: the page on which each was found is read from its record once and rated; the new
//	            scores are committed, then the note says how far it is
//
// It rests after each step for three times as long as the step took, so that it takes a quarter of one core at most and the crawl goes on; links of one page are often
// far apart in the queue, so the scores of the pages read last are kept until that many links are known.
//
// After a kill the note is there, and the next run goes on behind what is done. Scores come from the page that led to a URL first; URLs without such
// a page (seeds, sitemaps) keep theirs.

// rescoreNote is how far the queue is scored again; it is not there when nothing is left to do.
const rescoreNote = "guidance rescore"

const (
	rescoreStep = 2000
	fromBegin   = "-"      // the note before the first step
	maxReread   = 32 << 20 // bytes of a page that is read again
	restSteps   = 3        // rest after a step, as a multiple of the time it took
	maxKnown    = 200_000  // links whose scores are kept
)

// SetAbout puts another definition of what the crawl is about in force, and has the queue scored again.
func (j *Judged) SetAbout(about relevance.About) error {
	j.changing.Lock()
	defer j.changing.Unlock()
	was := j.judge.Load()
	next, err := was.Redefine(about)
	if err != nil {
		return err
	}
	j.judge.Store(next)
	if err := j.r.KeepDefinition(); err != nil {
		j.judge.Store(was)
		return err
	}
	if err := j.keep(fromBegin); err != nil {
		return err
	}
	j.wake()
	return nil
}

// About returns what the crawl is about now.
func (j *Judged) About() relevance.About { return *j.judge.Load().About() }

// Define writes what is in force.
func (j *Judged) Define(def *crawl.Definition) {
	j.Stage.Define(def)
	def.About = j.About()
}

// keep notes how far the queue is scored again; "" is all of it.
func (j *Judged) keep(at string) error {
	_, err := j.r.Frontier().FinishWith(nil, map[string][]byte{rescoreNote: []byte(at)})
	return err
}

func (j *Judged) wake() {
	select {
	case j.redo <- struct{}{}:
	default:
	}
}

// Start scores the queue again whenever that is to be done, also where an earlier run was interrupted.
func (j *Judged) Start(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	j.end = func() { cancel(); <-ended }
	j.wake()
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-j.redo:
			}
			if err := j.rescore(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, frontier.ErrClosed) {
				j.r.Fail(err)
			}
		}
	}()
}

// Stop ends it; what is left goes on in the next run.
func (j *Judged) Stop() { j.end() }

// rescore goes through the queue from where the note says.
func (j *Judged) rescore(ctx context.Context) error {
	changed, looked := 0, 0
	known := &rated{}
	for ctx.Err() == nil {
		j.changing.Lock() // a new definition begins anew, not in the middle of a step
		began := time.Now()
		more, n, got, err := j.rescoreStep(ctx, known)
		took := time.Since(began) // of this machine, whatever the clock of the crawl says
		j.changing.Unlock()
		changed, looked = changed+got, looked+n
		if err != nil {
			return err
		}
		if !more {
			if looked > 0 {
				j.r.Event("rescored", "looked", looked, "changed", changed)
				j.r.Wake()
			}
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(restSteps * took):
		}
	}
	return ctx.Err()
}

// rated are the scores of the links of pages that were read again.
type rated struct {
	by    *relevance.Judge
	pages map[string]map[string]float64
	links int
}

// of returns the scores of the links of a page by a judge.
func (k *rated) of(by *relevance.Judge, url string, read func(string) (map[string]float64, error)) (map[string]float64, error) {
	if k.by != by || k.links > maxKnown {
		*k = rated{by: by, pages: map[string]map[string]float64{}}
	}
	if scores, ok := k.pages[url]; ok {
		return scores, nil
	}
	scores, err := read(url)
	if err == nil {
		k.pages[url] = scores
		k.links += 1 + len(scores)
	}
	return scores, err
}

// rescoreStep scores one piece of the queue.
func (j *Judged) rescoreStep(ctx context.Context, known *rated) (more bool, looked, changed int, err error) {
	note, err := j.r.Frontier().NoteOf(rescoreNote)
	if err != nil || len(note) == 0 {
		return false, 0, 0, err
	}
	cursor := string(note)
	if cursor == fromBegin {
		cursor = ""
	}
	list, next, err := j.r.Frontier().List("", cursor, rescoreStep)
	if err != nil {
		return false, 0, 0, err
	}
	via := map[string][]int{}
	for i, l := range list {
		if l.Item.Via != "" && l.Item.Band == crawl.BandPage && !crawl.IsAgain(l.Item.Key) {
			via[l.Item.Via] = append(via[l.Item.Via], i)
		}
	}
	var updates []frontier.ScoreUpdate
	for url, of := range via {
		scores, err := known.of(j.judge.Load(), url, j.scores)
		if err != nil {
			return false, 0, 0, err
		}
		for _, i := range of {
			it := list[i].Item
			if s, ok := scores[it.Key]; ok && s != it.Score {
				it.Score = s
				updates = append(updates, frontier.ScoreUpdate{Item: it})
			}
		}
	}
	rep, err := j.r.Frontier().Update(ctx, updates)
	if err != nil {
		return false, 0, 0, err
	}
	return next != "", len(list), rep.Updated, j.keep(next)
}

// scores rates a page of the crawl anew and returns the scores of its links by key.
func (j *Judged) scores(url string) (map[string]float64, error) {
	u, err := canon.Parse(url)
	if err != nil {
		return nil, nil //nolint:nilerr // it was never fetched
	}
	p, err := j.recorded(u)
	if p == nil || err != nil {
		return nil, err
	}
	best, out := map[string]float64{}, map[string]float64{}
	for i, o := range j.judge.Load().Rate(p).Links {
		if to, err := canon.Parse(p.Links[i].URL); err == nil && o.Set {
			key := to.WithoutFragment().FrontierKey()
			if value, again := best[key]; !again || o.Value > value { // worth nothing is a score too
				best[key], out[key] = o.Value, j.scoreOf(to, relevance.Step(o.Value))
			}
		}
	}
	return out, nil
}

// recorded reads a page of the crawl from its record; nil if there is none to be read.
func (j *Judged) recorded(u canon.URL) (*relevance.Page, error) {
	key := u.WithoutFragment().FrontierKey()
	e, err := j.r.Frontier().Lookup(key)
	if err != nil || e.State != frontier.Done {
		return nil, err
	}
	at, ok := crawl.ParseLocation(e.Outcome.Record)
	if !ok {
		return nil, nil
	}
	rec, done, err := j.r.RecordAt(at.File, warc.Place{Offset: at.Offset, URI: u.String()})
	if err != nil {
		return nil, nil //nolint:nilerr // it is being written, or lies elsewhere: its links keep their scores
	}
	if rec.Type() == warc.TypeRevisit { // what an earlier crawl captured is not stored again
		_ = done() // nothing was read of it
		if rec, done, err = j.r.HeldAt(key); err != nil {
			return nil, nil //nolint:nilerr // nobody knows where it is
		}
	}
	defer done()
	h, err := rec.HTTP()
	if err != nil {
		return nil, nil //nolint:nilerr // no page
	}
	body, err := h.Content()
	if err != nil {
		return nil, nil //nolint:nilerr // it cannot be read, and could not when it came
	}
	defer body.Close()
	content, err := io.ReadAll(io.LimitReader(body, maxReread))
	if err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	var found []links.Link
	read, err := page.NewReader().Read(page.Input{URL: u.String(), MIME: h.Header.Get("Content-Type"), Body: content}, page.Want{Links: func(l links.Link) { found = append(found, l) }})
	if err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	return j.PageOf(u, &read.Info, found), nil
}

// Why explains the score of a URL.
type Why struct {
	URL     string           `json:"url"`
	State   string           `json:"state"`
	Score   float64          `json:"score"`           // with which it waits; of a page that was fetched its relevance
	Found   string           `json:"found,omitempty"` // of one that waits: the page whose link is explained
	Opinion bool             `json:"opinion"`         // somebody has one
	Modules []relevance.Said `json:"modules"`
}

// Why explains the score of a URL: of a page that was fetched by the page, of one that waits by the link on the page it was found on. Learned
// things count as they are now, so that a score of an earlier time may differ.
func (j *Judged) Why(url string) (w Why, err error) {
	u, err := canon.Parse(url)
	if err != nil {
		return w, err
	}
	u = u.WithoutFragment()
	e, err := j.r.Frontier().Lookup(u.FrontierKey())
	if err != nil {
		return w, err
	}
	w = Why{URL: u.String(), State: fmt.Sprint(e.State), Score: e.Item.Score, Modules: []relevance.Said{}}
	from, link := u, -1
	if e.State == frontier.Queued || e.State == frontier.InFlight {
		if from, err = canon.Parse(e.Item.Via); err != nil {
			return w, nil //nolint:nilerr // a seed: nothing led to it
		}
		w.Found = from.String()
	}
	p, err := j.recorded(from)
	if p == nil || err != nil {
		return w, err
	}
	if w.Found != "" {
		for i, l := range p.Links {
			if to, err := canon.Parse(l.URL); err == nil && to.WithoutFragment().FrontierKey() == u.FrontierKey() {
				link = i
				break
			}
		}
		if link < 0 {
			return w, nil
		}
	}
	total, said := j.judge.Load().Explain(p, link)
	w.Opinion, w.Modules = total.Set, said
	if w.Found == "" {
		w.Score = total.Value
	}
	return w, nil
}
