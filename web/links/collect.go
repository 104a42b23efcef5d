package links

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// found is a reference that waits for the end of the document: a late base element changes where it points, and the
// text behind it is still unread.
type found struct {
	raw      string
	rel      string
	anchor   string // words that name it; empty: the text between from and to
	entry    *Entry
	from, to int32 // its place in the visible text, or -1
	base     int32 // index into Extractor.bases
	kind     Kind
	in       Context
	header   bool // it is in a header of the answer
}

// noPlace is for references that do not stand in the visible text.
const noPlace = int32(-1)

// flushAt is how many references wait at most in formats where nothing later changes them.
const flushAt = 512

// link takes a reference without a place in the text.
func (e *Extractor) link(k Kind, raw []byte) {
	e.add(found{kind: k, from: noPlace}, raw)
}

// add takes a reference, raw being its text with character references decoded, and gives its index among the waiting
// ones, or -1 when it is none that can be fetched.
func (e *Extractor) add(f found, raw []byte) int {
	raw = trim(raw)
	if len(raw) == 0 {
		return -1
	}
	if len(raw) > e.limits.URL {
		if n := schemeLen(raw[:min(len(raw), 16)]); n == 0 || hasFold(raw, "http") { // else it is a data: or javascript: URL, and read as such
			e.cut()
		}
		return e.skip(raw)
	}
	if odd(raw) {
		raw = e.clean(raw)
		if placeholder(raw) || raw[0] == '#' && e.base == baseDocument && e.bases[baseDocument].ref == "" {
			return e.skip(raw)
		}
	}
	if raw = e.fetchable(raw); raw == nil {
		e.info.Skipped++
		return -1
	}
	if e.count >= e.limits.Links {
		e.cut()
		return -1
	}
	f.in, f.header = e.in, e.inHeaders
	f.base = e.base
	if f.hop() == HopSpeculative && e.guessedBefore(raw) {
		return -1
	}
	if e.streams && len(e.pending) >= flushAt {
		e.flush("")
	}
	f.raw = e.arena.str(raw)
	if f.hop() == HopSpeculative {
		e.guessed[f.raw] = struct{}{}
	}
	e.count++
	e.pending = append(e.pending, f)
	return len(e.pending) - 1
}

// cut counts a reference that a limit keeps out.
func (e *Extractor) cut() {
	e.info.Cut++
	e.info.Truncated = true
}

// odd tells whether a reference needs a second look.
func odd(p []byte) bool {
	m := uint16(0)
	for _, c := range p {
		m |= class[c]
	}
	return m&classOdd != 0
}

// skip counts a reference that is not emitted; data: URLs are long, so they pass here on their way inside.
func (e *Extractor) skip(raw []byte) int {
	if hasFold(raw, "data:") {
		e.dataURL(raw)
	}
	e.info.Skipped++
	return -1
}

// guessedBefore tells whether the same guess was made in this document.
func (e *Extractor) guessedBefore(raw []byte) bool {
	_, ok := e.guessed[string(raw)]
	return ok
}

// hop is what following the link means, after demotion by its context.
func (f *found) hop() Hop {
	if f.in.demoted() {
		return HopSpeculative
	}
	return f.kind.Hop()
}

// clean trims a reference and takes out tabs and newlines, as URL parsing does.
func (e *Extractor) clean(raw []byte) []byte {
	raw = trim(raw)
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\t') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	e.cleaned = e.cleaned[:0]
	for _, c := range raw {
		if c != '\n' && c != '\t' && c != '\r' {
			e.cleaned = append(e.cleaned, c)
		}
	}
	return e.cleaned
}

// fetchable gives the reference if its scheme is one that a crawler fetches (or it has none), looks into javascript:
// and data: URLs, and gives nil otherwise.
func (e *Extractor) fetchable(raw []byte) []byte {
	n := schemeLen(raw)
	if n == 0 {
		if e.base == baseNone && !bytes.HasPrefix(raw, []byte("//")) {
			return nil
		}
		return raw
	}
	scheme := raw[:n]
	switch {
	case equalFold(scheme, "http"), equalFold(scheme, "https"), equalFold(scheme, "ftp"):
		return raw
	case equalFold(scheme, "javascript"):
		e.javascriptURL(raw[n+1:])
	case equalFold(scheme, "data"):
		e.dataURL(raw)
	case equalFold(scheme, "view-source"), equalFold(scheme, "feed") && !bytes.HasPrefix(raw[n+1:], []byte("//")):
		if rest := raw[n+1:]; hasFold(rest, "http:") || hasFold(rest, "https:") {
			return rest
		}
	case equalFold(scheme, "feed"):
		return append([]byte("http:"), raw[n+1:]...)
	}
	return nil
}

// schemeLen is the length of a URL's scheme, 0 if it has none.
func schemeLen(p []byte) int {
	for i, c := range p {
		switch {
		case isAlpha(c), i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 0:
			return i
		default:
			return 0
		}
	}
	return 0
}

// placeholder tells whether a reference is a template that a program fills in.
func placeholder(p []byte) bool {
	for i := 0; i+1 < len(p); i++ {
		switch p[i] {
		case '{':
			if p[i+1] == '{' || p[i+1] == '%' {
				return true
			}
		case '$', '#':
			if p[i+1] == '{' {
				return true
			}
		case '<':
			if p[i+1] == '%' || p[i+1] == '?' {
				return true
			}
		}
	}
	return false
}

// flush resolves and emits what waits. text is the visible text that places refer to.
func (e *Extractor) flush(text string) {
	for i := range e.pending {
		e.emitOne(&e.pending[i], text)
	}
	clear(e.pending)
	e.pending = e.pending[:0]
}

// valid replaces what is not UTF-8.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// emitOne resolves one reference and hands it to the caller.
func (e *Extractor) emitOne(f *found, text string) {
	url, ok := e.resolve(f.base, f.raw)
	if !ok {
		e.info.Skipped++
		return
	}
	l := Link{URL: url, Raw: f.raw, Kind: f.kind, Hop: f.hop(), In: f.in, Anchor: valid(f.anchor), Rel: valid(f.rel), Entry: f.entry, Header: f.header}
	if f.from != noPlace {
		from, to := int(f.from), int(max(f.from, f.to))
		if l.Anchor == "" {
			l.Anchor, l.AnchorAt = window(text, from, min(to, from+e.limits.Anchor), 0)
		}
		if !e.brief {
			l.Around, l.AroundAt = window(text, from, min(to, from+e.limits.Anchor), e.limits.Around)
		}
	}
	if f.kind == kindLinkCanonical && e.info.Canonical == "" && f.in&^InNoscript == 0 {
		e.info.Canonical = url
	}
	e.info.Counts[l.Hop]++
	e.emit(l)
}
