package fixity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"time"

	"varve/archive/catalog"
	"varve/archive/journal"
	"varve/archive/store"
)

// Accept records that a file is right as it is now, whatever the ledger said: after a repair that was checked, or, where
// it is gone, when its removal was decided. Who and why are kept. The ledger itself can be accepted when it has lost lines, once
// nothing is left that nobody knows: then new files are recorded again. The caller holds the collection's lock.
func Accept(ctx context.Context, col *catalog.Collection, file, by, why string, now time.Time) (Look, error) {
	l, err := readLedger(col)
	if err != nil {
		return Look{}, err
	}
	look := Look{Time: now, File: file, Outcome: Removed, Why: why, By: by}
	if file == ledgerName {
		look.Outcome = Accepted
		if err := l.settled(col); err != nil {
			return look, err
		}
		if err := journal.Append(LedgerFile(col), look); err != nil {
			return look, err
		}
		l.add(look)
		return look, writeManifest(ManifestFile(col), l, nil)
	}
	path, err := pathOf(col, file)
	if err != nil {
		return look, err
	}
	objects, err := Objects(col)
	if err != nil {
		return look, err
	}
	var f store.Object
	if err = fs.ErrNotExist; !outside(file, objects) {
		f, err = store.Open(path, sourceOf(file, objects))
	}
	if _, ok := l.files[file]; !ok && (err != nil || !l.hole) {
		if err == nil {
			f.Close()
		}
		return Look{}, fmt.Errorf("the ledger of %s does not know %q: %w", col.Name, file, fs.ErrNotExist)
	}
	if err == nil {
		defer f.Close()
		a := &audit{report: &Report{}}
		look.Outcome = Accepted
		look.SHA256, _, look.Size, err = a.hash(ctx, io.NewSectionReader(f, 0, math.MaxInt64), task{})
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return look, err
	}
	if err := journal.Append(LedgerFile(col), look); err != nil {
		return look, err
	}
	l.add(look)
	return look, writeManifest(ManifestFile(col), l, map[string]bool{file: true})
}

// settled tells which file keeps a damaged ledger from being accepted: one that is there and that neither the ledger nor a
// person speaks for.
func (l *ledger) settled(col *catalog.Collection) error {
	if !l.hole && len(l.bad) == 0 {
		return fmt.Errorf("the ledger of %s has lost nothing: %w", col.Name, fs.ErrNotExist)
	}
	for _, file := range slices.Sorted(maps.Keys(l.files)) {
		if l.files[file].digest == "" {
			return fmt.Errorf("%s of %s is still unknown: accept it first, or run 'varve audit'", file, col.Name)
		}
	}
	objects, err := Objects(col)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if l.files[o.File].digest == "" {
			return fmt.Errorf("%s of %s is still unknown: accept it first, or run 'varve audit'", o.File, col.Name)
		}
	}
	return nil
}
