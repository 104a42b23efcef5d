package frontier

import (
	"encoding/binary"
	"fmt"
	"math"
)

// tally are the durable counters that a host and the whole crawl have in common. queued counts
// what is on disk, so URLs in flight too.
type tally struct {
	queued, late, done, failed, dropped, retries, bytes int64
}

func (t *tally) fields() [7]*int64 {
	return [...]*int64{&t.queued, &t.late, &t.done, &t.failed, &t.dropped, &t.retries, &t.bytes}
}

// counters are those of the whole crawl; nextSeq and nextHost are the next free numbers.
type counters struct {
	tally
	nextSeq, nextHost      int64
	hosts, active, retired int64 // hosts known, with queued URLs; queued URLs of retired hosts
}

func (c *counters) fields() []*int64 {
	t := c.tally.fields()
	return append(t[:], &c.nextSeq, &c.nextHost, &c.hosts, &c.active, &c.retired)
}

func appendCounters(b []byte, c *counters) []byte { return appendNumbers(b, c.fields()) }

func decodeCounters(v []byte) (counters, error) {
	var c counters
	r := reader{b: v}
	r.numbers(c.fields())
	return c, r.done("counters")
}

// hostRecord is what the store holds of a host.
type hostRecord struct {
	id      uint32
	retired bool
	domain  string
	tally   tally
}

func appendHost(b []byte, h *hostRecord) []byte {
	flags := byte(0)
	if h.retired {
		flags = 1
	}
	b = binary.AppendUvarint(b, uint64(h.id))
	b = appendString(append(b, flags), h.domain)
	f := h.tally.fields()
	return appendNumbers(b, f[:])
}

func decodeHost(v []byte) (hostRecord, error) {
	r := reader{b: v}
	id := r.uvarint()
	if id > math.MaxUint32 {
		r.fail(fmt.Errorf("host number %d is too large", id))
	}
	h := hostRecord{id: uint32(id), retired: r.byte() == 1, domain: r.string()}
	f := h.tally.fields()
	r.numbers(f[:])
	return h, r.done("host record")
}

// appendNumbers writes a counted list of numbers, so that a later version may add some.
func appendNumbers(b []byte, ns []*int64) []byte {
	b = binary.AppendUvarint(b, uint64(len(ns)))
	for _, n := range ns {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	return b
}

func (r *reader) numbers(ns []*int64) {
	if n := r.uvarint(); n != uint64(len(ns)) && r.err == nil {
		r.fail(fmt.Errorf("%d numbers, not %d", n, len(ns)))
	}
	for _, p := range ns {
		v := r.uvarint()
		if v > math.MaxInt64 {
			r.fail(fmt.Errorf("number %d is too large", v))
			return
		}
		*p = int64(v)
	}
}
