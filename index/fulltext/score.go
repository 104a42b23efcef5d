package fulltext

import (
	"errors"
	"math"
)

// boosts are what a word is worth by where it stands.
var boosts = map[string]float64{"title": 3, "anchor": 2, "url": 1.5, "text": 1}

var errPostings = errors.New("the postings of a word do not fit its documents: the index is damaged")

// scorePart is what one part of a query gives to the scores of documents: by how often a word is there,
// as found before, or the same for all.
type scorePart struct {
	docs   set
	list   postings // of a word
	term   term
	weight float64
	found  foundBuffer // of a phrase
	even   float64

	without set // documents that it gives nothing to; nil: none
}

// gives tells whether the part gives something to a document.
func (p *scorePart) gives(doc uint32) bool { return p.without == nil || !p.without.has(doc) }

func (m *matcher) add(p scorePart) {
	if m.scored && m.silent == 0 {
		m.parts = append(m.parts, p)
	}
}

// even gives every document the same.
func (m *matcher) even(score float64) { m.add(scorePart{even: score}) }

// score sums up what the parts give to the documents that fit; hits are those.
func (m *matcher) score(hits *ordered, docs []uint32) ([]float64, error) {
	out := m.spare.zeros(len(docs))
	for _, p := range m.parts {
		switch {
		case p.list.docs != nil:
			if err := m.scoreWord(p, hits, docs, out); err != nil {
				return out, err
			}
		case p.found.docs != nil:
			for j, d := range p.found.docs {
				if hits.has(d) && p.gives(d) {
					out[hits.rank(d)] += p.found.scores[j]
				}
			}
		default:
			for i, d := range docs {
				if (p.docs == nil || p.docs.has(d)) && p.gives(d) {
					out[i] += p.even
				}
			}
		}
	}
	return out, nil
}

// scoreWord adds the score of a word: its weight times the root of how often it is there, by the root of the length. It goes through the documents
// with the word or those that fit, whichever are fewer.
func (m *matcher) scoreWord(p scorePart, hits *ordered, docs []uint32, out []float64) error {
	f, err := m.shard.often(p.term.field, p.term.word, p.list)
	if err != nil {
		return err
	}
	if f == nil {
		return m.scoreRare(p, hits, out)
	}
	if len(f.counts) <= 2*len(docs) {
		m.spare.all = arrayOf(p.list.docs, m.spare.all)
		for rank, d := range m.spare.all {
			if hits.has(d) && p.gives(d) {
				out[hits.rank(d)] += p.weight * rootOf(f, rank) * f.norm(d)
			}
		}
		return m.ctx.Err()
	}
	s := m.spare.set(m.docs())
	err = m.include(s, p.list.docs)
	with := m.spare.ordered(s)
	for i, d := range docs {
		if with.has(d) && p.gives(d) {
			out[i] += p.weight * rootOf(f, with.rank(d)) * f.norm(d)
		}
	}
	m.spare.freeOrdered(with)
	return errors.Join(err, m.ctx.Err())
}

// scoreRare reads how often a word is there from Bleve: few documents have it.
func (m *matcher) scoreRare(p scorePart, hits *ordered, out []float64) error {
	it := p.list.list.Iterator(true, true, false, m.spare.score)
	m.spare.score = it
	for n := 0; ; n++ {
		x, err := it.Next()
		if err != nil || x == nil {
			return err
		}
		if x.Number() >= uint64(m.docs()) {
			return errPostings
		}
		if d := uint32(x.Number()); hits.has(d) && p.gives(d) {
			out[hits.rank(d)] += p.weight * math.Sqrt(float64(x.Frequency())) * x.Norm()
		}
		if n%4096 == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
	}
}

// free gives back what the parts hold.
func (m *matcher) free() {
	for _, p := range m.parts {
		if p.docs != nil {
			m.spare.free(p.docs)
		}
		if p.found.docs != nil {
			m.spare.found = append(m.spare.found, p.found)
		}
	}
}

// roots are the square roots of counts.
var roots = func() (out [largeCount]float64) {
	for i := range out {
		out[i] = math.Sqrt(float64(i))
	}
	return out
}()

func rootOf(f *frequent, rank int) float64 {
	if c := f.counts[rank]; c < largeCount {
		return roots[c]
	}
	return math.Sqrt(float64(f.count(rank)))
}
