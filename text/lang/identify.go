package lang

import (
	"math"
	"slices"
	"sync"
)

// Guess is a language with the probability that the text is written in it.
type Guess struct {
	Lang       string  `json:"lang"` // ISO 639-1, "" where nothing can be told
	Confidence float64 `json:"confidence"`
}

// maxCharacters is how much of a text is read: more adds nothing.
const maxCharacters = 2000

// sharpness divides the evidence: n-grams that overlap say the same thing several times.
const sharpness = 3

// reading is the room that a text is read in.
type reading struct {
	ids    map[rune]uint64 // of characters outside of the table below
	small  [len(folded)]uint16
	chars  []rune   // by id; the first is none
	places []int    // of these in the alphabet of the model; -1 for those that are not there
	grams  []uint64 // the last maxOrder characters at each place, the last one first, idBits each
	some   []uint64 // grams of a part of the text
}

// idBits is the size of the number of a character in a gram: no text has more different ones than it has characters.
const idBits = 11

var _ = [1]struct{}{}[maxCharacters>>idBits]

var readings = sync.Pool{New: func() any { return &reading{ids: map[rune]uint64{}} }}

// read lists the grams of a text and counts its blanks.
func (r *reading) read(text string) (blanks int) {
	for _, c := range r.chars {
		if int(c) < len(r.small) {
			r.small[c] = 0
		}
	}
	clear(r.ids)
	r.chars, r.grams = append(r.chars[:0], 0), r.grams[:0]
	in := reader{text: text, blank: true}
	gram := uint64(0)
	for c := ' '; c != 0 && len(r.grams) < maxCharacters; c = in.next() {
		if c == ' ' {
			blanks++
		}
		gram = gram>>idBits | r.id(c)<<(idBits*(maxOrder-1))
		r.grams = append(r.grams, gram)
	}
	return blanks
}

// id numbers the characters of a text as they come, from 1.
func (r *reading) id(c rune) uint64 {
	if int(c) < len(r.small) {
		if r.small[c] == 0 {
			r.small[c] = uint16(len(r.chars))
			r.chars = append(r.chars, c)
		}
		return uint64(r.small[c])
	}
	id, ok := r.ids[c]
	if !ok {
		id = uint64(len(r.chars))
		r.ids[c] = id
		r.chars = append(r.chars, c)
	}
	return id
}

// open gets a reading of a text.
func (x *Identifier) open(text string) (r *reading, blanks int) {
	r = readings.Get().(*reading)
	blanks = r.read(text)
	r.places = r.places[:0]
	for _, c := range r.chars {
		at, ok := slices.BinarySearch(x.alphabet, c)
		if !ok {
			at = -1
		}
		r.places = append(r.places, at)
	}
	return r, blanks
}

// scores reads a text and gives the log-likelihood of each language, up to a constant, and the number of characters and
// of letters among them.
func (x *Identifier) scores(text string, sum *[maxLangs]int32) (n, letters int) {
	r, blanks := x.open(text)
	defer readings.Put(r)
	x.add(r, r.grams, sum)
	return len(r.grams), len(r.grams) - blanks
}

// add adds what the grams of some places of a text say. It changes their order.
//
// Every n-gram is looked up once, however often it is there: sorted by their last character, then by the one
// before it and so on, all places of an n-gram stand beside each other, and inside of them those of the longer ones.
func (x *Identifier) add(r *reading, grams []uint64, sum *[maxLangs]int32) {
	slices.Sort(grams)
	x.weigh(r, grams, 1, 0, sum)
	for i, b := range x.base {
		sum[i] += b * int32(len(grams)-1) / baseScale
	}
}

// weigh adds the weights of the n-grams of order k and more of places that share the k-1 last characters, those of the node short.
func (x *Identifier) weigh(r *reading, grams []uint64, k int, short uint32, sum *[maxLangs]int32) {
	shift := idBits * (maxOrder - k)
	for len(grams) > 0 {
		prefix := grams[0] >> shift
		n := 1
		for n < len(grams) && grams[n]>>shift == prefix {
			n++
		}
		if id := prefix & (1<<idBits - 1); id != 0 && r.places[id] >= 0 { // else the text begins there, or nobody has the character
			if g := x.child(short, uint16(r.places[id])); g != 0 {
				for _, w := range x.of(g) {
					sum[w.lang] += int32(w.log) * int32(n)
				}
				if k < maxOrder {
					x.weigh(r, grams[:n], k+1, g, sum)
				}
			}
		}
		grams = grams[n:]
	}
}

// The sample of a long text: so many parts, spread over all that is read of it, of so many pieces each, of so many characters each.
const (
	parts  = 4
	pieces = 2
	piece  = 32
)

// certain is the confidence in a sample with which the rest of the text is not asked: what is missing could not be seen in a float32.
const certain = 1 - 1e-9

// Identify gives the most likely language of a text. Of a long one a sample is looked at first: if each part of it speaks for the same
// language and all of it leaves no doubt, that is the answer. So a text in two languages is read as far as any is.
func (x *Identifier) Identify(text string) Guess {
	r, blanks := x.open(text)
	defer readings.Put(r)
	if len(r.grams) == blanks {
		return Guess{}
	}
	if g := x.sampled(r); g.Confidence >= certain {
		return g
	}
	var sum [maxLangs]int32
	x.add(r, r.grams, &sum)
	return x.best(&sum)
}

// sampled gives the language that all parts of the sample speak for, none if they do not agree or the text is short.
func (x *Identifier) sampled(r *reading) Guess {
	if len(r.grams) < 2*parts*pieces*piece {
		return Guess{}
	}
	var all [maxLangs]int32
	lang := ""
	for i := range parts {
		r.some = r.some[:0]
		for k := range pieces {
			at := (i*pieces + k) * (len(r.grams) - piece) / (parts*pieces - 1) // the last one is the end of the text
			r.some = append(r.some, r.grams[at:at+piece]...)
		}
		var sum [maxLangs]int32
		x.add(r, r.some, &sum)
		g := x.best(&sum)
		if i > 0 && g.Lang != lang {
			return Guess{}
		}
		lang = g.Lang
		for k := range x.langs {
			all[k] += sum[k]
		}
	}
	return x.best(&all)
}

// best gives the most likely language, the first of those that are equally likely.
func (x *Identifier) best(sum *[maxLangs]int32) Guess {
	most := slices.Max(sum[:len(x.langs)])
	if most <= 0 { // random characters are likelier
		return Guess{}
	}
	total := 0.0
	for i := range x.langs {
		total += math.Exp(float64(sum[i]-most) / scale / sharpness)
	}
	return Guess{x.langs[slices.Index(sum[:], most)], 1 / total}
}

// Rank gives the n most likely languages, the most likely first; none for a text without letters, or in a language that
// is none of them.
func (x *Identifier) Rank(text string, n int) []Guess {
	var sum [maxLangs]int32
	if _, letters := x.scores(text, &sum); letters == 0 {
		return nil
	}
	best := slices.Max(sum[:len(x.langs)])
	if best <= 0 { // random characters are likelier
		return nil
	}
	list := make([]Guess, len(x.langs))
	total := 0.0
	for i, l := range x.langs {
		p := math.Exp(float64(sum[i]-best) / scale / sharpness)
		list[i] = Guess{l, p}
		total += p
	}
	for i := range list {
		list[i].Confidence /= total
	}
	slices.SortStableFunc(list, func(a, b Guess) int {
		switch {
		case a.Confidence > b.Confidence:
			return -1
		case a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	return list[:min(n, len(list))]
}

// Likelihood gives the language that finds the text most likely, and the natural logarithm of that likelihood: how well
// the text reads at all. Only the first part of a long text is read; read tells how many characters that are.
func (x *Identifier) Likelihood(text string) (lang string, log float64, read int) {
	var sum [maxLangs]int32
	read, _ = x.scores(text, &sum)
	best := 0
	for i := range x.langs {
		if sum[i] > sum[best] {
			best = i
		}
	}
	return x.langs[best], float64(sum[best])/scale + float64(read)*math.Log(anyCharacter), read
}
