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
	j := job.Job{Name: "versions", Version: 2, Needs: []string{"pages"}}
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

// pageFacets is a capture with its values.
type pageFacets struct {
	PageRow
	Facets []FacetValue `json:",omitempty"`
}

// The kinds of values, in the order in which the reducer meets them.
const (
	anchorValue  = 'a'
	captureValue = 'c'
)

func mapVersions(t *job.Task, facets []FacetTable) error {
	var cursors []*facetCursor
	for _, f := range facets {
		c := openFacets(t.Input(f.table()))
		defer c.stop()
		cursors = append(cursors, c)
	}
	err := Rows(t.Input("pages"), func(p *PageRow) (bool, error) {
		if !p.counts() {
			return true, nil
		}
		var values []FacetValue
		for _, c := range cursors {
			some, err := c.take(p.Offset)
			if err != nil {
				return false, err
			}
			values = append(values, some...)
		}
		body, err := json.Marshal(pageFacets{*p, values})
		if err != nil {
			return false, err
		}
		value := append([]byte{captureValue}, binary.BigEndian.AppendUint64(nil, uint64(p.Time.UnixMicro()))...)
		return true, t.Emit([]byte(p.SURT), append(value, body...))
	})
	if err != nil {
		return err
	}
	seen := map[[3]string]bool{}
	var source hostMemo
	return Rows(t.Input("links"), func(l *Link) (bool, error) {
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
func (p *PageRow) counts() bool {
	return p.SURT != "" && (p.Record == "revisit" || p.sight().Says != version.Nothing)
}

// State returns the digest that tells the state of a page that a capture shows: VersionRow.State.
func (p *PageRow) State() string { return cmp.Or(p.DigestMain, p.DigestBytes, p.Digest) }

// sight is what a capture says of its page: its content by the main text, or by the bytes of what has none.
func (p *PageRow) sight() version.Sight {
	return version.Answer{Key: p.SURT, Status: int(p.Status), Digest: p.State(), Redirect: p.Redirect}.Sight()
}

func reduceVersions(ctx context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]], tables []FacetTable) error {
	w, err := out.Create("versions")
	if err != nil {
		return err
	}
	rows := tableTo[VersionRow](w)
	facets, err := newFacetsOut(out, tables)
	if err != nil {
		return err
	}
	for key, values := range groups {
		s := states{write: func(v *state) error {
			return errors.Join(rows.Add(v.VersionRow, len(v.Text)+500), facets.add(&v.VersionRow, v.facets))
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
	return errors.Join(rows.Close(), facets.close())
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
	var p pageFacets
	if s.err = json.Unmarshal(value[9:], &p); s.err != nil {
		return
	}
	s.capture(&p)
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
func (s *states) capture(p *pageFacets) {
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
