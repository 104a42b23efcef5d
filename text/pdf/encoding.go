package pdf

import (
	"bytes"
	"strconv"

	"golang.org/x/text/encoding/charmap"
)

// encoding gives the text of each code of a font with codes of one byte.
type encoding [256]string

// The encodings that PDF knows by name.
var (
	winAnsi  = ofCharmap(charmap.Windows1252)
	macRoman = ofCharmap(charmap.Macintosh)
	standard = standardEncoding()
)

func ofCharmap(c *charmap.Charmap) (e encoding) {
	for i := range e {
		if r := c.DecodeByte(byte(i)); r >= ' ' && r != 0xfffd {
			e[i] = string(r)
		}
	}
	e[0xad] = "-"
	return e
}

// standardEncoding is Adobe's, for fonts that name none.
func standardEncoding() (e encoding) {
	for i := 0x20; i < 0x7f; i++ {
		e[i] = string(rune(i))
	}
	e['\''], e['`'] = "’", "‘"
	for i, s := range []string{
		"¡", "¢", "£", "⁄", "¥", "ƒ", "§", "¤", "'", "“", "«", "‹", "›", "fi", "fl", "", "–", "†", "‡", "·", "", "¶", "•", "‚", "„", "”", "»", "…", "‰", "", "¿",
		"", "`", "´", "ˆ", "˜", "¯", "˘", "˙", "¨", "", "˚", "¸", "", "˝", "˛", "ˇ", "—",
	} {
		e[0xa1+i] = s
	}
	for code, s := range map[int]string{0xe1: "Æ", 0xe3: "ª", 0xe8: "Ł", 0xe9: "Ø", 0xea: "Œ", 0xeb: "º", 0xf1: "æ", 0xf5: "ı", 0xf8: "ł", 0xf9: "ø", 0xfa: "œ", 0xfb: "ß"} {
		e[code] = s
	}
	return e
}

// encodingOf reads the encoding of a font.
func (f *file) encodingOf(font dict) encoding {
	e := standard
	v := f.get(font["Encoding"])
	base, _ := v.(name)
	d, _ := v.(dict)
	if d != nil {
		base = f.nameOf(d["BaseEncoding"])
	}
	switch base {
	case "WinAnsiEncoding":
		e = winAnsi
	case "MacRomanEncoding":
		e = macRoman
	case "":
		if f.nameOf(font["Subtype"]) == "TrueType" {
			e = winAnsi
		}
		f.builtIn(font, &e)
	}
	code := 0
	for _, v := range f.arrayOf(d["Differences"]) {
		switch v := f.get(v).(type) {
		case float64:
			code = integer(v)
		case name:
			if code >= 0 && code < len(e) {
				e[code] = glyphText(string(v))
			}
			code++
		}
	}
	return e
}

// builtIn reads the encoding that a Type 1 font program brings along: lines of the form dup 65 /A put.
func (f *file) builtIn(font dict, e *encoding) {
	descriptor := f.dictOf(font["FontDescriptor"])
	program := f.streamOf(descriptor["FontFile"])
	if program == nil {
		return
	}
	data, err := f.unpack(program)
	if err != nil {
		return
	}
	if end := bytes.Index(data, []byte("eexec")); end >= 0 {
		data = data[:end]
	}
	data = data[:min(len(data), 64<<10)]
	for {
		i := bytes.Index(data, []byte("dup "))
		if i < 0 {
			return
		}
		data = data[i+4:]
		line := data[:min(len(data), 64)]
		fields := bytes.Fields(line)
		if len(fields) < 3 || len(fields[1]) < 2 || fields[1][0] != '/' || !bytes.HasPrefix(fields[2], []byte("put")) {
			continue
		}
		if code, err := strconv.Atoi(string(fields[0])); err == nil && code >= 0 && code < len(e) {
			e[code] = glyphText(string(fields[1][1:]))
		}
	}
}
