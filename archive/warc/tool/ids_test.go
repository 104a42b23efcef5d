package tool

import (
	"fmt"
	"strings"
	"testing"
)

// The table agrees with a map, through growth, up to its limit.
func TestIDTable(t *testing.T) {
	table := &idTable{limit: 5000}
	first := map[string]int64{}
	for i := range int64(20_000) {
		id := fmt.Sprint(i * i % 12_345)
		at, hit := table.seen(hashID(id), i)
		want, known := first[id]
		if hit && (!known || at != want) {
			t.Fatalf("id %s: hit at %d, first is %d (%v)", id, at, want, known)
		}
		if !hit && known && table.over == 0 {
			t.Fatalf("id %s was not seen again", id)
		}
		if !known && len(first) < table.limit {
			first[id] = i
		}
	}
	if table.used > table.limit || len(table.slots) > 4*table.limit {
		t.Errorf("%d used, %d slots", table.used, len(table.slots))
	}
}

func TestJudgeSeries(t *testing.T) {
	p := func(n int, length, total int64) part { return part{number: n, length: length, total: total} }
	for _, c := range []struct {
		parts []part
		want  string
	}{
		{[]part{p(1, 6, -1), p(2, 4, 10)}, ""},
		{[]part{p(1, 6, 6)}, ""},
		{[]part{p(1, 6, -1), p(3, 4, 10)}, "the series lacks segment 2 in the files given"},
		{[]part{p(2, 4, 10)}, "the series lacks segment 1 in the files given"},
		{[]part{p(1, 6, -1), p(2, 4, -1)}, "the series does not end in the files given: segment 2 has no WARC-Segment-Total-Length"},
		{[]part{p(1, 6, -1), p(2, 4, 11)}, "the segments have 10 bytes together, the last one says 11"},
		{[]part{p(1, 6, -1), p(1, 6, -1), p(2, 4, 10)}, "segment 1 is there twice"},
		{[]part{p(1, 6, -1), p(3, 6, 10)}, "the segments have 12 bytes together, the last one says 10"},
		{[]part{p(1, 6, -1), p(2, 4, 10), p(3, 4, -1)}, "segment 2 has WARC-Segment-Total-Length and is not the last one"},
		{[]part{{number: 1, length: 6, total: -1, uri: 1}, {number: 2, length: 4, total: 10, uri: 2}}, "segment 2 has another WARC-Target-URI than segment 1"},
		{[]part{p(1, 6, -1), p(1<<40, 4, 10)}, "the series lacks segment 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 in the files given"},
	} {
		wrong, elsewhere := judgeSeries(c.parts)
		if wrong+elsewhere != c.want || (elsewhere != "") != strings.Contains(c.want, "in the files given") {
			t.Errorf("%v: %q, %q, want %q", c.parts, wrong, elsewhere, c.want)
		}
	}
}
