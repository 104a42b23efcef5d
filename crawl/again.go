package crawl

import (
	"strings"
	"time"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/text/layer"
)

// A visit can be the second look at a page of the same crawl. It has a key of its own in the frontier. It is not asked about
// scope and budgets again, nothing that it finds is queued, it is counted apart, and equal bytes are recorded as a reference to
// the first answer. Who has pages looked at twice, and why, is a stage's business.

// againPrefix makes the key of a second look from that of the page. No URL begins so.
const againPrefix = "revisit "

// AgainKey returns the frontier key of the second look at a page.
func AgainKey(key string) string { return againPrefix + key }

// IsAgain reports whether a frontier key is that of a second look.
func IsAgain(key string) bool { return strings.HasPrefix(key, againPrefix) }

// PageKey returns the frontier key of the page that an item is about.
func PageKey(key string) string { return strings.TrimPrefix(key, againPrefix) }

// Earlier is what the first look at a page found.
type Earlier struct {
	Entry  history.Entry // with the validators that a request may send, and the record that holds the payload
	Digest string        // of the payload, as in WARC
	Layers *layer.Digests
	At     time.Time
	Due    bool // the second look has its turn: a record of a later time is that
}

// LookAgain makes the visit a second look.
func (v *Visit) LookAgain(e *Earlier) { v.earlier, v.known = e, &e.Entry }

// again reports whether the visit is the second look at a page.
func (v *Visit) again() bool { return v.earlier != nil }

// sameAs returns the reference of a revisit record for an answer that repeats the first; nil if it does not.
func (v *Visit) sameAs() *revisitOf {
	e := v.earlier
	switch {
	case v.status == 304:
		return &revisitOf{warc.ProfileNotModified, e.Digest, e.Entry.Original}
	case v.status == e.Entry.Status && v.digest == e.Digest && !v.truncated && v.size > 0 && v.status < 300:
		return &revisitOf{warc.ProfileIdentical, v.digest, e.Entry.Original}
	}
	return nil
}

// secondAt reports whether a record of that time can be the second look at a page: it is not the first, and
// its turn was fixed.
func (v *Visit) secondAt(t time.Time) bool {
	return v.earlier.Due && t.Sub(v.earlier.At).Abs() >= time.Microsecond && t.After(v.earlier.At)
}

// wantedLayers returns the layers of an answer that are to be read; those of one that repeats the first are known.
func (w *Worker) wantedLayers(v *Visit) layer.Set {
	if w.r.layers == 0 || !v.queued() || v.isProbe() || v.status >= 400 {
		return 0
	}
	if v.again() && v.digest == v.earlier.Digest && v.status == v.earlier.Entry.Status {
		v.layers = v.earlier.Layers
		return 0
	}
	return w.r.layers
}

// recordMissing records a second look without an answer: a metadata record that says so.
func (w *Worker) recordMissing(v *Visit, x *fetch.Exchange) error {
	w.meta = w.meta[:0]
	w.metaFields(v, x)
	w.unread()
	w.show(v)
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
