package evidence

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"varve/archive/warc"
	"varve/page"
	"varve/text/dating"
	"varve/text/layer"
)

// shallow are the layers that are made of every capture. The others cost several times as much and
// are made where they are needed: where the visible text of two captures differs.
const shallow = layer.Cheap

// readers are layer readers that are used again.
type readers struct{ pool sync.Pool }

// of makes the layers of a content, and finds the dates that a page states and the parts that it or a style sheet shows. What the server calls neither HTML nor data is opaque: it
// has its bytes as every layer. A type that is not told is found out.
func (r *readers) of(c *Observation, content []byte, want layer.Set) (*layer.Digests, []dating.Finding) {
	if c.MIME != "" && !strings.Contains(c.MIME, "html") && !c.IsData() && !c.IsFeed() {
		if c.IsStyle() && c.OK() && want != layer.SetOf(layer.Bytes) {
			r.parts(c, content)
		}
		return &layer.Digests{Have: layer.All, Sums: [5]layer.Sum{sha256.Sum256(content)}}, nil
	}
	if want == layer.SetOf(layer.Bytes) {
		return &layer.Digests{Have: want, Sums: [5]layer.Sum{sha256.Sum256(content)}}, nil
	}
	rd := r.get()
	defer r.pool.Put(rd)
	w := page.Want{Layers: want, Dates: c.OK()}
	if c.OK() {
		w.Links = c.show()
	}
	p, _ := rd.Read(input(c, content), w) // what came before an error counts
	return &p.Layers, p.Dates.List
}

// parts finds what a style sheet shows.
func (r *readers) parts(c *Observation, content []byte) {
	rd := r.get()
	defer r.pool.Put(rd)
	_, _ = rd.Read(input(c, content), page.Want{Brief: true, Links: c.show()}) // what came before an error counts
}

// pair compares two contents.
func (r *readers) pair(a, b *Observation, x, y []byte, cfg layer.Config) layer.Comparison {
	rd := r.get()
	defer r.pool.Put(rd)
	c, _, _ := rd.Pair(input(a, x), input(b, y), layer.All, cfg)
	return c
}

func (r *readers) get() *page.Reader {
	rd, ok := r.pool.Get().(*page.Reader)
	if !ok {
		rd = page.NewReader()
	}
	return rd
}

func input(c *Observation, content []byte) page.Input {
	return page.Input{URL: c.URL, MIME: c.Type, Body: content}
}

// opaque tells of a content that has nothing but bytes.
func opaque(d *layer.Digests) bool { return !d.Layered && d.Have == layer.All }

// Compare compares two captures of a page on all layers, without the noise that is known of its template. Contents are read again only where the layers
// at hand do not decide. The second result is false if a content is not known and nothing can be said;
// equal payload digests are enough to say that all is equal.
func (s *Set) Compare(a, b *Observation, cfg layer.Config) (layer.Comparison, bool, error) {
	same := layer.Comparison{Compared: layer.All, Equal: layer.All}
	if a.Layers == nil || b.Layers == nil {
		if a.Digest == "" || !warc.SameDigest(a.Digest, b.Digest) {
			return layer.Comparison{}, false, nil
		}
		return same, true, nil
	}
	switch {
	case a.Layers.Sums[0] == b.Layers.Sums[0]:
		return same, true, nil
	case opaque(a.Layers) || opaque(b.Layers):
		return layer.Comparison{Compared: layer.All, Defect: layer.ContentDefect}, true, nil
	}
	rules := s.noise[templateOf(a)]
	if a.Layers.Have.Has(layer.Text) && b.Layers.Have.Has(layer.Text) {
		if c := layer.Compare(a.Layers, b.Layers, cfg); c.Equal.Has(layer.Text) && (rules == nil || c.Equal.Has(layer.Links)) {
			// What is equal in a finer way is equal in all coarser ones, without looking.
			c.Compared, c.Equal = layer.All, c.Equal|layer.SetOf(layer.Main, layer.Near)
			return c, true, nil
		}
	}
	x, err := s.Content(a)
	if err != nil {
		return layer.Comparison{}, false, err
	}
	y, err := s.Content(b)
	if err != nil {
		return layer.Comparison{}, false, err
	}
	if rules != nil {
		return s.withoutNoise(a, b, x, y, rules, cfg), true, nil
	}
	return s.layers.pair(a, b, x, y, cfg), true, nil
}

// Digests gives the digests of a capture, among them that of a layer: main and near are made by reading
// the content again. The capture must have a content.
func (s *Set) Digests(c *Observation, want layer.Name) (*layer.Digests, error) {
	if c.Layers == nil {
		return nil, fmt.Errorf("the content of %s is not in the files", c.URL)
	}
	if c.Layers.Have.Has(want) {
		return c.Layers, nil
	}
	return s.deep(c)
}

// deep gives all layers of a capture, of which it has the cheap ones.
func (s *Set) deep(c *Observation) (*layer.Digests, error) {
	if c.Layers.Have.Has(layer.Main) {
		return c.Layers, nil
	}
	content, err := s.Content(c)
	if err != nil {
		return nil, err
	}
	c.Layers, _ = s.layers.of(c, content, layer.All)
	return c.Layers, nil
}

// Content reads the content of a capture once more: the body of its record, or of its original, with
// codings removed.
func (s *Set) Content(c *Observation) (content []byte, err error) {
	at := c.Place
	if c.Original != nil {
		at = *c.Original
	} else if c.IsRevisit() {
		return nil, fmt.Errorf("content of %s: its original is not in the files", c.URL)
	}
	src := s.Sources[at.File]
	f, err := warc.OpenFrom(src.Path, src.From)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	place := warc.Place{Offset: at.Offset, Inner: at.Inner, ID: at.Record, Type: at.Type}
	if c.Original == nil {
		place.URI, place.Date = c.URL, c.Time
	}
	rec, r, err := f.Record(place, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return contentOf(rec, s.maxBody), nil
}

// contentOf reads the body of a record as far as it is there.
func contentOf(rec *warc.Record, limit int64) []byte {
	if rec.IsHTTP() {
		if h, err := rec.HTTP(); err == nil {
			body, _, _ := readUpTo(h.Payload(), limit) // what is there counts, as in the first reading
			return decoded(body, h.Codings(), limit)
		}
	}
	body, _, _ := readUpTo(rec.Block, limit)
	return body
}
