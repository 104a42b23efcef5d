package event

import (
	"crypto/sha256"
	_ "embed" // the verbs
	"strings"
	"sync"
)

// kind is what an item of a sentence is.
type kind uint8

const (
	phrase kind = iota + 1 // a noun phrase or a pronoun
	when                   // an expression of time
	verb                   // a verb with its auxiliaries
	prep                   // a preposition
	cc                     // and, or, but
	comma
	rel   // who, which, that
	sub   // a word that begins a clause
	open  // a bracket
	shut  // its end
	quote // a quotation mark
	stop  // a colon, a semicolon, a dash, a full stop
)

// form is how a verb stands.
type form uint8

const (
	finite     form = iota + 1 // she goes, has gone, will go
	infinitive                 // to go
	bare                       // go
	gerund                     // going
	participle                 // gone
)

// item is a part of a sentence.
type item struct {
	kind     kind
	from, to int    // tokens
	word     string // in lower case, of words that lead or join

	// Of phrases.
	head    int  // token; -1 of one that stands for nothing (there is)
	name    int  // name that the head is part of; -1 for none
	proper  bool // its head is a name
	named   bool // there is a name in it, or it is a pronoun for a person
	pronoun bool
	none    bool // no one, no bridge
	time    int  // of when

	// Of verbs.
	main     int // token
	lemma    string
	key      string // lemma, and what belongs to it: grow_up
	form     form
	past     bool   // not the simple present
	modal    string // will, or may for all others; "" for none
	denied   bool
	passive  bool
	lower    int  // verb before that it belongs to; -1 for none
	handed   bool // it hands its subject on, and is no event itself
	hangs    bool // an infinitive behind another verb
	subjects []int
	event    int // number of its event from 1; 0 for none
}

// read cuts a sentence into items.
func (f *Finder) read() {
	tokens := f.s.Tokens
	f.items = f.items[:0]
	f.nameAt, f.timeAt = resize(f.nameAt, len(tokens)), resize(f.timeAt, len(tokens))
	for i, n := range f.s.Names {
		for t := max(0, n.From); t < min(n.To, len(tokens)); t++ {
			f.nameAt[t] = int32(i + 1)
		}
	}
	for i, n := range f.s.Times {
		for t := max(0, n.From); t < min(n.To, len(tokens)); t++ {
			f.timeAt[t] = int32(i + 1)
		}
	}
	for i := 0; i < len(tokens); {
		next := f.item(i)
		i = max(next, i+1)
	}
}

func resize(of []int32, n int) []int32 {
	if cap(of) < n {
		return make([]int32, n)
	}
	of = of[:n]
	clear(of)
	return of
}

// add appends an item.
func (f *Finder) add(k kind, from, to int, word string) *item {
	f.items = append(f.items, item{kind: k, from: from, to: to, word: word, head: -1, name: -1, lower: -1})
	return &f.items[len(f.items)-1]
}

// longest is the part of a word that is looked at, in bytes.
const longest = 32

// lower is a word of a list in small letters; "" of one that is too long to be in any.
func (f *Finder) lower(i int) string {
	if len(f.s.Tokens[i].Text) > longest {
		return ""
	}
	return strings.ToLower(f.s.Tokens[i].Text)
}

// item adds the item that begins at a token, if one does, and returns the token behind it.
func (f *Finder) item(i int) int {
	t := &f.s.Tokens[i]
	if end, head, ok := f.phrase(i); ok {
		if at := int(f.timeAt[head]); at > 0 {
			return f.addTime(at - 1)
		}
		it := f.add(phrase, i, end, "")
		it.head = head
		if n := int(f.nameAt[head]); n > 0 {
			it.name = n - 1
		}
		for k := i; k < end; k++ {
			p := f.s.Tokens[k].Penn
			it.named = it.named || f.nameAt[k] > 0 || f.timeAt[k] == 0 && (p == "NNP" || p == "NNPS") || p == "PRP$" && persons[f.lower(k)]
		}
		it.proper = it.name >= 0 || strings.HasPrefix(f.s.Tokens[head].Penn, "NNP")
		if word := f.lower(i); t.Penn == "DT" {
			if it.none = nobody[word]; end == i+1 && points[word] {
				it.head = -1 // this has led to
			}
		}
		return end
	}
	if at := int(f.timeAt[i]); at > 0 && f.s.Times[at-1].From == i {
		return f.addTime(at - 1)
	}
	switch word := f.lower(i); t.Penn {
	case "PRP":
		it := f.add(phrase, i, i+1, word)
		it.head, it.pronoun, it.named = i, true, persons[word]
	case "EX":
		f.add(phrase, i, i+1, word)
	case "WP", "WDT", "WP$":
		f.add(rel, i, i+1, word)
	case "WRB":
		f.add(sub, i, i+1, word)
	case "IN":
		switch {
		case word == "that" && f.is(len(f.items)-1, phrase) && i+1 < len(f.s.Tokens) && isVerb(f.s.Tokens[i+1].Penn):
			f.add(rel, i, i+1, word)
		case clauses[word]:
			f.add(sub, i, i+1, word)
		default:
			f.add(prep, i, i+1, word)
		}
	case "TO":
		if f.infinitiveAt(i) {
			return f.verb(i)
		}
		f.add(prep, i, i+1, word)
	case "CC":
		f.add(cc, i, i+1, word)
	case ",":
		f.add(comma, i, i+1, word)
	case "-LRB-":
		f.add(open, i, i+1, word)
	case "-RRB-":
		f.add(shut, i, i+1, word)
	case "``", "''":
		f.add(quote, i, i+1, word)
	case ":", ".":
		f.add(stop, i, i+1, word)
	case "MD", "VB", "VBD", "VBP", "VBZ", "VBN", "VBG":
		if t.Penn == "VBG" && likePrep[word] && !f.is(len(f.items)-1, verb) {
			f.add(prep, i, i+1, word)
			return i + 1
		}
		return f.verb(i)
	}
	return i + 1
}

func (f *Finder) addTime(time int) int {
	s := f.s.Times[time]
	it := f.add(when, s.From, s.To, "")
	it.time = time
	return s.To
}

func isVerb(penn string) bool { return strings.HasPrefix(penn, "VB") || penn == "MD" }

func isNoun(penn string) bool { return strings.HasPrefix(penn, "NN") || penn == "FW" }

func isAdjective(penn string) bool { return strings.HasPrefix(penn, "JJ") }

// phrase returns the end and the head of the noun phrase that begins at a token; ok is false if none does.
func (f *Finder) phrase(i int) (end, head int, ok bool) {
	tokens := f.s.Tokens
	noun, j := -1, i
	owned := false // behind 's: what follows is the head
	penn := func(k int) string {
		if k < 0 || k >= len(tokens) {
			return ""
		}
		return tokens[k].Penn
	}
scan:
	for j < len(tokens) && j < i+window {
		if n := int(f.nameAt[j]); n > 0 && (j == i || f.nameAt[j-1] != int32(n)) && f.s.Names[n-1].From == j {
			if noun >= 0 && !owned && ((f.timeAt[noun] > 0) != (f.timeAt[j] > 0) || penn(noun) == "NNS") {
				break scan // in later years Nida
			}
			j = max(j+1, min(f.s.Names[n-1].To, len(tokens)))
			noun, owned = j-1, false
			continue
		}
		switch p := tokens[j].Penn; {
		case isNoun(p):
			if noun >= 0 && !owned && ((f.timeAt[noun] > 0) != (f.timeAt[j] > 0) || penn(noun) == "NNS" && p == "NNP") {
				break scan // met Obama Monday
			}
			noun, owned = j, false
		case p == "DT" || p == "PDT" || p == "PRP$":
			if noun >= 0 && !owned {
				break scan
			}
			owned = false
		case p == "POS" && noun >= 0:
			owned = true
		case p == "CD" || p == "$" || p == "HYPH" && j > i || p == "#":
			if noun >= 0 && f.timeAt[j] > 0 && f.timeAt[noun] == 0 {
				break scan
			}
		case isAdjective(p):
			if noun >= 0 && !owned && !isNoun(penn(j+1)) && penn(j+1) != "HYPH" {
				break scan
			}
		case (p == "RB" || p == "RBS" || p == "RBR") && j > i && (noun < 0 || owned):
			if q := penn(j + 1); !isAdjective(q) && q != "VBN" && q != "VBG" && q != "CD" {
				break scan
			}
		case (p == "VBN" || p == "VBG") && j > i && (noun < 0 || owned || penn(j-1) == "HYPH"):
			if q := penn(j + 1); !isNoun(q) && !isAdjective(q) && q != "HYPH" && penn(j-1) != "HYPH" {
				break scan
			}
		case (p == "CC" || p == ",") && j > i && noun < 0 && isAdjective(penn(j-1)):
			if q := penn(j + 1); !isAdjective(q) && !(p == "," && q == "CC") {
				break scan
			}
		case p == "IN" && penn(j-1) == "HYPH" && penn(j+1) == "HYPH" && noun >= 0: // daughter-in-law
		case (p == "``" || p == "''") && j > i && isNoun(penn(j+1)) && (noun < 0 || p == "''" && penn(j+1) == "NN"):
		default:
			break scan
		}
		j++
	}
	if noun >= 0 {
		end = noun + 1
		for end < j && penn(end) == "CD" { // Terminal 2
			end++
		}
		return end, noun, true
	}
	// Without a noun: some, the first, two.
	for j > i {
		if p := penn(j - 1); p == "DT" || p == "CD" || isAdjective(p) && (penn(i) == "DT" || j < len(tokens) && f.lower(j) == "of") {
			return j, j - 1, true
		}
		j--
	}
	return i, i, false
}

// infinitiveAt reports whether "to" at a token begins an infinitive.
func (f *Finder) infinitiveAt(i int) bool {
	for k := i + 1; k < len(f.s.Tokens) && k < i+4; k++ {
		switch f.s.Tokens[k].Penn {
		case "VB":
			return true
		case "RB":
		default:
			return false
		}
	}
	return false
}

// verb adds the verb that begins at a token, with its auxiliaries, and returns the token behind it.
func (f *Finder) verb(i int) int {
	tokens := f.s.Tokens
	it := f.add(verb, i, i+1, "")
	it.denied = i > 0 && denials[f.lower(i-1)]
	helper := "" // the auxiliary before
	j := i
	for steps := 0; ; steps++ {
		t := &tokens[j]
		lemma := t.Lemma
		word := f.lower(j)
		switch t.Penn {
		case "MD":
			if it.modal = "may"; word == "will" || word == "'ll" || word == "’ll" || word == "wo" {
				it.modal = "will"
			}
		case "TO":
		default:
			if it.main = j; t.Penn == "VBN" || t.Penn == "VBD" {
				it.passive = helper == "be" || helper == "get"
			} else {
				it.passive = false
			}
		}
		if steps == 0 {
			switch t.Penn {
			case "TO":
				it.form = infinitive
			case "VB":
				it.form = bare
			case "VBG":
				it.form, it.past = gerund, true
			case "VBN":
				it.form, it.past = participle, true
			default:
				it.form, it.past = finite, t.Penn == "VBD"
			}
		}
		k, denied := j+1, false
		for k < len(tokens) && k < j+4 && tokens[k].Penn == "RB" {
			denied = denied || denials[f.lower(k)]
			k++
		}
		if steps > 8 || k >= len(tokens) {
			break
		}
		// Perfect and progressive tell of something that happened or happens.
		switch next := tokens[k].Penn; {
		case (t.Penn == "MD" || t.Penn == "TO" || lemma == "do") && next == "VB":
		case lemma == "have" && (next == "VBN" || next == "VBD"):
			it.past = true
		case lemma == "be" && next == "VBG":
			it.past = true
		case (lemma == "be" || lemma == "get") && (next == "VBN" || next == "VBD"):
		case lemma == "go" && helper == "be" && t.Penn == "VBG" && next == "TO" && f.infinitiveAt(k):
			it.modal = "will"
		case lemma == "have" && next == "TO" && f.infinitiveAt(k):
			if t.Penn != "VBD" {
				it.modal = "may"
			}
		case lemma == "use" && t.Penn == "VBD" && helper == "" && next == "TO" && f.infinitiveAt(k):
			it.modal = "may" // a habit
		default:
			it.denied = it.denied || denied && helperOnly(lemma)
			return f.endVerb(it, j)
		}
		it.denied = it.denied || denied
		if t.Penn != "TO" && t.Penn != "MD" {
			helper = lemma
		}
		j = k
	}
	return f.endVerb(it, j)
}

// helperOnly reports whether a verb is an auxiliary or a copula: "not" behind it denies it.
func helperOnly(lemma string) bool { return lemma == "be" || lemma == "have" || lemma == "do" }

// endVerb ends a verb whose last token is j, with the particle behind it.
func (f *Finder) endVerb(it *item, j int) int {
	tokens := f.s.Tokens
	it.to = j + 1
	if len(tokens[it.main].Lemma) <= longest {
		it.lemma = strings.ToLower(tokens[it.main].Lemma)
	}
	it.key = it.lemma
	if k := j + 1; k < len(tokens) {
		with := it.lemma + "_" + f.lower(k)
		particle := tokens[k].Penn == "RP"
		if particle && !helperOnly(it.lemma) || verbs().has(with) {
			it.key = with
		}
		if particle {
			it.to = k + 1
		}
	}
	return it.to
}

//go:embed verbs.txt
var verbsFile string

// Sum returns a digest of the lists that come with the program: what was made with others is to be made again.
func Sum() [32]byte { return sha256.Sum256([]byte(verbsFile)) }

// verbLists are the lists of verbs.txt.
type verbLists struct {
	classes map[string]Class // "" is a state
	nouns   map[string]Class // of objects of light verbs

	light, raise, wish, with, two map[string]bool
}

var verbs = sync.OnceValue(func() *verbLists {
	v := &verbLists{map[string]Class{}, map[string]Class{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for line := range strings.Lines(verbsFile) {
		list, words, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(words) {
			if of, ok := strings.CutPrefix(list, "of "); ok {
				v.nouns[w] = Class(of)
				continue
			}
			switch list {
			case "light":
				v.light[w] = true
			case "raise":
				v.raise[w] = true
			case "wish":
				v.wish[w] = true
			case "with":
				v.with[w] = true
			case "two":
				v.two[w] = true
			case "state":
				v.classes[w] = ""
			default:
				v.classes[w] = Class(list)
			}
		}
	}
	return v
})

func (v *verbLists) has(key string) bool {
	_, ok := v.classes[key]
	return ok || v.raise[key]
}

// class returns the class of a verb; ok is false of states.
func (v *verbLists) class(it *item) (c Class, ok bool) {
	if c, known := v.classes[it.key]; known {
		return c, c != ""
	}
	if c, known := v.classes[it.lemma]; known {
		// a state with a particle is something else: live, live down
		if it.key != it.lemma && c == "" {
			return Other, true
		}
		return c, c != ""
	}
	return Other, true
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// Words that lead or join.
var (
	nobody         = set("no neither")
	points         = set("this that these those no")
	amounts        = set("many most some several all both each number lot majority dozen hundred thousand couple pair handful")
	titles         = set("minister secretary president king queen prince duke governor director head chief ambassador bishop archbishop earl emperor")
	persons        = set("i we he she they me us him her them my our his their")
	denials        = set("not n't n’t never no hardly scarcely")
	clauses        = set("that if because while although though whether unless once whereas lest so")
	clauseOrPhrase = set("after before as since until till for like than")
	doubts         = set("if unless whether lest")
	takesGerund    = set("after before by upon since while when")
	likePrep       = set("according including following regarding concerning involving considering")
	within         = set("in at near outside inside within across throughout around on")
	towards        = set("to into from through toward towards for via")
	places         = set(`academy airport area barracks base basement beach bridge building camp campus capital castle cathedral cave cemetery center centre church city
		coast college colony cottage country county court courthouse district embassy factory farm forest garden hall harbor harbour headquarters hill home hospital hotel house
		island jail lake library mansion market monastery mosque mountain museum neighborhood neighbourhood palace park parliament plant port prison province region restaurant river
		road room school sea seminary square stadium state station store street studio suburb temple theater theatre town university valley village zone`)
)
