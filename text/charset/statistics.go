package charset

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"varve/text/lang"
	"varve/web/encoding"
)

// candidates are the encodings that statistics choose from. Those before come first where two read equally well.
var candidates = []string{
	"windows-1252", "windows-1250", "windows-1251", "iso-8859-2", "koi8-r", "koi8-u", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257",
	"windows-874", "windows-1258", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-4", "iso-8859-13", "iso-8859-15", "iso-8859-16", "ibm866", "macintosh",
	"shift_jis", "euc-jp", "gbk", "big5", "euc-kr",
}

// How many bytes of text are read in all encodings, and how many in those that did best.
const (
	shortSample = 120
	sampleSize  = 600
	finalists   = 6
)

// Costs in units of the natural logarithm, as of the language models: an average letter costs 2 to 3.
const (
	costNothing = 25.0 // a byte that stands for nothing, or a control character
	costSign    = 9.0  // a sign that texts do not use
	costQuote   = 4.0  // quotation marks, dashes and other signs that they do use
	costOther   = 2.0  // for any encoding but the most common one
	costRare    = 3.0  // for one that is hardly used any more
)

// prior is what an encoding costs before it is read: with little text the common one is more likely.
func prior(name string) float64 {
	switch name {
	case "windows-1252":
		return 0
	case "ibm866", "macintosh", "iso-8859-4", "iso-8859-16", "iso-8859-6", "windows-1258", "iso-8859-13", "koi8-u", "koi8-r":
		return costOther + costRare
	}
	return costOther
}

// statistics finds the encoding in which a document reads best.
func statistics(body []byte) Guess {
	switch {
	case escapes(body):
		return Guess{Name: "iso-2022-jp", Source: Bytes, Confidence: 0.99}
	case zeros(body):
		return utf16(body)
	}
	sample := sampleOf(body, sampleSize)
	if len(sample) == 0 { // only in tags and scripts
		at := max(0, firstHigh(body))
		sample = body[max(0, at-100):min(len(body), at+sampleSize)]
	}
	// A short piece sorts out what cannot be, so that the whole is read in few encodings.
	list := rank(sample[:min(len(sample), shortSample)], candidates)
	if len(sample) > shortSample {
		names := make([]string, 0, finalists)
		for _, r := range list[:finalists] {
			names = append(names, r.name)
		}
		list = rank(sample, names)
	}
	gap := list[0].score - list[1].score
	return Guess{Name: list[0].name, Source: Statistics, Confidence: 1 / (1 + math.Exp(-gap/3))}
}

// reading is how well a sample reads in an encoding.
type reading struct {
	name  string
	score float64
}

// rank orders encodings by how well a sample reads, the best first.
func rank(sample []byte, names []string) []reading {
	list := make([]reading, len(names))
	for i, name := range names {
		list[i] = reading{name, reads(sample, name)}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(b.score, a.score) })
	return list
}

// utf16 tells the byte order of UTF-16 without a mark by where the zeros are.
func utf16(body []byte) Guess {
	even, odd := zeroSides(body)
	if even > odd {
		return Guess{Name: "utf-16be", Source: Bytes, Confidence: 0.9}
	}
	return Guess{Name: "utf-16le", Source: Bytes, Confidence: 0.9}
}

// reads tells how well a sample reads in an encoding: the log-likelihood of its words, less what odd signs cost.
func reads(sample []byte, name string) float64 {
	enc, _ := encoding.Lookup(name)
	if enc == nil {
		return math.Inf(-1)
	}
	out, err := enc.NewDecoder().Bytes(sample)
	if err != nil {
		return math.Inf(-1)
	}
	cost := prior(name)
	for _, r := range string(out) {
		cost += costOf(r)
	}
	// Words of capitals and small letters mixed are what a wrong code page makes of small letters.
	_, log, _ := lang.Default().Likelihood(string(out))
	return log - cost - 2*float64(oddCase(out))
}

func costOf(r rune) float64 {
	switch {
	case r < 0x80:
		return 0
	case r == unicode.ReplacementChar || unicode.IsControl(r) || unicode.Is(unicode.Co, r):
		return costNothing
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return 0
	case strings.ContainsRune("\u00a0“”„‘’‚–—…«»°§©·•€、。，「」『』（）！？：；・", r):
		return costQuote
	}
	return costSign
}

// oddCase counts capitals that follow a small letter.
func oddCase(text []byte) (n int) {
	small := false
	for _, r := range string(bytes.ToValidUTF8(text, nil)) {
		if small && unicode.IsUpper(r) {
			n++
		}
		small = unicode.IsLower(r)
	}
	return n
}
