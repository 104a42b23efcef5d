package crawl

import (
	"fmt"
	"math"
	"strings"
	"time"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/text/layer"
)

// Pass is which look at a page a record is of.
type Pass string

// The passes of a crawl that is planned.
const (
	FirstPass  Pass = "visit"
	SecondPass Pass = "revisit"
)

// pageLook is what a visit of a planned crawl has beside the others.
type pageLook struct {
	group   *group
	label   string     // of group and round, for the records
	round   uint32     //
	first   *firstLook // of a revisit: what the visit found
	outcome outcome    // of a revisit
}

// again tells whether the visit is the second look at a page.
func (v *Visit) again() bool { return v.page != nil && v.page.first != nil }

// plan gives a visit its group, and a revisit what the visit found.
func (c *coherent) plan(v *Visit) error {
	if v.isProbe() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isAgain(v.item.Key) {
		g := c.itemGroup(&v.item)
		v.page = &pageLook{group: g, round: g.round()}
		v.page.label = label(g.record.Name, int(v.page.round))
		return nil
	}
	first, err := parseFirst(v.item.Meta)
	if err != nil {
		return err
	}
	if int(first.group) >= len(c.numbers) || c.numbers[first.group] == nil {
		return fmt.Errorf("its group %d is not known", first.group)
	}
	g := c.numbers[first.group]
	v.page = &pageLook{group: g, round: first.round, first: first, label: label(g.record.Name, int(first.round))}
	return nil
}

// round is the one that a page belongs to which is visited now. The lock is held.
func (g *group) round() uint32 {
	n := g.record.Now.Round
	if g.record.Now.Phase == PhaseRevisits {
		n++
	}
	return uint32(n)
}

// maxProof is the size up to which a revisit fetches an answer again that the server could call unchanged only by a
// weak validator.
const maxProof = 1 << 20

// recall tells a revisit what the visit found. The request is conditional if that can prove something: a strong ETag
// vouches for the bytes; after a 304 to a weak one or to a date nobody knows them, so such an answer is fetched again
// and compared, unless it is large. Equal bytes are stored as a reference either way.
func (v *Visit) recall(req *fetch.Request) {
	f := v.page.first
	if f.strong() || f.size > maxProof {
		req.ETag, req.LastModified = f.etag, f.modified
	}
	v.known = &history.Entry{
		Key: pageKey(v.item.Key), URL: v.item.URL, Status: f.status, MIME: f.mime, Size: f.size,
		ETag: f.etag, LastModified: f.modified, Original: f.holder(),
	}
	if d, err := history.Payload(f.sha1); err == nil {
		v.known.Digests = []history.Digest{d}
	}
}

// holder is the record that holds the payload the visit got.
func (f *firstLook) holder() history.Reference {
	if f.original.IsZero() {
		return f.record
	}
	return f.original
}

// sameAs gives the reference of a revisit record for an answer that repeats the visit's; nil if it does not.
func (v *Visit) sameAs() *revisitOf {
	f := v.page.first
	switch {
	case v.status == 304:
		return &revisitOf{warc.ProfileNotModified, f.sha1, f.holder()}
	case v.status == f.status && v.digest == f.sha1 && !v.truncated && v.size > 0 && v.status < 300:
		return &revisitOf{warc.ProfileIdentical, v.digest, f.holder()}
	}
	return nil
}

// wantedLayers returns the layers of an answer that are to be read; those of one that repeats the visit's are known.
func (w *Worker) wantedLayers(v *Visit) layer.Set {
	if w.r.layers == 0 || !v.queued() || v.isProbe() || v.status >= 400 {
		return 0
	}
	if v.again() && v.digest == v.page.first.sha1 && v.status == v.page.first.status {
		v.layers = &v.page.first.layers
		return 0
	}
	return w.r.layers
}

// judge says what a revisit found. The visit's answer is compared on all layers that both have; equal bytes are equal
// on every layer that the crawl looks at, also if the visit had no body to look at.
func (v *Visit) judge(asked layer.Set) {
	p := v.page
	p.outcome = outcome{known: true}
	f := p.first
	switch {
	case !v.answered() || v.status >= 400:
		p.outcome.missing = true
	case v.status == 304 && !f.strong():
		p.outcome.vouched, p.outcome.equal = true, (asked|f.layers.Have)&forReaders
	case v.status == 304, v.status == f.status && v.digest == f.sha1 && v.redirect == f.location && !v.truncated:
		p.outcome.equal = (asked | f.layers.Have).With(layer.Bytes)
	case v.status != f.status || v.redirect != f.location:
		// Another kind of answer is another page, whatever its body says.
	case v.layers != nil:
		same := layer.Compare(&f.layers, v.layers, layer.Config{})
		p.outcome.equal = same.Equal
		equal, known := same.Same(layer.Links)
		p.outcome.links = known && !equal
	}
}

// forReaders are the layers of which a 304 to a weak validator says something: it is kept while nothing of meaning
// changes, and a date has no more than seconds. Of bytes and markup it proves nothing.
var forReaders = layer.SetOf(layer.Text, layer.Main, layer.Near, layer.Links)

// strong tells whether a 304 to the validator of the visit is the server's word that every byte is the same.
func (f *firstLook) strong() bool { return f.etag != "" && !strings.HasPrefix(f.etag, "W/") }

// defect names in the metadata what a revisit found.
func (o outcome) defect() string {
	switch {
	case o.missing:
		return "missing"
	case o.equal.Has(layer.Bytes), o.vouched:
		return ""
	case o.links:
		return string(layer.LinksDefect)
	}
	return string(layer.ContentDefect)
}

// passFields write pass, group and what a revisit found into the metadata.
func (w *Worker) passFields(v *Visit) {
	p := v.page
	if p == nil || v.verdict == frontier.Later {
		return // an answer that is tried again later is no look at the page
	}
	if p.first == nil {
		w.metaField("pass", string(FirstPass))
		w.metaField("group", p.label)
		return
	}
	w.metaField("pass", string(SecondPass))
	w.metaField("group", p.label)
	w.metaField("visit-record", p.first.record.ID)
	w.metaField("visit-date", warc.FormatDate(p.first.record.Date))
}

// verdictFields write what a revisit found: known only when its body was looked at.
func (w *Worker) verdictFields(v *Visit) {
	if !v.again() || v.verdict == frontier.Later {
		return
	}
	v.judge(w.r.layers)
	w.metaField("defect", v.page.outcome.defect())
	if equal := v.page.outcome.equal; equal != 0 {
		w.metaField("unchanged", equal.String())
	}
}

// recordMissing records a revisit without an answer: a metadata record that says so.
func (w *Worker) recordMissing(v *Visit, x *fetch.Exchange) error {
	w.meta = w.meta[:0]
	w.metaFields(v, x)
	w.verdictFields(v)
	e, err := w.entry(warc.TypeMetadata, v, x, warc.Bytes(w.meta))
	if err != nil {
		return err
	}
	e.With(warc.FieldContentType, warc.ContentTypeFields)
	if v.ticket, err = w.r.writer.Append(e); err == nil {
		v.where = v.ticket.Locations[0]
	}
	return err
}

// farFuture is when a revisit would be made that never gets a turn.
var farFuture = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxValidator bounds a validator that is kept for the revisit.
const maxValidator = 1 << 10

// againItem is the revisit of a page, to be queued with the commit of its visit.
func (c *coherent) againItem(v *Visit, l *lane, rate float64) frontier.Item {
	p := v.page
	f := firstLook{
		group: p.group.number, round: p.round, seq: l.record.Visited, rate: rate,
		at: v.fetched, status: v.status, mime: v.mime, size: v.size, sha1: v.digest, location: v.redirect,
		record: history.Reference{URI: v.url.String(), Date: v.fetched, ID: v.recordID, Location: v.where},
	}
	if v.layers != nil {
		f.layers = *v.layers
	}
	if math.IsNaN(f.rate) || f.rate < 0 {
		f.rate = PriorRate
	}
	if v.revisit != nil {
		f.original = v.revisit.Reference
	}
	if v.status == 304 && v.known != nil { // what a visit finds unmodified is what the collection has
		f.status, f.mime, f.size, f.sha1 = v.known.Status, v.known.MIME, v.known.Size, v.revisit.digest
	}
	f.etag, f.modified = v.validator(0), v.validator(1)
	return frontier.Item{
		Key: againPrefix + v.item.Key, URL: v.url.String(), Host: v.item.Host, Domain: v.item.Domain, Via: v.item.Via,
		HopPath: v.item.HopPath, Band: bandAgain, Score: plainScore, Depth: v.item.Depth, NotBefore: farFuture,
		Meta: f.append(nil),
	}
}

// validator gives ETag or Last-Modified of the answer, or of what it says is not modified.
func (v *Visit) validator(i int) string {
	s := v.validators[i]
	if s == "" && v.status == 304 && v.known != nil {
		s = [2]string{v.known.ETag, v.known.LastModified}[i]
	}
	if len(s) > maxValidator {
		return ""
	}
	return s
}
