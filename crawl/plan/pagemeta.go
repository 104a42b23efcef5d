package plan

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"varve"
	"varve/archive/durable"
	"varve/archive/history"
	"varve/coherence/changerate"
	"varve/text/layer"
)

// What a planned crawl keeps with the URLs of its frontier. The first byte tells the kinds apart.
const (
	metaFound = 'g' // a page that waits for its visit: its group, and what a sitemap says of it
	metaAgain = 'r' // a page that waits for its revisit: what its visit found
)

// found is what is known of a page before its visit.
type found struct {
	group    uint32
	freq     string    // changefreq of a sitemap
	modified time.Time // lastmod of a sitemap
	listed   bool      // in a sitemap
}

func (f *found) append(b []byte) []byte {
	b = binary.AppendUvarint(append(b, metaFound), uint64(f.group))
	listed := byte(0)
	if f.listed {
		listed = 1
	}
	b = durable.AppendString(append(b, listed), f.freq)
	return durable.AppendTime(b, f.modified)
}

// parseFound reads what append wrote; ok is false for items without it.
func parseFound(meta []byte) (f found, ok bool) {
	if len(meta) == 0 || meta[0] != metaFound {
		return f, false
	}
	r := durable.NewReader(meta[1:])
	f.group = uint32(r.Upto(math.MaxUint32))
	f.listed, f.freq, f.modified = r.Byte() == 1, r.String(), r.Time()
	return f, r.Done("group of a page") == nil
}

// firstLook is what the visit of a page found: all that its revisit needs.
type firstLook struct {
	group    uint32
	round    uint32
	placed   bool    // its turn in the revisits is fixed
	seq      uint64  // it was the so-manieth visit of its lane
	rate     float64 // changes per second as believed at the visit
	own      changerate.Own
	at       time.Time
	status   int
	mime     string
	size     int64
	sha1     string // of the payload, as in WARC
	etag     string
	modified string // Last-Modified as sent
	location string // where it redirects
	record   history.Reference
	original history.Reference // that holds the payload; zero: record
	layers   layer.Digests
}

func (f *firstLook) append(b []byte) []byte {
	b = binary.AppendUvarint(append(b, metaAgain), uint64(f.group))
	b = binary.AppendUvarint(b, uint64(f.round))
	placed := byte(0)
	if f.placed {
		placed = 1
	}
	b = binary.AppendUvarint(append(b, placed), f.seq)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(f.rate))
	b = binary.AppendVarint(b, f.at.UnixNano())
	b = binary.AppendUvarint(b, uint64(f.status))
	b = binary.AppendUvarint(b, uint64(max(0, f.size)))
	for _, s := range []string{f.mime, f.sha1, f.etag, f.modified, f.location} {
		b = durable.AppendString(b, s)
	}
	b = appendReference(appendReference(b, f.record), f.original)
	html := byte(0)
	if f.layers.Layered {
		html = 1
	}
	b = append(b, byte(f.layers.Have), html|hasOwn)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(f.own.Changes))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(f.own.Quiet))
	for name, sum := range f.layers.All() {
		if f.layers.Layered || name == layer.Bytes { // of what is no HTML all are the same
			b = durable.AppendBytes(durable.AppendString(b, name.Stored()), sum)
		}
	}
	return b
}

func appendReference(b []byte, r history.Reference) []byte {
	b = durable.AppendString(durable.AppendString(b, r.URI), r.ID)
	date := int64(0)
	if !r.Date.IsZero() {
		date = r.Date.UnixNano()
	}
	b = durable.AppendString(binary.AppendVarint(b, date), r.Location.File)
	b = binary.AppendUvarint(b, uint64(max(0, r.Location.Offset)))
	return binary.AppendUvarint(b, uint64(max(0, r.Location.Length)))
}

func readReference(r *durable.Reader) history.Reference {
	ref := history.Reference{URI: r.String(), ID: r.String()}
	if n := r.Varint(); n != 0 {
		ref.Date = time.Unix(0, n).UTC()
	}
	ref.Location = varve.Location{File: r.String(), Offset: r.Int64(), Length: r.Int64()}
	return ref
}

// hasOwn says that what the page showed of its rate follows.
const hasOwn = 2

func readFloat(r *durable.Reader) float64 {
	var bits uint64
	for range 8 {
		bits = bits<<8 | uint64(r.Byte())
	}
	return math.Float64frombits(bits)
}

// parseFirst reads what append wrote.
func parseFirst(meta []byte) (*firstLook, error) {
	if len(meta) == 0 || meta[0] != metaAgain {
		return nil, fmt.Errorf("revisit without what its visit found")
	}
	r := durable.NewReader(meta[1:])
	f := &firstLook{group: uint32(r.Upto(math.MaxUint32)), round: uint32(r.Upto(math.MaxUint32))}
	f.placed, f.seq = r.Byte() == 1, r.Uvarint()
	f.rate = readFloat(&r)
	f.at = time.Unix(0, r.Varint()).UTC()
	f.status, f.size = r.Int(), r.Int64()
	for _, s := range []*string{&f.mime, &f.sha1, &f.etag, &f.modified, &f.location} {
		*s = r.String()
	}
	f.record, f.original = readReference(&r), readReference(&r)
	have := layer.Set(r.Byte())
	flags := r.Byte()
	if f.layers.Layered = flags&1 == 1; flags&hasOwn != 0 { // not in queues of before 2026-11-17
		f.own = changerate.Own{Changes: readFloat(&r), Quiet: readFloat(&r)}
	}
	for r.Len() > 0 {
		stored, sum := r.String(), r.View()
		name, ok := layer.FromStored(stored)
		if !ok { // read by the rule of an older version: not to be compared with what this one reads
			have &^= layer.SetOf(layer.Main, layer.Near)
			continue
		}
		if err := f.layers.Set(name, sum); err != nil {
			r.Fail(err)
		}
	}
	f.layers.Have = have
	return f, r.Done("first look of a page")
}
