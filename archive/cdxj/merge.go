package cdxj

import (
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
)

// merge gives the lines of sorted sources in order.
type merge struct {
	sources []*source // a heap by current line
	current *source   // whose line was given last
}

// source is a run on disk or the lines in memory.
type source struct {
	file  *os.File
	lines lineReader
	held  [][]byte
	line  []byte
}

// openMerge opens runs, and adds the lines in memory, which must be sorted.
func openMerge(runs []string, held [][]byte) (*merge, error) {
	m := &merge{}
	for _, name := range runs {
		f, err := os.Open(name)
		if err != nil {
			m.close()
			return nil, fmt.Errorf("sort: %w", err)
		}
		m.sources = append(m.sources, &source{file: f, lines: newLineReader(f)})
	}
	if len(held) > 0 {
		m.sources = append(m.sources, &source{held: held})
	}
	for i := 0; i < len(m.sources); {
		ok, err := m.sources[i].advance()
		if err != nil {
			m.close()
			return nil, err
		}
		if ok {
			i++
			continue
		}
		m.sources[i].close()
		m.sources = append(m.sources[:i], m.sources[i+1:]...)
	}
	heap.Init(m)
	return m, nil
}

// next gives the least line, valid until the next call; ok is false at the end.
func (m *merge) next() (line []byte, ok bool, err error) {
	if m.current != nil {
		more, err := m.current.advance()
		if err != nil {
			return nil, false, err
		}
		if more {
			heap.Fix(m, 0)
		} else {
			heap.Pop(m).(*source).close()
		}
		m.current = nil
	}
	if len(m.sources) == 0 {
		return nil, false, nil
	}
	m.current = m.sources[0]
	return m.current.line, true, nil
}

// close closes all files that are still open.
func (m *merge) close() {
	for _, s := range m.sources {
		s.close()
	}
	m.sources = nil
}

// advance goes to the next line; it answers false at the end.
func (s *source) advance() (bool, error) {
	if s.file == nil {
		if len(s.held) == 0 {
			return false, nil
		}
		s.line, s.held = s.held[0], s.held[1:]
		return true, nil
	}
	line, err := s.lines.exact()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("sort: read run %s: %w", s.file.Name(), err)
	}
	s.line = line
	return true, nil
}

func (s *source) close() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
}

// Len, Less, Swap, Push and Pop make merge a heap.

// Len gives the number of sources.
func (m *merge) Len() int { return len(m.sources) }

// Less compares the current lines of two sources.
func (m *merge) Less(i, j int) bool { return bytes.Compare(m.sources[i].line, m.sources[j].line) < 0 }

// Swap exchanges two sources.
func (m *merge) Swap(i, j int) { m.sources[i], m.sources[j] = m.sources[j], m.sources[i] }

// Push appends a source.
func (m *merge) Push(x any) { m.sources = append(m.sources, x.(*source)) }

// Pop removes the last source.
func (m *merge) Pop() any {
	last := m.sources[len(m.sources)-1]
	m.sources = m.sources[:len(m.sources)-1]
	return last
}
