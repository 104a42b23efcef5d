package derive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"varve/derive/job"
	"varve/web/canon"
)

// maxInlinks bounds the rows of one target. Pages of other hosts come before those of its own.
const maxInlinks = 1000

// Inlink is one page that links to another, over all its captures.
type Inlink struct {
	SURT   string    `parquet:"surt,zstd,delta"` // index key of the target
	Target string    `parquet:"target,zstd"`     // as it was written first
	Source string    `parquet:"source,zstd"`
	Anchor string    `parquet:"anchor,zstd"`
	Other  bool      `parquet:"other_host"` // the page is of another host than the target
	First  time.Time `parquet:"first,timestamp(microsecond)"`
	Last   time.Time `parquet:"last,timestamp(microsecond)"`
	Times  int32     `parquet:"times"` // captures with the link
}

// inlinksJob turns the links round: a table by target.
//
//	map     link -> (index key of the target, source; first, last, times)
//	combine the same pair of pages
//	reduce  of each target: at most 1,000 pages, those of other hosts first
func inlinksJob() job.Job {
	return job.Job{Name: "inlinks", Version: 2, Needs: []string{"pages"}, Map: mapInlinks, Combine: combineInlinks, Reduce: reduceInlinks}
}

// inlinkValue is what a pair of pages has beside its key.
type inlinkValue struct {
	Target, Anchor string
	First, Last    time.Time
	Times          int32
}

func (v *inlinkValue) fields(c *coder) {
	c.text(&v.Target)
	c.text(&v.Anchor)
	c.time(&v.First)
	c.time(&v.Last)
	number(c, &v.Times)
}

// called is what of a Link says which page calls which other one how.
type called struct {
	Source string    `parquet:"source,dict,zstd"`
	Time   time.Time `parquet:"time,timestamp(microsecond),delta"`
	Target string    `parquet:"target,zstd"`
	Kind   string    `parquet:"kind,dict"`
	Hop    string    `parquet:"hop,dict"`
	Anchor string    `parquet:"anchor,zstd"`
}

func mapInlinks(_ context.Context, t *job.Task) error {
	source, own, at := "", "", time.Time{}
	seen := map[string]bool{} // targets of the page
	var value coder
	return Rows(t.Input("links"), func(l *called) (bool, error) {
		if l.Hop != "link" {
			return true, nil
		}
		if l.Source != source || !l.Time.Equal(at) {
			if l.Source != source {
				source = strings.Clone(l.Source)
				own = canon.SURT(source)
			}
			at = l.Time
			clear(seen)
		}
		u, err := canon.Parse(l.Target)
		if err != nil || !u.IsHTTP() {
			return true, nil
		}
		key := canon.SURT(l.Target)
		if key == "" || seen[key] || key == own {
			return true, nil
		}
		seen[key] = true
		value.b = value.b[:0]
		(&inlinkValue{l.Target, l.Anchor, l.Time, l.Time, 1}).fields(&value)
		return true, t.Emit([]byte(key+"\x00"+source), value.b)
	})
}

// combineInlinks makes one value of two of the same pair of pages.
func combineInlinks(_, a, b []byte) []byte {
	var x, y inlinkValue
	first, second := coder{b: a, reads: true}, coder{b: b, reads: true}
	x.fields(&first)
	if y.fields(&second); first.err != nil || second.err != nil {
		return a // we wrote them ourselves
	}
	var out coder
	x = addInlinks(x, y)
	x.fields(&out)
	return out.b
}

func addInlinks(a, b inlinkValue) inlinkValue {
	if b.First.Before(a.First) || b.First.Equal(a.First) && b.Target+b.Anchor < a.Target+a.Anchor {
		a.First, a.Target, a.Anchor = b.First, b.Target, b.Anchor
	}
	a.Last, a.Times = later(a.Last, b.Last), a.Times+b.Times
	return a
}

func reduceInlinks(ctx context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
	w, err := out.Create("inlinks")
	if err != nil {
		return err
	}
	rows := NewSortedTable[Inlink](w)
	g := inlinkGroup{rows: rows}
	for key, values := range groups {
		surt, source, _ := bytes.Cut(key, []byte{0})
		if string(surt) != g.surt {
			if err := errors.Join(g.flush(), ctx.Err()); err != nil {
				return err
			}
			g.surt = string(surt)
		}
		for v := range values {
			if err := g.add(string(source), v); err != nil {
				return fmt.Errorf("%s: %w", surt, err)
			}
		}
	}
	return errors.Join(g.flush(), rows.Close())
}

// inlinkGroup is the pages that link to one target.
type inlinkGroup struct {
	rows       *Table[Inlink]
	surt       string
	to         hostMemo // of the target, which is mostly written the same way
	other, own []Inlink
}

func (g *inlinkGroup) add(source string, value []byte) error {
	var v inlinkValue
	c := coder{b: value, reads: true}
	if v.fields(&c); c.err != nil {
		return c.err
	}
	l := Inlink{SURT: g.surt, Target: v.Target, Source: source, Anchor: v.Anchor, First: v.First, Last: v.Last, Times: v.Times}
	l.Other = hostOf(source) != g.to.of(v.Target)
	list := &g.own
	if l.Other {
		list = &g.other
	}
	if len(*list) < maxInlinks {
		*list = append(*list, l)
	}
	return nil
}

func (g *inlinkGroup) flush() error {
	left := maxInlinks
	for _, list := range [][]Inlink{g.other, g.own} {
		for i := range list[:min(left, len(list))] {
			if err := g.rows.Add(list[i], 200); err != nil {
				return err
			}
		}
		left = max(0, left-len(list))
	}
	g.other, g.own = g.other[:0], g.own[:0]
	return nil
}

// InlinksOf gives the pages that link to one with an index key, at most so many, from the table of inlinks. It reads the index of
// the table and one or two pages of it.
func InlinksOf(path, surt string, most int) (out []Inlink, err error) {
	err = RowsFrom(path, "surt", surt, func(l *Inlink) (bool, error) {
		if l.SURT > surt || len(out) == most {
			return false, nil
		}
		if l.SURT == surt {
			out = append(out, *l)
		}
		return true, nil
	})
	return out, err
}

// EachTarget goes through the table by target, and tells of each whether one of the links to it is such, and whether
// all of them were looked at: a target with as many pages as the table keeps may have more.
func EachTarget(path string, such func(*Inlink) bool, fn func(surt string, some, all bool)) error {
	type columns struct {
		SURT   string    `parquet:"surt,zstd,delta"`
		Source string    `parquet:"source,zstd"`
		First  time.Time `parquet:"first,timestamp(microsecond)"`
		Last   time.Time `parquet:"last,timestamp(microsecond)"`
	}
	now, n, some := "", 0, false
	err := Rows(path, func(l *columns) (bool, error) {
		if l.SURT != now {
			if n > 0 {
				fn(now, some, n < maxInlinks)
			}
			now, n, some = strings.Clone(l.SURT), 0, false
		}
		n++
		some = some || such(&Inlink{SURT: l.SURT, Source: l.Source, First: l.First, Last: l.Last})
		return true, nil
	})
	if n > 0 {
		fn(now, some, n < maxInlinks)
	}
	return err
}
