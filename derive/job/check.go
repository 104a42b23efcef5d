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
func (r *Runner) check() (damaged []string, err error) {
	state := filepath.Join(r.cfg.Dir, stateDir)
	err = filepath.WalkDir(state, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		rec, ok := readReceipt(path)
		if !ok {
			return nil // the part is done again anyway
		}
		bad := false
		for _, f := range rec.Files {
			if err := r.sound(f); errors.Is(err, ErrDamaged) {
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

// sound reports whether a file is what its receipt says, by ErrDamaged if not.
func (r *Runner) sound(f Made) error {
	size, sum, err := measure(filepath.Join(r.cfg.Dir, f.Path))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (size != f.Size || sum != f.SHA256) {
		return fmt.Errorf("%s: %w", f.Path, ErrDamaged)
	}
	return err
}
