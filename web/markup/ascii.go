package markup

// Byte classes of markup. All of them are ASCII by definition of the formats.
const (
	classSpace  = 1 << iota // HTML white space
	classAlpha              // letters
	classUpper              // capital letters
	classNameNo             // what ends an attribute name
	classTagNo              // what ends a tag name
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case b >= 'A' && b <= 'Z':
			t[b] = classAlpha | classUpper
		case b >= 'a' && b <= 'z':
			t[b] = classAlpha
		}
	}
	for _, b := range []byte(" \t\n\f\r") {
		t[b] = classSpace | classNameNo | classTagNo
	}
	for _, b := range []byte("/>") {
		t[b] = classNameNo | classTagNo
	}
	t['='] = classNameNo
	return t
}()

func isSpace(c byte) bool { return class[c]&classSpace != 0 }
func isAlpha(c byte) bool { return class[c]&classAlpha != 0 }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func lowerByte(c byte) byte {
	if class[c]&classUpper != 0 {
		return c | 0x20
	}
	return c
}

// hasFold reports whether p begins with the lower-case word w, letters compared without case.
func hasFold(p []byte, w string) bool {
	if len(p) < len(w) {
		return false
	}
	for i := range len(w) {
		if lowerByte(p[i]) != w[i] {
			return false
		}
	}
	return true
}
