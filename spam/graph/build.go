package graph

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Builder takes edges in any order. What does not fit in its buffer goes to sorted runs in a folder: differences of edges as
// varints, some 3 bytes each. It is not for concurrent use.
type Builder struct {
	dir     string
	limit   int // edges held
	buf     []uint64
	runs    []string
	edges   int64
	highest uint32
	err     error
}

// NewBuilder makes a builder that spills into dir and holds at most limit edges of 8 bytes; 8 million if limit is 0.
func NewBuilder(dir string, limit int) *Builder {
	if limit <= 0 {
		limit = 8 << 20
	}
	return &Builder{dir: dir, limit: limit}
}

// Add takes an edge; loops are dropped. Errors of the disk come with Build.
func (b *Builder) Add(from, to uint32) {
	if from == to {
		return
	}
	b.highest = max(b.highest, from, to)
	b.buf = append(b.buf, uint64(from)<<32|uint64(to))
	if len(b.buf) >= b.limit {
		b.compact()
		if len(b.buf) > b.limit/2 {
			b.spill()
		}
	}
}

func (b *Builder) compact() {
	slices.Sort(b.buf)
	b.buf = slices.Compact(b.buf)
}

// spill writes the buffer, which is sorted, as a run.
func (b *Builder) spill() {
	if b.err != nil {
		b.buf = b.buf[:0]
		return
	}
	path := filepath.Join(b.dir, fmt.Sprintf("edges-%04d", len(b.runs)))
	b.err = writeRun(path, b.buf)
	b.runs = append(b.runs, path)
	b.edges += int64(len(b.buf))
	b.buf = b.buf[:0]
}

func writeRun(path string, edges []uint64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 256<<10)
	var one [binary.MaxVarintLen64]byte
	last := uint64(0)
	for _, e := range edges {
		if _, err := w.Write(one[:binary.PutUvarint(one[:], e-last)]); err != nil {
			return err
		}
		last = e
	}
	return w.Flush()
}

// Build makes the graph of nodes 0 to nodes-1 and removes the runs.
func (b *Builder) Build(nodes int) (g *Graph, err error) {
	b.compact()
	defer func() {
		for _, path := range b.runs {
			err = errors.Join(err, os.Remove(path))
		}
		b.buf, b.runs = nil, nil
	}()
	switch {
	case b.err != nil:
		return nil, b.err
	case len(b.buf)+len(b.runs) > 0 && int(b.highest) >= nodes:
		return nil, fmt.Errorf("an edge has the node %d, there are %d", b.highest, nodes)
	case len(b.runs) == 0:
		a := newAssembly(nodes, len(b.buf))
		for _, e := range b.buf {
			a.add(e)
		}
		return a.graph(), nil
	}
	b.spill()
	b.buf = nil // its memory is for the graph now
	if b.err != nil {
		return nil, b.err
	}
	return b.merge(nodes)
}

// merge brings the runs together.
func (b *Builder) merge(nodes int) (*Graph, error) {
	var heads runs
	defer func() {
		for _, r := range heads {
			_ = r.file.Close() // only after an error: those at their end are closed
		}
	}()
	for _, path := range b.runs {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		r := &run{file: f, in: bufio.NewReaderSize(f, 64<<10)}
		heads = append(heads, r)
		if err := r.next(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	heap.Init(&heads)
	a := newAssembly(nodes, int(b.edges)) // no more than these: twins in two runs count twice
	last := ^uint64(0)
	for len(heads) > 0 {
		r := heads[0]
		if r.edge != last {
			a.add(r.edge)
			last = r.edge
		}
		err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			if err := r.file.Close(); err != nil {
				return nil, err
			}
			heap.Pop(&heads)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", r.file.Name(), err)
		default:
			heap.Fix(&heads, 0)
		}
	}
	return a.graph(), nil
}

// run is a file of edges in order; edge is its head.
type run struct {
	file *os.File
	in   *bufio.Reader
	edge uint64
}

func (r *run) next() error {
	d, err := binary.ReadUvarint(r.in)
	r.edge += d
	return err
}

type runs []*run

func (h runs) Len() int           { return len(h) }
func (h runs) Less(i, j int) bool { return h[i].edge < h[j].edge }
func (h runs) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push and Pop are those of container/heap.
func (h *runs) Push(x any) { *h = append(*h, x.(*run)) }

// Pop takes the last away.
func (h *runs) Pop() any {
	old := *h
	r := old[len(old)-1]
	*h = old[:len(old)-1]
	return r
}
