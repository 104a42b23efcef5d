package report

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"varve/archive/whole"
	"varve/coherence/evidence"
	"varve/text/layer"
)

// Comparison is what two captures of a site have in common. Pages are distinct web addresses, as
// written, of any MIME type.
type Comparison struct {
	Pages     int64     `json:"pages"`  // captured on both sides
	OnlyA     int64     `json:"only_a"` // captured on one side
	OnlyB     int64     `json:"only_b"`
	Identical Identical `json:"identical"` // of Pages

	changed *os.File // one JSON object a line
	writer  *bufio.Writer
	count   int64
}

// Identical counts the pages that are the same on each layer.
type Identical struct {
	Bytes int64 `json:"bytes"`
	DOM   int64 `json:"dom"`
	Text  int64 `json:"text"`
	Main  int64 `json:"main"`
	Links int64 `json:"links"`
}

// Change is a page that is not identical to the byte.
type Change struct {
	URL    string       `json:"url"`
	Page   string       `json:"page,omitempty"` // of an answer to a program: the page that asked for it first, which shows what changed
	Layer  layer.Name   `json:"layer"`          // the coarsest layer on which it differs: bytes, dom, text, main
	Defect layer.Defect `json:"defect"`         // content, links, missing; unknown where a content is not in the files
	A      Side         `json:"a"`
	B      Side         `json:"b"`
}

// Side is one capture of a changed page.
type Side struct {
	Time   time.Time `json:"time"`
	Digest string    `json:"digest"` // of the payload
	Record string    `json:"record"` // WARC-Record-ID
}

// Compare compares the captures of side 0 with those of side 1. Changes are kept in a file in dir:
// close the comparison when done with it.
func Compare(ctx context.Context, set *evidence.Set, cfg layer.Config, dir string, workers int) (*Comparison, error) {
	f, err := whole.Scratch(dir)
	if err != nil {
		return nil, err
	}
	c := &Comparison{changed: f, writer: bufio.NewWriter(f)}
	each := func(p *evidence.History) (compared, error) { return comparePage(set, p, cfg) }
	err = evidence.Map(ctx, set.Pages(), workers, each, c.take)
	if err == nil {
		err = c.writer.Flush()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close removes what the comparison keeps on disk.
func (c *Comparison) Close() error {
	return c.changed.Close()
}

// compared is what comes of one page.
type compared struct {
	sides  [2]int
	pair   Pair
	change *Change
}

func comparePage(set *evidence.Set, p *evidence.History, cfg layer.Config) (compared, error) {
	var sides [2][]*evidence.Observation
	for i := range p.Captures {
		c := &p.Captures[i]
		sides[c.Side&1] = append(sides[c.Side&1], c)
	}
	out := compared{sides: [2]int{len(sides[0]), len(sides[1])}}
	if out.sides[0] == 0 || out.sides[1] == 0 {
		return out, nil
	}
	a, b := nearestPair(sides[0], sides[1])
	pair, err := comparePair(set, a, b, cfg)
	if err != nil {
		return out, fmt.Errorf("compare %s: %w", p.URL, err)
	}
	out.pair = pair
	if !pair.Identical() {
		out.change = &Change{URL: p.URL, Layer: pair.Layer, Defect: pair.Defect, A: sideOf(a), B: sideOf(b)}
		if a.IsData() || b.IsData() {
			out.change.Page = cmp.Or(a.Via, b.Via)
		}
	}
	return out, nil
}

func sideOf(c *evidence.Observation) Side {
	return Side{Time: c.Time, Digest: c.Digest, Record: c.Place.Record}
}

func (c *Comparison) take(p compared) error {
	switch {
	case p.sides[1] == 0:
		c.OnlyA++
		return nil
	case p.sides[0] == 0:
		c.OnlyB++
		return nil
	}
	c.Pages++
	for n, count := range map[layer.Name]*int64{
		layer.Bytes: &c.Identical.Bytes, layer.DOM: &c.Identical.DOM, layer.Text: &c.Identical.Text,
		layer.Main: &c.Identical.Main, layer.Links: &c.Identical.Links,
	} {
		if p.pair.Equal.Has(n) {
			*count++
		}
	}
	if p.change == nil {
		return nil
	}
	c.count++
	return json.NewEncoder(c.writer).Encode(p.change)
}

// Changed is the number of pages that are not identical to the byte.
func (c *Comparison) Changed() int64 { return c.count }

// Changes gives the changed pages in order of index key.
func (c *Comparison) Changes(give func(Change) error) error {
	dec := json.NewDecoder(io.NewSectionReader(c.changed, 0, 1<<62))
	for {
		var ch Change
		if err := dec.Decode(&ch); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read changes: %w", err)
		}
		if err := give(ch); err != nil {
			return err
		}
	}
}

// WriteJSON writes the comparison as one line of JSON, streaming the list of changes.
func (c *Comparison) WriteJSON(w io.Writer) error {
	buf := bufio.NewWriter(w)
	head, err := json.Marshal(c)
	if err != nil {
		return err
	}
	buf.Write(head[:len(head)-1])
	buf.WriteString(`,"changed":[`)
	enc := json.NewEncoder(cutLines{buf})
	enc.SetEscapeHTML(false)
	first := true
	err = c.Changes(func(ch Change) error {
		if !first {
			buf.WriteByte(',')
		}
		first = false
		return enc.Encode(ch)
	})
	if err != nil {
		return err
	}
	buf.WriteString("]}\n")
	return buf.Flush()
}

// cutLines leaves out the line ends that an encoder puts behind each value.
type cutLines struct{ w *bufio.Writer }

// Write writes p without its line end.
func (c cutLines) Write(p []byte) (int, error) {
	if n := len(p); n > 0 && p[n-1] == '\n' {
		_, err := c.w.Write(p[:n-1])
		return n, err
	}
	return c.w.Write(p)
}
