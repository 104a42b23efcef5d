package fulltext

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"varve/derive"
)

// columnFacets are the facets that are columns, in the order of the file.
var columnFacets = []string{"host", "domain", "mime", "lang", "year", "crawl"}

// collectionFacet tells sources apart.
const collectionFacet = "collection"

// shardFacets are the facets that shards know, in their order there.
var shardFacets = slices.Concat(columnFacets, labelFacets)

// Facets are the names of the facets that every index has.
func Facets() []string { return append(slices.Clone(shardFacets), collectionFacet) }

// Declared returns the facets that analyses brought into the index, each once, in the order in which they were declared.
func (ix *Index) Declared() (out []derive.Facet) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, s := range ix.shards {
		for i := range s.facets.of {
			out = addDeclared(out, []derive.Facet{s.facets.of[i].Facet})
		}
	}
	return out
}

// addDeclared adds the facets whose names are not there yet.
func addDeclared(out, more []derive.Facet) []derive.Facet {
	for _, d := range more {
		if !slices.ContainsFunc(out, func(o derive.Facet) bool { return o.Name == d.Name }) {
			out = append(out, d)
		}
	}
	return out
}

// known are the names of all facets.
func known(declared []derive.Facet) []string {
	out := Facets()
	for _, d := range declared {
		out = append(out, d.Name)
	}
	return out
}

// open is the end of a validity that has none yet.
const open = math.MaxInt64

// columns are the properties of the documents of a shard, by their place in Bleve.
type columns struct {
	number            []uint32 // of the document, in the order of the table
	from, last, until []int64  // microseconds
	captures, inlinks []uint32
	facets            []facet // in the order of shardFacets
	keys              *keys   // by number
}

// facet is a column of names.
type facet struct {
	names  []string // sorted
	hashes []uint32 // of names
	of     []uint32 // place in names, by document
	docs   []*roaring.Bitmap
}

// columnsBuilder gathers documents in order.
type columnsBuilder struct {
	columns
	ids []map[string]uint32
}

func newColumnsBuilder() *columnsBuilder {
	b := &columnsBuilder{ids: make([]map[string]uint32, len(columnFacets))}
	b.keys = &keys{}
	b.facets = make([]facet, len(b.ids))
	for i := range b.ids {
		b.ids[i] = map[string]uint32{}
	}
	return b
}

// facetsOf are the names of a document in the facets of columns, in their order.
func facetsOf(v *derive.VersionRow) []string {
	return []string{v.Host, v.Domain, v.MIME, v.Language, yearOf(v), v.Crawl}
}

func (b *columnsBuilder) add(v *derive.VersionRow) {
	until := int64(open)
	if !v.Until.IsZero() {
		until = v.Until.UnixMicro()
	}
	b.number = append(b.number, uint32(len(b.number)))
	b.keys.add(v.SURT)
	b.from = append(b.from, v.From.UnixMicro())
	b.last = append(b.last, v.Last.UnixMicro())
	b.until = append(b.until, until)
	b.captures = append(b.captures, uint32(v.Captures))
	b.inlinks = append(b.inlinks, uint32(v.Inlinks))
	for i, name := range facetsOf(v) {
		id, ok := b.ids[i][name]
		if !ok {
			id = uint32(len(b.facets[i].names))
			b.ids[i][name] = id
			b.facets[i].names = append(b.facets[i].names, name)
		}
		b.facets[i].of = append(b.facets[i].of, id)
	}
}

// finish puts the documents into the order of Bleve, and sorts the names of the facets.
func (b *columnsBuilder) finish(order []uint32) *columns {
	b.from, b.last, b.until = arrange(b.from, order), arrange(b.last, order), arrange(b.until, order)
	b.captures, b.inlinks, b.number = arrange(b.captures, order), arrange(b.inlinks, order), arrange(b.number, order)
	for i := range b.facets {
		f := &b.facets[i]
		f.of = arrange(f.of, order)
		f.sort()
		f.index()
	}
	return &b.columns
}

// sort puts the names into their order.
func (f *facet) sort() {
	sorted := slices.Sorted(slices.Values(f.names))
	to := make([]uint32, len(f.names))
	for id, name := range f.names {
		at, _ := slices.BinarySearch(sorted, name)
		to[id] = uint32(at)
	}
	for d := range f.of {
		f.of[d] = to[f.of[d]]
	}
	f.names = sorted
}

func arrange[T any](col []T, order []uint32) []T {
	out := make([]T, len(order))
	for i, n := range order {
		out[i] = col[n]
	}
	return out
}

// index makes the bitmaps and hashes of a facet.
func (f *facet) index() {
	f.hashes = make([]uint32, len(f.names))
	for i, name := range f.names {
		f.hashes[i] = nameHash(name)
	}
	f.docs = make([]*roaring.Bitmap, len(f.names))
	for i := range f.docs {
		f.docs[i] = roaring.New()
	}
	for d, id := range f.of {
		f.docs[id].Add(uint32(d))
	}
}

func (f *facet) name(id int) string { return f.names[id] }

func (f *facet) hash(id int) uint32 { return f.hashes[id] }

func (f *facet) same(id int, other named, otherID int) bool {
	o, ok := other.(*facet)
	return ok && f.names[id] == o.names[otherID]
}

func (f *facet) have(id int) uint32 { return uint32(f.docs[id].GetCardinality()) }

func (f *facet) among(id int, docs set) (n uint32) {
	f.docs[id].Iterate(func(d uint32) bool {
		n += uint32(docs[d/64] >> (d % 64) & 1)
		return true
	})
	return n
}

func (f *facet) beginning(text string, fn func(id int)) {
	key := fold(text)
	for id, name := range f.names {
		if name != "" && strings.HasPrefix(fold(name), key) {
			fn(id)
		}
	}
}

// find returns the place of a name; -1 if there is none such.
func (f *facet) find(name string) int {
	if at, ok := slices.BinarySearch(f.names, name); ok {
		return at
	}
	return -1
}

// value gives the documents with a name.
func (f *facet) value(name string) *roaring.Bitmap {
	if at := f.find(name); at >= 0 {
		return f.docs[at]
	}
	return roaring.New()
}

// columnsMagic starts a file of columns; its last byte is the version.
const columnsMagic = "vvcol\x00\x00\x03"

// bytes gives the columns as a file: magic, number of documents, arrays, facets, keys, checksum.
func (c *columns) bytes() []byte {
	b := []byte(columnsMagic)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(c.from)))
	for _, col := range [][]int64{c.from, c.last, c.until} {
		for _, x := range col {
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		}
	}
	for _, col := range [][]uint32{c.captures, c.inlinks, c.number} {
		b = appendUint32s(b, col)
	}
	for i := range columnFacets {
		b = c.facets[i].append(b)
	}
	b = append(binary.AppendUvarint(b, uint64(len(c.keys.bytes))), c.keys.bytes...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// append writes a facet: its names with their lengths, and the name of each document.
func (f facet) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(f.names)))
	for _, n := range f.names {
		b = append(binary.AppendUvarint(b, uint64(len(n))), n...)
	}
	return appendUint32s(b, f.of)
}

func appendUint32s(b []byte, col []uint32) []byte {
	for _, x := range col {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

var errColumns = errors.New("columns are damaged")

// readColumns reads what bytes gave.
func readColumns(path string) (*columns, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := parseColumns(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func parseColumns(b []byte) (*columns, error) {
	if len(b) < len(columnsMagic)+12 || !bytes.HasPrefix(b, []byte(columnsMagic)) {
		return nil, fmt.Errorf("%w: not a file of columns of this version", errColumns)
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, fmt.Errorf("%w: wrong checksum", errColumns)
	}
	r := columnsReader{b: body[len(columnsMagic):]}
	n := r.uint64()
	if n > uint64(len(b)) {
		return nil, fmt.Errorf("%w: %d documents in %d bytes", errColumns, n, len(b))
	}
	c := &columns{from: r.int64s(n), last: r.int64s(n), until: r.int64s(n), captures: r.uint32s(n), inlinks: r.uint32s(n), number: r.uint32s(n)}
	for _, x := range c.number {
		r.bad = r.bad || uint64(x) >= n
	}
	for range columnFacets {
		f, ok := r.facet(n)
		if !ok {
			return nil, fmt.Errorf("%w: facets do not fit", errColumns)
		}
		c.facets = append(c.facets, f)
	}
	var err error
	if c.keys, err = parseKeys(r.take(r.uvarint()), int(n)); err != nil || r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: keys do not fit", errColumns)
	}
	return c, nil
}

// columnsReader reads the parts of a file; after the end of the bytes everything is empty and bad is set.
type columnsReader struct {
	b   []byte
	bad bool
}

// facet reads a facet of n documents, and makes its bitmaps.
func (r *columnsReader) facet(n uint64) (facet, bool) {
	f := facet{names: r.names()}
	f.of = r.uint32s(n)
	for _, id := range f.of {
		r.bad = r.bad || int(id) >= len(f.names)
	}
	if r.bad || uint64(len(f.of)) != n {
		return f, false
	}
	f.index()
	return f, true
}

func (r *columnsReader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *columnsReader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *columnsReader) int64s(n uint64) []int64 {
	b := r.take(8 * n)
	out := make([]int64, len(b)/8)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out
}

func (r *columnsReader) uint32s(n uint64) []uint32 {
	b := r.take(4 * n)
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

func (r *columnsReader) names() []string {
	n := r.uvarint()
	var out []string
	for i := uint64(0); i < n && !r.bad; i++ {
		out = append(out, string(r.take(r.uvarint())))
	}
	return out
}

func (r *columnsReader) uvarint() uint64 {
	x, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return x
}
