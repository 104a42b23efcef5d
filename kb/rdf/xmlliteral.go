package rdf

import (
	"cmp"
	"encoding/xml"
	"maps"
	"slices"
	"strings"
)

// xmlLiteral returns what is inside of e as exclusive canonical XML with comments: namespaces where they are first
// needed, attributes in order, one way to escape.
func (x *xmlReader) xmlLiteral(e *element) string {
	defer func(depth int) { x.depth = depth }(x.depth)
	type level struct {
		*element
		rendered map[string]string // namespaces that this text declares up to here
	}
	var b strings.Builder
	levels := []level{{e, map[string]string{}}}
	for x.err == nil {
		top := levels[len(levels)-1]
		switch t := x.token().(type) {
		case nil:
			if x.err == nil {
				x.fault("the document ends inside of %s", top.local)
			}
		case xml.StartElement:
			if x.depth++; x.depth > x.o.MaxDepth {
				x.fault("nested deeper than %d levels", x.o.MaxDepth)
			}
			child := x.open(t, top.element)
			start, rendered := canonicalStart(child, top.rendered)
			x.keep(&b, start)
			levels = append(levels, level{child, rendered})
		case xml.EndElement:
			x.closed(top.element, t)
			x.depth--
			if levels = levels[:len(levels)-1]; len(levels) == 0 {
				return b.String()
			}
			x.keep(&b, "</"+qualified(top.prefix, top.local)+">")
		case xml.CharData:
			x.keep(&b, textEscapes.Replace(string(t)))
		case xml.Comment:
			x.keep(&b, "<!--"+string(t)+"-->")
		case xml.ProcInst:
			x.keep(&b, "<?"+strings.TrimRight(t.Target+" "+string(t.Inst), " ")+"?>")
		}
	}
	return ""
}

var (
	textEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

func qualified(prefix, local string) string {
	if prefix == "" {
		return local
	}
	return prefix + ":" + local
}

// canonicalStart returns the start tag of e with the namespaces that it needs and that are not declared yet.
func canonicalStart(e *element, rendered map[string]string) (string, map[string]string) {
	needed := map[string]string{e.prefix: e.space}
	for _, a := range e.attrs {
		if a.prefix != "" {
			needed[a.prefix] = a.space
		}
	}
	delete(needed, "xml")
	for prefix, ns := range needed {
		if known, ok := rendered[prefix]; ok && known == ns || !ok && prefix == "" && ns == "" {
			delete(needed, prefix)
		}
	}
	if len(needed) > 0 {
		rendered = maps.Clone(rendered)
		maps.Copy(rendered, needed)
	}
	var b strings.Builder
	b.WriteString("<" + qualified(e.prefix, e.local))
	for _, prefix := range slices.Sorted(maps.Keys(needed)) {
		name := "xmlns"
		if prefix != "" {
			name += ":" + prefix
		}
		b.WriteString(" " + name + `="` + attributeEscapes.Replace(needed[prefix]) + `"`)
	}
	attrs := slices.SortedFunc(slices.Values(e.attrs), func(a, b attribute) int {
		return cmp.Or(strings.Compare(a.space, b.space), strings.Compare(a.local, b.local))
	})
	for _, a := range attrs {
		b.WriteString(" " + qualified(a.prefix, a.local) + `="` + attributeEscapes.Replace(a.value) + `"`)
	}
	b.WriteString(">")
	return b.String(), rendered
}
