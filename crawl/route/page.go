package route

import (
	"bytes"

	"varve/crawl/collect"
	"varve/web/links"
	"varve/web/markup"
)

// Markup is what the markup of a page shows.
type Markup struct {
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

// ReadPage finds the signs in a page. The parser's own count of words and links comes with it.
func ReadPage(html []byte, info *links.Info) Markup {
	var r Reader
	var w markup.Walker
	w.Walk(html, false, &r)
	return r.Page(info)
}

// NewReader returns what finds the signs of a page while somebody else reads it.
func (r *Router) NewReader() markup.Subscriber { return &Reader{} }

// readOnce returns the signs of a page: those that were found when it was read for its links, or else it is read now.
func readOnce(e *collect.Evidence) Markup {
	if r, ok := e.Look.(*Reader); ok {
		return r.Page(&e.Info)
	}
	return ReadPage(e.Content, &e.Info)
}

// Reader finds the signs in pages that somebody walks over: it is a subscriber of that walk. It is not for concurrent use.
type Reader struct {
	src      []byte
	size     int
	page     Markup
	noscript int  // behind the start tag of the noscript element that is open, 0 for none
	inline   bool // the content of a script comes next

	idle, handlers int
}

var wanted = markup.Of(markup.Start, markup.End, markup.Raw)

// Begin implements markup.Subscriber.
func (r *Reader) Begin(src []byte) markup.Kinds {
	*r = Reader{src: src, size: len(src)}
	return wanted
}

// Token implements markup.Subscriber.
func (r *Reader) Token(t *markup.Token) {
	switch {
	case r.noscript > 0:
		if t.Kind == markup.End && t.Element == elNoscript {
			r.asks(t.From)
		}
	case t.Kind == markup.Start:
		r.tag(t)
	case t.Kind == markup.Raw && r.inline:
		r.inline = false
		r.page.ScriptBytes += len(t.Data)
		r.page.Signs |= ScriptSigns(t.Data)
	}
}

// asks looks whether a noscript element that ends at a place asks for scripts.
func (r *Reader) asks(end int) {
	if bytes.Contains(bytes.ToLower(clip(r.src[r.noscript:end], 4096)), []byte("javascript")) {
		r.page.Signs |= NeedsScript
	}
	r.noscript = 0
}

// Page returns the signs of the page that was walked over last.
func (r *Reader) Page(info *links.Info) Markup {
	if r.noscript > 0 {
		r.asks(len(r.src))
	}
	r.src = nil
	p := r.page
	if r.idle >= manyIdle {
		p.Signs |= ScriptLinks
	}
	if r.handlers >= manyHandlers {
		p.Signs |= Handlers
	}
	if !p.Scripted {
		return Markup{Signs: p.Signs & (NeedsScript | HasMedia)} // nothing is there to be executed
	}
	if info.TextLen < fewWords {
		p.Signs |= FewWords
	}
	if info.Counts[links.HopLink] < fewLinks {
		p.Signs |= FewLinks
	}
	if p.ScriptBytes > 2*(r.size-p.ScriptBytes) {
		p.Signs |= ScriptHeavy
	}
	return p
}
