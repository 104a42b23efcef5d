package rewrite

import (
	"strings"

	"varve/web/markup"
)

// value returns the value of the attribute of that name in the current start tag, or "".
func (h *htmlScan) value(name string) string { return markup.Value(h.tag.Get(name)) }

// text returns the value of an attribute, character references undone.
func text(a *markup.Attr) string { return markup.Value(a.Val) }

var escaper = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// appendAttr appends name="value".
func appendAttr(dst, name []byte, value string) []byte {
	dst = append(dst, name...)
	dst = append(dst, '=', '"')
	dst = append(dst, escaper.Replace(value)...)
	return append(dst, '"')
}
