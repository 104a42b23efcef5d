package websim

import (
	"slices"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// Version is what a page was at an instant.
func (w *Web) Version(id PageID, at time.Time) truth.Version {
	s, i := w.find(id)
	return s.history(i).At(w.ms(at))
}

// Changed tells whether a page differs between two instants on a layer: what one who compares two
// captures can see at best. A page that was away in between and is back has not changed. For the
// layer of links the sets themselves are compared.
func (w *Web) Changed(id PageID, from, to time.Time, l truth.Layer) bool {
	s, i := w.find(id)
	h, l := s.history(i), s.layer(i, l)
	a, b := h.At(w.ms(from)), h.At(w.ms(to))
	switch {
	case a.State != truth.Live && a.State == b.State:
		return false
	case l == truth.Bytes && !from.Equal(to) && s.manners(i).volatile:
		return true
	case a.Same(b, l):
		return false
	case l == truth.LinkSet && a.State == b.State:
		return !slices.Equal(w.linkSet(id, from), w.linkSet(id, to))
	}
	return true
}

// layer is the layer that counts for page i: of what is not HTML, all layers are the bytes.
func (s *site) layer(i int, l truth.Layer) truth.Layer {
	if s.types[i] != HTML {
		return truth.Bytes
	}
	return l
}

// Changes is the number of changes of a page on a layer in (from, to].
func (w *Web) Changes(id PageID, from, to time.Time, l truth.Layer) int {
	s, i := w.find(id)
	return s.history(i).Count(w.ms(from), w.ms(to), s.layer(i, l))
}

// LastChange is the last change on a layer at or before an instant: mu of the coherence model. It
// is false when there was none since the epoch.
func (w *Web) LastChange(id PageID, at time.Time, l truth.Layer) (time.Time, bool) {
	s, i := w.find(id)
	ms, ok := s.history(i).Last(w.ms(at), s.layer(i, l))
	return w.time(ms), ok
}

// NextChange is the first change on a layer after an instant: mu* of the coherence model. It is
// false when there is none until the end.
func (w *Web) NextChange(id PageID, at time.Time, l truth.Layer) (time.Time, bool) {
	s, i := w.find(id)
	ms, ok := s.history(i).Next(w.ms(at), s.layer(i, l))
	return w.time(ms), ok
}

// Rate is the true mean number of changes of a page per hour on a layer, by its rules and without
// bursts, life and listings: what a perfect estimator would find.
func (w *Web) Rate(id PageID, l truth.Layer) float64 {
	s, i := w.find(id)
	return s.rate(i, s.layer(i, l)) * float64(time.Hour/time.Millisecond)
}

// Look is what a visit to a page shows without its body.
type Look struct {
	Version      truth.Version
	Status       int
	LastModified time.Time // zero where the server does not say
	Stated       time.Time // of the last change, as the page itself says; zero where it does not
	ETag         string    // empty where the server does not say
	Digest       uint64    // equal for equal bytes of one page
}

// Look visits a page by number: no HTTP, no body, no faults. It costs about a microsecond.
func (w *Web) Look(id PageID, at time.Time) Look {
	s, i := w.find(id)
	ms := w.ms(at)
	v := s.history(i).At(ms)
	out := Look{Version: v, Status: s.status(i, v)}
	if out.Status != 200 {
		return out
	}
	m := s.manners(i)
	out.LastModified, _ = s.lastModified(i, &m, ms)
	if (m.meta || m.jsonld || m.footer) && w.Page(id).Type.MIME() == "text/html" {
		_, out.Stated = s.contentDates(i, &m, ms)
	}
	out.ETag = s.etag(i, &m, v, ms)
	key := v.Key()
	out.Digest = dice.Mix(s.key, uint64(i), dice.String(string(key[:])))
	if m.volatile {
		out.Digest = dice.Mix(out.Digest, uint64(ms))
	}
	return out
}

// Listed is when the sitemap of its host says at an instant that a page last changed; false where it does not.
func (w *Web) Listed(id PageID, at time.Time) (time.Time, bool) {
	s, i := w.find(id)
	if ms := w.ms(at); s.spec.Sitemap.On && s.types[i] == HTML && s.history(i).At(ms).State == truth.Live {
		return s.sitemapDate(i, ms)
	}
	return time.Time{}, false
}

// status is that of a page asked for at its present path.
func (s *site) status(i int, v truth.Version) int {
	switch v.State {
	case truth.Live:
		return 200
	case truth.Gone:
		if rule := s.life(i); rule != nil && dice.Unit(dice.Mix(s.key, forGone, uint64(i))) < rule.Gone {
			return 410
		}
	}
	return 404
}
