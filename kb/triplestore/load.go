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

	"varve"
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

// Load adds quads in one step: all of them, or none. The function is called with the scope of blank nodes, which no
// other load has, and returns the quads; an error among them ends the load. Where two terms have one hash it is called a
// second time, and must return the same quads. Memory is bounded by Config.SortBytes; the disk needs twice the room of what is added.
func (s *Store) Load(ctx context.Context, quads func(scope string) iter.Seq2[rdf.Quad, error]) (Loaded, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	m := s.known()
	m.loads++
	own, err := readOwners(s)
	if err != nil {
		return Loaded{}, err
	}
	l := &loader{ctx: ctx, s: s, meta: m, dir: loadDir(s.fs, s.dir), own: own}
	if err := s.fs.MkdirAll(l.dir, 0o755); err != nil {
		return Loaded{}, err
	}
	s.reached("begun")
	err = l.sort(quads, "b"+strconv.FormatUint(m.loads, 10)+"_")
	if err == nil && len(l.met.byHash) > 0 { // rare: once more, with numbers that are their own
		if err = l.settle(); err == nil {
			err = l.sort(quads, "b"+strconv.FormatUint(m.loads, 10)+"_")
		}
		if err == nil && len(l.met.byHash) > 0 {
			err = &varve.Error{Kind: varve.Conflict, Op: "load triple store", Msg: "what is loaded was read twice, and was not the same", Hint: "load it again when nobody writes to it"}
		}
	}
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
	own   *owners   // terms with numbers of their own
	met   owners    // terms of this load that were found under one hash
	fresh []ownTerm // of own, those that the store does not have
	table []string  // of the dictionary
}

// sort writes the quads as sorted runs and the terms as tables of the dictionary. If l.met has terms afterwards, two of them have one number.
func (l *loader) sort(quads func(scope string) iter.Seq2[rdf.Quad, error], scope string) error {
	if err := errors.Join(l.s.fs.RemoveAll(l.dir), l.s.fs.MkdirAll(l.dir, 0o755)); err != nil {
		return err
	}
	l.done, l.met, l.quads, l.terms, l.bytes, l.runs, l.table = Loaded{}, owners{}, l.quads[:0], map[sparql.ID][]byte{}, 0, map[byte][]string{}, nil
	if err := l.read(quads(scope)); err != nil {
		return err
	}
	return l.dictionary()
}

// sameTerm notes two terms with one number.
func (l *loader) sameTerm(id sparql.ID, a, b []byte) error {
	if bytes.Equal(a, b) {
		return nil
	}
	return errors.Join(l.met.add(id, a, 0), l.met.add(id, b, 0))
}

func (l *loader) read(quads iter.Seq2[rdf.Quad, error]) error {
	most := max(1, l.s.cfg.SortBytes/2/64) // a quad is held twice while it is sorted
	var scratch []byte
	numbers := l.s.numbering()
	for q, err := range quads {
		if err != nil {
			return err
		}
		var ids sparql.Pattern
		for i, t := range []rdf.Term{q.Subject, q.Predicate, q.Object, q.Graph} {
			id, encoded := numbers.of(t, scratch)
			ids[i] = id
			if encoded == nil {
				continue
			}
			scratch = encoded[:0]
			id = l.own.of(id, encoded)
			ids[i] = id
			held, ok := l.terms[id]
			if !ok {
				l.terms[id] = bytes.Clone(encoded)
				l.bytes += len(encoded) + 64
			} else if err := l.sameTerm(id, held, encoded); err != nil {
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
				if err := l.sameTerm(sparql.ID(binary.BigEndian.Uint64(e.key)), last.value, e.value); err != nil {
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

// ingest merges the runs of quads into tables, and makes all tables part of the store in one step.
func (l *loader) ingest() error {
	t := &tables{l: l, names: l.table}
	for _, perm := range append(slices.Clone(ofDefault), ofNamed...) {
		if len(l.runs[perm.space]) == 0 {
			continue
		}
		err := l.merged(perm.space, 8*len(perm.order), func(e entry) error {
			if perm.space == defSPO || perm.space == namSPOG {
				l.meta.quads++
			}
			return t.add(append([]byte{perm.space}, e.key...), e.value)
		})
		if err := errors.Join(err, t.close()); err != nil {
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
	if l.meta.old {
		if err := errors.Join(t.add(keyVersion, binary.AppendUvarint(nil, version)), t.close()); err != nil {
			return err
		}
		l.meta.old = false
	}
	slices.SortFunc(l.fresh, func(a, b ownTerm) int { return bytes.Compare(a.key, b.key) })
	for _, o := range l.fresh {
		if err := t.add(o.key, binary.BigEndian.AppendUint64(nil, uint64(o.own))); err != nil {
			return errors.Join(err, t.close())
		}
	}
	if err := t.close(); err != nil {
		return err
	}
	l.s.reached("tables")
	// What is in memory has the key of what the store knows of itself, as the tables have. Where Pebble meets that it keeps the tables in a queue before the memory's, and who opens a view meanwhile reads them two to four times slower as
	// long as the view is open.
	if err := l.s.db.Flush(); err != nil {
		return err
	}
	err := l.s.db.Ingest(l.ctx, t.names)
	l.s.reached("ingested")
	return err
}

// dictionary merges the runs of terms into tables. Terms that have the number of another one, here or in the store, go to l.met.
func (l *loader) dictionary() error {
	if len(l.runs[spaceTerm]) == 0 {
		return nil
	}
	lower, upper := durable.Bounds([]byte{spaceTerm})
	it, err := l.s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return err
	}
	t := &tables{l: l}
	ok := it.First()
	err = l.merged(spaceTerm, 8, func(e entry) error {
		l.done.Terms++
		key := append([]byte{spaceTerm}, e.key...)
		if ok && bytes.Compare(it.Key(), key) < 0 {
			ok = it.SeekGE(key)
		}
		if ok && bytes.Equal(it.Key(), key) {
			held, err := it.ValueAndErr()
			if err == nil {
				err = l.sameTerm(sparql.ID(binary.BigEndian.Uint64(e.key)), held, e.value)
			}
			if err != nil {
				return err
			}
		}
		return t.add(key, e.value)
	})
	err = errors.Join(err, it.Error(), it.Close(), t.close())
	l.table = t.names
	return err
}
