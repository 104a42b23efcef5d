package tool

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"slices"
)

// maxNames bounds how many different names one tally counts; later ones are counted as "other".
const maxNames = 100_000

// other is the name under which a full tally counts new names.
const other = "(other)"

// Sum is a number of records and their bytes.
type Sum struct {
	Records int64 `json:"records"`
	Raw     int64 `json:"raw"`    // bytes unpacked, headers included
	Packed  int64 `json:"packed"` // bytes in the file; equal to raw where records share members
}

func (s *Sum) add(o Sum) {
	s.Records += o.Records
	s.Raw += o.Raw
	s.Packed += o.Packed
}

// Tally counts by name.
type Tally struct{ sums map[string]*Sum }

func (t *Tally) add(name string, s Sum) {
	if t.sums == nil {
		t.sums = map[string]*Sum{}
	}
	have, ok := t.sums[name]
	if !ok {
		if len(t.sums) >= maxNames && name != other {
			t.add(other, s)
			return
		}
		have = &Sum{}
		t.sums[name] = have
	}
	have.add(s)
}

// addKnown is add for names that may be unknown.
func (t *Tally) addKnown(name string, s Sum) {
	if name != "" {
		t.add(name, s)
	}
}

// Row is one name of a tally.
type Row struct {
	Name string `json:"name"`
	Sum
}

// Len gives the number of names.
func (t *Tally) Len() int { return len(t.sums) }

// ByRecords gives the rows with most records first.
func (t *Tally) ByRecords() []Row {
	rows := t.rows()
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// ByName gives the rows sorted by name.
func (t *Tally) ByName() []Row {
	rows := t.rows()
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
	return rows
}

func (t *Tally) rows() []Row {
	rows := make([]Row, 0, len(t.sums))
	for name, s := range t.sums {
		rows = append(rows, Row{name, *s})
	}
	return rows
}

// MarshalJSON writes the rows with most records first.
func (t *Tally) MarshalJSON() ([]byte, error) { return json.Marshal(t.ByRecords()) }

// Big is one of the largest records.
type Big struct {
	Bytes  int64  `json:"bytes"` // of the block
	URL    string `json:"url,omitempty"`
	Type   string `json:"type"`
	File   string `json:"file"`
	Offset int64  `json:"offset"`
}

// top keeps the n largest records seen.
type top struct {
	n    int
	bigs bigHeap
}

type bigHeap []Big

func (h bigHeap) Len() int           { return len(h) }
func (h bigHeap) Less(i, j int) bool { return h[i].Bytes < h[j].Bytes }
func (h bigHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *bigHeap) Push(x any)        { *h = append(*h, x.(Big)) }
func (h *bigHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func (t *top) add(b Big) {
	if t.n <= 0 || len(t.bigs) == t.n && t.bigs[0].Bytes >= b.Bytes {
		return
	}
	if len(t.bigs) == t.n {
		heap.Pop(&t.bigs)
	}
	heap.Push(&t.bigs, b)
}

func (t *top) sorted() []Big {
	out := slices.Clone(t.bigs)
	slices.SortFunc(out, func(a, b Big) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
	return out
}
