package triplestore

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// tableBytes is how large the tables are that a load makes.
const tableBytes = 64 << 20

// loadDir is where a load keeps its runs and tables.
func loadDir(fs vfs.FS, dir string) string { return fs.PathJoin(dir, "load") }

// removeLoads removes what a load left that did not end.
func removeLoads(fs vfs.FS, dir string) error { return fs.RemoveAll(loadDir(fs, dir)) }

// Loaded says what a load did.
type Loaded struct {
	Quads int64 // read, of which some may have been there already
	Terms int64 // written to the dictionary, of which some may have been there already
	Runs  int
}

// Load adds quads in one step: all of them, or none. The function is called once with the scope of blank nodes, which no
// other load has, and returns the quads; an error among them ends the load. Memory is bounded by Config.SortBytes; the disk
// needs twice the room of what is added.
func (s *Store) Load(ctx context.Context, quads func(scope string) iter.Seq2[rdf.Quad, error]) (Loaded, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	m := s.known()
	m.loads++
	l := &loader{ctx: ctx, s: s, meta: m, dir: loadDir(s.fs, s.dir), terms: map[sparql.ID][]byte{}, runs: map[byte][]string{}}
	if err := s.fs.MkdirAll(l.dir, 0o755); err != nil {
		return Loaded{}, err
	}
	s.reached("begun")
	err := l.read(quads("b" + strconv.FormatUint(m.loads, 10) + "_"))
	s.reached("runs")
	if err == nil {
		err = l.ingest()
	}
	if err == nil {
		s.mu.Lock()
		s.meta = l.meta
		s.mu.Unlock()
		err = s.db.Err()
	}
	return l.done, errors.Join(err, removeLoads(s.fs, s.dir))
}

// loader sorts what is loaded.
type loader struct {
	ctx   context.Context
	s     *Store
	meta  meta
	dir   string
	done  Loaded
	quads []sparql.Pattern
	terms map[sparql.ID][]byte
	bytes int               // of terms
	runs  map[byte][]string // files by the space of their keys
	files int
}

func (l *loader) read(quads iter.Seq2[rdf.Quad, error]) error {
	most := max(1, l.s.cfg.SortBytes/2/64) // a quad is held twice while it is sorted
	var scratch []byte
	for q, err := range quads {
		if err != nil {
			return err
		}
		var ids sparql.Pattern
		for i, t := range []rdf.Term{q.Subject, q.Predicate, q.Object, q.Graph} {
			id, encoded := number(t, l.meta.salt, scratch)
			ids[i] = id
			if encoded == nil {
				continue
			}
			scratch = encoded[:0]
			held, ok := l.terms[id]
			if !ok {
				l.terms[id] = bytes.Clone(encoded)
				l.bytes += len(encoded) + 64
			} else if err := sameTerm(held, encoded); err != nil {
				return err
			}
		}
		l.quads = append(l.quads, ids)
		l.done.Quads++
		if len(l.quads) >= most {
			if err := l.flushQuads(); err != nil {
				return err
			}
		}
		if l.bytes > l.s.cfg.SortBytes/2 {
			if err := l.flushTerms(); err != nil {
				return err
			}
		}
		if l.done.Quads%4096 == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
	}
	return errors.Join(l.flushQuads(), l.flushTerms())
}

// create makes a file of the load.
func (l *loader) create(kind string) (vfs.File, string, error) {
	l.files++
	name := l.s.fs.PathJoin(l.dir, fmt.Sprintf("%06d.%s", l.files, kind))
	f, err := l.s.fs.Create(name, vfs.WriteCategoryUnspecified)
	return f, name, err
}

// run writes a sorted run of a space.
func (l *loader) run(space byte, write func(*bufio.Writer) error) error {
	f, name, err := l.create("run")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	err = errors.Join(write(w), w.Flush(), f.Close())
	l.runs[space] = append(l.runs[space], name)
	l.done.Runs++
	return err
}

// flushQuads writes the quads that are held, sorted for each permutation.
func (l *loader) flushQuads() error {
	for _, perms := range [][]permutation{ofDefault, ofNamed} {
		named := &perms[0] == &ofNamed[0]
		sorted := make([]sparql.Pattern, 0, len(l.quads))
		for _, perm := range perms {
			sorted = sorted[:0]
			for _, q := range l.quads {
				if (q[3] != sparql.DefaultGraph) != named {
					continue
				}
				var p sparql.Pattern
				for i, place := range perm.order {
					p[i] = q[place]
				}
				sorted = append(sorted, p)
			}
			if len(sorted) == 0 {
				break
			}
			slices.SortFunc(sorted, func(a, b sparql.Pattern) int {
				for i := range a {
					if a[i] != b[i] {
						return cmp.Compare(a[i], b[i])
					}
				}
				return 0
			})
			err := l.run(perm.space, func(w *bufio.Writer) error {
				var b []byte
				for i, p := range sorted {
					if i > 0 && p == sorted[i-1] {
						continue
					}
					b = b[:0]
					for _, id := range p[:len(perm.order)] {
						b = binary.BigEndian.AppendUint64(b, uint64(id))
					}
					if _, err := w.Write(b); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	l.quads = l.quads[:0]
	return nil
}

// flushTerms writes the terms that are held, sorted by number.
func (l *loader) flushTerms() error {
	if len(l.terms) == 0 {
		return nil
	}
	err := l.run(spaceTerm, func(w *bufio.Writer) error {
		var b []byte
		for _, id := range slices.Sorted(maps.Keys(l.terms)) {
			b = binary.BigEndian.AppendUint64(b[:0], uint64(id))
			b = durable.AppendBytes(b, l.terms[id])
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
	l.terms, l.bytes = map[sparql.ID][]byte{}, 0
	return err
}

// entry is a key of a run, without its space, and its value.
type entry struct {
	key, value []byte
	from       *runReader
}

// runReader reads a run.
type runReader struct {
	file   vfs.File
	r      *bufio.Reader
	size   int // of a key
	values bool
}

func (r *runReader) next() (entry, error) {
	e := entry{key: make([]byte, r.size), from: r}
	if _, err := io.ReadFull(r.r, e.key); err != nil {
		return e, err
	}
	if r.values {
		n, err := binary.ReadUvarint(r.r)
		if err != nil {
			return e, io.ErrUnexpectedEOF
		}
		e.value = make([]byte, n)
		if _, err := io.ReadFull(r.r, e.value); err != nil {
			return e, io.ErrUnexpectedEOF
		}
	}
	return e, nil
}

// mergeHeap has the smallest key in front.
type mergeHeap []entry

func (h mergeHeap) Len() int           { return len(h) }
func (h mergeHeap) Less(i, j int) bool { return bytes.Compare(h[i].key, h[j].key) < 0 }
func (h mergeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push adds an entry.
func (h *mergeHeap) Push(x any) { *h = append(*h, x.(entry)) }

// Pop removes the last entry.
func (h *mergeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// merged hands on the entries of all runs of a space in order, each key once.
func (l *loader) merged(space byte, size int, each func(entry) error) (err error) {
	var h mergeHeap
	defer func() {
		for _, e := range h {
			err = errors.Join(err, e.from.file.Close())
		}
	}()
	for _, name := range l.runs[space] {
		f, err := l.s.fs.Open(name)
		if err != nil {
			return err
		}
		r := &runReader{file: f, r: bufio.NewReaderSize(f, 64<<10), size: size, values: space == spaceTerm}
		e, err := r.next()
		if err != nil {
			return errors.Join(err, f.Close())
		}
		h = append(h, e)
	}
	heap.Init(&h)
	var last entry
	for len(h) > 0 {
		e := h[0]
		if bytes.Equal(e.key, last.key) {
			if space == spaceTerm {
				if err := sameTerm(last.value, e.value); err != nil {
					return err
				}
			}
		} else if err := each(e); err != nil {
			return err
		}
		last = e
		next, err := e.from.next()
		switch {
		case err == io.EOF:
			heap.Pop(&h)
			if err := e.from.file.Close(); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			h[0] = next
			heap.Fix(&h, 0)
		}
	}
	return nil
}

// tables writes tables of a space, and returns their names.
type tables struct {
	l     *loader
	w     *sstable.Writer
	names []string
}

func (t *tables) add(key, value []byte) error {
	if t.w != nil && t.w.Raw().EstimatedSize() > tableBytes {
		if err := t.close(); err != nil {
			return err
		}
	}
	if t.w == nil {
		f, name, err := t.l.create("sst")
		if err != nil {
			return err
		}
		t.names = append(t.names, name)
		t.w = sstable.NewWriter(objstorageprovider.NewFileWritable(f), t.l.s.options.MakeWriterOptions(6, t.l.s.db.TableFormat()))
	}
	return t.w.Set(key, value)
}

func (t *tables) close() error {
	if t.w == nil {
		return nil
	}
	w := t.w
	t.w = nil
	return w.Close()
}

// ingest merges the runs into tables, and makes them part of the store in one step.
func (l *loader) ingest() error {
	t := &tables{l: l}
	spaces := map[byte]int{}
	for _, perm := range append(slices.Clone(ofDefault), ofNamed...) {
		spaces[perm.space] = 8 * len(perm.order)
	}
	spaces[spaceTerm] = 8
	for _, space := range slices.Sorted(maps.Keys(spaces)) {
		if len(l.runs[space]) == 0 {
			continue
		}
		add := func(e entry) error {
			if space == defSPO || space == namSPOG {
				l.meta.quads++
			}
			return t.add(append([]byte{space}, e.key...), e.value)
		}
		if space == spaceTerm {
			check, done, err := l.dictionary()
			if err != nil {
				return err
			}
			plain := add
			add = func(e entry) error {
				l.done.Terms++
				if err := check(e); err != nil {
					return err
				}
				return plain(e)
			}
			err = l.merged(space, spaces[space], add)
			if err := errors.Join(err, done()); err != nil {
				return errors.Join(err, t.close())
			}
		} else if err := l.merged(space, spaces[space], add); err != nil {
			return errors.Join(err, t.close())
		}
		if err := t.close(); err != nil {
			return err
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
	}
	if len(t.names) == 0 {
		return nil
	}
	if err := errors.Join(t.add(keyMeta, l.meta.encoded()), t.close()); err != nil {
		return err
	}
	l.s.reached("tables")
	err := l.s.db.Ingest(l.ctx, t.names)
	l.s.reached("ingested")
	return err
}

// dictionary returns a check of new terms, in order, against those that the store has.
func (l *loader) dictionary() (check func(entry) error, done func() error, err error) {
	lower, upper := durable.Bounds([]byte{spaceTerm})
	it, err := l.s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, nil, err
	}
	ok := it.First()
	return func(e entry) error {
		key := append([]byte{spaceTerm}, e.key...)
		if ok && bytes.Compare(it.Key(), key) < 0 {
			ok = it.SeekGE(key)
		}
		if !ok || !bytes.Equal(it.Key(), key) {
			return it.Error()
		}
		held, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		return sameTerm(held, e.value)
	}, it.Close, nil
}
