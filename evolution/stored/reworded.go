package stored

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"varve/derive/job"
	"varve/evolution"
	"varve/evolution/reformulate"
)

// Bounds of what is said otherwise.
const (
	minReworded  = 10   // texts of an era that have a term
	minComing    = 0.8  // by how much it must have become more frequent since the era before
	minAlike     = 0.1  // score of what is kept
	perReworded  = 3    // older terms of one
	mostReworded = 1000 // terms of an era, the most frequent; the others are counted
)

// mapReworded finds for the terms that come into use from one era to the next what was said in the one before (varve/evolution/reformulate). Two eras are in memory.
func (b *builder) mapReworded(ctx context.Context, t *job.Task) error {
	b.m.Dropped.Reworded = 0
	var rows []RewordedRow
	var then *reformulate.Era
	for _, span := range reformulate.Eras(b.years, b.cfg.Words.Years) {
		var in []int
		for _, y := range b.years {
			if y >= span[0] && y <= span[1] {
				in = append(in, y)
			}
		}
		now, err := reformulate.Read(stoppable(ctx, evolution.Years(b.spool, in...)), span[0], span[1], b.cfg.Words)
		if err != nil {
			return err
		}
		if then != nil && now.Texts > 0 && then.Texts > 0 {
			found, err := b.reworded(ctx, now, then)
			if err != nil {
				return err
			}
			rows = append(rows, found...)
		}
		then = now
	}
	slices.SortStableFunc(rows, func(a, b RewordedRow) int { return cmp.Or(cmp.Compare(a.Term, b.Term), cmp.Compare(a.Year, b.Year)) })
	return write(t, "reworded", rows)
}

// reworded compares two eras.
func (b *builder) reworded(ctx context.Context, now, then *reformulate.Era) (rows []RewordedRow, err error) {
	coming := slices.DeleteFunc(now.Known(), func(v string) bool {
		return now.Has(v) < minReworded || reformulate.Rise(v, now, then) < minComing
	})
	slices.SortStableFunc(coming, func(x, y string) int { return cmp.Compare(now.Has(y), now.Has(x)) })
	b.m.Dropped.Reworded += max(0, len(coming)-mostReworded)
	for _, v := range coming[:min(mostReworded, len(coming))] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list, _ := reformulate.Terms(v, now, then, perReworded)
		for i, c := range list {
			if c.Score >= minAlike {
				rows = append(rows, RewordedRow{v, int32(i), c.Term, int32(now.From), int32(then.From), int32(now.To), c.Score, c.Likeness, c.Fall, int32(now.Has(v)), int32(c.Texts), c.Shared})
			}
		}
	}
	return rows, nil
}

// Reworded returns what may have been said for a term before it came into use, the likeliest first. Tables of an older version have none.
func (t *Tables) Reworded(word string) (out []RewordedRow, err error) {
	rows, err := t.words()
	for i := range rows {
		if rows[i].Term == word {
			out = append(out, rows[i])
		}
	}
	slices.SortStableFunc(out, func(a, b RewordedRow) int { return cmp.Compare(b.Score, a.Score) })
	return out, err
}

func (t *Tables) readReworded() ([]RewordedRow, error) {
	rows, err := all(t.year("reworded", allYears), RewordedRow.own)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return rows, err
}

func (r RewordedRow) own() RewordedRow {
	r.Term, r.Old, r.Shared = strings.Clone(r.Term), strings.Clone(r.Old), cloned(r.Shared)
	return r
}
