package history

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"varve/archive/durable"
)

// appendEntry writes the value of an entry; its key is the key of the store.
func appendEntry(b []byte, e *Entry) []byte {
	b = durable.AppendString(b, unless(e.URL, e.Key))
	b = durable.AppendTime(durable.AppendTime(b, e.First), e.Last)
	b = binary.AppendUvarint(b, uint64(e.Visits))
	b = binary.AppendVarint(b, int64(e.Status))
	b = durable.AppendString(b, e.MIME)
	b = binary.AppendUvarint(b, uint64(max(e.Size, 0)))
	b = durable.AppendString(durable.AppendString(b, e.ETag), e.LastModified)
	b = binary.AppendUvarint(b, uint64(len(e.Digests)))
	for _, d := range e.Digests {
		b = durable.AppendString(durable.AppendString(b, d.Name), d.Sum)
	}
	b = appendReference(b, e.Latest, e.URL)
	same := e.Original == e.Latest
	b = append(b, flag(same))
	if !same {
		b = appendReference(b, e.Original, e.URL)
	}
	return appendChanges(b, e)
}

func appendChanges(b []byte, e *Entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(e.Layers)))
	for _, l := range e.Layers {
		b = durable.AppendString(b, l)
	}
	b = binary.AppendUvarint(b, uint64(e.Older.Visits))
	b = durable.AppendTime(b, e.Older.To)
	b = binary.AppendUvarint(b, uint64(len(e.Older.Layers)))
	for _, n := range e.Older.Layers {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(n.Compared)), uint64(n.Changed))
	}
	b = binary.AppendUvarint(b, uint64(len(e.Changes)))
	last := int64(0)
	for _, c := range e.Changes {
		ms := c.At.UnixMilli()
		b = binary.AppendVarint(b, ms-last)
		b = binary.AppendVarint(b, int64(c.Status))
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(c.Compared)), uint64(c.Changed))
		last = ms
	}
	return b
}

func decodeEntry(key string, v []byte) (Entry, error) {
	r := durable.NewReader(v)
	e := Entry{Key: key, URL: r.String()}
	if e.URL == "" {
		e.URL = key
	}
	e.First, e.Last = r.Time(), r.Time()
	e.Visits, e.Status = r.Int(), int(r.Varint())
	e.MIME, e.Size = r.String(), r.Int64()
	e.ETag, e.LastModified = r.String(), r.String()
	for range count(&r) {
		e.Digests = append(e.Digests, Digest{Name: r.String(), Sum: r.String()})
	}
	e.Latest = readReference(&r, e.URL)
	e.Original = e.Latest
	if r.Byte() == 0 {
		e.Original = readReference(&r, e.URL)
	}
	readChanges(&r, &e)
	return e, r.Done("history entry")
}

func readChanges(r *durable.Reader, e *Entry) {
	if n := count(r); n > maxLayers {
		r.Fail(fmt.Errorf("%d layers", n))
	} else {
		for range n {
			e.Layers = append(e.Layers, r.String())
		}
	}
	e.Older.Visits, e.Older.To = r.Int(), r.Time()
	for range count(r) {
		e.Older.Layers = append(e.Older.Layers, LayerCount{Compared: r.Int(), Changed: r.Int()})
	}
	ms := int64(0)
	for range count(r) {
		ms += r.Varint()
		e.Changes = append(e.Changes, Change{
			At: time.UnixMilli(ms).UTC(), Status: int(r.Varint()),
			Compared: Layers(r.Upto(math.MaxUint16)), Changed: Layers(r.Upto(math.MaxUint16)),
		})
	}
}

// count reads a number of elements. An element has at least two bytes, so a damaged number cannot
// make us read for long.
func count(r *durable.Reader) int {
	n := r.Int()
	if n > r.Len() {
		r.Fail(fmt.Errorf("%d elements in %d bytes", n, r.Len()))
		return 0
	}
	return n
}

// appendReference writes a reference; its URI is left out when it is uri.
func appendReference(b []byte, r Reference, uri string) []byte {
	b = append(b, flag(r.URI == uri))
	if r.URI != uri {
		b = durable.AppendString(b, r.URI)
	}
	b = binary.AppendVarint(b, r.Date.Unix())
	b = binary.AppendUvarint(b, uint64(r.Date.Nanosecond()))
	b = appendID(b, r.ID)
	b = durable.AppendString(b, r.Location.File)
	return binary.AppendVarint(binary.AppendVarint(b, r.Location.Offset), r.Location.Length)
}

func readReference(rd *durable.Reader, uri string) Reference {
	r := Reference{URI: uri}
	if rd.Byte() == 0 {
		r.URI = rd.String()
	}
	r.Date = time.Unix(rd.Varint(), int64(rd.Upto(999_999_999))).UTC()
	r.ID = readID(rd)
	r.Location.File = rd.String()
	r.Location.Offset, r.Location.Length = rd.Varint(), rd.Varint()
	return r
}

const uuidPrefix, uuidSuffix = "<urn:uuid:", ">"

// appendID writes a record id; the usual "<urn:uuid:8-4-4-4-12>" takes 17 bytes instead of 48.
func appendID(b []byte, id string) []byte {
	text, ok := strings.CutPrefix(id, uuidPrefix)
	text, ok2 := strings.CutSuffix(text, uuidSuffix)
	if raw, err := hex.DecodeString(strings.ReplaceAll(text, "-", "")); ok && ok2 && err == nil && formatID(raw) == id {
		return append(append(b, 1), raw...)
	}
	return durable.AppendString(append(b, 0), id)
}

func readID(r *durable.Reader) string {
	if r.Byte() == 0 {
		return r.String()
	}
	raw := make([]byte, 16)
	for i := range raw {
		raw[i] = r.Byte()
	}
	return formatID(raw)
}

func formatID(raw []byte) string {
	if len(raw) != 16 {
		return ""
	}
	return fmt.Sprintf("%s%x-%x-%x-%x-%x%s", uuidPrefix, raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:], uuidSuffix)
}

func unless(s, same string) string {
	if s == same {
		return ""
	}
	return s
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
