package content

import (
	"strconv"
	"strings"
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

// declare reads "name: value; ...".
func (l *look) declare(text string) {
	if text == "" {
		return
	}
	for range 100 {
		one, rest, more := strings.Cut(text, ";")
		name, value, ok := strings.Cut(one, ":")
		if ok {
			value = strings.ToLower(strings.TrimSpace(value))
			value = strings.TrimSpace(strings.TrimSuffix(value, "!important"))
			l.set(strings.ToLower(strings.TrimSpace(name)), value)
		}
		if !more {
			return
		}
		text = rest
	}
}

// rules are those of style elements whose selectors are a tag, a class, an id, or a tag with one of these.
type rules map[string]string

// maxRules bounds the rules of a page.
const maxRules = 2000

func (r rules) read(css string) {
	for {
		from := strings.Index(css, "/*")
		if from < 0 {
			break
		}
		to := strings.Index(css[from+2:], "*/")
		if to < 0 {
			css = css[:from]
			break
		}
		css = css[:from] + css[from+2+to+2:]
	}
	for css != "" && len(r) < maxRules {
		selectors, rest, ok := strings.Cut(css, "{")
		if !ok {
			return
		}
		body, after, _ := strings.Cut(rest, "}")
		if !strings.Contains(selectors, "@") { // media queries and fonts: what is in them holds only sometimes
			for s := range strings.SplitSeq(selectors, ",") {
				if s = strings.Trim(s, "} \t\r\n"); s != "" && !strings.ContainsAny(s, " >+~:[*") {
					r[s] += ";" + body
				}
			}
		}
		css = after
	}
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
	e.declare(attrs["style"])
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
