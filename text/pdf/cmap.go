package pdf

import (
	"unicode/utf16"
)

// cmap maps the codes of a font to text.
type cmap struct {
	chars   map[uint32]string
	ranges  []codeRange
	lengths [5]bool // lengths of codes, in bytes
}

// codeRange maps codes in a row to characters in a row.
type codeRange struct {
	from, to uint32
	first    []rune // text of the first; the last rune grows
}

// maxCodes bounds the entries of a map.
const maxCodes = 1 << 17

// parseCMap reads a ToUnicode map: a program, of which only the tables matter.
func parseCMap(data []byte) *cmap {
	m := &cmap{chars: map[uint32]string{}}
	l := &lexer{b: data}
	var args []any
	for {
		v, ok := l.next(0)
		if !ok {
			return m
		}
		o, isOp := v.(op)
		if !isOp {
			if len(args) < maxCodes {
				args = append(args, v)
			}
			continue
		}
		switch o {
		case "endcodespacerange":
			m.spaces(args)
		case "endbfchar", "endcidchar":
			m.addChars(args)
		case "endbfrange":
			m.addRanges(args)
		}
		args = args[:0]
	}
}

func (m *cmap) spaces(args []any) {
	for _, a := range args {
		if s, ok := a.(text); ok && len(s) > 0 && len(s) < len(m.lengths) {
			m.lengths[len(s)] = true
		}
	}
}

func (m *cmap) addChars(args []any) {
	for i := 0; i+1 < len(args); i += 2 {
		code, ok := args[i].(text)
		to, ok2 := args[i+1].(text)
		if ok && ok2 && len(m.chars) < maxCodes {
			m.chars[codeOf(code)] = string(utf16BE(to))
		}
	}
}

func (m *cmap) addRanges(args []any) {
	for i := 0; i+2 < len(args); i += 3 {
		from, ok := args[i].(text)
		to, ok2 := args[i+1].(text)
		if !ok || !ok2 || len(m.ranges)+len(m.chars) >= maxCodes {
			continue
		}
		switch v := args[i+2].(type) {
		case text:
			m.ranges = append(m.ranges, codeRange{codeOf(from), codeOf(to), utf16BE(v)})
		case array:
			for k, one := range v {
				if s, ok := one.(text); ok {
					m.chars[codeOf(from)+uint32(k)] = string(utf16BE(s))
				}
			}
		}
	}
}

// lookup gives the text of a code.
func (m *cmap) lookup(code uint32) (string, bool) {
	if s, ok := m.chars[code]; ok {
		return s, true
	}
	for _, r := range m.ranges {
		if code >= r.from && code <= r.to && len(r.first) > 0 {
			out := append([]rune(nil), r.first...)
			out[len(out)-1] += rune(code - r.from)
			return string(out), true
		}
	}
	return "", false
}

func codeOf(s text) (code uint32) {
	for i := 0; i < len(s) && i < 4; i++ {
		code = code<<8 | uint32(s[i])
	}
	return code
}

// utf16BE decodes text of a map.
func utf16BE(s text) []rune {
	if len(s) == 1 {
		return []rune{rune(s[0])}
	}
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return utf16.Decode(units)
}
