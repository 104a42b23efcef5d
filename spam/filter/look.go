package filter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"

	"varve/archive/durable"
	"varve/crawl/gate"
	"varve/page"
	"varve/spam/content"
	"varve/spam/terms"
)

// lookVersion is the first byte of a look.
const lookVersion = 1

// maxTargets bounds the hosts that are kept of one page.
const maxTargets = 512

// PageOf reads a page of a crawl. The reader may be nil.
func PageOf(p *gate.SampledPage, r *page.Reader) *content.Document {
	doc := content.Read(p.URL, p.Header.Get("Content-Type"), p.Body, r)
	doc.Robots = append(doc.Robots, p.Header.Values("X-Robots-Tag")...)
	doc.Fetched = p.Fetched
	if t, err := http.ParseTime(p.Header.Get("Last-Modified")); err == nil {
		doc.Modified = t
	}
	return doc
}

// appendLook writes what a sample needs of a page. Of the hosts it links to only hashes are kept: they are counted.
func appendLook(b []byte, t content.Trace, f content.Features) []byte {
	b = append(b, lookVersion)
	b = binary.AppendUvarint(b, uint64(len(f)))
	for _, v := range f {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	b = durable.AppendString(b, t.URL)
	b = binary.LittleEndian.AppendUint64(b, t.Text)
	b = binary.LittleEndian.AppendUint64(b, t.Title)
	b = durable.AppendTime(durable.AppendTime(b, t.Modified), t.Fetched)
	hosts := t.Hosts[:min(len(t.Hosts), maxTargets)]
	b = binary.AppendUvarint(b, uint64(len(hosts)))
	for _, h := range hosts {
		b = binary.LittleEndian.AppendUint64(b, terms.Hash(h))
	}
	return b
}

// parseLook reads what appendLook wrote.
func parseLook(b []byte) (t content.Trace, f content.Features, err error) {
	if len(b) == 0 || b[0] != lookVersion {
		return t, f, errors.New("look at a page: of another version")
	}
	d := durable.NewReader(b[1:])
	if n := d.Uvarint(); n != uint64(len(f)) {
		return t, f, fmt.Errorf("look at a page: %d features, this program has %d", n, len(f))
	}
	for i := range f {
		f[i] = math.Float64frombits(eight(&d))
	}
	t.URL, t.Text, t.Title = d.String(), eight(&d), eight(&d)
	t.Modified, t.Fetched = d.Time(), d.Time()
	for range d.Upto(uint64(d.Len() / 8)) {
		t.Hosts = append(t.Hosts, string(binary.LittleEndian.AppendUint64(nil, eight(&d))))
	}
	return t, f, d.Done("look at a page")
}

func eight(d *durable.Reader) (v uint64) {
	for i := range 8 {
		v |= uint64(d.Byte()) << (8 * i)
	}
	return v
}
