package derive

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"varve/derive/job"
	"varve/version"
	"varve/web/canon"
)

// Limits of one page over all its captures.
const (
	maxAnchors = 30   // different anchor texts kept
	manyNames  = 2000 // anchor texts counted; further ones only if they were met before
	recalled   = 32   // payloads remembered, for revisits that refer to them
)

// versionsJob makes one table of the states of all pages over time.
//
//	map     capture -> (index key, time, row); link -> (index key of the target, anchor)
//	reduce  of each key: anchors first, then captures in the order of time; states are versions (package version)
//	        whose identity is the main text
//
// The values of facets go with the captures, and those of the capture that begins a version are its values: a second table, in the same order.
func versionsJob(facets []FacetTable) job.Job {
	j := job.Job{Name: "versions", Version: 4, Needs: []string{"pages"}}
	for _, f := range facets {
		j.Needs = append(j.Needs, f.Job)
		b, _ := json.Marshal(f) // strings and numbers
		j.Mark += string(b)
	}
	j.Map = func(_ context.Context, t *job.Task) error { return mapVersions(t, facets) }
	j.Reduce = func(ctx context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
		return reduceVersions(ctx, out, groups, facets)
	}
	return j
}

// shown is what of a PageRow says which state it shows, so that no more columns are read; with the values of its facets.
type shown struct {
	URL    string    `parquet:"url,zstd"`
	SURT   string    `parquet:"surt,zstd"`
	Time   time.Time `parquet:"time,timestamp(microsecond),delta"`
	Record string    `parquet:"record,dict"`
	Host   string    `parquet:"host,dict,zstd"`
	Domain string    `parquet:"domain,dict,zstd"`
	Status int32     `parquet:"status"`
	Crawl  string    `parquet:"crawl,dict"`

	Detected string `parquet:"mime_detected,dict"`
	Redirect string `parquet:"redirect,zstd"`

	Language   string  `parquet:"language,dict"`
	Confidence float32 `parquet:"language_confidence"`
	Title      string  `parquet:"title,zstd"`
	Text       string  `parquet:"text,zstd"`
	Words      int32   `parquet:"words"`

	Dated          time.Time `parquet:"date,optional,timestamp(microsecond)"`
	DateSource     string    `parquet:"date_source,dict"`
	DateConfidence float32   `parquet:"date_confidence"`

	Published           string  `parquet:"published,dict"`
	PublishedSource     string  `parquet:"published_source,dict"`
	PublishedConfidence float32 `parquet:"published_confidence"`

	Digest      string `parquet:"digest,zstd"`
	DigestBytes string `parquet:"digest_bytes,zstd"`
	DigestMain  string `parquet:"digest_main,zstd"`
	Simhash     uint64 `parquet:"simhash"`
	Minhash     []byte `parquet:"minhash,zstd"`

	Size   int64  `parquet:"size"`
	File   string `parquet:"file,dict"`
	Offset int64  `parquet:"offset,delta"`
	Length int64  `parquet:"length"`

	Facets []FacetValue `parquet:"-"`
}

func (p *shown) fields(c *coder) {
	for _, s := range []*string{
		&p.URL, &p.Record, &p.SURT, &p.Host, &p.Domain, &p.Crawl, &p.Detected, &p.Redirect, &p.Language, &p.Title, &p.Text, &p.DateSource, &p.Published, &p.PublishedSource,
		&p.Digest, &p.DigestBytes, &p.DigestMain, &p.File,
	} {
		c.text(s)
	}
	for _, n := range []*int64{&p.Size, &p.Offset, &p.Length} {
		number(c, n)
	}
	number(c, &p.Status)
	number(c, &p.Words)
	c.time(&p.Time)
	c.time(&p.Dated)
	c.float32(&p.Confidence)
	c.float32(&p.DateConfidence)
	c.float32(&p.PublishedConfidence)
	c.uvarint(&p.Simhash)
	c.bytes(&p.Minhash)
	n := len(p.Facets)
	number(c, &n)
	for i := range n {
		if c.reads {
			p.Facets = append(p.Facets, FacetValue{})
		}
		v := &p.Facets[i]
		c.text(&v.Facet)
		c.text(&v.Value)
		c.float(&v.Number)
		if number(c, &v.Count); c.err != nil {
			return
		}
	}
}

// The kinds of values, in the order in which the reducer meets them.
const (
	anchorValue  = 'a'
	captureValue = 'c'
)

// value writes what the reducer gets. It begins with what captures are ordered by: time, address, record, status, and where they lie; and ends with
// the length of that.
func (p *shown) value(c *coder) []byte {
	c.b = binary.BigEndian.AppendUint64(append(c.b[:0], captureValue), uint64(p.Time.UnixMicro()))
	c.b = append(append(c.b, p.URL...), 0)
	c.b = append(append(c.b, p.Record...), 0)
	c.b = binary.BigEndian.AppendUint32(c.b, uint32(p.Status))
	c.b = append(append(c.b, p.File...), 0)
	c.b = binary.BigEndian.AppendUint64(c.b, uint64(p.Offset))
	order := len(c.b)
	p.fields(c)
	return binary.BigEndian.AppendUint32(c.b, uint32(order))
}

// shownIn reads a value.
func shownIn(value []byte) (*shown, error) {
	end := len(value) - 4
	if end < 0 || uint64(binary.BigEndian.Uint32(value[end:])) > uint64(end) {
		return nil, errValue
	}
	p := &shown{}
	c := coder{b: value[binary.BigEndian.Uint32(value[end:]):end], reads: true}
	p.fields(&c)
	return p, c.err
}

func mapVersions(t *job.Task, facets []FacetTable) error {
	var found []*along[FacetRow]
	for _, f := range facets {
		a := captureFacets(t.Input(f.table()))
		defer a.stop()
		found = append(found, a)
	}
	var value coder
	err := Rows(t.Input("pages"), func(p *shown) (bool, error) {
		if !p.counts() {
			return true, nil
		}
		p.Facets = p.Facets[:0]
		for _, a := range found {
			some, err := a.of(p.Offset)
			if err != nil {
				return false, err
			}
			for _, r := range some {
				p.Facets = append(p.Facets, FacetValue{r.Facet, r.Value, r.Number, r.Count})
			}
		}
		return true, t.Emit([]byte(p.SURT), p.value(&value))
	})
	if err != nil {
		return err
	}
	seen := map[[3]string]bool{}
	var source hostMemo
	return Rows(t.Input("links"), func(l *called) (bool, error) {
		if l.Hop != "link" || l.Anchor == "" || l.Kind != "a-href" {
			return true, nil
		}
		u, err := canon.Parse(l.Target)
		if err != nil || !u.IsHTTP() {
			return true, nil
		}
		from, key := source.of(l.Source), canon.SURT(l.Target)
		once := [3]string{from, key, l.Anchor}
		if seen[once] {
			return true, nil
		}
		if len(seen) > 1<<17 {
			clear(seen) // some are told twice then
		}
		seen[[3]string{from, key, strings.Clone(l.Anchor)}] = true
		return true, t.Emit([]byte(key), append([]byte{anchorValue}, l.Anchor...))
	})
}

// counts reports whether a capture may say something about the states of a page.
func (p *shown) counts() bool {
	return p.SURT != "" && (p.Record == "revisit" || p.sight().Says != version.Nothing)
}

// State returns the digest that tells the state of a page that a capture shows: VersionRow.State.
func (p *PageRow) State() string { return stateOf(p.DigestMain, p.DigestBytes, p.Digest) }

func (p *shown) state() string { return stateOf(p.DigestMain, p.DigestBytes, p.Digest) }

func stateOf(main, bytes, digest string) string { return cmp.Or(main, bytes, digest) }

// sight is what a capture says of its page: its content by the main text, or by the bytes of what has none.
func (p *shown) sight() version.Sight {
	return version.Answer{Key: p.SURT, Status: int(p.Status), Digest: p.state(), Redirect: p.Redirect}.Sight()
}

func reduceVersions(ctx context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]], tables []FacetTable) error {
	w, err := out.Create("versions")
	if err != nil {
		return err
	}
	rows := tableTo[VersionRow](w)
	if w, err = out.Create("facets"); err != nil {
		return err
	}
	facets := WriteFacets(w, tables...)
	for key, values := range groups {
		s := states{write: func(v *state) error {
			return errors.Join(rows.Add(v.VersionRow, len(v.Text)+500), facets.Add(&v.VersionRow, v.facets))
		}}
		for v := range values {
			if s.err == nil {
				s.take(v)
			}
		}
		if s.end(); s.err != nil {
			return fmt.Errorf("%s: %w", key, s.err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return errors.Join(rows.Close(), facets.Close())
}

// state is a version with the values of its facets.
type state struct {
	VersionRow
	facets []FacetValue
}

// states follows one page through time.
type states struct {
	write   func(*state) error
	names   map[string]int32
	inlinks int32
	now     *state
	fold    version.Fold
	before  []recalledState // of which a revisit may say: as it was then
	err     error
}

// recalledState is a payload that was seen and the state that it showed.
type recalledState struct {
	digest string
	state  *state
}

// take is called with anchors first, then with captures in the order of time.
func (s *states) take(value []byte) {
	if value[0] == anchorValue {
		s.name(string(value[1:]))
		return
	}
	var p *shown
	if p, s.err = shownIn(value); s.err == nil {
		s.capture(p)
	}
}

func (s *states) name(anchor string) {
	s.inlinks++
	if s.names == nil {
		s.names = map[string]int32{}
	}
	if _, known := s.names[anchor]; known || len(s.names) < manyNames {
		s.names[anchor]++
	}
}

// capture goes on with the state, ends it, or begins another.
func (s *states) capture(p *shown) {
	seen := p.sight()
	old := s.recall(p.Digest)
	if p.Record == "revisit" && seen.Says == version.Content {
		if old == nil {
			return // it confirms a payload that nobody has
		}
		seen.Identity = old.State
	}
	switch s.fold.Next(seen) {
	case version.Again:
		if s.now != nil {
			s.now.Last, s.now.Captures = p.Time, s.now.Captures+1
			s.remember(p.Digest)
		}
	case version.End:
		s.close(p.Time)
	case version.Begin:
		s.close(p.Time)
		switch {
		case p.Record == "revisit":
			again := *old
			again.From, again.Last, again.Until, again.Captures, again.Crawl = p.Time, p.Time, time.Time{}, 1, p.Crawl
			s.begin(&again, p.Digest)
		case p.Text != "" && p.Status < 300: // a redirect, and a page without words, end a state and are none that can be searched
			s.begin(&state{VersionRow{
				URL: p.URL, SURT: p.SURT, Host: p.Host, Domain: p.Domain, From: p.Time, Last: p.Time, Captures: 1, Crawl: p.Crawl,
				MIME: p.Detected, Language: p.Language, Confidence: p.Confidence, Title: p.Title, Text: p.Text, Words: p.Words,
				Simhash: p.Simhash, Minhash: p.Minhash, Dated: p.Dated, DateSource: p.DateSource, DateConfidence: p.DateConfidence,
				Published: p.Published, PublishedSource: p.PublishedSource, PublishedConfidence: p.PublishedConfidence,
				State: seen.Identity, Digest: p.Digest, Size: p.Size, File: p.File, Offset: p.Offset, Length: p.Length,
			}, p.Facets}, p.Digest)
		}
	}
}

func (s *states) begin(v *state, digest string) {
	v.Anchors, v.Inlinks = s.anchors(), s.inlinks
	s.now = v
	s.remember(digest)
}

// remember keeps the payload that the state now shows, so that a revisit can refer to it.
func (s *states) remember(digest string) {
	if digest == "" || s.recall(digest) == s.now {
		return
	}
	s.before = append(s.before, recalledState{digest, s.now})
	if len(s.before) > recalled {
		s.before = slices.Delete(s.before, 0, 1)
	}
}

// recall returns the state that a payload showed last, nil if it is not known.
func (s *states) recall(digest string) *state {
	for _, old := range slices.Backward(s.before) {
		if digest != "" && old.digest == digest {
			return old.state
		}
	}
	return nil
}

// close ends the state that holds now.
func (s *states) close(at time.Time) {
	if s.now == nil || s.err != nil {
		return
	}
	s.now.Until = at
	s.err = s.write(s.now)
	s.now = nil
}

// end writes the state that has no end yet.
func (s *states) end() {
	if s.now != nil && s.err == nil {
		s.err = s.write(s.now)
		s.now = nil
	}
}

// anchors lists the commonest anchor texts.
func (s *states) anchors() string {
	list := make([]string, 0, len(s.names))
	for n := range s.names {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b string) int {
		if c := s.names[b] - s.names[a]; c != 0 {
			return int(c)
		}
		return strings.Compare(a, b)
	})
	return strings.Join(list[:min(len(list), maxAnchors)], "\n")
}
