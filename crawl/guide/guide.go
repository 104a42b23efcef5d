// Package guide is the stage of a crawl that says what comes first: links near what it is about, by a judge (crawl/relevance), and the
// URLs below prefixes that people gave a priority, before the crawl or while it runs.
//
//	Score: what a page and its links are worth (Judged); without a judge all are worth the same
//	Admit: a URL below a prefix has the score of the longest one, whatever its link is worth
//	Settle: how relevant the pages were, over the whole crawl and over the last ones, kept with the commit
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
	"varve/web/canon"
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
