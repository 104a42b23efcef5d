package warc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

// pieceSize is how much of a packed file one worker takes at a time.
const pieceSize = 4 << 20

// Scan reads all records of a file on several cores. each is called for every record, from
// several goroutines at once; its results, and the findings, are handed to emit and
// opts.OnFinding in the order of the file from one goroutine.
//
// How: the file is cut into pieces of 4 MiB. A worker looks in its piece for the first member
// that unpacks to a record, and reads on to the first member that starts behind the piece. The
// pieces are then joined in order: piece k counts only if it started exactly where piece k-1
// ended. If not (a member inside a payload fooled the search), it is read again from the right
// place. So the outcome is that of reading in sequence.
//
// A finding that the policy fails on ends the scan with that finding as the error, after all that
// came before it was emitted. Memory: the results of at most workers+2 pieces.
func Scan[T any](ctx context.Context, f *File, opts Options, workers int, each func(*Record) (T, error), emit func(T) error) error {
	if opts.Name == "" {
		opts.Name = f.name
	}
	s := &scan[T]{file: f, opts: opts, each: each, size: pieceSize, arc: f.arc}
	return s.run(ctx, workers, emit)
}

func (s *scan[T]) run(ctx context.Context, workers int, emit func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pieces := max(1, (s.file.size+s.size-1)/s.size)
	workers = max(1, min(workers, int(pieces)))

	slots := make(chan chan *piece[T], workers+1) // pieces in flight, in order
	jobs := make(chan *piece[T])
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { s.work(ctx, jobs) })
	}
	wg.Go(func() { s.hand(ctx, pieces, jobs, slots) })
	err := s.join(ctx, slots, emit)
	cancel()
	wg.Wait()
	return err
}

type scan[T any] struct {
	file *File
	opts Options
	each func(*Record) (T, error)
	size int64 // of a piece
	arc  bool  // the file is packed ARC
}

// piece is a stretch of the file and what was found in it.
type piece[T any] struct {
	from, to int64 // the stretch
	start    int64 // of the first member read; -1 if the piece has none
	end      int64 // where the next piece must start
	out      []outcome[T]
	err      error
	done     chan *piece[T]
}

// outcome is one thing to hand on, in order: a result or a finding.
type outcome[T any] struct {
	value   T
	finding *Finding
}

// hand gives out the pieces in order. slots bounds how far the workers run ahead of join.
func (s *scan[T]) hand(ctx context.Context, pieces int64, jobs chan<- *piece[T], slots chan<- chan *piece[T]) {
	defer close(slots)
	defer close(jobs)
	for k := range pieces {
		p := &piece[T]{from: k * s.size, to: min((k+1)*s.size, s.file.size), done: make(chan *piece[T], 1)}
		select {
		case slots <- p.done:
		case <-ctx.Done():
			return
		}
		select {
		case jobs <- p:
		case <-ctx.Done():
			return
		}
	}
}

func (s *scan[T]) work(ctx context.Context, jobs <-chan *piece[T]) {
	for p := range jobs {
		start := int64(0)
		if p.from > 0 {
			start = s.findMember(p.from, p.to)
		}
		s.read(ctx, p, start)
		p.done <- p
	}
}

// findMember looks for the first member in [from, to) that unpacks to a record; -1 if none.
func (s *scan[T]) findMember(from, to int64) int64 {
	src := io.NewSectionReader(s.file.src, from, s.file.size-from)
	// ReaderAt detects the packing by its first bytes, which here are the middle of a member.
	r, err := s.openAt(src, from)
	if err != nil {
		return -1
	}
	defer r.Close()
	r.win.memberAt = from - 1
	if r.kind == Plain || r.findMember() != nil {
		return -1
	}
	if at := r.win.in.offset(); at < to && at < s.file.size {
		return at
	}
	return -1
}

// openAt makes a reader in the middle of a file, with the packing of the file's start.
func (s *scan[T]) openAt(src io.Reader, offset int64) (*Reader, error) {
	r, err := newReaderAs(src, offset, s.file.kind, s.file.dict, s.opts)
	if err == nil && s.arc {
		r.arc = &arcDialect{version: 1}
	}
	return r, err
}

// isArc tells by the start of a file whether it is ARC.
func isArc(src io.ReaderAt) bool {
	sample := make([]byte, sampleSize)
	n, _ := src.ReadAt(sample, 0)
	if detect(sample[:n]) != Gzip {
		return bytes.HasPrefix(sample[:n], filedesc)
	}
	var head [160]byte
	n, _ = new(gunzip).trial(sample[:n], head[:])
	return bytes.HasPrefix(head[:n], filedesc)
}

// read reads the records of a piece, from the member at start to the first that starts at or
// behind p.to.
func (s *scan[T]) read(ctx context.Context, p *piece[T], start int64) {
	p.start, p.end, p.out, p.err = start, start, nil, nil
	if start < 0 {
		return
	}
	r, err := s.openAt(io.NewSectionReader(s.file.src, start, s.file.size-start), start)
	if err != nil {
		p.err = err
		return
	}
	defer r.Close()
	r.opts.OnFinding = func(f Finding) { p.out = append(p.out, outcome[T]{finding: &f}) }
	for ctx.Err() == nil {
		if at, ok := r.boundary(); ok && at >= p.to && r.started {
			p.end = at
			return
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			p.end = s.file.size
			return
		}
		if err == nil {
			err = s.one(p, rec)
		}
		if err != nil {
			p.err = err
			return
		}
	}
	p.err = ctx.Err()
}

func (s *scan[T]) one(p *piece[T], rec *Record) error {
	v, err := s.each(rec)
	if err != nil {
		return err
	}
	p.out = append(p.out, outcome[T]{value: v})
	_, err = rec.Finish()
	return err
}

// boundary tells whether the reader stands between two members, and where.
func (r *Reader) boundary() (int64, bool) {
	if r.active || r.win.open || len(r.win.bytes()) > 0 || r.kind == Plain {
		return 0, false
	}
	return r.win.in.offset(), true
}

// join hands on the pieces in order, and reads again those that started in the wrong place.
func (s *scan[T]) join(ctx context.Context, slots <-chan chan *piece[T], emit func(T) error) error {
	at := int64(0) // where the next piece must start
	framing := map[Rule]bool{}
	for done := range slots {
		var p *piece[T]
		select {
		case p = <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if at >= p.to && p.from > 0 {
			continue // a large record of an earlier piece covers this one
		}
		if p.start != at {
			s.read(ctx, p, at)
		}
		if err := s.emit(p, emit, framing); err != nil {
			return err
		}
		at = p.end
	}
	return ctx.Err()
}

// emit hands on one piece. Framing findings are told once a file, like in sequence.
func (s *scan[T]) emit(p *piece[T], emit func(T) error, framing map[Rule]bool) error {
	for _, o := range p.out {
		if o.finding == nil {
			if err := emit(o.value); err != nil {
				return err
			}
			continue
		}
		if o.finding.Class == Framing && o.finding.Rule != RuleEmptyMember {
			if framing[RuleSharedMember] {
				continue
			}
			framing[RuleSharedMember] = true
		}
		if s.opts.OnFinding != nil {
			s.opts.OnFinding(*o.finding)
		}
	}
	return p.err
}
