package rewrite

import (
	"bytes"
	"encoding/json"
	"strings"

	"varve/serve/replay/address"
)

// ImportMap appends an import map with its addresses rewritten; one that is no JSON stays as it is.
func (d *Document) ImportMap(dst, src []byte) []byte {
	var m map[string]json.RawMessage
	if json.Unmarshal(src, &m) != nil {
		return append(dst, src...)
	}
	out := map[string]any{}
	for k, raw := range m {
		switch k {
		case "imports":
			out[k] = d.modules(raw)
		case "scopes":
			var scopes map[string]json.RawMessage
			if json.Unmarshal(raw, &scopes) != nil {
				continue
			}
			written := map[string]any{}
			for scope, inner := range scopes {
				written[d.module(scope)] = d.modules(inner)
			}
			out[k] = written
		case "integrity": // of bytes that are rewritten
		default:
			out[k] = raw
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return append(dst, src...)
	}
	return append(dst, text...)
}

// modules rewrites the names and addresses of modules.
func (d *Document) modules(raw json.RawMessage) any {
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return raw
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		if s, ok := v.(string); ok {
			v = d.module(s)
		}
		out[d.module(k)] = v
	}
	return out
}

// module gives the address of a module, or its bare name.
func (d *Document) module(s string) string {
	if Specifier(s) {
		if addr, ok := d.Address(s, address.Script); ok {
			return addr
		}
	}
	return s
}

// HLS appends a play list with its addresses rewritten: lines that are addresses, and URI="..." in tags.
func (d *Document) HLS(dst, src []byte) []byte {
	for line := range bytes.Lines(src) {
		text := strings.TrimRight(string(line), "\r\n")
		end := string(line[len(text):])
		switch {
		case strings.HasPrefix(text, "#"):
			dst = append(dst, d.hlsTag(text)...)
		default:
			if addr, ok := d.Address(text, address.Object); ok {
				text = addr
			}
			dst = append(dst, text...)
		}
		dst = append(dst, end...)
	}
	return dst
}

// hlsTag rewrites the address in a tag.
func (d *Document) hlsTag(s string) string {
	before, rest, ok := strings.Cut(s, `URI="`)
	if !ok {
		return s
	}
	ref, after, ok := strings.Cut(rest, `"`)
	addr, found := d.Address(ref, address.Object)
	if !ok || !found {
		return s
	}
	return before + `URI="` + addr + `"` + after
}

// DASH appends a manifest with the absolute addresses in it rewritten; relative ones lead into the archive by
// themselves.
func (d *Document) DASH(dst, src []byte) []byte {
	e := edit{src: src, dst: dst}
	for i := 0; i < len(src); {
		n := bytes.Index(src[i:], []byte("http"))
		if n < 0 {
			break
		}
		from := i + n
		to := from
		for to < len(src) && strings.IndexByte("<>\"' \t\r\n", src[to]) < 0 {
			to++
		}
		ref := unescape(string(src[from:to]))
		opens := from > 0 && strings.IndexByte(">\"'", src[from-1]) >= 0
		if addr, ok := d.Address(ref, address.Object); ok && opens && !dashName(ref) && strings.Contains(ref, "://") {
			e.replace(from, to, escaper.Replace(addr))
		}
		i = max(to, from+4)
	}
	return e.finish()
}

// dashName tells the names of schemas, which are no addresses.
func dashName(ref string) bool {
	return strings.HasPrefix(ref, "http://www.w3.org/") || strings.HasPrefix(ref, "http://dashif.org/")
}
