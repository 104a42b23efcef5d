package triplestore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// The spaces of keys. A key of a permutation is its byte and the numbers in its order, big-endian.
const (
	spaceTerm = 'i' // number -> term
	spaceMeta = 'm' // the version of the format
	spaceOwn  = 'x' // SHA-256 of a term whose hash another term has -> its number
	defSPO    = '1'
	defPOS    = '2'
	defOSP    = '3'
	namSPOG   = '4'
	namPOSG   = '5'
	namOSPG   = '6'
	namGSPO   = '7'
)

// Versions of the format. A store of the first is read, and becomes one of the second with the first change: see docs/formats/triplestore.md.
const (
	version = 2
	before2 = 1
)

var (
	keyVersion = []byte{spaceMeta}
	// keyMeta stands before all spaces, beside what durable writes with every commit: a table of these two overlaps no quads, so that Pebble does not write these anew when it merges it down.
	keyMeta = []byte("\x01m")
)

// permutation is an order of the places of a quad.
type permutation struct {
	space byte
	order []int // places: subject 0, predicate 1, object 2, graph 3
}

var (
	ofDefault = []permutation{{defSPO, []int{0, 1, 2}}, {defPOS, []int{1, 2, 0}}, {defOSP, []int{2, 0, 1}}}
	ofNamed   = []permutation{{namSPOG, []int{0, 1, 2, 3}}, {namPOSG, []int{1, 2, 0, 3}}, {namOSPG, []int{2, 0, 1, 3}}, {namGSPO, []int{3, 0, 1, 2}}}
)

// permutations returns those that a quad is in.
func permutations(graph sparql.ID) []permutation {
	if graph == sparql.DefaultGraph {
		return ofDefault
	}
	return ofNamed
}

// appendKey writes the key of a quad.
func (p permutation) appendKey(b []byte, q sparql.Pattern) []byte {
	b = append(b, p.space)
	for _, place := range p.order {
		b = binary.BigEndian.AppendUint64(b, uint64(q[place]))
	}
	return b
}

// quad reads a key.
func (p permutation) quad(key []byte) (sparql.Pattern, error) {
	q := sparql.Pattern{3: sparql.DefaultGraph}
	if len(key) != 1+8*len(p.order) {
		return q, fmt.Errorf("damaged key of the store: %x", key)
	}
	for i, place := range p.order {
		q[place] = sparql.ID(binary.BigEndian.Uint64(key[1+8*i:]))
	}
	return q, nil
}

// Config bounds the memory of a store.
type Config struct {
	CacheBytes    int64 // blocks in memory
	MemtableBytes int64
	SortBytes     int // of a load: quads and terms that are sorted in memory
}

// DefaultConfig returns the usual bounds: 64 MB of blocks, 16 MB of writes, 128 MB while loading.
func DefaultConfig() Config {
	return Config{CacheBytes: 64 << 20, MemtableBytes: 16 << 20, SortBytes: 128 << 20}
}

// meta is what a store knows of itself.
type meta struct {
	salt  uint64
	loads uint64 // blank nodes of each load have a prefix of their own
	quads uint64 // about how many there are: what came twice is counted twice
	old   bool   // it is of the version before
}

// Store is a set of quads on disk. One process has it open at a time. Readers take views; one writer at a time loads or updates.
type Store struct {
	db      *durable.Store
	lock    io.Closer // of the folder; nil while Keep has it
	fs      vfs.FS
	dir     string
	cfg     Config
	options *pebble.Options
	scratch scratch
	reached func(stage string)  // of a load; tests stop there
	hash    func([]byte) uint64 // of terms
	writing sync.Mutex
	mu      sync.Mutex
	meta    meta
}

// Open opens the store in dir, or makes a new one there with a salt of random. What a load or a query left that did not end is removed, what Keep left is put in its place.
func Open(fs vfs.FS, dir string, cfg Config, random *rand.Rand, log *slog.Logger) (*Store, error) {
	lock, err := take(fs, dir)
	if err != nil {
		return nil, err
	}
	s, err := open(fs, dir, cfg, random, log)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s.lock = lock
	return s, nil
}

// open opens the store in dir for whoever has its lock.
func open(fs vfs.FS, dir string, cfg Config, random *rand.Rand, log *slog.Logger) (*Store, error) {
	o := &pebble.Options{
		FS:                          fs,
		FormatMajorVersion:          pebble.FormatTableFormatV6,
		CacheSize:                   cfg.CacheBytes + 2*cfg.MemtableBytes,
		MemTableSize:                uint64(cfg.MemtableBytes),
		MemTableStopWritesThreshold: 2,
		MaxOpenFiles:                500,
		Logger:                      durable.Logger(log, "triple"),
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionBalanced })
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	db, err := durable.Open(dir, o)
	if err != nil {
		return nil, opening(dir, err)
	}
	s := &Store{db: db, fs: fs, dir: dir, cfg: cfg, options: o, reached: func(string) {}, hash: xxhash.Sum64}
	s.scratch.fs, s.scratch.dir = fs, scratchDir(fs, dir)
	// Only now it is known that no other process is at work there.
	if err := errors.Join(removeLoads(fs, dir), fs.RemoveAll(scratchDir(fs, dir)), s.start(random)); err != nil {
		return nil, errors.Join(fmt.Errorf("open triple store %s: %w", dir, err), db.Close())
	}
	return s, nil
}

// start reads what the store knows of itself, or begins it.
func (s *Store) start(random *rand.Rand) error {
	v, err := durable.Get(s.db, keyMeta)
	if err != nil {
		return err
	}
	named, err := durable.Get(s.db, keyVersion)
	if err != nil {
		return err
	}
	if named == nil {
		if err := s.mark(); err != nil {
			return err
		}
		named = binary.AppendUvarint(nil, version)
	}
	r := durable.NewReader(named)
	got := r.Uvarint()
	switch {
	case got == version && v == nil: // a new one: every change writes what it knows of itself
		s.meta.salt = random.Uint64()
		return s.commit(s.db.NewBatch(), s.meta)
	case got == before2:
		s.meta.old = true // what it knows of itself follows
	case got == version:
		if err := r.Done("triple store"); err != nil {
			return err
		}
		r = durable.NewReader(v)
	default:
		return fmt.Errorf("it has format %d, and this program reads %d and %d: export it with the program that wrote it, and load it anew", got, before2, version)
	}
	s.meta.salt, s.meta.loads, s.meta.quads = r.Uvarint(), r.Uvarint(), r.Uvarint()
	return r.Done("triple store")
}

// mark writes the version of a new store, as a table of its own: see keyMeta.
func (s *Store) mark() error {
	dir := loadDir(s.fs, s.dir)
	if err := s.fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	t := &tables{l: &loader{s: s, dir: dir}}
	err := errors.Join(t.add(keyVersion, binary.AppendUvarint(nil, version)), t.close())
	if err == nil {
		err = s.db.Ingest(context.Background(), t.names)
	}
	return errors.Join(err, removeLoads(s.fs, s.dir))
}

func (m meta) encoded() []byte {
	var v []byte
	for _, n := range []uint64{m.salt, m.loads, m.quads} {
		v = binary.AppendUvarint(v, n)
	}
	return v
}

// commit writes a batch with what the store knows of itself; it is durable when it returns.
func (s *Store) commit(b *pebble.Batch, m meta) error {
	if err := b.Set(keyMeta, m.encoded(), nil); err != nil {
		return err
	}
	if m.old {
		if err := b.Set(keyVersion, binary.AppendUvarint(nil, version), nil); err != nil {
			return err
		}
		m.old = false
	}
	if err := s.db.ApplyNoSyncWait(b, pebble.Sync); err != nil {
		return err
	}
	if err := s.db.Wait(b); err != nil {
		return err
	}
	s.mu.Lock()
	s.meta = m
	s.mu.Unlock()
	return nil
}

// numbering returns how terms get their numbers. The salt never changes.
func (s *Store) numbering() numbering { return numbering{s.known().salt, s.hash} }

func (s *Store) known() meta {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meta
}

// Close closes the store.
func (s *Store) Close() error {
	err := s.db.Close()
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// Compact merges what loads and updates left in pieces.
func (s *Store) Compact(ctx context.Context) error {
	return s.db.Compact(ctx, []byte{0x01}, []byte{0xFF}, true)
}

// View is what the store held at one moment. It must be closed. Several queries may ask it at once.
type View struct {
	reader
	snapshot *pebble.Snapshot
}

// View returns a view of the store as it is.
func (s *Store) View() *View {
	snap := s.db.NewSnapshot()
	return &View{reader: reader{r: snap, s: s, idle: &iterators{}}, snapshot: snap}
}

// Close lets the view go.
func (v *View) Close() error { return errors.Join(v.idle.close(), v.snapshot.Close()) }

// reader answers from a snapshot or a batch.
type reader struct {
	r    pebble.Reader
	s    *Store
	idle *iterators // nil for a batch, which changes under its iterators
}

// iterators are open ones that nobody uses, by the space they were in: to make one costs more than to move one, and one
// that is moved forward, as sorted lookups do, finds what is near in the block it has.
type iterators struct {
	mu   sync.Mutex
	free [256][]*pebble.Iterator
}

// seek returns an iterator at the first key that is not before one.
func (v reader) seek(key []byte) (*pebble.Iterator, error) {
	if v.idle != nil {
		if it := v.idle.take(key[0]); it != nil {
			if key[0] != spaceTerm || !near(it, key) {
				it.SeekGE(key)
			}
			return it, nil
		}
	}
	lower, upper := durable.Bounds(key[:1])
	it, err := v.r.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, fmt.Errorf("read triple store: %w", err)
	}
	it.SeekGE(key)
	return it, nil
}

// near moves an iterator forward to the first key that is not before one, if that is a few steps away, and reports whether it did. Terms of a scan come in the order of their numbers, every third or fourth of the
// dictionary: a step costs a fifth of a seek.
func near(it *pebble.Iterator, key []byte) bool {
	const steps = 6
	if !it.Valid() || bytes.Compare(it.Key(), key) >= 0 {
		return it.Valid() && bytes.Equal(it.Key(), key)
	}
	for range steps {
		if !it.Next() {
			return false
		}
		if bytes.Compare(it.Key(), key) >= 0 {
			return true
		}
	}
	return false
}

// leave gives an iterator back; it returns the error that the iterator met.
func (v reader) leave(space byte, it *pebble.Iterator) error {
	if err := it.Error(); err != nil || v.idle == nil {
		if err = errors.Join(err, it.Close()); err != nil {
			return fmt.Errorf("read triple store: %w", err)
		}
		return nil
	}
	v.idle.give(space, it)
	return nil
}

func (f *iterators) take(space byte) *pebble.Iterator {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.free[space]
	if len(all) == 0 {
		return nil
	}
	f.free[space] = all[:len(all)-1]
	return all[len(all)-1]
}

func (f *iterators) give(space byte, it *pebble.Iterator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free[space] = append(f.free[space], it)
}

func (f *iterators) close() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, all := range f.free {
		for _, it := range all {
			err = errors.Join(err, it.Close())
		}
		f.free[i] = nil
	}
	return err
}

var _ sparql.Dataset = reader{}

// Lookup returns the number of a term that the store has, or 0.
func (v reader) Lookup(t rdf.Term) (sparql.ID, error) {
	id, encoded := v.s.numbering().of(t, nil)
	if encoded == nil {
		return id, nil
	}
	found, other := sparql.ID(0), false
	err := v.held(id, func(held []byte) error {
		if string(held) == string(encoded) {
			found = id
		}
		other = found == 0
		return nil
	})
	if other && err == nil {
		found, err = ownNumber(v.r, encoded)
	}
	return found, err
}

// held calls f with what the dictionary has for a number, if it has it.
func (v reader) held(id sparql.ID, f func([]byte) error) error {
	key := [9]byte{spaceTerm}
	binary.BigEndian.PutUint64(key[1:], uint64(id))
	it, err := v.seek(key[:])
	if err != nil {
		return err
	}
	if it.Valid() && string(it.Key()) == string(key[:]) {
		var value []byte
		if value, err = it.ValueAndErr(); err == nil {
			err = f(value)
		}
	}
	return errors.Join(err, v.leave(spaceTerm, it))
}

func termKey(id sparql.ID) []byte {
	return binary.BigEndian.AppendUint64([]byte{spaceTerm}, uint64(id))
}

// Term returns the term of a number.
func (v reader) Term(id sparql.ID) (rdf.Term, error) {
	switch {
	case id == sparql.DefaultGraph:
		return rdf.Term{}, nil
	case !inDictionary(id):
		t, _ := inlineTerm(id)
		return t, nil
	}
	var t rdf.Term
	err := v.held(id, func(held []byte) (err error) {
		t, err = readTerm(held)
		return err
	})
	if err == nil && t.Kind == rdf.None {
		err = fmt.Errorf("damaged store: a quad has the term %x, which the dictionary does not have", uint64(id))
	}
	return t, err
}

// best returns the permutation with the longest prefix of bound places, and its length.
func best(among []permutation, p sparql.Pattern) (permutation, int) {
	var found permutation
	length := -1
	for _, perm := range among {
		n := 0
		for n < len(perm.order) && p[perm.order[n]] != 0 {
			n++
		}
		if n > length {
			found, length = perm, n
		}
	}
	return found, length
}

// Match returns the quads that match.
func (v reader) Match(p sparql.Pattern) iter.Seq2[sparql.Pattern, error] {
	return func(yield func(sparql.Pattern, error) bool) {
		if p[3] == sparql.DefaultGraph || p[3] == 0 {
			perm, n := best(ofDefault, p)
			if !v.scan(perm, n, p, yield) {
				return
			}
		}
		if p[3] != sparql.DefaultGraph {
			perm, n := v.ofNamed(p)
			v.scan(perm, n, p, yield)
		}
	}
}

// ofNamed chooses the permutation for quads in named graphs: where the graph and other terms are known, the whole graph is
// read if it is smaller than what the terms match elsewhere.
func (v reader) ofNamed(p sparql.Pattern) (permutation, int) {
	if p[3] == 0 {
		return best(ofNamed[:3], p)
	}
	perm, n := best(ofNamed[:3], p)
	byGraph, m := best(ofNamed[3:], p)
	if n == 4 || n == 0 || m > n { // one quad; nothing but the graph; the graph with its subject
		if n == 4 {
			return perm, n
		}
		return byGraph, m
	}
	const few = 64
	if c, all := v.upTo(byGraph, m, p, few); all || c == 0 {
		return byGraph, m
	}
	if _, all := v.upTo(perm, n, p, few); all {
		return perm, n
	}
	if v.size(byGraph, m, p) <= v.size(perm, n, p) {
		return byGraph, m
	}
	return perm, n
}

// prefix returns the key that n bound places begin with.
func (p permutation) prefix(n int, q sparql.Pattern) []byte {
	return p.appendKey(nil, q)[:1+8*n]
}

// scan hands on what matches of a range of a permutation, and reports whether more is wanted.
func (v reader) scan(perm permutation, n int, p sparql.Pattern, yield func(sparql.Pattern, error) bool) bool {
	if perm.space >= defSPO && perm.space <= defOSP {
		p[3] = sparql.DefaultGraph
	}
	prefix := perm.prefix(n, p)
	it, err := v.seek(prefix)
	if err != nil {
		return yield(sparql.Pattern{}, err) && false
	}
	more := true
	for ok := it.Valid(); ok && more && bytes.HasPrefix(it.Key(), prefix); ok = it.Next() {
		q, err := perm.quad(it.Key())
		if err != nil {
			more = yield(q, err) && false
			break
		}
		matches := true
		for i, id := range p {
			matches = matches && (id == 0 || id == q[i])
		}
		more = !matches || yield(q, nil)
	}
	if err := v.leave(perm.space, it); err != nil && more {
		return yield(sparql.Pattern{}, err) && false
	}
	return more
}

// upTo counts keys of a range up to a number, and reports whether these were all.
func (v reader) upTo(perm permutation, n int, p sparql.Pattern, most int) (int, bool) {
	prefix := perm.prefix(n, p)
	it, err := v.seek(prefix)
	if err != nil {
		return most, false
	}
	count, all := 0, true
	for ok := it.Valid(); ok && all && bytes.HasPrefix(it.Key(), prefix); ok = it.Next() {
		count++
		all = count < most
	}
	return count, v.leave(perm.space, it) == nil && all
}

// size returns the bytes of a range of a permutation, about.
func (v reader) size(perm permutation, n int, p sparql.Pattern) float64 {
	lower, upper := durable.Bounds(perm.prefix(n, p))
	bytes, err := v.s.db.EstimateDiskUsage(lower, upper)
	if err != nil {
		return 0
	}
	return float64(bytes)
}

// Estimate returns about how many quads match: small numbers are counted, large ones follow from the bytes of their range.
func (v reader) Estimate(p sparql.Pattern) float64 {
	total := 0.0
	if p[3] == sparql.DefaultGraph || p[3] == 0 {
		perm, n := best(ofDefault, p)
		total += v.estimate(perm, n, p)
	}
	if p[3] != sparql.DefaultGraph {
		perm, n := v.ofNamed(p)
		total += v.estimate(perm, n, p)
	}
	return total
}

func (v reader) estimate(perm permutation, n int, p sparql.Pattern) float64 {
	const few = 256
	count, all := v.upTo(perm, n, p, few)
	if all {
		return float64(count)
	}
	whole := v.size(perm, 0, p)
	if whole == 0 { // all of it is in memory still
		return 10 * few
	}
	return max(few, float64(v.s.known().quads)*v.size(perm, n, p)/whole)
}

// Graphs returns the named graphs.
func (v reader) Graphs() iter.Seq2[sparql.ID, error] {
	return func(yield func(sparql.ID, error) bool) {
		lower, upper := durable.Bounds([]byte{namGSPO})
		it, err := v.r.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
		if err != nil {
			yield(0, err)
			return
		}
		defer it.Close()
		for ok := it.First(); ok; {
			q, err := ofNamed[3].quad(it.Key())
			if err != nil {
				yield(0, err)
				return
			}
			if !yield(q[3], nil) {
				return
			}
			ok = it.SeekGE(binary.BigEndian.AppendUint64([]byte{namGSPO}, uint64(q[3])+1)) // over the rest of the graph
		}
		if err := it.Error(); err != nil {
			yield(0, fmt.Errorf("read triple store: %w", err))
		}
	}
}

// Quads returns the quads that match, those of the default graph first.
func (v reader) Quads(p sparql.Pattern) iter.Seq2[rdf.Quad, error] { return sparql.Quads(v, p) }
