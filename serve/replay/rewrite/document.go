package rewrite

import (
	"strings"

	xencoding "golang.org/x/text/encoding"

	"varve/serve/replay/address"
	"varve/web/canon"
	"varve/web/encoding"
)

// Document says where a document was captured and how its references are written.
type Document struct {
	Base   canon.URL   // what references are resolved against; a base element moves it
	Prefix string      // of addresses in the archive: "/news/", with a key "/news~KEY/", in a view "/news~KEY~VIEW/"
	Time   string      // of the addresses written, 14 digits
	Mod    address.Mod // what the document itself is used as
	Head   string      // markup put at the start of an HTML document's head: the shim
	Made   string      // the same for documents inside of it that have no address of their own (srcdoc); "" is Head
	Keep   bool        // what the page wrote is kept beside what is put in its place
	XML    bool        // it is XML: XHTML or SVG
	Static bool        // nothing in it runs (an SVG image): scripts are left alone
	Own    bool        // the browser has it at its own address in the archive: what is relative to that stays as it is written
	Still  bool        // no script runs in it, ours neither: what the shim does for links, the rewriter does

	// Refreshes is told where the document leads by itself, which browsers do not do where no scripts run; may be nil.
	Refreshes func(seconds int, addr string)

	enc xencoding.Encoding // of references in the document; nil for UTF-8
}

// Collection names the collection that addresses lead into.
func (d *Document) Collection() string {
	name, _, _ := address.SplitLead(strings.Trim(d.Prefix, "/"))
	return name
}

// SetCharset says in which encoding the bytes are. It matters for references that are not ASCII.
func (d *Document) SetCharset(name string) {
	d.enc = nil
	if enc, n := encoding.Lookup(name); n != "utf-8" {
		d.enc = enc
	}
}

// Address gives the address in the archive of a reference, or false where it has none: fragments, data: and other
// schemes that lead nowhere, and what is no URL at all.
func (d *Document) Address(ref string, mod address.Mod) (string, bool) {
	ref = strings.Trim(ref, " \t\n\f\r")
	if ref == "" || ref[0] == '#' || !fetched(ref) || len(ref) > canon.MaxLength {
		return "", false
	}
	u, err := d.Base.Resolve(d.encoded(ref))
	if err != nil || u.Host() == "" {
		return "", false
	}
	return d.Prefix + d.Time + string(mod) + "/" + u.String(), true
}

// fetched tells whether a reference is relative or of a scheme that goes over the network.
func fetched(ref string) bool {
	for i := range len(ref) {
		switch c := ref[i]; {
		case c == ':':
			switch strings.ToLower(ref[:i]) {
			case "http", "https", "ws", "wss", "ftp":
				return true
			}
			return false
		case c == '/' || c == '?' || c == '#' || c <= ' ' || c >= 0x80:
			return true
		case i > 256:
			return true
		}
	}
	return true
}

// encoded makes a reference ASCII the way a browser does in a document that is not UTF-8: the query keeps the
// document's encoding, the rest is UTF-8.
func (d *Document) encoded(ref string) string {
	if d.enc == nil || ascii(ref) {
		return ref
	}
	path, query, ok := strings.Cut(ref, "?")
	if text, err := d.enc.NewDecoder().String(path); err == nil {
		path = text
	}
	if !ok {
		return path
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(query) {
		if c < 0x80 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return path + "?" + b.String()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// edit copies a source with replacements: what lies between them is copied as it is.
type edit struct {
	src  []byte
	dst  []byte
	done int // src[:done] is written
}

// replace puts text in the place of src[from:to].
func (e *edit) replace(from, to int, text string) {
	e.dst = append(append(e.dst, e.src[e.done:from]...), text...)
	e.done = to
}

// finish copies the rest.
func (e *edit) finish() []byte {
	return append(e.dst, e.src[e.done:]...)
}
