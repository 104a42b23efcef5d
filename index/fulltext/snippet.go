package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sizes of a snippet, in bytes.
const (
	snippetSize = 240
	snippetScan = 64 << 10 // of the text that is looked at
)

// wordsOf are the words that a query looks for in the text.
func wordsOf(n Node) []Words {
	switch n := n.(type) {
	case And:
		return wordsOfAll(n)
	case Or:
		return wordsOfAll(n)
	case Words:
		if n.Field == "" || n.Field == "text" {
			return []Words{n}
		}
	}
	return nil
}

func wordsOfAll(list []Node) (out []Words) {
	for _, x := range list {
		out = append(out, wordsOf(x)...)
	}
	return out
}

// span is a place in a text.
type span struct{ from, to int }

// snippet gives the part of a text with the most of the words, marked.
func snippet(text string, words []Words) []Piece {
	if len(text) > snippetScan {
		text = strings.ToValidUTF8(text[:snippetScan], "")
	}
	marks := find(text, words)
	from := 0
	if len(marks) > 0 {
		from = densest(marks)
	}
	from, to := edges(text, max(0, from-snippetSize/4))
	return cut(text, from, to, marks)
}

// find gives the places of the words, in order.
func find(text string, words []Words) (out []span) {
	type wanted struct {
		word   string
		prefix bool
	}
	var want []wanted
	for _, w := range words {
		fields := strings.FieldsFunc(strings.ToLower(w.Text), notWord)
		for i, f := range fields {
			want = append(want, wanted{f, w.Prefix && i == len(fields)-1})
		}
	}
	if len(want) == 0 {
		return nil
	}
	for at := 0; at < len(text) && len(out) < 1000; {
		end, plain := wordEnd(text, at)
		if end == at {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		for _, w := range want {
			if plain && (end-at < len(w.word) || end-at > len(w.word) && !w.prefix) {
				continue // cannot be it, by its length
			}
			word := strings.ToLower(text[at:end])
			if word == w.word || w.prefix && strings.HasPrefix(word, w.word) {
				out = append(out, span{at, end})
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

// densest gives the start of the stretch with the most marks.
func densest(marks []span) int {
	best, at := 0, marks[0].from
	from := 0
	for i := range marks {
		for marks[i].to-marks[from].from > snippetSize*3/4 {
			from++
		}
		if n := i - from + 1; n > best {
			best, at = n, marks[from].from
		}
	}
	return at
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
