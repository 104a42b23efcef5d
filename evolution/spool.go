package evolution

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Spool holds documents on disk by year, so that a year can be looked at without the others, and no more than one document is in memory.
type Spool struct {
	dir string
	out map[int]*bufio.Writer
	all []*os.File
}

// NewSpool returns an empty spool that puts its files into a folder, which must exist.
func NewSpool(dir string) *Spool { return &Spool{dir: dir, out: map[int]*bufio.Writer{}} }

func (s *Spool) file(year int) string { return filepath.Join(s.dir, fmt.Sprintf("%d.jsonl", year)) }

// Add takes a document.
func (s *Spool) Add(d *Document) error {
	w := s.out[d.Year]
	if w == nil {
		f, err := os.Create(s.file(d.Year))
		if err != nil {
			return err
		}
		s.all = append(s.all, f)
		w = bufio.NewWriterSize(f, 64<<10)
		s.out[d.Year] = w
	}
	return json.NewEncoder(w).Encode(d)
}

// Close ends the adding.
func (s *Spool) Close() (err error) {
	for _, w := range s.out {
		err = errors.Join(err, w.Flush())
	}
	for _, f := range s.all {
		err = errors.Join(err, f.Close())
	}
	s.all = nil
	return err
}

// Years returns those that documents were added of, in order.
func (s *Spool) Years() []int { return slices.Sorted(maps.Keys(s.out)) }

// Years returns the documents in the files of some years of a folder, year by year.
func Years(dir string, years ...int) Documents {
	s := NewSpool(dir)
	return func() iter.Seq2[*Document, error] {
		return func(yield func(*Document, error) bool) {
			for _, y := range years {
				if !read(s.file(y), yield) {
					return
				}
			}
		}
	}
}

// read yields the documents of a file and reports whether more are wanted.
func read(path string, yield func(*Document, error) bool) bool {
	f, err := os.Open(path)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReaderSize(f, 1<<20)); ; {
		doc := new(Document)
		if err := d.Decode(doc); errors.Is(err, io.EOF) {
			return true
		} else if err != nil {
			yield(nil, fmt.Errorf("%s: %w", path, err))
			return false
		}
		if !yield(doc, nil) {
			return false
		}
	}
}
