package fulltext

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// Words longer than this are not looked for: nobody misspells them by one letter.
const maxSpelled = 40

// Spelled answers the function Spelled of embedded indexes.
//
// Cost: linear in the vocabulary; only words of nearly the same length are compared.
func (ix *Index) Spelled(ctx context.Context, sources []Source, word string, most int) ([]Count, error) {
	if err := embedded(sources); err != nil {
		return nil, err
	}
	want := []rune(strings.ToLower(word))
	if len(want) < 3 || len(want) > maxSpelled {
		return nil, nil
	}
	slips := 1
	if len(want) >= 6 {
		slips = 2
	}
	parts, done := reach(sources, &Query{})
	defer done()
	found := map[string]*spelling{}
	for _, p := range parts {
		if err := p.terms.load(); err != nil {
			return nil, err
		}
		if err := p.spelled(ctx, found, want, slips); err != nil {
			return nil, err
		}
	}
	list := make([]*spelling, 0, len(found))
	for _, s := range found {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *spelling) int {
		return cmp.Or(cmp.Compare(a.slips, b.slips), cmp.Compare(b.Count.Count, a.Count.Count), strings.Compare(a.Name, b.Name))
	})
	var out []Count
	for _, s := range list[:min(len(list), most)] {
		out = append(out, s.Count)
	}
	return out, nil
}

// spelling is a word that is written nearly as another.
type spelling struct {
	Count
	slips int
}

// spelled adds the words of a shard.
func (p *part) spelled(ctx context.Context, found map[string]*spelling, want []rune, slips int) error {
	var have []rune
	rows := newSlipRows(len(want))
	for i, w := range p.terms.words {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n := utf8.RuneCount(w); n < len(want)-slips || n > len(want)+slips {
			continue
		}
		have = append(have[:0], bytes.Runes(w)...)
		d := rows.between(have, want, slips)
		if d == 0 || d > slips {
			continue
		}
		s := found[string(w)]
		if s == nil {
			s = &spelling{Count: Count{Name: string(w)}, slips: d}
			found[s.Name] = s
		}
		s.Count.Count += int64(p.terms.df[i])
	}
	return nil
}

// slipRows are three rows of the table that counts slips: the present one and the two before it.
type slipRows [3][]int

func newSlipRows(n int) *slipRows {
	return &slipRows{make([]int, n+1), make([]int, n+1), make([]int, n+1)}
}

// between counts the slips between two words, or says most+1 as soon as there are more.
//
//	d(i,j) = min( d(i-1,j)+1, d(i,j-1)+1, d(i-1,j-1)+[a(i) != b(j)], d(i-2,j-2)+1 if two letters are exchanged )
func (r *slipRows) between(a, b []rune, most int) int {
	before, last, now := r[0], r[1], r[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d = 1 + min(d, last[j], now[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			now[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
