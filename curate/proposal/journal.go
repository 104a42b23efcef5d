package proposal

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/journal"
)

// Version is that of the lines that this package writes, and the latest that it reads.
const Version = 1

// Line is a line of labels/proposals.jsonl: a list for a planned crawl, or keys that were struck. The last list of a name is in force.
type Line struct {
	Version int       `json:"version"`
	Name    string    `json:"name"` // of the planned crawl
	List    *List     `json:"list,omitempty"`
	Struck  []string  `json:"struck,omitempty"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// File is the journal of a collection.
func File(col *catalog.Collection) string {
	return filepath.Join(col.Dir(), "labels", "proposals.jsonl")
}

// Keep adds a line; it is durable when Keep returns.
func Keep(col *catalog.Collection, l Line) error {
	if (l.List == nil) == (len(l.Struck) == 0) {
		return errors.New("a line has a list, or what was struck")
	}
	l.Version, l.At = Version, l.At.UTC().Truncate(time.Millisecond)
	if err := journal.Append(File(col), l); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "keep proposals for " + l.Name, Err: err, Hint: "see that the archive can be written to"}
	}
	return nil
}

// State is what was proposed for a planned crawl, and what was struck.
type State struct {
	List   List
	By     string
	At     time.Time // zero: nothing was ever proposed
	Struck []string  // keys, of any list
}

// Open returns what nobody has decided on: neither struck nor in the definition.
func (s *State) Open(in func(Proposal) bool) (out []Proposal) {
	out = []Proposal{}
	for _, p := range s.List.Items {
		if !slices.Contains(s.Struck, p.Key) && !in(p) {
			out = append(out, p)
		}
	}
	return out
}

// Find returns the proposal of a key.
func (s *State) Find(key string) (Proposal, bool) {
	i := slices.IndexFunc(s.List.Items, func(p Proposal) bool { return p.Key == key })
	if i < 0 {
		return Proposal{}, false
	}
	return s.List.Items[i], true
}

// Read returns what was proposed for a planned crawl. Lines that cannot be read are told of in the error, and the others count all the same.
func Read(col *catalog.Collection, name string) (s State, err error) {
	err = journal.Each(File(col), func(l Line) error {
		switch {
		case l.Version > Version:
			return fmt.Errorf("crawl %q: version %d is not known, a newer Varve wrote it", l.Name, l.Version)
		case l.Name != name:
		case l.List != nil:
			s.List, s.By, s.At = *l.List, l.By, l.At
		default:
			s.Struck = append(s.Struck, l.Struck...)
		}
		return nil
	})
	return s, err
}
