package cdx

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// collapse folds neighbouring rows that agree in some fields into one.
type collapse struct {
	parts []collapsePart
	last  bool // keep the last row of a group, not the first
}

// collapsePart is a field, or its first n characters.
type collapsePart struct {
	field string
	n     int
}

// parseCollapse reads field or field:N.
func parseCollapse(s string, last bool) (collapse, error) {
	name, count, cut := strings.Cut(s, ":")
	field, err := fieldOf(name)
	if err != nil {
		return collapse{}, fmt.Errorf("collapse %q: %w", clip(s), err)
	}
	p := collapsePart{field: field}
	if cut {
		if p.n, err = strconv.Atoi(count); err != nil || p.n <= 0 {
			return collapse{}, fmt.Errorf("collapse %q: want field:number", clip(s))
		}
	}
	return collapse{parts: []collapsePart{p}, last: last}, nil
}

// collapseTime is pywb's: one row per stretch of time and status.
func collapseTime(n int) collapse {
	return collapse{parts: []collapsePart{{field: "urlkey"}, {field: "timestamp", n: n}, {field: "status"}}}
}

// token gives what neighbours are compared by.
func (c *collapse) token(r *row) string {
	var b strings.Builder
	for _, p := range c.parts {
		v, _ := r.value(p.field)
		if p.n > 0 && len(v) > p.n {
			v = v[:p.n]
		}
		b.WriteString(v)
		b.WriteByte(0)
	}
	return b.String()
}

// rows folds. A row is given when its group has ended, so that what was skipped is counted.
func (c collapse) rows(in iter.Seq2[row, error]) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var held row
		token, have := "", false
		for r, err := range in {
			if err != nil {
				if have && !yield(held, nil) {
					return
				}
				yield(row{}, err)
				return
			}
			now := c.token(&r)
			if have && now == token {
				held.absorb(&r, c.last)
				continue
			}
			if have && !yield(held, nil) {
				return
			}
			held, token, have = r, now, true
		}
		if have {
			yield(held, nil)
		}
	}
}

// absorb counts a row that collapses into r, or takes its place.
func (r *row) absorb(o *row, takeLast bool) {
	skipped, dupes := r.skipped+1+o.skipped, r.dupes
	last := o.Timestamp
	if o.last != "" {
		last = o.last
	}
	if takeLast {
		*r = *o
		r.dupes = dupes
	}
	r.skipped, r.last = skipped, last
	r.seq = o.seq // a query that is cut here goes on behind o
}

// maxVersions bounds the digests that are remembered for one URL.
const maxVersions = 10_000

// countDupes notes for each row how many earlier ones of its URL have the same digest.
func countDupes(in iter.Seq2[row, error]) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		key := ""
		seen := map[string]int{}
		for r, err := range in {
			if r.Key != key {
				key = r.Key
				clear(seen)
			}
			if err == nil && (len(seen) < maxVersions || seen[r.Digest] > 0) {
				r.dupes = seen[r.Digest]
				seen[r.Digest]++
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
