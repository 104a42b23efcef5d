package entities

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/entity"
	"varve/entity/base"
	"varve/entity/consolidate"
	"varve/entity/dump"
	"varve/entity/emerging"
	"varve/web/canon"
)

// One is a thing that links of a collection call by several names.
type One struct {
	consolidate.Thing
	Entity string   `json:"entity,omitempty"` // of the base: that of the target's address, or else the only one that all of its names may mean
	Label  string   `json:"label,omitempty"`
	New    []string `json:"new,omitempty"`    // names that the base does not have for it yet
	Merges []string `json:"merges,omitempty"` // entries that no base knows and that are one thing by this, by their ids; the first stays
}

// Consolidation is what links of a collection say is one.
type Consolidation struct {
	Things []One `json:"things"`
	Beyond int   `json:"beyond"` // links by names that were not looked at

	survey *Survey
}

// Consolidate finds the names of a collection that are one thing, since links lead from both to the same address. Nothing is changed; what may not be seen counts for nothing.
func Consolidate(ctx context.Context, col *catalog.Collection, may May) (_ *Consolidation, err error) {
	s, err := Look(ctx, col, may)
	if err != nil {
		return nil, err
	}
	found, err := consolidate.Same(calls(ctx, filepath.Join(col.Dir(), "derived", "inlinks.parquet"), may), consolidate.Default())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "find links of " + col.Name, Msg: "there is no table of links yet", Hint: "run 'varve derive'"}
	}
	if err != nil {
		return nil, err
	}
	b, err := base.Open(base.OfCollection(col.Dir()))
	switch {
	case varve.KindOf(err) == varve.NotFound:
		b = nil
	case err != nil:
		return nil, err
	default:
		defer func() { err = errors.Join(err, b.Close()) }()
	}
	out := &Consolidation{Things: []One{}, Beyond: found.Beyond, survey: s}
	for _, t := range found.Things {
		one := One{Thing: t}
		if b != nil {
			if err := one.know(b); err != nil {
				return nil, err
			}
		}
		if one.Entity == "" {
			one.Merges = s.apart(t)
		}
		if one.Entity == "" && len(one.Merges) < 2 {
			continue // links call many things by two names: those are told that texts name, or the base knows
		}
		out.Things = append(out.Things, one)
	}
	return out, nil
}

// calls reads who links to what, and calls it how.
func calls(ctx context.Context, path string, may May) iter.Seq2[consolidate.Call, error] {
	return func(yield func(consolidate.Call, error) bool) {
		err := derive.Rows(path, func(l *derive.Inlink) (bool, error) {
			if may != nil && !may(canon.SURT(l.Source), l.First) {
				return true, ctx.Err()
			}
			return yield(consolidate.Call{Key: l.SURT, Target: l.Target, Page: l.Source, Name: l.Anchor, First: l.First, Last: l.Last}, nil), ctx.Err()
		})
		if err != nil {
			yield(consolidate.Call{}, err)
		}
	}
}

// know finds out which entity of the base the thing is.
func (o *One) know(b *base.Base) error {
	n, ok, err := b.Find(dump.ID(o.Target))
	if err == nil && !ok {
		n, ok, err = o.meant(b)
	}
	if err != nil || !ok {
		return err
	}
	e, err := b.Entity(n)
	if err != nil {
		return err
	}
	o.Entity, o.Label = e.ID, e.Title()
	for _, name := range o.Names {
		candidates, err := b.Candidates(name.Name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(candidates, func(c base.Candidate) bool { return c.Entity == n }) {
			o.New = append(o.New, name.Name)
		}
	}
	return nil
}

// meant returns the only entity that all names which the base has may mean.
func (o *One) meant(b *base.Base) (n uint32, ok bool, err error) {
	var common []uint32
	known := 0
	for _, name := range o.Names {
		candidates, err := b.Candidates(name.Name)
		if err != nil {
			return 0, false, err
		}
		if len(candidates) == 0 {
			continue
		}
		var list []uint32
		for _, c := range candidates {
			if known == 0 || slices.Contains(common, c.Entity) {
				list = append(list, c.Entity)
			}
		}
		common = list
		known++
	}
	if known == 0 || len(common) != 1 {
		return 0, false, nil
	}
	return common[0], true, nil
}

// apart returns the undecided entries that have one of a thing's names each.
func (s *Survey) apart(t consolidate.Thing) (ids []string) {
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.State != Open {
			continue
		}
		if slices.ContainsFunc(t.Names, func(n consolidate.Called) bool {
			return slices.ContainsFunc(e.Occurrences, func(o emerging.Occurrence) bool { return entity.Key(o.Name) == entity.Key(n.Name) })
		}) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// LinksName is the name of the source of a collection in its base that says what its links call entities.
func LinksName(collection string) string { return "links in " + collection }

// Accept keeps what is one: names of entities are told to the base, as a source of its own that is made anew each time; entries that no base knows are merged, each by a decision that can be read and undone.
func (c *Consolidation) Accept(ctx context.Context, by string, now time.Time) (names, merged int, err error) {
	for _, t := range c.Things {
		for _, id := range t.Merges[min(1, len(t.Merges)):] {
			if _, err := c.survey.Decide(ctx, Merge, id, t.Merges[0], by, now); err != nil {
				return names, merged, err
			}
			merged++
		}
	}
	in, err := base.OpenIntake(c.survey.folder)
	if err != nil {
		return names, merged, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	collection := c.survey.Collection.Name
	if err := in.Forget(LinksName(collection)); err != nil && varve.KindOf(err) != varve.NotFound {
		return names, merged, err
	}
	src, err := in.Source(base.Source{Name: LinksName(collection), Format: "links", Credit: "pages of this archive"})
	if err != nil {
		return names, merged, err
	}
	for _, t := range c.Things {
		if t.Entity == "" {
			continue
		}
		for _, n := range t.Names {
			src.Add(entity.Statement{Subject: t.Entity, Says: entity.HasAnchor, Text: n.Name, Count: int64(n.Pages)})
			names++
		}
	}
	if err := src.Finish(""); err != nil || names == 0 {
		return names, merged, err
	}
	_, err = in.Build(ctx, base.Options{})
	return names, merged, err
}
