package durable

import (
	"encoding/binary"
	"time"
)

// AppendString writes what Reader.String reads.
func AppendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendBytes writes what Reader.Bytes reads.
func AppendBytes(b, s []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendTime writes what Reader.Time reads; milliseconds are kept.
func AppendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	return binary.AppendVarint(b, t.UnixMilli())
}
