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
	total  int64  // WARC-Segment-Total-Length; -1 if it has none
	uri    uint64 // hash of the target URI
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
	p = part{number: n, input: input, offset: rec.Offset, inner: rec.Inner, length: rec.Length(), total: -1, uri: hashID(rec.TargetURI())}
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
	class  warc.Class
	rule   warc.Rule
	what   string
}

// flaws gives the series that are not complete, in the order of files and offsets.
func (s *seriesSet) flaws() []flaw {
	var out []flaw
	for origin, parts := range s.byOrigin {
		slices.SortStableFunc(parts, func(a, b part) int { return a.number - b.number })
		if wrong, missing := judgeSeries(parts); wrong != "" {
			out = append(out, flaw{origin, parts[0], warc.Spec, warc.RuleSegment, wrong})
		} else if missing != "" {
			out = append(out, flaw{origin, parts[0], warc.Advice, warc.RuleSeries, missing})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].at, out[j].at
		return a.input < b.input || a.input == b.input && a.offset < b.offset
	})
	return out
}

// judgeSeries tells what is wrong with a series sorted by number, or else what of it is not in the files
// given: segments usually lie in several files, so the files at hand are no worse for that.
func judgeSeries(parts []part) (wrong, elsewhere string) {
	var missing []string
	var sum int64
	next := 1
	for i, p := range parts {
		switch {
		case p.number < next:
			return fmt.Sprintf("segment %d is there twice", p.number), ""
		case p.uri != parts[0].uri:
			return fmt.Sprintf("segment %d has another WARC-Target-URI than segment %d", p.number, parts[0].number), ""
		case p.total >= 0 && i < len(parts)-1 && parts[i+1].number != p.number:
			return fmt.Sprintf("segment %d has WARC-Segment-Total-Length and is not the last one", p.number), ""
		}
		for ; next < p.number && len(missing) < 10; next++ {
			missing = append(missing, strconv.Itoa(next))
		}
		next = p.number + 1
		sum += p.length
	}
	last := parts[len(parts)-1]
	switch {
	case last.total >= 0 && (last.total < sum || last.total != sum && len(missing) == 0):
		return fmt.Sprintf("the segments have %d bytes together, the last one says %d", sum, last.total), ""
	case len(missing) > 0:
		return "", "the series lacks segment " + strings.Join(missing, ", ") + " in the files given"
	case last.total < 0:
		return "", fmt.Sprintf("the series does not end in the files given: segment %d has no WARC-Segment-Total-Length", last.number)
	}
	return "", ""
}
