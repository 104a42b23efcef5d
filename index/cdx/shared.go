package cdx

import (
	"context"
	"errors"
	"sync"

	"varve/archive/cdxj"
	"varve/archive/scan"
	"varve/archive/warc"
)

// Shared is a Refresh whose files are scanned by somebody who reads them anyway: derive, for its tables. A Sink takes the captures of one
// file out of such a scan; Finish reads the files that nobody has. Its methods may be called from several goroutines.
type Shared struct {
	b   *Builder
	all []File
	due map[string]File // that nobody has read yet

	mu  sync.Mutex
	cur *batch
	rep Report
}

// sinkMemory is how many bytes of lines a Sink holds; the rest of a long file is sorted on disk.
const sinkMemory = 8 << 20

// Share begins a Refresh of the files of the collection, all of them. Nobody else can add to the index until Finish is called.
func (b *Builder) Share(files []File) (*Shared, error) {
	b.adding.Lock()
	s := &Shared{b: b, all: files, due: map[string]File{}, cur: b.newBatch(), rep: Report{Files: len(files)}}
	todo, err := b.plan(files, &s.rep)
	if err != nil {
		b.adding.Unlock()
		return nil, errors.Join(err, s.cur.sorter.Close())
	}
	for _, f := range todo {
		s.due[f.Name] = f
	}
	return s, nil
}

// Due reports whether the captures of a WARC file are wanted.
func (s *Shared) Due(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.due[name].Kind == KindWARC
}

// Sink takes the captures of a file that is due. One that is dropped leaves nothing behind.
func (s *Shared) Sink(name string) (*Sink, error) {
	s.mu.Lock()
	f := s.due[name]
	s.mu.Unlock()
	src, err := look(f)
	if err != nil {
		return nil, err
	}
	k := &Sink{shared: s, src: src, lines: cdxj.NewSorter(s.b.cfg.SortDir, cdxj.SortOptions{Memory: min(sinkMemory, s.b.cfg.SortMemory), Unique: true})}
	k.put = s.b.putting(f, &k.src, k.lines.Add)
	return k, nil
}

// Finish reads the files that are still due, writes what was taken, and tells what came of all.
func (s *Shared) Finish(ctx context.Context) (Report, error) {
	defer s.b.adding.Unlock()
	var todo []File
	for _, f := range s.all {
		if _, ok := s.due[f.Name]; ok {
			todo = append(todo, f)
		}
	}
	err := s.b.flush(s.cur)
	if err == nil {
		err = s.b.add(ctx, todo, s.all, &s.rep)
	}
	return s.rep, err
}

// Sink takes the captures of one file, in the order of a scan.
type Sink struct {
	shared *Shared
	src    Source
	lines  *cdxj.Sorter
	put    func(*cdxj.Record) error
}

// Take keeps the line of a capture.
func (k *Sink) Take(t *scan.Taken) error {
	if !t.Capture {
		return nil
	}
	line := t.Note.CDX // others have the note, too
	return k.put(&line)
}

// Finding counts damage.
func (k *Sink) Finding(f warc.Finding) {
	k.shared.mu.Lock()
	defer k.shared.mu.Unlock()
	k.shared.b.found(f, &k.src)
}

// Drop gives the file up, unless it was closed.
func (k *Sink) Drop() error { return k.lines.Close() }

// Close says that the file was read to its end: its captures are in the index with the next run.
func (k *Sink) Close() (err error) {
	s := k.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { err = errors.Join(err, k.lines.Close()) }()
	for line, err := range k.lines.Sorted() {
		if err == nil {
			err = s.cur.sorter.Add(line)
		}
		if err != nil {
			return err
		}
		s.cur.lines++
	}
	s.cur.sources = append(s.cur.sources, k.src)
	s.rep.added(&k.src)
	delete(s.due, k.src.Name)
	if s.cur.lines < s.b.cfg.BatchLines {
		return nil
	}
	full := s.cur
	s.cur = s.b.newBatch()
	return s.b.flush(full)
}
