package triplestore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/kb/rdf"
	"varve/kb/sparql"
)

// Keep writes the store in dir anew with those graphs that are to be kept, and returns how many quads went. Nothing of the others stays: deleting quads leaves
// their terms in the dictionary, and the bytes on disk until they are compacted.
//
// The new store is made beside the old one and takes its place in two renames; a call that was killed is made good by the next one.
func Keep(ctx context.Context, fs vfs.FS, dir string, cfg Config, random *rand.Rand, log *slog.Logger, keep func(graph rdf.Term) bool) (gone int64, err error) {
	made, before := dir+".new", dir+".old"
	if _, err := fs.Stat(dir); err != nil {
		if err := fs.Rename(before, dir); err != nil {
			return 0, fmt.Errorf("write triple store %s anew: %w", dir, err)
		}
	}
	if err := errors.Join(fs.RemoveAll(made), fs.RemoveAll(before)); err != nil {
		return 0, err
	}
	old, err := Open(fs, dir, cfg, random, log)
	if err != nil {
		return 0, err
	}
	view := old.View()
	fresh, err := Open(fs, made, cfg, random, log)
	if err == nil {
		_, err = fresh.Load(ctx, func(string) iter.Seq2[rdf.Quad, error] {
			return func(yield func(rdf.Quad, error) bool) {
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
		return 0, errors.Join(err, fs.RemoveAll(made))
	}
	return gone, errors.Join(fs.Rename(dir, before), fs.Rename(made, dir), fs.RemoveAll(before))
}
