package tool

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"varve/archive/warc"
)

// maxSeries bounds how many segmented records are followed at once; files have a handful.
const maxSeries = 100_000

// part is one segment of a series.
type part struct {
	number int
	input  int // index of the file it lies in
	offset int64
	inner  int64 // where several records share a member
	length int64
	total  int64 // WARC-Segment-Total-Length; -1 if it has none
}

// seriesSet collects the segments of long records, over all files of a run: the standard means
// segments to lie in different files.
type seriesSet struct {
	byOrigin map[string][]part
	dropped  int64
}

func partOf(rec *warc.Record, input int) (origin string, p part, ok bool) {
	origin, n, ok := warc.Segment(rec.Header)
	if !ok || origin == "" {
		return "", part{}, false
	}
	p = part{number: n, input: input, offset: rec.Offset, inner: rec.Inner, length: rec.Length(), total: -1}
	if v, err := strconv.ParseInt(rec.Header.Get(warc.FieldSegmentTotal), 10, 64); err == nil {
		p.total = v
	}
	return origin, p, true
}

func (s *seriesSet) add(origin string, p part) {
	if s.byOrigin == nil {
		s.byOrigin = map[string][]part{}
	}
	if _, there := s.byOrigin[origin]; !there && len(s.byOrigin) >= maxSeries {
		s.dropped++
		return
	}
	s.byOrigin[origin] = append(s.byOrigin[origin], p)
}

// get gives the n-th segment of a series.
func (s *seriesSet) get(origin string, n int) (part, bool) {
	for _, p := range s.byOrigin[origin] {
		if p.number == n {
			return p, true
		}
	}
	return part{}, false
}

// flaw is a series that does not add up.
type flaw struct {
	origin string
	at     part // its first segment here
	what   string
}

// flaws gives the series that are not complete, in the order of files and offsets.
func (s *seriesSet) flaws() []flaw {
	var out []flaw
	for origin, parts := range s.byOrigin {
		slices.SortStableFunc(parts, func(a, b part) int { return a.number - b.number })
		if what := judgeSeries(parts); what != "" {
			out = append(out, flaw{origin, parts[0], what})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].at, out[j].at
		return a.input < b.input || a.input == b.input && a.offset < b.offset
	})
	return out
}

// judgeSeries tells what is wrong with a series sorted by number, or "".
func judgeSeries(parts []part) string {
	var missing []string
	var sum int64
	next := 1
	for _, p := range parts {
		if p.number < next {
			return fmt.Sprintf("segment %d is there twice", p.number)
		}
		for ; next < p.number && len(missing) < 10; next++ {
			missing = append(missing, strconv.Itoa(next))
		}
		next = p.number + 1
		sum += p.length
	}
	last := parts[len(parts)-1]
	switch {
	case len(missing) > 0:
		return "the series lacks segment " + strings.Join(missing, ", ") + " in the files given"
	case last.total < 0:
		return fmt.Sprintf("the series does not end in the files given: segment %d has no WARC-Segment-Total-Length", last.number)
	case last.total != sum:
		return fmt.Sprintf("the segments have %d bytes together, the last one says %d", sum, last.total)
	}
	return ""
}
