package selection

import (
	"context"
	"errors"
	"io/fs"

	"varve"

	"varve/derive"
)

// State of a version in a selection.
type State string

// The states; Proposed and Below are undecided.
const (
	Included State = "included"
	Excluded State = "excluded"
	Proposed State = "proposed"
	Below    State = "below" // less relevant than the threshold
)

// Item is a version with its state.
type Item struct {
	Row
	State State `json:"state"`
}

// Counts are the items by state.
type Counts struct {
	Included int `json:"included"`
	Excluded int `json:"excluded"`
	Proposed int `json:"proposed"`
	Below    int `json:"below"`
	// Unlisted are pages that were decided on and are not in the table: Propose puts them there.
	Unlisted int `json:"unlisted"`
}

// ErrNotProposed tells that the table was not made yet.
var ErrNotProposed = errors.New("nothing was proposed yet")

// Each calls fn for the items of a selection that may be seen, the most relevant first, and counts them. fn may be nil; a false ends the calls, and
// the counting goes on.
func Each(ctx context.Context, dir, name string, may May, fn func(Item) (bool, error)) (*Selection, Counts, error) {
	var c Counts
	s, err := Read(dir, name)
	if err != nil {
		return nil, c, err
	}
	open := map[string]bool{}
	for surt := range s.decided {
		open[surt] = true
	}
	more := fn != nil
	err = derive.Rows(tableFile(dir, name), func(r *Row) (bool, error) {
		it := Item{*r, s.state(r)}
		delete(open, r.SURT)
		if !may.see(r.SURT, r.From) {
			return true, ctx.Err()
		}
		c.add(it.State)
		var err error
		if more {
			more, err = fn(it)
		}
		return true, errors.Join(err, ctx.Err())
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotProposed
	}
	if errors.Is(err, derive.ErrDamaged) {
		err = &varve.Error{Kind: varve.Unavailable, Op: "selection " + name, Err: err, Hint: "'varve select propose " + name + "' makes it anew; decisions stay"}
	}
	c.Unlisted = len(open)
	return s, c, err
}

func (s *Selection) state(r *Row) State {
	switch s.decision(r.SURT, r.From) {
	case Include:
		return Included
	case Exclude:
		return Excluded
	}
	if r.Relevance >= s.Threshold {
		return Proposed
	}
	return Below
}

func (c *Counts) add(s State) {
	switch s {
	case Included:
		c.Included++
	case Excluded:
		c.Excluded++
	case Proposed:
		c.Proposed++
	default:
		c.Below++
	}
}
