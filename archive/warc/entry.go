package warc

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"

	"varve/web/wire"
)

// Block is the content of a record to be written: bytes that can be read more than once, since
// the digests stand before them. *bytes.Reader, *strings.Reader and *io.SectionReader are Blocks.
type Block interface {
	io.ReaderAt
	Size() int64
}

// Bytes is a Block in memory.
type Bytes []byte

// ReadAt gives bytes from an offset.
func (b Bytes) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Size gives the number of bytes.
func (b Bytes) Size() int64 { return int64(len(b)) }

// Entry is a record to be written. Version is "WARC/1.1" if empty. If Raw is set, it is written
// as the header byte for byte: that is how records are copied.
type Entry struct {
	Version string
	Header  Header
	Raw     string
	Block   Block
}

// New gives an entry with the fields that every record needs. id comes from NewID.
func New(recordType, id string, date time.Time, block Block) *Entry {
	return &Entry{
		Header: Header{
			{Name: FieldType, Value: recordType},
			{Name: FieldRecordID, Value: id},
			{Name: FieldDate, Value: FormatDate(date)},
			{Name: FieldContentLength, Value: strconv.FormatInt(block.Size(), 10)},
		},
		Block: block,
	}
}

// With adds a field if its value is not empty, and gives the entry back for chaining.
func (e *Entry) With(name, value string) *Entry {
	if value != "" {
		e.Header.Add(name, value)
	}
	return e
}

// NewID makes a record identifier, a random UUID, from the randomness given.
func NewID(random io.Reader) (string, error) {
	var u [16]byte
	if _, err := io.ReadFull(random, u[:]); err != nil {
		return "", fmt.Errorf("record id: %w", err)
	}
	u[6] = u[6]&0x0f | 0x40 // version 4
	u[8] = u[8]&0x3f | 0x80 // variant 10
	const prefix = "<urn:uuid:"
	var out [len(prefix) + 36 + 1]byte
	copy(out[:], prefix)
	text := out[len(prefix):]
	for i, from, to := 0, 0, 0; i < 5; i++ {
		n := [...]int{4, 2, 2, 2, 6}[i]
		hex.Encode(text[to:], u[from:from+n])
		from, to = from+n, to+2*n
		text[to] = '-'
		to++
	}
	text[36] = '>'
	return string(out[:]), nil
}

// Sums are the digests of a block, as they are written in headers.
type Sums struct {
	Block         string // sha1 of the block
	Payload       string // sha1 of the payload
	PayloadSHA256 string // sha256 of the payload
}

// Sum digests a block in one pass. The payload starts at bodyAt (0: the block is the payload) and
// is taken without chunk framing if chunked says so.
func Sum(b Block, bodyAt int64, chunked bool) (Sums, error) {
	block, payload, strong := sha1.New(), sha1.New(), sha256.New()
	var d wire.Dechunker
	var dErr error
	at := int64(0)
	err := eachPiece(b, func(p []byte) error {
		block.Write(p)
		body := p[min(int64(len(p)), max(0, bodyAt-at)):]
		at += int64(len(p))
		if !chunked {
			payload.Write(body)
			strong.Write(body)
		} else if dErr == nil {
			_, dErr = d.Feed(body, func(span []byte) { payload.Write(span); strong.Write(span) })
		}
		return nil
	})
	if err != nil {
		return Sums{}, err
	}
	if chunked && dErr != nil && !d.Started() {
		return Sum(b, bodyAt, false) // it was not chunked after all
	}
	return Sums{base32Sum(block), base32Sum(payload), FormatDigest("sha256", strong.Sum(nil))}, nil
}

func base32Sum(h hash.Hash) string { return FormatDigest("sha1", h.Sum(nil)) }

// eachPiece calls fn with the bytes of a block: all at once if they are in memory.
func eachPiece(b Block, fn func([]byte) error) error {
	if mem, ok := b.(Bytes); ok {
		return fn(mem)
	}
	buf := make([]byte, min(64<<10, max(1, b.Size())))
	for at := int64(0); at < b.Size(); {
		n, err := b.ReadAt(buf[:min(int64(len(buf)), b.Size()-at)], at)
		if n > 0 {
			if err := fn(buf[:n]); err != nil {
				return err
			}
			at += int64(n)
		}
		if err != nil && (!errors.Is(err, io.EOF) || at < b.Size()) {
			return fmt.Errorf("read block at %d of %d: %w", at, b.Size(), err)
		}
	}
	return nil
}

// head gives the bytes of the header. Line ends inside a field would forge further fields, so
// they are refused.
func (e *Entry) head(buf []byte) ([]byte, error) {
	if e.Raw != "" {
		return append(buf, e.Raw...), nil
	}
	version := e.Version
	if version == "" {
		version = "WARC/1.1"
	}
	buf = append(append(buf, version...), "\r\n"...)
	for _, f := range e.Header {
		if f.Name == "" || strings.ContainsAny(f.Name, "\r\n: ") || strings.ContainsAny(f.Value, "\r\n") {
			return nil, fmt.Errorf("field %q with value %q cannot be written", clip(f.Name), clip(f.Value))
		}
		buf = append(append(append(append(buf, f.Name...), ": "...), f.Value...), "\r\n"...)
	}
	return append(buf, "\r\n"...), nil
}
