package term

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"varve/archive/cdxj"
	"varve/evolution"
)

// Options are the thresholds. Default has those that were measured (docs/algorithms/evolution.md).
type Options struct {
	MinPhrase     int     `json:"min_phrase"`      // occurrences in a slice that make a phrase of several words a term
	MinPair       int     `json:"min_pair"`        // documents of a slice with two terms in one list that make an edge
	MinCurvature  float64 `json:"min_curvature"`   // of the core of a sense
	MinClusterSim float64 `json:"min_cluster_sim"` // Jaccard of clusters of consecutive slices that are one unit
	MinLocalCurv  float64 `json:"min_local_curv"`  // of a term that represents a unit
	MinUnitSim    float64 `json:"min_unit_sim"`    // Jaccard of units of one path
	SameUnitSim   float64 `json:"same_unit_sim"`   // and of those that are the same sense, not an evolved one
	MaxPaths      int     `json:"max_paths"`       // of a term that are looked for
	Window        int     `json:"window"`          // years before and from a change that are compared, at most; half of them at least
	MinCompany    float64 `json:"min_company"`     // companions on each side of a change, each as often as it occurs
	MinChange     float64 `json:"min_change"`      // effect of a change
	Pairs         int     `json:"-"`               // held in memory; others go to the disk
	Phrases       int     `json:"-"`               // held in memory; beyond, the rarest are dropped
}

// Default returns the thresholds that were measured.
func Default() Options {
	return Options{
		MinPhrase: 3, MinPair: 2, MinCurvature: 0.2,
		MinClusterSim: 0.2, MinLocalCurv: 0.5, MinUnitSim: 0.15, SameUnitSim: 0.5, MaxPaths: 200,
		Window: 10, MinCompany: 150, MinChange: 0.6,
		Pairs: 1 << 20, Phrases: 2 << 20,
	}
}

// Slice is the terms of one year: what is kept of its texts.
type Slice struct {
	Year      int            `json:"year"`
	Documents int            `json:"documents"`
	Words     int            `json:"words"`     // phrases, each as often as it occurs
	Frequency map[string]int `json:"frequency"` // of the terms
	Edges     []Edge         `json:"edges"`     // in the order of A and B
	Clusters  []Cluster      `json:"clusters"`
	Pairs     int64          `json:"pairs"`             // of terms in lists, also below MinPair
	Dropped   int            `json:"dropped,omitempty"` // phrases that were too rare to be held
}

// Count makes the slice of a year of its documents, which are gone through twice. dir is for pairs that do not fit into memory.
func Count(year int, documents evolution.Documents, dir string, o Options) (*Slice, error) {
	s := &Slice{Year: year}
	d := dictionary{counts: map[string]int{}, most: o.Phrases}
	for doc, err := range documents() {
		if err != nil {
			return nil, err
		}
		if doc.Year == year {
			s.Documents++
			s.Words += d.add(doc)
		}
	}
	d.close(o.MinPhrase)
	s.Frequency, s.Dropped = d.counts, d.dropped
	pairs, err := newCounter(dir, o.Pairs)
	if err != nil {
		return nil, err
	}
	defer pairs.close()
	for doc, err := range documents() {
		if err == nil && doc.Year == year {
			err = d.pairs(doc, pairs.add)
		}
		if err != nil {
			return nil, err
		}
	}
	err = pairs.all(func(a, b string, n int) {
		s.Pairs++
		if n >= o.MinPair {
			s.Edges = append(s.Edges, Edge{a, b, n})
		}
	})
	if err != nil {
		return nil, err
	}
	s.Clusters = NewGraph(s.Edges).Clusters(o.MinCurvature)
	return s, nil
}

// dictionary holds the terms of a slice: single nouns, and phrases that occur often enough.
type dictionary struct {
	counts  map[string]int
	most    int
	dropped int
}

// add counts the phrases of a document, and the words that a phrase ends with: "human right" is counted for "basic human right" too.
func (d *dictionary) add(doc *evolution.Document) (words int) {
	for _, s := range doc.Sentences {
		for _, p := range s {
			words++
			for key := range tails(p) {
				d.counts[key]++
			}
		}
	}
	if d.most > 0 && len(d.counts) > d.most {
		before := len(d.counts)
		maps.DeleteFunc(d.counts, func(_ string, n int) bool { return n == 1 })
		d.dropped += before - len(d.counts)
		d.most = max(d.most, 2*len(d.counts)) // a slice of frequent phrases has them all
	}
	return words
}

// close drops phrases of several words that are no terms.
func (d *dictionary) close(least int) {
	maps.DeleteFunc(d.counts, func(key string, n int) bool { return n < least && strings.Contains(key, " ") })
}

// tails goes through a phrase and what is left of it without its first words; a name is one thing, and has none.
func tails(p evolution.Phrase) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := p.Key; ; {
			if !strings.HasPrefix(key, "of ") && !strings.HasPrefix(key, "the ") && !yield(key) {
				return
			}
			_, rest, ok := strings.Cut(key, " ")
			if !ok || p.Name != "" {
				return
			}
			key = rest
		}
	}
}

// term returns the longest term that a phrase ends with; "" if there is none.
func (d *dictionary) term(p evolution.Phrase) string {
	for key := range tails(p) {
		if d.counts[key] > 0 {
			return key
		}
	}
	return ""
}

// pairs yields each pair of terms that a document has in one list, once.
func (d *dictionary) pairs(doc *evolution.Document, yield func(a, b string) error) error {
	met := map[[2]string]bool{}
	var list []string
	flush := func() {
		for i, a := range list {
			for _, b := range list[i+1:] {
				if a != b {
					met[[2]string{min(a, b), max(a, b)}] = true
				}
			}
		}
		list = list[:0]
	}
	for _, s := range doc.Sentences {
		for _, p := range s {
			if !p.Listed || len(list) == maxList {
				flush()
			}
			if t := d.term(p); t != "" {
				list = append(list, t)
			}
		}
		flush()
	}
	for p := range met {
		if err := yield(p[0], p[1]); err != nil {
			return err
		}
	}
	return nil
}

// maxList bounds the pairs of a list; longer ones are tables.
const maxList = 60

// counter counts pairs in bounded memory: what does not fit goes to sorted runs on disk, which are merged at the end.
type counter struct {
	most   int
	counts map[[2]string]int
	dir    string
	sorter *cdxj.Sorter // nil until something was spilled
	line   []byte
}

func newCounter(dir string, most int) (*counter, error) {
	dir, err := os.MkdirTemp(dir, "pairs-")
	return &counter{most: max(most, 1), counts: map[[2]string]int{}, dir: dir}, err
}

func (c *counter) close() error { return os.RemoveAll(c.dir) }

func (c *counter) add(a, b string) error {
	c.counts[[2]string{a, b}]++
	if len(c.counts) < c.most {
		return nil
	}
	return c.spill()
}

func (c *counter) spill() error {
	if c.sorter == nil {
		c.sorter = cdxj.NewSorter(c.dir, cdxj.SortOptions{})
	}
	for p, n := range c.counts {
		c.line = fmt.Appendf(c.line[:0], "%s\t%s\t%d", p[0], p[1], n)
		if err := c.sorter.Add(c.line); err != nil {
			return err
		}
	}
	clear(c.counts)
	return nil
}

// all yields the pairs in their order, each once with its count.
func (c *counter) all(yield func(a, b string, n int)) error {
	if c.sorter == nil {
		for _, p := range slices.SortedFunc(maps.Keys(c.counts), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			yield(p[0], p[1], c.counts[p])
		}
		return nil
	}
	defer c.sorter.Close()
	if err := c.spill(); err != nil {
		return err
	}
	var pair []byte
	sum := 0
	flush := func() {
		if a, b, ok := strings.Cut(string(pair), "\t"); ok {
			yield(a, b, sum)
		}
	}
	for line, err := range c.sorter.Sorted() {
		if err != nil {
			return err
		}
		at := bytes.LastIndexByte(line, '\t')
		n, err := strconv.Atoi(string(line[at+1:]))
		if err != nil {
			return fmt.Errorf("count of pairs: %w", err)
		}
		if !bytes.Equal(line[:at], pair) {
			flush()
			pair, sum = append(pair[:0], line[:at]...), 0
		}
		sum += n
	}
	flush()
	return nil
}
