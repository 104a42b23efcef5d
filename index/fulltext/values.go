package fulltext

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/blevesearch/mmap-go"
	"github.com/cespare/xxhash/v2"

	"varve/derive"
)

// The file facets-<mark> beside a shard has the facets with many values a document, which analyses declare (derive.Facet). It is written anew when
// values or declarations change; the shard is not. It is mapped into memory and nothing of it is on the heap: with 20 values a document and 30,000
// different ones a year about 90 bytes a document, and 14 bytes and its letters a name (of each value 2 x 15 bits, of each facet 2 bytes; numbers 4 bytes each).
//
//	"vvfacet2" | facet* | starts | records | head | length of head u64 | CRC-32 of head u32 | "vvfacet2"
//	head    JSON: documents, and of each facet its declaration, number of names and of values, where it begins; where starts are, and the width of ids
//	facet   names | order | hashes | firsts | docs | numbers | sets
//	names   where each name begins u32 x k+1; the names. The one that most documents have is number 0; equal ones are in the order of fold, and the empty name is the last
//	order   numbers of the names, sorted as fold has them; packed
//	hashes  of each name, u32 (nameHash)
//	firsts  of each name where its documents begin, u32 x k+1
//	docs    places of the documents of names, sorted; packed
//	numbers of facets that are numbers: of each of docs, f32
//	sets    of the first names, which one of 128 documents has: a bit for each document, u64 x words
//	starts  of each document by place: where its record begins, u32 x n+1; eight zero bytes end the records
//	record  of each facet where its values end, u16 x facets | numbers of the values among the names of their facet, sorted, without the empty name: bits as packed has them
//
// So who has a value is read from docs, and what documents have is counted along records. What a document has of all facets lies together: reading memory that is not in
// the processor's cache is what counting costs, and several facets are counted for little more than one. Since common names have low numbers, the counters in use lie together,
// and who only needs names that some number of documents have (the first k, see often) leaves a record where it goes beyond.
const facetsMagic = "vvfacet2"

// facetsBefore begins a file of the form before, which had names in the order of fold and was in no release. It is passed over until Build writes it anew.
const facetsBefore = "vvfacet1"

// facetsTail is what stands behind the head.
const facetsTail = 8 + 4 + len(facetsMagic)

// facetHead tells of one facet of the file.
type facetHead struct {
	derive.Facet
	Names  int   `json:"names"`
	Values int   `json:"values"`
	At     int64 `json:"at"`
}

type facetsHead struct {
	Docs   int         `json:"docs"`
	Facets []facetHead `json:"facets"`
	Starts int64       `json:"starts"`
	Width  int         `json:"width"`
}

// fold is how a value is looked for: capitals and white space make no difference.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// compareFolded orders names as files have them: by fold, and what is equal then as it is written.
func compareFolded(a, b string) int {
	return cmp.Or(strings.Compare(fold(a), fold(b)), strings.Compare(a, b))
}

// compareFold compares a name of a file, which has single blanks, with what fold made of another. Most are ASCII, and nothing is copied.
func compareFold(name []byte, folded string) int {
	for i, c := range name {
		if c >= utf8.RuneSelf {
			return strings.Compare(strings.ToLower(string(name)), folded)
		}
		if i == len(folded) {
			return 1
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != folded[i] {
			return int(c) - int(folded[i])
		}
	}
	return len(name) - len(folded)
}

// nameHash tells names of several shards apart without reading them.
func nameHash(name string) uint32 { return uint32(xxhash.Sum64String(name)) }

// values is a facet of a shard with many values a document.
type values struct {
	facetHead
	docs      int
	counted   int // names that are counted: all but the empty one
	nameAt    []byte
	nameBytes []byte
	order     packed
	hashes    []byte
	firsts    []byte
	places    packed
	numbers   []byte
	sets      []byte
	set       int // names that have one

	starts, records []byte // of all facets
	facets, which   int    // how many there are, and which one it is
	width           int    // bits of a number in a record
}

// valueSpan is where the values of a document are in records: the first bit, and how many.
type valueSpan struct{ bit, n int }

func (v *values) span(doc uint32) valueSpan {
	at := u32At(v.starts, int(doc))
	ends, first := v.records[at+2*v.which:], 0
	if v.which > 0 {
		first = int(binary.LittleEndian.Uint16(v.records[at+2*v.which-2:]))
	}
	return valueSpan{8*(at+2*v.facets) + first*v.width, int(binary.LittleEndian.Uint16(ends)) - first}
}

func u32At(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

func (v *values) name(id int) string { return string(v.written(id)) }

func (v *values) hash(id int) uint32 { return binary.LittleEndian.Uint32(v.hashes[4*id:]) }

func (v *values) same(id int, other named, otherID int) bool {
	o, ok := other.(*values)
	return ok && bytes.Equal(v.written(id), o.written(otherID))
}

// written returns the bytes of a name.
func (v *values) written(id int) []byte {
	return v.nameBytes[u32At(v.nameAt, id):u32At(v.nameAt, id+1)]
}

// sorted returns the bytes of a name by its place in the order of fold.
func (v *values) sorted(place int) []byte { return v.written(int(v.order.at(place))) }

// find returns the number of a name; -1 if no document has it.
func (v *values) find(name string) int {
	for i, to := v.alike(name, false); i < to; i++ { // ways to write it
		if string(v.sorted(i)) == name {
			return int(v.order.at(i))
		}
	}
	return -1
}

// alike returns the places of the names that are written so, capitals apart, or begin so, in the order of fold.
func (v *values) alike(text string, prefix bool) (from, to int) {
	key := fold(text)
	from = sort.Search(v.Names, func(i int) bool { return compareFold(v.sorted(i), key) >= 0 })
	to = from + sort.Search(v.Names-from, func(i int) bool {
		name := v.sorted(from + i)
		return compareFold(name, key) != 0 && !(prefix && strings.HasPrefix(strings.ToLower(string(name)), key))
	})
	return from, to
}

// beginning calls fn with the numbers of the names that are counted and begin so, capitals apart.
func (v *values) beginning(text string, fn func(id int)) {
	for i, to := v.alike(text, true); i < to; i++ {
		if id := int(v.order.at(i)); id < v.counted {
			fn(id)
		}
	}
}

// with adds the documents that have a name of a range in the order of fold; if number is not nil, a number that it accepts.
func (v *values) with(from, to int, number func(float32) bool, out set) error {
	for place := from; place < to; place++ {
		id := int(v.order.at(place))
		for i := u32At(v.firsts, id); i < u32At(v.firsts, id+1); i++ {
			if number != nil && !number(v.number(i)) {
				continue
			}
			d := v.places.at(i)
			if int(d) >= v.docs {
				return errFacets
			}
			out.put(d)
		}
	}
	return nil
}

func (v *values) number(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(v.numbers[4*i:]))
}

// have returns how many documents have a name.
func (v *values) have(id int) uint32 { return uint32(u32At(v.firsts, id+1) - u32At(v.firsts, id)) }

// setFrom is the part of all documents from which on a name has a set beside its list. To ask a set for 64 documents costs a third of what one document of a list does.
const setFrom = 128

// settable reports whether a name that so many of n documents have has a set.
func settable(have uint32, n int) bool { return have > 0 && int(have) >= n/setFrom }

// among returns how many documents of a set have a name.
func (v *values) among(id int, docs set) (n uint32) {
	if id < v.set {
		b := v.sets[8*len(docs)*id:][:8*len(docs)]
		for ; len(docs) >= 4 && len(b) >= 32; docs, b = docs[4:], b[32:] { // four at a time
			n += uint32(bits.OnesCount64(docs[0]&binary.LittleEndian.Uint64(b)) + bits.OnesCount64(docs[1]&binary.LittleEndian.Uint64(b[8:])) +
				bits.OnesCount64(docs[2]&binary.LittleEndian.Uint64(b[16:])) + bits.OnesCount64(docs[3]&binary.LittleEndian.Uint64(b[24:])))
		}
		for i, w := range docs {
			n += uint32(bits.OnesCount64(w & binary.LittleEndian.Uint64(b[8*i:])))
		}
		return n
	}
	p := &v.places
	for bit, end := u32At(v.firsts, id)*p.width, u32At(v.firsts, id+1)*p.width; bit < end; bit += p.width {
		d := binary.LittleEndian.Uint64(p.b[bit/8:]) >> (bit % 8) & p.mask
		n += uint32(docs[d/64] >> (d % 64) & 1)
	}
	return n
}

// often returns how many names there are that so many documents have: they are the first ones.
func (v *values) often(least uint32) int {
	return sort.Search(v.counted, func(id int) bool { return v.have(id) < least })
}

// facetsFile is the facets of a shard that analyses declared.
type facetsFile struct {
	mapped mmap.MMap
	of     []values
}

var errFacets = errors.New("the file of facets is damaged")

func facetsPath(dir string, info shardInfo) string {
	return filepath.Join(dir, info.Dir, "facets-"+info.Facets)
}

// openFacets maps the file of a shard; without one there are no such facets.
func openFacets(dir string, info shardInfo) (*facetsFile, error) {
	if info.Facets == "" {
		return &facetsFile{}, nil
	}
	path := facetsPath(dir, info)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if bytes.HasPrefix(mapped, []byte(facetsBefore)) {
		return &facetsFile{}, mapped.Unmap()
	}
	list, err := parseFacets(mapped, info.Docs)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), mapped.Unmap())
	}
	return &facetsFile{mapped, list}, nil
}

func (f *facetsFile) close() error {
	if f == nil || f.mapped == nil {
		return nil
	}
	return f.mapped.Unmap()
}

// find returns a facet by its name; nil if the shard has none of that name.
func (f *facetsFile) find(name string) *values {
	for i := range f.of {
		if f.of[i].Name == name {
			return &f.of[i]
		}
	}
	return nil
}

// parseFacets reads the head and finds the parts of each facet; what the parts say is checked when it is used.
func parseFacets(b []byte, docs int) ([]values, error) {
	if len(b) < len(facetsMagic)+facetsTail || !bytes.HasPrefix(b, []byte(facetsMagic)) || !bytes.HasSuffix(b, []byte(facetsMagic)) {
		return nil, errFacets
	}
	tail, b := b[len(b)-facetsTail:], b[:len(b)-facetsTail]
	size := binary.LittleEndian.Uint64(tail)
	if size > uint64(len(b)) {
		return nil, errFacets
	}
	body, text := b[:len(b)-int(size)], b[len(b)-int(size):]
	var head facetsHead
	if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(tail[8:]) || json.Unmarshal(text, &head) != nil || head.Docs != docs {
		return nil, fmt.Errorf("%w: its head", errFacets)
	}
	if head.Starts < 0 || head.Starts > int64(len(body)) || head.Width < 0 || head.Width > 32 {
		return nil, errFacets
	}
	r := columnsReader{b: body[head.Starts:]}
	starts := r.take(4 * uint64(docs+1))
	if r.bad {
		return nil, errFacets
	}
	records := r.take(uint64(u32At(starts, docs)) + packedPad)
	if r.bad {
		return nil, errFacets
	}
	var out []values
	for i, h := range head.Facets {
		if h.Names < 0 || h.Values < 0 || h.At < 0 || h.At > int64(len(body)) || h.Names > len(body) || h.Values > len(body) {
			return nil, errFacets
		}
		v := values{facetHead: h, docs: docs, starts: starts, records: records, facets: len(head.Facets), which: i, width: head.Width}
		r := columnsReader{b: body[h.At:]}
		v.nameAt = r.take(4 * uint64(h.Names+1))
		if v.nameAt == nil {
			return nil, errFacets
		}
		v.nameBytes = r.take(uint64(u32At(v.nameAt, h.Names)))
		v.order = newPacked(r.take(uint64(packedSize(widthFor(h.Names), h.Names))), widthFor(h.Names))
		v.hashes = r.take(4 * uint64(h.Names))
		v.firsts = r.take(4 * uint64(h.Names+1))
		v.places = newPacked(r.take(uint64(packedSize(widthFor(docs), h.Values))), widthFor(docs))
		if h.Kind == derive.FacetNumbers {
			v.numbers = r.take(4 * uint64(h.Values))
		}
		if r.bad || u32At(v.firsts, h.Names) != h.Values {
			return nil, errFacets
		}
		if v.counted = h.Names; h.Names > 0 && u32At(v.nameAt, h.Names-1) == u32At(v.nameAt, h.Names) {
			v.counted-- // numbers of whole documents are about nothing
		}
		v.set = sort.Search(v.counted, func(id int) bool { return !settable(v.have(id), docs) })
		if v.sets = r.take(uint64(v.set) * 8 * uint64((docs+63)/64)); r.bad {
			return nil, errFacets
		}
		out = append(out, v)
	}
	return out, nil
}

// valuesBuilder gathers the values of the documents of a shard, by number.
type valuesBuilder struct {
	ids     map[string]uint32
	names   []string
	of      []uint32 // of all documents, one after the other
	numbers []float32
	starts  []uint32 // by number of the document
}

func (b *valuesBuilder) add(value string, number float64) {
	id, ok := b.ids[value]
	if !ok {
		id = uint32(len(b.names))
		value = strings.Clone(value)
		b.ids[value] = id
		b.names = append(b.names, value)
	}
	b.of, b.numbers = append(b.of, id), append(b.numbers, float32(number))
}

// bytes returns the parts of the facet, and its ids by the place of the document, each list sorted; number has the number of the document at each place.
func (b *valuesBuilder) bytes(d derive.Facet, number []uint32) (out []byte, ids []uint32, h facetHead) {
	n, k := len(number), len(b.names)
	h = facetHead{Facet: d, Names: k, Values: len(b.of)}
	sorted := slices.SortedFunc(slices.Values(b.names), compareFolded)
	have := make([]int, k) // documents of each
	for _, id := range b.of {
		have[id]++
	}
	common := slices.Clone(sorted)
	slices.SortStableFunc(common, func(x, y string) int {
		if x == "" || y == "" {
			return cmp.Compare(len(y), len(x))
		}
		return cmp.Compare(have[b.ids[y]], have[b.ids[x]])
	})
	to, at := make([]uint32, k), 0
	for i, name := range common {
		out = binary.LittleEndian.AppendUint32(out, uint32(at))
		at += len(name)
		to[b.ids[name]] = uint32(i)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(at))
	for _, name := range common {
		out = append(out, name...)
	}
	order := make([]uint32, k)
	for i, name := range sorted {
		order[i] = to[b.ids[name]]
	}
	out = appendPacked(out, widthFor(k), order)
	for _, name := range common {
		out = binary.LittleEndian.AppendUint32(out, nameHash(name))
	}
	type entry struct {
		id     uint32
		number float32
	}
	var list []entry
	firsts := make([]uint32, k+1)
	values := make([]float32, 0, len(b.of))
	for _, doc := range number {
		list = list[:0]
		for i := b.starts[doc]; i < b.starts[doc+1]; i++ {
			list = append(list, entry{to[b.of[i]], b.numbers[i]})
		}
		slices.SortFunc(list, func(a, b entry) int { return int(a.id) - int(b.id) })
		for _, e := range list {
			ids, values = append(ids, e.id), append(values, e.number)
			firsts[e.id+1]++
		}
	}
	for i := range k {
		firsts[i+1] += firsts[i]
	}
	out = appendUint32s(out, firsts)
	docs, numbers, next := make([]uint32, len(ids)), make([]float32, len(ids)), slices.Clone(firsts)
	i := 0
	for place, doc := range number {
		for range b.starts[doc+1] - b.starts[doc] {
			docs[next[ids[i]]], numbers[next[ids[i]]] = uint32(place), values[i]
			next[ids[i]]++
			i++
		}
	}
	out = appendPacked(out, widthFor(n), docs)
	if d.Kind == derive.FacetNumbers {
		for _, x := range numbers {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	if _, ok := b.ids[""]; ok {
		k-- // it is not counted
	}
	for id := 0; id < k && settable(firsts[id+1]-firsts[id], n); id++ {
		in := make(set, (n+63)/64)
		for _, d := range docs[firsts[id]:firsts[id+1]] {
			in.put(d)
		}
		for _, w := range in {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	}
	return out, ids, h
}

// yearValues gathers the facets of a year.
type yearValues struct {
	declared []derive.Facet
	of       []valuesBuilder
	docs     int
}

func newYearValues(declared []derive.Facet) *yearValues {
	y := &yearValues{declared: declared, of: make([]valuesBuilder, len(declared))}
	for i := range y.of {
		y.of[i].ids = map[string]uint32{}
	}
	return y
}

// add takes the values of the next document.
func (y *yearValues) add(list []derive.VersionFacetRow) {
	for i := range y.of {
		b := &y.of[i]
		b.starts = append(b.starts, uint32(len(b.of)))
		for _, r := range list {
			if r.Facet == y.declared[i].Name {
				b.add(r.Value, r.Number)
			}
		}
	}
	y.docs++
}

// file returns the file of the shard; number has the number of the document at each place.
func (y *yearValues) file(number []uint32) ([]byte, error) {
	if len(number) != y.docs {
		return nil, fmt.Errorf("facets of %d documents, and the shard has %d", y.docs, len(number))
	}
	out, head := []byte(facetsMagic), facetsHead{Docs: y.docs}
	ids, nothing, sum := make([][]uint32, len(y.of)), make([]uint32, len(y.of)), 0
	for i := range y.of {
		b := &y.of[i]
		if sum += len(b.of); sum > math.MaxUint32/4 {
			return nil, fmt.Errorf("facets have %d values in a year: more than a file holds", sum)
		}
		b.starts = append(b.starts, uint32(len(b.of)))
		nothing[i] = math.MaxUint32 // the number of the empty name, which is the last
		if _, ok := b.ids[""]; ok {
			nothing[i] = uint32(len(b.names) - 1)
		}
		var part []byte
		var h facetHead
		part, ids[i], h = b.bytes(y.declared[i], number)
		h.At = int64(len(out))
		head.Facets, head.Width = append(head.Facets, h), max(head.Width, widthFor(h.Names))
		out = append(out, part...)
		b.ids, b.names, b.of, b.numbers = nil, nil, nil, nil
	}
	head.Starts = int64(len(out))
	starts, records := make([]uint32, 0, y.docs+1), []byte(nil)
	var all []uint32
	for _, doc := range number {
		starts, all = append(starts, uint32(len(records))), all[:0]
		for i := range y.of {
			n := y.of[i].starts[doc+1] - y.of[i].starts[doc]
			all, ids[i] = append(all, ids[i][:n]...), ids[i][n:]
			if n > 0 && all[len(all)-1] == nothing[i] {
				all = all[:len(all)-1]
			}
			if len(all) > math.MaxUint16 {
				return nil, fmt.Errorf("a document has more than %d values of facets", math.MaxUint16)
			}
			records = binary.LittleEndian.AppendUint16(records, uint16(len(all)))
		}
		packed := appendPacked(records, head.Width, all)
		records = packed[:len(packed)-packedPad]
	}
	if len(records) > math.MaxUint32 {
		return nil, fmt.Errorf("facets of a year take %d bytes: more than a file holds", len(records))
	}
	out = appendUint32s(out, append(starts, uint32(len(records))))
	out = append(append(out, records...), make([]byte, packedPad)...)
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	out = append(out, text...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(text)))
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(text))
	return append(out, facetsMagic...), nil
}

// facetTable is the table of facets beside a table of versions.
type facetTable struct {
	path     string
	declared []derive.Facet // none: there are no facets
}

func tableOfFacets(versions string) (t facetTable, err error) {
	t.path = derive.FacetsOf(versions)
	if _, err := os.Stat(t.path); errors.Is(err, os.ErrNotExist) {
		return t, nil // the table of versions is older than facets
	}
	t.declared, err = derive.Declared(t.path)
	return t, err
}

// sum begins the digest that tells whether the facets of a shard changed.
func (t *facetTable) sum() (hash.Hash, error) {
	h := sha256.New()
	h.Write([]byte(facetsMagic))
	for _, d := range t.declared {
		d.Left = 0
		b, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		h.Write(b)
	}
	return h, nil
}

// addSum adds the values of a document.
func addSum(h hash.Hash, buf []byte, list []derive.VersionFacetRow) []byte {
	buf = binary.AppendUvarint(buf[:0], uint64(len(list)))
	for _, r := range list {
		for _, s := range []string{r.Facet, r.Value} {
			buf = append(binary.AppendUvarint(buf, uint64(len(s))), s...)
		}
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(r.Number))
	}
	h.Write(buf)
	return buf
}

func facetMark(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:6]) }

// read opens the table; without facets it has no rows.
func (t *facetTable) read() *derive.FacetReader { return derive.ReadFacets(t.path) }

// refresh writes the files of facets that changed, a few years at a time.
func (t *facetTable) refresh(ctx context.Context, dir, versions string, shards []shardInfo, years []*year) error {
	marks := map[string]string{}
	for _, y := range years {
		if y.facetSum != nil {
			marks[y.year] = facetMark(y.facetSum)
		}
	}
	var stale []*shardInfo
	for i := range shards {
		s := &shards[i]
		switch mark := marks[s.Year]; {
		case mark == "":
			s.Facets, s.FacetsSum = "", ""
		case mark != s.Facets:
			stale = append(stale, s)
		}
	}
	for some := range slices.Chunk(stale, manyYears) {
		if err := t.build(ctx, dir, versions, some, marks); err != nil {
			return fmt.Errorf("facets: %w", err)
		}
	}
	return nil
}

// build writes the files of some years in one pass over the tables, and notes what they are in the manifest.
func (t *facetTable) build(ctx context.Context, dir, versions string, shards []*shardInfo, marks map[string]string) error {
	years := map[string]*yearValues{}
	for _, s := range shards {
		years[s.Year] = newYearValues(t.declared)
	}
	facets := t.read()
	defer facets.Close()
	row := int64(0)
	type only struct {
		From time.Time `parquet:"from,timestamp(microsecond)"`
	}
	err := derive.Rows(versions, func(v *only) (bool, error) {
		list, err := facets.Of(row)
		if y := years[v.From.UTC().Format("2006")]; y != nil && err == nil {
			y.add(list)
		}
		if row++; row%10_000 == 0 {
			err = errors.Join(err, ctx.Err())
		}
		return true, err
	})
	if err != nil {
		return err
	}
	for _, s := range shards {
		cols, err := readColumns(filepath.Join(dir, s.Dir, "columns"))
		if err != nil {
			return err
		}
		b, err := years[s.Year].file(cols.number)
		if err != nil {
			return fmt.Errorf("shard %s: %w", s.Year, err)
		}
		delete(years, s.Year)
		s.Facets, s.FacetsSum = marks[s.Year], hex.EncodeToString(sumBytes(b))
		if err := errors.Join(ctx.Err(), writeSynced(facetsPath(dir, *s), b)); err != nil {
			return err
		}
	}
	return nil
}

func sumBytes(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:]
}

// checkFacets reads every byte of the file of a shard.
func checkFacets(dir string, info shardInfo) error {
	if info.Facets == "" {
		return nil
	}
	path := facetsPath(dir, info)
	sum, err := digestOf(path)
	if err == nil && sum != info.FacetsSum {
		err = fmt.Errorf("%s is not what it was: %w", filepath.Base(path), errFacets)
	}
	return err
}
