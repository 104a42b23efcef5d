package term

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"varve/language/wordlist"
)

// Background lists of words: a key for each word in lower case, its value -100*log10 of its share of the words of the
// background, and under the key Unknown the value for words that are not there.
//
//go:embed *.bin
var embedded embed.FS

// Sum returns a digest of the backgrounds that come with the program: what was made with others is to be made again.
var Sum = sync.OnceValue(func() (sum [32]byte) {
	h := sha256.New()
	for _, lang := range Languages() {
		file, err := embedded.ReadFile(lang + ".bin")
		if err != nil {
			panic(err) // the files are part of the program, and tested
		}
		h.Write([]byte(lang))
		h.Write(file)
	}
	return [32]byte(h.Sum(nil))
})

// Unknown is the key of the share that words have which are not in the list.
const Unknown = "\x00"

// Value returns how a share is written in a list.
func Value(share float64) uint32 { return uint32(max(1, math.Round(-100*math.Log10(share)))) }

// common is the share from which on a word of the background is no part of a term, where no tags say so.
const common = 1.0 / 2000

// background tells how frequent words are in texts about anything. It does not change.
type background struct {
	list    *wordlist.List
	unknown uint32
}

func readBackground(r io.Reader) (*background, error) {
	l, err := wordlist.Read(r)
	if err != nil {
		return nil, err
	}
	b := &background{l, l.Find(Unknown)}
	if b.unknown == 0 {
		return nil, fmt.Errorf("the share of unknown words is missing")
	}
	return b, nil
}

func (b *background) share(lower string) float64 {
	v := b.list.Find(lower)
	if v == 0 {
		v = b.unknown
	}
	return math.Pow(10, -float64(v)/100)
}

// Listed reports whether the background of a language has a word in lower case: whether it is often written, be it a name or not. A language without a background
// has none.
func Listed(lang, lower string) bool {
	r, err := rulesOf(lang)
	return err == nil && r.background.list.Find(lower) != 0
}

// rules are what is known of a language. They do not change.
type rules struct {
	tagged     bool            // candidates are found by tags, else by shape
	linkWords  map[string]bool // may stand between the words of a term
	links      int             // in a row
	linkOdds   float64         // what a candidate with links has against it
	headFirst  bool            // éolienne offshore is an éolienne
	elides     bool            // l'éolienne
	capitals   bool            // capitals do not tell names
	background *background
}

func english() rules {
	return rules{tagged: true, linkWords: set("of"), links: 1, linkOdds: 3}
}

// shapes are the languages without a tagger.
func shapes() map[string]rules {
	romance := func(links string, elides bool) rules {
		return rules{linkWords: set(links), links: 2, linkOdds: 1, headFirst: true, elides: elides}
	}
	germanic := func(links string, capitals bool) rules {
		return rules{linkWords: set(links), links: 1, linkOdds: 2, capitals: capitals}
	}
	return map[string]rules{
		"de": germanic("", true),
		"es": romance("de del la los las", false),
		"fr": romance("de d du des la l à", true),
		"it": romance("di d del dello della dell dei degli delle a", true),
		"nl": germanic("van", false),
		"pt": romance("de do da dos das", false),
	}
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Languages are those that have rules and a background, by ISO 639-1.
func Languages() []string { return slices.Sorted(maps.Keys(all())) }

// Tagged reports whether the candidates of a language are found by tags, which need a tagger, and not by shape.
func Tagged(lang string) bool { return lang == "en" }

// all are the rules of each language; its background is unpacked when first asked for.
var all = sync.OnceValue(func() map[string]func() *rules {
	out := map[string]func() *rules{}
	add := func(lang string, r rules) {
		out[lang] = sync.OnceValue(func() *rules {
			file, err := embedded.ReadFile(lang + ".bin")
			if err == nil {
				r.background, err = readBackground(bytes.NewReader(file))
			}
			if err != nil {
				panic(fmt.Sprintf("background of %s: %v", lang, err)) // the files are part of the program, and tested
			}
			return &r
		})
	}
	add("en", english())
	for lang, r := range shapes() {
		add(lang, r)
	}
	return out
})

func rulesOf(lang string) (*rules, error) {
	r := all()[lang]
	if r == nil {
		return nil, unknown(lang)
	}
	return r(), nil
}
