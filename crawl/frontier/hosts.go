package frontier

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
)

// resident gives the host of that name from memory or store; nil when it is not known. It needs
// mu.
func (f *Frontier) resident(name string) (*host, error) {
	if h := f.hosts.byName[name]; h != nil {
		return h, nil
	}
	rec, ok, err := readHost(f.db, name)
	if err != nil || !ok {
		return nil, err
	}
	h := newHost(strings.Clone(name), rec)
	f.hosts.add(h)
	return h, nil
}

// residentID is resident for a host known by number; nil when it has no work.
func (f *Frontier) residentID(id uint32) (*host, error) {
	if h := f.hosts.byID[id]; h != nil {
		return h, nil
	}
	name, err := f.get(workKey(nil, id))
	if err != nil || name == nil {
		return nil, err
	}
	return f.resident(string(name))
}

// readHost reads a host record from the store.
func readHost(r pebble.Reader, name string) (hostRecord, bool, error) {
	v, closer, err := r.Get(hostKey(nil, name))
	if errors.Is(err, pebble.ErrNotFound) {
		return hostRecord{}, false, nil
	}
	if err != nil {
		return hostRecord{}, false, fmt.Errorf("read host %.200q: %w", name, err)
	}
	rec, err := decodeHost(v)
	if err == nil {
		err = closer.Close()
	}
	if err != nil {
		return hostRecord{}, false, fmt.Errorf("read host %.200q: %w", name, err)
	}
	return rec, true, nil
}

// writeHost brings the store up to what the commit made of a host: its record, the list of hosts
// with work, the ranking lists, and the counters of the crawl.
func (t *tx) writeHost(th *touchedHost) error {
	h, n := th.h, &t.f.n
	h.dirty = false
	if th.known && th.before == h.tally && th.retired == h.retired {
		return nil
	}
	t.keyBuf = hostKey(t.keyBuf[:0], h.name)
	t.valBuf = appendHost(t.valBuf[:0], &h.hostRecord)
	if err := t.batch.Set(t.keyBuf, t.valBuf, nil); err != nil {
		return err
	}
	before, after := th.before.fields(), h.tally.fields()
	for i, total := range n.tally.fields() {
		*total += *after[i] - *before[i]
	}
	if th.retired {
		n.retired -= th.before.queued
	}
	if h.retired {
		n.retired += h.tally.queued
	}
	if err := t.writeWork(h, th.before.queued > 0, h.tally.queued > 0); err != nil {
		return err
	}
	return t.writeTop(h, &th.before)
}

// writeWork keeps the list of hosts with queued URLs.
func (t *tx) writeWork(h *host, before, after bool) error {
	if before == after {
		return nil
	}
	t.keyBuf = workKey(t.keyBuf[:0], h.id)
	if after {
		t.f.n.active++
		return t.batch.Set(t.keyBuf, []byte(h.name), nil)
	}
	t.f.n.active--
	return t.batch.Delete(t.keyBuf, nil)
}

// Retire takes a host out of the rotation, or puts it back. Its URLs stay queued; Claim and Take
// pass it over. It is how a host that has used up its budget is set aside.
func (f *Frontier) Retire(name string, retired bool) error {
	_, err := f.commit(func(t *tx) error {
		h, err := f.resident(name)
		if err != nil || h == nil || h.retired == retired {
			return err
		}
		t.mark(h, true)
		h.retired = retired
		t.announce(h)
		return nil
	})
	return err
}
