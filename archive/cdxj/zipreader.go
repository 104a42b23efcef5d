package cdxj

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"
)

// Limits of a block: its compressed length, and its unpacked length.
const (
	maxBlock    = 16 << 20
	maxUnpacked = 256 << 20
)

// ZipNum looks lines up in a ZipNum file. It keeps nothing in memory but a block.
type ZipNum struct {
	idx  *Lines
	file string // the data file that a WACZ idx names
	open func(shard string) (io.ReaderAt, error)
}

// OpenZipNum makes a ZipNum of an idx of either kind. The function gives the data of a shard (for
// a WACZ idx: of the file that it names); it is called for each block, so it should be cheap.
func OpenZipNum(idx io.ReaderAt, size int64, open func(shard string) (io.ReaderAt, error)) (*ZipNum, error) {
	z := &ZipNum{idx: NewLines(idx, size), open: open}
	for line, err := range z.idx.Range("", "") {
		if err != nil {
			return nil, fmt.Errorf("open idx: %w", err)
		}
		if len(line) > 0 && line[0] == '!' {
			m, err := parseMeta(string(line))
			if err != nil {
				return nil, fmt.Errorf("open idx: %w", err)
			}
			z.file = m.Filename
		}
		break
	}
	return z, nil
}

// Blocks gives the blocks that may hold lines l with from <= l < to; an empty to means no end.
func (z *ZipNum) Blocks(from, to string) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		at, before, err := z.idx.find(from)
		if err != nil {
			yield(Block{}, fmt.Errorf("search idx: %w", err))
			return
		}
		if before >= 0 {
			at = before // lines not less than from may stand in the block that starts below it
		}
		lines := newLineReader(io.NewSectionReader(z.idx.r, at, z.idx.size-at))
		for {
			line, err := lines.next()
			if err == io.EOF {
				return
			}
			if err == nil && (len(line) == 0 || line[0] == '!') {
				continue
			}
			var b Block
			if err == nil {
				b, err = parseBlock(string(line), z.file)
			}
			if err == nil && to != "" && b.Start >= to {
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// Range gives the lines l with from <= l < to in byte order; an empty to means no end. A line is
// valid until the next one. An error ends the sequence.
func (z *ZipNum) Range(from, to string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var u unpacker
		for b, err := range z.Blocks(from, to) {
			if err != nil {
				yield(nil, err)
				return
			}
			data, err := z.open(b.Shard)
			if err == nil {
				err = u.unpack(data, b, func(line []byte) bool {
					if to != "" && string(line) >= to {
						return false
					}
					return string(line) < from || yield(line, nil)
				})
			}
			if errors.Is(err, errStop) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("block %q of %s: %w", clip(b.Start), b.Shard, err))
				return
			}
		}
	}
}

// Records is like Range, and parses the lines. A line that cannot be parsed gives its error and
// the sequence goes on.
func (z *ZipNum) Records(from, to string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for line, err := range z.Range(from, to) {
			var r Record
			if err == nil {
				err = r.Parse(string(line))
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// errStop ends an unpacking early.
var errStop = errors.New("stop")

// unpacker reads blocks; its buffers are used again.
type unpacker struct {
	packed []byte
	zip    gzip.Reader
	lines  lineReader
}

// unpack reads a block, checks its digest if it has one, and gives its lines to f until that
// answers false.
func (u *unpacker) unpack(data io.ReaderAt, b Block, f func([]byte) bool) error {
	if int64(cap(u.packed)) < b.Length {
		u.packed = make([]byte, b.Length)
	}
	u.packed = u.packed[:b.Length]
	if n, err := data.ReadAt(u.packed, b.Offset); n < len(u.packed) {
		return readError(b.Offset+int64(n), err)
	}
	if b.Digest != "" {
		sum := sha256.Sum256(u.packed)
		if got := "sha256:" + hex.EncodeToString(sum[:]); !SameDigest(b.Digest, got) {
			return fmt.Errorf("digest is %s, the idx says %s", got, clip(b.Digest))
		}
	}
	if err := u.zip.Reset(bytes.NewReader(u.packed)); err != nil {
		return err
	}
	limited := &io.LimitedReader{R: &u.zip, N: maxUnpacked}
	u.lines.reset(limited)
	for {
		line, err := u.lines.next()
		switch {
		case limited.N <= 0:
			return fmt.Errorf("unpacks to more than %d bytes", maxUnpacked)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case !f(line):
			return errStop
		}
	}
}
