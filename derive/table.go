package derive

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

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

// Rows calls each for every row of a table's file; it must not keep the row. A false ends it.
func Rows[T any](path string, each func(*T) (bool, error)) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	pf, err := parquet.OpenFile(f, info.Size()) // a reader would panic over a file that is no table
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r := parquet.NewGenericReader[T](pf)
	defer func() { err = errors.Join(err, r.Close()) }()
	rows := make([]T, 64)
	for {
		n, err := r.Read(rows)
		for i := range n {
			if more, err := each(&rows[i]); err != nil || !more {
				return err
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
