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
// came before it was emitted. Memory: results stream from a piece while it is read, so at most
// some thousands of them wait per piece, whatever the size of the file or its members.
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

	slots := make(chan *piece[T], workers+1) // pieces in flight, in order
	jobs := make(chan *piece[T])
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for p := range jobs {
				s.work(ctx, p)
			}
		})
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

// piece is a stretch of the file and what is found in it.
type piece[T any] struct {
	from, to int64             // the stretch
	begun    chan int64        // the start of the first member, or -1 if there is none
	found    chan []outcome[T] // closed at the end of the piece
	left     chan struct{}     // closed when nobody wants the piece any more

	// Set before found is closed.
	end int64 // where the next piece must start
	err error
}

// outcome is one thing to hand on, in order: a result or a finding.
type outcome[T any] struct {
	value   T
	finding *Finding
}

// Outcomes go from worker to join in batches; a piece of ordinary records fits into the channel.
const (
	batchSize   = 64
	batchesHeld = 64
)

// errLeft ends the reading of a piece that nobody wants.
var errLeft = errors.New("piece is not wanted")

// hand gives out the pieces in order. slots bounds how far the workers run ahead of join.
func (s *scan[T]) hand(ctx context.Context, pieces int64, jobs, slots chan<- *piece[T]) {
	defer close(slots)
	defer close(jobs)
	for k := range pieces {
		p := &piece[T]{
			from: k * s.size, to: min((k+1)*s.size, s.file.size),
			begun: make(chan int64, 1), found: make(chan []outcome[T], batchesHeld), left: make(chan struct{}),
		}
		for _, to := range []chan<- *piece[T]{slots, jobs} {
			select {
			case to <- p:
			case <-ctx.Done():
				return
			}
		}
	}
}

// work reads a piece from the first member found in it.
func (s *scan[T]) work(ctx context.Context, p *piece[T]) {
	defer close(p.found)
	start := int64(0)
	if p.from > 0 {
		start = s.findMember(p.from, p.to)
	}
	p.begun <- start
	if start < 0 {
		return
	}
	batch := make([]outcome[T], 0, batchSize)
	send := func() error {
		select {
		case p.found <- batch:
			batch = make([]outcome[T], 0, batchSize)
			return nil
		case <-p.left:
			return errLeft
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	end, err := s.read(ctx, start, p.to, func(o outcome[T]) error {
		if batch = append(batch, o); len(batch) == batchSize {
			return send()
		}
		return nil
	})
	if len(batch) > 0 {
		err = errors.Join(err, send())
	}
	p.end, p.err = end, err
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

// read reads records from the member at start to the first that starts at or behind to, and tells
// where that is.
func (s *scan[T]) read(ctx context.Context, start, to int64, out func(outcome[T]) error) (int64, error) {
	r, err := s.openAt(io.NewSectionReader(s.file.src, start, s.file.size-start), start)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var outErr error // of a finding, which the reader's callback cannot return
	r.opts.OnFinding = func(f Finding) { outErr = errors.Join(outErr, out(outcome[T]{finding: &f})) }
	for ctx.Err() == nil {
		if at, ok := r.boundary(); ok && at >= to && r.started {
			return at, nil
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return s.file.size, outErr
		}
		if err == nil {
			err = s.one(rec, out)
		}
		if err = errors.Join(outErr, err); err != nil {
			return 0, err
		}
	}
	return 0, ctx.Err()
}

func (s *scan[T]) one(rec *Record, out func(outcome[T]) error) error {
	v, err := s.each(rec)
	if err == nil {
		err = out(outcome[T]{value: v})
	}
	if err == nil {
		_, err = rec.Finish()
	}
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
func (s *scan[T]) join(ctx context.Context, slots <-chan *piece[T], emit func(T) error) error {
	at := int64(0) // where the next piece must start
	e := &emitter[T]{emit: emit, findings: s.opts.OnFinding}
	for p := range slots {
		start := int64(-1)
		select {
		case start = <-p.begun:
		case <-ctx.Done():
			return ctx.Err()
		}
		var err error
		switch {
		case at >= p.to && p.from > 0: // a large record of an earlier piece covers this one
			close(p.left)
		case start != at:
			close(p.left)
			at, err = s.read(ctx, at, p.to, e.one)
		default:
			at, err = e.all(p)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// emitter hands outcomes on.
type emitter[T any] struct {
	emit     func(T) error
	findings func(Finding)
	framing  bool // told that members do not follow records: once a file, like in sequence
}

func (e *emitter[T]) all(p *piece[T]) (int64, error) {
	for batch := range p.found {
		for _, o := range batch {
			if err := e.one(o); err != nil {
				return 0, err
			}
		}
	}
	return p.end, p.err
}

func (e *emitter[T]) one(o outcome[T]) error {
	if o.finding == nil {
		return e.emit(o.value)
	}
	if o.finding.Class == Framing && o.finding.Rule != RuleEmptyMember {
		if e.framing {
			return nil
		}
		e.framing = true
	}
	if e.findings != nil {
		e.findings(*o.finding)
	}
	return nil
}
