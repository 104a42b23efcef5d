package frontier

import (
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
)

// memtables is how many write buffers exist at a time: one being filled, one being flushed.
const memtables = 2

// storeOptions are the settings of the store. Pebble counts its write buffers against the block
// cache, so the cache is made larger by them.
func storeOptions(fs vfs.FS, c Config, log *slog.Logger) *pebble.Options {
	o := &pebble.Options{
		FS:                          fs,
		FormatMajorVersion:          pebble.FormatTableFormatV6,
		CacheSize:                   c.CacheBytes + memtables*c.MemtableBytes,
		MemTableSize:                uint64(c.MemtableBytes),
		MemTableStopWritesThreshold: memtables,
		MaxOpenFiles:                500,
		L0CompactionThreshold:       8, // eight small buffers at once cost less than twice four
		L0StopWritesThreshold:       32,
		Logger:                      durable.Logger(log, "frontier"),
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
	}
	o.TargetFileSizes[0] = 8 << 20
	if c.SyncInterval > 0 {
		o.WALMinSyncInterval = func() time.Duration { return c.SyncInterval }
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionFastest })
	// A filter spares the upper levels most reads of keys that lie in the last one. The last
	// level has none: its keys are asked for only when they are there.
	for i := range o.Levels {
		o.Levels[i].BlockSize = 4 << 10
		if i < len(o.Levels)-1 {
			o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		}
	}
	return o
}
