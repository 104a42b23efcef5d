package near

import (
	"fmt"
	"strings"
)

// Answer is what is needed of an HTTP answer to tell whether it is an error page in disguise.
type Answer struct {
	URL    string // that was asked for
	Final  string // where redirects led; same as URL without
	Status int    // of the last answer
	Print  Fingerprint
}

// AnswerOf makes an Answer with the fingerprint of the text, from which the words of the address are left
// out, because error pages like to repeat it.
func AnswerOf(url, final string, status int, text string) Answer {
	path := url
	if _, rest, ok := strings.Cut(url, "://"); ok {
		_, path, _ = strings.Cut(rest, "/")
	}
	return Answer{URL: url, Final: final, Status: status, Print: OfWithout(text, path)}
}

// ProbePath gives a path in a folder that surely does not exist, from 64 random bits. The extension of
// the pages in question may be given, as servers treat kinds of files differently.
func ProbePath(folder string, random uint64, extension string) string {
	if !strings.HasSuffix(folder, "/") {
		folder += "/"
	}
	return fmt.Sprintf("%svarve%016x%s", folder, random, extension)
}

// Limits of SoftNotFound.
const (
	softSimilarity = 0.8 // resemblance to the probe's answer
	softDistance   = 3   // or bits of simhash, for texts long enough
	softTokens     = 50  // that is, of so many tokens
	softRatio      = 0.8 // and nearly the same length
)

// SoftNotFound tells whether a page that answered 2xx is an error page in disguise: the host answered
// a URL that does not exist (the probe) in the same way. The reason is for reports.
//
// A host that answers the probe with an error status is honest, and its pages are taken at their word.
func SoftNotFound(page, probe Answer) (bool, string) {
	if page.Status < 200 || page.Status > 299 || probe.Status < 200 || probe.Status > 299 {
		return false, ""
	}
	if page.Final != page.URL && page.Final == probe.Final {
		return true, "redirected to " + page.Final + " like a URL that does not exist"
	}
	a, b := page.Print, probe.Print
	if a.Tokens == 0 || b.Tokens == 0 {
		return false, "" // nothing to compare: an image, or a page made by scripts
	}
	if s := a.Minhash.Similarity(&b.Minhash); s >= softSimilarity {
		return true, fmt.Sprintf("text resembles the answer to a URL that does not exist by %.2f", s)
	}
	short, long := min(a.Tokens, b.Tokens), max(a.Tokens, b.Tokens)
	alike := short >= softTokens && float64(short) >= softRatio*float64(long)
	if d := a.Simhash.Distance(b.Simhash); alike && d <= softDistance {
		return true, fmt.Sprintf("text differs by %d of 64 bits from the answer to a URL that does not exist", d)
	}
	return false, ""
}
