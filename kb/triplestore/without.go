package triplestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// Keep writes the store in dir anew with those graphs that are to be kept, and returns how many quads went. Nothing of the others stays: deleting quads leaves
// their terms in the dictionary, and the bytes on disk until they are compacted.
//
// The new store is made beside the old one and takes its place in two renames, under the lock of the store; what a call that was killed left is made good by whoever takes the lock next.
func Keep(ctx context.Context, fs vfs.FS, dir string, cfg Config, random *rand.Rand, log *slog.Logger, keep func(graph rdf.Term) bool) (gone int64, err error) {
	lock, err := take(fs, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	old, err := open(fs, dir, cfg, random, log)
	if err != nil {
		return 0, err
	}
	view := old.View()
	fresh, err := open(fs, dir+made, cfg, random, log)
	if err == nil {
		_, err = fresh.Load(ctx, func(string) iter.Seq2[rdf.Quad, error] {
			return func(yield func(rdf.Quad, error) bool) {
				gone = 0 // Load may ask twice
				for q, err := range view.Quads(sparql.Pattern{}) {
					if err == nil && !keep(q.Graph) {
						gone++
						continue
					}
					if !yield(q, err) {
						return
					}
				}
			}
		})
		err = errors.Join(err, fresh.Close())
	}
	if err = errors.Join(err, view.Close(), old.Close()); err != nil {
		return 0, errors.Join(err, fs.RemoveAll(dir+made))
	}
	if err := fs.Rename(dir, dir+before); err != nil {
		return 0, err
	}
	if err := errors.Join(fs.Rename(dir+made, dir), syncDir(fs, fs.PathDir(dir))); err != nil {
		return 0, err
	}
	return gone, fs.RemoveAll(dir + before)
}

// What stands beside the folder of a store: its lock, and while Keep runs the new store, then the old one.
const (
	locked = ".lock"
	made   = ".new"
	before = ".old"
)

// Exists reports whether there is a store in dir, or one beside it that Open puts there.
func Exists(fs vfs.FS, dir string) bool { return there(fs, dir) || there(fs, dir+before) }

func there(fs vfs.FS, dir string) bool { _, err := fs.Stat(dir); return err == nil }

// take takes the lock of the store in dir until it is closed, and makes good what a Keep that was killed left. The lock lies beside the folder, which Keep renames.
func take(fs vfs.FS, dir string) (io.Closer, error) {
	if err := fs.MkdirAll(fs.PathDir(dir), 0o755); err != nil {
		return nil, err
	}
	lock, err := fs.Lock(dir + locked)
	if err != nil {
		return nil, opening(dir, err)
	}
	if !there(fs, dir) && there(fs, dir+before) {
		err = fs.Rename(dir+before, dir)
	}
	if err == nil {
		err = errors.Join(fs.RemoveAll(dir+made), fs.RemoveAll(dir+before))
	}
	if err != nil {
		return nil, errors.Join(opening(dir, err), lock.Close())
	}
	return lock, nil
}

// opening says why a store could not be opened.
func opening(dir string, err error) error {
	if strings.Contains(err.Error(), "resource temporarily unavailable") || strings.Contains(err.Error(), "held by current process") {
		return &varve.Error{Kind: varve.Conflict, Op: "open triple store " + dir, Msg: "another process has it open", Hint: "stop that process, or ask it"}
	}
	return fmt.Errorf("open triple store %s: %w", dir, err)
}

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
