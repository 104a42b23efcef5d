package holdings

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
)

// CatalogueVersion is the version of the catalogue that this package writes and reads.
const CatalogueVersion = 1

// The catalogue is what lists show, in a store of its own below the archive (docs/formats/catalogue.md): a row for
// each collection and each crawl, and the crawls in the orders in which lists ask for them. It is derived: deleting it
// costs one reading of all reports.
//
//	C name                       row of a collection, with sums over its crawls
//	I name 0 id                  begin and stamp of a crawl
//	K name 0 PLACE               row of a crawl; PLACE = begin, id: the newest first
//	S name 0 STATE PLACE         crawls of a collection by state
//	S 0 STATE PLACE name         crawls of all collections by state; state 0: all
//	N name 0 plan 0 PLACE        crawls of a collection by their name in its plan
//
// A change of a crawl and the sums of its collection are one batch, so sums and lists agree in the store. One at a time
// changes it; those who read do not wait for that.
type catalogue struct {
	db  *durable.Store
	dir string // empty: it is kept in memory

	mu   sync.RWMutex
	rows map[string]*listed // of all collections, read once; a row in it is never changed
}

const (
	spaceCollection = 'C'
	spaceID         = 'I'
	spaceCrawl      = 'K'
	spaceName       = 'N'
	spaceState      = 'S'
)

var errDamaged = errors.New("damaged place of a crawl")

var keyCatalogueVersion = []byte("v")

// The states as bytes of keys, and two that are none: all, and those whose coherence was measured.
const (
	stateAll      = 'a'
	stateMeasured = 'm'
)

var stateBytes = map[State]byte{"": stateAll, Live: 'r', Complete: 'c', Finished: 'f', Stopped: 's', Interrupted: 'i'}

// openCatalogue opens the catalogue in a folder, or one in memory where that cannot be written or another process has
// it. One that is damaged or of another version is made anew.
func openCatalogue(dir string, log *slog.Logger) (*catalogue, error) {
	if dir == "" {
		return openStore("catalogue", vfs.NewMem(), log)
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var lock interface{ Close() error }
		if lock, err = vfs.Default.Lock(filepath.Join(dir, "LOCK")); err == nil {
			err = lock.Close()
		}
	}
	if err != nil {
		log.Info("the catalogue of lists is kept in memory", "why", err)
		return openStore("catalogue", vfs.NewMem(), log)
	}
	c, err := openStore(dir, vfs.Default, log)
	if err != nil {
		log.Warn("the catalogue of lists cannot be read and is made anew", "folder", dir, "error", err)
		if err := os.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("remove a damaged catalogue: %w", err)
		}
		c, err = openStore(dir, vfs.Default, log)
	}
	if err == nil {
		c.dir = dir
	}
	return c, err
}

func openStore(dir string, fs vfs.FS, log *slog.Logger) (*catalogue, error) {
	o := &pebble.Options{
		FS: fs, FormatMajorVersion: pebble.FormatTableFormatV6, CacheSize: 8 << 20, MemTableSize: 2 << 20, MemTableStopWritesThreshold: 2,
		MaxOpenFiles: 100, L0CompactionThreshold: 4, L0StopWritesThreshold: 32, Logger: durable.Logger(log, "catalogue"),
	}
	o.TargetFileSizes[0] = 4 << 20
	db, err := durable.Open(dir, o)
	if err != nil {
		return nil, err
	}
	c := &catalogue{db: db, rows: map[string]*listed{}}
	v, err := durable.Get(db, keyCatalogueVersion)
	if err == nil && v == nil {
		err = db.Set(keyCatalogueVersion, []byte{CatalogueVersion}, pebble.NoSync)
	} else if err == nil && (len(v) != 1 || v[0] != CatalogueVersion) {
		err = fmt.Errorf("version %v, this program knows %d", v, CatalogueVersion)
	}
	if err == nil {
		err = c.each([]byte{spaceCollection}, nil, func(rest, v []byte) (bool, error) {
			var l listed
			if err := json.Unmarshal(v, &l); err != nil {
				return false, fmt.Errorf("damaged row of a collection: %w", err)
			}
			c.rows[string(rest)] = &l
			return true, nil
		})
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return c, nil
}

// place is where a crawl stands among others: the newest first, of those that began together the one with the larger id.
func place(k *Crawl) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], ^uint64(max(k.Started.UnixNano(), 0)))
	if k.Started.IsZero() {
		binary.BigEndian.PutUint64(b[:], ^uint64(0))
	}
	out := b[:]
	for i := range len(k.ID) {
		out = append(out, ^k.ID[i])
	}
	return append(out, 0xff)
}

// before is the place of all crawls that began at or before an instant.
func before(ns int64) []byte { return binary.BigEndian.AppendUint64(nil, ^uint64(max(ns, 0))) }

// idOf reads the id from a place and gives what stands behind it.
func idOf(place []byte) (id string, rest []byte, ok bool) {
	if len(place) < 9 {
		return "", nil, false
	}
	end := slices.Index(place[8:], 0xff)
	if end < 0 {
		return "", nil, false
	}
	b := slices.Clone(place[8 : 8+end])
	for i := range b {
		b[i] = ^b[i]
	}
	return string(b), place[8+end+1:], true
}

func key(space byte, parts ...string) []byte {
	out := []byte{space}
	for _, p := range parts {
		out = append(append(out, p...), 0)
	}
	return out
}

func keyCollection(name string) []byte { return append([]byte{spaceCollection}, name...) }
func keyID(name, id string) []byte     { return append(key(spaceID, name), id...) }

// row returns the row of a collection, which is not to be changed; nil if there is none.
func (c *catalogue) row(name string) *listed {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.rows[name]
}

// copyOf returns a row of a collection to be changed; nil if there is none.
func (c *catalogue) copyOf(name string) *listed {
	l := c.row(name)
	if l == nil {
		return nil
	}
	return l.copy()
}

// eachRow passes the rows of all collections, in no order.
func (c *catalogue) eachRow(do func(name string, row *listed)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for name, row := range c.rows {
		do(name, row)
	}
}

// keep makes a row, or with nil none, what others read from now on.
func (c *catalogue) keep(name string, row *listed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if row == nil {
		delete(c.rows, name)
		return
	}
	c.rows[name] = row.copy()
}

// crawl reads the row of a crawl; nil if there is none.
func (c *catalogue) crawl(name, id string) (*Crawl, error) {
	v, err := durable.Get(c.db, keyID(name, id))
	if err != nil || v == nil {
		return nil, err
	}
	if len(v) < 8 {
		return nil, errDamaged
	}
	return c.at(name, v[8:])
}

// at reads the row of the crawl at a place.
func (c *catalogue) at(name string, place []byte) (*Crawl, error) {
	v, err := durable.Get(c.db, append(key(spaceCrawl, name), place...))
	if err != nil {
		return nil, err
	}
	id, _, ok := idOf(place)
	if v == nil || !ok {
		return nil, errors.New("the catalogue lists a crawl that it does not have")
	}
	return decodeCrawl(name, id, v)
}

// orders are the keys under which a crawl is found.
func orders(k *Crawl) [][]byte {
	p := place(k)
	in := func(prefix []byte, state byte) []byte { return append(append(prefix, state), p...) }
	all := func(state byte) []byte { return append(append(in(key(spaceState, ""), state), k.Collection...), 0) }
	out := [][]byte{in(key(spaceState, k.Collection), stateBytes[k.State]), all(stateAll), all(stateBytes[k.State])}
	if k.Coherence != nil && k.Coherence.Total() > 0 {
		out = append(out, in(key(spaceState, k.Collection), stateMeasured))
	}
	if k.Name != "" {
		out = append(out, append(key(spaceName, k.Collection, k.Name), p...))
	}
	return out
}

// change is a batch of changes to one collection.
type change struct {
	*catalogue
	row  *listed
	b    *pebble.Batch
	name string
}

func (c *catalogue) change(name string, row *listed) *change {
	return &change{c, row, c.db.NewBatch(), name}
}

// replace takes a crawl out and puts another in; either may be nil.
func (w *change) replace(old, k *Crawl) error {
	var errs []error
	if old != nil {
		w.row.count(old, -1)
		for _, o := range orders(old) {
			errs = append(errs, w.b.Delete(o, nil))
		}
		errs = append(errs, w.b.Delete(append(key(spaceCrawl, w.name), place(old)...), nil), w.b.Delete(keyID(w.name, old.ID), nil))
	}
	if k != nil {
		w.row.count(k, 1)
		for _, o := range orders(k) {
			errs = append(errs, w.b.Set(o, nil, nil))
		}
		p := place(k)
		errs = append(errs, w.b.Set(append(key(spaceCrawl, w.name), p...), encodeCrawl(k), nil),
			w.b.Set(keyID(w.name, k.ID), append(binary.BigEndian.AppendUint64(nil, k.stamp), p...), nil))
	}
	w.row.Changes++
	return errors.Join(errs...)
}

// commit makes the changes, and the row of the collection with them.
func (w *change) commit() error {
	err := w.putRow(w.b)
	if err == nil {
		err = w.b.Commit(pebble.NoSync)
	}
	if err = errors.Join(err, w.b.Close()); err != nil {
		return err
	}
	var head Head
	first := func(prefix []byte, take func(*Crawl)) error {
		return w.each(prefix, nil, func(rest, _ []byte) (bool, error) {
			k, err := w.at(w.name, rest)
			if err == nil {
				take(k)
			}
			return false, err
		})
	}
	err = errors.Join(first(key(spaceCrawl, w.name), head.newest), first(append(key(spaceState, w.name), stateMeasured), head.measured))
	ran := map[string]time.Time{}
	for _, p := range w.row.Plans {
		err = errors.Join(err, first(key(spaceName, w.name, p.Name), func(k *Crawl) { ran[p.Name] = k.Started }))
	}
	if err == nil && !(reflect.DeepEqual(head, w.row.Head) && maps.EqualFunc(ran, w.row.Ran, time.Time.Equal)) {
		w.row.Head, w.row.Ran = head, ran
		err = w.putRow(w.db)
	}
	if err == nil {
		w.keep(w.name, w.row)
	}
	return err
}

func (w *change) putRow(to pebble.Writer) error {
	v, err := json.Marshal(w.row)
	if err != nil {
		return err
	}
	return to.Set(keyCollection(w.name), v, pebble.NoSync)
}

// drop takes a collection out with its crawls.
func (c *catalogue) drop(name string) error {
	row := c.copyOf(name)
	if row == nil {
		return nil
	}
	w := c.change(name, row)
	err := c.each(key(spaceCrawl, name), nil, func(p, v []byte) (bool, error) {
		id, _, ok := idOf(p)
		if !ok {
			return false, errDamaged
		}
		k, err := decodeCrawl(name, id, v)
		if err != nil {
			return false, err
		}
		return true, w.replace(k, nil)
	})
	if err != nil {
		return errors.Join(err, w.b.Close())
	}
	if err := w.b.Delete(keyCollection(name), nil); err != nil {
		return errors.Join(err, w.b.Close())
	}
	if err := errors.Join(w.b.Commit(pebble.NoSync), w.b.Close()); err != nil {
		return err
	}
	c.keep(name, nil)
	return nil
}

// each passes what stands below a prefix, from a place on, without the prefix, until fn says no.
func (c *catalogue) each(prefix, from []byte, fn func(rest, value []byte) (bool, error)) error {
	lower, upper := durable.Bounds(prefix)
	it, err := c.db.NewIter(&pebble.IterOptions{LowerBound: append(slices.Clone(lower), from...), UpperBound: upper})
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err != nil {
			return errors.Join(err, it.Close())
		}
		more, err := fn(it.Key()[len(prefix):], v)
		if err != nil || !more {
			return errors.Join(err, it.Close())
		}
	}
	return errors.Join(it.Error(), it.Close())
}

// back passes what stands below a prefix and before a place, the nearest first, until fn says no.
func (c *catalogue) back(prefix, until []byte, fn func(rest, value []byte) (bool, error)) error {
	it, err := c.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: append(slices.Clone(prefix), until...)})
	if err != nil {
		return err
	}
	for ok := it.Last(); ok; ok = it.Prev() {
		v, err := it.ValueAndErr()
		if err != nil {
			return errors.Join(err, it.Close())
		}
		more, err := fn(it.Key()[len(prefix):], v)
		if err != nil || !more {
			return errors.Join(err, it.Close())
		}
	}
	return errors.Join(it.Error(), it.Close())
}

// value reads the row of the crawl at a place of a collection, as it is stored.
func (w *change) value(place []byte) ([]byte, error) {
	return durable.Get(w.db, append(key(spaceCrawl, w.name), place...))
}
