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

// The file facets-<mark> beside a shard tells which documents have a value of the facets that analyses declare (derive.Facet), of which a document has any number. It is written
// anew when values or declarations change; the shard is not. It is mapped into memory and nothing of it is on the heap. What a document has is in another file (ordinals.go).
//
//	"vvfacet3" | facet* | head | length of head u64 | CRC-32 of head u32 | "vvfacet3"
//	head    JSON: documents, and of each facet its declaration, number of names and of values, where it begins
//	facet   names | firsts | docs | numbers
//	names   where each name begins u32 x k+1; the names, sorted as fold has them, so that the empty one is the first
//	firsts  of each name where its documents begin, u32 x k+1
//	docs    places of the documents of names, sorted; packed
//	numbers of facets that are numbers: of each of docs, f32
const facetsMagic = "vvfacet3"

// facetsBefore begin files of forms before, which were in no release. They are passed over until Build writes them anew.
var facetsBefore = []string{"vvfacet1", "vvfacet2"}

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
	nameAt    []byte
	nameBytes []byte
	firsts    []byte
	places    packed
	numbers   []byte
}

func u32At(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

func (v *values) name(id int) string { return string(v.written(id)) }

func (v *values) hash(id int) uint32 { return nameHash(v.name(id)) }

func (v *values) same(id int, other named, otherID int) bool {
	return string(v.written(id)) == other.name(otherID)
}

// written returns the bytes of a name.
func (v *values) written(id int) []byte {
	return v.nameBytes[u32At(v.nameAt, id):u32At(v.nameAt, id+1)]
}

// find returns the number of a name; -1 if no document has it.
func (v *values) find(name string) int {
	for id, to := v.alike(name, false); id < to; id++ { // ways to write it
		if string(v.written(id)) == name {
			return id
		}
	}
	return -1
}

// alike returns the numbers of the names that are written so, capitals apart, or begin so.
func (v *values) alike(text string, prefix bool) (from, to int) {
	key := fold(text)
	from = sort.Search(v.Names, func(i int) bool { return compareFold(v.written(i), key) >= 0 })
	to = from + sort.Search(v.Names-from, func(i int) bool {
		name := v.written(from + i)
		return compareFold(name, key) != 0 && !(prefix && strings.HasPrefix(strings.ToLower(string(name)), key))
	})
	return from, to
}

// beginning calls fn with the numbers of the names that begin so, capitals apart. The empty name is none: a number of it is of the whole document.
func (v *values) beginning(text string, fn func(id int)) {
	for id, to := v.alike(text, true); id < to; id++ {
		if len(v.written(id)) > 0 {
			fn(id)
		}
	}
}

// with adds the documents that have one of some names; if number is not nil, a number that it accepts.
func (v *values) with(from, to int, number func(float32) bool, out set) error {
	if from >= to {
		return nil
	}
	for i := u32At(v.firsts, from); i < u32At(v.firsts, to); i++ {
		if number != nil && !number(v.number(i)) {
			continue
		}
		d := v.places.at(i)
		if int(d) >= v.docs {
			return errFacets
		}
		out.put(d)
	}
	return nil
}

func (v *values) number(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(v.numbers[4*i:]))
}

// have returns how many documents have a name.
func (v *values) have(id int) uint32 { return uint32(u32At(v.firsts, id+1) - u32At(v.firsts, id)) }

// among returns how many documents of a set have a name.
func (v *values) among(id int, docs set) (n uint32) {
	p := &v.places
	for bit, end := u32At(v.firsts, id)*p.width, u32At(v.firsts, id+1)*p.width; bit < end; bit += p.width {
		d := binary.LittleEndian.Uint64(p.b[bit/8:]) >> (bit % 8) & p.mask
		n += uint32(docs[d/64] >> (d % 64) & 1)
	}
	return n
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
	if slices.ContainsFunc(facetsBefore, func(magic string) bool { return bytes.HasPrefix(mapped, []byte(magic)) }) {
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
	var head facetsHead
	body, err := readHead(b, facetsMagic, &head)
	if err != nil || head.Docs != docs {
		return nil, errFacets
	}
	var out []values
	for _, h := range head.Facets {
		if h.Names < 0 || h.Values < 0 || h.At < 0 || h.At > int64(len(body)) || h.Names > len(body) || h.Values > len(body) {
			return nil, errFacets
		}
		v := values{facetHead: h, docs: docs}
		r := columnsReader{b: body[h.At:]}
		v.nameAt = r.take(4 * uint64(h.Names+1))
		if v.nameAt == nil {
			return nil, errFacets
		}
		v.nameBytes = r.take(uint64(u32At(v.nameAt, h.Names)))
		v.firsts = r.take(4 * uint64(h.Names+1))
		v.places = newPacked(r.take(uint64(packedSize(widthFor(docs), h.Values))), widthFor(docs))
		if h.Kind == derive.FacetNumbers {
			v.numbers = r.take(4 * uint64(h.Values))
		}
		if r.bad || u32At(v.firsts, h.Names) != h.Values {
			return nil, errFacets
		}
		out = append(out, v)
	}
	return out, nil
}

// readHead reads the JSON at the end of a file, and returns what stands before it.
func readHead(b []byte, magic string, head any) (body []byte, err error) {
	tail := 8 + 4 + len(magic)
	if len(b) < len(magic)+tail || !bytes.HasPrefix(b, []byte(magic)) || !bytes.HasSuffix(b, []byte(magic)) {
		return nil, errFacets
	}
	end, b := b[len(b)-tail:], b[:len(b)-tail]
	size := binary.LittleEndian.Uint64(end)
	if size > uint64(len(b)) {
		return nil, errFacets
	}
	body, text := b[:len(b)-int(size)], b[len(b)-int(size):]
	if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(end[8:]) || json.Unmarshal(text, head) != nil {
		return nil, fmt.Errorf("%w: its head", errFacets)
	}
	return body, nil
}

// appendHead ends a file as readHead has it.
func appendHead(b []byte, magic string, head any) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(text))
	return append(b, magic...), nil
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

// bytes returns the parts of the facet; number has the number of the document at each place.
func (b *valuesBuilder) bytes(d derive.Facet, number []uint32) (out []byte, h facetHead, err error) {
	k := len(b.names)
	h = facetHead{Facet: d, Names: k, Values: len(b.of)}
	sorted := slices.SortedFunc(slices.Values(b.names), compareFolded)
	to, at := make([]uint32, k), 0
	for i, name := range sorted {
		out = binary.LittleEndian.AppendUint32(out, uint32(at))
		at += len(name)
		to[b.ids[name]] = uint32(i)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(at))
	if at > math.MaxUint32 {
		return nil, h, fmt.Errorf("the names of %s take %d bytes in a year: more than a file holds", d.Name, at)
	}
	for _, name := range sorted {
		out = append(out, name...)
	}
	firsts := make([]uint32, k+1)
	for i, id := range b.of {
		b.of[i] = to[id]
		firsts[to[id]+1]++
	}
	for i := range k {
		firsts[i+1] += firsts[i]
	}
	out = appendUint32s(out, firsts)
	docs, numbers, next := make([]uint32, len(b.of)), make([]float32, len(b.of)), slices.Clone(firsts)
	for p, n := range number {
		for i := b.starts[n]; i < b.starts[n+1]; i++ {
			at := &next[b.of[i]]
			docs[*at], numbers[*at] = uint32(p), b.numbers[i]
			*at++
		}
	}
	out = appendPacked(out, widthFor(len(number)), docs)
	if d.Kind == derive.FacetNumbers {
		for _, x := range numbers {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out, h, nil
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
	for i, sum := 0, 0; i < len(y.of); i++ {
		b := &y.of[i]
		if sum += len(b.of); sum > math.MaxUint32/4 {
			return nil, fmt.Errorf("facets have %d values in a year: more than a file holds", sum)
		}
		b.starts = append(b.starts, uint32(len(b.of)))
		part, h, err := b.bytes(y.declared[i], number)
		if err != nil {
			return nil, err
		}
		h.At = int64(len(out))
		head.Facets = append(head.Facets, h)
		out = append(out, part...)
		*b = valuesBuilder{}
	}
	return appendHead(out, facetsMagic, head)
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
