package compression

import (
	"compress/flate" // klauspost's finds nothing in a dictionary for short texts at this level
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"varve/spam/feature"
)

// Limits of what is looked at.
const (
	Window  = 32 << 10 // bytes of a dictionary
	MaxText = 16 << 10 // bytes of a text that is measured
	piece   = 512      // bytes taken from one host at a time
)

// Definitions tell the features, in the order of Measure.
func Definitions() []feature.Definition {
	define := func(name, formula string) feature.Definition {
		return feature.Define(name, feature.Compression, feature.Labels, formula)
	}
	return []feature.Definition{
		define("spam_ratio", "bytes of text / bytes deflated behind the spam dictionary"),
		define("normal_ratio", "bytes of text / bytes deflated behind the normal dictionary"),
		define("spam_gain", "1 − bytes behind the spam dictionary / bytes behind none"),
		define("normal_gain", "1 − bytes behind the normal dictionary / bytes behind none"),
		define("log_ratio", "ln(bytes behind the normal dictionary / bytes behind the spam dictionary): above 0 it is more like spam"),
	}
}

// Pair is a spam and a normal dictionary. It is not for concurrent use.
type Pair struct{ spam, normal, plain *packer }

// packer deflates behind a dictionary.
type packer struct {
	w *flate.Writer
	n tally
}

// tally counts what is written to it.
type tally int

func (t *tally) Write(p []byte) (int, error) {
	*t += tally(len(p))
	return len(p), nil
}

var _ io.Writer = (*tally)(nil)

const level = 6

func newPacker(dictionary string) (*packer, error) {
	p := &packer{}
	var err error
	p.w, err = flate.NewWriterDict(&p.n, level, []byte(dictionary))
	return p, err
}

// size is how many bytes a text packs to.
func (p *packer) size(text string) (int, error) {
	p.n = 0
	p.w.Reset(&p.n)
	if _, err := io.WriteString(p.w, text); err != nil {
		return 0, err
	}
	if err := p.w.Close(); err != nil {
		return 0, err
	}
	return int(p.n), nil
}

// New makes a pair of the texts of spam and of normal hosts.
func New(spam, normal []string) (*Pair, error) {
	var out Pair
	for _, d := range []struct {
		to   **packer
		text string
	}{{&out.spam, Dictionary(spam)}, {&out.normal, Dictionary(normal)}, {&out.plain, ""}} {
		var err error
		if *d.to, err = newPacker(d.text); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// Dictionary puts pieces of texts together, one of each in turn, until the window is full or the texts are used up.
func Dictionary(texts []string) string {
	var b strings.Builder
	for at, more := 0, true; more && b.Len() < Window; at += piece {
		more = false
		for _, t := range texts {
			if at >= len(t) || b.Len() >= Window {
				continue
			}
			more = true
			b.WriteString(t[at:min(len(t), at+piece)])
			b.WriteByte('\n')
		}
	}
	return b.String()[:min(b.Len(), Window)]
}

// Measure appends the features of a text; unknown ones of an empty text, or without dictionaries.
func (p *Pair) Measure(out []float64, text string) []float64 {
	u := feature.Unknown()
	text = clip(text, MaxText)
	if p == nil || text == "" {
		return append(out, u, u, u, u, u)
	}
	spam, err1 := p.spam.size(text)
	normal, err2 := p.normal.size(text)
	plain, err3 := p.plain.size(text)
	if err1 != nil || err2 != nil || err3 != nil { // writing to a counter does not fail
		return append(out, u, u, u, u, u)
	}
	n := float64(len(text))
	s, o, none := float64(spam), float64(normal), float64(plain)
	return append(out, n/s, n/o, 1-s/none, 1-o/none, math.Log(o/s))
}

// clip cuts text to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Example is the text of a host that was judged.
type Example struct {
	Group string // hosts of one group (a domain, an address) are kept in one fold
	Spam  bool
	Text  string
}

// Folds are the pairs of dictionaries, one for each fold, made of the examples outside of it. A host is measured with the pair of its
// fold, whether it is an example or not.
type Folds struct{ pairs [folds]*Pair }

// folds is how many there are.
const folds = 5

// NewFolds makes the dictionaries. A fold has none if there are no examples of one kind outside of it; that it depends on those alone keeps
// the label of a host from its own features.
func NewFolds(examples []Example) (*Folds, error) {
	out := &Folds{}
	for k := range folds {
		var spam, normal []string
		for _, e := range examples {
			switch {
			case fold(e.Group) == k:
			case e.Spam:
				spam = append(spam, e.Text)
			default:
				normal = append(normal, e.Text)
			}
		}
		if len(spam) == 0 || len(normal) == 0 {
			continue
		}
		var err error
		if out.pairs[k], err = New(spam, normal); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fold of a group (FNV-1a).
func fold(group string) int {
	h := uint32(2166136261)
	for i := range len(group) {
		h = (h ^ uint32(group[i])) * 16777619
	}
	return int(h % folds)
}

// For gives the pair that does not know a group.
func (f *Folds) For(group string) *Pair {
	if f == nil {
		return nil
	}
	return f.pairs[fold(group)]
}
