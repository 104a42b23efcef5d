// Package sentence cuts text into sentences and these into tokens, each with its place in the text.
//
// Sentences are those of varve/text/token: the boundaries of Unicode, put together again after abbreviations, initials and
// quotations; a line break ends a sentence, since headings, list items and cells stand on lines of their own, unless the
// next line goes on with a small letter (text with hard line breaks).
//
// A token is what the English Web Treebank calls a word, so that what is learned from it fits: punctuation stands alone
// (runs of the same sign together: ... !!! --), clitics are cut off (do n't, it 's), hyphens stand alone (well - known)
// but after a prefix (non-profit), and addresses, numbers with their signs, dates, times, emoticons, @names and #tags
// stay whole. Places are bytes from the beginning of the text, as everywhere in varve/text.
//
// Cost is linear in the text, whatever it is: a sentence has at most MaxTokens tokens (what is longer is cut), a token
// may be as long as the text.
package sentence

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/text/token"
)

// MaxTokens is the largest number of tokens of a sentence. Longer ones are tables and lists without punctuation; they
// are cut, so that what works on sentences has bounds.
const MaxTokens = 400

// Token is a token and where it stands.
type Token struct {
	Text       string
	Start, End int // bytes from the beginning of the text
}

// Sentence is a sentence with its tokens.
type Sentence struct {
	Start, End int
	Tokens     []Token
}

// Split goes through the sentences of an English text. The tokens of a sentence are valid until the next.
func Split(text string) iter.Seq[Sentence] { return SplitIn(text, "en") }

// SplitIn goes through the sentences of a text of some language (ISO 639-1; "" if it is not known), whose abbreviations and ordinals are known if
// varve/text/token knows them. Tokens are cut by the same rules in all languages; where no blanks are written they are whole clauses.
func SplitIn(text, lang string) iter.Seq[Sentence] {
	return func(yield func(Sentence) bool) {
		t := tokeniser{text: text}
		for s := range token.Sentences(text, lang) {
			t.begin(s.Start, s.End)
			for rest := t.more(nil); len(rest) > 0; rest = t.more(rest) {
				n := min(len(rest), MaxTokens)
				if !yield(Sentence{rest[0].Start, rest[n-1].End, rest[:n]}) {
					return
				}
				rest = rest[n:]
			}
		}
	}
}

// AppendTokens appends the tokens of text[start:end], a sentence.
func AppendTokens(tokens []Token, text string, start, end int) []Token {
	t := tokeniser{text: text, tokens: tokens}
	t.begin(start, end)
	for t.piece() {
	}
	return t.tokens
}

// ignorable reports whether a character is no part of any word: controls, and marks for the direction of writing.
func ignorable(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff
}

// tokeniser cuts a part of a text into tokens, piece by piece: a sentence may be as long as the text, and its tokens are many times as long.
type tokeniser struct {
	text    string
	at, end int // what is left
	stop    int // the end of what stands before the next white space
	tokens  []Token
}

func (t *tokeniser) begin(start, end int) { t.at, t.end, t.stop = start, end, start }

// more returns the tokens of rest, which are the last ones it returned, and behind them others until they are MaxTokens or there are no more.
func (t *tokeniser) more(rest []Token) []Token {
	if len(rest) >= MaxTokens {
		return rest
	}
	t.tokens = append(t.tokens[:0], rest...)
	for len(t.tokens) < MaxTokens && t.piece() {
	}
	return t.tokens
}

// piece cuts the next piece: marks, or a word with the marks behind it. It reports whether something was left.
func (t *tokeniser) piece() bool {
	for t.at == t.stop {
		if t.at == t.end {
			return false
		}
		r, n := utf8.DecodeRuneInString(t.text[t.at:t.end])
		if unicode.IsSpace(r) || ignorable(r) {
			t.at += n
			t.stop = t.at
			continue
		}
		for t.stop < t.end {
			r, n := utf8.DecodeRuneInString(t.text[t.stop:t.end])
			if unicode.IsSpace(r) || ignorable(r) {
				break
			}
			t.stop += n
		}
	}
	s := t.text[t.at:t.stop]
	n := whole(s)
	if n == 0 {
		n = mark(s)
	}
	if n > 0 {
		t.add(t.at, t.at+n)
	} else {
		n = core(s)
		t.word(t.at, t.at+n)
	}
	t.at += n
	return true
}

func (t *tokeniser) add(from, to int) {
	if from < to {
		t.tokens = append(t.tokens, Token{t.text[from:to], from, to})
	}
}

// longestEmoticon is the length of the longest of emoticons.
const longestEmoticon = 3

// emoticons stay whole.
var emoticons = func() map[string]bool {
	m := map[string]bool{}
	for e := range strings.FieldsSeq(`:) :( ;) :-) :-( ;-) :D :P :p :/ :-/ :-D =) =( (: ): :'( :o :O ;P ;p :] :[ <3 ^_^ xD XD ;D =D =] :)) :((`) {
		m[e] = true
	}
	return m
}()

// whole returns the length of an address, @name, #tag or emoticon that s begins with; 0 if there is none.
func whole(s string) int {
	if len(s) < 2 {
		return 0
	}
	if len(s) <= longestEmoticon && emoticons[s] { // a look-up reads all of s, and this is asked again for each token of it
		return len(s)
	}
	c := s[0]
	if (c == '@' || c == '#') && letter(s[1:]) {
		n := 1
		for n < len(s) {
			r, k := utf8.DecodeRuneInString(s[n:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
				break
			}
			n += k
		}
		return n
	}
	if c < '0' || c > 'z' || !address(s) {
		return 0
	}
	n := len(s)
	for n > 0 && strings.IndexByte(".,;:!?)]}>'\"", s[n-1]) >= 0 {
		n--
	}
	return n
}

// suffixes of names in the net that are seen without http:// or www.
var domains = map[string]bool{"com": true, "org": true, "net": true, "edu": true, "gov": true, "info": true, "uk": true, "de": true, "fr": true, "ca": true, "au": true, "tv": true, "io": true, "eu": true, "us": true, "biz": true, "mil": true, "int": true}

// longestHost is the longest name of a host.
const longestHost = 253

// address reports whether s begins with an address of the web or of mail.
func address(s string) bool {
	if len(s) > 4 && (foldPrefix(s, "http://") || foldPrefix(s, "https://") || foldPrefix(s, "ftp://") || foldPrefix(s, "www.") || foldPrefix(s, "mailto:")) {
		return true
	}
	s = s[:min(len(s), 2*longestHost)] // a look, not the whole: text without blanks is looked at again and again
	host := s
	if i := strings.IndexByte(s, '@'); i > 0 {
		host = s[i+1:]
	} else if i := strings.IndexByte(s, '/'); i > 0 {
		host = s[:i]
	}
	host = strings.TrimRight(host, ".,;:!?)]}>'\"")
	if len(host) > longestHost {
		return false
	}
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || !domains[strings.ToLower(host[dot+1:])] {
		return false
	}
	for i := range dot {
		if c := host[i]; c >= utf8.RuneSelf || !alnum(c) && c != '.' && c != '-' || c == '.' && host[i+1] == '.' {
			return false
		}
	}
	return dot > 1 || s != host
}

func foldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func letter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

func digit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// mark returns the length of the punctuation or sign that s begins with; 0 if it begins with a word or number.
func mark(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' {
		return 0
	}
	switch r {
	case '.', ',':
		if digit(s[n:]) && r == '.' {
			return 0 // .5
		}
	case '\'', '’', '`', '‘':
		if clitic(s) == len(leadingWord(s[n:]))+n && len(s) > n {
			return clitic(s) // 's, n't cut off by a space
		}
		if strings.HasPrefix(s[n:], s[:n]) {
			return 2 * n // ''
		}
		if digit(s[n:]) && r != '`' && r != '‘' {
			return 0 // '72
		}
		return n
	case '-', '+':
		if digit(s[n:]) && len(s) > n {
			return n
		}
	case '?', '!':
		for n < len(s) && (s[n] == '?' || s[n] == '!') {
			n++
		}
		return n
	}
	if strings.ContainsRune(".-–—*=_~+#<>|…", r) {
		for strings.HasPrefix(s[n:], string(r)) && n < len(s) {
			n += utf8.RuneLen(r)
		}
	}
	return n
}

// leadingWord returns the letters that s begins with.
func leadingWord(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if i < 0 {
		return s
	}
	return s[:i]
}

// inner are signs that belong to a word or number if a letter or digit follows.
func inner(s string, i, n int, r rune) bool {
	next, _ := utf8.DecodeRuneInString(s[i+n:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	switch r {
	case '\'', '’', '_', '´':
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	case '.':
		if unicode.IsDigit(before) != unicode.IsDigit(next) {
			return unicode.IsLetter(next) && fileName(s[i+n:])
		}
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	case ',', ':':
		return unicode.IsDigit(before) && unicode.IsDigit(next)
	case '/':
		return unicode.IsDigit(before) && unicode.IsDigit(next)
	case '-':
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	case '&':
		return unicode.IsUpper(before) && unicode.IsUpper(next) // AT&T
	case '@':
		return unicode.IsLetter(next)
	}
	return unicode.IsMark(r) || r == 0xad
}

func fileName(s string) bool { return len(leadingWord(s)) == 3 }

// core returns the length of the word or number that s begins with, hyphens in it included, and of the full stop
// of an abbreviation.
func core(s string) int {
	n := 0
	for n < len(s) {
		r, k := utf8.DecodeRuneInString(s[n:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) || n > 0 && inner(s, n, k, r) || n == 0 {
			n += k
			continue
		}
		break
	}
	if n < len(s) && s[n] == '.' && abbreviation(s[:n], s[n+1:]) {
		n++
	}
	return n
}

// abbreviation reports whether the full stop after a word belongs to it.
func abbreviation(word, rest string) bool {
	if len(word) > 12 || rest != "" && mark(rest) == 0 {
		return false
	}
	first, n := utf8.DecodeRuneInString(word)
	if n == len(word) {
		return unicode.IsUpper(first) && first != 'I'
	}
	if strings.Contains(word, ".") && !unicode.IsDigit(first) {
		longest := 0
		for part := range strings.SplitSeq(word, ".") {
			longest = max(longest, utf8.RuneCountInString(part))
		}
		return longest <= 2 // U.S, Ph.D
	}
	return token.Abbreviation(word, "en")
}

// longestPrefix is the length of the longest of prefixes.
const longestPrefix = 7

// prefixes are cut off a word with a hyphen together with it.
var prefixes = func() map[string]bool {
	m := map[string]bool{}
	for p := range strings.FieldsSeq("e non anti co re pre pro mid semi multi ex pan cross post over mini psycho un sub inter trans ultra neo pseudo bi tri de counter vice") {
		m[p] = true
	}
	return m
}()

// word cuts a word at its hyphens, but behind a prefix at its beginning, and then at its clitics.
func (t *tokeniser) word(from, to int) {
	s := t.text[from:to]
	start := 0
	if strings.Contains(s, "-") && !numeric(s) {
		for i := range len(s) {
			if s[i] != '-' || i == start || start == 0 && i <= longestPrefix && prefixes[strings.ToLower(s[:i])] {
				continue
			}
			t.plain(from+start, from+i)
			t.add(from+i, from+i+1)
			start = i + 1
		}
	}
	t.plain(from+start, to)
}

// plain cuts a word without hyphens.
func (t *tokeniser) plain(from, to int) {
	s := t.text[from:to]
	if digit(s) { // 5pm, 10am, 5km: the unit is a word of its own
		i := 0
		for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == ':' || s[i] == ',') {
			i++
		}
		switch strings.ToLower(strings.TrimSuffix(s[i:], ".")) {
		case "am", "pm", "a.m", "p.m", "km", "kg", "mm", "cm", "mb", "gb", "kb", "mg", "ml", "mph", "min", "hrs", "hr", "lbs", "k", "m":
			if i < len(s) && s[i-1] != '.' && s[i-1] != ',' {
				t.add(from, from+i)
				t.add(from+i, to)
				return
			}
		}
	}
	switch strings.ToLower(s[:min(len(s), 7)]) {
	case "cannot", "gonna", "gotta", "wanna", "gimme", "lemme":
		if len(s) <= 6 {
			t.add(from, from+3)
			t.add(from+3, to)
			return
		}
	}
	var ends [4]int // should n't 've
	n := 0
	for cut := true; cut && n < len(ends); {
		cut = false
		for i := len(s) - 1; i > 0 && len(s)-i <= 5; i-- {
			if clitic(s[i:]) > 0 {
				ends[n] = len(s)
				n, s, cut = n+1, s[:i], true
				break
			}
		}
	}
	t.add(from, from+len(s))
	for at := len(s); n > 0; n-- {
		t.add(from+at, from+ends[n-1])
		at = ends[n-1]
	}
}

// numeric reports whether a word has no letters, as telephone numbers and dates do.
func numeric(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) < 0 }

// clitic returns the length of the clitic that s is; 0 if it is none.
func clitic(s string) int {
	if len(s) > 6 {
		return 0
	}
	switch strings.ReplaceAll(strings.ToLower(s), "’", "'") {
	case "'s", "'m", "'d", "'re", "'ve", "'ll", "n't":
		return len(s)
	}
	return 0
}
