package fixity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"varve/archive/catalog"
	"varve/archive/journal"
)

// Accept records that a file is right as it is now, whatever the ledger said: after a repair that was checked, or, where
// it is gone, when its removal was decided. Who and why are kept. The caller holds the collection's lock.
func Accept(ctx context.Context, col *catalog.Collection, file, by, why string, now time.Time) (Look, error) {
	l, err := readLedger(LedgerFile(col))
	if err != nil {
		return Look{}, err
	}
	if _, ok := l.files[file]; !ok {
		return Look{}, fmt.Errorf("the ledger of %s does not know %q: %w", col.Name, file, fs.ErrNotExist)
	}
	look := Look{Time: now, File: file, Outcome: Removed, Why: why, By: by}
	path, err := pathOf(col, file)
	if err != nil {
		return look, err
	}
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		a := &audit{report: &Report{}}
		look.Outcome = Accepted
		look.SHA256, _, look.Size, err = a.hash(ctx, f, task{})
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
	return look, writeManifest(ManifestFile(col), l)
}
