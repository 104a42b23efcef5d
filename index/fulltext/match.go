package fulltext

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"varve/derive"
)

// matcher finds the documents of a shard that fit a query: as sets first; places are read only for phrases, of documents that have all
// words and are allowed; how often a word is there is read only for scores of documents that fit.
type matcher struct {
	ctx     context.Context
	shard   *shard
	part    int // number of the shard in the search
	source  string
	weights *weights
	spare   *spare
	allowed set  // for which the answer matters; nil: all
	mixed   set  // whose anchors are not searched; nil: none
	time    *box // nil: any
	scored  bool
	// telling is set for words that stand beside rarer ones: those of a tenth of all documents and more must be
	// there then, but say nothing about which document is better, and reading how often they are there would cost the most.
	telling bool
	parts   []scorePart
	silent  int // depth of NOT: what stands there gives no score
}

func (m *matcher) docs() int { return m.shard.info.Docs }

// match gives the documents that fit, of those that are allowed; of others it tells nothing. The set is the caller's.
func (m *matcher) match(n Node) (set, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case And:
		return m.all(n)
	case Or:
		out := m.spare.set(m.docs())
		for _, x := range n {
			b, err := m.match(x)
			if err != nil {
				return nil, err
			}
			out.or(b)
			m.spare.free(b)
		}
		return out, nil
	case Not:
		out, err := m.missing(n)
		if err == nil {
			out.flip(m.docs())
		}
		return out, err
	case Words:
		return m.words(n)
	case Value:
		return m.value(n)
	case Number:
		return m.number(n)
	}
	return m.spare.set(m.docs()), nil
}

// missing gives the documents that have what must be missing.
func (m *matcher) missing(n Not) (set, error) {
	m.silent++
	out, err := m.match(n.Node)
	m.silent--
	m.even(1)
	return out, err
}

// all needs every part; words come before phrases and what must be missing, so that these look at few documents.
func (m *matcher) all(n And) (set, error) {
	parts := slices.Clone(n)
	slices.SortStableFunc(parts, func(a, b Node) int { return effort(a) - effort(b) })
	before := m.allowed
	defer func() { m.allowed = before }()
	telling := m.weights.tells(n)
	var out set
	for _, x := range parts {
		_, plain := x.(Words)
		m.telling = telling && plain
		var err error
		var b set
		not, must := x.(Not)
		if must = must && out != nil; must {
			b, err = m.missing(not)
		} else {
			b, err = m.match(x)
		}
		m.telling = false
		switch {
		case err != nil:
			return nil, err
		case out == nil:
			if out = b; before != nil {
				out.and(before)
			}
			m.allowed = out // what is left is all that counts from here on
			continue
		case must:
			out.andNot(b)
		default:
			out.and(b)
		}
		m.spare.free(b)
	}
	return out, nil
}

func effort(n Node) int {
	switch n := n.(type) {
	case Words:
		if len(n.Text) > 0 && !n.Prefix && n.Within == 0 {
			return 0
		}
		return 1
	case Not:
		return 3
	case Value, Number:
		return 0
	}
	return 2
}

// value finds the documents with a value of a facet.
func (m *matcher) value(n Value) (set, error) {
	out := m.spare.set(m.docs())
	if i := slices.Index(shardFacets, n.Facet); i >= 0 {
		f := &m.shard.cols.facets[i]
		for id, name := range f.names {
			if have, want := fold(name), fold(n.Text); have == want || n.Prefix && strings.HasPrefix(have, want) {
				if err := m.include(out, f.docs[id]); err != nil {
					return nil, err
				}
			}
		}
	} else if v := m.shard.facets.find(n.Facet); v != nil {
		from, to := v.alike(n.Text, n.Prefix)
		if err := v.with(from, to, nil, out); err != nil {
			return nil, err
		}
	} else if n.Facet == collectionFacet && fold(m.source) == fold(n.Text) {
		out.flip(m.docs())
	}
	return m.chosen(out), nil
}

// number finds the documents whose number about something compares so.
func (m *matcher) number(n Number) (set, error) {
	out := m.spare.set(m.docs())
	v := m.shard.facets.find(n.Facet)
	if v == nil || v.Kind != derive.FacetNumbers {
		return out, nil
	}
	about := Value{}
	if n.About != nil {
		about = *n.About
	}
	from, to := v.alike(about.Text, about.Prefix)
	if about.Prefix && from < to && len(v.written(from)) == 0 {
		from++ // whole documents are about nothing
	}
	err := v.with(from, to, n.accepts(), out)
	return m.chosen(out), err
}

// accepts returns the comparison, with the seven digits that an index holds of a number.
func (n *Number) accepts() func(float32) bool {
	than := float32(n.Than)
	switch n.Op {
	case "<":
		return func(x float32) bool { return x < than }
	case "<=":
		return func(x float32) bool { return x <= than }
	case ">":
		return func(x float32) bool { return x > than }
	case ">=":
		return func(x float32) bool { return x >= than }
	}
	return func(x float32) bool { return x == than }
}

// chosen gives documents that a facet chose the same score, so that links decide among them where no word does.
func (m *matcher) chosen(docs set) set {
	if m.scored && m.silent == 0 {
		own := m.spare.set(m.docs())
		copy(own, docs)
		m.add(scorePart{docs: own, even: 1})
	}
	return docs
}

// words looks for words in one field or in all of them.
func (m *matcher) words(w Words) (set, error) {
	out := m.spare.set(m.docs())
	words := m.weights.words[w]
	if len(words) == 0 {
		return out, nil // only punctuation: no page has such a word
	}
	for _, f := range fieldsOf(w) {
		in := m.inField
		if m.mixed != nil && f == "anchor" {
			in = m.inAnchors
		}
		if err := in(w, words, f, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inAnchors adds the documents that have the words in their anchors, and whose anchors may be searched.
func (m *matcher) inAnchors(w Words, words []string, field string, out set) error {
	found, scored := m.spare.set(m.docs()), len(m.parts)
	defer m.spare.free(found)
	if err := m.inField(w, words, field, found); err != nil {
		return err
	}
	for i := range m.parts[scored:] {
		m.parts[scored+i].without = m.mixed
	}
	found.andNot(m.mixed)
	out.or(found)
	return nil
}

// fieldsOf are the fields that words are looked for in; the list must not be changed.
func fieldsOf(w Words) []string {
	if w.Field != "" {
		n := fieldNumber(w.Field)
		return fields[n : n+1]
	}
	return fields[:]
}

// inField adds the documents that have the words in a field.
func (m *matcher) inField(w Words, words []string, field string, out set) error {
	switch {
	case len(words) == 1 && w.Prefix:
		b := m.spare.set(m.docs()) // the score needs it
		err := m.prefix(field, words[0], b)
		m.add(scorePart{docs: b, even: boosts[field]})
		out.or(b)
		return err
	case len(words) == 1:
		p, err := m.postings(field, words[0])
		if err != nil || p.docs.IsEmpty() {
			return err
		}
		if !(m.telling && m.weights.of(field, words[0]).often) {
			m.add(scorePart{list: p, term: term{field, words[0]}, weight: m.weights.of(field, words[0]).weight})
		}
		return m.include(out, p.docs)
	case w.Prefix: // "e-mail*": the words in a row; the last one may go on, anywhere
		head, tail := m.spare.set(m.docs()), m.spare.set(m.docs())
		defer m.spare.free(head, tail)
		if err := m.close(words[:len(words)-1], field, 0, head); err != nil {
			return err
		}
		if err := m.prefix(field, words[len(words)-1], tail); err != nil {
			return err
		}
		head.and(tail)
		out.or(head)
		return nil
	}
	return m.close(words, field, w.Within, out)
}

// include adds the documents of a bitmap.
func (m *matcher) include(out set, b *roaring.Bitmap) error {
	if b.GetCardinality() <= arrayMost {
		return out.add(b, nil)
	}
	other := m.spare.set(m.docs())
	defer m.spare.free(other)
	return out.add(b, other)
}

// postings gives the documents with a word of the query.
func (m *matcher) postings(field, word string) (postings, error) {
	if t := m.weights.of(field, word); t != none {
		return t.lists[m.part], nil
	}
	return m.shard.postings(m.spare, field, word)
}

// prefix adds the documents with a word that begins so.
func (m *matcher) prefix(field, start string, out set) error {
	dict, err := m.shard.dictionary(field)
	if err != nil {
		return err
	}
	defer m.shard.giveBack(field, dict)
	it := dict.AutomatonIterator(nil, []byte(start), after(start))
	used := m.spare.used
	for e, err := it.Next(); e != nil || err != nil; e, err = it.Next() {
		if err != nil {
			return err
		}
		p, err := postingsOf(dict, m.spare, e.Term)
		if err != nil {
			return err
		}
		m.spare.used = used // it is in the set, and not needed any more
		if err := errors.Join(m.include(out, p.docs), m.ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// after is the first word behind all that begin so; nil if there is none.
func after(start string) []byte {
	b := []byte(start)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xff {
			b[i]++
			return b[:i+1]
		}
	}
	return nil
}
