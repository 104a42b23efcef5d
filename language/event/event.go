// Package event finds who did what to whom, when and where, in English sentences whose tokens have tags and lemmas, and whose names and times are known.
//
// An *event* is something that happened, happens or is announced, told by a verb, its *trigger*, with a name or a personal pronoun beside it. States (be, know, own), wishes, conditions,
// what is denied and what may be are none. Its *roles* are who acts, whom or what it is done to, when, and where; each is a name with all its words, or the
// head of a phrase. Its *class* says what kind of thing it is: a list of verbs for each (verbs.txt).
//
// # How
//
//	phrases   runs of determiners, adjectives and nouns; names stay whole; the head is the last noun        phrase.go
//	verbs     runs of auxiliaries and a verb: tense, mood, passive, negation                                phrase.go
//	facts     verbs that tell of a fact: finite and not denied, doubted or a state; "began to work"         event.go
//	          hands its subject on; participles and gerunds beside a phrase or behind "after", "by"
//	roles     by position: the phrase before the verb that hangs on no preposition is the subject,          event.go
//	          through relatives, appositions and "and"; the phrase behind it the object; of a passive
//	          the subject is whom, and the phrase behind "by" is who; times and places belong to the
//	          verb before them, or, at the head of a clause, to the one behind
//
// Worked example: "On Monday, Obama, who was elected in 2008, met Merkel and Macron in Berlin." is
//
//	prep when , phrase , rel verb(passive) prep when , verb phrase and phrase prep phrase
//
// and gives elect (office) with whom Obama and when 2008, and meet (meet) with who Obama, whom Merkel and Macron, when Monday and where Berlin. TestWorkedExample has it.
//
// Cost is linear in the sentence: every search looks at a bounded number of neighbours (window). docs/algorithms/events.md has what was measured.
package event

import (
	"math"
	"slices"
	"strings"

	"varve/language/mention"
)

// Class is the kind of an event.
type Class string

// The classes.
const (
	Say      Class = "say"
	Meet     Class = "meet"
	Move     Class = "move"
	Conflict Class = "conflict"
	Justice  Class = "justice"  // law and police
	Office   Class = "office"   // posts, schools, service
	Life     Class = "life"     // birth, marriage, death
	Make     Class = "make"     // works, performances, foundations
	Contest  Class = "contest"  // sports
	Exchange Class = "exchange" // money, goods, prizes
	Other    Class = "other"
)

// Classes returns all classes.
func Classes() []Class {
	return []Class{Say, Meet, Move, Conflict, Justice, Office, Life, Make, Contest, Exchange, Other}
}

// Token is a word of a sentence with its Penn tag and its lemma.
type Token struct{ Text, Penn, Lemma string }

// Span is a run of tokens; To is excluded.
type Span struct{ From, To int }

// Name is a mention in a sentence.
type Name struct {
	Span
	Type mention.Type
}

// Sentence is what events are found in. Names and times are each in order and apart; a name may overlap a time.
type Sentence struct {
	Tokens []Token
	Names  []Name
	Times  []Span
}

// Part is what fills a role.
type Part struct {
	Span
	Type mention.Type // of a name; "" of others
	Time int          // of When: which of Sentence.Times
}

// Event is an event. Who and whom may be several; of times and places the first is taken.
type Event struct {
	Trigger    int    // token
	Verb       string // its lemma, with a particle that belongs to it: grow up
	Class      Class
	Who, Whom  []Part
	When       []Part
	Where      []Part
	Confidence float64 // how often such an event is right, between 0 and 1 (docs/algorithms/events.md)
}

// window is how many neighbours a search looks at.
const window = 40

// mostParts is how many parts of a role are kept: a list of more is no sentence.
const mostParts = 16

// Finder finds events. It keeps buffers and is not for concurrent use.
type Finder struct {
	s      *Sentence
	items  []item
	nameAt []int32 // of a token: number of its name from 1, 0 for none
	timeAt []int32
}

// NewFinder returns a finder.
func NewFinder() *Finder { return &Finder{} }

// Find returns the events of a sentence in the order of their triggers.
func (f *Finder) Find(s Sentence) []Event {
	if len(s.Tokens) == 0 || asks(s.Tokens) {
		return nil
	}
	f.s = &s
	f.read()
	f.link()
	var out []Event
	for k := range f.items {
		if it := &f.items[k]; it.kind == verb {
			it.subjects = f.subjects(k)
		}
	}
	for k := range f.items {
		if e, ok := f.event(k); ok {
			f.items[k].event = len(out) + 1
			out = append(out, e)
		}
	}
	if len(out) > 0 {
		f.place(out)
	}
	return out
}

// asks reports whether a sentence is a question: what is asked is no fact.
func asks(tokens []Token) bool {
	for i := len(tokens) - 1; i >= 0 && i > len(tokens)-4; i-- {
		if tokens[i].Text == "?" {
			return true
		}
	}
	return false
}

// link finds which verbs belong together: an infinitive or gerund that a verb hands its subject to, and words that begin a clause, not a phrase.
func (f *Finder) link() {
	for k := range f.items {
		it := &f.items[k]
		switch it.kind {
		case verb:
			// A participle before an object is a past tense that was tagged wrongly: Katrina devastated refineries.
			if it.form == participle && f.is(k+1, phrase) && !f.beginsClause(k+1) && (f.is(k-1, phrase) || f.is(k-1, cc) && f.active(k-1)) && !verbs().two[it.lemma] {
				it.form = finite
			}
			if k == 0 || f.items[k-1].kind != verb || f.items[k-1].to != it.from {
				continue
			}
			prior := &f.items[k-1]
			if it.form == infinitive && verbs().raise[prior.key] || it.form == gerund && verbs().raise[prior.key] && prior.form == finite {
				// began to work: work is the event, in the tense of began
				it.form, it.past, it.modal, it.denied, it.lower = prior.form, prior.past || it.past, prior.modal, prior.denied || it.denied, k-1
				prior.handed = true
			} else if it.form == infinitive || it.form == bare {
				it.lower = k - 1
				it.hangs = true
			}
		case prep:
			if clauseOrPhrase[it.word] && f.beginsClause(k+1) {
				it.kind = sub
			}
		}
	}
}

// active reports whether the verb before an item is finite and no passive.
func (f *Finder) active(k int) bool {
	q := f.verbBefore(k)
	return q >= 0 && f.items[q].form == finite && !f.items[q].passive
}

// beginsClause reports whether a phrase at an item is followed by a finite verb.
func (f *Finder) beginsClause(k int) bool {
	if k >= len(f.items) || f.items[k].kind != phrase {
		return false
	}
	for k++; k+1 < len(f.items) && f.items[k].kind == prep && (f.items[k+1].kind == phrase || f.items[k+1].kind == when); {
		k += 2
	}
	return k < len(f.items) && f.items[k].kind == verb && f.items[k].form == finite
}

// is reports whether there is an item of a kind at a place.
func (f *Finder) is(k int, kinds ...kind) bool {
	if k < 0 || k >= len(f.items) {
		return false
	}
	for _, want := range kinds {
		if f.items[k].kind == want {
			return true
		}
	}
	return false
}

// subjects returns the phrases that are the subject of a verb, as they stand before it.
func (f *Finder) subjects(k int) []int {
	it := &f.items[k]
	switch it.form {
	case finite:
		if it.lower >= 0 {
			return f.items[it.lower].subjects
		}
		return f.before(k)
	case participle:
		return f.described(k)
	case gerund:
		// after hitting a homer: the subject is that of the verb before, or of the first one behind
		switch {
		case f.is(k-1, prep) && takesGerund[f.items[k-1].word], f.is(k-1, sub) && takesGerund[f.items[k-1].word]:
			for l := k - 1; l >= 0 && l > k-window; l-- {
				if f.items[l].kind == verb && f.items[l].form == finite {
					return f.items[l].subjects
				}
			}
			for r := k + 1; r < len(f.items) && r < k+window; r++ {
				if f.items[r].kind == verb && f.items[r].form == finite {
					return f.before(r)
				}
			}
		case f.is(k-1, cc):
			for l := k - 2; l >= 0 && l > k-window; l-- {
				if f.items[l].kind == verb {
					if f.items[l].form == gerund {
						return f.items[l].subjects
					}
					return nil
				}
			}
		}
	}
	return nil
}

// before goes left from a finite verb to its subject.
func (f *Finder) before(k int) []int {
	for l, steps := k-1, 0; l >= 0 && steps < window; steps++ {
		switch it := &f.items[l]; it.kind {
		case quote:
			l--
		case when:
			if l--; f.is(l, prep) {
				l--
			}
		case phrase:
			if !f.is(l-1, prep) {
				return f.coordinatedLeft(l)
			}
			// In a prepositional phrase: what that hangs on is the subject, unless it stands at the head of the clause.
			if l -= 2; !f.is(l, phrase, when, shut, comma, quote) {
				return nil
			}
		case rel:
			if a := f.antecedent(l); a >= 0 {
				return []int{a}
			}
			return nil
		case cc:
			return f.shared(l)
		case comma:
			m := f.inserted(l)
			if m < 0 {
				return f.shared(l)
			}
			l = m - 1
		case shut:
			m := l - 1
			for m > l-window && m >= 0 && f.items[m].kind != open {
				m--
			}
			if m <= l-window || m < 0 {
				return nil
			}
			l = m - 1
		default:
			return nil
		}
	}
	return nil
}

// inserted returns the comma with which an insertion begins that ends with a comma: Basya, spokesman of the army, said; -1 if there is none.
func (f *Finder) inserted(end int) int {
	for m := end - 1; m > 0 && m > end-window; m-- {
		switch {
		case f.items[m].kind == stop:
			return -1
		case f.items[m].kind == comma && f.is(m-1, phrase):
			return m
		case f.items[m].kind == verb && f.items[m].form == finite:
			// only a relative clause may have one
			for m--; m > 0 && m > end-window; m-- {
				if f.items[m].kind == rel && f.is(m-1, comma) && f.is(m-2, phrase) {
					return m - 1
				}
				if f.items[m].kind == stop || f.items[m].kind == verb && f.items[m].form == finite {
					return -1
				}
			}
			return -1
		}
	}
	return -1
}

// shared returns the subject of the verb before a conjunction: she came and saw.
func (f *Finder) shared(l int) []int {
	for m := l - 1; m >= 0 && m > l-window; m-- {
		switch it := &f.items[m]; {
		case it.kind == stop:
			return nil
		case it.kind == verb && !it.handed && (it.form == finite || it.form == participle):
			return it.subjects
		}
	}
	return nil
}

// antecedent returns the phrase that a relative at an item stands for; -1 if there is none.
func (f *Finder) antecedent(l int) int {
	for m := l - 1; m >= 0 && m > l-4; m-- {
		switch f.items[m].kind {
		case phrase:
			return m
		case comma, quote, prep, shut:
		default:
			return -1
		}
	}
	return -1
}

// described returns the phrase that a participle stands behind: the book, published in 1724; and the subject that it shares: was born and raised.
func (f *Finder) described(k int) []int {
	switch {
	case f.is(k-1, phrase):
		return []int{k - 1}
	case f.is(k-1, comma, shut), f.is(k-1, prep, sub) && f.items[k-1].word == "as":
		if f.is(k-2, phrase) {
			l := k - 2
			for steps := 0; f.is(k-1, prep, sub) && f.is(l-1, prep) && f.is(l-2, phrase) && steps < window; steps++ {
				l -= 2
			}
			return []int{l}
		}
		if f.is(k-1, shut) || f.is(k-2, shut) {
			for m := k - 2; m > 0 && m > k-window; m-- {
				if f.items[m].kind == open && f.is(m-1, phrase) {
					return []int{m - 1}
				}
			}
		}
	case f.is(k-1, cc):
		return f.shared(k - 1)
	}
	return nil
}

// coordinatedLeft returns a phrase and those before it that "and" joins to it.
func (f *Finder) coordinatedLeft(l int) []int {
	out := []int{l}
	for joined := false; len(out) < mostParts; {
		p := l - 1
		switch {
		case f.is(p, cc) && f.is(p-1, comma):
			p, joined = p-2, true
		case f.is(p, cc):
			p, joined = p-1, true
		case f.is(p, comma) && joined:
			p--
		default:
			return out
		}
		for steps := 0; f.is(p, phrase) && f.is(p-1, prep) && f.is(p-2, phrase) && steps < window; steps++ {
			p -= 2
		}
		// What stands behind a verb or a preposition is its object, and "and" begins a new clause.
		if !f.is(p, phrase) || f.is(p-1, verb, prep) {
			return out
		}
		out = append([]int{p}, out...)
		l = p
	}
	return out
}

// coordinatedRight returns a phrase and those behind it that "and" joins to it.
func (f *Finder) coordinatedRight(r int) []int {
	out := []int{r}
	open := []int{} // behind commas alone: they count if an "and" follows
	for q := r + 1; len(out)+len(open) < mostParts && q < r+window; {
		joined := false
		if f.is(q, comma) {
			q++
		} else if !f.is(q, cc) {
			break
		}
		if f.is(q, cc) {
			joined = true
			q++
		}
		if !f.is(q, phrase) || f.beginsClause(q) {
			break
		}
		if open = append(open, q); joined {
			out, open = append(out, open...), open[:0]
		}
		q++
	}
	return out
}

// objects returns the phrases behind a verb that it is done to.
func (f *Finder) objects(k, depth int) []int {
	r := k + 1
	for f.is(r, quote) {
		r++
	}
	switch {
	case f.is(r, phrase):
		if !f.beginsClause(r) && f.items[r].head >= 0 {
			return f.coordinatedRight(r)
		}
	case f.is(r, verb) && f.items[r].form == infinitive && depth < 3 && (depth > 0 || verbs().classes[f.items[k].key] == Say):
		return f.objects(r, depth+1) // refused to grant him anything
	case f.is(r, prep) && f.is(r+1, phrase) && verbs().with[f.items[k].lemma+"_"+f.items[r].word]:
		return f.coordinatedRight(r + 1)
	}
	return nil
}

// agents returns the phrases behind "by" of a passive.
func (f *Finder) agents(k int) []int {
	for r := k + 1; r < len(f.items) && r < k+window; r++ {
		switch it := &f.items[r]; it.kind {
		case prep:
			if it.word == "by" && f.is(r+1, phrase) {
				return f.coordinatedRight(r + 1)
			}
		case phrase:
			if f.beginsClause(r) {
				return nil
			}
		case when, quote, cc:
		default:
			return nil
		}
	}
	return nil
}

// parts returns what fills a role.
func (f *Finder) parts(of []int) []Part {
	var out []Part
	for _, i := range of {
		it := &f.items[f.meant(i)]
		if it.head < 0 {
			continue
		}
		p := Part{Span: Span{it.head, it.head + 1}}
		if it.name >= 0 {
			p.Span, p.Type = f.s.Names[it.name].Span, f.s.Names[it.name].Type
		} else {
			for proper := "NNP"; p.From > it.from && strings.HasPrefix(f.s.Tokens[it.head].Penn, proper) && strings.HasPrefix(f.s.Tokens[p.From-1].Penn, proper); {
				p.From--
			}
		}
		out = append(out, p)
	}
	return out
}

// meant returns the phrase that a phrase with "of" speaks of: many of the directors, the village of Clyst, Minister of Defence Hazem Shaalan.
func (f *Finder) meant(i int) int {
	it := &f.items[i]
	if it.head < 0 || !f.is(i+1, prep) || f.items[i+1].word != "of" || !f.is(i+2, phrase) {
		return i
	}
	of := &f.items[i+2]
	lemma := strings.ToLower(f.s.Tokens[it.head].Lemma)
	switch {
	case len(lemma) > longest:
	case amounts[lemma]:
		return i + 2
	case of.name < 0:
	case places[lemma] && f.s.Names[of.name].Type == mention.Location:
		return i + 2
	case titles[lemma] && f.s.Names[of.name].Type == mention.Person && of.from < f.s.Names[of.name].From:
		return i + 2
	}
	return i
}

// event returns the event that a verb tells of, if it tells of one, still without time and place.
func (f *Finder) event(k int) (Event, bool) {
	it := &f.items[k]
	if it.kind != verb || it.handed || it.hangs || it.denied || it.form == infinitive || it.form == bare {
		return Event{}, false
	}
	class, ok := verbs().class(it)
	if !ok || it.modal != "" && it.modal != "will" || f.doubted(k) {
		return Event{}, false
	}
	e := Event{Trigger: it.main, Verb: strings.ReplaceAll(it.key, "_", " "), Class: class}
	subjects := it.subjects
	var who, whom []int
	passive := it.passive || it.form == participle && !f.is(k-1, cc)
	if it.form == participle && f.is(k-1, cc) {
		passive = !f.active(k - 1)
	}
	switch {
	case passive:
		who, whom = f.agents(k), subjects
	default:
		who, whom = subjects, f.objects(k, 0)
		switch {
		case class == Say && it.form == finite && f.is(k+1, phrase) && !f.beginsClause(k+1) && (len(who) == 0 || f.is(k-1, quote) || f.is(k-1, comma) && f.is(k-2, quote)):
			who, whom = f.coordinatedRight(k+1), nil // "...", said Merkel
		case len(whom) == 0 && len(who) > 0 && it.form == finite:
			whom = f.gap(who[0])
		}
	}
	if len(subjects) == 0 && len(who) == 0 {
		return Event{}, false
	}
	for _, i := range subjects {
		if f.items[i].none {
			return Event{}, false
		}
	}
	named, nearby := f.anyNamed(who) || f.anyNamed(whom), f.namedBeside(k)
	if !named && !nearby {
		return Event{}, false
	}
	odds, ok := f.odds(k, class, who, named)
	if !ok {
		return Event{}, false
	}
	switch {
	case it.lemma == "become" && len(whom) == 0:
		e.Class = Other // became angry
	case verbs().light[it.key] && len(whom) > 0 && f.items[whom[0]].head >= 0:
		if c, ok := verbs().nouns[f.s.Tokens[f.items[whom[0]].head].Lemma]; ok {
			e.Class = c
		}
	case it.key == "get" && !passive:
		return Event{}, false // got angry
	}
	e.Who, e.Whom, e.Confidence = f.parts(who), f.parts(whom), 1/(1+math.Exp(-odds))
	return e, true
}

// odds returns how likely it is that a verb tells of an event, as the logarithm of the odds; ok is false for what it mostly does not.
func (f *Finder) odds(k int, class Class, who []int, named bool) (odds float64, ok bool) {
	it := &f.items[k]
	odds = 1
	switch it.form {
	case participle:
		if odds = 0; !slices.ContainsFunc(it.subjects, func(i int) bool { return f.items[i].proper }) && !f.anyNamed(who) {
			return 0, false
		}
	case gerund:
		odds = 0
	}
	if it.form == finite && (!it.past || it.modal != "") && f.anyFirst(who) {
		return 0, false // what I think and mean to do
	}
	if it.form == finite && !it.past && it.modal == "" {
		// The simple present tells what is always so; speech, and deeds of persons, are told in it too.
		if class != Say && !(headline[class] && f.anyPerson(who)) {
			return 0, false
		}
		odds -= 0.5
	}
	if it.modal == "will" {
		odds--
	}
	if class == Other {
		odds -= 0.5
	}
	if named {
		odds += 0.5
	}
	return odds, true
}

// headline are the classes of deeds that are told in the simple present.
var headline = map[Class]bool{Meet: true, Conflict: true, Justice: true, Life: true, Contest: true, Exchange: true, Office: true}

// gap returns the phrase that a relative clause leaves out as the object: the pupil (whom) he taught.
func (f *Finder) gap(subject int) []int {
	switch {
	case f.is(subject-1, phrase) && f.items[subject].pronoun:
		return []int{subject - 1}
	case f.is(subject-1, rel):
		if a := f.antecedent(subject - 1); a >= 0 {
			return []int{a}
		}
	}
	return nil
}

// verbBefore returns the nearest verb before an item; -1 if there is none.
func (f *Finder) verbBefore(k int) int {
	for l := k - 1; l >= 0 && l > k-window; l-- {
		if f.items[l].kind == verb {
			return l
		}
	}
	return -1
}

// doubted reports whether a verb stands in a condition, or behind a verb that makes it no fact: if she came; he hopes she came.
func (f *Finder) doubted(k int) bool {
	for l := k - 1; l >= 0 && l > k-window; l-- {
		switch it := &f.items[l]; it.kind {
		case sub:
			if doubts[it.word] {
				return true
			}
			if it.word != "that" {
				return false
			}
		case rel, stop, comma, quote, cc:
			return false
		case verb:
			return it.form == finite && verbs().wish[it.lemma]
		}
	}
	return false
}

// anyNamed reports whether one of some phrases has a name in it or is a pronoun for one.
func (f *Finder) anyNamed(of []int) bool {
	for _, i := range of {
		if f.items[i].named {
			return true
		}
	}
	return false
}

// anyPerson reports whether one of some phrases is a person, an organisation or a group, or a pronoun for one.
func (f *Finder) anyPerson(of []int) bool {
	for _, i := range of {
		it := &f.items[i]
		if it.pronoun && it.named {
			return true
		}
		if it.name >= 0 {
			switch f.s.Names[it.name].Type {
			case mention.Person, mention.Organisation, mention.Group:
				return true
			}
		}
	}
	return false
}

// anyFirst reports whether one of some phrases is whoever speaks.
func (f *Finder) anyFirst(of []int) bool {
	for _, i := range of {
		if w := f.items[i].word; w == "i" || w == "we" {
			return true
		}
	}
	return false
}

// namedBeside reports whether a name stands in the phrases behind a verb up to the next one, or in those that hang on its subject.
func (f *Finder) namedBeside(k int) bool {
	for r := k + 1; r < len(f.items) && r < k+window; r++ {
		switch f.items[r].kind {
		case verb, sub, rel, stop:
			r = len(f.items)
		case phrase:
			if f.beginsClause(r) {
				r = len(f.items)
			} else if f.items[r].named {
				return true
			}
		}
	}
	for l := k - 1; l >= 0 && l > k-window; l-- {
		switch f.items[l].kind {
		case verb, sub, rel, stop:
			return false
		case phrase:
			if f.items[l].named {
				return true
			}
		}
	}
	return false
}

// place gives times and places to events.
func (f *Finder) place(events []Event) {
	last := -1 // the verb before
	next := make([]int, len(f.items)+1)
	next[len(f.items)] = -1
	for k := len(f.items) - 1; k >= 0; k-- {
		if next[k] = next[k+1]; f.items[k].kind == verb && f.items[k].form != bare && f.items[k].form != infinitive && !f.is(k-1, rel) {
			next[k] = k
		}
	}
	for k := range f.items {
		it := &f.items[k]
		if it.kind == verb {
			last = k
			continue
		}
		where := it.kind == phrase && f.is(k-1, prep)
		if it.kind != when && !where {
			continue
		}
		begin := k
		if f.is(k-1, prep) {
			begin--
		}
		owner := last
		if owner < 0 || f.is(begin-1, cc, sub, stop) && next[k] >= 0 {
			owner = next[k]
		}
		for steps := 0; owner >= 0 && f.items[owner].event == 0 && f.items[owner].lower >= 0 && steps < window; steps++ {
			owner = f.items[owner].lower
		}
		if owner >= 0 && f.items[owner].handed && f.is(owner+1, verb) {
			owner++
		}
		if last < 0 && owner >= 0 && f.items[owner].event == 0 { // at the head of the sentence: it is of all clauses
			for owner = next[owner+1]; owner >= 0 && f.items[owner].event == 0; {
				owner = next[owner+1]
			}
		}
		if owner < 0 || f.items[owner].event == 0 {
			continue
		}
		e := &events[f.items[owner].event-1]
		switch {
		case it.kind == when && len(e.When) == 0:
			e.When = []Part{{Span: Span{it.from, it.to}, Time: it.time}}
		case where && len(e.Where) == 0 && f.isPlace(&f.items[f.meant(k)], f.items[k-1].word, e.Class):
			e.Where = f.parts([]int{k})
		}
	}
}

// isPlace reports whether a phrase behind a preposition is where an event is.
func (f *Finder) isPlace(it *item, word string, class Class) bool {
	if !within[word] && !(class == Move && towards[word]) || it.head < 0 {
		return false
	}
	if it.name >= 0 {
		return f.s.Names[it.name].Type == mention.Location
	}
	return places[f.s.Tokens[it.head].Lemma]
}
