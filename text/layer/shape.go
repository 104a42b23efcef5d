package layer

// The shapes look at the beginning of a run of word characters and give the length of what matches, 0 if nothing does.

// charClass says what a byte may be part of.
const (
	isDigit = 1 << iota
	isHex
	isUpper
	isLower
	isWord // digits, letters
)

var charClass = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9':
			t[c] = isDigit | isHex | isWord
		case c >= 'a' && c <= 'z':
			t[c] = isLower | isWord
		case c >= 'A' && c <= 'Z':
			t[c] = isUpper | isWord
		}
		if c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' {
			t[c] |= isHex
		}
	}
	return t
}()

// run is the number of bytes at the beginning of p that are of a class.
func run(p []byte, class uint8) int {
	for i, c := range p {
		if charClass[c]&class == 0 {
			return i
		}
	}
	return len(p)
}

// fits tells whether p begins with the pattern, in which 0 stands for a digit, x for a hexadecimal one, and anything
// else for itself.
func fits(p []byte, pattern string) bool {
	if len(p) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		switch c := pattern[i]; c {
		case '0':
			if charClass[p[i]]&isDigit == 0 {
				return false
			}
		case 'x':
			if charClass[p[i]]&isHex == 0 {
				return false
			}
		default:
			if p[i] != c {
				return false
			}
		}
	}
	return true
}

// ends gives n if no word character follows there.
func ends(p []byte, n int) int {
	if n < len(p) && charClass[p[n]]&isWord != 0 {
		return 0
	}
	return n
}

func uuid(p []byte) int {
	const pattern = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if !fits(p, pattern) {
		return 0
	}
	return ends(p, len(pattern))
}

// stamp matches a date with a time of day. A date alone is left: it is more often something the page says.
func stamp(p []byte) int {
	if !fits(p, "0000-00-00T00:00") && !fits(p, "0000-00-00 00:00") {
		return 0
	}
	n := 16
	if fits(p[n:], ":00") {
		n += 3
		if fits(p[n:], ".0") {
			n++
			n += run(p[n:], isDigit)
		}
	}
	switch {
	case fits(p[n:], "Z"):
		n++
	case fits(p[n:], "+00:00"), fits(p[n:], "-00:00"):
		n += 6
	case fits(p[n:], "+0000"), fits(p[n:], "-0000"):
		n += 5
	}
	return ends(p, n)
}

// epoch matches seconds (10 digits) or milliseconds (13) since 1970 that begin with 1: 2001 to 2033.
func epoch(p []byte) int {
	n := run(p, isDigit)
	if (n != 10 && n != 13) || p[0] != '1' {
		return 0
	}
	return ends(p, n)
}

func hexRun(p []byte) int {
	n := run(p, isHex)
	if n < 16 || !mixed(p[:n], isDigit) || run(p[:n], isDigit) == n || !mixed(p[:n], isUpper|isLower) {
		return 0
	}
	return ends(p, n)
}

func keyRun(p []byte) int {
	n := run(p, isWord)
	if n < 20 || !mixed(p[:n], isDigit) || !mixed(p[:n], isUpper) || !mixed(p[:n], isLower) {
		return 0
	}
	return n
}

// mixed tells whether a class occurs.
func mixed(p []byte, class uint8) bool {
	for _, c := range p {
		if charClass[c]&class != 0 {
			return true
		}
	}
	return false
}

// mask appends p with every shape replaced. White space is kept as it is.
func mask(dst, p []byte) []byte {
	from := 0
	for i := 0; i < len(p); {
		if charClass[p[i]]&isWord == 0 {
			i++
			continue
		}
		n := run(p[i:], isWord)
		if found := match(p[i:], n); found > 0 {
			dst = append(append(dst, p[from:i]...), masked...)
			n = found
			from = i + n
		}
		i += n
	}
	return append(dst, p[from:]...)
}

// masked stands for what was there. It is no valid UTF-8, so no page can write it.
const masked = "\xff"

// match gives the length of the shape at the beginning of p, which begins with a run of n word characters. Few runs
// are as long as the ones that shapes begin with: a year, the first part of a uuid, an epoch, a long key.
func match(p []byte, n int) int {
	if n < 16 && n != 4 && n != 8 && n != 10 && n != 13 {
		return 0
	}
	for i := range shapes {
		if n := shapes[i].shape(p); n > 0 {
			return n
		}
	}
	return 0
}
