package triplestore

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/kb/sparql"
)

// scratch makes the temporary files of queries, beside the store: where that has room, they have.
type scratch struct {
	fs    vfs.FS
	dir   string
	files atomic.Int64
}

// Scratch returns where queries put what they cannot hold. Its files lose their names at once, so that nothing is left of
// them after a kill; what is, Open removes.
func (s *Store) Scratch() sparql.Scratch { return &s.scratch }

// scratchDir is the folder of the temporary files.
func scratchDir(fs vfs.FS, dir string) string { return fs.PathJoin(dir, "spill") }

// Create makes a file.
func (s *scratch) Create() (sparql.ScratchFile, error) {
	if err := s.fs.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	name := s.fs.PathJoin(s.dir, fmt.Sprint(s.files.Add(1)))
	f, err := s.fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	if err := s.fs.Remove(name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
