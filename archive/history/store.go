package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
)

// FormatVersion is the version of the stored format that this package writes and reads.
const FormatVersion = 1

// The errors that callers tell apart.
var (
	ErrClosed  = errors.New("history is closed")
	ErrVersion = errors.New("history has another format version")
)

// Config bounds a history. Zero fields get their defaults.
type Config struct {
	MaxChanges    int      `toml:"max_changes"`    // visits listed per URL; default 64
	Index         []string `toml:"index"`          // digests found by ByDigest; default sha1
	CacheBytes    int64    `toml:"cache_bytes"`    // blocks held in memory; default 8 MiB
	MemtableBytes int64    `toml:"memtable_bytes"` // one of two write buffers; default 4 MiB
	MaxBytes      int      `toml:"max_bytes"`      // of one observation; default 64 KiB
}

// WithDefaults fills every unset field.
func (c Config) WithDefaults() Config {
	if c.MaxChanges == 0 {
		c.MaxChanges = 64
	}
	if len(c.Index) == 0 {
		c.Index = []string{"sha1"}
	}
	if c.CacheBytes == 0 {
		c.CacheBytes = 8 << 20
	}
	if c.MemtableBytes == 0 {
		c.MemtableBytes = 4 << 20
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 64 << 10
	}
	return c
}

// Validate tells what is wrong with a configuration, or nil. It expects WithDefaults to have run.
func (c Config) Validate() error {
	switch {
	case c.MaxChanges < 1 || c.MaxChanges > 1<<16:
		return fmt.Errorf("history config: max_changes = %d is not between 1 and %d", c.MaxChanges, 1<<16)
	case c.CacheBytes < 1<<20 || c.MemtableBytes < 256<<10 || c.MemtableBytes > 2<<30:
		return fmt.Errorf("history config: cache_bytes = %d or memtable_bytes = %d is out of bounds", c.CacheBytes, c.MemtableBytes)
	case c.MaxBytes < 256 || c.MaxBytes > 16<<20:
		return fmt.Errorf("history config: max_bytes = %d is not between 256 and %d", c.MaxBytes, 16<<20)
	}
	for _, name := range c.Index {
		if name == "" || len(name) > 100 {
			return fmt.Errorf("history config: %.100q is no name of a digest", name)
		}
	}
	return nil
}

// Store is the history of one collection. All methods may be called at the same time.
type Store struct {
	cfg     Config
	db      *durable.Store
	pending sync.WaitGroup // calls that use the store without holding mu

	mu  sync.Mutex // all below, and the order of commits
	err error      // why nothing goes any more: closed, or the store failed
	n   Stats
}

// Stats counts what a history holds.
type Stats struct {
	URLs    int64 `json:"urls"`
	Visits  int64 `json:"visits"`
	Digests int64 `json:"digests"`
}

// The key spaces.
const (
	spaceDigest = 'd'
	spaceEntry  = 'k'
	spaceMeta   = 'm'
)

var (
	keyVersion = []byte{spaceMeta, 'v'}
	keyStats   = []byte{spaceMeta, 'n'}
)

// Open opens the history in dir, or makes a new one there. A collection has one, and one process
// has it open at a time. Opening after a crash is the normal path.
func Open(fs vfs.FS, dir string, cfg Config, log *slog.Logger) (*Store, error) {
	cfg = cfg.WithDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	db, err := durable.Open(dir, storeOptions(fs, cfg, log))
	if err != nil {
		return nil, fmt.Errorf("open history %s: %w", dir, err)
	}
	s := &Store{cfg: cfg, db: db}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("open history %s: %w", dir, err), db.Close())
	}
	return s, nil
}

// storeOptions are the settings of the store. Most questions of a first crawl are for keys that are
// not there, so all levels have filters. Pebble counts its write buffers against the block cache.
func storeOptions(fs vfs.FS, c Config, log *slog.Logger) *pebble.Options {
	o := &pebble.Options{
		FS:                          fs,
		FormatMajorVersion:          pebble.FormatTableFormatV6,
		CacheSize:                   c.CacheBytes + 2*c.MemtableBytes,
		MemTableSize:                uint64(c.MemtableBytes),
		MemTableStopWritesThreshold: 2,
		MaxOpenFiles:                500,
		L0CompactionThreshold:       8,
		L0StopWritesThreshold:       32,
		Logger:                      durable.Logger(log, "history"),
	}
	o.TargetFileSizes[0] = 8 << 20
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionBalanced })
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	return o
}

// load reads or writes what a history says about itself.
func (s *Store) load() error {
	version, err := durable.Get(s.db, keyVersion)
	if err != nil {
		return err
	}
	if version == nil {
		return errors.Join(s.db.Set(keyVersion, binary.AppendUvarint(nil, FormatVersion), pebble.Sync), s.db.Err())
	}
	if v, n := binary.Uvarint(version); n != len(version) || v != FormatVersion {
		return fmt.Errorf("%w: it has %d, this program knows %d; delete it and rebuild it from the WARC files", ErrVersion, v, FormatVersion)
	}
	v, err := durable.Get(s.db, keyStats)
	if err != nil || v == nil {
		return err
	}
	r := durable.NewReader(v)
	s.n = Stats{URLs: r.Int64(), Visits: r.Int64(), Digests: r.Int64()}
	return r.Done("history counters")
}

// Stats counts what the history holds.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// Close waits for the calls under way and closes the store. Later calls give ErrClosed.
func (s *Store) Close() error {
	s.mu.Lock()
	closed := errors.Is(s.err, ErrClosed)
	s.err = ErrClosed
	s.mu.Unlock()
	if closed {
		return nil
	}
	s.pending.Wait()
	return s.db.Close()
}

// enter registers a call that uses the store without holding mu; s.pending.Done ends it.
func (s *Store) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.pending.Add(1)
	return nil
}
