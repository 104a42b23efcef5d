package route

import (
	"bytes"

	"varve/web/links"
)

// Page is what the markup of a page shows.
type Page struct {
	Signs       Sign
	Scripts     []string // addresses of script files, as written, the first maxScripts
	ScriptBytes int      // of scripts in the page
	Scripted    bool     // there is a script or code in an attribute
}

// maxScripts bounds the script files noted of a page.
const maxScripts = 32

// Thresholds of the signs that are counts.
const (
	fewWords     = 200 // characters
	fewLinks     = 3
	manyIdle     = 3 // links that only a script follows
	manyHandlers = 1
)

// ReadPage finds the signs in a page, in one pass over its tags. The parser's own count of words and
// links comes with it.
func ReadPage(html []byte, info *links.Info) Page {
	r := reader{b: html}
	for r.next() {
		r.tag()
	}
	p := r.page
	if r.idle >= manyIdle {
		p.Signs |= ScriptLinks
	}
	if r.handlers >= manyHandlers {
		p.Signs |= Handlers
	}
	if !p.Scripted {
		return Page{Signs: p.Signs & (NeedsScript | HasMedia)} // nothing is there to be executed
	}
	if info.TextLen < fewWords {
		p.Signs |= FewWords
	}
	if info.Counts[links.HopLink] < fewLinks {
		p.Signs |= FewLinks
	}
	if p.ScriptBytes > 2*(len(html)-p.ScriptBytes) {
		p.Signs |= ScriptHeavy
	}
	return p
}

// reader goes from tag to tag.
type reader struct {
	b    []byte
	at   int // behind the name of the tag
	name []byte
	page Page

	idle, handlers int
}

// next finds the next start tag.
func (r *reader) next() bool {
	for {
		i := bytes.IndexByte(r.b[r.at:], '<')
		if i < 0 || r.at+i+1 >= len(r.b) {
			return false
		}
		r.at += i + 1
		c := r.b[r.at]
		if c|0x20 >= 'a' && c|0x20 <= 'z' {
			from := r.at
			for r.at < len(r.b) && !isEnd(r.b[r.at]) {
				r.at++
			}
			r.name = r.b[from:r.at]
			return true
		}
		if c == '!' && bytes.HasPrefix(r.b[r.at:], []byte("!--")) {
			r.skipPast("-->")
		}
	}
}

func isEnd(c byte) bool { return c == '>' || c == '/' || isSpace(c) }

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// skipPast goes behind a text, or to the end.
func (r *reader) skipPast(text string) []byte {
	from := r.at
	i := bytes.Index(r.b[from:], []byte(text))
	if i < 0 {
		r.at = len(r.b)
		return r.b[from:]
	}
	r.at = from + i + len(text)
	return r.b[from : from+i]
}

// raw goes to the end tag of an element whose content is text, and gives the content.
func (r *reader) raw(end string) []byte {
	from := r.at
	for {
		i := bytes.Index(r.b[r.at:], []byte("</"))
		if i < 0 {
			r.at = len(r.b)
			return r.b[from:]
		}
		r.at += i + 2
		if len(r.b)-r.at >= len(end) && bytes.EqualFold(r.b[r.at:r.at+len(end)], []byte(end)) {
			return r.b[from : r.at-2]
		}
	}
}

// attribute gives the next attribute of the tag; ok is false behind the last, when at stands behind the tag.
func (r *reader) attribute() (name, value []byte, ok bool) {
	b := r.b
	for r.at < len(b) && (isSpace(b[r.at]) || b[r.at] == '/') {
		r.at++
	}
	if r.at >= len(b) {
		return nil, nil, false
	}
	if b[r.at] == '>' {
		r.at++
		return nil, nil, false
	}
	from := r.at
	r.at++ // an equals sign may begin a name
	for r.at < len(b) && b[r.at] != '=' && !isEnd(b[r.at]) {
		r.at++
	}
	name = b[from:r.at]
	at := r.at
	for at < len(b) && isSpace(b[at]) {
		at++
	}
	if at >= len(b) || b[at] != '=' {
		return name, nil, true
	}
	at++
	for at < len(b) && isSpace(b[at]) {
		at++
	}
	r.at = at
	return name, r.value(), true
}

// value reads the value of an attribute.
func (r *reader) value() []byte {
	b := r.b
	if r.at >= len(b) {
		return nil
	}
	if q := b[r.at]; q == '"' || q == '\'' {
		r.at++
		i := bytes.IndexByte(b[r.at:], q)
		if i < 0 {
			v := b[r.at:]
			r.at = len(b)
			return v
		}
		v := b[r.at : r.at+i]
		r.at += i + 1
		return v
	}
	from := r.at
	for r.at < len(b) && !isSpace(b[r.at]) && b[r.at] != '>' {
		r.at++
	}
	return b[from:r.at]
}
