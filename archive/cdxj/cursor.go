package cdxj

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sort"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Cursor walks the lines of a range of a Table, in one direction. It reads a block only when its
// lines are asked for. It is for one goroutine and needs no closing.
type Cursor struct {
	t        *Table
	from, to string
	reverse  bool
	page     *tablePage
	block    int64 // the next block to be read
	lines    [][]byte
	text     *blockText
	err      error // io.EOF at the end
	shared   bool  // other cursors use the same text: it is not overwritten
}

// Forward gives a cursor over the lines l with from <= l < to; an empty to means no end.
func (t *Table) Forward(from, to string) *Cursor {
	c := &Cursor{t: t, from: from, to: to}
	if t.blocks == 0 {
		c.err = io.EOF
		return c
	}
	c.block, c.page, c.err = t.seek(from)
	return c
}

// Reverse gives a cursor over the same lines from the last to the first.
func (t *Table) Reverse(from, to string) *Cursor {
	c := &Cursor{t: t, from: from, to: to, reverse: true, block: t.blocks - 1}
	switch {
	case t.blocks == 0:
		c.err = io.EOF
	case to != "":
		c.block, c.page, c.err = t.seek(to)
	}
	return c
}

// Around gives two cursors that meet at a line: back walks from the last line below at down to from,
// ahead from the first that is not below it up to to. They share the block at which they meet, so
// that the lines on both sides of at cost one block, or two where it is the first of a block.
func (t *Table) Around(from, at, to string) (back, ahead *Cursor) {
	ahead = t.Forward(at, to)
	back = &Cursor{t: t, from: from, to: at, reverse: true, block: ahead.block, page: ahead.page, err: ahead.err}
	ahead.shared, back.shared = true, true
	if ahead.err != nil {
		return back, ahead
	}
	if err := ahead.load(); err != nil {
		ahead.err, back.err = err, err
		return back, ahead
	}
	whole := ahead.text.lines
	ahead.lines = within(whole, at, to)
	back.lines = within(whole, from, at)
	back.text = ahead.text
	back.passed(whole)
	back.block--
	ahead.passed(whole)
	ahead.block++
	return back, ahead
}

// Next gives the next line, which is valid until the next call; io.EOF at the end.
func (c *Cursor) Next() ([]byte, error) {
	if err := c.Fill(); err != nil {
		return nil, err
	}
	var line []byte
	if c.reverse {
		line, c.lines = c.lines[len(c.lines)-1], c.lines[:len(c.lines)-1]
	} else {
		line, c.lines = c.lines[0], c.lines[1:]
	}
	return line, nil
}

// Peek gives the next line, valid until the next call of Next, or nil if it stands in a block that
// was not read yet. io.EOF means that there is none.
func (c *Cursor) Peek() ([]byte, error) {
	switch {
	case len(c.lines) == 0:
		return nil, c.err
	case c.reverse:
		return c.lines[len(c.lines)-1], nil
	}
	return c.lines[0], nil
}

// Bound gives a key and timestamp that no line behind the block in hand is less than, without
// reading a block; io.EOF if there are no more blocks in the range. It is for forward cursors.
func (c *Cursor) Bound() (start string, err error) {
	if c.err == nil {
		c.err = c.turn()
	}
	if c.err != nil {
		return "", c.err
	}
	return c.page.starts(c.block), nil
}

// Fill reads blocks until the next line is known; io.EOF if there is none.
func (c *Cursor) Fill() error {
	for len(c.lines) == 0 {
		if c.err == nil {
			c.err = c.advance()
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// advance reads the next block of the range.
func (c *Cursor) advance() error {
	if err := c.turn(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	whole := c.text.lines
	c.lines = within(whole, c.from, c.to)
	c.passed(whole)
	if c.reverse {
		c.block--
	} else {
		c.block++
	}
	return nil
}

// turn makes the page of the next block current; io.EOF if no block of the range is left.
func (c *Cursor) turn() (err error) {
	if c.block < 0 || c.block >= c.t.blocks {
		return io.EOF
	}
	if n := c.block / PageBlocks; c.page == nil || c.page.n != n {
		if c.page, err = c.t.page(n); err != nil {
			return err
		}
	}
	if !c.reverse && c.to != "" && c.page.starts(c.block) >= c.to {
		return io.EOF
	}
	return nil
}

// passed notes that the range ends inside of a block.
func (c *Cursor) passed(whole [][]byte) {
	switch {
	case len(whole) == 0:
	case c.reverse && string(whole[0]) < c.from,
		!c.reverse && c.to != "" && string(whole[len(whole)-1]) >= c.to:
		c.err = io.EOF
	}
}

// within gives the lines in [from, to).
func within(lines [][]byte, from, to string) [][]byte {
	a := sort.Search(len(lines), func(i int) bool { return string(lines[i]) >= from })
	b := len(lines)
	if to != "" {
		b = sort.Search(len(lines), func(i int) bool { return string(lines[i]) >= to })
	}
	return lines[a:max(a, b)]
}

// blockText is an unpacked block; its memory is used again.
type blockText struct {
	text  []byte
	lines [][]byte
}

// inflater holds what is needed only while a block is read; a gzip reader alone has 40 KB.
type inflater struct {
	packed []byte
	in     bytes.Reader
	zip    gzip.Reader
}

// inflaters are free inflaters: lookups come one after the other, each with a cursor of its own.
var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// load reads and unpacks the current block into c.text.
func (c *Cursor) load() error {
	b, err := c.page.block(int(c.block % PageBlocks))
	if err != nil {
		return err
	}
	if c.text == nil || c.shared {
		c.text = new(blockText)
	}
	c.t.reads.Add(1)
	z := inflaters.Get().(*inflater)
	defer inflaters.Put(z)
	if err := z.read(c.t.data, b, c.text); err != nil {
		return fmt.Errorf("block %d (%q): %w", c.block, clip(b.Start), err)
	}
	return nil
}

// read reads a block, checks it and unpacks it.
func (z *inflater) read(data io.ReaderAt, b Block, to *blockText) error {
	if int64(cap(z.packed)) < b.Length {
		z.packed = make([]byte, b.Length)
	}
	z.packed = z.packed[:b.Length]
	if n, err := data.ReadAt(z.packed, b.Offset); n < len(z.packed) {
		return fmt.Errorf("%w: %w", ErrDamaged, readError(b.Offset+int64(n), err))
	}
	sum := sha256.Sum256(z.packed)
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != b.Digest {
		return fmt.Errorf("%w: the block has %s, the idx says %s", ErrDamaged, got, clip(b.Digest))
	}
	if err := z.unpack(to); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(to.lines) == 0 || string(startOf(to.lines[0])) != b.Start {
		return fmt.Errorf("%w: the block does not start as the idx says", ErrDamaged)
	}
	return nil
}

// unpack inflates and cuts into lines.
func (z *inflater) unpack(to *blockText) error {
	z.in.Reset(z.packed)
	if err := z.zip.Reset(&z.in); err != nil {
		return err
	}
	to.text = to.text[:0]
	if size := z.size(); size > cap(to.text) {
		to.text = make([]byte, 0, size+1) // one more, so that the end is seen without growing
	}
	for {
		if len(to.text) == cap(to.text) {
			to.text = append(to.text, make([]byte, max(16<<10, len(to.text)))...)[:len(to.text)]
		}
		n, err := z.zip.Read(to.text[len(to.text):cap(to.text)])
		to.text = to.text[:len(to.text)+n]
		if err == io.EOF {
			return to.cut()
		}
		if err != nil {
			return err
		}
		if len(to.text) > maxUnpacked {
			return fmt.Errorf("unpacks to more than %d bytes", maxUnpacked)
		}
	}
}

// size tells the unpacked size by the end of the member, as far as it can be believed.
func (z *inflater) size() int {
	n := len(z.packed)
	if n < 4 {
		return 0
	}
	return int(min(int64(binary.LittleEndian.Uint32(z.packed[n-4:])), int64(n)*64, maxUnpacked))
}

// cut cuts the text into lines.
func (u *blockText) cut() error {
	u.lines = u.lines[:0]
	if n := bytes.Count(u.text, newline); n > cap(u.lines) {
		u.lines = make([][]byte, 0, n)
	}
	for rest := u.text; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return errors.New("the last line has no end")
		}
		u.lines = append(u.lines, rest[:i:i])
		rest = rest[i+1:]
	}
	return nil
}
