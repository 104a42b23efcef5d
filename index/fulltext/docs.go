package fulltext

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"varve/derive"
)

// docsBlock is about how many bytes of documents are packed together.
const docsBlock = 4 << 10

// docsWriter writes documents in packed blocks, and behind them where the blocks are.
//
//	block*  zstd of documents: length of each as a uvarint, and its fields (pack)
//	table   8 bytes offset, 8 bytes number of the first document, of each block
//	end     8 bytes number of blocks, 8 bytes offset of the table, "vvdocs02"
type docsWriter struct {
	f     *os.File
	w     *bufio.Writer
	enc   *zstd.Encoder
	at    int64
	n     uint64
	buf   []byte
	one   []byte
	first uint64 // document of the block under way
	table []byte
}

const docsEnd = "vvdocs02"

func createDocs(path string) (*docsWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &docsWriter{f: f, w: bufio.NewWriterSize(f, 256<<10), enc: enc}, nil
}

func (d *docsWriter) add(v *derive.VersionRow) error {
	d.one = pack(d.one[:0], v)
	d.buf = append(binary.AppendUvarint(d.buf, uint64(len(d.one))), d.one...)
	d.n++
	if len(d.buf) < docsBlock {
		return nil
	}
	return d.flush()
}

func (d *docsWriter) flush() error {
	if len(d.buf) == 0 {
		return nil
	}
	d.table = binary.LittleEndian.AppendUint64(d.table, uint64(d.at))
	d.table = binary.LittleEndian.AppendUint64(d.table, d.first)
	packed := d.enc.EncodeAll(d.buf, nil)
	d.at += int64(len(packed))
	d.first, d.buf = d.n, d.buf[:0]
	_, err := d.w.Write(packed)
	return err
}

func (d *docsWriter) close() error {
	err := d.flush()
	blocks := uint64(len(d.table) / 16)
	end := binary.LittleEndian.AppendUint64(d.table, blocks)
	end = binary.LittleEndian.AppendUint64(end, uint64(d.at))
	if err == nil {
		_, err = d.w.Write(append(end, docsEnd...))
	}
	return errors.Join(err, d.w.Flush(), d.f.Sync(), d.f.Close())
}

// docsReader reads documents by number. It is safe for concurrent use.
type docsReader struct {
	f       *os.File
	dec     *zstd.Decoder
	offsets []int64 // of blocks, and of the table
	firsts  []uint64

	mu     sync.Mutex
	recent [recentBlocks]recentBlock // unpacked blocks, by number: results often lie close together
}

// recentBlocks is how many unpacked blocks a shard keeps.
const recentBlocks = 64

type recentBlock struct {
	n     int // number of the block plus one
	bytes []byte
}

func openDocs(path string) (_ *docsReader, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
	}()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	const tail = int64(16 + len(docsEnd))
	end := make([]byte, tail)
	if _, err := f.ReadAt(end, st.Size()-tail); err != nil {
		return nil, err
	}
	blocks, at := binary.LittleEndian.Uint64(end), binary.LittleEndian.Uint64(end[8:])
	if string(end[16:]) != docsEnd || at+16*blocks+uint64(tail) != uint64(st.Size()) {
		return nil, errors.New("documents are damaged")
	}
	table := make([]byte, 16*blocks)
	if _, err := f.ReadAt(table, int64(at)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	d := &docsReader{f: f}
	for i := range blocks {
		d.offsets = append(d.offsets, int64(binary.LittleEndian.Uint64(table[16*i:])))
		d.firsts = append(d.firsts, binary.LittleEndian.Uint64(table[16*i+8:]))
	}
	d.offsets = append(d.offsets, int64(at))
	d.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	return d, err
}

func (d *docsReader) close() error {
	d.dec.Close()
	return d.f.Close()
}

// get reads one document.
func (d *docsReader) get(n uint64) (*derive.VersionRow, error) {
	i := 0
	for lo, hi := 0, len(d.firsts); lo < hi; {
		if mid := (lo + hi) / 2; d.firsts[mid] <= n {
			i, lo = mid, mid+1
		} else {
			hi = mid
		}
	}
	if i >= len(d.firsts) {
		return nil, fmt.Errorf("document %d: there are none", n)
	}
	block, err := d.block(i)
	if err != nil {
		return nil, fmt.Errorf("document %d: %w", n, err)
	}
	for skip := n - d.firsts[i]; ; skip-- {
		size, used := binary.Uvarint(block)
		if used <= 0 || size > uint64(len(block)-used) {
			return nil, fmt.Errorf("document %d is missing in its block", n)
		}
		if skip == 0 {
			return unpack(block[used : used+int(size)])
		}
		block = block[used+int(size):]
	}
}

// block gives the unpacked bytes of a block, which must not be changed.
func (d *docsReader) block(i int) ([]byte, error) {
	slot := &d.recent[i%recentBlocks]
	d.mu.Lock()
	kept := *slot
	d.mu.Unlock()
	if kept.n == i+1 {
		return kept.bytes, nil
	}
	packed := make([]byte, d.offsets[i+1]-d.offsets[i])
	if _, err := d.f.ReadAt(packed, d.offsets[i]); err != nil {
		return nil, err
	}
	block, err := d.dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	*slot = recentBlock{i + 1, block}
	d.mu.Unlock()
	return block, nil
}
