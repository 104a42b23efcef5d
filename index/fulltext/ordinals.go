package fulltext

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/blevesearch/mmap-go"
)

// The file ordinals-<mark> of an index tells which values each document has, of the facets that analyses declare: what facets are counted along. The names of all facets and
// shards have one numbering, their ordinals, so that counts of years are simply added up. Common names have the low numbers, measured by the tenth of their facet; so the
// counters in use lie together, and who only needs names that some number of documents have leaves the record of a document where it goes beyond.
// What a document has of all facets lies together: memory that is not in the processor's cache is what counting costs.
//
// The numbering changes when documents do, so the file is written anew with every change of facets: from the files of the shards (values.go). Its cost
// grows with all values of the index, not with what is new.
//
//	"vvordin1" | haves | hashes | facets | shards | ids | list* | documents* | head | length of head u64 | CRC-32 of head u32 | "vvordin1"
//	haves     of each name how many documents have it, u32; never increasing within a facet
//	hashes    of each name, u32 (nameHash)
//	facets    of each name its facet, u8
//	shards    of each name a shard that has it, packed; ids: its number there, packed
//	list      of each facet: ordinals of its names, sorted; packed
//	documents of each shard: how many values stand before those of each document by place, u32 x n+1 | ordinals of the values of each, sorted; packed
//	head      JSON: number of names, of ids of a shard at most, facets with their numbers of names and values, documents and values of each shard
//
// The empty name, which a number of a whole document has, is not counted and has no ordinal.
const ordinalsMagic = "vvordin1"

type ordinalsHead struct {
	Names  int           `json:"names"`
	IDs    int           `json:"ids"`
	Facets []facetTotal  `json:"facets"`
	Shards []shardTotals `json:"shards"`
}

type facetTotal struct {
	Name   string `json:"name"`
	Names  int    `json:"names"`
	Values int    `json:"values"`
}

type shardTotals struct {
	Docs   int `json:"docs"`
	Values int `json:"values"`
}

// ordinals is the file, mapped into memory.
type ordinals struct {
	ordinalsHead
	mapped                mmap.MMap
	haves, hashes, facets []byte
	shardOf, idOf         packed
	lists                 []packed // of each facet
	documents             []recordList
	docs                  int

	shards []*shard // of the index: they have the names
}

// recordList is what the documents of a shard have.
type recordList struct {
	starts []byte
	values packed
}

// span returns which of the values are those of a document.
func (l *recordList) span(doc uint32) (from, to int) {
	at := binary.LittleEndian.Uint64(l.starts[4*doc:])
	return int(uint32(at)), int(at >> 32)
}

func (o *ordinals) have(id int) uint32 { return binary.LittleEndian.Uint32(o.haves[4*id:]) }

func (o *ordinals) hash(id int) uint32 { return binary.LittleEndian.Uint32(o.hashes[4*id:]) }

func (o *ordinals) name(id int) string {
	v := o.shards[o.shardOf.at(id)].facets.find(o.Facets[o.facets[id]].Name)
	return v.name(int(o.idOf.at(id)))
}

func (o *ordinals) same(id int, other named, otherID int) bool {
	return other == named(o) && id == otherID || o.name(id) == other.name(otherID)
}

// facet returns the number of a facet; -1 if there is none of that name.
func (o *ordinals) facet(name string) int {
	return slices.IndexFunc(o.Facets, func(f facetTotal) bool { return f.Name == name })
}

// often returns how many names of a facet so many documents have: the first ones of its list.
func (o *ordinals) often(facet int, least uint32) int {
	list := &o.lists[facet]
	return sort.Search(o.Facets[facet].Names, func(i int) bool { return o.have(int(list.at(i))) < least })
}

// nth returns how many documents have the name of a facet that is so common; 0 if there are fewer names.
func (o *ordinals) nth(facet, n int) uint32 {
	if n >= o.Facets[facet].Names {
		return 0
	}
	return o.have(int(o.lists[facet].at(n)))
}

func ordinalsPath(dir, mark string) string { return filepath.Join(dir, "ordinals-"+mark) }

// openOrdinals maps the file of an index; without one there are no facets that analyses declared, and it is nil.
func openOrdinals(dir string, m manifest) (*ordinals, error) {
	if m.Ordinals == "" {
		return nil, nil
	}
	path := ordinalsPath(dir, m.Ordinals)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	o, err := parseOrdinals(mapped)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), mapped.Unmap())
	}
	o.mapped = mapped
	return o, nil
}

// bind gives it the shards of its index. Without ordinals none of them may have facets.
func (o *ordinals) bind(shards []*shard) error {
	if o == nil {
		if slices.ContainsFunc(shards, func(s *shard) bool { return len(s.facets.of) > 0 }) {
			return fmt.Errorf("%w: what documents have is missing", errFacets)
		}
		return nil
	}
	if len(shards) != len(o.Shards) {
		return errFacets
	}
	for i, s := range shards {
		if s.info.Docs != o.Shards[i].Docs {
			return errFacets
		}
	}
	o.shards = shards
	return nil
}

func (o *ordinals) close() error {
	if o == nil || o.mapped == nil {
		return nil
	}
	return o.mapped.Unmap()
}

// parseOrdinals reads the head and finds the parts; what they say is checked when it is used.
func parseOrdinals(b []byte) (*ordinals, error) {
	o := &ordinals{}
	body, err := readHead(b, ordinalsMagic, &o.ordinalsHead)
	if err != nil {
		return nil, err
	}
	most := len(body)
	sane := func(list ...int) bool {
		return !slices.ContainsFunc(list, func(n int) bool { return n < 0 || n > most })
	}
	if !sane(o.Names) || o.IDs < 0 || o.IDs > math.MaxUint32 || len(o.Facets) > 1<<8 || !sane(len(o.Shards)) {
		return nil, errFacets
	}
	r := columnsReader{b: body[len(ordinalsMagic):]}
	take := func(n, width int) packed { return newPacked(r.take(uint64(packedSize(width, n))), width) }
	names := uint64(o.Names)
	o.haves, o.hashes, o.facets = r.take(4*names), r.take(4*names), r.take(names)
	o.shardOf, o.idOf = take(o.Names, widthFor(len(o.Shards))), take(o.Names, widthFor(o.IDs))
	for _, f := range o.Facets {
		if !sane(f.Names) {
			return nil, errFacets
		}
		o.lists = append(o.lists, take(f.Names, widthFor(o.Names)))
	}
	for _, s := range o.Shards {
		if !sane(s.Docs) || s.Values < 0 || s.Values > 8*most {
			return nil, errFacets
		}
		o.docs += s.Docs
		o.documents = append(o.documents, recordList{r.take(4 * uint64(s.Docs+1)), take(s.Values, widthFor(o.Names))})
	}
	if r.bad {
		return nil, errFacets
	}
	return o, nil
}

// ordinalsMark tells which files of shards the ordinals are of; empty if there are none.
func ordinalsMark(shards []shardInfo) string {
	h, some := sha256.New(), false
	io.WriteString(h, ordinalsMagic)
	for _, s := range shards {
		fmt.Fprintf(h, "\n%s %s", s.Dir, s.Facets)
		some = some || s.Facets != ""
	}
	if !some {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// ordinalsBuilder numbers the names of shards.
type ordinalsBuilder struct {
	files []*facetsFile
	head  ordinalsHead
	names []ordinalName
	of    [][][]uint32 // of each shard, facet and name there: the place in names, or its ordinal; nameless for the empty name
}

type ordinalName struct{ have, hash, facet, shard, id uint32 }

// nameless is no ordinal.
const nameless = math.MaxUint32

// writeOrdinals writes the file of an index whose shards have their files of facets, and returns its SHA-256. Memory: 4 bytes for each name of each shard, 24 for each that differs, and 16 for each
// value of one shard.
func writeOrdinals(ctx context.Context, dir, mark string, shards []shardInfo) (sum string, err error) {
	b := &ordinalsBuilder{}
	defer func() {
		for _, f := range b.files {
			err = errors.Join(err, f.close())
		}
	}()
	for _, s := range shards {
		f, err := openFacets(dir, s)
		if err != nil {
			return "", err
		}
		b.files = append(b.files, f)
		b.of = append(b.of, make([][]uint32, len(f.of)))
		b.head.Shards = append(b.head.Shards, shardTotals{Docs: s.Docs})
		for i := range f.of {
			v := &f.of[i]
			b.of[len(b.of)-1][i] = make([]uint32, v.Names)
			b.head.IDs = max(b.head.IDs, v.Names)
			if !slices.ContainsFunc(b.head.Facets, func(t facetTotal) bool { return t.Name == v.Name }) {
				b.head.Facets = append(b.head.Facets, facetTotal{Name: v.Name})
			}
		}
	}
	if len(b.head.Facets) > 1<<8 {
		return "", fmt.Errorf("there are %d facets, and an index holds %d", len(b.head.Facets), 1<<8)
	}
	for i := range b.head.Facets {
		if err := errors.Join(b.merge(i), ctx.Err()); err != nil {
			return "", err
		}
	}
	b.rank()
	return b.write(ctx, ordinalsPath(dir, mark))
}

// nameCursor goes through the names of a facet of a shard.
type nameCursor struct {
	v      *values
	of     []uint32
	shard  int
	id     int
	folded string
}

func (c *nameCursor) next() bool {
	if c.id++; c.id < c.v.Names {
		c.folded = fold(c.v.name(c.id))
		return true
	}
	return false
}

// nameCursors is a heap of cursors, the least name first.
type nameCursors []*nameCursor

func (h nameCursors) Len() int { return len(h) }
func (h nameCursors) Less(i, j int) bool {
	return cmp.Or(strings.Compare(h[i].folded, h[j].folded), bytes.Compare(h[i].v.written(h[i].id), h[j].v.written(h[j].id)), cmp.Compare(h[i].shard, h[j].shard)) < 0
}
func (h nameCursors) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *nameCursors) Push(x any)   { *h = append(*h, x.(*nameCursor)) }
func (h *nameCursors) Pop() any     { last := len(*h) - 1; x := (*h)[last]; *h = (*h)[:last]; return x }

// merge adds the names of a facet of all shards to the names, each once, in the order in which files have them.
func (b *ordinalsBuilder) merge(facet int) error {
	var cursors nameCursors
	total := &b.head.Facets[facet]
	for s, f := range b.files {
		for i := range f.of {
			c := &nameCursor{v: &f.of[i], of: b.of[s][i], shard: s, id: -1}
			if c.v.Name == total.Name && c.next() {
				cursors = append(cursors, c)
			}
		}
	}
	heap.Init(&cursors)
	var last []byte
	for len(cursors) > 0 {
		c := cursors[0]
		switch name := c.v.written(c.id); {
		case len(name) == 0:
			c.of[c.id] = nameless
		default:
			if last == nil || !bytes.Equal(name, last) {
				if len(b.names) == math.MaxInt32 {
					return fmt.Errorf("facets have more than %d names", math.MaxInt32)
				}
				b.names = append(b.names, ordinalName{hash: nameHash(string(name)), facet: uint32(facet), shard: uint32(c.shard), id: uint32(c.id)})
				total.Names++
			}
			last = name
			have := c.v.have(c.id)
			b.names[len(b.names)-1].have += have
			b.head.Shards[c.shard].Values += int(have)
			total.Values += int(have)
			c.of[c.id] = uint32(len(b.names) - 1)
		}
		if c.next() {
			heap.Fix(&cursors, 0)
		} else {
			heap.Pop(&cursors)
		}
	}
	return nil
}

// usualTop is how many names of a facet are mostly asked for.
const usualTop = 10

// rank gives the names their ordinals: the commonest first. Of each facet the commonest few are looked for, whatever facet they are of; so what counts is how many documents have a name
// for each that has the tenth of its facet.
func (b *ordinalsBuilder) rank() {
	order := make([]uint32, len(b.names))
	haves := make([][]uint32, len(b.head.Facets))
	for i, n := range b.names {
		order[i], haves[n.facet] = uint32(i), append(haves[n.facet], n.have)
	}
	scale := make([]uint64, len(haves))
	for f, list := range haves {
		if slices.Sort(list); len(list) > 0 {
			scale[f] = uint64(list[max(0, len(list)-usualTop)])
		}
	}
	slices.SortStableFunc(order, func(x, y uint32) int {
		a, b := &b.names[x], &b.names[y]
		return cmp.Compare(uint64(b.have)*scale[a.facet], uint64(a.have)*scale[b.facet])
	})
	to, sorted := make([]uint32, len(order)), make([]ordinalName, len(order))
	for i, n := range order {
		to[n], sorted[i] = uint32(i), b.names[n]
	}
	b.names = sorted
	for _, shard := range b.of {
		for _, facet := range shard {
			for i, n := range facet {
				if n != nameless {
					facet[i] = to[n]
				}
			}
		}
	}
	b.head.Names = len(b.names)
}

// write writes the file and puts it in its place.
func (b *ordinalsBuilder) write(ctx context.Context, path string) (sum string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "tmp-ordinals-")
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(f, digest), 256<<10)
	err = b.parts(ctx, func(p []byte) { _, _ = w.Write(p) }) // its error stays, and Flush returns it
	if err = errors.Join(err, w.Flush(), f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return hex.EncodeToString(digest.Sum(nil)), os.Rename(f.Name(), path)
}

func (b *ordinalsBuilder) parts(ctx context.Context, put func([]byte)) error {
	column := func(of func(*ordinalName) uint32) []uint32 {
		out := make([]uint32, len(b.names))
		for i := range out {
			out[i] = of(&b.names[i])
		}
		return out
	}
	put([]byte(ordinalsMagic))
	put(appendUint32s(nil, column(func(n *ordinalName) uint32 { return n.have })))
	put(appendUint32s(nil, column(func(n *ordinalName) uint32 { return n.hash })))
	facets, lists := make([]byte, len(b.names)), make([][]uint32, len(b.head.Facets))
	for i, n := range b.names {
		facets[i] = byte(n.facet)
		lists[n.facet] = append(lists[n.facet], uint32(i))
	}
	put(facets)
	put(appendPacked(nil, widthFor(len(b.head.Shards)), column(func(n *ordinalName) uint32 { return n.shard })))
	put(appendPacked(nil, widthFor(b.head.IDs), column(func(n *ordinalName) uint32 { return n.id })))
	width := widthFor(len(b.names))
	for _, list := range lists {
		put(appendPacked(nil, width, list))
	}
	for s := range b.files {
		starts, list, err := b.documents(s)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		put(appendUint32s(nil, starts))
		put(appendPacked(nil, width, list))
	}
	end, err := appendHead(nil, ordinalsMagic, b.head)
	put(end)
	return err
}

// documents returns the ordinals of the documents of a shard, those of each sorted: names are gone through by their ordinals, and each is added to what its documents have.
func (b *ordinalsBuilder) documents(s int) (starts, list []uint32, err error) {
	type name struct {
		ordinal uint32
		of      *values
		id      int
	}
	var names []name
	docs := b.head.Shards[s].Docs
	starts = make([]uint32, docs+1)
	for i, ordinals := range b.of[s] {
		v := &b.files[s].of[i]
		for id, n := range ordinals {
			if n == nameless {
				continue
			}
			names = append(names, name{n, v, id})
			for at := u32At(v.firsts, id); at < u32At(v.firsts, id+1); at++ {
				d := v.places.at(at)
				if int(d) >= docs {
					return nil, nil, errFacets
				}
				starts[d+1]++
			}
		}
	}
	slices.SortFunc(names, func(x, y name) int { return cmp.Compare(x.ordinal, y.ordinal) })
	for d := range docs {
		starts[d+1] += starts[d]
	}
	list = make([]uint32, starts[docs])
	next := slices.Clone(starts)
	for _, n := range names {
		for at := u32At(n.of.firsts, n.id); at < u32At(n.of.firsts, n.id+1); at++ {
			d := n.of.places.at(at)
			list[next[d]] = n.ordinal
			next[d]++
		}
	}
	return starts, list, nil
}

// checkOrdinals reads every byte of the file of an index.
func checkOrdinals(dir string, m manifest) error {
	if m.Ordinals == "" {
		return nil
	}
	path := ordinalsPath(dir, m.Ordinals)
	sum, err := digestOf(path)
	if err == nil && sum != m.OrdinalsSum {
		err = fmt.Errorf("%s is not what it was: %w", filepath.Base(path), errFacets)
	}
	return err
}
