package rewrite

import (
	"encoding/json"

	"varve/serve/replay/address"
	"varve/web/markup"
	"varve/web/playlist/dash"
	"varve/web/playlist/hls"
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

// HLS appends a play list with its addresses rewritten: lines that are addresses, and those in attributes of tags.
func (d *Document) HLS(dst, src []byte) []byte {
	e := edit{src: src, dst: dst}
	put := func(ref []byte, from int) {
		if addr, ok := d.Address(string(ref), address.Object); ok {
			e.replace(from, from+len(ref), addr)
		}
	}
	for l := range hls.Lines(src) {
		if l.Name == nil {
			put(l.Value, l.From)
			continue
		}
		for a := range l.Attributes() {
			if hls.UseOf(l.Name, a.Name) != 0 && len(a.Value) > 0 {
				put(a.Value, a.From)
			}
		}
	}
	return e.finish()
}

// DASH appends a manifest with the absolute addresses in it rewritten; relative ones lead into the archive by
// themselves.
func (d *Document) DASH(dst, src []byte) []byte {
	e := edit{src: src, dst: dst}
	for from, to := range dash.Addresses(src) {
		if addr, ok := d.Address(markup.Value(src[from:to]), address.Object); ok {
			e.replace(from, to, escaper.Replace(addr))
		}
	}
	return e.finish()
}
