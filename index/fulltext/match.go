package fulltext

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// matcher finds the documents of a shard that fit a query: sets of documents as bitmaps first, which
// costs nothing by document; places are read only for phrases, of documents that have all words and are
// allowed; how often a word is there is read only for scores of documents that fit.
type matcher struct {
	ctx     context.Context
	shard   *shard
	part    int // number of the shard in the search
	weights *weights
	allowed *roaring.Bitmap   // nil: all
	timely  func(uint32) bool // nil: any
	scored  bool
	// telling is set for words that stand beside rarer ones: those of a tenth of all documents and more must be
	// there then, but say nothing about which document is better, and reading how often they are there would cost the most.
	telling bool
	parts   []scorePart
	silent  int // depth of NOT: what stands there gives no score
}

// match gives the documents that fit. They may be more than the allowed ones, and must not be changed.
func (m *matcher) match(n Node) (*roaring.Bitmap, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case And:
		return m.all(n)
	case Or:
		var list []*roaring.Bitmap
		for _, x := range n {
			b, err := m.match(x)
			if err != nil {
				return nil, err
			}
			list = append(list, b)
		}
		return anyOf(list), nil
	case Not:
		m.silent++
		b, err := m.match(n.Node)
		m.silent--
		if err != nil {
			return nil, err
		}
		m.even(1)
		return roaring.Flip(b, 0, uint64(len(m.shard.cols.from))), nil
	case Words:
		return m.words(n)
	}
	return roaring.New(), nil
}

// all needs every part; words come before phrases and what must be missing, so that these look at few documents.
func (m *matcher) all(n And) (*roaring.Bitmap, error) {
	parts := slices.Clone(n)
	slices.SortStableFunc(parts, func(a, b Node) int { return effort(a) - effort(b) })
	before := m.allowed
	defer func() { m.allowed = before }()
	telling := m.weights.tells(n)
	var out *roaring.Bitmap
	for _, x := range parts {
		_, plain := x.(Words)
		m.telling = telling && plain
		b, err := m.match(x)
		m.telling = false
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = b
		} else {
			out = roaring.And(out, b)
		}
		if m.silent == 0 { // what is left is all that counts from here on
			m.allowed = out
			if before != nil {
				m.allowed = roaring.And(out, before)
			}
		}
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
	}
	return 2
}

// words looks for words in one field or in all of them.
func (m *matcher) words(w Words) (*roaring.Bitmap, error) {
	words := m.weights.words[w]
	if len(words) == 0 {
		return roaring.New(), nil // only punctuation: no page has such a word
	}
	var list []*roaring.Bitmap
	for _, f := range fieldsOf(w) {
		b, err := m.inField(w, words, f)
		if err != nil {
			return nil, err
		}
		if !b.IsEmpty() {
			list = append(list, b)
		}
	}
	return anyOf(list), nil
}

// anyOf gives the documents of all lists. It is faster than roaring.FastOr for the few lists, most of them short, that one word has.
func anyOf(list []*roaring.Bitmap) *roaring.Bitmap {
	if len(list) == 0 {
		return empty
	}
	out := list[0]
	for _, b := range list[1:] {
		out = roaring.Or(out, b)
	}
	return out
}

func fieldsOf(w Words) []string {
	if w.Field != "" {
		return []string{w.Field}
	}
	return Fields()
}

func (m *matcher) inField(w Words, words []string, field string) (*roaring.Bitmap, error) {
	switch {
	case len(words) == 1 && w.Prefix:
		b, err := m.prefix(field, words[0])
		m.add(scorePart{docs: b, even: boosts[field]})
		return b, err
	case len(words) == 1:
		list, b, err := m.postings(field, words[0])
		if err == nil && !b.IsEmpty() && !(m.telling && m.weights.of(field, words[0]).often) {
			m.add(scorePart{docs: b, list: list, weight: m.weights.of(field, words[0]).weight})
		}
		return b, err
	case w.Prefix: // "e-mail*": the words in a row; the last one may go on, anywhere
		head, err := m.close(words[:len(words)-1], field, 0)
		if err != nil || head.IsEmpty() {
			return head, err
		}
		tail, err := m.prefix(field, words[len(words)-1])
		if err != nil {
			return nil, err
		}
		return roaring.And(head, tail), nil
	}
	return m.close(words, field, w.Within)
}

// postings gives the documents with a word of the query.
func (m *matcher) postings(field, word string) (segment.PostingsList, *roaring.Bitmap, error) {
	if t := m.weights.of(field, word); t != none {
		return t.lists[m.part].list, t.lists[m.part].docs, nil
	}
	return m.shard.postings(&m.weights.spare, field, word)
}

// prefix gives the documents with a word that begins so.
func (m *matcher) prefix(field, start string) (*roaring.Bitmap, error) {
	dict, err := m.shard.dictionary(field)
	if err != nil {
		return nil, err
	}
	defer m.shard.giveBack(field, dict)
	var list []*roaring.Bitmap
	it := dict.AutomatonIterator(nil, []byte(start), after(start))
	for e, err := it.Next(); e != nil || err != nil; e, err = it.Next() {
		if err != nil {
			return nil, err
		}
		_, b, err := postingsOf(dict, &m.weights.spare, e.Term)
		if err != nil {
			return nil, err
		}
		if list = append(list, b); len(list) == 256 {
			list = append(list[:0], roaring.FastOr(list...))
			if err := m.ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	return roaring.FastOr(list...), nil
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
