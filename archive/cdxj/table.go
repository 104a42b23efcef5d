package cdxj

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"sort"
	"sync/atomic"
)

// Table is a ZipNum file with fences: sorted lines in gzip members (data), one line of the WACZ kind
// per member (idx), and of every 64th of these a fence in memory. A lookup bisects the fences,
// reads one page of the idx and the blocks it needs, from any part of a file of any size.
//
//	fences (memory)   com,example)/ 2026.. ───┐ one per 64 blocks
//	idx (disk)        page of 64 lines  <─────┘ CRC in the fence
//	data (disk)       block  <── line of idx    SHA-256 in the idx
//
// Whatever is read is checked, so damage is an error (ErrDamaged), never a wrong answer. A Table is
// immutable and safe for concurrent use.
type Table struct {
	data, idx io.ReaderAt
	fences    []fence
	blocks    int64
	lines     int64
	reads     atomic.Int64 // blocks read
}

// OpenTable makes a Table of the two files and the text of its fences.
func OpenTable(data, idx io.ReaderAt, fences []byte) (*Table, error) {
	t := &Table{data: data, idx: idx}
	var err error
	t.fences, t.blocks, t.lines, err = readFences(fences)
	if err != nil {
		return nil, fmt.Errorf("open table: %w", err)
	}
	return t, nil
}

// Lines gives the number of lines.
func (t *Table) Lines() int64 { return t.lines }

// Blocks gives the number of blocks.
func (t *Table) Blocks() int64 { return t.blocks }

// Reads gives the number of blocks that were read since the table was opened.
func (t *Table) Reads() int64 { return t.reads.Load() }

// Range gives the lines l with from <= l < to in byte order; an empty to means no end. A line is
// valid until the next one. An error ends the sequence.
func (t *Table) Range(from, to string) iter.Seq2[[]byte, error] {
	return all(t.Forward(from, to))
}

// Backward gives the lines of Range in the opposite order.
func (t *Table) Backward(from, to string) iter.Seq2[[]byte, error] {
	return all(t.Reverse(from, to))
}

func all(c *Cursor) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			line, err := c.Next()
			if err == io.EOF {
				return
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// tablePage is a page of the idx.
type tablePage struct {
	n     int64 // number of the page
	lines [][]byte
}

// page reads and checks a page.
func (t *Table) page(n int64) (*tablePage, error) {
	f := t.fences[n]
	text := make([]byte, f.length)
	if m, err := t.idx.ReadAt(text, f.offset); m < len(text) {
		return nil, fmt.Errorf("%w: idx: %w", ErrDamaged, readError(f.offset+int64(m), err))
	}
	if crc32.Checksum(text, castagnoli) != f.sum {
		return nil, fmt.Errorf("%w: the idx page at byte %d is not what was written", ErrDamaged, f.offset)
	}
	p := &tablePage{n: n, lines: bytes.Split(bytes.TrimSuffix(text, newline), newline)}
	if want := min(PageBlocks, t.blocks-n*PageBlocks); int64(len(p.lines)) != want {
		return nil, fmt.Errorf("%w: %d lines in the idx page at byte %d, want %d", ErrDamaged, len(p.lines), f.offset, want)
	}
	return p, nil
}

// block gives the place of the i-th block of the page.
func (p *tablePage) block(i int) (Block, error) {
	b, err := parseBlock(string(p.lines[i]), "")
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, err
}

// seek gives the number of the first block that may hold a line that is not less than target: the
// last one that starts below it. The page of that block comes with it.
func (t *Table) seek(target string) (int64, *tablePage, error) {
	if t.blocks == 0 {
		return 0, nil, nil
	}
	n := sort.Search(len(t.fences), func(i int) bool { return t.fences[i].start >= target })
	p, err := t.page(int64(max(0, n-1)))
	if err != nil {
		return 0, nil, err
	}
	i := sort.Search(len(p.lines), func(i int) bool { return string(startOf(p.lines[i])) >= target })
	return p.n*PageBlocks + int64(max(0, i-1)), p, nil
}

// starts gives the key and timestamp of the first line of a block that lies in the page.
func (p *tablePage) starts(n int64) string { return string(startOf(p.lines[n-p.n*PageBlocks])) }

// Span gives the numbers of the blocks, first <= n < end, that may hold lines l with from <= l < to;
// an empty to means no end.
func (t *Table) Span(from, to string) (first, end int64, err error) {
	if t.blocks == 0 {
		return 0, 0, nil
	}
	if first, _, err = t.seek(from); err != nil || to == "" {
		return first, t.blocks, err
	}
	last, _, err := t.seek(to)
	return first, max(first, last) + 1, err
}

// Start gives the key and timestamp of the first line of a block.
func (t *Table) Start(block int64) (string, error) {
	if block < 0 || block >= t.blocks {
		return "", fmt.Errorf("block %d of %d", block, t.blocks)
	}
	p, err := t.page(block / PageBlocks)
	if err != nil {
		return "", err
	}
	return p.starts(block), nil
}

// ReadBlock gives a copy of the lines of a block.
func (t *Table) ReadBlock(block int64) ([][]byte, error) {
	if block < 0 || block >= t.blocks {
		return nil, fmt.Errorf("block %d of %d", block, t.blocks)
	}
	p, err := t.page(block / PageBlocks)
	if err != nil {
		return nil, err
	}
	c := &Cursor{t: t, page: p, block: block}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c.text.lines, nil
}
