package layer

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"varve/web/canon"
)

// domWriter writes the markup of a page in the form that is hashed for the layer dom. It keeps its buffers.
//
// Each token is written with a byte before it that no UTF-8 text has (0xf8 and above), so that two different pages
// never give the same form.
type domWriter struct {
	out   []byte
	attrs []attr
	name  []byte // of the last start tag
	word  []byte // room for the name of a thing
	raw   bool   // inside of script or style
	space bool   // white space is pending between words
}

// attr is an attribute of the tag that is being read; the slices are the tokeniser's.
type attr struct{ key, val []byte }

const (
	markStart = 0xf8 + iota
	markAttr
	markValue
	markEnd
	markText
	markOther
)

// sum hashes a page in UTF-8.
func (w *domWriter) sum(body []byte) Sum {
	w.write(body)
	sum := short(sha256.Sum256(w.out))
	if cap(w.out) > 8<<20 {
		w.out = nil
	}
	return sum
}

func (w *domWriter) write(body []byte) {
	w.out, w.raw, w.space = w.out[:0], false, false
	// The tokeniser writes into its input (lower case, a zero at the end), so it gets a copy: the capacity forces one.
	lex := html.NewLexer(parse.NewInputBytes(body[:len(body):len(body)]))
	for {
		kind, data := lex.Next()
		switch kind {
		case html.ErrorToken:
			return
		case html.CommentToken:
		case html.StartTagToken:
			w.name, w.attrs = append(w.name[:0], lex.Text()...), w.attrs[:0]
		case html.AttributeToken:
			w.attrs = append(w.attrs, attr{lex.AttrKey(), unquote(lex.AttrVal())})
		case html.StartTagCloseToken, html.StartTagVoidToken:
			w.start()
		case html.EndTagToken:
			w.raw = false
			w.out = append(append(w.out, markEnd), lex.Text()...)
		case html.TextToken:
			w.text(data)
		default: // doctype, svg and math as a whole
			w.out = mask(append(w.out, markOther), data)
		}
	}
}

// start writes a start tag with its attributes in order of name.
func (w *domWriter) start() {
	w.out = append(append(w.out, markStart), w.name...)
	w.raw = string(w.name) == "script" || string(w.name) == "style"
	thing := w.thing()
	slices.SortStableFunc(w.attrs, func(a, b attr) int { return bytes.Compare(a.key, b.key) })
	for _, a := range w.attrs {
		w.out = append(append(w.out, markAttr), a.key...)
		w.out = append(w.out, markValue)
		switch {
		case w.drop(a.key, thing):
			w.out = append(w.out, masked...)
		case isAddress(a.key):
			w.address(a.val)
		default:
			w.out = mask(w.out, a.val)
		}
	}
}

// thing is what an element is about: name, property, id and the like in one, letters and digits in lower case.
func (w *domWriter) thing() []byte {
	w.word = w.word[:0]
	for _, a := range w.attrs {
		switch string(a.key) {
		case "name", "property", "id", "http-equiv", "itemprop":
			w.word = append(appendPlain(w.word, a.val), ' ')
		}
	}
	return w.word
}

// drop tells whether a rule masks the whole value of an attribute.
func (w *domWriter) drop(key, thing []byte) bool {
	for i := range named {
		r := &named[i]
		if r.Element != "" && r.Element != string(w.name) {
			continue
		}
		prefix, open := cutStar(r.Attr)
		if !open && string(key) != r.Attr || open && !bytes.HasPrefix(key, []byte(prefix)) {
			continue
		}
		about := thing
		if open { // the name of the attribute says it
			about = appendPlain(w.word[len(w.word):], key)
		}
		if len(r.Named) == 0 || holdsAny(about, r.Named) {
			return true
		}
	}
	return false
}

// address writes an address without session ids.
func (w *domWriter) address(val []byte) {
	if bytes.IndexByte(val, '?') < 0 && bytes.IndexByte(val, ';') < 0 && bytes.IndexByte(val, '(') < 0 {
		w.out = append(w.out, val...)
		return
	}
	u, err := nowhere.Resolve(string(bytes.ReplaceAll(val, []byte("&amp;"), []byte("&"))))
	if err != nil {
		w.out = append(w.out, val...)
		return
	}
	w.out = append(w.out, canon.DefaultRules().Strip(u, canon.GroupSession, canon.GroupCache)...)
}

// nowhere is what addresses are resolved against, only to give the rules whole ones.
var nowhere = func() canon.URL {
	u, err := canon.Parse("http://page.invalid/")
	if err != nil {
		panic(err) // a constant
	}
	return u
}()

// text writes character data: in scripts with shapes masked, elsewhere as it is. White space is collapsed.
func (w *domWriter) text(data []byte) {
	if w.raw {
		w.out = mask(append(w.out, markText), data)
		return
	}
	first := true
	for word := range bytes.FieldsSeq(data) {
		if first {
			w.out = append(w.out, markText)
			first = false
		} else {
			w.out = append(w.out, ' ')
		}
		w.out = append(w.out, word...)
	}
}
