package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"varve/web/encoding"
)

// Source says who named an encoding.
type Source = encoding.Source

// The sources.
const (
	BOM               = encoding.Mark
	HTTP              = encoding.Transport
	Meta              = encoding.Document
	Bytes      Source = "bytes"      // the bytes allow nothing else
	Statistics Source = "statistics" // what reads best
	Fallback   Source = "fallback"   // nothing is known
)

// Guess is the encoding of a document.
type Guess struct {
	Name       string  `json:"name"` // WHATWG
	Source     Source  `json:"source"`
	Declared   string  `json:"declared,omitempty"` // the name that was declared, where it was not followed
	Confidence float64 `json:"confidence"`
}

// Detect finds the encoding of a document. contentType may be empty.
func Detect(body []byte, contentType string) Guess {
	declared, source, _ := encoding.Declared(body, contentType, encoding.OfHTML)
	if source == BOM {
		return Guess{Name: declared, Source: BOM, Confidence: 1}
	}
	high := firstHigh(body)
	switch {
	case high < 0 && !escapes(body) && !zeros(body):
		return ascii(declared, source)
	case high >= 0 && !zeros(body) && validUTF8(body[high:]):
		return differs(Guess{Name: "utf-8", Source: Bytes, Confidence: 0.999}, declared, source)
	case declared != "" && possible(body, declared):
		return Guess{Name: declared, Source: source, Confidence: 0.95}
	}
	return differs(statistics(body), declared, source)
}

// ToUTF8 finds the encoding of a document and decodes it.
func ToUTF8(body []byte, contentType string) ([]byte, Guess) {
	g := Detect(body, contentType)
	out, err := Decode(body, g.Name)
	if err != nil { // no encoder of ours fails, but the body must not be lost if one does
		return bytes.ToValidUTF8(body, []byte("\ufffd")), g
	}
	return out, g
}

// ascii is the guess for a document that reads the same in nearly all encodings.
func ascii(declared string, source Source) Guess {
	if declared != "" && !strings.HasPrefix(declared, "utf-16") {
		return Guess{Name: declared, Source: source, Confidence: 0.99}
	}
	return Guess{Name: "utf-8", Source: Bytes, Confidence: 0.99}
}

// differs notes what was declared where that was not followed, and who declared it where it was right.
func differs(g Guess, declared string, source Source) Guess {
	switch declared {
	case "":
	case g.Name:
		g.Source = source
	default:
		g.Declared = declared
	}
	return g
}

// firstHigh is the place of the first byte above 0x7f, -1 if there is none.
func firstHigh(p []byte) int {
	for i, c := range p {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return -1
}

// validUTF8 forgives a character that is cut at the end.
func validUTF8(p []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut < len(p); cut++ {
		if utf8.Valid(p[:len(p)-cut]) {
			return cut == 0 || len(p) > 64
		}
	}
	return false
}

// escapes tells whether there are the escape sequences of ISO-2022-JP.
func escapes(p []byte) bool {
	return bytes.Contains(p, []byte("\x1b$B")) || bytes.Contains(p, []byte("\x1b$@")) || bytes.Contains(p, []byte("\x1b(J"))
}

// zeros tells whether the text may be UTF-16 without a byte order mark: text has no zero bytes, and markup in UTF-16 has
// many, nearly all on the same side.
func zeros(p []byte) bool {
	even, odd := zeroSides(p)
	return even+odd >= 4 && 10*max(even, odd) >= 9*(even+odd)
}

// zeroSides counts zero bytes at even and at odd places near the beginning.
func zeroSides(p []byte) (even, odd int) {
	for i, c := range p[:min(len(p), 1024)] {
		switch {
		case c != 0:
		case i%2 == 0:
			even++
		default:
			odd++
		}
	}
	return even, odd
}
