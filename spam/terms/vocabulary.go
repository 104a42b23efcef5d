package terms

import (
	"cmp"
	"slices"
)

// Most is how many words of a language are kept, as in the LiWA paper.
const Most = 50_000

// Term is a word of a language with its sums.
type Term struct {
	Language string // ISO 639-1; "" is all languages together
	Word     string
	Count    int64 // occurrences
	Pages    int64 // pages it is on
	Titles   int64 // titles it is in
}

// Size sums up a language.
type Size struct {
	Pages  int64
	Tokens int64
}

// Never is the rank of a word that is not on a list.
const Never = int32(1<<31 - 1)

// Ranks are the places of a word, from 0, on the lists of popular, corpus and query words.
type Ranks struct{ Popular, Corpus, Query int32 }

// Language is the words of one language, commonest first.
type Language struct {
	Size
	Terms []Term // stop words too
	Stop  int    // how many of them are stop words
	Query int    // length of the list of query words
	ranks map[string]Ranks
}

// Lookup gives the ranks of a word in lower case.
func (l *Language) Lookup(word string) Ranks {
	if r, known := l.ranks[word]; known {
		return r
	}
	return Ranks{Never, Never, Never}
}

// Words counts the corpus words.
func (l *Language) Words() int { return len(l.Terms) - l.Stop }

// Vocabulary is the words of a collection, by language; "" has all languages together. It is safe for concurrent use.
type Vocabulary struct {
	Languages map[string]*Language
	Trigrams  *Sketch // nil if they were not counted
}

// minPages is how many pages a language needs to have lists of its own.
const minPages = 50

// For gives the words of a language, or those of all where it has too few pages; nil if there are none at all.
func (v *Vocabulary) For(language string) *Language {
	if v == nil {
		return nil
	}
	if l := v.Languages[language]; l != nil && l.Pages >= minPages {
		return l
	}
	return v.Languages[""]
}

// rank sorts the words of a language and finds the lists.
func (l *Language) rank() {
	slices.SortFunc(l.Terms, func(a, b Term) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word)) })
	const hundred, quarter = 100, 4
	l.ranks = make(map[string]Ranks, len(l.Terms))
	var titled []Term
	corpus := int32(0)
	for i, t := range l.Terms {
		r := Ranks{int32(i), Never, Never}
		if i < hundred && t.Pages*quarter >= l.Pages && l.Pages > 1 {
			l.Stop++
		} else {
			r.Corpus = corpus
			corpus++
			if t.Titles > 0 {
				titled = append(titled, t)
			}
		}
		l.ranks[t.Word] = r
	}
	slices.SortFunc(titled, func(a, b Term) int { return cmp.Or(cmp.Compare(b.Titles, a.Titles), cmp.Compare(a.Word, b.Word)) })
	l.Query = min(len(titled), maxQuery)
	for i, t := range titled[:l.Query] {
		r := l.ranks[t.Word]
		r.Query = int32(i)
		l.ranks[t.Word] = r
	}
}

// maxQuery is how many query words there are at most: the longest list that features ask for.
const maxQuery = 1000

// Queries puts a query log in the place of titles: its words, commonest first, are the query words of every language.
func (v *Vocabulary) Queries(words []string) {
	for _, l := range v.Languages {
		for w, r := range l.ranks {
			r.Query = Never
			l.ranks[w] = r
		}
		l.Query = min(len(words), maxQuery)
		for i, w := range words[:l.Query] {
			r := l.Lookup(w)
			r.Query = int32(i)
			l.ranks[w] = r
		}
	}
}
