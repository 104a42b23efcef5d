package fulltext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"varve/derive"
)

// Sizes of a snippet, in bytes.
const (
	snippetSize = 240
	snippetScan = 256 << 10 // of the text that is looked at
	maxMarks    = 1000
)

// sought is a word that a query looks for. Of words in a row, the first one tells how many follow it.
type sought struct {
	field  string // "" for any
	word   string
	prefix bool
	row    int  // words of the phrase that begins here; 0 in the middle of one
	odd    bool // a word that only the analyser can tell: 3.14, or of a script without spaces
}

// soughtIn lists the words that a query looks for; those that must be missing are not among them.
func soughtIn(w *weights, n Node) (out []sought) {
	for leaf, not := range leaves(n) {
		if not {
			continue
		}
		words := w.words[leaf]
		for i, word := range words {
			one := sought{field: leaf.Field, word: word, prefix: leaf.Prefix && i == len(words)-1, row: 1, odd: odd(word)}
			if len(words) > 1 && leaf.Within == 0 {
				one.row = 0
				if i == 0 {
					one.row = len(words)
				}
			}
			out = append(out, one)
		}
	}
	return out
}

// in keeps the words that are looked for in a field.
func in(list []sought, field string) (out []sought) {
	for _, w := range list {
		if w.field == "" || w.field == field {
			out = append(out, w)
		}
	}
	return out
}

// span is a place in a text, and which word is there.
type span struct {
	from, to int
	word     int
}

// passages finds what of a document to show: where words of the query were found, and a passage with them, marked. The passage is of
// the text; of the words of links to it if only they have a word.
func passages(a analysis.Analyzer, v *derive.VersionRow, list []sought) (where []string, pieces []Piece) {
	text := v.Text
	if len(text) > snippetScan {
		text = strings.ToValidUTF8(text[:snippetScan], "")
	}
	marks := findAll(a, text, in(list, "text"))
	if len(marks) > 0 {
		where = append(where, "text")
	}
	var anchors []span
	for _, f := range []struct{ name, text string }{{"title", v.Title}, {"anchor", v.Anchors}, {"url", addressWords(v.URL)}} {
		found := findAll(a, f.text, in(list, f.name))
		if len(found) > 0 {
			where = append(where, f.name)
		}
		if f.name == "anchor" {
			anchors = found
		}
	}
	if len(marks) == 0 && len(anchors) > 0 {
		return where, passage(v.Anchors, anchors, in(list, "anchor"))
	}
	return where, passage(text, marks, in(list, "text"))
}

// passage gives the part of a text with the most of the words, marked.
func passage(text string, marks []span, list []sought) []Piece {
	from := 0
	if len(marks) > 0 {
		from = densest(text, marks, list)
	}
	from, to := edges(text, max(0, from-snippetSize/4))
	return cut(text, from, to, marks)
}

// odd tells words that the scan of find would cut in another way than the analyser.
func odd(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return notWord(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// findAll gives the places of the words, in order: by a scan that knows plain words, and of odd ones by the analyser.
func findAll(a analysis.Analyzer, text string, list []sought) []span {
	if len(list) == 0 || text == "" {
		return nil
	}
	out := find(text, list)
	if !slices.ContainsFunc(list, func(w sought) bool { return w.odd }) {
		return out
	}
	for _, t := range a.Analyze([]byte(text)) {
		i := slices.IndexFunc(list, func(w sought) bool { return w.odd && w.is(string(t.Term)) })
		if i >= 0 && len(out) < maxMarks {
			out = append(out, span{t.Start, t.End, i})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return a.from - b.from })
	return slices.CompactFunc(out, func(a, b span) bool { return b.from < a.to })
}

// is tells whether a word of a text is the one that is looked for.
func (w *sought) is(word string) bool {
	return word == w.word || w.prefix && strings.HasPrefix(word, w.word)
}

// firstBytes tells with which bytes a word that is looked for may begin in a text; letters beyond ASCII may be in capitals, and count
// all.
func firstBytes(list []sought) *[256]bool {
	var out [256]bool
	for _, w := range list {
		out[w.word[0]] = true
		if c := w.word[0]; c >= 'a' && c <= 'z' {
			out[c-'a'+'A'] = true
		}
	}
	for c := utf8.RuneSelf; c < len(out); c++ {
		out[c] = true
	}
	return &out
}

// find gives the places of the words, in order.
func find(text string, list []sought) (out []span) {
	begins := firstBytes(list)
	for at := 0; at < len(text) && len(out) < maxMarks; {
		end, plain := wordEnd(text, at)
		if end == at {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		if !begins[text[at]] {
			at = end
			continue
		}
		for i := range list {
			w := &list[i]
			if w.odd || plain && (end-at < len(w.word) || end-at > len(w.word) && !w.prefix) {
				continue // cannot be it, by its length
			}
			if w.is(strings.ToLower(text[at:end])) {
				out = append(out, span{at, end, i})
				break
			}
		}
		at = end
	}
	return out
}

// wordEnd gives the end of the word at a place, and whether it is plain ASCII.
func wordEnd(text string, at int) (end int, plain bool) {
	plain = true
	for end = at; end < len(text); {
		if c := text[end]; c < utf8.RuneSelf {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '\'') {
				return end, plain
			}
			end++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[end:])
		if notWord(r) {
			return end, plain
		}
		plain = false
		end += n
	}
	return end, plain
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && !unicode.IsMark(r)
}

// rowWeight is how many scattered words a whole phrase is worth.
const rowWeight = 10

// densest gives the start of the stretch with the most marks; whole phrases count more.
func densest(text string, marks []span, list []sought) int {
	best, at, from, sum := 0, marks[0].from, 0, 0
	weights := make([]int, len(marks))
	for i := range marks {
		weights[i] = 1
		if n := list[marks[i].word].row; n > 1 && inRowHere(text, marks[i:], list, n) {
			weights[i] = rowWeight
		}
		sum += weights[i]
		for marks[i].to-marks[from].from > snippetSize*3/4 && from < i {
			sum -= weights[from]
			from++
		}
		if sum > best {
			best, at = sum, marks[from].from
		}
	}
	return at
}

// inRowHere tells whether n marks are the words of a phrase, with nothing but marks of punctuation between them.
func inRowHere(text string, marks []span, list []sought, n int) bool {
	if len(marks) < n {
		return false
	}
	first := marks[0].word
	for k := 1; k < n; k++ {
		if list[marks[k].word].word != list[first+k].word || strings.IndexFunc(text[marks[k-1].to:marks[k].from], func(r rune) bool { return !notWord(r) }) >= 0 {
			return false
		}
	}
	return true
}

// edges widens to whole words.
func edges(text string, from int) (int, int) {
	for from > 0 && !unicode.IsSpace(rune(text[from-1])) {
		from--
	}
	to := min(len(text), from+snippetSize)
	for to < len(text) && !unicode.IsSpace(rune(text[to])) && to-from < snippetSize+40 {
		to++
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	return from, to
}

// cut makes pieces of a stretch.
func cut(text string, from, to int, marks []span) (out []Piece) {
	add := func(a, b int, hit bool) {
		if a < b {
			out = append(out, Piece{Text: strings.Join(strings.Fields(" "+text[a:b]+" "), " "), Hit: hit})
		}
	}
	plain := func(a, b int) {
		if a < b {
			s := strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return ' '
				}
				return r
			}, text[a:b])
			out = append(out, Piece{Text: s})
		}
	}
	at := from
	for _, m := range marks {
		if m.from < from || m.to > to {
			continue
		}
		plain(at, m.from)
		add(m.from, m.to, true)
		at = m.to
	}
	plain(at, to)
	return out
}
