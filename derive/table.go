package derive

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"varve"
	"varve/archive/scan"
	"varve/derive/job"
)

// groupBytes is about how much of a table is held in memory before it is written as a row group.
const groupBytes = 32 << 20

// Table writes rows to a Parquet file.
type Table[T any] struct {
	w    *parquet.GenericWriter[T]
	held int
	one  [1]T
}

// NewTable makes the part's file of a table.
func NewTable[T any](t *job.Task, name string) (*Table[T], error) {
	out, err := t.Create(name)
	if err != nil {
		return nil, err
	}
	return tableTo[T](out), nil
}

func tableTo[T any](out io.Writer, options ...parquet.WriterOption) *Table[T] {
	return &Table[T]{w: parquet.NewGenericWriter[T](out, append(options, parquet.CreatedBy("varve", "derive", "1"))...)}
}

// Add writes a row of about size bytes.
func (t *Table[T]) Add(row T, size int) error {
	t.one[0] = row
	if _, err := t.w.Write(t.one[:]); err != nil {
		return err
	}
	if t.held += size; t.held < groupBytes {
		return nil
	}
	t.held = 0
	return t.w.Flush()
}

// Close ends the file.
func (t *Table[T]) Close() error { return t.w.Close() }

// Into makes the Open of a job whose results become rows of one table, by row.
func Into[T any](name string, row func(t *scan.Taken) ([]T, error)) func(*job.Task) (job.Sink, error) {
	return func(t *job.Task) (job.Sink, error) {
		out, err := NewTable[T](t, name)
		return &tableSink[T]{out, row}, err
	}
}

type tableSink[T any] struct {
	*Table[T]
	row func(t *scan.Taken) ([]T, error)
}

// Take writes the rows of a record.
func (s *tableSink[T]) Take(t *scan.Taken) error {
	rows, err := s.row(t)
	for i := range rows {
		if err = errors.Join(err, s.Add(rows[i], 500)); err != nil {
			break
		}
	}
	return err
}

// Rows calls each for every row of a table's file; it must not keep the row. A false ends it. A table that is not what was
// written is an ErrDamaged.
func Rows[T any](path string, each func(*T) (bool, error)) (err error) {
	return readTable(path, func(pf *parquet.File) error { return rowsFrom(pf, 0, each) })
}

// ErrDamaged is that of a table that is not what was written.
var ErrDamaged = job.ErrDamaged

// ownError is of what is done with rows, not of the table.
type ownError struct{ error }

// readTable opens a table's file. All that goes wrong in it but an ownError is damage.
func readTable(path string, do func(*parquet.File) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var pf *parquet.File
	err = noPanic(func() (err error) { pf, err = parquet.OpenFile(f, info.Size()); return err })
	if err == nil {
		err = do(pf)
	}
	if own, ok := errors.AsType[ownError](err); ok {
		return own.error
	}
	if err != nil {
		err = &varve.Error{Kind: varve.Unavailable, Op: "read " + path, Err: fmt.Errorf("%w: %w", ErrDamaged, err), Hint: "'varve derive --check' makes damaged tables anew"}
	}
	return err
}

// noPanic makes an error of a panic: damaged files let the reader of Parquet panic.
func noPanic(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return do()
}

// rowsFrom calls each for the rows from one on.
func rowsFrom[T any](pf *parquet.File, row int64, each func(*T) (bool, error)) (err error) {
	var r *parquet.GenericReader[T]
	err = noPanic(func() error { r = parquet.NewGenericReader[T](pf); return nil })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if row > 0 {
		if err := noPanic(func() error { return r.SeekToRow(row) }); err != nil {
			return err
		}
	}
	rows := make([]T, 64)
	for {
		n := 0
		err := noPanic(func() (err error) { n, err = r.Read(rows); return err })
		for i := range n {
			if more, err := each(&rows[i]); err != nil {
				return ownError{err}
			} else if !more {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
