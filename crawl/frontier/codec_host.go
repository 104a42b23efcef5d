package frontier

import (
	"encoding/binary"
	"fmt"
	"math"

	"varve/archive/durable"
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
	r := durable.NewReader(v)
	readNumbers(&r, c.fields())
	return c, r.Done("counters")
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
	b = durable.AppendString(append(b, flags), h.domain)
	f := h.tally.fields()
	return appendNumbers(b, f[:])
}

func decodeHost(v []byte) (hostRecord, error) {
	r := durable.NewReader(v)
	h := hostRecord{id: uint32(r.Upto(math.MaxUint32)), retired: r.Byte() == 1, domain: r.String()}
	f := h.tally.fields()
	readNumbers(&r, f[:])
	return h, r.Done("host record")
}

// appendNumbers writes a counted list of numbers, so that a later version may add some.
func appendNumbers(b []byte, ns []*int64) []byte {
	b = binary.AppendUvarint(b, uint64(len(ns)))
	for _, n := range ns {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	return b
}

func readNumbers(r *durable.Reader, ns []*int64) {
	if n := r.Int(); n != len(ns) {
		r.Fail(fmt.Errorf("%d numbers, not %d", n, len(ns)))
	}
	for _, p := range ns {
		*p = r.Int64()
	}
}
