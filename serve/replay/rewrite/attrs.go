package rewrite

import (
	"net/url"
	"strings"

	"varve/serve/replay/address"
	"varve/web/markup"
)

// editTag appends the current start tag with its attributes edited; what is not edited is copied.
func (h *htmlScan) editTag(dst []byte) []byte {
	t, src := h.tag, h.in.Window()
	if t.Element == elBase {
		h.base()
	}
	done := t.From
	if h.inline() {
		done += len("<script")
		dst = append(append(dst, src[t.From:done]...), " nonce=\""+Nonce+"\""...)
	}
	for i := range t.Attrs {
		a := &t.Attrs[i]
		name, value, ok := h.attribute(a)
		if !ok {
			continue
		}
		from, to := a.Span(src)
		dst = append(dst, src[done:from]...)
		done = to
		if name != nil {
			dst = appendAttr(dst, name, value)
		}
		dst = h.keep(dst, a, name)
	}
	return append(dst, src[done:t.To]...)
}

// Kept is what stands before the name of an attribute that holds what the page wrote, where another stands in its place:
//
//	<a href="/x">   becomes   <a href="/news/20261108030211mp_/http://a.example/x" varve-href="/x">
//
// Scripts are told that (the shim), and selectors of style sheets go by it, so that a[href^="http"] means links to elsewhere as it did.
const Kept = "varve-"

// maxKept bounds what is kept of one attribute.
const maxKept = 64 << 10

// keep appends what the page wrote in an attribute that was replaced or taken out.
func (h *htmlScan) keep(dst []byte, a *markup.Attr, name []byte) []byte {
	if !h.d.Keep || len(a.Val) > maxKept || name != nil && string(name) != string(a.Key) {
		return dst
	}
	switch string(a.Key) {
	case "style", "nonce": // addresses of styles are kept beside each (cssEditor); a nonce is nobody's to read
		return dst
	}
	if name != nil {
		dst = append(dst, ' ')
	}
	return appendAttr(dst, []byte(Kept+strings.ReplaceAll(string(a.Key), ":", "-")), text(a))
}

// Nonce is what the content policy knows inline scripts by. It is no secret: every script of a page may run. It is there
// because a policy with a nonce lets no javascript: address run, and what such an address given to the real location of a
// window makes up would be a document without the shim.
const Nonce = "varve"

// inline reports whether the current start tag is that of a script that runs what is inside it.
func (h *htmlScan) inline() bool {
	if h.tag.Element != elScript || h.d.Static || h.value("src")+h.value("href")+h.value("xlink:href") != "" {
		return false
	}
	typ := strings.ToLower(strings.TrimSpace(h.value("type")))
	return isScript(typ) || typ == "importmap"
}

// base takes the first base element that has an address.
func (h *htmlScan) base() {
	if href := h.value("href"); !h.based && href != "" {
		if u, err := h.d.Base.Resolve(h.d.encoded(strings.TrimSpace(href))); err == nil && u.Host() != "" {
			h.based = true
			h.d.Base = u
		}
	}
}

// attribute gives what an attribute becomes; ok is false where it stays, without a name it is taken out.
func (h *htmlScan) attribute(a *markup.Attr) (name []byte, value string, ok bool) {
	switch string(a.Key) {
	case "integrity", "nonce", "crossorigin", "referrerpolicy", "ping", "attributionsrc":
		return nil, "", true
	case "target", "formtarget":
		return h.target(a)
	case "http-equiv", "content":
		return h.meta(a)
	case "rel", "type":
		return h.disarm(a)
	case "srcdoc":
		return h.srcdoc(a)
	case "style":
		return h.code(a, h.d.CSS)
	case "srcset", "imagesrcset":
		return h.changed(a, func(s string) (string, bool) { return h.d.Srcset(s), true })
	case "archive":
		return h.changed(a, h.list(","))
	case "value":
		return h.param(a)
	}
	if len(a.Key) > 2 && string(a.Key[:2]) == "on" && a.Val != nil {
		if h.d.Static {
			return nil, "", false
		}
		return h.code(a, h.d.JS)
	}
	mod, carries := carrier(h.tag.Element, a.Key)
	if !carries || a.Val == nil {
		return nil, "", false
	}
	if string(h.tag.Name) == "link" {
		mod = h.linkMod()
	}
	if mod == address.Page && h.d.Own && !h.based && string(h.tag.Name) == "a" && relative(text(a)) {
		return nil, "", false
	}
	if mod == address.Page && h.d.Still && h.d.Mod.Embedded() && !h.upward() {
		mod = h.d.Mod // the server tells the banner of every page that is asked for as one
	}
	if mod == address.Inner || mod == address.Frame || mod == address.Object {
		if code, ok := scripted(text(a)); ok {
			// The shim runs it in the frame, where there is one.
			return []byte("data-varve-script"), string(h.d.JS(nil, []byte(code))), true
		}
	}
	return h.changed(a, func(s string) (string, bool) { return h.d.attr(s, mod) })
}

// relative reports whether a browser finds the address in the archive of a reference by itself, from that of the document: a plain path
// below its folder. Scripts and selectors then see what the page wrote.
func relative(ref string) bool {
	path, _, _ := strings.Cut(ref, "?")
	path, _, _ = strings.Cut(path, "#")
	for i := range len(ref) {
		if ref[i] <= ' ' || ref[i] > '~' || ref[i] == '\\' {
			return false
		}
	}
	if path == "" || path[0] == '/' || strings.Contains(path, ":") {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		if s := strings.ReplaceAll(strings.ToLower(segment), "%2e", "."); s == "." || s == ".." {
			return false
		}
	}
	return true
}

// attr gives the address of a reference, and rewrites javascript: URLs.
func (d *Document) attr(s string, mod address.Mod) (string, bool) {
	trimmed := strings.TrimLeft(s, " \t\n\f\r\x00")
	if len(trimmed) > 11 && strings.EqualFold(trimmed[:11], "javascript:") {
		return trimmed[:11] + string(d.JS(nil, []byte(trimmed[11:]))), true
	}
	return d.Address(s, mod)
}

// scripted returns the code of a javascript: address, as browsers read that.
func scripted(s string) (string, bool) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r <= ' ' })
	const scheme = "javascript:"
	i, n := 0, 0
	for ; i < len(s) && n < len(scheme); i++ {
		switch c := s[i]; {
		case c == '\t' || c == '\n' || c == '\r': // not there for browsers
		case c|0x20 == scheme[n] || c == scheme[n]:
			n++
		default:
			return "", false
		}
	}
	if n < len(scheme) {
		return "", false
	}
	code := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s[i:])
	if plain, err := url.PathUnescape(code); err == nil {
		code = plain
	}
	return code, true
}

// changed applies a function to the value.
func (h *htmlScan) changed(a *markup.Attr, f func(string) (string, bool)) ([]byte, string, bool) {
	if a.Val == nil {
		return nil, "", false
	}
	v, ok := f(text(a))
	return a.Key, v, ok
}

// code rewrites a value that is a style sheet or a script, and leaves it if nothing changed.
func (h *htmlScan) code(a *markup.Attr, f func(dst, src []byte) []byte) ([]byte, string, bool) {
	old := text(a)
	v := f(nil, []byte(old))
	if string(v) == old {
		return nil, "", false
	}
	return a.Key, string(v), true
}

// list rewrites addresses in a list.
func (h *htmlScan) list(sep string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		parts := strings.Split(s, sep)
		for i, p := range parts {
			if addr, ok := h.d.Address(p, address.Object); ok {
				parts[i] = addr
			}
		}
		return strings.Join(parts, sep), true
	}
}

// srcdoc rewrites the document in an attribute.
func (h *htmlScan) srcdoc(a *markup.Attr) ([]byte, string, bool) {
	if a.Val == nil || string(h.tag.Name) != "iframe" {
		return nil, "", false
	}
	var b strings.Builder
	inner := *h.d
	inner.Mod = address.Inner
	if inner.Head != "" && inner.Made != "" {
		inner.Head = inner.Made
	}
	scan := htmlScan{d: &inner, out: &b, depth: h.depth + 1, in: markup.NewStream(strings.NewReader(text(a)), inner.XML)}
	if scan.depth > maxNesting {
		return nil, "", true
	}
	if err := scan.run(); err != nil {
		return nil, "", true
	}
	return a.Key, b.String(), true
}

// target keeps links inside the frame of the replayed page: its top and parent are the page itself.
func (h *htmlScan) target(a *markup.Attr) ([]byte, string, bool) {
	switch strings.ToLower(strings.TrimSpace(text(a))) {
	case "_blank", "_new":
		if !h.d.Still {
			break
		}
		fallthrough // no window may be opened, and there is no shim that asks the banner for one
	case "_top", "_parent":
		if h.d.Mod == address.Page {
			return a.Key, "_self", true
		}
		if !strings.EqualFold(strings.TrimSpace(text(a)), "_parent") {
			return a.Key, PageFrame, true
		}
	}
	return nil, "", false
}

// upward reports whether a link or form leads out of the frame that it is in.
func (h *htmlScan) upward() bool {
	switch strings.ToLower(strings.TrimSpace(h.value("target"))) {
	case "_blank", "_new", "_top", "_parent":
		return true
	}
	return false
}

// PageFrame is the name of the frame that holds a replayed page.
const PageFrame = "varve-page"

// disarm takes the sting out of link relations and script types that make a browser talk ahead of time.
func (h *htmlScan) disarm(a *markup.Attr) ([]byte, string, bool) {
	v := strings.ToLower(text(a))
	switch {
	case string(h.tag.Name) == "link" && string(a.Key) == "rel" && (strings.Contains(v, "preconnect") || strings.Contains(v, "dns-prefetch") || strings.Contains(v, "prerender")):
		return h.aside(a)
	case string(h.tag.Name) == "script" && string(a.Key) == "type" && strings.TrimSpace(v) == "speculationrules":
		return a.Key, "text/plain", true
	}
	return nil, "", false
}

// param rewrites the parameters of plug-ins that are addresses.
func (h *htmlScan) param(a *markup.Attr) ([]byte, string, bool) {
	if string(h.tag.Name) != "param" || a.Val == nil {
		return nil, "", false
	}
	v := text(a)
	switch strings.ToLower(h.value("name")) {
	case "movie", "src", "url", "filename", "data", "code", "base":
	default:
		if !strings.HasPrefix(v, "http://") && !strings.HasPrefix(v, "https://") {
			return nil, "", false
		}
	}
	v, ok := h.d.Address(v, address.Object)
	return a.Key, v, ok
}
