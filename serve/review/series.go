package review

import (
	"slices"

	"varve/serve/holdings"
)

// series is the crawls of one definition that are over, oldest first.
type series []*holdings.Crawl

// seriesOf parts crawls by their definition, in the order of their first crawls.
func seriesOf(crawls []*holdings.Crawl) []series {
	at := map[string]int{}
	var out []series
	for _, k := range crawls {
		if k.State == holdings.Live {
			continue
		}
		key := k.Series()
		i, ok := at[key]
		if !ok {
			i, at[key] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], k)
	}
	return out
}

func (s series) last() *holdings.Crawl { return s[len(s)-1] }

// reported is the crawls of the series that wrote a report.
func (s series) reported() series {
	var out series
	for _, k := range s {
		if k.HasReport() {
			out = append(out, k)
		}
	}
	return out
}

// since is the first crawl of the run of crawls at the end of the series for which bad holds; nil if it does
// not hold for the last.
func (s series) since(bad func(*holdings.Crawl) bool) *holdings.Crawl {
	var first *holdings.Crawl
	for _, k := range slices.Backward(s) {
		if !bad(k) {
			break
		}
		first = k
	}
	return first
}

func (s series) alerts() []Alert {
	out := s.ended()
	if holdings.IsMending(s.last().Name) { // what it did not get, its review tells beside the crawl that it mends; nobody seeded it
		return slices.DeleteFunc(out, func(a Alert) bool { return a.Kind != CrawlFailed })
	}
	reported := s.reported()
	if len(reported) == 0 {
		return out
	}
	failed := reported.seeds()
	out = append(out, failed...)
	out = append(out, reported.moved()...)
	out = append(out, reported.hosts(failed)...)
	return append(out, reported.drops()...)
}
