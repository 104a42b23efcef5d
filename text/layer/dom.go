package layer

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"varve/web/canon"
	"varve/web/markup"
)

// Markup writes the markup of a page that somebody walks over in the form that is hashed for the layer dom: it is a
// subscriber of that walk. It keeps its buffers, and is not for concurrent use.
//
// Each token is written with a byte before it that no UTF-8 text has (0xf8 and above), so that two different pages
// never give the same form.
type Markup struct {
	src   []byte
	out   []byte
	attrs []attr
	name  []byte // of the last start tag
	word  []byte // room for the name of a thing
	raw   bool   // inside of script or style
	from  int    // the text that was read and is not yet written is src[from:to]
	to    int
}

// attr is an attribute of the tag that is being read; the slices are pieces of the page.
type attr struct{ key, val []byte }

const (
	markStart = 0xf8 + iota
	markAttr
	markValue
	markEnd
	markText
	markOther
)

// Sum hashes the page that was walked over last.
func (w *Markup) Sum() Sum {
	w.flush()
	sum := short(sha256.Sum256(w.out))
	if cap(w.out) > 8<<20 {
		w.out = nil
	}
	w.src = nil
	return sum
}

var wanted = markup.Of(markup.Start, markup.End, markup.Text, markup.Raw, markup.Comment, markup.Doctype, markup.Drawing)

// Begin implements markup.Subscriber.
func (w *Markup) Begin(src []byte) markup.Kinds {
	w.src, w.out, w.raw, w.from, w.to = src, w.out[:0], false, 0, 0
	return wanted
}

// Token implements markup.Subscriber. What the digests of all archives were made of must stay as it is, so where pages break the rules of HTML, the form follows
// the lexer that the first digests were made with (tdewolff/parse): TestMarkupLikeBefore compares the two.
func (w *Markup) Token(t *markup.Token) {
	switch {
	case t.Kind == markup.Text, t.Kind == markup.Comment && t.To-t.From == len(markup.Nameless) && string(w.src[t.From:t.To]) == markup.Nameless:
		if t.From != w.to {
			w.flush()
			w.from = t.From
		}
		w.to = t.To
		return
	case t.Kind == markup.Comment:
		return
	}
	w.flush()
	switch t.Kind {
	case markup.Start:
		if !t.Whole {
			return
		}
		w.name, w.attrs = t.Name, w.attrs[:0]
		if t.Odd {
			w.odd(w.src[t.From:t.To])
		} else {
			for i := range t.Attrs {
				w.attrs = append(w.attrs, attr{t.Attrs[i].Key, t.Attrs[i].Val})
			}
		}
		w.start()
	case markup.End:
		w.raw = false
		w.out = append(w.out, markEnd)
		if len(t.Data) == len(t.Name) {
			w.out = append(w.out, t.Name...)
		} else { // with all that stands behind the name
			w.out = appendLower(w.out, bytes.TrimRight(t.Data, " \t\r\n"))
		}
	case markup.Raw:
		w.text(t.Data)
	case markup.Doctype:
		w.out = mask(append(w.out, markOther), w.src[t.From:t.To])
	case markup.Drawing:
		w.out = append(append(w.out, markOther, '<'), t.Name...)
		w.out = mask(w.out, t.Data[1+len(t.Name):])
	}
}

// flush writes the text that was read.
func (w *Markup) flush() {
	if w.to > w.from {
		w.text(w.src[w.from:w.to])
		w.from = w.to
	}
}

// odd reads a tag that has a slash where none belongs, or an attribute without a name: here these are parts of names.
func (w *Markup) odd(tag []byte) {
	tag = tag[1 : len(tag)-1]
	isSpace := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
	word := func(i int, stops string) int {
		for i < len(tag) && !isSpace(tag[i]) && !(tag[i] == '/' && i+1 == len(tag)) && strings.IndexByte(stops, tag[i]) < 0 {
			i++
		}
		return i
	}
	space := func(i int) int {
		for i < len(tag) && isSpace(tag[i]) {
			i++
		}
		return i
	}
	i := word(0, "")
	w.name = appendLower(nil, tag[:i])
	for i = space(i); i < len(tag) && !(tag[i] == '/' && i+1 == len(tag)); i = space(i) {
		from := i
		i = word(i, "=")
		a := attr{key: appendLower(nil, tag[from:i])}
		if at := space(i); at < len(tag) && tag[at] == '=' {
			i = space(at + 1)
			from = i
			if i < len(tag) && (tag[i] == '"' || tag[i] == '\'') {
				n := bytes.IndexByte(tag[i+1:], tag[i])
				i += n + 2
				a.val = tag[from+1 : i-1]
			} else {
				for i < len(tag) && !isSpace(tag[i]) {
					i++
				}
				a.val = tag[from:i]
			}
		}
		w.attrs = append(w.attrs, a)
	}
}

func appendLower(dst, p []byte) []byte {
	for _, c := range p {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// start writes a start tag with its attributes in order of name.
func (w *Markup) start() {
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
func (w *Markup) thing() []byte {
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
func (w *Markup) drop(key, thing []byte) bool {
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
func (w *Markup) address(val []byte) {
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
func (w *Markup) text(data []byte) {
	if len(data) == 0 {
		return
	}
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
