package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"varve/archive/cdxj"
	"varve/archive/scan"
	"varve/archive/store"
	"varve/archive/warc"
)

// scanner reads sources side by side into one sorter.
type scanner struct {
	opts   *Options
	layers *readers
	mu     sync.Mutex // guards notes, and calls of Options
	notes  *cdxj.Sorter
	crawls []string // by source
	done   atomic.Int64
	total  int64
}

// scan reads all sources. Small files are read beside each other, large ones by pieces.
func (s *scanner) scan(ctx context.Context, sources []Source) error {
	for _, src := range sources {
		if info, err := store.Stat(src.Path, src.From); err == nil {
			s.total += info.Size
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(s.opts.Workers)
	for i, src := range sources {
		g.Go(func() error {
			if err := s.file(ctx, i, src); err != nil {
				return fmt.Errorf("read %s: %w", src.Path, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// file reads one source, or what is stored of it.
func (s *scanner) file(ctx context.Context, number int, src Source) (err error) {
	f, err := warc.OpenFrom(src.Path, src.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	defer s.progress(src.Path, f.Size())
	if s.opts.Stored != nil && !s.opts.Lazy && s.opts.MaxBody == DefaultMaxBody {
		if stored := s.opts.Stored(src.Path); stored != nil {
			return s.stored(ctx, number, src, stored)
		}
	}
	records := 0
	task := &scan.Task{
		Mapper: newMapper(config{s.opts.Lazy, s.opts.MaxBody}, s.layers),
		Sink: scan.SinkFunc(func(t *scan.Taken) error {
			records++
			if t.Err != nil {
				s.finding(Unread(t))
			}
			if n, ok := t.Result.(*note); ok {
				return s.take(number, src.Side, n)
			}
			return nil
		}),
	}
	tasks := []*scan.Task{task}
	var beside Sink
	if s.opts.Beside != nil {
		if beside, err = s.opts.Beside(src); err != nil {
			return err
		}
	}
	if beside != nil {
		tasks = append(tasks, &scan.Task{Sink: beside})
	}
	o := scan.Options{Name: src.Path, Cores: s.opts.Workers, Policy: warc.Lenient(), OnFinding: s.finding}
	err = scan.Run(ctx, f, o, tasks...)
	if err == nil && records == 0 {
		err = ErrNoRecords
	}
	if err == nil && beside != nil {
		err = beside.Close()
	}
	return err
}

// stored takes what was noted of a file before.
func (s *scanner) stored(ctx context.Context, number int, src Source, notes iter.Seq2[Stored, error]) error {
	for row, err := range notes {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if row.Finding != nil {
			s.finding(*row.Finding)
			continue
		}
		var n note
		if err := json.Unmarshal(row.Note, &n); err != nil {
			return fmt.Errorf("stored evidence: %w", err)
		}
		if err := s.take(number, src.Side, &n); err != nil {
			return err
		}
	}
	return nil
}

// Stored is one thing that is kept of a file: a note, or a finding of damage.
type Stored struct {
	Note    []byte // JSON
	Finding *warc.Finding
}

// Store makes what is kept of a record from the mapper's result; nil if that is nothing.
func Store(t *scan.Taken) ([]byte, error) {
	n, ok := t.Result.(*note)
	if !ok {
		return nil, nil
	}
	return json.Marshal(n)
}

// Unread is the finding of a record that could not be read within limits: it proves nothing, and that is told like damage.
func Unread(t *scan.Taken) warc.Finding {
	cause, _, _ := strings.Cut(t.Err.Error(), "\n")
	return warc.Finding{File: t.File, Offset: t.Offset, RecordID: t.ID, Class: warc.Damage, Rule: "unread", Message: "the content could not be read: " + cause}
}

// ErrNoRecords is returned for a file without a single readable record.
var ErrNoRecords = errors.New("no record in it")

func (s *scanner) finding(f warc.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.OnFinding(f)
}

// take puts a note among those of all sources.
func (s *scanner) take(number, side int, n *note) error {
	var line []byte
	if n.Kind != kindInfo {
		n.Capture.Place.File, n.Capture.Side = number, side
		var err error
		if line, err = n.line(n.key()); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Kind == kindInfo {
		if s.crawls[number] == "" {
			s.crawls[number] = n.Capture.Crawl
		}
		return nil
	}
	if len(line) > cdxj.MaxLine {
		return nil // an address of a megabyte is no page
	}
	return s.notes.Add(line)
}

func (s *scanner) progress(path string, size int64) {
	done := s.done.Add(size)
	if s.opts.Progress != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.opts.Progress(filepath.Base(path), done, s.total)
	}
}
