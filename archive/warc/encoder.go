package warc

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
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
	buf     []byte
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
