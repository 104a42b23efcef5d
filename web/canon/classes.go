package canon

// A class is a set of byte properties; one table answers all questions of the fast path.
type class uint16

const (
	inPath     class = 1 << iota // percent-encoded in a path
	inQuery                      // percent-encoded in the query of a special URL
	inFragment                   // percent-encoded in a fragment
	slash                        // ends a segment; so does a backslash in http
	question                     // starts the query
	hash                         // starts the fragment
	wide                         // first or later byte of a non-ASCII character
	hostByte                     // stands in a host as it is
	hostUpper                    // stands in a host in lower case
	schemeByte                   // stands in a scheme after its first letter
)

// The bytes at which each scanner stops.
const (
	stopPath     = inPath | slash | question | hash | wide
	stopQuery    = inQuery | hash | wide
	stopFragment = inFragment | wide
)

// classes holds the properties of each byte, by the percent-encode sets of the WHATWG standard.
var classes = buildClasses()

func buildClasses() (t [256]class) {
	mark := func(c class, bytes string) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	for c := range 256 {
		switch {
		case c <= 0x20 || c == 0x7f:
			t[c] |= inPath | inQuery | inFragment
		case c >= 0x80:
			t[c] |= wide
		}
	}
	mark(inPath, "\"<>`{}")
	mark(inQuery, "\"<>'")
	mark(inFragment, "\"<>`")
	mark(slash, "/\\")
	mark(question, "?")
	mark(hash, "#")
	mark(hostByte, "abcdefghijklmnopqrstuvwxyz0123456789-._")
	mark(hostUpper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	mark(schemeByte, "abcdefghijklmnopqrstuvwxyz0123456789+-.")
	return t
}
