package frontier

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
)

// FormatVersion is the version of the stored format that this package writes and reads.
const FormatVersion = 1

// Frontier is the durable queue of URLs of one crawl. All methods may be called at the same time
// from several goroutines.
type Frontier struct {
	cfg  Config
	rank ranking
	db   *durable.Store
	seed maphash.Seed
	wake chan struct{}

	stop    context.CancelFunc // ends the rebuilding of the filter
	pending sync.WaitGroup     // calls that use the store without holding mu

	mu      sync.Mutex // all below, and the order of commits
	err     error      // why nothing goes any more: closed, or the store failed
	n       counters
	hosts   *hostTable
	rot     rotation
	flights map[string]*flight
	filter  *filter
	rebuilt bool // the filter knows all keys
	recent  *recent
	tx      tx // the commit being built; its buffers are used again
	lookups Lookups

	watcher  Watcher
	ceiling  uint8 // bands from here on are not given out
	ceilings map[string]uint8
}

// flight is a URL that was given out and not yet settled.
type flight struct {
	host *host
	entry
}

// Open opens the frontier in dir, or makes a new one there. Opening after a crash is the normal
// path: what was acknowledged is there, and what was in flight is queued.
//
// The time it takes does not depend on the number of URLs. The filter of seen keys is rebuilt in
// the background; until that is done every key is looked up.
func Open(fs vfs.FS, dir string, cfg Config, log *slog.Logger) (*Frontier, error) {
	cfg = cfg.WithDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	db, err := durable.Open(dir, storeOptions(fs, cfg, log))
	if err != nil {
		return nil, fmt.Errorf("open frontier %s: %w", dir, err)
	}
	f := &Frontier{
		cfg: cfg, db: db, seed: maphash.MakeSeed(), wake: make(chan struct{}, 1),
		rank:  ranking{order: cfg.Order, buckets: uint64(cfg.Buckets)},
		hosts: newHostTable(cfg), flights: map[string]*flight{}, recent: newRecent(cfg.RecentKeys),
		ceiling: AllBands, ceilings: map[string]uint8{},
	}
	if err := f.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("open frontier %s: %w", dir, err), db.Close())
	}
	f.start()
	return f, nil
}

// start prepares the memory side of a loaded frontier.
func (f *Frontier) start() {
	keys := f.n.queued + f.n.done + f.n.dropped
	f.filter = newFilter(f.cfg.FilterBytes, keys)
	f.rot = newRotation(f.n.active > 0)
	f.tx.init(f)
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	if keys == 0 {
		f.rebuilt = true
		return
	}
	f.pending.Go(func() { f.rebuild(ctx) })
	f.signal()
}

// load reads or writes what a frontier says about itself.
func (f *Frontier) load() error {
	version, err := f.get(keyVersion)
	if err != nil {
		return err
	}
	if version == nil {
		f.n.nextSeq, f.n.nextHost = 1, 1
		return f.create()
	}
	if v, n := binary.Uvarint(version); n != len(version) || v != FormatVersion {
		return fmt.Errorf("%w: it has %d, this program knows %d; use the program that wrote it", ErrVersion, v, FormatVersion)
	}
	made, err := f.get(keyConfig)
	if err != nil {
		return err
	}
	if want := f.layout(); string(made) != want {
		return fmt.Errorf("%w: made with %s, opened with %s", ErrConfig, made, want)
	}
	v, err := f.get(keyCounters)
	if err != nil {
		return err
	}
	f.n, err = decodeCounters(v)
	return err
}

func (f *Frontier) create() error {
	b := f.db.NewBatch()
	defer b.Close()
	return errors.Join(
		b.Set(keyVersion, binary.AppendUvarint(nil, FormatVersion), nil),
		b.Set(keyConfig, []byte(f.layout()), nil),
		b.Set(keyCounters, appendCounters(nil, &f.n), nil),
		b.Commit(pebble.Sync),
		f.db.Err(),
	)
}

// layout is the part of the configuration that the keys on disk depend on.
func (f *Frontier) layout() string {
	return fmt.Sprintf("order=%s buckets=%d", f.cfg.Order, f.cfg.Buckets)
}

// Close waits for the calls under way and closes the store. Later calls give ErrClosed.
func (f *Frontier) Close() error {
	f.mu.Lock()
	closed := errors.Is(f.err, ErrClosed)
	f.err = ErrClosed
	f.mu.Unlock()
	if closed {
		return nil
	}
	f.stop()
	f.pending.Wait()
	f.mu.Lock() // after a commit that was being built
	f.filter.close()
	f.mu.Unlock()
	return f.db.Close()
}

// enter registers a call that uses the store without holding mu; leave ends it.
func (f *Frontier) enter() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	f.pending.Add(1)
	return nil
}

func (f *Frontier) leave() { f.pending.Done() }

// get reads a value from the store; nil means that there is none.
func (f *Frontier) get(key []byte) ([]byte, error) { return durable.Get(f.db, key) }

// hash is the number of a key in the filter and the recent table. Its seed is new in every
// process, so no site can choose URLs that crowd them.
func (f *Frontier) hash(key string) uint64 { return maphash.String(f.seed, key) }

// signal wakes a scheduler that waits on Ready.
func (f *Frontier) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}
