package links

import "bytes"

// srcset gives each candidate URL of a srcset value (the HTML standard's algorithm): URLs are separated by white space
// or by a comma behind a descriptor, so a comma inside a URL stays in it.
func srcset(p []byte, yield func([]byte)) {
	for len(p) > 0 {
		for len(p) > 0 && (isSpace(p[0]) || p[0] == ',') {
			p = p[1:]
		}
		n := 0
		for n < len(p) && !isSpace(p[n]) {
			n++
		}
		url := p[:n]
		p = p[n:]
		trimmed := bytes.TrimRight(url, ",")
		if len(trimmed) > 0 {
			yield(trimmed)
		}
		if len(trimmed) == len(url) {
			p = afterDescriptors(p)
		}
	}
}

// afterDescriptors skips "2x" and the like up to the comma that ends a candidate; commas in parentheses do not.
func afterDescriptors(p []byte) []byte {
	depth := 0
	for i, c := range p {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ',' && depth == 0:
			return p[i+1:]
		}
	}
	return nil
}
