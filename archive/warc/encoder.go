package warc

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varve/archive/warc/smallgz"
)

// DefaultLevel is the gzip level of new files: about what others use, at half their cost.
const DefaultLevel = 6

// Packing says how records are compressed. The zero value is gzip at the default level.
type Packing struct {
	Kind       Compression // Gzip if empty
	Level      int         // gzip 1-9, zstd 1-4 as in klauspost/compress; 0 for the default
	Dictionary []byte      // zstd only
}

// Encoder writes records to a stream, one member each. It is not safe for concurrent use.
type Encoder struct {
	packing Packing
	gz      *gzip.Writer
	zs      *zstd.Encoder
	small   *smallgz.Packer // for short texts, up to the default level
	buf     []byte
	packed  []byte
}

// NewEncoder makes an encoder.
func NewEncoder(p Packing) (*Encoder, error) {
	e := &Encoder{packing: p}
	var err error
	switch p.Kind {
	case Plain:
	case Gzip, "":
		if e.packing.Level == 0 {
			e.packing.Level = DefaultLevel
		}
		if e.packing.Level <= DefaultLevel {
			e.small = new(smallgz.Packer)
		}
		e.gz, err = gzip.NewWriterLevel(io.Discard, e.packing.Level)
	case Zstd:
		e.zs, err = newZstdEncoder(p)
	default:
		err = fmt.Errorf("compression %q is not known (none, gzip, zstd)", p.Kind)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

func newZstdEncoder(p Packing) (*zstd.Encoder, error) {
	opts := []zstd.EOption{zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithZeroFrames(true)}
	if p.Level != 0 {
		opts = append(opts, zstd.WithEncoderLevel(zstd.EncoderLevel(p.Level)))
	}
	if p.Dictionary != nil {
		opts = append(opts, zstd.WithEncoderDict(p.Dictionary))
	}
	return zstd.NewWriter(nil, opts...)
}

// Preamble gives what a file of this packing starts with before its first record: the dictionary
// frame of zstd, else nothing.
func (e *Encoder) Preamble() []byte {
	if e.packing.Kind != Zstd || e.packing.Dictionary == nil {
		return nil
	}
	b := binary.LittleEndian.AppendUint32(nil, dictionaryMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(e.packing.Dictionary)))
	return append(b, e.packing.Dictionary...)
}

// Encode writes one record.
func (e *Encoder) Encode(w io.Writer, entry *Entry) error {
	head, err := entry.head(e.buf[:0])
	if err != nil {
		return err
	}
	e.buf = head
	total := int64(len(head)) + entry.Block.Size() + int64(len(recordEnd))
	if e.small != nil && total <= maxSmall && isNote(entry) {
		if done, err := e.encodeSmall(w, entry); done || err != nil {
			return err
		}
	}
	out, done := e.open(w, total)
	if _, err := out.Write(head); err != nil {
		return err
	}
	err = eachPiece(entry.Block, func(p []byte) error {
		_, err := out.Write(p)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := out.Write(recordEnd); err != nil {
		return err
	}
	return done()
}

// maxSmall is the size up to which a record of plain text is packed by smallgz, whose codes are
// made for such records: an eighth of the cost of a general compressor for a tenth more bytes.
const maxSmall = 4 << 10

// isNote tells records that are short texts of our own making.
func isNote(e *Entry) bool {
	kind := e.Header.Get(FieldType)
	return kind == TypeRequest || kind == TypeMetadata
}

// encodeSmall writes the record whose head is in buf, unless it is no plain text.
func (e *Encoder) encodeSmall(w io.Writer, entry *Entry) (bool, error) {
	err := eachPiece(entry.Block, func(p []byte) error {
		e.buf = append(e.buf, p...)
		return nil
	})
	if err != nil {
		return false, err
	}
	head := len(e.buf) - int(entry.Block.Size())
	e.buf = append(e.buf, recordEnd...)
	var ok bool
	if e.packed, ok = e.small.Append(e.packed[:0], e.buf); !ok {
		e.buf = e.buf[:head]
		return false, nil
	}
	_, err = w.Write(e.packed)
	return true, err
}

// open starts a member of total unpacked bytes.
func (e *Encoder) open(w io.Writer, total int64) (io.Writer, func() error) {
	switch {
	case e.gz != nil:
		e.gz.Reset(w)
		return e.gz, e.gz.Close
	case e.zs != nil:
		e.zs.ResetContentSize(w, total)
		return e.zs, e.zs.Close
	}
	return w, func() error { return nil }
}
