// Package guide is the stage of a crawl that says what comes first: links near a topic, by a scorer that is handed in, and the
// URLs below prefixes that people gave a priority, before the crawl or while it runs.
//
//	Score: what the links of a page are worth (crawl/priority); without a scorer all are worth the same
//	Admit: a URL below a prefix has the score of the longest one, whatever its link is worth
//
// Scores are in the queue, where they can be changed (Rerank); the order that follows from them is the frontier's.
package guide

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/priority"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/links"
)

// Stage gives URLs their scores.
type Stage struct {
	r    *crawl.Run
	list atomic.Pointer[[]crawl.Priority]
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Definer
} = (*Stage)(nil)

// New returns the stage with the priorities of a definition.
func New(def crawl.Definition) *Stage {
	s := &Stage{}
	s.Set(def.Priorities)
	return s
}

// Open takes the run.
func (s *Stage) Open(r *crawl.Run) error {
	s.r = r
	return nil
}

// Priorities returns those in force.
func (s *Stage) Priorities() []crawl.Priority { return *s.list.Load() }

// Set puts others in force. What is queued stays where it is.
func (s *Stage) Set(list []crawl.Priority) {
	list = slices.Clone(list)
	s.list.Store(&list)
}

// Define writes the priorities in force.
func (s *Stage) Define(def *crawl.Definition) { def.Priorities = s.Priorities() }

// Admit gives a URL that was found the score of the longest prefix it lies below.
func (s *Stage) Admit(a *crawl.Admission) {
	if a.Link != nil {
		a.Item.Score = s.scoreOf(a.URL, a.Item.Score)
	}
}

// Examine leaves answers as they are.
func (s *Stage) Examine(*crawl.Visit, *crawl.Answer) {}

// Settle notes nothing: priorities are in the definition.
func (s *Stage) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }

// scoreOf returns the score of a URL that was found: that of the longest prefix, if there is one.
func (s *Stage) scoreOf(u canon.URL, score float64) float64 {
	list := s.Priorities()
	best := -1
	for i, p := range list {
		if p.Covers(u) && (best < 0 || len(p.Prefix) > len(list[best].Prefix)) {
			best = i
		}
	}
	if best < 0 {
		return score
	}
	return list[best].Score
}

// maxReranked bounds the URLs of a queue that one Rerank looks at.
const maxReranked = 200_000

// Reranked is what came of a priority.
type Reranked struct {
	Priorities []crawl.Priority `json:"priorities"` // now in force
	Looked     int              `json:"looked"`     // URLs of the queue
	Changed    int              `json:"changed"`
	Whole      bool             `json:"whole"` // all of the queue was looked at
}

// Rerank gives the queued URLs below a prefix their score; lifted, that of other URLs.
func (s *Stage) Rerank(ctx context.Context, p crawl.Priority, lift bool) (rep Reranked, err error) {
	rep.Priorities = s.Priorities()
	host, _, _ := strings.Cut(p.Prefix, "/")
	done := map[string]bool{}
	for cursor := ""; ; {
		list, next, err := s.r.Frontier().List(host, cursor, 1000)
		if err != nil {
			return rep, err
		}
		var updates []frontier.ScoreUpdate
		for _, l := range list {
			u, err := canon.Parse(l.Item.URL)
			if err != nil || !p.Covers(u) || done[l.Item.Key] || crawl.IsAgain(l.Item.Key) {
				continue
			}
			done[l.Item.Key] = true
			score := p.Score
			if lift {
				score = s.scoreOf(u, crawl.PlainScore)
			}
			if score != l.Item.Score {
				l.Item.Score = score
				updates = append(updates, frontier.ScoreUpdate{Item: l.Item})
			}
		}
		rep.Looked += len(list)
		got, err := s.r.Frontier().Update(ctx, updates)
		rep.Changed += got.Updated
		if cursor = next; cursor == "" || err != nil || rep.Looked >= maxReranked {
			rep.Whole = cursor == ""
			return rep, err
		}
	}
}

// Topic is the stage with a scorer.
type Topic struct {
	Stage
	scorer priority.Scorer
}

var _ crawl.Scorer = (*Topic)(nil)

// NewTopic returns the stage of a crawl whose links are scored.
func NewTopic(def crawl.Definition, scorer priority.Scorer) *Topic {
	t := &Topic{scorer: scorer}
	t.Set(def.Priorities)
	return t
}

// Score says what a page and its links are worth. Without a word to go by there is no opinion.
func (t *Topic) Score(_ *crawl.Visit, page *links.Info, found []links.Link) (r crawl.Rating) {
	list := make([]priority.Link, len(found))
	for i, l := range found {
		list[i] = priority.Link{URL: l.URL, Anchor: l.Anchor, Around: l.Around}
	}
	text := page.Title + "\n" + page.Text
	rated := t.scorer.Rate(text, list)
	silent := strings.TrimSpace(text) == ""
	if !silent {
		r.Page = scope.Is(rated.Page)
	}
	for i, l := range list {
		score := scope.Is(rated.Links[i])
		score.Set = !silent || l.Anchor+l.Around != ""
		r.Links = append(r.Links, score)
	}
	return r
}
