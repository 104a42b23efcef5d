package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"varve/web/encoding"
)

// possible tells whether the bytes can be of an encoding: at most one character in a hundred cannot be decoded. Nearly
// all bytes are possible in encodings of one byte, so those are believed.
func possible(body []byte, name string) bool {
	if name == "utf-8" {
		return badUTF8(body)*100 <= high(body)
	}
	if isSingleByte(name) {
		return true
	}
	enc, _ := encoding.Lookup(name)
	if enc == nil {
		return false
	}
	sample := sampleOf(body, 4096)
	if len(sample) == 0 {
		sample = body[:min(len(body), 4096)]
	}
	out, err := enc.NewDecoder().Bytes(sample)
	bad := bytes.Count(out, []byte("\ufffd"))
	return err == nil && bad <= 1+utf8.RuneCount(out)/100
}

func isSingleByte(name string) bool {
	return strings.HasPrefix(name, "windows-") || strings.HasPrefix(name, "iso-8859") || strings.HasPrefix(name, "koi8") || name == "ibm866" || name == "macintosh" || name == "x-mac-cyrillic"
}

// badUTF8 counts bytes that belong to no character.
func badUTF8(p []byte) (n int) {
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		p = p[size:]
	}
	return n
}

// high counts bytes above 0x7f.
func high(p []byte) (n int) {
	for _, c := range p {
		if c >= utf8.RuneSelf {
			n++
		}
	}
	return n
}
