package pdf

import (
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// font turns the strings of a content stream into text, and knows how wide it is.
type font struct {
	composite bool // codes of two bytes, mostly
	unicode   *cmap
	simple    encoding
	decode    string // name of the character encoding of the codes, for old Asian fonts
	direct    bool   // the codes are UTF-16
	widths    map[uint32]float64
	standard  float64 // width of what is not in widths
	vertical  bool
}

// glyph is one code of a string.
type glyph struct {
	text  string
	width float64 // in parts of the font size
	blank bool    // the code 32, to which word spacing applies
}

// loadFont reads a font.
func (f *file) loadFont(d dict) *font {
	t := &font{standard: 0.5, widths: map[uint32]float64{}}
	if s := f.streamOf(d["ToUnicode"]); s != nil {
		if data, err := f.unpack(s); err == nil {
			t.unicode = parseCMap(data)
		}
	}
	if f.nameOf(d["Subtype"]) == "Type0" {
		f.loadComposite(d, t)
		return t
	}
	t.simple = f.encodingOf(d)
	unit := 0.001
	if m := f.arrayOf(d["FontMatrix"]); f.nameOf(d["Subtype"]) == "Type3" && len(m) > 0 {
		unit = number(f.get(m[0]))
	}
	if w := f.dictOf(d["FontDescriptor"])["MissingWidth"]; w != nil {
		t.standard = number(f.get(w)) * unit
	}
	first := integer(f.get(d["FirstChar"]))
	for i, w := range f.arrayOf(d["Widths"]) {
		if code := first + i; code >= 0 && code < 256 {
			t.widths[uint32(code)] = number(f.get(w)) * unit
		}
	}
	return t
}

// loadComposite reads a font with codes of several bytes.
func (f *file) loadComposite(d dict, t *font) {
	t.composite, t.standard = true, 1
	encoding := string(f.nameOf(d["Encoding"]))
	t.vertical = strings.HasSuffix(encoding, "-V")
	switch {
	case strings.Contains(encoding, "UCS2") || strings.Contains(encoding, "UTF16"):
		t.direct = true
	case strings.Contains(encoding, "RKSJ"):
		t.decode = "shift_jis"
	case strings.HasPrefix(encoding, "GBK") || strings.HasPrefix(encoding, "GB-EUC") || strings.HasPrefix(encoding, "GBpc"):
		t.decode = "gbk"
	case strings.Contains(encoding, "B5"):
		t.decode = "big5"
	case strings.HasPrefix(encoding, "KSC"):
		t.decode = "euc-kr"
	case strings.HasPrefix(encoding, "EUC-"):
		t.decode = "euc-jp"
	}
	kids := f.arrayOf(d["DescendantFonts"])
	if len(kids) == 0 {
		return
	}
	kid := f.dictOf(kids[0])
	if w := kid["DW"]; w != nil {
		t.standard = number(f.get(w)) / 1000
	}
	f.cidWidths(f.arrayOf(kid["W"]), t.widths)
}

// cidWidths reads the widths of a composite font: "1 [500 600] 7 9 250".
func (f *file) cidWidths(list array, widths map[uint32]float64) {
	for i := 0; i+1 < len(list) && len(widths) < maxCodes; {
		from := integer(f.get(list[i]))
		if each, ok := f.get(list[i+1]).(array); ok {
			for k, w := range each {
				widths[uint32(from+k)] = number(f.get(w)) / 1000
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		to, w := integer(f.get(list[i+1])), number(f.get(list[i+2]))/1000
		for c := from; c <= to && c-from < 1<<16; c++ {
			widths[uint32(c)] = w
		}
		i += 3
	}
}

// glyphs cuts a string into its codes.
func (t *font) glyphs(s text, each func(glyph)) {
	if t.decode != "" && t.unicode == nil {
		t.legacy(s, each)
		return
	}
	for len(s) > 0 {
		n := 1
		if t.composite {
			n = min(t.codeLength(), len(s))
		}
		code := codeOf(s[:n])
		w, ok := t.widths[code]
		if !ok {
			w = t.standard
		}
		each(glyph{t.lookup(code, s[:n]), w, n == 1 && code == ' '})
		s = s[n:]
	}
}

// codeLength is the number of bytes of a code.
func (t *font) codeLength() int {
	if t.unicode != nil && t.unicode.lengths[1] && !t.unicode.lengths[2] {
		return 1
	}
	return 2
}

func (t *font) lookup(code uint32, raw text) string {
	if t.unicode != nil {
		if s, ok := t.unicode.lookup(code); ok {
			return s
		}
	}
	switch {
	case t.direct:
		return string(utf16BE(raw))
	case !t.composite && code < 256:
		return t.simple[code]
	}
	return ""
}

// legacy decodes a string whose codes are those of a character encoding. Widths are taken as full and half.
func (t *font) legacy(s text, each func(glyph)) {
	enc, err := htmlindex.Get(t.decode)
	if err != nil {
		return
	}
	out, err := enc.NewDecoder().String(string(s))
	if err != nil {
		return
	}
	for _, r := range out {
		w := 1.0
		if r < 0x80 {
			w = 0.5
		}
		each(glyph{string(r), w, r == ' '})
	}
}
