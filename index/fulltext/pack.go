package fulltext

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"varve/derive"
)

// texts are the fields of a document that are strings, in the order of the file.
func texts(v *derive.VersionRow) []*string {
	return []*string{
		&v.URL, &v.SURT, &v.Host, &v.Domain, &v.Crawl, &v.MIME, &v.Language, &v.Title, &v.Text, &v.DateSource, &v.Anchors, &v.State, &v.Digest, &v.File,
	}
}

// times are those that are instants; zero is written as the least number.
func times(v *derive.VersionRow) []*time.Time {
	return []*time.Time{&v.From, &v.Last, &v.Until, &v.Dated}
}

// pack writes a document: texts and minhash with their lengths, then numbers as varints.
func pack(b []byte, v *derive.VersionRow) []byte {
	for _, s := range texts(v) {
		b = append(binary.AppendUvarint(b, uint64(len(*s))), *s...)
	}
	b = append(binary.AppendUvarint(b, uint64(len(v.Minhash))), v.Minhash...)
	for _, t := range times(v) {
		micro := int64(math.MinInt64)
		if !t.IsZero() {
			micro = t.UnixMicro()
		}
		b = binary.AppendVarint(b, micro)
	}
	for _, n := range []int64{int64(v.Captures), int64(v.Words), int64(v.Inlinks), v.Size, v.Offset, v.Length} {
		b = binary.AppendVarint(b, n)
	}
	b = binary.LittleEndian.AppendUint64(b, v.Simhash)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v.Confidence))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v.DateConfidence))
	for _, s := range published(v) {
		b = append(binary.AppendUvarint(b, uint64(len(*s))), *s...)
	}
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(v.PublishedConfidence))
}

// published are the texts of the day of publication. They stand at the end: documents that were packed before there was one have none.
func published(v *derive.VersionRow) []*string { return []*string{&v.Published, &v.PublishedSource} }

// unpack reads what pack wrote.
func unpack(b []byte) (*derive.VersionRow, error) {
	r := columnsReader{b: b}
	v := &derive.VersionRow{}
	for _, s := range texts(v) {
		*s = string(r.take(r.uvarint()))
	}
	v.Minhash = append([]byte(nil), r.take(r.uvarint())...)
	for _, t := range times(v) {
		if micro := r.varint(); micro != math.MinInt64 {
			*t = time.UnixMicro(micro).UTC()
		}
	}
	v.Captures, v.Words, v.Inlinks = int32(r.varint()), int32(r.varint()), int32(r.varint())
	v.Size, v.Offset, v.Length = r.varint(), r.varint(), r.varint()
	v.Simhash = r.uint64()
	if tail := r.take(8); tail != nil {
		v.Confidence = math.Float32frombits(binary.LittleEndian.Uint32(tail))
		v.DateConfidence = math.Float32frombits(binary.LittleEndian.Uint32(tail[4:]))
	}
	if len(r.b) > 0 {
		for _, s := range published(v) {
			*s = string(r.take(r.uvarint()))
		}
		if tail := r.take(4); tail != nil {
			v.PublishedConfidence = math.Float32frombits(binary.LittleEndian.Uint32(tail))
		}
	}
	if r.bad || len(r.b) > 0 {
		return nil, errors.New("a document is damaged")
	}
	return v, nil
}

func (r *columnsReader) varint() int64 {
	x, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return x
}
