package rewrite

import (
	"strings"

	"varve/serve/replay/address"
	"varve/web/markup"
)

// meta edits <meta>: a refresh leads into the archive, and what would steer the browser is put aside.
func (h *htmlScan) meta(a *markup.Attr) ([]byte, string, bool) {
	if string(h.tag.Name) != "meta" {
		return nil, "", false
	}
	equiv := strings.ToLower(strings.TrimSpace(h.value("http-equiv")))
	name := strings.ToLower(strings.TrimSpace(h.value("name")))
	switch {
	case string(a.Key) == "http-equiv" && steers(equiv):
		return h.aside(a)
	case string(a.Key) == "content" && equiv == "refresh":
		if h.d.Refreshes != nil {
			if v, ok := h.d.Refresh(text(a)); ok {
				seconds, addr, _ := strings.Cut(v, "url=")
				h.d.Refreshes(leadingNumber(seconds), addr)
			}
		}
		return h.changed(a, h.d.Refresh)
	case string(a.Key) == "content" && name == "referrer":
		return h.aside(a)
	}
	return nil, "", false
}

// aside takes an attribute out that must not act. Where what the page wrote is kept, that has it, else a name that means nothing.
func (h *htmlScan) aside(a *markup.Attr) ([]byte, string, bool) {
	if h.d.Keep {
		return nil, "", true
	}
	return []byte("data-varve-" + string(a.Key)), text(a), true
}

// leadingNumber reads the digits that a text begins with; a wait of more than a day is none that anybody sees the end of.
func leadingNumber(s string) int {
	n := 0
	for _, c := range strings.TrimLeft(s, " \t\n\r") {
		if c < '0' || c > '9' || n > 24*60*60 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// steers tells the directives that must not reach the browser: policies of then would block the archive of now.
func steers(equiv string) bool {
	switch equiv {
	case "content-security-policy", "content-security-policy-report-only", "x-content-security-policy", "x-webkit-csp", "set-cookie",
		"x-dns-prefetch-control", "origin-trial", "permissions-policy", "x-frame-options", "referrer-policy":
		return true
	}
	return false
}

// Refresh rewrites the value of a Refresh header or meta element: "5; url=/next".
func (d *Document) Refresh(v string) (string, bool) {
	i := strings.IndexAny(v, ";,")
	if i < 0 {
		return v, false
	}
	rest := strings.TrimLeft(v[i+1:], " \t\n\r")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if after := strings.TrimLeft(rest[3:], " \t\n\r"); strings.HasPrefix(after, "=") {
			rest = strings.TrimLeft(after[1:], " \t\n\r")
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		quote := rest[:1]
		rest, _, _ = strings.Cut(rest[1:], quote)
	}
	addr, ok := d.Address(rest, address.Page)
	if d.Mod.Embedded() {
		addr, ok = d.Address(rest, d.Mod)
	}
	return v[:i+1] + "url=" + addr, ok
}

// Srcset rewrites a list of images: "a.png 1x, b.png 2x". Commas inside addresses stay, as the standard says.
func (d *Document) Srcset(s string) string {
	var b strings.Builder
	for s != "" {
		n := len(s) - len(strings.TrimLeft(s, " \t\n\f\r,"))
		b.WriteString(s[:n])
		s = s[n:]
		n = strings.IndexAny(s, " \t\n\f\r")
		if n < 0 {
			n = len(s)
		}
		ref := s[:n]
		s = s[n:]
		bare := strings.TrimRight(ref, ",")
		if addr, ok := d.Address(bare, address.Image); ok {
			b.WriteString(strings.ReplaceAll(addr, ",", "%2C"))
		} else {
			b.WriteString(bare)
		}
		b.WriteString(ref[len(bare):])
		if len(bare) < len(ref) {
			continue
		}
		n = descriptors(s)
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

// descriptors gives the length of what follows an address in a srcset: up to the next comma outside brackets.
func descriptors(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
