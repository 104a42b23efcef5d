package entities

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity/base"
	"varve/entity/emerging"
)

// May reports whether whoever asks may see a version, by the index key of its page and its capture.
type May func(surt string, at time.Time) bool

// Survey is the unknown names of a collection with what was decided about them.
type Survey struct {
	Collection *catalog.Collection
	Entries    []Entry
	Absent     int // files without a table of names
	Beyond     int // names in texts that were not looked at: there are too many
	Files      int

	looked *looked
	folder string // of the base
}

// Look reads the tables of a collection and puts together the names that its base does not know. What texts say that whoever asks may not see counts for nothing; nil: all may be seen.
func Look(ctx context.Context, col *catalog.Collection, may May) (*Survey, error) {
	return new(Surveys).Look(ctx, col, may)
}

// Look is as the function of this name, and reads nothing if nothing has changed since the last one.
func (k *Surveys) Look(ctx context.Context, col *catalog.Collection, may May) (*Survey, error) {
	if !hasNames(col) { // looking at each of thousands of files would say the same
		return nil, noNames(col)
	}
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	path := base.OfCollection(col.Dir())
	state, err := stateOf(files, filepath.Join(col.Dir(), "derived"), path)
	if err != nil {
		return nil, err
	}
	l := k.get(col.Dir(), state, may)
	if l == nil {
		if l, err = look(ctx, col, files, path, may); err != nil {
			return nil, err
		}
		l.collection, l.state = col.Dir(), state
		k.put(l)
	}
	if l.absent == l.files {
		return nil, noNames(col)
	}
	s := &Survey{Collection: col, Absent: l.absent, Beyond: l.beyond, Files: l.files, looked: l, folder: filepath.Dir(path)}
	decisions, err := Read(col.Dir())
	s.Entries = Apply(l.clusters, decisions)
	return s, err
}

// look reads the tables, by the base at a path if there is one.
func look(ctx context.Context, col *catalog.Collection, files []catalog.File, path string, may May) (_ *looked, err error) {
	names := annotate.UnknownNames{Dir: filepath.Join(col.Dir(), "derived")}
	if names.Parts, err = derive.Parts(files); err != nil {
		return nil, err
	}
	switch names.Linker, err = annotate.OpenLinker(path); {
	case varve.KindOf(err) == varve.NotFound:
		names.Linker = nil // every name is unknown
	case err != nil:
		return nil, err
	default:
		defer func() { err = errors.Join(err, names.Linker.Close()) }()
	}
	found, err := names.Occurrences(ctx)
	if err != nil {
		return nil, err
	}
	l, err := newLooked(ctx, found, may)
	if err != nil {
		return nil, err
	}
	l.absent, l.beyond, l.files = names.Absent, names.Beyond, len(names.Parts)
	return l, nil
}

// hasNames reports whether there are tables of names at all.
func hasNames(col *catalog.Collection) bool {
	for _, unit := range []string{"mentions", "entities"} {
		if _, err := os.Stat(filepath.Join(col.Dir(), "derived", unit)); err == nil {
			return true
		}
	}
	return false
}

func noNames(col *catalog.Collection) error {
	return &varve.Error{Kind: varve.NotFound, Op: "find names of " + col.Name, Msg: "there are no tables of names yet", Hint: "run 'varve derive --units mentions', or --units entities if there is a base"}
}

// Decide keeps a decision about an entry, by its id or name; with is the other entry of a merge, or a name. Where the base is concerned it is built anew.
func (s *Survey) Decide(ctx context.Context, do Action, what, with, by string, now time.Time) (Decision, error) {
	e, err := Find(s.Entries, what)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Do: do, ID: e.ID, Anchor: e.Anchor(), By: by, At: now}
	switch do {
	case Promote, Dismiss, Reopen:
	case Merge:
		to, err := Find(s.Entries, with)
		if err != nil {
			return d, err
		}
		if to == e {
			return d, &varve.Error{Kind: varve.Invalid, Op: "merge " + what, Msg: "both are the same already"}
		}
		d.Into, d.IntoID = to.Anchor(), to.ID
	case Name:
		if d.Label = strings.Join(strings.Fields(with), " "); d.Label == "" {
			return d, &varve.Error{Kind: varve.Invalid, Op: "name " + what, Msg: "a name is needed"}
		}
	default:
		return d, &varve.Error{Kind: varve.Invalid, Op: "decide about " + what, Msg: "there is nothing called so to do", Hint: "promote, dismiss, reopen, merge or name"}
	}
	if err := Keep(s.Collection.Dir(), d); err != nil {
		return d, err
	}
	if do == Promote || e.State == Promoted {
		return d, s.tell(ctx)
	}
	return d, nil
}

// tell builds the base anew with what is promoted now.
func (s *Survey) tell(ctx context.Context) (err error) {
	decisions, err := Read(s.Collection.Dir())
	if err != nil {
		return err
	}
	entries := Apply(s.looked.clusters, decisions)
	for i := range entries {
		if entries[i].State == Promoted {
			if err := annotate.TypeClusters(ctx, []*emerging.Cluster{&entries[i].Cluster}); err != nil {
				return err
			}
		}
	}
	in, err := base.OpenIntake(s.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := Tell(in, s.Collection.Name, entries); err != nil {
		return err
	}
	_, err = in.Build(ctx, base.Options{})
	return err
}
