package content

import (
	"bytes"
	"strconv"
	"strings"

	"varve/web/style"
)

// look is what styles say about one element, as far as hiding goes. Empty means: not said.
type look struct {
	display, visibility, opacity        string
	size, indent, position, left, top   string
	width, height, overflow, clip       string
	color, background                   string
	inheritedColor, inheritedBackground string // what holds in the element
}

// set takes in a declaration.
func (l *look) set(name, value string) {
	switch name {
	case "display":
		l.display = value
	case "visibility":
		l.visibility = value
	case "opacity":
		l.opacity = value
	case "font-size":
		l.size = value
	case "text-indent":
		l.indent = value
	case "position":
		l.position = value
	case "left", "margin-left":
		l.left = value
	case "top", "margin-top":
		l.top = value
	case "width", "max-width":
		l.width = value
	case "height", "max-height":
		l.height = value
	case "overflow":
		l.overflow = value
	case "clip":
		l.clip = value
	case "color":
		l.color = value
	case "background", "background-color":
		l.background = value
	case "background-image":
		l.background = "url"
	}
}

// maxRules bounds the rules of a page, maxDeclarations the declarations of a rule or a style attribute.
const (
	maxRules        = 2000
	maxDeclarations = 100
)

// declaration is "name: value" of a style, in lower case.
type declaration struct{ name, value string }

func (l *look) declare(list []declaration) {
	for _, d := range list {
		l.set(d.name, d.value)
	}
}

// rules are those of style elements whose selectors are a tag, a class, an id, or a tag with one of these.
type rules map[string][]declaration

// read takes in a style sheet. What is in at-rules is passed over: media queries and the like hold only sometimes.
func (r rules) read(sheet []byte) {
	c := newCSS(bytes.TrimPrefix(bytes.TrimSpace(sheet), []byte("<!--")))
	for c.next() && len(r) < maxRules {
		switch {
		case c.Kind() == style.At:
			c.skip(true)
		case c.Char() != '}':
			selectors := c.selectors()
			list := c.declarations()
			for _, s := range selectors {
				if all := append(r[s], list...); len(r) < maxRules && len(all) > 0 {
					r[s] = all[:min(len(all), maxDeclarations):min(len(all), maxDeclarations)]
				}
			}
		}
	}
}

// css reads style sheets and style attributes as far as rules and declarations go. What it makes no sense of it passes over.
type css struct {
	style.Token
	lx  style.Lexer
	src []byte
	gap bool // there is white space before the token
	buf []byte
}

func newCSS(src []byte) *css {
	c := &css{src: src}
	c.lx.Reset(src)
	return c
}

// next reads a token that is no comment. It returns false at the end.
func (c *css) next() bool {
	end := c.To
	c.gap = false
	for {
		c.Token = c.lx.Next()
		c.gap = c.gap || c.From > end
		if c.Kind() != style.Comment {
			return c.Kind() != style.End
		}
		end = c.To
	}
}

// take appends the current token to the buffer: white space as one blank, escapes in names decoded.
func (c *css) take() {
	if c.gap && len(c.buf) > 0 {
		c.buf = append(c.buf, ' ')
	}
	if c.Kind() == style.Ident {
		c.buf = c.AppendInside(c.buf, c.src)
		return
	}
	c.buf = append(c.buf, c.src[c.From:c.To]...)
}

// selectors reads up to the brace that opens a rule, from the current token on, and returns the selectors that are looked at.
func (c *css) selectors() (out []string) {
	plain := true
	c.buf = c.buf[:0]
	for ok := true; ok; ok = c.next() {
		switch char := c.Char(); char {
		case '{', ',':
			if plain && len(c.buf) > 0 {
				out = append(out, string(c.buf))
			}
			if char == '{' {
				return out
			}
			plain, c.buf = true, c.buf[:0]
		case '>', '+', '~', ':', '[', '*', '(':
			plain = false
		default:
			plain = plain && (!c.gap || len(c.buf) == 0)
			c.take()
		}
	}
	return nil
}

// declarations reads up to the brace that ends a rule, or the end of a style attribute.
func (c *css) declarations() (out []declaration) {
	for c.next() && c.Char() != '}' {
		if c.Char() == ';' {
			continue
		}
		c.buf = c.buf[:0]
		c.take()
		name, named := string(c.buf), c.Kind() == style.Ident
		if !named || !c.next() || c.Char() != ':' {
			if !c.skip(false) {
				return out
			}
			continue
		}
		value, more := c.value()
		if value != "" && len(out) < maxDeclarations {
			out = append(out, declaration{strings.ToLower(name), strings.ToLower(value)})
		}
		if !more {
			return out
		}
	}
	return out
}

// value reads the value of a declaration without "!important", and reports whether more declarations may follow. Before a
// block there is none: "a:hover{" is a rule in a rule.
func (c *css) value() (string, bool) {
	c.buf = c.buf[:0]
	depth, taken := 0, true
	for c.next() {
		switch {
		case c.Kind() == style.Function:
			depth++
		case c.Kind() != style.Punct:
		case depth == 0 && (c.Char() == ';' || c.Char() == '}'):
			return string(c.buf), c.Char() == ';'
		case depth == 0 && c.Char() == '{':
			return "", c.skip(false)
		case c.Char() == '!':
			taken = false
		case strings.IndexByte("([{", c.Char()) >= 0:
			depth++
		case strings.IndexByte(")]}", c.Char()) >= 0:
			depth = max(0, depth-1)
		}
		if taken {
			c.take()
		}
	}
	return string(c.buf), false
}

// skip passes over an at-rule or what is no declaration: up to a semicolon or the end of a block. Unless it is at the top,
// the brace that ends the rule around it ends it, too; then skip returns false.
func (c *css) skip(top bool) bool {
	depth := 0
	for ok := true; ok; ok = c.next() {
		switch c.Char() {
		case ';':
			if depth == 0 {
				return true
			}
		case '{':
			depth++
		case '}':
			if depth == 0 && !top {
				return false
			}
			if depth--; depth <= 0 {
				return true
			}
		}
	}
	return false
}

// element makes the look of an element that opens inside of what is open.
func (r *reader) element(tag string, attrs map[string]string) element {
	e := element{tag: tag}
	if len(r.rules) > 0 {
		e.apply(r.rules, attrs)
	}
	if v := attrs["bgcolor"]; v != "" {
		e.background = strings.ToLower(v)
	}
	if v := attrs["color"]; v != "" && tag == "font" {
		e.color = strings.ToLower(v)
	}
	if v := attrs["text"]; v != "" && tag == "body" {
		e.color = strings.ToLower(v)
	}
	if v := attrs["style"]; v != "" {
		e.declare(newCSS([]byte(v)).declarations())
	}
	parent := r.inner()
	e.inherit(parent)
	e.sight = parent.sight
	if _, hidden := attrs["hidden"]; (hidden || e.unseen()) && e.sight == seenWords {
		e.sight = hiddenWords
	}
	if e.sight == seenWords && (e.tiny() || e.offScreen() || e.blends(r.sheets)) {
		e.sight = disguisedWords
	}
	return e
}

// apply takes in what the rules say, by tag, classes and id.
func (e *element) apply(r rules, attrs map[string]string) {
	e.declare(r[e.tag])
	for class := range strings.FieldsSeq(attrs["class"]) {
		e.declare(r["."+class])
		e.declare(r[e.tag+"."+class])
	}
	if id := attrs["id"]; id != "" {
		e.declare(r["#"+id])
		e.declare(r[e.tag+"#"+id])
	}
}

func (e *element) inherit(parent *element) {
	e.inheritedColor, e.inheritedBackground = parent.inheritedColor, parent.inheritedBackground
	if e.color != "" && e.color != "inherit" {
		e.inheritedColor = e.color
	}
	if e.background != "" && e.background != "transparent" && e.background != "none" {
		e.inheritedBackground = e.background
	}
}

// unseen: not displayed at all.
func (l *look) unseen() bool {
	return l.display == "none" || l.visibility == "hidden" || l.visibility == "collapse"
}

// tiny: without size, or transparent.
func (l *look) tiny() bool {
	if n, ok := pixels(l.size); ok && n <= 1 {
		return true
	}
	if n, err := strconv.ParseFloat(l.opacity, 64); err == nil && n <= 0.05 {
		return true
	}
	if strings.Contains(l.clip, "rect(0") || strings.Contains(l.clip, "rect(1px") {
		return true
	}
	w, narrow := pixels(l.width)
	h, flat := pixels(l.height)
	return l.overflow == "hidden" && (narrow && w <= 1 || flat && h <= 1)
}

// offScreen: moved further than any screen is wide.
func (l *look) offScreen() bool {
	const far = -400
	if n, ok := pixels(l.indent); ok && n <= far {
		return true
	}
	left, ok1 := pixels(l.left)
	top, ok2 := pixels(l.top)
	return ok1 && left <= far || ok2 && top <= far
}

// blends: words in the colour of the ground. Where no ground is named it is white, unless a style sheet that we did not see
// may say otherwise.
func (l *look) blends(sheets bool) bool {
	if l.inheritedColor == "" || l.inheritedBackground == "" && sheets {
		return false
	}
	ground := l.inheritedBackground
	if ground == "" {
		ground = "white"
	}
	a, ok1 := colour(l.inheritedColor)
	b, ok2 := colour(ground)
	if !ok1 || !ok2 {
		return false
	}
	const near = 10
	for i := range a {
		if a[i]-b[i] > near || b[i]-a[i] > near {
			return false
		}
	}
	return true
}

// pixels reads a length; units other than px count as sixteen pixels (em, rem) or one (pt).
func pixels(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	i := strings.IndexFunc(s, func(r rune) bool { return r != '-' && r != '+' && r != '.' && (r < '0' || r > '9') })
	unit := ""
	if i >= 0 {
		s, unit = s[:i], strings.TrimSpace(s[i:])
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false
	}
	switch unit {
	case "em", "rem":
		n *= 16
	case "", "px", "pt":
	default:
		return 0, n == 0 // of percent and the like only nothing is known
	}
	return n, true
}

// names of colours that hidden text is written in.
var names = map[string][3]int{
	"white": {255, 255, 255}, "black": {0, 0, 0}, "snow": {255, 250, 250}, "ivory": {255, 255, 240}, "whitesmoke": {245, 245, 245},
	"gray": {128, 128, 128}, "grey": {128, 128, 128}, "silver": {192, 192, 192}, "red": {255, 0, 0}, "green": {0, 128, 0},
	"blue": {0, 0, 255}, "yellow": {255, 255, 0}, "navy": {0, 0, 128}, "lightgrey": {211, 211, 211}, "lightgray": {211, 211, 211},
	"ghostwhite": {248, 248, 255}, "floralwhite": {255, 250, 240}, "transparent": {-1, -1, -1},
}

// colour reads names, #rgb, #rrggbb, rrggbb and rgb().
func colour(s string) (c [3]int, ok bool) {
	s = strings.TrimSpace(s)
	if c, ok = names[s]; ok {
		return c, c[0] >= 0
	}
	if inner, found := strings.CutPrefix(s, "rgb("); found {
		parts := strings.Split(strings.TrimSuffix(inner, ")"), ",")
		if len(parts) != 3 {
			return c, false
		}
		for i, p := range parts {
			n, err := strconv.Atoi(strings.TrimSpace(p))
			if err != nil {
				return c, false
			}
			c[i] = n
		}
		return c, true
	}
	s = strings.TrimPrefix(s, "#")
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 6 {
		return c, false
	}
	return [3]int{int(n >> 16), int(n >> 8 & 255), int(n & 255)}, true
}
