package temporal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync/atomic"

	"varve/archive/cdxj"
)

// ErrDamaged is the cause of all errors that tell of a broken index. `varve index` mends it.
var ErrDamaged = cdxj.ErrDamaged

// A tree file has a header, the parts of the tree, and a CRC for each page of all of it.
//
//	"VARVEIVL" ┃ version u32 ┃ 0 u32 ┃ intervals u64 ┃ length u64 ┃ CRC of the header u32 ┃ 0 ... 64 bytes
//	leaves and levels                                 up to length
//	CRC-32C of each page of 64 KiB up to length       u32 each
//	CRC-32C of these                                  u32
const (
	treeMagic   = "VARVEIVL"
	treeVersion = 1
	headerSize  = 64
	pageSize    = 64 << 10
	pageShift   = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// pages is the bytes of a file, mapped where the system can, each page checked when it is first
// touched. The first failure sticks.
type pages struct {
	name   string
	bytes  []byte // up to length
	sums   []byte
	seen   []atomic.Uint32 // a bit for each page
	failed atomic.Pointer[error]
	close  func() error
}

// at gives the bytes from an offset on; those of a leaf or node there are checked. What is damaged
// reads as zeros, and err tells.
func (p *pages) at(off int64) []byte {
	first := off >> pageShift
	last := min(off+leaf-1, int64(len(p.bytes))-1) >> pageShift
	if p.seen[first>>5].Load()&(1<<(first&31)) == 0 || p.seen[last>>5].Load()&(1<<(last&31)) == 0 {
		if !p.check(first) || !p.check(last) {
			return zeros[:]
		}
	}
	return p.bytes[off:]
}

// zeros is what a damaged page reads as.
var zeros [leaf]byte

// check compares a page with its CRC.
func (p *pages) check(n int64) bool {
	from := n << pageShift
	page := p.bytes[from:min(from+pageSize, int64(len(p.bytes)))]
	if crc32.Checksum(page, castagnoli) != binary.LittleEndian.Uint32(p.sums[n*4:]) {
		err := fmt.Errorf("%w: %s: page at byte %d is not what was written", ErrDamaged, p.name, from)
		p.failed.CompareAndSwap(nil, &err)
		return false
	}
	p.seen[n>>5].Or(1 << (n & 31))
	return true
}

func (p *pages) err() error {
	if e := p.failed.Load(); e != nil {
		return *e
	}
	return nil
}

// checkAll compares all pages.
func (p *pages) checkAll() error {
	for n := int64(0); n<<pageShift < int64(len(p.bytes)); n++ {
		if !p.check(n) {
			break
		}
	}
	return p.err()
}

// openTree maps a tree file.
func openTree(name string) (*tree, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // a mapping outlives it
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	bytes, free, err := mapFile(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", name, err)
	}
	t, err := readTree(name, bytes)
	if err != nil {
		return nil, errors.Join(err, free())
	}
	t.file.close = free
	return t, nil
}

// readTree reads the header and the CRCs, and lays the tree over the bytes.
func readTree(name string, b []byte) (*tree, error) {
	bad := func(what string) error { return fmt.Errorf("%w: %s: %s", ErrDamaged, name, what) }
	if len(b) < headerSize+4 || string(b[:8]) != treeMagic {
		return nil, bad("no tree of intervals")
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != treeVersion {
		return nil, fmt.Errorf("%s: version %d, this program reads %d: %w", name, v, treeVersion, ErrVersion)
	}
	if crc32.Checksum(b[:32], castagnoli) != binary.LittleEndian.Uint32(b[32:]) {
		return nil, bad("its header is not what was written")
	}
	n, length := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
	if n > forever || length > uint64(len(b)) {
		return nil, bad("cut off")
	}
	t := &tree{n: int(n)}
	var end int64
	t.leaves, t.levels, t.sizes, end = layout(t.n, headerSize)
	count := (int64(length) + pageSize - 1) / pageSize
	if uint64(end) != length || int64(len(b)) != end+count*4+4 || len(t.levels) > maxDeep {
		return nil, bad("its size does not fit its number of intervals")
	}
	sums := b[end : end+count*4]
	if crc32.Checksum(sums, castagnoli) != binary.LittleEndian.Uint32(b[end+count*4:]) {
		return nil, bad("its checksums are not what was written")
	}
	t.file = &pages{name: name, bytes: b[:end], sums: sums, seen: make([]atomic.Uint32, count/32+1), close: func() error { return nil }}
	return t, nil
}

// writeTree writes the tree file of intervals that are sorted by start and id.
func writeTree(w io.Writer, list []interval) error {
	out := &summed{w: w}
	_, levels, sizes, end := layout(len(list), headerSize)
	var head [headerSize]byte
	copy(head[:], treeMagic)
	binary.LittleEndian.PutUint32(head[8:], treeVersion)
	binary.LittleEndian.PutUint64(head[16:], uint64(len(list)))
	binary.LittleEndian.PutUint64(head[24:], uint64(end))
	binary.LittleEndian.PutUint32(head[32:], crc32.Checksum(head[:32], castagnoli))
	if err := out.write(head[:]); err != nil {
		return err
	}
	var nodes []byte
	if len(levels) > 0 {
		nodes = make([]byte, 0, sizes[0]*node)
	}
	for ; len(list) > 0; list = list[min(fan, len(list)):] {
		b, n := leafOf(list[:min(fan, len(list))])
		nodes = append(nodes, n[:]...)
		if err := out.write(b[:]); err != nil {
			return err
		}
	}
	for i := range levels {
		if err := out.write(nodes); err != nil {
			return err
		}
		if i+1 < len(levels) {
			nodes = above(nodes)
		}
	}
	return out.finish()
}

// leafOf writes up to sixteen intervals, and the node above them.
func leafOf(list []interval) (b [leaf]byte, n [node]byte) {
	least, most := uint32(forever), uint32(0)
	for i, v := range list {
		binary.LittleEndian.PutUint32(b[i*4:], v.hi)
		binary.LittleEndian.PutUint32(b[(fan+i)*4:], v.id)
		binary.LittleEndian.PutUint32(b[(2*fan+i)*4:], v.lo)
		least, most = min(least, v.hi), max(most, v.hi)
	}
	binary.LittleEndian.PutUint32(n[:], most)
	binary.LittleEndian.PutUint32(n[4:], least)
	return b, n
}

// above makes the nodes of the next level.
func above(nodes []byte) []byte {
	out := nodes[:0]
	for ; len(nodes) > 0; nodes = nodes[min(fan*node, len(nodes)):] {
		least, most := uint32(forever), uint32(0)
		for i := 0; i < min(fan*node, len(nodes)); i += node {
			most = max(most, binary.LittleEndian.Uint32(nodes[i:]))
			least = min(least, binary.LittleEndian.Uint32(nodes[i+4:]))
		}
		out = binary.LittleEndian.AppendUint32(out, most)
		out = binary.LittleEndian.AppendUint32(out, least)
	}
	return out
}

// summed adds up the CRC of each page.
type summed struct {
	w    io.Writer
	sum  uint32
	n    int // bytes of the page so far
	sums []byte
}

func (s *summed) write(b []byte) error {
	if _, err := s.w.Write(b); err != nil {
		return err
	}
	for len(b) > 0 {
		k := min(len(b), pageSize-s.n)
		s.sum = crc32.Update(s.sum, castagnoli, b[:k])
		if s.n += k; s.n == pageSize {
			s.end()
		}
		b = b[k:]
	}
	return nil
}

func (s *summed) end() {
	s.sums = binary.LittleEndian.AppendUint32(s.sums, s.sum)
	s.sum, s.n = 0, 0
}

// finish writes the CRCs.
func (s *summed) finish() error {
	if s.n > 0 {
		s.end()
	}
	_, err := s.w.Write(binary.LittleEndian.AppendUint32(s.sums, crc32.Checksum(s.sums, castagnoli)))
	return err
}

// sortIntervals sorts by start and leaves the order of equal starts: three passes of eleven bits.
func sortIntervals(list []interval) []interval {
	other := make([]interval, len(list))
	for shift := 0; shift < 32; shift += 11 {
		var count [2048]int
		for _, v := range list {
			count[v.lo>>shift&2047]++
		}
		at := 0
		for i, c := range count {
			count[i] = at
			at += c
		}
		for _, v := range list {
			k := v.lo >> shift & 2047
			other[count[k]] = v
			count[k]++
		}
		list, other = other, list
	}
	return list
}
