// Package evolution answers what screens and programs ask about words, names and phrases through time, from the tables that varve/evolution/stored keeps of each collection.
//
//	desk.go     which tables, and who may ask
//	terms.go    terms: how often, in which senses, beside which words, the graph of a year
//	names.go    names: what a thing was called before and since
//	phrases.go  phrases that begin to be used, with the texts that have them first
//
// The tables are made of all captures of a collection and cannot be taken apart again: a count does not tell which pages it is of. So where access rules withhold any part of a
// collection from whoever asks, nothing is told of it, as of its coherence (serve/withheld.go). What is derived from withheld pages would tell of them.
//
// Cost: a term is looked up in sorted tables; its paths need the senses of all years, which are read once and kept for as long as the tables stay the same.
package evolution

import (
	"context"
	"path/filepath"
	"sync"

	"varve"
	"varve/archive/catalog"
	"varve/evolution/stored"
	"varve/serve/access"
)

// Desk answers questions. It is for concurrent use.
type Desk struct {
	archive string
	rules   *access.Decisions // nil: nothing is withheld

	mu   sync.Mutex
	open map[string]*stored.Tables // of the collections that were asked about
}

// NewDesk makes the desk of an archive.
func NewDesk(archive string, rules *access.Decisions) *Desk {
	return &Desk{archive: archive, rules: rules, open: map[string]*stored.Tables{}}
}

// mostOpen is of how many collections tables are kept open.
const mostOpen = 16

// Tables returns those of a collection, if whoever asks may see all that they were made of.
func (d *Desk) Tables(ctx context.Context, collection string) (*stored.Tables, error) {
	col, err := catalog.Open(d.archive).Collection(collection)
	if err != nil {
		return nil, err
	}
	if err := d.refuse(ctx, collection); err != nil {
		return nil, err
	}
	now, err := stored.Open(stored.Dir(filepath.Join(col.Dir(), "derived")), stored.Default())
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.open[collection]; t != nil && t.Mark() == now.Mark() {
		return t, nil
	}
	if len(d.open) >= mostOpen {
		clear(d.open)
	}
	d.open[collection] = now
	return now, nil
}

// refuse returns an error where rules withhold a part of a collection from whoever asks.
func (d *Desk) refuse(ctx context.Context, collection string) error {
	if d.rules == nil {
		return nil
	}
	set, err := d.rules.InForce()
	if err != nil {
		return err
	}
	if set.Withholds(access.From(ctx), collection) {
		return &varve.Error{
			Kind: varve.Forbidden, Op: "words through time of " + collection, Msg: "access rules withhold a part of this collection, and counts of all its texts would tell of it",
			Hint: "'varve evolution' on the machine itself shows all of it; trends and searches count what you may see",
		}
	}
	return nil
}

func invalid(op, msg, hint string) error {
	return &varve.Error{Kind: varve.Invalid, Op: op, Msg: msg, Hint: hint}
}
