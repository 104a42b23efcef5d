package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// parameter is the charset parameter of a Content-Type.
func parameter(contentType string) string {
	for contentType != "" {
		var part string
		part, contentType, _ = strings.Cut(contentType, ";")
		if k, v, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(k), "charset") {
			return v
		}
	}
	return ""
}

// prescan is how far a declaration is looked for; the HTML standard says 1024, pages say more.
const prescan = 2048

// inDocument is the encoding that a document declares: in its XML declaration or a meta element.
func inDocument(body []byte) string {
	head := bytes.ToLower(body[:min(len(body), prescan)])
	name := ""
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<?xml")) {
		decl, _, _ := bytes.Cut(head, []byte("?>"))
		name = Name(after(decl, "encoding"))
	}
	for rest := head; name == ""; {
		i := bytes.Index(rest, []byte("<meta"))
		if i < 0 {
			break
		}
		tag, _, _ := bytes.Cut(rest[i:], []byte(">"))
		name = Name(after(tag, "charset"))
		rest = rest[i+5:]
	}
	if strings.HasPrefix(name, "utf-16") {
		return "utf-8" // it was read byte by byte, so it cannot be
	}
	return name
}

// after gives the value that follows a word and an equals sign.
func after(tag []byte, word string) string {
	_, rest, ok := bytes.Cut(tag, []byte(word))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if len(rest) == 0 || rest[0] != '=' {
		return ""
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n\"'")
	if end := bytes.IndexAny(rest, " \t\r\n\"';/>?"); end >= 0 {
		rest = rest[:end]
	}
	return string(rest)
}

// possible tells whether the bytes can be of an encoding: at most one character in a hundred cannot be decoded. Nearly
// all bytes are possible in encodings of one byte, so those are believed.
func possible(body []byte, name string) bool {
	if name == "utf-8" {
		return badUTF8(body)*100 <= high(body)
	}
	if isSingleByte(name) {
		return true
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
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
