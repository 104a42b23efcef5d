package sparql

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"

	"varve/kb/rdf"
)

// What a query must hold goes to disk before it is more than the query may: Options.Scratch has the files, and MaxDisk says
// how much they take.
//
//	ORDER BY   sorted runs, merged (rowSorter)
//	DISTINCT   solutions that are not among those in memory, in partitions by their hash; each is then freed of duplicates
//	           for itself, and what is left sorted back into the order in which it came
//	GROUP BY   solutions of groups that are not in memory, in partitions, which are grouped one after the other
//	joins      both sides in partitions by the variables they share; a table of quads is given up, for lookups
//
// A partition that is too large is divided again. In memory stay: terms that the query made, what DISTINCT and GROUP_CONCAT
// hold inside of an aggregate, nodes that a path has been at, triples of CONSTRUCT, joins without a shared variable and
// with one value that is too frequent.

// Scratch makes temporary files, which are gone when they are closed or the process ends.
type Scratch interface {
	Create() (ScratchFile, error)
}

// ScratchFile is written once from its beginning, and then read.
type ScratchFile interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// TempDir returns temporary files in a folder, which is made when it is needed. They have no names, so nothing is left of
// them after a kill.
func TempDir(dir string) Scratch { return tempDir(dir) }

type tempDir string

// Create makes a file.
func (d tempDir) Create() (ScratchFile, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(string(d), "spill")
	if err != nil {
		return nil, err
	}
	t := tempFile{File: f}
	t.named = os.Remove(f.Name()) != nil // where an open file cannot be removed, it is when it is closed
	return t, nil
}

type tempFile struct {
	*os.File
	named bool
}

// Close lets the file go.
func (f tempFile) Close() error {
	err := f.File.Close()
	if f.named {
		_ = os.Remove(f.Name())
	}
	return err
}

// partsOfSpill is how many partitions there are, divisionsOfSpill how often one is divided again.
const (
	partsOfSpill     = 16
	divisionsOfSpill = 4
)

func (x *execution) memoryLimit() int64 {
	if x.o.MaxMemory == 0 {
		return DefaultMemory
	}
	return x.o.MaxMemory
}

// spills reports whether what holds some bytes shall go to disk rather than hold more. The last quarter of the memory is for
// those that hold too little for that.
func (x *execution) spills(held, more int) bool {
	limit := x.memoryLimit()
	return x.o.Scratch != nil && int64(held) >= limit/16 && x.memory+int64(more) > limit/4*3
}

// spillFile is a file of records: a length and that many bytes.
type spillFile struct {
	x    *execution
	file ScratchFile
	w    *bufio.Writer
	size int64
}

func (x *execution) newSpillFile() *spillFile {
	f, err := x.o.Scratch.Create()
	if err != nil {
		x.fail(fmt.Errorf("make a temporary file of the query: %w", err))
		return nil
	}
	return &spillFile{x: x, file: f, w: bufio.NewWriterSize(f, 16<<10)}
}

func (f *spillFile) write(record []byte) bool {
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(len(record)))
	f.size += int64(n + len(record))
	limit := f.x.o.MaxDisk
	if limit == 0 {
		limit = DefaultDisk
	}
	if f.x.disk += int64(n + len(record)); f.x.disk > limit {
		return f.x.fail(limitError(fmt.Sprintf("the query needs more than %d MB of disk", limit>>20), "ask for less, or raise the limit"))
	}
	_, err := f.w.Write(length[:n])
	if err == nil {
		_, err = f.w.Write(record)
	}
	return f.check(err)
}

func (f *spillFile) check(err error) bool {
	if err != nil {
		return f.x.fail(fmt.Errorf("write a temporary file of the query: %w", err))
	}
	return f.x.tick()
}

// close lets the file go, and what it took.
func (f *spillFile) close() {
	if f != nil {
		f.x.disk -= f.size
		_ = f.file.Close() // what was in it is not needed any more
	}
}

// section reads records between two offsets.
type section struct {
	r      *bufio.Reader
	record []byte
}

func (f *spillFile) section(from, to int64) *section {
	return &section{r: bufio.NewReaderSize(io.NewSectionReader(f.file, from, to-from), 16<<10)}
}

// next returns the next record, which is there until the next call, or io.EOF.
func (s *section) next() ([]byte, error) {
	n, err := binary.ReadUvarint(s.r)
	if err != nil {
		return nil, err
	}
	s.record = slices.Grow(s.record[:0], int(n))[:n]
	if _, err := io.ReadFull(s.r, s.record); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return s.record, nil
}

// partitions divide records by a hash.
type partitions struct {
	x     *execution
	depth int // how often the records have been divided
	files [partsOfSpill]*spillFile
}

func (x *execution) newPartitions(depth int) *partitions { return &partitions{x: x, depth: depth} }

// add writes a record to the partition of its key.
func (p *partitions) add(key, record []byte) bool {
	hash := xxhash.Sum64(key)
	i := hash >> (4 * p.depth) % partsOfSpill // others bits at each depth
	if p.files[i] == nil {
		if p.files[i] = p.x.newSpillFile(); p.files[i] == nil {
			return false
		}
	}
	return p.files[i].write(record)
}

// each hands on the records of a partition.
func (p *partitions) each(i int, f func([]byte) bool) bool {
	file := p.files[i]
	if file == nil {
		return true
	}
	if !file.check(file.w.Flush()) {
		return false
	}
	for in := file.section(0, file.size); ; {
		record, err := in.next()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return p.x.fail(fmt.Errorf("read a temporary file of the query: %w", err))
		}
		if !p.x.tick() || !f(record) {
			return false
		}
	}
}

func (p *partitions) close() {
	if p != nil {
		for _, f := range p.files {
			f.close()
		}
	}
}

func appendRow(b []byte, r []ID) []byte {
	for _, id := range r {
		b = binary.BigEndian.AppendUint64(b, uint64(id))
	}
	return b
}

// readRow fills r from a record, and returns the rest of it.
func readRow(r []ID, record []byte) []byte {
	for i := range r {
		r[i] = ID(binary.BigEndian.Uint64(record[8*i:]))
	}
	return record[8*len(r):]
}

// sortedRow is a solution with what it is sorted by.
type sortedRow struct {
	row    row
	keys   []sortKey
	number int // of equal rows the first comes first
}

func (s *sortedRow) append(b []byte) []byte {
	b = appendRow(binary.AppendUvarint(b, uint64(s.number)), s.row)
	for i := range s.keys {
		t := &s.keys[i].term
		b = append(b, byte(t.Kind))
		for _, text := range []string{t.Value, t.Datatype, t.Lang} {
			b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
		}
	}
	return b
}

func readSortedRow(record []byte, slots, keys int) sortedRow {
	n, size := binary.Uvarint(record)
	s := sortedRow{row: make(row, slots), keys: make([]sortKey, keys), number: int(n)}
	record = readRow(s.row, record[size:])
	for i := range s.keys {
		t := rdf.Term{Kind: rdf.Kind(record[0])}
		record = record[1:]
		for _, text := range []*string{&t.Value, &t.Datatype, &t.Lang} {
			n, size := binary.Uvarint(record)
			*text = string(record[size : size+int(n)])
			record = record[size+int(n):]
		}
		s.keys[i] = keyOf(t)
	}
	return s
}

// rowSorter sorts solutions.
type rowSorter struct {
	x       *execution
	compare func(a, b *sortedRow) int
	rows    []sortedRow
	held    int
	file    *spillFile
	runs    []int64 // where they end
}

// add takes a solution, which must stay as it is.
func (s *rowSorter) add(r sortedRow) bool {
	size := 8*len(r.row) + 64
	for i := range r.keys {
		size += 184 + len(r.keys[i].term.Value)
	}
	if s.x.spills(s.held, size) && !s.spill() {
		return false
	}
	s.rows = append(s.rows, r)
	s.held += size
	return s.x.tick() && s.x.hold(size)
}

func (s *rowSorter) sort() {
	slices.SortFunc(s.rows, func(a, b sortedRow) int { return s.compare(&a, &b) })
}

// spill writes what is held as a run.
func (s *rowSorter) spill() bool {
	if s.file == nil {
		if s.file = s.x.newSpillFile(); s.file == nil {
			return false
		}
	}
	s.sort()
	var b []byte
	for i := range s.rows {
		b = s.rows[i].append(b[:0])
		if !s.file.write(b) {
			return false
		}
	}
	s.runs = append(s.runs, s.file.size)
	s.release()
	return true
}

func (s *rowSorter) release() {
	clear(s.rows)
	s.rows = s.rows[:0]
	s.x.memory -= int64(s.held)
	s.held = 0
}

// each hands on all solutions in order.
func (s *rowSorter) each(emit emitter) bool {
	s.sort()
	if s.runs == nil {
		for i := range s.rows {
			if !emit(s.rows[i].row) {
				return false
			}
		}
		return true
	}
	if len(s.rows) > 0 {
		slots, keys := len(s.rows[0].row), len(s.rows[0].keys)
		return s.spill() && s.merge(slots, keys, emit)
	}
	return true // add never leaves a run without rows behind it
}

// merge hands on the runs as one.
func (s *rowSorter) merge(slots, keys int, emit emitter) bool {
	if !s.file.check(s.file.w.Flush()) {
		return false
	}
	h := &runHeap{compare: s.compare}
	from := int64(0)
	read := func(r *sortedRun) bool {
		record, err := r.in.next()
		if err == nil {
			r.head = readSortedRow(record, slots, keys)
			return true
		}
		if err != io.EOF {
			s.x.fail(fmt.Errorf("read a temporary file of the query: %w", err))
		}
		return false
	}
	for _, to := range s.runs {
		if r := (&sortedRun{in: s.file.section(from, to)}); read(r) {
			h.runs = append(h.runs, r)
		}
		from = to
	}
	heap.Init(h)
	for len(h.runs) > 0 && s.x.tick() {
		if !emit(h.runs[0].head.row) {
			return false
		}
		if read(h.runs[0]) {
			heap.Fix(h, 0)
		} else {
			heap.Pop(h)
		}
	}
	return s.x.err == nil
}

func (s *rowSorter) close() {
	s.release()
	s.file.close()
}

type sortedRun struct {
	in   *section
	head sortedRow
}

// runHeap has the run with the smallest row in front.
type runHeap struct {
	runs    []*sortedRun
	compare func(a, b *sortedRow) int
}

func (h *runHeap) Len() int           { return len(h.runs) }
func (h *runHeap) Less(i, j int) bool { return h.compare(&h.runs[i].head, &h.runs[j].head) < 0 }
func (h *runHeap) Swap(i, j int)      { h.runs[i], h.runs[j] = h.runs[j], h.runs[i] }

// Push adds a run.
func (h *runHeap) Push(x any) { h.runs = append(h.runs, x.(*sortedRun)) }

// Pop removes the last run.
func (h *runHeap) Pop() any {
	last := h.runs[len(h.runs)-1]
	h.runs = h.runs[:len(h.runs)-1]
	return last
}

// distinct drops duplicates of some variables; the order stays.
func (c *compiler) distinct(in *step, vars []string) *step {
	slots := c.slotsOf(vars)
	return &step{name: "Distinct", estimate: in.estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		d := &deduplicator{x: c.execution, slots: slots, width: len(r)}
		later := &rowSorter{x: c.execution, compare: func(a, b *sortedRow) int { return cmp.Compare(a.number, b.number) }}
		defer later.close()
		number := 0
		ok := d.run(0, func(f func(int, row) bool) bool {
			return in.run(r, func(r row) bool {
				number++
				return f(number, r)
			})
		}, func(n int, r row, spilled bool) bool {
			if !spilled {
				return emit(r)
			}
			return later.add(sortedRow{row: slices.Clone(r), number: n})
		})
		return ok && later.each(emit)
	}}
}

// deduplicator hands on solutions once.
type deduplicator struct {
	x     *execution
	slots []int
	width int // of a row
}

// run hands on what is new of some numbered solutions: at once while there is memory, and the rest after it.
func (d *deduplicator) run(depth int, solutions func(func(int, row) bool) bool, emit func(n int, r row, spilled bool) bool) bool {
	seen := map[string]struct{}{}
	held := 0
	release := func() {
		d.x.memory -= int64(held)
		held, seen = 0, nil
	}
	defer release()
	var rest *partitions
	defer func() { rest.close() }()
	var key, record []byte
	ok := solutions(func(n int, r row) bool {
		key = appendKey(key[:0], r, d.slots)
		if _, twice := seen[string(key)]; twice {
			return d.x.tick()
		}
		size := len(key) + 32
		if rest == nil && (depth >= divisionsOfSpill || !d.x.spills(held, size)) {
			seen[string(key)] = struct{}{}
			held += size
			return d.x.hold(size) && emit(n, r, depth > 0)
		}
		if rest == nil {
			rest = d.x.newPartitions(depth)
		}
		record = appendRow(binary.AppendUvarint(record[:0], uint64(n)), r)
		return rest.add(key, record)
	})
	if !ok || rest == nil {
		return ok
	}
	release()
	r := make(row, d.width)
	for i := range rest.files {
		ok := d.run(depth+1, func(f func(int, row) bool) bool {
			return rest.each(i, func(record []byte) bool {
				n, size := binary.Uvarint(record)
				readRow(r, record[size:])
				return f(int(n), r)
			})
		}, emit)
		if !ok {
			return false
		}
		rest.files[i].close()
		rest.files[i] = nil
	}
	return true
}
