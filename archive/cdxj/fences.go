package cdxj

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
)

// ErrDamaged is the cause of all errors that tell of a table whose files do not fit together.
var ErrDamaged = errors.New("damaged index")

// PageBlocks is the number of idx lines under one fence.
const PageBlocks = 64

// fencesFormat is how the first line of a fence file starts; the number is its version.
const fencesFormat = "!varve-fences 1 "

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fence is the part of an idx that is held in memory: a page of PageBlocks lines.
type fence struct {
	start  string // key and timestamp of its first block
	offset int64  // of the page in the idx
	length int32
	sum    uint32 // CRC-32C of the page
}

// pager cuts an idx into pages while it is written, and writes a fence for each.
type pager struct {
	idx, fences io.Writer
	at          int64 // bytes of the idx so far
	page        fence
	inPage      int
	buf         []byte
}

// Write takes one line of the idx, as ZipWriter writes them.
func (p *pager) Write(line []byte) (int, error) {
	n, err := p.idx.Write(line)
	if err != nil {
		return n, err
	}
	if line[0] == '!' {
		p.at += int64(len(line))
		return n, nil
	}
	if p.inPage == 0 {
		p.page = fence{start: string(startOf(line)), offset: p.at}
	}
	p.page.sum = crc32.Update(p.page.sum, castagnoli, line)
	p.page.length += int32(len(line))
	p.at += int64(len(line))
	if p.inPage++; p.inPage == PageBlocks {
		err = p.end()
	}
	return n, err
}

// end writes the fence of the page.
func (p *pager) end() error {
	if p.inPage == 0 {
		return nil
	}
	p.inPage = 0
	f := p.page
	p.buf = fmt.Appendf(p.buf[:0], "%s\t%d\t%d\t%08x\n", f.start, f.offset, f.length, f.sum)
	_, err := p.fences.Write(p.buf)
	return err
}

// finish writes the last fence, and the counts behind it.
func (p *pager) finish(blocks, lines int64) error {
	if err := p.end(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.fences, "%s%d %d\n", fencesFormat, blocks, lines)
	return err
}

// readFences reads a fence file: fences, and a last line with the numbers of blocks and lines.
func readFences(text []byte) (fences []fence, blocks, lines int64, err error) {
	n := int64(0)
	for line := range bytes.Lines(text) {
		n++
		s := strings.TrimSuffix(string(line), "\n")
		if rest, ok := strings.CutPrefix(s, fencesFormat); ok {
			if _, err := fmt.Sscanf(rest, "%d %d", &blocks, &lines); err != nil || blocks < 0 || lines < blocks {
				return nil, 0, 0, &LineError{n, fmt.Errorf("%w: counts %q", ErrDamaged, clip(rest))}
			}
			pages := (blocks + PageBlocks - 1) / PageBlocks
			if pages != int64(len(fences)) || len(s)+1 != len(line) {
				break
			}
			return fences, blocks, lines, nil
		}
		f, err := parseFence(s)
		if err != nil {
			return nil, 0, 0, &LineError{n, err}
		}
		fences = append(fences, f)
	}
	return nil, 0, 0, fmt.Errorf("%w: the fences are cut off after line %d, or of another version", ErrDamaged, n)
}

func parseFence(s string) (f fence, err error) {
	c := strings.Split(s, "\t")
	if len(c) != 4 {
		return f, fmt.Errorf("%w: %q is no fence", ErrDamaged, clip(s))
	}
	f.start = c[0]
	var err1, err2, err3 error
	var length int64
	var sum uint64
	f.offset, err1 = strconv.ParseInt(c[1], 10, 64)
	length, err2 = strconv.ParseInt(c[2], 10, 32)
	sum, err3 = strconv.ParseUint(c[3], 16, 32)
	f.length, f.sum = int32(length), uint32(sum)
	if err := errors.Join(err1, err2, err3); err != nil || f.offset < 0 || f.length <= 0 {
		return f, fmt.Errorf("%w: %q is no fence: %w", ErrDamaged, clip(s), err)
	}
	return f, nil
}
