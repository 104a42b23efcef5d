package frontier

import (
	"fmt"
	"time"
)

// Config says how a frontier orders its URLs and how much memory it may use. The zero value is
// made usable by Open through WithDefaults; Order and Buckets are fixed once a frontier exists.
type Config struct {
	Order   Order   `toml:"order"`   // in which order a host gives out its URLs; default BestFirst
	Combine Combine `toml:"combine"` // how a score changes when a queued URL is found again; default Max
	Buckets int     `toml:"buckets"` // steps of the score that ordering tells apart; default 1000

	CacheBytes    int64 `toml:"cache_bytes"`    // blocks of the store held in memory; default 16 MiB
	MemtableBytes int64 `toml:"memtable_bytes"` // one write buffer; two exist at a time; default 4 MiB
	FilterBytes   int64 `toml:"filter_bytes"`   // the filter of seen keys at its largest; default 16 MiB
	RecentKeys    int   `toml:"recent_keys"`    // recently looked-up keys kept exactly; default 16384
	MaxHosts      int   `toml:"max_hosts"`      // hosts resident in memory; default 10000
	HeadItems     int   `toml:"head_items"`     // URLs kept in memory at the head of one host; default 32
	HeadBytes     int64 `toml:"head_bytes"`     // URLs kept in memory at the heads of all hosts; default 4 MiB
	MaxItemBytes  int   `toml:"max_item_bytes"` // one item as stored; larger ones are refused; default 64 KiB

	// SyncInterval is the least time between two syncs of the log: callers that arrive in
	// between share the next one. Zero syncs as soon as the disk is ready for it.
	SyncInterval time.Duration `toml:"sync_interval"`

	// MaxWait is the longest that a URL is ever told to wait. One that would still have to wait for longer was
	// queued by a clock that has been set back since, and is due, unless it waits for good (a thousand years and
	// more), for Place. Zero is no bound.
	MaxWait time.Duration `toml:"max_wait"`
}

// What the parts of a resident thing cost beside their variable bytes; measured, rounded up.
const (
	hostOverhead   = 400       // host struct, two map entries, name and domain
	recentOverhead = 160       // slot and an average key
	processBytes   = 112 << 20 // 40 of it are holes that the C allocator of glibc leaves
	maxBand        = 15
)

// WithDefaults fills every unset field.
func (c Config) WithDefaults() Config {
	setDefault(&c.Order, BestFirst)
	setDefault(&c.Combine, Max)
	setDefault(&c.Buckets, 1000)
	setDefault(&c.CacheBytes, 16<<20)
	setDefault(&c.MemtableBytes, 4<<20)
	setDefault(&c.FilterBytes, 16<<20)
	setDefault(&c.RecentKeys, 1<<14)
	setDefault(&c.MaxHosts, 10000)
	setDefault(&c.HeadItems, 32)
	setDefault(&c.HeadBytes, 4<<20)
	setDefault(&c.MaxItemBytes, 64<<10)
	return c
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// Validate tells what is wrong with a configuration, or nil. It expects WithDefaults to have run.
func (c Config) Validate() error {
	if err := c.Order.validate(); err != nil {
		return err
	}
	if err := c.Combine.validate(); err != nil {
		return err
	}
	for _, b := range []struct {
		name     string
		v        int64
		min, max int64
	}{
		{"buckets", int64(c.Buckets), 1, scoreUnit},
		{"cache_bytes", c.CacheBytes, 1 << 20, 1 << 40},
		{"memtable_bytes", c.MemtableBytes, 256 << 10, 2 << 30},
		{"filter_bytes", c.FilterBytes, 64 << 10, 1 << 40},
		{"recent_keys", int64(c.RecentKeys), 1, 1 << 28},
		{"max_hosts", int64(c.MaxHosts), 2, 1 << 30},
		{"head_items", int64(c.HeadItems), 1, 1 << 16},
		{"head_bytes", c.HeadBytes, 4 << 10, 1 << 40},
		{"max_item_bytes", int64(c.MaxItemBytes), 256, 1 << 20},
		{"sync_interval", int64(c.SyncInterval), 0, int64(time.Second)},
	} {
		if b.v < b.min || b.v > b.max {
			return fmt.Errorf("frontier config: %s = %d is not between %d and %d", b.name, b.v, b.min, b.max)
		}
	}
	return nil
}

// MemoryBound is what a process may take that holds a frontier and nothing else: the parts on the
// Go heap twice, because the collector lets it double; the filter and the block cache; the write
// buffers, of which the store keeps one more for the next use; and a fixed share for the program
// itself, the allocators, and the buffers of compactions.
func (c Config) MemoryBound() int64 {
	c = c.WithDefaults()
	heap := c.HeadBytes + int64(c.RecentKeys)*recentOverhead + int64(c.MaxHosts)*hostOverhead
	return 2*heap + c.FilterBytes + c.CacheBytes + (memtables+1)*c.MemtableBytes + processBytes
}
