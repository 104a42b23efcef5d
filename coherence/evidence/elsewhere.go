package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
)

// elsewhere finds the originals of revisits that are not under the index key of the revisit, by
// sorting what is wanted and what there is under the same names.
//
//	wanted NAME 1 number rank          (name: record id, URI and second, digest)
//	there  NAME 0 note of the original
//	merge -> found: number rank note;  the least rank of each number wins
type elsewhere struct {
	dir    string
	memory int
	seed   maphash.Seed
	names  *cdxj.Sorter
	found  *cdxj.Sorter
	filter map[uint64]struct{} // names that are wanted; nil when they are too many to tell
	count  int64
}

// maxFilter bounds the names held in memory to leave out captures that nobody wants.
const maxFilter = 1 << 20

func newElsewhere(dir string, memory int) *elsewhere {
	return &elsewhere{
		dir: dir, memory: memory, seed: maphash.MakeSeed(), filter: map[uint64]struct{}{},
		names: cdxj.NewSorter(dir, cdxj.SortOptions{Memory: memory}),
		found: cdxj.NewSorter(dir, cdxj.SortOptions{Memory: memory}),
	}
}

func (e *elsewhere) close() error { return errors.Join(e.names.Close(), e.found.Close()) }

// steps are the ranks, best first.
var steps = []warc.Step{warc.StepRecordID, warc.StepURIDate, warc.StepDigest}

// idName, dateName and digestName are the names under which originals are known; empty for none.
func idName(id string) string {
	if id == "" {
		return ""
	}
	return "i" + oneWord(id)
}

func dateName(uri string, at time.Time) string {
	if uri == "" || at.IsZero() {
		return ""
	}
	return "u" + strconv.FormatInt(at.Unix(), 10) + "/" + oneWord(uri)
}

func digestName(digest string) string {
	if digest == "" {
		return ""
	}
	return "d" + oneWord(cdxj.NormalDigest(digest))
}

// want asks for the original of a revisit.
func (e *elsewhere) want(n *note) error {
	own, err := n.line(fmt.Sprintf("%020d 0", e.count))
	if err != nil {
		return err
	}
	if err := e.found.Add(own); err != nil {
		return err
	}
	uri := n.Refers.URI
	if uri == "" {
		uri = n.Capture.URL
	}
	names := []string{idName(n.Refers.ID), dateName(uri, n.Refers.Date), digestName(n.Capture.Digest)}
	for rank, name := range names {
		if name == "" {
			continue
		}
		if e.filter != nil {
			if e.filter[maphash.String(e.seed, name)] = struct{}{}; len(e.filter) > maxFilter {
				e.filter = nil
			}
		}
		if err := e.names.Add(fmt.Appendf(nil, "%s 1 %020d %d", name, e.count, rank+1)); err != nil {
			return err
		}
	}
	e.count++
	return nil
}

// offer tells of a capture with content.
func (e *elsewhere) offer(n *note) error {
	for _, name := range []string{idName(n.Capture.Place.Record), dateName(n.Capture.URL, n.Capture.Time), digestName(n.Capture.Digest)} {
		if name == "" || !e.wanted(name) {
			continue
		}
		line, err := n.line(name + " 0 " + timeWord(n.Capture.Time))
		if err != nil {
			return err
		}
		if err := e.names.Add(line); err != nil {
			return err
		}
	}
	return nil
}

func (e *elsewhere) wanted(name string) bool {
	if e.filter == nil {
		return true
	}
	_, ok := e.filter[maphash.String(e.seed, name)]
	return ok
}

// match merges what is wanted with what there is. Of several with a name the oldest counts.
func (e *elsewhere) match() error {
	var name string
	var there []byte
	for line, err := range e.names.Sorted() {
		if err != nil {
			return err
		}
		words, rest, err := splitLine(line, 3)
		if err != nil {
			return err
		}
		if words[1] == "0" {
			if words[0] != name {
				name, there = words[0], append(there[:0], rest...)
			}
			continue
		}
		if words[0] == name {
			found := fmt.Appendf(nil, "%s %s ", words[2], rest)
			if err := e.found.Add(append(found, there...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// settled gives each revisit, with the content of its original if that was found.
func (e *elsewhere) settled(give func(*note) error) error {
	var number string
	var waiting *note
	hand := func() error {
		if waiting == nil {
			return nil
		}
		return give(waiting)
	}
	for line, err := range e.found.Sorted() {
		if err != nil {
			return err
		}
		words, rest, err := splitLine(line, 2)
		if err != nil {
			return err
		}
		var n note
		if err := json.Unmarshal(rest, &n); err != nil {
			return fmt.Errorf("line of the sort: %w", err)
		}
		if words[0] != number {
			if err := hand(); err != nil {
				return err
			}
			number, waiting = words[0], &n
			continue
		}
		if waiting.Capture.Step == StepLost {
			rank, err := strconv.Atoi(words[1])
			if err != nil || rank < 1 || rank > len(steps) {
				return fmt.Errorf("line of the sort: rank %q", words[1])
			}
			waiting.Capture.adopt(&n.Capture, steps[rank-1])
		}
	}
	return hand()
}
