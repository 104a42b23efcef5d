package cdxj

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
)

// Limits of a Sorter.
const (
	DefaultSortMemory = 64 << 20 // bytes of lines that are held in memory
	minSortMemory     = 64 << 10
	lineCost          = 24 // bytes that a line costs beside its text
	maxFanIn          = 64 // runs that are merged at once
	runBuffer         = 64 << 10
)

// Sorter sorts any number of lines in bounded memory: it fills a buffer, sorts it, writes it to a
// run on disk, and merges the runs at the end. It is for one goroutine.
type Sorter struct {
	dir    string
	memory int
	text   []byte
	lines  [][]byte // slices of text
	used   int
	runs   []string
	unique bool
	done   bool
}

// SortOptions says how a Sorter works.
type SortOptions struct {
	Memory int  // bytes; 0 means DefaultSortMemory
	Unique bool // give equal lines once
}

// NewSorter makes a Sorter that puts its runs into dir, which must exist. The caller must call
// Close at the end; it removes them.
func NewSorter(dir string, o SortOptions) *Sorter {
	if o.Memory <= 0 {
		o.Memory = DefaultSortMemory
	}
	return &Sorter{dir: dir, memory: max(o.Memory, minSortMemory), unique: o.Unique}
}

// Add takes a line without its end. The line is copied.
func (s *Sorter) Add(line []byte) error {
	switch {
	case s.done:
		return errors.New("sort: line added after the end")
	case bytes.IndexByte(line, '\n') >= 0:
		return errors.New("sort: line holds a line end")
	case len(line) > MaxLine:
		return fmt.Errorf("sort: line longer than %d bytes", MaxLine)
	}
	if s.used > 0 && s.used+len(line)+lineCost > s.memory {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if cap(s.text)-len(s.text) < len(line) { // a new chunk; older lines keep the old one
		s.text = make([]byte, 0, max(len(line), min(s.memory/8, 1<<20)))
	}
	start := len(s.text)
	s.text = append(s.text, line...)
	s.lines = append(s.lines, s.text[start:len(s.text):len(s.text)])
	s.used += len(line) + lineCost
	return nil
}

// InMemory returns the bytes of the lines that were added, and whether all of them are in memory.
func (s *Sorter) InMemory() (size int, whole bool) {
	return s.used - len(s.lines)*lineCost, len(s.runs) == 0
}

// Sorted gives all lines in byte order. A line is valid until the next one; an error ends the
// sequence. Nothing can be added any more; the lines may be read again.
func (s *Sorter) Sorted() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s.done = true
		slices.SortFunc(s.lines, bytes.Compare)
		if err := s.reduce(); err != nil {
			yield(nil, err)
			return
		}
		m, err := openMerge(s.runs, s.lines)
		if err != nil {
			yield(nil, err)
			return
		}
		defer m.close()
		s.each(m, yield)
	}
}

// each gives the merged lines, equal ones once if so wished.
func (s *Sorter) each(m *merge, yield func([]byte, error) bool) {
	var last []byte
	first := true
	for {
		line, ok, err := m.next()
		if err != nil {
			yield(nil, err)
			return
		}
		if !ok {
			return
		}
		if s.unique {
			if !first && bytes.Equal(line, last) {
				continue
			}
			last, first = append(last[:0], line...), false
		}
		if !yield(line, nil) {
			return
		}
	}
}

// Close removes the runs.
func (s *Sorter) Close() error {
	var all error
	for _, name := range s.runs {
		all = errors.Join(all, os.Remove(name))
	}
	*s = Sorter{done: true}
	return all
}

// spill sorts the lines in memory into a new run.
func (s *Sorter) spill() error {
	slices.SortFunc(s.lines, bytes.Compare)
	name, err := s.writeRun(func(yield func([]byte, error) bool) {
		for _, l := range s.lines {
			if !yield(l, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	s.runs = append(s.runs, name)
	s.text, s.used = s.text[:0], 0
	clear(s.lines)
	s.lines = s.lines[:0]
	return nil
}

// reduce merges runs until few enough are left to be merged at once.
func (s *Sorter) reduce() error {
	for len(s.runs) > maxFanIn {
		batch := s.runs[:maxFanIn]
		m, err := openMerge(batch, nil)
		if err != nil {
			return err
		}
		name, err := s.writeRun(func(yield func([]byte, error) bool) { s.each(m, yield) })
		m.close()
		if err != nil {
			return err
		}
		for _, old := range batch {
			if err := os.Remove(old); err != nil {
				return fmt.Errorf("sort: %w", err)
			}
		}
		s.runs = append(slices.Clone(s.runs[maxFanIn:]), name)
	}
	return nil
}

// writeRun writes lines to a new file and gives its name; after an error the file is gone.
func (s *Sorter) writeRun(lines iter.Seq2[[]byte, error]) (name string, err error) {
	f, err := os.CreateTemp(s.dir, "sort-*.run")
	if err != nil {
		return "", fmt.Errorf("sort: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			_ = os.Remove(f.Name())
			err = fmt.Errorf("sort: write run: %w", err)
		}
	}()
	w := bufio.NewWriterSize(f, runBuffer)
	for line, err := range lines {
		if err != nil {
			return "", err
		}
		if _, err := w.Write(line); err != nil {
			return "", err
		}
		if err := w.WriteByte('\n'); err != nil {
			return "", err
		}
	}
	return f.Name(), w.Flush()
}
