package links

import "bytes"

// plugin handles <object> and <applet>, whose references are resolved against their codebase.
func (p *page) plugin() {
	base := p.e.base
	code := trim(p.get(attrCodebase))
	if len(code) > 0 {
		if i := bytes.LastIndexByte(code, '/'); bytes.IndexByte(code[i+1:], '.') > 0 || bytes.IndexByte(code, '#') > 0 {
			p.here(kindObjectCodebase, code)
		}
		p.e.base = p.e.addBase(code, base)
	}
	if v := p.get(attrDataURL); p.tag == tagObject && len(v) > 0 {
		if i := p.here(kindObjectData, v); i >= 0 && p.has(attrTitle) {
			p.e.pending[i].anchor = p.label()
		}
	}
	for _, jar := range bytes.FieldsFunc(p.get(attrArchive), func(r rune) bool { return r == ',' || r <= ' ' }) {
		p.here(kindObjectArchive, jar)
	}
	p.class()
	p.e.base = base
}

// class handles the class that an object or applet runs.
func (p *page) class() {
	if v := trim(p.get(attrClassid)); len(v) > 0 && !hasFold(v, "clsid:") {
		if hasFold(v, "java:") {
			v = classFile(v[5:])
		}
		p.here(kindObjectClassid, v)
	}
	if v := trim(p.get(attrCode)); p.tag == tagApplet && len(v) > 0 {
		p.here(kindAppletCode, classFile(v))
	}
	if v := trim(p.get(attrSrc)); len(v) > 0 {
		p.here(kindObjectData, v)
	}
}

// classFile makes a file name out of a Java class name: pkg.Main is pkg/Main.class.
func classFile(v []byte) []byte {
	if bytes.HasSuffix(v, []byte(".class")) {
		return append(bytes.ReplaceAll(v[:len(v)-6:len(v)-6], []byte("."), []byte("/")), ".class"...)
	}
	return append(bytes.ReplaceAll(v, []byte("."), []byte("/")), ".class"...)
}

// param handles <param>: names that hold URLs by custom, and flashvars, which hold a query of them.
func (p *page) param() {
	if !p.has(attrValue) {
		return
	}
	switch name := p.lower(attrName); name {
	case "movie", "src", "url":
		if v := trim(p.get(attrValue)); lazyShape(v) {
			p.here(kindParamValue, v)
		}
	case "filename", "file", "data", "href", "source", "image", "codebase", "playlist", "mediaurl", "initialurl", "fileurl", "swf", "video", "audio":
		if v := trim(p.get(attrValue)); locatorShape(v) {
			p.here(kindParamValue, v)
		}
	case "flashvars", "initparams":
		p.flashvars(append([]byte(nil), p.get(attrValue)...))
	default:
		if v := trim(p.get(attrValue)); absolute(v) && plausible(v) {
			p.here(kindParamValue, v)
		}
	}
}

// flashvars reads name=value pairs whose values may be percent-encoded URLs.
func (p *page) flashvars(v []byte) {
	for _, pair := range bytes.FieldsFunc(v, func(r rune) bool { return r == '&' || r == ',' }) {
		_, value, ok := bytes.Cut(pair, []byte("="))
		if !ok {
			continue
		}
		if value = percentDecode(value); plausible(value) {
			p.here(kindParamValue, value)
		}
	}
}

// percentDecode replaces %XX; what is not hexadecimal stays.
func percentDecode(p []byte) []byte {
	if bytes.IndexByte(p, '%') < 0 {
		return p
	}
	out := make([]byte, 0, len(p))
	for i := 0; i < len(p); i++ {
		if p[i] == '%' && i+2 < len(p) && isHex(p[i+1]) && isHex(p[i+2]) {
			out = append(out, unhex(p[i+1])<<4|unhex(p[i+2]))
			i += 2
			continue
		}
		out = append(out, p[i])
	}
	return out
}
