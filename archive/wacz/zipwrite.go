package wacz

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// The ZIP is written by our own code because archive/zip cannot give a local header with ZIP64
// sizes in front of the data, and puts data descriptors or extra fields where the replay tools of
// the field expect none: ReplayWeb.page takes 30 + name length for the start of the data when the
// directory shows no extra field.
const (
	localSignature     = 0x04034b50
	directorySignature = 0x02014b50
	end64Signature     = 0x06064b50
	locatorSignature   = 0x07064b50
	endSignature       = 0x06054b50

	methodStore   = 0
	methodDeflate = 8

	max16 = 0xffff
	max32 = 0xffffffff

	flagUTF8   = 0x800
	madeByUnix = 3<<8 | 45
	regular644 = 0o100644 << 16
)

// zipEntry is one file in the ZIP. Size and CRC are those of the content.
type zipEntry struct {
	name   string
	method uint16
	crc    uint32
	packed int64 // bytes in the ZIP
	size   int64 // bytes unpacked
	offset int64 // of the local header
}

func (e *zipEntry) large() bool { return e.packed >= max32 || e.size >= max32 }

// zipWriter writes a ZIP from front to back; nothing is ever written twice.
type zipWriter struct {
	w       io.Writer
	at      int64
	date    uint16
	time    uint16
	entries []zipEntry
}

func newZipWriter(w io.Writer, when time.Time) *zipWriter {
	z := &zipWriter{w: w}
	z.date, z.time = dosTime(when)
	return z
}

// dosTime gives the two numbers of a ZIP time stamp, which starts in 1980 and counts in steps of
// two seconds. We write UTC.
func dosTime(t time.Time) (date, clock uint16) {
	t = t.UTC()
	year := min(max(t.Year(), 1980), 2107)
	date = uint16(t.Day() | int(t.Month())<<5 | (year-1980)<<9)
	return date, uint16(t.Second()/2 | t.Minute()<<5 | t.Hour()<<11)
}

// add writes one entry: its header, then exactly e.packed bytes of r.
func (z *zipWriter) add(e zipEntry, r io.Reader) error {
	e.offset = z.at
	if err := z.write(z.localHeader(&e)); err != nil {
		return err
	}
	n, err := io.Copy(z.w, r)
	z.at += n
	if err == nil && n != e.packed {
		err = fmt.Errorf("%d bytes instead of %d: did the file change?", n, e.packed)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", e.name, err)
	}
	z.entries = append(z.entries, e)
	return nil
}

func (z *zipWriter) write(b []byte) error {
	n, err := z.w.Write(b)
	z.at += int64(n)
	return err
}

// common appends what local headers and the directory share: from the version to the CRC.
func (z *zipWriter) common(b []byte, e *zipEntry) []byte {
	le := binary.LittleEndian
	needs := uint16(20)
	if e.large() || e.offset >= max32 {
		needs = 45
	}
	b = le.AppendUint16(b, needs)
	b = le.AppendUint16(b, nameFlag(e.name))
	b = le.AppendUint16(b, e.method)
	b = le.AppendUint16(b, z.time)
	b = le.AppendUint16(b, z.date)
	b = le.AppendUint32(b, e.crc)
	packed, size := e.packed, e.size
	if e.large() {
		packed, size = max32, max32
	}
	b = le.AppendUint32(b, uint32(packed))
	b = le.AppendUint32(b, uint32(size))
	return le.AppendUint16(b, uint16(len(e.name)))
}

func nameFlag(name string) uint16 {
	for i := 0; i < len(name); i++ {
		if name[i] >= 0x80 {
			return flagUTF8
		}
	}
	return 0
}

func (z *zipWriter) localHeader(e *zipEntry) []byte {
	le := binary.LittleEndian
	b := z.common(le.AppendUint32(nil, localSignature), e)
	var extra []byte
	if e.large() {
		extra = zip64Extra(uint64(e.size), uint64(e.packed))
	}
	b = le.AppendUint16(b, uint16(len(extra)))
	return append(append(b, e.name...), extra...)
}

func zip64Extra(values ...uint64) []byte {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, 1)
	b = le.AppendUint16(b, uint16(8*len(values)))
	for _, v := range values {
		b = le.AppendUint64(b, v)
	}
	return b
}

// directoryHeader gives the line of an entry in the directory at the end.
func (z *zipWriter) directoryHeader(e *zipEntry) []byte {
	le := binary.LittleEndian
	b := le.AppendUint16(le.AppendUint32(nil, directorySignature), madeByUnix)
	b = z.common(b, e)
	var values []uint64
	if e.large() {
		values = append(values, uint64(e.size), uint64(e.packed))
	}
	if e.offset >= max32 {
		values = append(values, uint64(e.offset))
	}
	var extra []byte
	if values != nil {
		extra = zip64Extra(values...)
	}
	b = le.AppendUint16(b, uint16(len(extra)))
	b = le.AppendUint16(b, 0) // comment
	b = le.AppendUint16(b, 0) // disk
	b = le.AppendUint16(b, 0) // internal attributes
	b = le.AppendUint32(b, regular644)
	b = le.AppendUint32(b, uint32(min(e.offset, max32)))
	return append(append(b, e.name...), extra...)
}

// finish writes the directory.
func (z *zipWriter) finish() error {
	start := z.at
	for i := range z.entries {
		if err := z.write(z.directoryHeader(&z.entries[i])); err != nil {
			return fmt.Errorf("write ZIP directory: %w", err)
		}
	}
	if err := z.write(endOfDirectory(int64(len(z.entries)), start, z.at-start)); err != nil {
		return fmt.Errorf("write ZIP directory: %w", err)
	}
	return nil
}

func endOfDirectory(n, start, size int64) []byte {
	le := binary.LittleEndian
	var b []byte
	if n >= max16 || start >= max32 || size >= max32 {
		b = le.AppendUint32(b, end64Signature)
		b = le.AppendUint64(b, 44) // bytes that follow
		b = le.AppendUint16(b, 45)
		b = le.AppendUint16(b, 45)
		b = le.AppendUint64(b, 0) // this disk, disk of the directory
		for _, v := range []int64{n, n, size, start} {
			b = le.AppendUint64(b, uint64(v))
		}
		b = le.AppendUint32(b, locatorSignature)
		b = le.AppendUint32(b, 0)
		b = le.AppendUint64(b, uint64(start+size))
		b = le.AppendUint32(b, 1)
	}
	b = le.AppendUint32(b, endSignature)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint16(b, uint16(min(n, max16)))
	b = le.AppendUint16(b, uint16(min(n, max16)))
	b = le.AppendUint32(b, uint32(min(size, max32)))
	b = le.AppendUint32(b, uint32(min(start, max32)))
	return le.AppendUint16(b, 0)
}
