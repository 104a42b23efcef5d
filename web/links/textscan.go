package links

import "bytes"

// textURLs finds absolute URLs in character data. The text of a link that only repeats its address is no second link.
func (p *page) textURLs(data []byte) {
	scanText(data, func(url []byte) {
		v := p.decoded(url)
		if p.anchor >= 0 && p.e.pending[p.anchor].raw == string(v) || !plausible(v) {
			return
		}
		p.here(kindTextURL, v)
	})
}

// scanText gives each http(s) URL in running text, without the punctuation that ends the sentence around it.
func scanText(data []byte, yield func([]byte)) {
	for at := 0; ; {
		n := bytes.Index(data[at:], []byte("://"))
		if n < 0 {
			return
		}
		colon := at + n
		at = colon + 3
		from := schemeStart(data, colon)
		if from < 0 {
			continue
		}
		end := at
		for end < len(data) && end-from < maxGuess && textByte(data[end]) {
			end++
		}
		at = end
		yield(trimSentence(data[from:end]))
	}
}

// schemeStart gives the place of http or https that ends at the colon, or -1. The word must begin there.
func schemeStart(data []byte, colon int) int {
	for _, scheme := range []string{"https", "http"} {
		i := colon - len(scheme)
		if i >= 0 && hasFold(data[i:], scheme) && (i == 0 || !isAlnum(data[i-1])) {
			return i
		}
	}
	return -1
}

// textByte tells whether a byte can stand in a URL written in running text.
func textByte(c byte) bool {
	switch c {
	case '<', '>', '"', '{', '}', '|', '\\', '^', '`', '\'', '*':
		return false
	}
	return c > ' ' && c != 0x7f
}

// trimSentence cuts what belongs to the sentence: final punctuation, and a closing parenthesis that was not opened.
func trimSentence(url []byte) []byte {
	surplus := bytes.Count(url, []byte(")")) - bytes.Count(url, []byte("("))
	bracket := bytes.IndexByte(url, '[') >= 0
	for len(url) > 0 {
		switch url[len(url)-1] {
		case '.', ',', ';', ':', '!', '?':
		case ')':
			if surplus <= 0 {
				return url
			}
			surplus--
		case ']':
			if bracket {
				return url
			}
		default:
			return url
		}
		url = url[:len(url)-1]
	}
	return url
}
