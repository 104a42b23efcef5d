// Package link says which entity of a base a name in a text means, with a confidence, and why; or that the base has none.
//
// The method is AIDA (Hoffart et al., Robust Disambiguation of Named Entities in Text, EMNLP 2011; seed 004, chapter 3.1), with what an archive knows beside: when the
// text was captured. For a mention m and a candidate e:
//
//	prior       p(e|m): how often links called m lead to e                                     prior.go
//	similarity  how many of the keyphrases of e stand near m, whole or in part                 similarity.go
//	existed     whether there was an e when the text was written                               prior.go
//	coherence   whether e goes with the entities that the other mentions mean                  coherence.go
//
// A decision:
//
//	local(m,e) = existed(e) * (alpha*prior + beta*similarity) / (alpha+beta)     if the best prior is at least 0.9; else without the prior
//	if prior and similarity agree (L1 distance of their distributions at most 0.9): the best by local is fixed
//	graph of mentions and candidates: local as weights between them, coherence between candidates   graph.go
//	dense subgraph in which each mention has one entity left
//	confidence of that one; below Settings.Nil it is NIL: the base does not have what is meant
//
// All is a pure function of text, day and base. Mentions of one name mean one thing in a text, and a part of a longer name there ("Merkel" beside "Angela Merkel") means what the longer one
// does. Cost grows with the keyphrases of all candidates, and with the square of the number of candidates where coherence is asked, which is bounded: at most 100 names and 600 candidates are asked together.
package link

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"varve/entity"
	"varve/entity/base"
	"varve/text/token"
)

// Base is what a decision needs of a base; *base.Base is one.
type Base interface {
	Candidates(name string) ([]base.Candidate, error)
	Entity(n uint32) (*entity.Entity, error)
	Inlinks(n uint32) ([]uint32, error)
	Word(w string) (entities, count int64, err error)
	Len() int        // number of entities
	Observed() int64 // words of keyphrases, as base.About counts them
}

// Settings are the weights of the terms and the bounds of the tests.
type Settings struct {
	Prior, Similarity, Coherence float64 // alpha, beta, gamma; they add up to 1
	Time                         bool    // whether the day of the text counts
	SurePrior                    float64 // the prior counts where its best is at least this
	Disagree                     float64 // coherence counts where prior and similarity differ by more than this (L1, between 0 and 2)
	Nil                          float64 // confidence below which the base does not have what is meant
	// Fits reports whether a candidate can be what a mention means by what kind of thing it is (varve/entity/kind); nil: nobody asked. A candidate that fits no mention of its name is left out, unless none would stay.
	Fits func(m Mention, e *entity.Entity) bool
}

// Default returns the settings that figures are measured with.
func Default() Settings {
	return Settings{Prior: 0.3, Similarity: 0.4, Coherence: 0.3, Time: true, SurePrior: 0.9, Disagree: 0.9, Nil: 0.1}
}

// Mention is a name in a text.
type Mention struct {
	Start, End int // bytes
}

// Decision is what a mention means.
type Decision struct {
	Mention
	Name       string      `json:"name"`
	Entity     string      `json:"entity,omitempty"` // id; "" if the base has none (NIL)
	Confidence float64     `json:"confidence"`       // of the entity, or of there being none
	Candidates []Candidate `json:"candidates,omitempty"`
	Sure       bool        `json:"sure_prior"` // the prior counted
	Agreed     bool        `json:"agreed"`     // prior and similarity agreed: coherence was not asked
}

// Candidate is why an entity was chosen, or not; the best stands first.
type Candidate struct {
	ID         string   `json:"id"`
	Label      string   `json:"label"`
	Prior      float64  `json:"prior"`
	Similarity float64  `json:"similarity"` // share among the candidates of the mention
	Existed    float64  `json:"existed"`
	Local      float64  `json:"local"`
	Coherence  float64  `json:"coherence"` // mean with what the other mentions mean
	Score      float64  `json:"score"`     // local and coherence
	Phrases    []string `json:"phrases,omitempty"`

	raw float64 // similarity before it is a share
}

// Link returns what the mentions of a text of a day mean, in their order.
func Link(ctx context.Context, b Base, text string, mentions []Mention, day entity.Day, s Settings) ([]Decision, error) {
	e, err := Gather(ctx, b, text, mentions, day)
	if err != nil {
		return nil, err
	}
	return e.Decide(ctx, s)
}

// Evidence is all that speaks for the candidates of the mentions of a text, before it is weighed.
type Evidence struct {
	base     Base
	text     string
	mentions []Mention
	subjects []*subject
}

// subject is what several mentions of a text mean: those of one name, and its shorter forms.
type subject struct {
	key      string
	mentions []int // places in the list of mentions
	at       []span
	nodes    []*node // candidates
	prior    []float64
	similar  []float64
	raw      []float64
	existed  []float64
	local    []float64
	phrases  [][]string
	sure     bool
	agreed   bool
	chosen   int
}

// span is a stretch of words.
type span struct{ from, to int }

// node is an entity that some subject may be.
type node struct {
	number  uint32
	entity  *entity.Entity
	profile *profile
	links   []uint32
	linked  bool // links were read
}

// Gather finds the candidates of the mentions of a text, and what speaks for each alone.
func Gather(ctx context.Context, b Base, text string, mentions []Mention, day entity.Day) (*Evidence, error) {
	w := newWords(text)
	e := &Evidence{base: b, text: text, mentions: mentions, subjects: subjects(text, w, mentions)}
	weights, nodes := newWeigher(b), map[uint32]*node{}
	for _, s := range e.subjects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.gather(s, w, weights, nodes, day); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Decide weighs the evidence.
func (e *Evidence) Decide(ctx context.Context, s Settings) ([]Decision, error) {
	list := make([]*subject, len(e.subjects))
	for i, one := range e.subjects {
		if list[i] = one.fitting(e.mentions, s.Fits); len(one.nodes) > 0 {
			list[i].weigh(s)
		}
	}
	out := make([]Decision, len(e.mentions))
	for some := range together(list) {
		g := newGraph(some, s, e.base)
		if err := g.solve(ctx); err != nil {
			return nil, err
		}
		for i, one := range some {
			d := decide(g, i, s)
			for _, m := range one.mentions {
				out[m] = d
			}
		}
	}
	for i, m := range e.mentions {
		out[i].Mention, out[i].Name = m, e.text[m.Start:m.End]
	}
	return out, nil
}

// mostTogether is how many subjects of a text are asked whether they go together: a text of 5,000 words has about as many. Longer ones, and lists of names, are cut
// into equal parts, in the order of first mentions.
const mostTogether = 100

func together(all []*subject) iter.Seq[[]*subject] {
	cuts := max(1, (len(all)+mostTogether-1)/mostTogether)
	return slices.Chunk(all, max(1, (len(all)+cuts-1)/cuts))
}

// subjects puts together the mentions that mean one thing.
func subjects(text string, w *words, mentions []Mention) []*subject {
	byKey := map[string]*subject{}
	var all []*subject
	for i, m := range mentions {
		key := entity.Key(text[m.Start:m.End])
		s := byKey[key]
		if s == nil {
			s = &subject{key: key}
			byKey[key] = s
			all = append(all, s)
		}
		s.mentions = append(s.mentions, i)
		s.at = append(s.at, w.span(m.Start, m.End))
	}
	parts := partsOf(all)
	out := make([]*subject, 0, len(all))
	for _, s := range all {
		if long := parts.longest(s); long != nil {
			long.mentions, long.at = append(long.mentions, s.mentions...), append(long.at, s.at...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// parts has, by the words that names begin or end with, the one name that does; nil where several do.
type parts map[string]*subject

func partsOf(all []*subject) parts {
	p := parts{}
	for _, s := range all {
		add := func(part string) {
			if other, ok := p[part]; ok && other != s {
				p[part] = nil
			} else if !ok {
				p[part] = s
			}
		}
		for i := range len(s.key) {
			if s.key[i] == ' ' {
				add(s.key[:i])
				add(s.key[i+1:])
			}
		}
	}
	return p
}

// longest returns the one longer name that begins or ends with the words of a name, or the one that this is in turn a part of; nil if there is none, or several.
func (p parts) longest(s *subject) (out *subject) {
	for long := p[s.key]; long != nil; long = p[long.key] {
		out = long
	}
	return out
}

// mostCandidates is how many candidates of a mention are looked at, the likeliest by prior.
const mostCandidates = 200

// gather fills in the candidates of a subject with what depends on no other subject.
func (e *Evidence) gather(s *subject, w *words, weights *weigher, nodes map[uint32]*node, day entity.Day) error {
	candidates, err := e.base.Candidates(s.key)
	if err != nil || len(candidates) == 0 {
		return err
	}
	popularity := make([]int64, len(candidates))
	list := make([]*node, len(candidates))
	for i, c := range candidates {
		n := nodes[c.Entity]
		if n == nil {
			known, err := e.base.Entity(c.Entity)
			if err != nil {
				return err
			}
			n = &node{number: c.Entity, entity: known}
			nodes[c.Entity] = n
		}
		list[i], popularity[i] = n, n.entity.Popularity
	}
	prior := Priors(candidates, popularity)
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(prior[b], prior[a]) })
	for _, i := range order[:min(len(order), mostCandidates)] {
		n := list[i]
		if n.profile == nil {
			if n.profile, err = weights.profile(n.entity); err != nil {
				return err
			}
		}
		raw, phrases := similarity(w, n.profile, s.at)
		s.nodes, s.prior, s.raw = append(s.nodes, n), append(s.prior, prior[i]), append(s.raw, raw)
		s.existed, s.phrases = append(s.existed, Existed(n.entity.Existence, day)), append(s.phrases, phrases)
	}
	normalise(s.prior)
	return nil
}

// fitting returns the subject with those candidates only that fit one of its mentions; the subject itself if none does, or all do.
func (s *subject) fitting(mentions []Mention, fits func(Mention, *entity.Entity) bool) *subject {
	if fits == nil || len(s.nodes) < 2 {
		return s
	}
	out := &subject{key: s.key, mentions: s.mentions, at: s.at}
	for i, n := range s.nodes {
		if slices.ContainsFunc(s.mentions, func(m int) bool { return fits(mentions[m], n.entity) }) {
			out.nodes, out.prior, out.raw = append(out.nodes, n), append(out.prior, s.prior[i]), append(out.raw, s.raw[i])
			out.existed, out.phrases = append(out.existed, s.existed[i]), append(out.phrases, s.phrases[i])
		}
	}
	if len(out.nodes) == 0 || len(out.nodes) == len(s.nodes) {
		return s
	}
	normalise(out.prior)
	return out
}

// weigh sets local, whether prior and similarity agree, and the best by local.
func (s *subject) weigh(o Settings) {
	s.similar = slices.Clone(s.raw)
	known := normalise(s.similar) && o.Similarity > 0
	s.sure = s.prior[0] >= o.SurePrior || !known
	alpha, beta := o.Prior, o.Similarity
	if !s.sure {
		alpha = 0
	}
	if !known {
		beta = 0
	}
	s.local = make([]float64, len(s.nodes))
	for i := range s.nodes {
		s.local[i] = alpha*s.prior[i] + beta*s.similar[i]
		if alpha+beta == 0 {
			s.local[i] = 1
		}
		if o.Time {
			s.local[i] *= s.existed[i]
		}
	}
	normalise(s.local)
	distance := 2.0 // where no phrase was met nothing agrees with the prior
	if known {
		distance = 0
		for i := range s.prior {
			distance += math.Abs(s.prior[i] - s.similar[i])
		}
	}
	s.agreed = len(s.nodes) == 1 || distance <= o.Disagree
	s.chosen = best(s.local)
}

// normalise makes values add up to 1; it reports whether there were any above 0, else they become equal.
func normalise(v []float64) bool {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for i := range v {
		if sum > 0 {
			v[i] /= sum
		} else {
			v[i] = 1 / float64(len(v))
		}
	}
	return sum > 0
}

// best returns the place of the largest value, the first of equal ones.
func best(v []float64) int {
	at := 0
	for i, x := range v {
		if x > v[at] {
			at = i
		}
	}
	return at
}

// Settings of the confidence.
const (
	halfSimilarity = 0.25 // similarity, before it is a share, that supports a candidate by half
	fullName       = 0.9  // support of a name of two words or more, or of a candidate that most links mean
	shortName      = 0.2  // of one word
)

// decide returns the decision of a subject, and why.
//
// The confidence is how far the chosen candidate is ahead, times how much speaks for it at all:
//
//	confidence = share * (1 - (1-f) * (1-s) * (1-c))
//	share      score of the chosen / sum of the scores of all candidates
//	f          how much the name alone says
//	s          similarity / (similarity + 1/4)
//	c          mean coherence with what the other mentions mean
//
// times existed: what did not exist then is not meant.
func decide(g *graph, i int, o Settings) Decision {
	s := g.subjects[i]
	d := Decision{Sure: s.sure, Agreed: s.agreed}
	if len(s.nodes) == 0 {
		d.Confidence = 1
		return d
	}
	total := 0.0
	for c, n := range s.nodes {
		coherence := g.coherenceWith(i, c)
		score := (1-o.Coherence)*s.local[c] + o.Coherence*coherence
		if s.agreed {
			score = s.local[c]
		}
		total += score
		d.Candidates = append(d.Candidates, Candidate{n.entity.ID, n.entity.Title(), s.prior[c], s.similar[c], s.existed[c], s.local[c], coherence, score, s.phrases[c], s.raw[c]})
	}
	chosen := d.Candidates[s.chosen]
	d.Candidates = slices.Delete(d.Candidates, s.chosen, s.chosen+1)
	slices.SortStableFunc(d.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	d.Candidates = slices.Insert(d.Candidates, 0, chosen)
	f := shortName
	if strings.Contains(s.key, " ") || chosen.Prior >= o.SurePrior && len(s.nodes) > 1 {
		f = fullName
	}
	support := 1 - (1-f)*(1-chosen.raw/(chosen.raw+halfSimilarity))*(1-chosen.Coherence)
	d.Confidence = chosen.Existed * support
	if total > 0 {
		d.Confidence *= chosen.Score / total
	}
	if d.Confidence < o.Nil {
		d.Confidence = 1 - d.Confidence
		return d
	}
	d.Entity = chosen.ID
	return d
}

// words are the words of a text, in lower case, and where each stands; acronyms also as they are written.
type words struct {
	text   []string
	start  []int
	places map[string][]int
}

func newWords(text string) *words {
	w := &words{places: map[string][]int{}}
	for t := range token.Words(text) {
		word := strings.ToLower(t.Text)
		w.places[word] = append(w.places[word], len(w.text))
		if acronym(t.Text) { // also as it is written
			w.places[t.Text] = append(w.places[t.Text], len(w.text))
		}
		w.text, w.start = append(w.text, word), append(w.start, t.Start)
	}
	return w
}

// span returns the words between two bytes.
func (w *words) span(start, end int) span {
	from, _ := slices.BinarySearch(w.start, start)
	to, _ := slices.BinarySearch(w.start, end)
	return span{from, max(from, to)}
}
