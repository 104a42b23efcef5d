// Package entities keeps what curators decide about things that no base knows (varve/entity/emerging): named otherwise, merged, promoted to an entity of the base, or dismissed.
//
// Decisions are lines of labels/entities.jsonl in the folder of the collection, append-only: originals. Clusters are made anew whenever they are asked for, and can then have other texts; so a decision names its
// cluster by a name in one text (its *anchor*), and is about whatever cluster has that. What was decided keeps the id that it had at the first decision, whatever texts come before it later.
//
//	promote   it becomes an entity: base.Intake gets its names, kind and keyphrases as statements of a source of its own, and the next derive links its names in all texts, also the older ones
//	dismiss   it is no thing of its own, and is not shown any more
//	merge     it is the same thing as another cluster
//	name      what to call it
package entities

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/journal"
	"varve/entity"
	"varve/entity/base"
	"varve/entity/emerging"
)

// Version is that of the lines that this package writes, and the latest that it reads.
const Version = 1

// Action is what is decided.
type Action string

// Actions.
const (
	Promote Action = "promote"
	Dismiss Action = "dismiss"
	Merge   Action = "merge"
	Name    Action = "name"
	Reopen  Action = "reopen" // neither promoted nor dismissed
)

// Anchor is a name in one text.
type Anchor struct {
	Key      string `json:"key"`
	Document string `json:"document"`
}

// Decision is a line of the journal.
type Decision struct {
	Version int       `json:"version"`
	Do      Action    `json:"do"`
	ID      string    `json:"id"` // that it keeps
	Anchor  Anchor    `json:"anchor"`
	Into    Anchor    `json:"into,omitzero"` // of a merge: where the other is found, and the id that it keeps
	IntoID  string    `json:"into_id,omitempty"`
	Label   string    `json:"label,omitempty"` // of a name
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// File is the journal of a collection, by its folder.
func File(dir string) string { return filepath.Join(dir, "labels", "entities.jsonl") }

// Read returns the decisions of a collection, in their order. Lines that cannot be read are told of in the error, and the others count all the same.
func Read(dir string) (out []Decision, err error) {
	err = journal.Each(File(dir), func(d Decision) error {
		switch {
		case d.Version > Version:
			return fmt.Errorf("decision about %s: version %d is not known, a newer Varve wrote it", d.ID, d.Version)
		case !slices.Contains([]Action{Promote, Dismiss, Merge, Name, Reopen}, d.Do) || d.ID == "" || d.Anchor.Key == "":
			return fmt.Errorf("decision about %q: it says neither what nor about whom", d.ID)
		}
		out = append(out, d)
		return nil
	})
	return out, err
}

// Keep adds a decision; it is durable when Keep returns.
func Keep(dir string, d Decision) error {
	d.Version, d.At = Version, d.At.UTC().Truncate(time.Millisecond)
	if err := journal.Append(File(dir), d); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "keep decision about " + d.ID, Err: err, Hint: "see that the archive can be written to"}
	}
	return nil
}

// State is what became of a cluster.
type State string

// States.
const (
	Open      State = "open"
	Promoted  State = "promoted"
	Dismissed State = "dismissed"
)

// Entry is a cluster with what was decided about it.
type Entry struct {
	emerging.Cluster
	State  State    `json:"state"`
	Merged []string `json:"merged,omitempty"` // ids that are the same
}

// Anchor returns by what the entry is found again.
func (e *Entry) Anchor() Anchor {
	o := e.Occurrences[0]
	return Anchor{entity.Key(o.Name), o.Document}
}

// Apply returns clusters with what was decided about them, in the order of clusters. Decisions about what is not there any more wait.
func Apply(clusters []emerging.Cluster, decisions []Decision) []Entry {
	entries := make([]Entry, len(clusters))
	at := map[Anchor]int{}
	for i, c := range clusters {
		entries[i] = Entry{Cluster: c, State: Open}
		for _, o := range c.Occurrences {
			at[Anchor{entity.Key(o.Name), o.Document}] = i
		}
	}
	into := make([]int, len(entries)) // where a merged one went
	for i := range into {
		into[i] = i
	}
	root := func(i int) int {
		for into[i] != i {
			i = into[i]
		}
		return i
	}
	known := make([]bool, len(entries)) // it has the id of a decision
	for _, d := range decisions {
		i, ok := at[d.Anchor]
		if !ok {
			continue
		}
		i = root(i)
		e := &entries[i]
		if !known[i] {
			e.ID, known[i] = d.ID, true
		}
		switch d.Do {
		case Promote:
			e.State = Promoted
		case Dismiss:
			e.State = Dismissed
		case Reopen:
			e.State = Open
		case Name:
			e.Name = d.Label
		case Merge:
			j, ok := at[d.Into]
			if j = root(j); !ok || j == i {
				continue
			}
			to := &entries[j]
			if !known[j] && d.IntoID != "" {
				to.ID, known[j] = d.IntoID, true
			}
			name, id := to.Name, to.ID
			to.Merged = append(append(to.Merged, e.ID), e.Merged...)
			to.Cluster = emerging.Join(to.Cluster, e.Cluster)
			to.Name, to.ID = name, id
			into[i] = j
		}
	}
	var out []Entry
	for i, e := range entries {
		if into[i] == i {
			out = append(out, e)
		}
	}
	return out
}

// Find returns the entry of an id, also one that it had before it was merged, or of a name that one entry alone has.
func Find(entries []Entry, what string) (*Entry, error) {
	var called []*Entry
	for i := range entries {
		e := &entries[i]
		if e.ID == what || slices.Contains(e.Merged, what) {
			return e, nil
		}
		if entity.Key(e.Name) == entity.Key(what) {
			called = append(called, e)
		}
	}
	switch len(called) {
	case 1:
		return called[0], nil
	case 0:
		return nil, &varve.Error{Kind: varve.NotFound, Op: "find " + what, Msg: "no cluster of names has this id or name", Hint: "'varve entity emerging --all' lists them"}
	}
	var ids []string
	for _, e := range called {
		ids = append(ids, e.ID)
	}
	return nil, &varve.Error{Kind: varve.Invalid, Op: "find " + what, Msg: fmt.Sprintf("%d are called so", len(called)), Hint: "name one by its id: " + strings.Join(ids, ", ")}
}

// Kind is what the base calls the type of its mentions.
func (e *Entry) Kind() string { return cmp.Or(kinds[e.Type], strings.ToLower(e.Type)) }

// kinds are what the base calls types of mentions.
var kinds = map[string]string{"PER": "person", "LOC": "place", "ORG": "organisation", "GROUP": "group", "EVENT": "event"}

// Statements returns what a base is told of a promoted entry.
func Statements(e *Entry) []entity.Statement {
	out := []entity.Statement{{Subject: e.ID, Says: entity.HasLabel, Text: e.Name}}
	add := func(s entity.Says, text string, count int) {
		out = append(out, entity.Statement{Subject: e.ID, Says: s, Text: text, Count: int64(count)})
	}
	for _, n := range e.Names {
		add(entity.HasAlias, n.Text, 1)
		add(entity.HasAnchor, n.Text, n.Count)
	}
	for _, id := range e.Merged {
		out = append(out, entity.Statement{Subject: id, Says: entity.SameAs, Text: e.ID})
	}
	add(entity.IsA, e.Kind(), 1)
	for _, t := range e.Types {
		add(entity.IsA, t.Text, 1)
	}
	for _, p := range slices.Concat(e.Phrases, e.With) {
		add(entity.HasPhrase, p, 1)
	}
	return out
}

// SourceName is the name of the source of a collection in its base.
func SourceName(collection string) string { return "promoted in " + collection }

// Tell makes the source of a collection in an intake anew, of all its promoted entries. The base is to be built after it.
func Tell(in *base.Intake, collection string, entries []Entry) error {
	if err := in.Forget(SourceName(collection)); err != nil && varve.KindOf(err) != varve.NotFound {
		return err
	}
	src, err := in.Source(base.Source{Name: SourceName(collection), Format: "promoted", Credit: "curators of this archive"})
	if err != nil {
		return err
	}
	for i := range entries {
		if entries[i].State == Promoted {
			for _, s := range Statements(&entries[i]) {
				src.Add(s)
			}
		}
	}
	return src.Finish("")
}
