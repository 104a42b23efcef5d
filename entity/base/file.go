package base

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"varve/archive/durable"
)

// The file, drawn in docs/formats/entities.md:
//
//	magic │ blocks of all sections, one section after the other │ directory │ footer
//
// The directory has place, checksum, first key and first number of every block. It is checked when the file is opened, each block when it is first
// used: so a file of any size opens at once, and nothing is ever read that was not checked.
const (
	magic      = "VARVEKB\x01" // the last byte is the version
	footerSize = 8 + 4 + 4 + len(magic)
)

// The sections.
const (
	sectionAbout    = iota // one block of JSON
	sectionEntities        // records in order of ids
	sectionLinks           // inlinks of each entity
	sectionIDs             // other ids: dictionary
	sectionNames           // dictionary
	sectionWords           // words of keyphrases: dictionary
	sections
)

var sectionNamesOf = [sections]string{"about", "entities", "links", "ids", "names", "words"}

// ErrDamaged is what a file says whose bytes are not those that were written.
var ErrDamaged = errors.New("the base of entities is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// block is a piece of a section that is checked as a whole.
type block struct {
	first  string // the lowest key in it
	number uint64 // of its first entry
	offset int64
	length int
	sum    uint32
}

// writer writes sections in the order of their numbers.
type writer struct {
	w       *bufio.Writer
	offset  int64
	blocks  [sections][]block
	entries [sections]uint64
}

func newWriter(w io.Writer) (*writer, error) {
	out := &writer{w: bufio.NewWriterSize(w, 1<<20), offset: int64(len(magic))}
	_, err := out.w.WriteString(magic)
	return out, err
}

// add writes a block with a number of entries, the lowest of which has the key first.
func (w *writer) add(section int, first string, entries uint64, content []byte) error {
	w.blocks[section] = append(w.blocks[section], block{first, w.entries[section], w.offset, len(content), crc32.Checksum(content, castagnoli)})
	w.entries[section] += entries
	w.offset += int64(len(content))
	_, err := w.w.Write(content)
	return err
}

// close writes directory and footer.
func (w *writer) close() error {
	var b []byte
	for s := range sections {
		b = binary.AppendUvarint(b, w.entries[s])
		b = binary.AppendUvarint(b, uint64(len(w.blocks[s])))
		for _, k := range w.blocks[s] {
			b = durable.AppendString(b, k.first)
			b = binary.AppendUvarint(b, k.number)
			b = binary.AppendUvarint(b, uint64(k.offset))
			b = binary.AppendUvarint(b, uint64(k.length))
			b = binary.AppendUvarint(b, uint64(k.sum))
		}
	}
	sum := crc32.Checksum(b, castagnoli)
	n := len(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(w.offset))
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	b = binary.LittleEndian.AppendUint32(b, sum)
	if _, err := w.w.Write(append(b, magic...)); err != nil {
		return err
	}
	return w.w.Flush()
}

// file is the bytes of a file, mapped.
type file struct {
	path    string
	bytes   []byte
	dir     []byte // the directory
	blocks  [sections][]block
	entries [sections]uint64
	checked [sections][]atomic.Bool
}

// openFile reads the directory of a file, given as its bytes.
func openFile(path string, b []byte) (*file, error) {
	out := &file{path: path, bytes: b}
	if err := out.directory(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// directory reads and checks the directory.
func (f *file) directory() error {
	b := f.bytes
	if len(b) < len(magic)+footerSize {
		return fmt.Errorf("%w: it is too short", ErrDamaged)
	}
	tail := b[len(b)-footerSize:]
	switch {
	case string(b[:len(magic)-1]) != magic[:len(magic)-1]:
		return errors.New("it is no base of entities")
	case b[len(magic)-1] != magic[len(magic)-1]:
		return fmt.Errorf("its format has version %d, this program reads version %d: import the dumps again with 'varve entity import'", b[len(magic)-1], magic[len(magic)-1])
	case string(tail[16:]) != magic:
		return fmt.Errorf("%w: its end is missing", ErrDamaged)
	}
	offset, length := binary.LittleEndian.Uint64(tail), uint64(binary.LittleEndian.Uint32(tail[8:]))
	if offset > uint64(len(b)) || offset+length != uint64(len(b)-footerSize) {
		return fmt.Errorf("%w: its directory is not where it should be", ErrDamaged)
	}
	dir := b[offset : offset+length]
	if crc32.Checksum(dir, castagnoli) != binary.LittleEndian.Uint32(tail[12:]) {
		return fmt.Errorf("%w: checksum of its directory", ErrDamaged)
	}
	f.dir = dir
	r := durable.NewReader(dir)
	for s := range sections {
		f.entries[s] = r.Uvarint()
		f.blocks[s] = make([]block, r.Upto(uint64(r.Len())))
		for i := range f.blocks[s] {
			k := block{r.String(), r.Uvarint(), r.Int64(), r.Int(), uint32(r.Upto(1<<32 - 1))}
			if k.offset > int64(offset) || k.offset+int64(k.length) > int64(offset) {
				r.Fail(fmt.Errorf("block %d of %s lies outside", i, sectionNamesOf[s]))
			}
			f.blocks[s][i] = k
		}
		f.checked[s] = make([]atomic.Bool, len(f.blocks[s]))
	}
	if err := r.Done("directory"); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// block returns the bytes of a block, which live until the file is closed.
func (f *file) block(section, i int) ([]byte, error) {
	k := f.blocks[section][i]
	b := f.bytes[k.offset : k.offset+int64(k.length)]
	if !f.checked[section][i].Load() {
		if crc32.Checksum(b, castagnoli) != k.sum {
			return nil, f.damaged(section, i, errors.New("checksum"))
		}
		f.checked[section][i].Store(true)
	}
	return b, nil
}

func (f *file) damaged(section, i int, err error) error {
	return fmt.Errorf("%s: %w: block %d of %s at byte %d: %w", f.path, ErrDamaged, i, sectionNamesOf[section], f.blocks[section][i].offset, err)
}

// byKey returns the block that has a key if any has; -1 if the key lies before all.
func (f *file) byKey(section int, key string) int {
	return sort.Search(len(f.blocks[section]), func(i int) bool { return f.blocks[section][i].first > key }) - 1
}

// byNumber returns the block of an entry, and the number of its first entry.
func (f *file) byNumber(section int, n uint64) (i int, first uint64) {
	blocks := f.blocks[section]
	i = sort.Search(len(blocks), func(i int) bool { return blocks[i].number > n }) - 1
	return i, blocks[i].number
}

// verify checks all blocks.
func (f *file) verify() error {
	var all error
	for s := range sections {
		for i := range f.blocks[s] {
			_, err := f.block(s, i)
			all = errors.Join(all, err)
		}
		if !slices.IsSortedFunc(f.blocks[s], func(a, b block) int { return strings.Compare(a.first, b.first) }) {
			all = errors.Join(all, fmt.Errorf("%s: %w: blocks of %s are not in order", f.path, ErrDamaged, sectionNamesOf[s]))
		}
	}
	return all
}
