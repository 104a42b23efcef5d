package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
	"varve/serve/replay/shim"
	"varve/web/canon"
	"varve/web/encoding"
	"varve/web/wire"
)

// maxWhole bounds documents that are rewritten in memory: scripts, style sheets, play lists. Longer ones are sent as
// they are, and what they then miss the shim or the policy catches.
const maxWhole = 32 << 20

// language is what a body is rewritten as.
type language uint8

const (
	asIs language = iota
	asHTML
	asXHTML
	asSVG
	asCSS
	asJS
	asHLS
	asDASH
)

// body sends the content, rewritten if its language has links.
func (h *Handler) body(w http.ResponseWriter, r *http.Request, a address.Address, f *found) {
	content, err := f.record.content()
	if err != nil {
		h.log.Warn("content coding not understood", "url", f.URL, "err", err)
		h.identity(w, r, f)
		return
	}
	defer content.Close()
	first, all := peek(content, 2048)
	typ := f.record.head.Header.Get("Content-Type")
	if typ == "" {
		typ = f.record.body.Header.Get("Content-Type")
	}
	if typ == "" {
		typ = http.DetectContentType(first)
		w.Header().Set("Content-Type", typ)
	}
	lang := languageOf(a.Mod, wire.MediaType(typ), r.Header.Get("Sec-Fetch-Dest"), first)
	status := f.record.head.Status
	if status < 200 || status > 599 {
		status = http.StatusOK
	}
	scripts := h.runs(r, a, f)
	if wire.MediaType(typ) == "application/pdf" && a.Mod != address.Identity {
		h.byBrowser(w.Header())
		w.Header().Set("Content-Security-Policy", h.printPolicy(scripts))
	}
	if lang == asIs {
		length := f.record.length
		if len(f.record.body.Codings()) > 0 {
			length = h.measure(r, a.Collection, f)
		}
		h.stream(w, r, status, all, length, total(&f.record.head))
		return
	}
	d := rewrite.Document{Prefix: a.Lead(), Time: address.Stamp(f.Time), Mod: a.Mod}
	if a.Mod.Embedded() && !a.Mod.Document() && len(a.Time) >= len(d.Time) {
		// A part leads on at the time of its page, not at its own: a module that two others import has one address, and so one
		// instance, whenever those were captured.
		d.Time = a.Time
	}
	d.Own = a.Mod == address.Page && strings.HasSuffix(r.URL.RequestURI(), "/"+f.URL)
	if d.Base, err = canon.Parse(f.URL); err != nil {
		h.stream(w, r, status, all, -1, false)
		return
	}
	if lang == asHTML || lang == asXHTML {
		h.byBrowser(w.Header())
		w.Header().Set("Content-Security-Policy", h.contentPolicy(r, a, scripts))
		d.Still = !scripts
		if isPage(r, a) {
			h.views.shown(a, f.Time, f.URL)
			if d.Still && a.View != "" {
				d.Refreshes = func(seconds int, addr string) { h.views.refresh(a, seconds, addr) }
			}
		}
	}
	w.Header().Del("Accept-Ranges")
	h.rewritten(w, r, status, lang, typ, &d, first, all, f)
}

// languageOf decides by what the body is used as, what it is called and how it begins.
func languageOf(mod address.Mod, typ, dest string, first []byte) language {
	switch mod {
	case address.Script, address.Worker, address.Service:
		if typ == "application/json" || typ == "application/wasm" || (typ == "text/html" && looksLikeHTML(first)) {
			return asIs
		}
		return asJS
	case address.Style:
		if typ == "text/html" && looksLikeHTML(first) {
			return asIs
		}
		return asCSS
	}
	switch typ {
	case "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl":
		return asHLS
	case "application/dash+xml":
		return asDASH
	}
	if dest == "empty" { // fetched by a script: the shim sees to what is made of it
		return asIs
	}
	switch typ {
	case "text/html":
		return asHTML
	case "application/xhtml+xml":
		return asXHTML
	case "image/svg+xml":
		return asSVG
	case "text/css":
		return asCSS
	}
	if isJavaScript(typ) {
		return asJS
	}
	return asIs
}

// isJavaScript reports whether a media type is one of scripts, which no browser shows as a document with scripts in it.
func isJavaScript(typ string) bool {
	switch typ {
	case "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript":
		return true
	}
	return false
}

func looksLikeHTML(first []byte) bool {
	return strings.HasPrefix(http.DetectContentType(first), "text/html")
}

// rewritten sends a body through its rewriter.
func (h *Handler) rewritten(w http.ResponseWriter, r *http.Request, status int, lang language, typ string, d *rewrite.Document, first []byte, all io.Reader, f *found) {
	all = h.decode(w, lang, typ, d, first, all)
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return
	}
	switch lang {
	case asHTML, asXHTML, asSVG:
		d.XML = lang != asHTML
		d.Static = lang == asSVG && d.Mod == address.Image
		d.Keep = !d.Static
		if lang != asSVG && !d.Still {
			own := h.settings(d, f)
			d.Head = h.ownFilm(r.Context(), d, f) + head(own)
			own.Mod, own.URL, own.Base = string(address.Inner), "about:srcdoc", f.URL
			d.Made = head(own)
		}
		w.WriteHeader(status)
		if err := d.HTML(w, all); err != nil {
			h.cutShort(err)
		}
		return
	}
	whole, err := io.ReadAll(io.LimitReader(all, maxWhole+1))
	w.WriteHeader(status)
	if err != nil || len(whole) > maxWhole {
		w.Write(whole)
		if err != nil {
			h.cutShort(err)
		}
		h.copy(w, all)
		return
	}
	w.Write(h.whole(lang, d, whole, r, f))
}

// whole rewrites a document in memory.
func (h *Handler) whole(lang language, d *rewrite.Document, src []byte, r *http.Request, f *found) []byte {
	switch lang {
	case asCSS:
		return d.CSS(nil, src)
	case asHLS:
		src = h.captured(r.Context(), d, h.recorded(r.Context(), lang, d, f, src))
		if byScript(r) {
			return src
		}
		return d.HLS(nil, src)
	case asDASH:
		src = h.present(r.Context(), d, h.recorded(r.Context(), lang, d, f, src))
		if byScript(r) {
			return src
		}
		return d.DASH(nil, src)
	}
	var out []byte
	if d.Mod == address.Worker || d.Mod == address.Service {
		out = append(out, shim.Inline(h.settings(d, f))...)
	}
	if f.fuzzy != "" {
		src = jsonp(src, r)
	}
	return d.JS(out, src)
}

// byScript tells requests of scripts. To them the shim says that a list has the address it had then, so what it
// names must be as it was then; the shim leads it into the archive when it is asked for.
func byScript(r *http.Request) bool { return r.Header.Get("Sec-Fetch-Dest") == "empty" }

// decode brings text in encodings whose bytes cannot be read as ASCII into UTF-8, and says which encoding the answer
// has. Where nobody says it, the browser finds out.
func (h *Handler) decode(w http.ResponseWriter, lang language, typ string, d *rewrite.Document, first []byte, all io.Reader) io.Reader {
	says := encoding.OfType(typ) != ""
	var of func([]byte) string
	if lang == asHTML {
		of = encoding.OfHTML
	}
	name, _, _ := encoding.Declared(first, typ, of)
	if name == "" && lang == asHTML && isUTF8(first) {
		name = "utf-8"
	}
	if name == "" || !says && (lang == asCSS || lang == asJS || lang == asHLS || lang == asDASH) {
		return all
	}
	switch name {
	case "utf-16le", "utf-16be", "shift_jis", "gbk", "gb18030", "big5", "iso-2022-jp":
		if plain, err := encoding.NewReader(name, all); err == nil {
			all, name, says = plain, "utf-8", false
		}
	default:
		d.SetCharset(name)
	}
	if says {
		return all
	}
	w.Header().Set("Content-Type", wire.MediaType(typ)+"; charset="+name)
	return all
}

// isUTF8 reports whether text, which may be cut, has characters beyond ASCII and all of them are UTF-8.
func isUTF8(text []byte) bool {
	beyond := false
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			return beyond && !utf8.FullRune(text)
		}
		beyond = beyond || n > 1
		text = text[n:]
	}
	return beyond
}

// head is the markup that loads the shim before anything else of the page.
func head(s shim.Settings) string {
	text, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return `<script src="` + ownPath + `shim.js?` + shim.Version() + `" data-varve="` + html.EscapeString(string(text)) + `"></script>`
}

// settings is what the shim must know about the document.
func (h *Handler) settings(d *rewrite.Document, f *found) shim.Settings {
	return shim.Settings{
		Prefix: d.Prefix, Time: d.Time, Mod: string(d.Mod), URL: f.URL, Own: ownPath, Frame: rewrite.PageFrame, Top: h.cfg.Base,
		Nonce: rewrite.Nonce, Seconds: f.Time.Unix(), Cookies: cookies(&f.record.head),
	}
}

// cookies gives the cookies of then that scripts could see.
func cookies(head *wire.Head) (out []string) {
	for _, field := range head.Header {
		if !strings.EqualFold(field.Name, "Set-Cookie") || strings.Contains(strings.ToLower(field.Value), "httponly") || len(out) == 50 {
			continue
		}
		pair, _, _ := strings.Cut(field.Value, ";")
		if pair = strings.TrimSpace(clean(pair)); len(pair) <= 4096 {
			out = append(out, pair)
		}
	}
	return out
}

// measure gives the length of packed content by unpacking it once, if a part of it is asked for.
func (h *Handler) measure(r *http.Request, collection string, f *found) int64 {
	if r.Header.Get("Range") == "" {
		return -1
	}
	again, err := h.open(r.Context(), collection, f.Found)
	if err != nil {
		return -1
	}
	defer again.Close()
	content, err := again.content()
	if err != nil {
		return -1
	}
	defer content.Close()
	n, err := io.Copy(io.Discard, content)
	if err != nil {
		return -1
	}
	return n
}

// jsonp gives a script that calls one function the name of the function that is asked for now.
func jsonp(src []byte, r *http.Request) []byte {
	query := r.URL.Query()
	for name := range query {
		want := query.Get(name)
		if !callback(name) || want == "" || strings.Trim(want, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.") != "" {
			continue
		}
		lead := len(src) - len(bytes.TrimLeft(src, " \t\r\n"))
		n := bytes.IndexByte(src, '(')
		if n <= lead || n > 200 || bytes.ContainsAny(src[lead:n], " \t\r\n=;{}'\"") {
			return src
		}
		return []byte(fmt.Sprintf("%s%s%s", src[:lead], want, src[n:]))
	}
	return src
}
