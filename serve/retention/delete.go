package retention

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/whole"
	"varve/index/cdx"
	"varve/serve/access"
)

// Order is a deletion to be carried out.
type Order struct {
	Collection *catalog.Collection
	By         string
	// Forget takes what was told of the collection out of the knowledge base. nil: there is none.
	Forget func(ctx context.Context, collection string) error
	// Drop deletes the object of a file from the store of the archive. nil: it has none.
	Drop func(ctx context.Context, file string) error
}

// Deletion tells what was deleted, and what was not though its deletion was approved.
type Deletion struct {
	Deleted []Review  `json:"deleted"`
	Left    []Verdict `json:"left,omitempty"`
	Bytes   int64     `json:"bytes"`
}

// Delete carries out the deletions of a collection that are approved and whose day has come. In order, for each unit:
//
//	write down what is about to go, with the digests of its files
//	remove what was computed from it, so that nothing tells of it any more
//	remove its files, here and in the store, note that in the ledger, remove the folder of the crawl
//	write down that it is done
//
// A kill in between leaves a unit whose deletion was begun: the next order finishes it, unless a hold came between.
func (b *Book) Delete(ctx context.Context, o Order) (out *Deletion, err error) {
	lock, err := o.Collection.Lock("deletion by retention rules")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	s, err := b.State()
	if err != nil {
		return nil, err
	}
	if s.Unread != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "delete", Err: s.Unread, Hint: "these lines may be holds: nothing is deleted until they are mended"}
	}
	rest, err := b.finish(ctx, o, s)
	if err != nil {
		return nil, err
	}
	seen, err := Look(ctx, o.Collection, s)
	if err != nil {
		return nil, err
	}
	ready, left := Ready(seen.Units, seen.Needs, s, b.now())
	out = &Deletion{Deleted: rest, Left: left}
	if len(ready) > 0 {
		// What nobody recorded yet is recorded now, so that it is known what went.
		if _, err := fixity.Audit(ctx, o.Collection, fixity.Config{NewOnly: true, By: o.By, Now: b.now}); err != nil {
			return out, err
		}
	}
	for _, v := range ready {
		r, err := b.one(ctx, o, v, s)
		if err != nil {
			return out, err
		}
		out.Deleted = append(out.Deleted, r)
	}
	for _, r := range out.Deleted {
		out.Bytes += r.Counts.Bytes
	}
	if len(out.Deleted) == 0 {
		return out, nil
	}
	return out, reindex(ctx, o.Collection)
}

// one deletes a unit that was judged by some state.
func (b *Book) one(ctx context.Context, o Order, v Verdict, judged *State) (Review, error) {
	known, err := fixity.Known(o.Collection)
	if err != nil {
		return Review{}, err
	}
	files := slices.Clone(v.Files)
	for i := range files {
		files[i].SHA256 = known["warc/"+files[i].Name]
	}
	line := Line{Do: "deleting", Of: &v.UnitName, Files: files, Counts: &v.Counts, By: o.By, Reason: v.Approval.Reason}
	err = b.write(line, access.Entry{
		Did: "deletion begun", Collection: v.Collection, What: v.Unit.Unit, Detail: fmt.Sprintf("%d files, %d captures; approved by %s: %s", len(files), v.Captures, v.Approval.By, v.Approval.Reason),
	}, func(s *State) error {
		for _, h := range s.HoldsOn(v.Collection) {
			if _, before := judged.Hold(h.ID); !before { // it came while the index was read
				return &varve.Error{Kind: varve.Conflict, Op: "delete " + v.Unit.Unit, Msg: "a hold was added meanwhile: " + h.Matter, Hint: "look again: what it is not about can be deleted then"}
			}
		}
		return nil
	})
	if err != nil {
		return Review{}, err
	}
	r := line.review()
	return r, b.remove(ctx, o, &r)
}

// finish goes on with deletions that were broken off.
func (b *Book) finish(ctx context.Context, o Order, s *State) (out []Review, err error) {
	for _, r := range s.Gone {
		if !r.Done.IsZero() || r.Collection != o.Collection.Name {
			continue
		}
		for _, h := range s.HoldsOn(r.Collection) {
			if h.At.After(r.At) {
				return out, &varve.Error{
					Kind: varve.Conflict, Op: "finish the deletion of " + r.Unit, Msg: "a hold was added after it was broken off: " + h.Matter, Hint: "what is left of it stays until the hold is released",
				}
			}
		}
		if err := b.remove(ctx, o, &r); err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

// remove removes what a deletion names. What is gone already is no error.
func (b *Book) remove(ctx context.Context, o Order, r *Review) error {
	col := o.Collection
	if o.Forget != nil {
		if err := o.Forget(ctx, col.Name); err != nil {
			return err
		}
	}
	names := make([]string, len(r.Files))
	for i, f := range r.Files {
		names[i] = f.Name
	}
	if err := forgetDerived(col, names); err != nil {
		return err
	}
	for _, f := range r.Files {
		path := filepath.Join(col.WarcDir(), f.Name)
		if f.Name != filepath.Base(f.Name) || strings.HasPrefix(f.Name, ".") {
			return &varve.Error{Kind: varve.Internal, Op: "delete " + f.Name, Msg: "it is no name of a file"}
		}
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err := errors.Join(err, o.drop(ctx, f.Name)); err != nil {
			return &varve.Error{Kind: varve.Unavailable, Op: "delete " + f.Name, Err: err, Hint: "the next deletion goes on with it"}
		}
		_, err = fixity.Accept(ctx, col, "warc/"+f.Name, o.By, "deleted by retention: "+r.Reason, b.now())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := whole.SyncDir(col.WarcDir()); err != nil {
		return err
	}
	if ids, err := col.Crawls(); err != nil || slices.Contains(ids, r.Unit) {
		dir, dirErr := col.CrawlDir(r.Unit)
		if err := errors.Join(err, dirErr); err != nil {
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	r.Done = b.now().UTC().Truncate(time.Second)
	event := catalog.Event{Time: r.Done, Type: "deletion", Outcome: "success", By: o.By, Detail: fmt.Sprintf("%s: %d files, %d bytes: %s", r.Unit, len(names), r.Counts.Bytes, r.Reason), Objects: names}
	return errors.Join(col.Note(event), b.write(Line{Do: "deleted", Of: &r.UnitName, By: o.By}, access.Entry{
		Did: "deletion done", Collection: r.Collection, What: r.Unit, Detail: fmt.Sprintf("%d files, %d bytes", len(names), r.Counts.Bytes),
	}, nil))
}

// drop deletes the object of a file, if a store has one: the file here may have been a copy of it, or there was none here.
func (o *Order) drop(ctx context.Context, name string) error {
	if o.Drop != nil {
		return o.Drop(ctx, name)
	}
	objects, err := o.Collection.Objects()
	recalled, err2 := o.Collection.Recalled() // lies here again, but its object was not deleted yet
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	_, stored := objects[name]
	if _, still := recalled[name]; stored || still {
		return errors.New("it lies in a store, and nobody said how that is reached")
	}
	return nil
}

// forgetDerived removes what was computed from files, and what was computed from all files together; tables of the other files stay.
// The next run of derive finds that files are gone by their receipts, and makes what is missing.
func forgetDerived(col *catalog.Collection, names []string) error {
	all := []error{os.RemoveAll(col.HistoryDir()), os.RemoveAll(col.IndexDir("temporal")), os.RemoveAll(col.IndexDir("fulltext"))}
	dir := filepath.Join(col.Dir(), "derived")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(all...)
	}
	all = append(all, err)
	files, err := col.WARCs()
	all = append(all, err)
	gone := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(name, n+".") })
	}
	part := func(name string) bool {
		return slices.ContainsFunc(files, func(f catalog.File) bool { return strings.HasPrefix(name, f.Name+".") })
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == ".state":
			runs, err := filepath.Glob(filepath.Join(path, "*", "*.run"))
			all = append(all, err)
			for _, run := range runs {
				if gone(filepath.Base(run)) {
					all = append(all, os.Remove(run))
				}
			}
		case !e.IsDir() && strings.HasSuffix(e.Name(), ".model"): // what people taught
		case !e.IsDir():
			all = append(all, os.Remove(path))
		default:
			parts, err := os.ReadDir(path)
			all = append(all, err)
			if !slices.ContainsFunc(parts, func(p fs.DirEntry) bool { return part(p.Name()) || gone(p.Name()) }) {
				all = append(all, os.RemoveAll(path)) // of all files together: what is drawn, learned, counted
				continue
			}
			for _, p := range parts {
				if gone(p.Name()) {
					all = append(all, os.RemoveAll(filepath.Join(path, p.Name())))
				}
			}
		}
	}
	return errors.Join(all...)
}

// reindex takes the lines of files that are gone out of the index of captures.
func reindex(ctx context.Context, col *catalog.Collection) (err error) {
	b, err := cdx.NewBuilder(col.IndexDir("cdx"), cdx.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	files, err := col.Files()
	if err != nil {
		return err
	}
	list := make([]cdx.File, len(files))
	for i, f := range files {
		list[i] = cdx.File{Name: f.Name, Path: f.Path, Kind: cdx.Kind(f.Kind), From: f.From}
	}
	if _, err := b.Refresh(ctx, list); err != nil {
		return err
	}
	return b.Compact(ctx) // lines that are only passed over are still on the disk
}
