package frontier

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
)

// batchBytes is how large a batch may be that the next commit writes into again: that of addStep URLs has a megabyte or two.
const batchBytes = 2 << 20

// tx is one commit being built. It reads through its own writes, and leaves the memory of the
// frontier as the store will be. All methods need f.mu.
type tx struct {
	f       *Frontier
	batch   *pebble.Batch
	own     map[string]ownWrite // seen records written in this commit
	touched []touchedHost
	report  Report
	changed bool
	woken   bool // a host has work that can be claimed

	keyBuf, valBuf []byte
}

type ownWrite struct {
	rec  seen
	item *Item // of Queued, the item as queued in this commit; nil when the store has it
}

type touchedHost struct {
	h       *host
	before  tally
	known   bool // the host was in the store before
	retired bool
}

func (t *tx) init(f *Frontier) { t.f, t.own = f, map[string]ownWrite{} }

// commit runs fn to build one commit, makes it durable, and returns. Commits get their order
// under mu; waiting for the disk happens outside of it, so that callers share one sync.
//
// When fn fails before it changed anything, its error is all that happens. When it fails later,
// memory and store no longer agree and the frontier stops: opening it again is the remedy.
func (f *Frontier) commit(fn func(*tx) error) (Report, error) {
	f.mu.Lock()
	if f.err != nil {
		defer f.mu.Unlock()
		return Report{}, f.err
	}
	t := &f.tx
	t.begin()
	err := fn(t)
	if err == nil {
		err = t.finish()
	}
	if err != nil {
		if t.changed {
			f.err = fmt.Errorf("frontier stopped: %w", err)
		}
		t.batch.Close()
		f.mu.Unlock()
		return Report{}, err
	}
	batch, report, woken, empty := t.batch, t.report, t.woken, t.batch.Empty()
	if !empty {
		err = f.db.ApplyNoSyncWait(batch, pebble.Sync)
	}
	if err != nil {
		f.err = fmt.Errorf("frontier stopped: %w", err)
	}
	f.hosts.trim()
	f.pending.Add(1)
	f.mu.Unlock()
	defer f.pending.Done()
	if woken {
		f.signal()
	}
	if err == nil && !empty {
		err = f.db.Wait(batch)
	}
	return report, f.settle(batch, err)
}

// settle ends a commit. A failed sync stops the frontier, for later ones may not tell the truth.
func (f *Frontier) settle(b *pebble.Batch, err error) error {
	if err != nil {
		err = fmt.Errorf("write frontier store: %w", err)
		f.mu.Lock()
		if f.err == nil {
			f.err = fmt.Errorf("frontier stopped: %w", err)
		}
		f.mu.Unlock()
		return err
	}
	return b.Close()
}

func (t *tx) begin() {
	t.batch = t.f.db.NewBatch(pebble.WithMaxRetainedSizeBytes(batchBytes))
	clear(t.own)
	clear(t.touched)
	t.touched = t.touched[:0]
	t.report, t.changed, t.woken = Report{}, false, false
}

// finish writes the records of the touched hosts and the counters of the crawl.
func (t *tx) finish() error {
	for i := range t.touched {
		if err := t.writeHost(&t.touched[i]); err != nil {
			return err
		}
	}
	if len(t.touched) == 0 { // counters change with hosts only
		return nil
	}
	t.valBuf = appendCounters(t.valBuf[:0], &t.f.n)
	return t.batch.Set(keyCounters, t.valBuf, nil)
}

// host gives the host of that name, resident and marked as touched; it is made when missing.
func (t *tx) host(name, domain string) (*host, error) {
	h, err := t.f.resident(name)
	if err != nil {
		return nil, err
	}
	if h == nil {
		n := &t.f.n
		// Names may be pieces of a whole page: keep copies.
		h = newHost(strings.Clone(name), hostRecord{id: uint32(n.nextHost), domain: strings.Clone(domain)})
		n.nextHost++
		n.hosts++
		t.f.hosts.add(h)
		t.mark(h, false)
		return h, nil
	}
	t.mark(h, true)
	return h, nil
}

// hostOf gives the host of a queued key, marked as touched.
func (t *tx) hostOf(key string, rec seen) (*host, error) {
	h, err := t.f.residentID(rec.host)
	if err != nil {
		return nil, err
	}
	if h == nil {
		return nil, fmt.Errorf("frontier: host %d of queued %.200q is missing", rec.host, key)
	}
	t.mark(h, true)
	return h, nil
}

func (t *tx) mark(h *host, known bool) {
	t.changed = true
	if h.dirty {
		return
	}
	h.dirty = true
	t.touched = append(t.touched, touchedHost{h: h, before: h.tally, known: known, retired: h.retired})
	t.f.hosts.touch(h)
}

// lookup gives the seen record of a key.
func (t *tx) lookup(key string, hash uint64) (seen, error) {
	if w, ok := t.own[key]; ok {
		return w.rec, nil
	}
	return t.f.lookup(key, hash)
}

// putQueued writes the seen record of a queued key.
func (t *tx) putQueued(key string, hash uint64, rec seen, it *Item) error {
	t.keyBuf = seenKey(t.keyBuf[:0], key)
	t.valBuf = appendQueued(t.valBuf[:0], rec)
	t.own[key] = ownWrite{rec: rec, item: it}
	t.f.recent.put(hash, key, rec)
	return t.batch.Set(t.keyBuf, t.valBuf, nil)
}

// putSettled writes the seen record val of a key that is done or dropped.
func (t *tx) putSettled(key string, hash uint64, rec seen, val []byte) error {
	t.keyBuf = seenKey(t.keyBuf[:0], key)
	t.own[key] = ownWrite{rec: rec}
	t.f.recent.put(hash, key, rec)
	return t.batch.Set(t.keyBuf, val, nil)
}
