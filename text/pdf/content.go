package pdf

import "math"

// matrix is a transformation of the plane: [a b c d e f].
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times gives the transformation m, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is the graphics state, as far as text needs it.
type state struct {
	ctm                          matrix
	font                         *font
	size, char, word, scale, gap float64 // font size, character and word spacing, horizontal scale, leading
	rise                         float64
}

// painter runs content streams and gives their text to the layout.
type painter struct {
	f     *file
	out   *layout
	fonts map[any]*font // by reference, or by the address of the dictionary
	ops   int
	state
	stack     []state
	tm, line  matrix
	resources dict
	depth     int
}

const (
	maxStates = 256
	maxForms  = 12 // forms in forms
)

// run runs a content stream.
func (p *painter) run(data []byte, resources dict) {
	saved := p.resources
	p.resources = resources
	defer func() { p.resources = saved }()
	l := &lexer{b: data}
	var args []any
	for !p.out.full {
		v, ok := l.next(0)
		if !ok {
			return
		}
		o, isOp := v.(op)
		if !isOp {
			if len(args) < 1024 {
				args = append(args, v)
			}
			continue
		}
		if p.ops++; p.ops > p.f.limits.Operators {
			p.f.cut = true
			return
		}
		if o == "BI" {
			skipImage(l)
		} else {
			p.do(o, args)
		}
		args = args[:0]
	}
}

// do runs one operator.
func (p *painter) do(o op, args []any) {
	n := func(i int) float64 {
		if i < len(args) {
			return number(args[i])
		}
		return 0
	}
	switch o {
	case "q":
		if len(p.stack) < maxStates {
			p.stack = append(p.stack, p.state)
		}
	case "Q":
		if len(p.stack) > 0 {
			p.state = p.stack[len(p.stack)-1]
			p.stack = p.stack[:len(p.stack)-1]
		}
	case "cm":
		p.ctm = matrix{n(0), n(1), n(2), n(3), n(4), n(5)}.times(p.ctm)
	case "Do":
		p.form(args)
	case "BT":
		p.tm, p.line = identity, identity
	case "Td":
		p.move(n(0), n(1))
	case "TD":
		p.gap = -n(1)
		p.move(n(0), n(1))
	case "Tm":
		p.tm = matrix{n(0), n(1), n(2), n(3), n(4), n(5)}
		p.line = p.tm
	case "T*":
		p.move(0, -p.gap)
	default:
		p.doText(o, args, n)
	}
}

// doText runs the operators that set the font and show text.
func (p *painter) doText(o op, args []any, n func(int) float64) {
	switch o {
	case "Tf":
		if len(args) > 1 {
			p.size = n(1)
			if k, ok := args[0].(name); ok {
				p.setFont(k)
			}
		}
	case "Tc":
		p.char = n(0)
	case "Tw":
		p.word = n(0)
	case "Tz":
		p.scale = n(0) / 100
	case "TL":
		p.gap = n(0)
	case "Ts":
		p.rise = n(0)
	case "Tj":
		p.showLast(args)
	case "'":
		p.move(0, -p.gap)
		p.showLast(args)
	case "\"":
		p.word, p.char = n(0), n(1)
		p.move(0, -p.gap)
		p.showLast(args)
	case "TJ":
		if len(args) > 0 {
			list, _ := args[len(args)-1].(array)
			p.showList(list)
		}
	}
}

func (p *painter) move(x, y float64) {
	p.line = matrix{1, 0, 0, 1, x, y}.times(p.line)
	p.tm = p.line
}

func (p *painter) showLast(args []any) {
	if len(args) > 0 {
		if s, ok := args[len(args)-1].(text); ok {
			p.show(s)
		}
	}
}

// showList shows strings with adjustments between them, in thousandths of the font size.
func (p *painter) showList(list array) {
	for _, v := range list {
		switch v := v.(type) {
		case text:
			p.show(v)
		case float64:
			p.advance(-v / 1000 * p.size * p.scale)
		}
	}
}

func (p *painter) advance(x float64) {
	if p.font != nil && p.font.vertical {
		p.tm = matrix{1, 0, 0, 1, 0, x}.times(p.tm)
		return
	}
	p.tm = matrix{1, 0, 0, 1, x, 0}.times(p.tm)
}

// show shows a string.
func (p *painter) show(s text) {
	if p.font == nil || p.out.full {
		return
	}
	p.font.glyphs(s, func(g glyph) {
		m := p.tm.times(p.ctm)
		dx, dy, size := direction(m, p.size)
		if p.font.vertical {
			dx, dy = dy, -dx
		}
		if g.text != "" && !(g.text == " " && !p.out.any) {
			p.out.put(g.text, m[4], m[5], dx, dy, size)
		}
		w := g.width*p.size + p.char
		if g.blank {
			w += p.word
		}
		if p.font.vertical {
			w = -p.size
		} else {
			w *= p.scale
		}
		p.advance(w)
		end := p.tm.times(p.ctm)
		if g.text != "" {
			p.out.moved(end[4], end[5])
		}
	})
}

// direction gives the direction of writing as a unit vector, and the font size on the page.
func direction(m matrix, size float64) (dx, dy, onPage float64) {
	long := math.Hypot(m[0], m[1])
	if long == 0 || math.IsInf(long, 0) || math.IsNaN(long) {
		return 1, 0, 0
	}
	return m[0] / long, m[1] / long, math.Abs(size) * math.Hypot(m[2], m[3])
}

// setFont looks up a font among the resources.
func (p *painter) setFont(k name) {
	v := p.f.dictOf(p.resources["Font"])[k]
	var key any = k
	if r, ok := v.(ref); ok {
		key = r
	}
	d := p.f.dictOf(v)
	if d == nil {
		p.font = nil
		return
	}
	if _, isRef := key.(ref); isRef {
		if t := p.fonts[key]; t != nil {
			p.font = t
			return
		}
	}
	p.font = p.f.loadFont(d)
	if _, isRef := key.(ref); isRef && len(p.fonts) < 4096 {
		p.fonts[key] = p.font
	}
}

// form runs a form that is drawn here.
func (p *painter) form(args []any) {
	if len(args) == 0 || p.depth >= maxForms {
		return
	}
	k, _ := args[0].(name)
	s := p.f.streamOf(p.f.dictOf(p.resources["XObject"])[k])
	if s == nil || p.f.nameOf(s.dict["Subtype"]) != "Form" {
		return
	}
	data, err := p.f.unpack(s)
	if err != nil {
		return
	}
	resources := p.f.dictOf(s.dict["Resources"])
	if resources == nil {
		resources = p.resources
	}
	saved, stack, tm, line := p.state, p.stack, p.tm, p.line
	if m := p.f.arrayOf(s.dict["Matrix"]); len(m) == 6 {
		var x matrix
		for i := range x {
			x[i] = number(p.f.get(m[i]))
		}
		p.ctm = x.times(p.ctm)
	}
	p.stack = nil
	p.depth++
	p.run(data, resources)
	p.depth--
	p.state, p.stack, p.tm, p.line = saved, stack, tm, line
}

// skipImage skips an inline image: its dictionary, ID, bytes, EI between white space.
func skipImage(l *lexer) {
	for {
		v, ok := l.next(0)
		if !ok {
			return
		}
		if v == op("ID") {
			break
		}
	}
	for i := l.pos; i+2 < len(l.b); i++ {
		if l.b[i] == 'E' && l.b[i+1] == 'I' && classes[l.b[i+2]] != 0 && i > 0 && classes[l.b[i-1]] == isSpace {
			l.pos = i + 2
			return
		}
	}
	l.pos = len(l.b)
}
