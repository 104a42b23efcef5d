package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"varve/archive/cdxj"
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
		if info, err := os.Stat(src.Path); err == nil {
			s.total += info.Size()
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

// file reads one source.
func (s *scanner) file(ctx context.Context, number int, src Source) (err error) {
	f, err := warc.Open(src.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r := &reading{opts: s.opts, layers: s.layers, number: number, side: src.Side}
	opts := warc.Options{Name: src.Path, Policy: warc.Lenient(), OnFinding: func(f warc.Finding) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.opts.OnFinding(f)
	}}
	each := func(rec *warc.Record) (scanned, error) { return s.one(r, rec) }
	records := 0
	err = warc.Scan(ctx, f, opts, s.opts.Workers, each, func(got scanned) error {
		records++
		return s.take(number, src.Path, got)
	})
	if err == nil && records == 0 {
		err = ErrNoRecords
	}
	s.progress(src.Path, f.Size())
	return err
}

// ErrNoRecords is returned for a file without a single readable record.
var ErrNoRecords = errors.New("no record in it")

// scanned is what comes of one record.
type scanned struct {
	line  []byte
	crawl string
}

func (s *scanner) one(r *reading, rec *warc.Record) (scanned, error) {
	if rec.Type() == warc.TypeWarcinfo {
		return scanned{crawl: crawlOf(rec)}, nil
	}
	n, err := r.note(rec)
	if err != nil || n == nil {
		return scanned{}, err
	}
	line, err := n.line(n.key())
	if err != nil || len(line) > cdxj.MaxLine {
		return scanned{}, err // an address of a megabyte is no page
	}
	return scanned{line: line}, nil
}

func (s *scanner) take(number int, path string, got scanned) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got.crawl != "" && s.crawls[number] == "" {
		s.crawls[number] = got.crawl
	}
	if got.line == nil {
		return nil
	}
	return s.notes.Add(got.line)
}

func (s *scanner) progress(path string, size int64) {
	done := s.done.Add(size)
	if s.opts.Progress != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.opts.Progress(filepath.Base(path), done, s.total)
	}
}

// crawlOf reads which crawl a file belongs to.
func crawlOf(rec *warc.Record) string {
	b, err := io.ReadAll(io.LimitReader(rec.Block, maxFields))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "isPartOf") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
