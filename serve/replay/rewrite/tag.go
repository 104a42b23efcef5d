package rewrite

import (
	"html"
	"strings"
)

// attr is one attribute: where it stands in its tag.
type attr struct {
	name       string // lower case
	from, to   int    // of the whole attribute
	valueFrom  int    // of the value without quotes
	valueTo    int
	has, quote bool // it has a value; that is in quotes
}

// tag is a start tag taken apart.
type tag struct {
	src     []byte
	name    string
	attrs   []attr
	self    bool
	foreign int // open svg and math elements
}

// maxAttrs bounds the attributes of one tag that are looked at.
const maxAttrs = 2048

// read takes a start tag apart: <name attributes>.
func (t *tag) read(src []byte) {
	t.src, t.attrs, t.self = src, t.attrs[:0], false
	i := 1
	for i < len(src) && !isSpace(src[i]) && src[i] != '/' && src[i] != '>' {
		i++
	}
	t.name = lower(src[1:i])
	for i < len(src) && len(t.attrs) < maxAttrs {
		for i < len(src) && (isSpace(src[i]) || src[i] == '/') {
			t.self = src[i] == '/'
			i++
		}
		if i >= len(src) || src[i] == '>' {
			return
		}
		t.self = false
		i = t.attr(i)
	}
}

// attr reads one attribute and gives the place after it.
func (t *tag) attr(i int) int {
	src := t.src
	a := attr{from: i}
	for i++; i < len(src) && !isSpace(src[i]) && src[i] != '/' && src[i] != '>' && src[i] != '='; {
		i++
	}
	a.name, a.to = lower(src[a.from:i]), i
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i < len(src) && src[i] == '=' {
		for i++; i < len(src) && isSpace(src[i]); {
			i++
		}
		i = t.read1(&a, i)
	} else {
		i = a.to
	}
	t.attrs = append(t.attrs, a)
	return i
}

// read1 reads the value at i.
func (t *tag) read1(a *attr, i int) int {
	src := t.src
	a.has = true
	if i < len(src) && (src[i] == '"' || src[i] == '\'') {
		a.quote = true
		a.valueFrom = i + 1
		for i++; i < len(src) && src[i] != src[a.valueFrom-1]; {
			i++
		}
		a.valueTo, a.to = i, min(i+1, len(src))
		return a.to
	}
	a.valueFrom = i
	for i < len(src) && !isSpace(src[i]) && src[i] != '>' {
		i++
	}
	a.valueTo, a.to = i, i
	return i
}

// text gives the value of an attribute, character references undone.
func (t *tag) text(a *attr) string { return unescape(string(t.src[a.valueFrom:a.valueTo])) }

// value gives the value of the attribute of that name, or "".
func (t *tag) value(name string) string {
	for i := range t.attrs {
		if t.attrs[i].name == name {
			return t.text(&t.attrs[i])
		}
	}
	return ""
}

// usual are names that are on every page, so that reading them allocates nothing.
var usual = func() map[string]string {
	m := map[string]string{}
	for name := range strings.FieldsSeq(`a abbr article aside b body br button div em figure footer form h1 h2 h3 h4 head header hr html i iframe
		img input label li link main meta nav noscript ol option p path picture pre script section select small source span strong style sub
		sup svg table tbody td template textarea th thead time title tr u ul use video action align alt aria-label aria-hidden as async
		border charset class colspan content crossorigin d data-id data-src datetime defer dir fill for height href http-equiv id integrity
		itemprop lang loading media method name nonce onclick onload placeholder poster property rel role rowspan sizes src srcset
		tabindex target title type valign value viewbox width xmlns`) {
		m[name] = name
	}
	return m
}()

// lower gives a name in lower case.
func lower(p []byte) string {
	if s, ok := usual[string(p)]; ok {
		return s
	}
	for _, c := range p {
		if c >= 'A' && c <= 'Z' {
			return strings.ToLower(string(p))
		}
	}
	return string(p)
}

// unescape undoes character references as they are read in attributes: &copy=1 is no copyright sign.
func unescape(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i:]
		n := 1
		for n < len(s) && n < 34 && (s[n] == '#' || isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') {
			n++
		}
		switch {
		case n < len(s) && s[n] == ';':
			n++
			b.WriteString(html.UnescapeString(s[:n]))
		case n > 1 && s[1] == '#', n < len(s) && s[n] != '=', n == len(s):
			b.WriteString(plain(s[:n]))
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
		i = strings.IndexByte(s, '&')
	}
	return b.String() + s
}

// plain undoes a reference without semicolon, if the whole of it is one: &amp but not &amplifier.
func plain(s string) string {
	out := html.UnescapeString(s)
	if strings.HasPrefix(s, "&#") || len([]rune(out)) == 1 {
		return out
	}
	return s
}

var escaper = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// appendAttr appends name="value".
func appendAttr(dst []byte, name, value string) []byte {
	dst = append(dst, name...)
	dst = append(dst, '=', '"')
	dst = append(dst, escaper.Replace(value)...)
	return append(dst, '"')
}
