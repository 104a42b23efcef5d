package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrDamaged is that of a table or run that is not what was written.
var ErrDamaged = errors.New("the table is damaged")

// check reads every file that receipts tell of, and removes the receipts of those that are not what was written: their parts are
// done again. It returns the names of these files.
func (r *run) check() (damaged []string, err error) {
	err = eachReceipt(r.dir.state(), func(path string, rec Receipt) error {
		bad := false
		for _, f := range rec.Files {
			if err := r.dir.sound(f); errors.Is(err, ErrDamaged) {
				damaged, bad = append(damaged, f.Path), true
			} else if err != nil {
				return err
			}
		}
		if bad {
			return os.Remove(path)
		}
		return nil
	})
	return damaged, err
}

// eachReceipt calls do for all receipts below a folder; parts with one that cannot be read are done again anyway.
func eachReceipt(state string, do func(path string, rec Receipt) error) error {
	return filepath.WalkDir(state, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		if rec, ok := readReceipt(path); ok {
			return do(path, rec)
		}
		return nil
	})
}

// retry forgets what failed: the parts with failures or less than all of an item are done again, and their items tried again.
func (r *run) retry() error {
	err := eachReceipt(r.dir.state(), func(path string, rec Receipt) error {
		if rec.Failed+rec.Partial == 0 {
			return nil
		}
		return os.Remove(path)
	})
	return errors.Join(err, removeIfThere(FailuresFile(r.cfg.Dir)))
}

// sound reports whether a file is what its receipt says, by ErrDamaged if not.
func (d folder) sound(f Made) error {
	size, sum, err := measure(d.path(f.Path))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (size != f.Size || sum != f.SHA256) {
		return fmt.Errorf("%s: %w", f.Path, ErrDamaged)
	}
	return err
}
