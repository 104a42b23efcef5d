package websim

import (
	"encoding/hex"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// manners is how a page is served: the sum of the serve rules that match it.
type manners struct {
	etag, lastModified string
	encoding           string
	charset, declared  string
	datesSay           string
	contentType, cache string
	meta, jsonld       bool
	timeTag, footer    bool
	chunked, volatile  bool
}

// defaultManners are those of a good server.
var defaultManners = manners{
	etag: "strong", lastModified: "true", encoding: "identity", charset: "utf-8", declared: "right", datesSay: "true",
	meta: true, timeTag: true, footer: true,
}

func (s *site) manners(i int) manners {
	m := defaultManners
	for k := range s.spec.Serve {
		r := &s.spec.Serve[k]
		if r.Match.page(s, i, dice.Mix(forMatch, uint64(k))) {
			m.set(r)
		}
	}
	return m
}

func (m *manners) set(r *Serve) {
	override(&m.etag, r.ETag)
	override(&m.lastModified, r.LastModified)
	override(&m.encoding, r.Encoding)
	override(&m.charset, r.Charset)
	override(&m.declared, r.Declared)
	override(&m.datesSay, r.DatesSay)
	override(&m.contentType, r.ContentType)
	override(&m.cache, r.Cache)
	if r.Chunked != nil {
		m.chunked = *r.Chunked
	}
	if r.Volatile != nil {
		m.volatile = *r.Volatile
	}
	if r.Dates != nil {
		m.meta, m.jsonld = oneOf("meta", r.Dates...), oneOf("jsonld", r.Dates...)
		m.timeTag, m.footer = oneOf("time", r.Dates...), oneOf("footer", r.Dates...)
	}
}

func override(dst *string, s string) {
	if s != "" {
		*dst = s
	}
}

// born is when a page came into being: at its appearance, or in the two years before the epoch.
func (s *site) born(i int) time.Time {
	h := s.history(i)
	if at, ok := h.Next(-1, truth.Main); ok && h.At(0).State == truth.Unborn {
		return s.web.time(at)
	}
	back := dice.Below(dice.Mix(s.key, uint64(i), forBirth), int(2*year/time.Second))
	return s.web.spec.Epoch.Add(-time.Duration(back) * time.Second)
}

// modified is when a page last changed on a layer.
func (s *site) modified(i int, at int64, l truth.Layer) time.Time {
	if ms, ok := s.history(i).Last(at, l); ok {
		return s.web.time(ms)
	}
	return s.born(i)
}

// lastModified is what the header says. An honest server means any change of the bytes.
func (s *site) lastModified(i int, m *manners, at int64) (time.Time, bool) {
	switch m.lastModified {
	case "off":
		return time.Time{}, false
	case "now":
		return s.web.time(at).Truncate(time.Second), true
	case "constant":
		return s.web.spec.Epoch.Add(-100 * day).Truncate(time.Second), true
	case "future":
		return s.web.time(at).Add(30 * day).Truncate(time.Second), true
	}
	if m.volatile {
		return s.web.time(at).Truncate(time.Second), true
	}
	return s.modified(i, at, truth.Bytes).Truncate(time.Second), true
}

// contentDates are what the content says about publication and last change.
func (s *site) contentDates(i int, m *manners, at int64) (published, modified time.Time) {
	published = s.born(i).Truncate(time.Second)
	switch m.datesSay {
	case "constant":
		return published, s.web.spec.Epoch.Add(-100 * day).Truncate(time.Second)
	case "now":
		return published, s.web.time(at).Truncate(time.Second)
	case "published":
		return published, published
	}
	return published, s.modified(i, at, truth.Main).Truncate(time.Second)
}

// instant tells whether the body depends on the instant itself and not only on the version.
func (m *manners) instant() bool { return m.volatile || m.datesSay == "now" }

// etag names the bytes (strong), or what a reader sees of them but advertisements (weak).
func (s *site) etag(i int, m *manners, v truth.Version, at int64) string {
	weak := m.etag == "weak"
	switch {
	case m.etag == "off":
		return ""
	case weak:
		v.Token, v.Ad = 0, 0
	}
	key := v.Key()
	h := dice.Mix(s.key, uint64(i), dice.String(string(key[:])))
	if m.instant() && !weak {
		h = dice.Mix(h, uint64(at))
	}
	b := make([]byte, 0, 24)
	if weak {
		b = append(b, "W/"...)
	}
	b = append(b, '"')
	b = hex.AppendEncode(b, []byte{byte(h >> 56), byte(h >> 48), byte(h >> 40), byte(h >> 32), byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h)})
	return string(append(b, '"'))
}
