package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"varve/archive/store"
	"varve/archive/warc"
)

// Input is one file as a tool sees it. File is nil for a stream, which is read once from the start.
type Input struct {
	Name   string
	File   *warc.File
	Stream io.Reader

	bytes io.ReaderAt // what File reads from
	close io.Closer
}

// Open opens a file, or takes stdin for the name "-".
func Open(name string, stdin io.Reader) (*Input, error) {
	if name == "-" {
		return &Input{Name: "-", Stream: pipe{stdin}}, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return &Input{Name: name, Stream: pipe{f}, close: f}, nil
	}
	in, err := NewInput(name, f, info.Size())
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	in.close = f
	return in, nil
}

// OpenFrom opens a file of a collection, wherever it lies.
func OpenFrom(name string, from store.Source) (*Input, error) {
	if from == nil {
		return Open(name, nil)
	}
	o, err := from.Open()
	if err != nil {
		return nil, err
	}
	in, err := NewInput(name, o, o.Size())
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	in.close = o
	return in, nil
}

// NewInput makes an input of anything that can be read at offsets.
func NewInput(name string, src io.ReaderAt, size int64) (*Input, error) {
	f, err := warc.NewFile(name, src, size)
	if err != nil {
		return nil, err
	}
	return &Input{Name: name, File: f, bytes: src}, nil
}

// pipe hides that standard input may be able to seek: a stream is read once, forwards.
type pipe struct{ io.Reader }

// Size gives the number of packed bytes; -1 for a stream.
func (in *Input) Size() int64 {
	if in.File == nil {
		return -1
	}
	return in.File.Size()
}

// Close closes what Open opened.
func (in *Input) Close() error {
	if in.close == nil {
		return nil
	}
	return in.close.Close()
}

// reader gives a sequential reader from the start.
func (in *Input) reader(opts warc.Options) (*warc.Reader, error) {
	opts.Name = in.Name
	if in.File == nil {
		return warc.NewReader(in.Stream, opts)
	}
	return in.File.ReaderAt(0, opts)
}

// Progress is told how far a tool is: packed bytes done of all, -1 if all is not known.
type Progress func(name string, done, total int64)

func (p Progress) tell(in *Input, done int64) {
	if p != nil {
		p(in.Name, done, in.Size())
	}
}

// placed is a result with the offset it was found at, for progress.
type placed[T any] struct {
	value T
	at    int64
}

// walk reads all records of an input: each is called for every record, from several goroutines
// for packed files; emit gets the results in the order of the file, from one. It gives the packing.
func walk[T any](ctx context.Context, in *Input, opts warc.Options, workers int, progress Progress,
	each func(*warc.Record) (T, error), emit func(T) error,
) (warc.Compression, error) {
	r, err := in.reader(opts)
	if err != nil {
		return "", err
	}
	defer r.Close()
	kind := r.Compression()
	if kind == warc.Plain || in.File == nil || startsShared(in) {
		return kind, inSequence(ctx, in, r, progress, each, emit)
	}
	opts.Name = in.Name
	err = warc.Scan(ctx, in.File, opts, workers,
		func(rec *warc.Record) (placed[T], error) {
			v, err := each(rec)
			return placed[T]{v, rec.Offset}, err
		},
		func(p placed[T]) error {
			progress.tell(in, p.at)
			return emit(p.value)
		})
	return kind, err
}

// startsShared tells whether the first member holds several records. Such files cannot be cut into
// pieces, and Scan would hold all results of a piece that is the whole file.
func startsShared(in *Input) bool {
	r, err := in.reader(warc.Options{Policy: warc.Silent()})
	if err != nil {
		return false
	}
	defer r.Close()
	first, err := r.Next()
	if err != nil || first.Length() > 1<<20 {
		return false // not worth unpacking twice
	}
	at := first.Offset
	second, err := r.Next()
	return err == nil && second.Offset == at
}

func inSequence[T any](ctx context.Context, in *Input, r *warc.Reader, progress Progress, each func(*warc.Record) (T, error), emit func(T) error) error {
	for ctx.Err() == nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		progress.tell(in, rec.Offset)
		v, err := each(rec)
		if err != nil {
			return err
		}
		if err := emit(v); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// isCapture tells the records that stand for an answer of a server.
func isCapture(recordType string) bool { return warc.MayBeCapture(recordType) }
