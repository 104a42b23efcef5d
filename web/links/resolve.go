package links

import "varve/web/canon"

// Indexes of the bases that every document has.
const (
	baseNone     = int32(-1) // only absolute references can be resolved: the inside of a data: URL
	baseDocument = int32(0)  // the document's base, changed by <base href>
	baseURL      = int32(1)  // the document's URL, for headers and forms without an action
)

// maxBases bounds the bases that xml:base, codebase and BaseURL may add to one document.
const maxBases = 4096

// base is what references are resolved against: a reference itself, against another base, resolved when first needed,
// because a late <base> may change its parent.
type base struct {
	ref    string
	parent int32
	done   bool
	url    canon.URL
	origin string // scheme://host[:port] of an http(s) base without user, else ""
}

// addBase makes a base out of a reference and gives its index; when there are too many or it is too long, the current
// one, and what is resolved against that is counted as cut.
func (e *Extractor) addBase(ref []byte, parent int32) int32 {
	ref = e.clean(ref)
	if len(ref) == 0 {
		return parent
	}
	if len(e.bases) >= maxBases || len(ref) > e.limits.URL {
		e.cut()
		return parent
	}
	e.bases = append(e.bases, base{ref: e.arena.str(ref), parent: parent})
	return int32(len(e.bases) - 1)
}

// baseAt gives a base, resolved.
func (e *Extractor) baseAt(i int32) *canon.URL {
	b := &e.bases[i]
	if b.done {
		return &b.url
	}
	b.done = true
	parent := &e.doc
	if i != baseURL && i != baseDocument {
		parent = e.baseAt(b.parent)
	}
	b.url = *parent
	if b.ref != "" {
		if u, err := parent.Resolve(b.ref); err == nil && fetched(u) {
			b.url = u
		}
	}
	if b.url.IsHTTP() && b.url.Userinfo() == "" {
		b.origin = b.url.Origin()
	}
	return &b.url
}

// rooted resolves the commonest references of all, "/path?query" of plain characters, by joining: there is nothing in
// them to encode or fold, so canon would give the same (FuzzHTML compares).
func (e *Extractor) rooted(at int32, raw string) (string, bool) {
	if raw[0] != '/' || len(raw) > 1 && raw[1] == '/' || at == baseNone {
		return "", false
	}
	last := byte(0)
	for i := range len(raw) {
		c := raw[i]
		if class[c]&classSimple == 0 || c == '.' && last == '/' {
			return "", false
		}
		last = c
	}
	e.baseAt(at)
	origin := e.bases[at].origin
	if origin == "" {
		return "", false
	}
	return e.arena.join(origin, raw), true
}

// resolve makes a reference absolute.
func (e *Extractor) resolve(at int32, raw string) (string, bool) {
	var u canon.URL
	var err error
	if url, ok := e.rooted(at, raw); ok {
		return url, true
	}
	if e.coding.enc != nil {
		raw = e.legacyQuery(raw)
	}
	if at == baseNone {
		u, err = canon.Parse(raw)
	} else {
		u, err = e.baseAt(at).Resolve(raw)
	}
	if err != nil || !fetched(u) {
		return "", false
	}
	return u.String(), true
}

// fetched tells whether a URL has a scheme that a crawler fetches, and a host.
func fetched(u canon.URL) bool {
	return (u.IsHTTP() || u.Scheme() == "ftp") && u.Host() != ""
}
