package cdx

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/cdxj"
)

// level is how hard blocks are packed: level 6 takes half as much time again and saves a twentieth.
const level = 1

// runWriter writes the files of a run. They count once a manifest names them.
type runWriter struct {
	fsys   vfs.FS
	dir    string
	info   runInfo
	table  *cdxj.TableWriter
	filter *filterBuilder
	files  []*outFile
	last   []byte // key of the last line
}

// outFile is a buffered file that knows its size and SHA-256.
type outFile struct {
	f    vfs.File
	buf  *bufio.Writer
	sum  hash.Hash // nil: not wanted
	size int64
}

// Write takes bytes.
func (o *outFile) Write(b []byte) (int, error) {
	o.size += int64(len(b))
	if o.sum != nil {
		o.sum.Write(b)
	}
	return o.buf.Write(b)
}

func (o *outFile) close() error { return errors.Join(o.buf.Flush(), o.f.Sync(), o.f.Close()) }

// writeRun writes sorted lines as run id. most bounds their number.
func writeRun(fsys vfs.FS, dir string, id uint64, most int64, sources []Source, lines iter.Seq2[[]byte, error]) (info runInfo, err error) {
	w := &runWriter{fsys: fsys, dir: dir, info: runInfo{ID: id}, filter: newFilterBuilder(most)}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write run %d: %w", id, err)
			w.abort()
		}
	}()
	if err := w.open(); err != nil {
		return info, err
	}
	for line, err := range lines {
		if err == nil {
			err = w.add(line)
		}
		if err != nil {
			return info, err
		}
	}
	return w.finish(sources)
}

func (w *runWriter) open() error {
	for _, ext := range []string{extData, extIdx, extFences} {
		f, err := w.fsys.Create(w.path(ext), vfs.WriteCategoryUnspecified)
		if err != nil {
			return err
		}
		w.files = append(w.files, &outFile{f: f, buf: bufio.NewWriterSize(f, 256<<10)})
	}
	w.files[2].sum = sha256.New()
	w.table = cdxj.NewTableWriter(w.files[0], w.files[1], w.files[2], cdxj.ZipOptions{Name: runName(w.info.ID, extData), Level: level})
	return nil
}

func (w *runWriter) path(ext string) string {
	return w.fsys.PathJoin(w.dir, runName(w.info.ID, ext))
}

// add writes a line and notes its key.
func (w *runWriter) add(line []byte) error {
	if err := w.table.WriteLine(line); err != nil {
		return err
	}
	key := line[:bytes.IndexByte(line, ' ')]
	if w.info.Lines > 0 && bytes.Equal(key, w.last) {
		w.info.Lines++
		return nil
	}
	if w.info.Lines == 0 {
		w.info.First = string(key)
	}
	w.last = append(w.last[:0], key...)
	w.filter.add(string(key))
	w.info.Lines++
	return nil
}

// finish makes all files durable and tells what they are.
func (w *runWriter) finish(sources []Source) (runInfo, error) {
	if err := w.table.Close(); err != nil {
		return w.info, err
	}
	w.info.Last = string(w.last)
	w.info.Data, w.info.Idx = w.files[0].size, w.files[1].size
	w.info.Fences = "sha256:" + hex.EncodeToString(w.files[2].sum.Sum(nil))
	for len(w.files) > 0 {
		if err := w.files[0].close(); err != nil {
			return w.info, err
		}
		w.files = w.files[1:]
	}
	if cells := w.filter.finish(); cells != nil {
		w.info.Filter = int64(len(cells))
		if err := writeFile(w.fsys, w.path(extFilter), cells); err != nil {
			return w.info, err
		}
	}
	text, err := encodeSources(sources)
	if err != nil {
		return w.info, err
	}
	w.info.Sources = sum(text)
	return w.info, writeFile(w.fsys, w.path(extSources), text)
}

// abort removes what was written.
func (w *runWriter) abort() {
	for _, f := range w.files {
		_ = f.f.Close()
	}
	removeRun(w.fsys, w.dir, w.info.ID)
}

// removeRun removes the files of a run, as far as they are there. What stays is removed by the next
// Builder.
func removeRun(fsys vfs.FS, dir string, id uint64) {
	for _, ext := range runFiles {
		_ = fsys.Remove(fsys.PathJoin(dir, runName(id, ext)))
	}
}

var _ io.Writer = (*outFile)(nil)
