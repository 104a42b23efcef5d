// Package quality says how well the words of a text can be read, and repairs what a scanner got wrong, by what the archive
// itself has read elsewhere.
//
// Terms: a word is *recognised* if the dictionary knows it, or the archive has it often enough; the *share* of recognised words
// is the quality of a text (good ones have 0.98 and more). A *repair* replaces a word by the one that was probably printed.
//
// Repair is a noisy channel: a word w that is not recognised was either printed so, or a word c was printed and scanned badly. With n(c)
// the number of times that the archive has c, and P(w|c) of channel.go, the scanner is expected to have made
//
//	e(w) = max over c of n(c) · P(w|c) · f^k · P(c|a)/P(c) · P(b|c)/P(b)
//
// times w out of c, where a and b are the words before and behind, k is the number of places in which w and c differ, and f says how
// much noisier this text is than the archive: the share of its words that are not recognised over that of all. If e(w) is not far
// below n(w), the times w was met, c is put in its place:
//
//	e(w) > threshold · n(w)
//
// c may also be several words whose blanks were lost: n(ab) = n(a) · P(b|a), with the probability of a lost blank for each.
// In a text that is otherwise good, words among others that are not recognised are a quotation in another language, and stay.
//
// Cost: words are looked up in a table; for each different word that is not recognised the words near it are searched once, and
// remembered.
package quality

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Figures of the decision. They were chosen on the judged words in lab/eval/ocr.
const (
	solidCount = 20   // a word that the archive has so often is recognised without a dictionary
	threshold  = 1e-5 // e(w) over n(w) from which a word is repaired
	lostBlank  = 1e-4 // probability that a blank is lost
	lostCamel  = 0.05 // that it was lost if a capital letter follows (andSouth) or a speck stands there (to*bring)
	lostMore   = 0.1  // that a further one is lost in the same word
	footnote   = 1e-5 // that digits at the end are the mark of a note
	odd        = 0.01 // what a word with signs in it counts as one that was printed so
	maxLearn   = 5000 // words that the channel is learned from
	maxCache   = 1 << 18
	candidates = 12    // that are remembered of a word
	noisiest   = 100.0 // how much noisier, or less noisy, than the archive a text is taken for at most
)

// Repairer repairs texts of an archive. It remembers words and is not for concurrent use; Clone makes another.
type Repairer struct {
	counts  *Counts
	known   func(word string) bool
	near    *near
	channel *channel
	noise   float64 // share of the archive's words that are not recognised
	cache   map[string][]candidate
}

// candidate is what may have been printed.
type candidate struct {
	to          string
	first, last string  // its first and last word
	score       float64 // log n(c) P(w|c)
	places      int
}

// New returns a repairer for an archive with these words. known reports whether a dictionary has a word in small letters; nil if
// there is none.
func New(counts *Counts, known func(word string) bool) *Repairer {
	if known == nil {
		known = func(string) bool { return false }
	}
	r := &Repairer{counts: counts, known: known, channel: &channel{}, cache: map[string][]candidate{}}
	var solid []string
	for w := range counts.words {
		if r.Recognised(w) && letters(w) {
			solid = append(solid, w)
		}
	}
	r.near = newNear(solid)
	unknown := uint64(1)
	for w, n := range counts.words {
		if !r.Recognised(w) {
			unknown += uint64(n)
		}
	}
	r.noise = float64(unknown) / float64(max(1, counts.total))
	for range 2 {
		r.learn()
	}
	return r
}

// Clone returns a repairer with the same words and channel.
func (r *Repairer) Clone() *Repairer {
	c := *r
	c.cache = map[string][]candidate{}
	return &c
}

// Recognised reports whether a word in small letters is known or frequent.
func (r *Repairer) Recognised(word string) bool {
	n := r.counts.words[word]
	if n >= solidCount && letters(word) || r.known(word) {
		return true
	}
	if base, _, ok := cutPossessive(word); ok {
		return r.Recognised(base)
	}
	return false
}

// cutPossessive cuts 's off.
func cutPossessive(word string) (base, ending string, ok bool) {
	for _, s := range []string{"'s", "’s", "'", "’"} {
		if base, ok := strings.CutSuffix(word, s); ok && base != "" {
			return base, s, true
		}
	}
	return word, "", false
}

// letters reports whether a word has nothing but letters and apostrophes.
func letters(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' {
			return false
		}
	}
	return true
}

// number reports whether a part of a word is a number of three digits or more.
func number(s string) bool { return len(s) >= 3 && strings.Trim(s, "0123456789") == "" }

// learn counts what the scanner did to words, as far as the channel is believed, and makes the channel anew from it.
func (r *Repairer) learn() {
	occurrences := map[string]float64{}
	var unknown []string
	total := 0.0
	for w, n := range r.counts.words {
		runes := []rune(w)
		for i := range runes {
			occurrences[string(runes[i:i+1])] += float64(n)
			if i+1 < len(runes) {
				occurrences[string(runes[i:i+2])] += float64(n)
			}
		}
		total += float64(n) * float64(len(runes)+1)
		if int(n) < solidCount && len(runes) >= 4 && !r.Recognised(w) {
			unknown = append(unknown, w)
		}
	}
	occurrences[""] = total
	slices.Sort(unknown)
	scale := max(1, float64(len(unknown))/maxLearn)
	if len(unknown) > maxLearn { // evenly
		var some []string
		for i := range maxLearn {
			some = append(some, unknown[i*len(unknown)/maxLearn])
		}
		unknown = some
	}
	counted := map[[2]string]float64{}
	for _, w := range unknown {
		n := float64(r.counts.words[w])
		c, e := r.best(w)
		if c == "" {
			continue
		}
		believe := e / (e + threshold*n)
		_, pieces := r.channel.likelihood([]rune(w), []rune(c))
		for _, p := range pieces {
			counted[p] += believe * n
		}
	}
	learned := map[[2]string]float64{}
	for p, n := range counted {
		learned[p] = scale*n/(occurrences[p[0]]+weight) + prior(p[0], p[1])
	}
	r.channel = &channel{learned}
}

// limit is the edit distance at which words are searched.
func limit(letters int) int {
	switch {
	case letters < 4:
		return 1
	case letters < 9:
		return 2
	}
	return 3
}

// best returns the word that was most probably printed where w stands, by itself, and e(w).
func (r *Repairer) best(w string) (string, float64) {
	runes := []rune(w)
	var word string
	most := 0.0
	r.near.find(runes, min(2, limit(len(runes))), func(c []rune) {
		s := string(c)
		if s == w {
			return
		}
		p, _ := r.channel.likelihood(runes, c)
		if e := float64(r.counts.words[s]) * math.Exp(p); e > most || e == most && s < word {
			word, most = s, e
		}
	})
	return word, most
}

// of returns what may have been printed where a word stands, likely ones first.
func (r *Repairer) of(text string) []candidate {
	if list, ok := r.cache[text]; ok {
		return list
	}
	w := strings.ToLower(text)
	runes := []rune(w)
	var list []candidate
	r.near.find(runes, limit(len(runes)), func(c []rune) {
		s := string(c)
		if s == w {
			return
		}
		p, pieces := r.channel.likelihood(runes, c)
		list = append(list, candidate{s, s, s, math.Log(float64(r.counts.words[s])) + p, len(pieces)})
	})
	if base := strings.TrimRight(w, "0123456789"); base != w && len(w)-len(base) <= 2 && r.Recognised(base) && r.counts.words[base] > 0 {
		list = append(list, candidate{base, base, base, math.Log(float64(r.counts.words[base]) * footnote), 1})
	}
	for i := range list {
		list[i].to = likeCase(text, list[i].to)
	}
	list = append(list, r.split(text)...)
	// in a noisy text more places are likely, so the order is that of one
	rank := func(c candidate) float64 { return c.score + float64(c.places)*math.Log(noisiest/3) }
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), strings.Compare(a.to, b.to))
	})
	list = slices.Clone(list[:min(len(list), candidates)])
	if len(r.cache) >= maxCache {
		clear(r.cache)
	}
	r.cache[text] = list
	return list
}

// split returns the words that a word is made of if blanks were lost.
func (r *Repairer) split(text string) []candidate {
	w := []rune(text)
	type cut struct {
		score  float64
		from   int // where its last part begins
		end    int // and the part before ends
		blanks int
	}
	best := make([]cut, len(w)+1)
	part := func(i, j int) string { return strings.ToLower(string(w[i:j])) }
	for j := 1; j <= len(w); j++ {
		best[j].score = math.Inf(-1)
		for i := max(0, j-maxWord); i < j; i++ {
			p := part(i, j)
			n := float64(r.counts.words[p])
			if number(p) {
				n = solidCount
			} else if j-i < 2 && p != "a" || n < solidCount || !r.Recognised(p) {
				continue
			}
			c := cut{math.Log(n), i, i, 0}
			if i > 0 {
				lost := math.Log(lostBlank)
				if !unicode.IsLetter(w[i-1]) && !unicode.IsDigit(w[i-1]) && i > 1 {
					lost, c.end = math.Log(lostCamel), i-1 // a speck for the blank
				} else if unicode.IsUpper(w[i]) && unicode.IsLower(w[i-1]) {
					lost = math.Log(lostCamel)
				}
				before := best[c.end]
				if math.IsInf(before.score, -1) {
					continue
				}
				if before.blanks > 0 {
					lost = math.Log(lostMore)
				}
				c.score += before.score + lost + r.counts.follows(part(before.from, c.end), p) - math.Log(float64(r.counts.total))
				c.blanks = before.blanks + 1
			}
			if c.score > best[j].score {
				best[j] = c
			}
		}
	}
	if last := best[len(w)]; math.IsInf(last.score, -1) || last.blanks == 0 {
		return nil
	}
	var parts []string
	for j := len(w); j > 0; {
		c := best[j]
		parts = append(parts, string(w[c.from:j]))
		j = c.end
	}
	slices.Reverse(parts)
	last := best[len(w)]
	return []candidate{{strings.Join(parts, " "), strings.ToLower(parts[0]), strings.ToLower(parts[len(parts)-1]), last.score, last.blanks}}
}

// repair returns what was probably printed where a word stands between two others in a text with so much noise, and how sure that is
// (0 to 1); "" if the word stays.
func (r *Repairer) repair(text, before, behind string, noise float64) (string, float64) {
	w := strings.ToLower(text)
	n := max(1, float64(r.counts.words[w]))
	if !letters(w) {
		n *= odd
	}
	best, e := "", math.Log(threshold*n)
	f := math.Log(min(max(noise/r.noise, 1/noisiest), noisiest))
	for _, c := range r.of(text) {
		s := c.score + float64(c.places)*f + r.counts.follows(before, c.first) + r.counts.follows(c.last, behind)
		if s > e {
			best, e = c.to, s
		}
	}
	if best == "" {
		return "", 0
	}
	return best, 1 / (1 + math.Exp(math.Log(threshold*n)-e))
}

// likeCase writes a word in capitals as the text is.
func likeCase(text, word string) string {
	if word == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	if !unicode.IsUpper(first) {
		return word
	}
	if upper := strings.ToUpper(text); upper == text && len(text) > size {
		return strings.ToUpper(word)
	}
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[n:]
}

// Repair is a place that is repaired. Places are bytes.
type Repair struct {
	Start      int     `json:"start"`
	End        int     `json:"end"`
	From       string  `json:"from"`
	To         string  `json:"to"`
	Confidence float64 `json:"confidence"`
}

// Plain counts the words of a text that begin with a small letter, and those of them that a dictionary has: its quality as far as it can be told without other
// texts. Others are left out: dictionaries have few names, and no numbers.
func Plain(text string, known func(word string) bool) (words, recognised int) {
	for w := range Words(text) {
		if first, _ := utf8.DecodeRuneInString(w.Text); !unicode.IsLower(first) {
			continue
		}
		words++
		lower := strings.ToLower(w.Text)
		base, _, _ := cutPossessive(lower)
		if known(lower) || known(base) {
			recognised++
		}
	}
	return words, recognised
}

// Report is what is known of a text: how many words it has and how many of them are recognised, and repairs.
type Report struct {
	Words      int      `json:"words"`
	Recognised int      `json:"recognised"`
	Repairs    []Repair `json:"repairs,omitempty"`
}

// Share returns the share of words that are recognised; 1 of a text without words.
func (r Report) Share() float64 {
	if r.Words == 0 {
		return 1
	}
	return float64(r.Recognised) / float64(r.Words)
}

// Read reads a text. Repairs are of words that begin with a small letter: names are rarely known, and their scans rarely frequent.
func (r *Repairer) Read(text string) Report {
	var out Report
	var unknown []Word // not recognised
	var words []string // all, in small letters
	var places []int   // of the unknown among them
	for w := range Words(text) {
		lower := strings.ToLower(w.Text)
		words = append(words, lower)
		out.Words++
		if r.Recognised(lower) {
			out.Recognised++
			continue
		}
		unknown, places = append(unknown, w), append(places, len(words)-1)
	}
	noise := float64(len(unknown)+1) / float64(len(words)+20)
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return words[i]
	}
	for k, w := range unknown {
		if first, _ := utf8.DecodeRuneInString(w.Text); unicode.IsUpper(first) || utf8.RuneCountInString(w.Text) < 3 {
			continue
		}
		if noise < foreignNoise && r.foreign(places, k) {
			continue
		}
		if to, confidence := r.repair(w.Text, at(places[k]-1), at(places[k]+1), noise); to != "" {
			out.Repairs = append(out.Repairs, Repair{w.Start, w.End, w.Text, to, confidence})
		}
	}
	return out
}

// foreignNoise is the share of words that are not recognised above which a text is bad, and foreign words cannot be told from it.
const foreignNoise = 0.05

// foreign reports whether at least two of the four words around the k-th unknown one are unknown too.
func (r *Repairer) foreign(places []int, k int) bool {
	n := 0
	for i := max(0, k-2); i < min(len(places), k+3); i++ {
		if d := places[i] - places[k]; i != k && d >= -2 && d <= 2 {
			n++
		}
	}
	return n >= 2
}
