// Package language says what a text talks about: its sentences and tokens, what each word is, and which persons, places,
// organisations, groups, events, works and products it names, of which times it speaks, what it is about, how it judges, and what it says that happened. All is a pure function of the text: the same text gives the
// same answer on every run and every machine.
//
// # Reading order
//
//	wordlist/   lists of words and names with a number each, and their file
//	lexicon/    the words of English: readings, lemmas, word classes, names
//	sentence/   sentences and tokens with their places
//	tag/        parts of speech and lemmas
//	mention/    names, sentence by sentence and then consistent in the document
//	timex/      expressions of time; it needs none of the others
//	phrase/     nouns, noun phrases and names, and which of them stand in one list
//	term/       what texts are about
//	opinion/    how sentences judge, and of what
//	event/      who did what to whom, when and where; and which events are the same one
//	quality/    the share of words that can be read, and repair of bad scans by the words of the archive
//
// Models are trained by the project (varve-lab train, `make models`) from data that it may use; each has a card in
// docs/models, and an ATTRIBUTION beside it.
//
// # Units
//
// What can be said of a text comes in units, each of which is made from others: mentions from tags, tags from sentences. A Reading is one
// text under analysis: Analyser.Do adds a unit to it, after those that are needed, each once, whoever asks. A unit that has neither rules nor a
// model for the language of the text is Missing, and says so. How to add one:
//
//  1. a package below this one, a pure function of text and lower units
//  2. a line in steps, a method of Analyser that fills a field of Document, with places in bytes and a confidence
//  3. a table of derive/annotate, and a row in varve-lab eval language
//
// Cost is linear in the text, whatever it is; at most MaxText bytes and MaxTokens tokens are looked at.
package language

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/language/event"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/opinion"
	"varve/language/phrase"
	"varve/language/quality"
	"varve/language/sentence"
	"varve/language/tag"
	"varve/language/term"
	"varve/language/timex"
)

// Bounds of one text. A text of the first size has about 200,000 tokens; what has more is no text, and is looked at as far as this.
const (
	MaxText   = 1 << 20 // bytes
	MaxTokens = 1 << 18
)

// Unit is one kind of what can be said of a text.
type Unit string

// The units.
const (
	Sentences Unit = "sentences" // and tokens
	Tags      Unit = "tags"      // parts of speech and lemmas of tokens
	Mentions  Unit = "mentions"  // names
	Times     Unit = "times"     // expressions of time, as intervals
	Terms     Unit = "terms"     // words and phrases that say what the text is about
	Opinions  Unit = "opinions"  // how sentences judge, and of what
	Quality   Unit = "quality"   // the share of words that a dictionary has
	Events    Unit = "events"    // who did what to whom, when and where
	Phrases   Unit = "phrases"   // nouns, noun phrases and names, and lists of them
)

// step is how a unit is made.
type step struct {
	unit      Unit
	needs     []Unit
	languages []string        // that it has rules or a model for, by ISO 639-1; nil: all
	listed    []string        // of them, those of which it has lists of names alone; Sentences are all that it needs there
	model     func() [32]byte // digest of what was learned; nil: nothing was
	dated     bool            // it depends on the date of the document
	do        func(a *Analyser, ctx context.Context, r *Reading) error
}

// steps are all units, each after those that it needs.
var steps = []step{
	{unit: Sentences, do: (*Analyser).sentences},
	{unit: Tags, needs: []Unit{Sentences}, languages: []string{"en"}, model: tag.Sum, do: (*Analyser).tags},
	{unit: Mentions, needs: []Unit{Tags}, languages: []string{"de", "en", "es", "fr"}, listed: mention.ListedLanguages(), model: mention.Sum, do: (*Analyser).mentions},
	{unit: Times, languages: []string{"de", "en", "es", "fr"}, model: timex.Sum, dated: true, do: (*Analyser).times},
	{unit: Terms, needs: []Unit{Sentences}, languages: term.Languages(), model: term.Sum, do: (*Analyser).terms},
	{unit: Opinions, needs: []Unit{Mentions}, languages: []string{"en"}, model: opinion.Sum, do: (*Analyser).opinions},
	{unit: Quality, languages: []string{"en"}, model: lexicon.Sum, do: (*Analyser).quality},
	{unit: Events, needs: []Unit{Mentions, Times}, languages: []string{"en"}, model: eventsModel, dated: true, do: (*Analyser).events},
	{unit: Phrases, needs: []Unit{Tags}, languages: []string{"en"}, model: tag.Sum, do: (*Analyser).phrases},
}

// eventsModel is the digest of what events depend on.
func eventsModel() [32]byte {
	names, times, verbs := mention.Sum(), timex.Sum(), event.Sum()
	return sha256.Sum256(slices.Concat(names[:], times[:], verbs[:]))
}

// Units returns all units, each after those that it is made from.
func Units() []Unit {
	var out []Unit
	for _, s := range steps {
		out = append(out, s.unit)
	}
	return out
}

// Default returns the units that are made where somebody asks for analysis and names none.
func Default() []Unit { return []Unit{Mentions, Times, Terms} }

// stepOf returns how a unit is made; nil if there is no such unit.
func stepOf(u Unit) *step {
	if i := slices.IndexFunc(steps, func(s step) bool { return s.unit == u }); i >= 0 {
		return &steps[i]
	}
	return nil
}

// Needs returns the units that a unit is made from.
func (u Unit) Needs() []Unit {
	if s := stepOf(u); s != nil {
		return s.needs
	}
	return nil
}

// Dated reports whether what a unit says of a text depends on the date of the document too.
func (u Unit) Dated() bool {
	s := stepOf(u)
	return s != nil && s.dated
}

// Model returns a digest of the model of a unit, and of those that it is made from: with another one it says other things. "" is a unit that learned nothing.
func (u Unit) Model() string {
	s := stepOf(u)
	if s == nil || s.model == nil {
		return ""
	}
	sum := s.model()
	return hex.EncodeToString(sum[:8])
}

// Known returns why nothing can be said in this unit about a text of a language (ISO 639-1, "" if it is not known), as a *Missing; nil if it can.
func (u Unit) Known(lang string) error {
	s := stepOf(u)
	if s == nil || s.languages == nil || slices.Contains(s.languages, lang) {
		return nil
	}
	return &Missing{Unit: u, Language: lang, Why: fmt.Sprintf("%s are known for %s only", u, strings.Join(s.languages, ", "))}
}

// ParseUnits returns units by their names, in the order of Units, each once, without those that they are made from.
func ParseUnits(names []string) ([]Unit, error) {
	for _, n := range names {
		if stepOf(Unit(n)) == nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "units of language", Msg: fmt.Sprintf("there is no unit %q", n), Hint: fmt.Sprintf("the units are %q", Units())}
		}
	}
	return slices.DeleteFunc(Units(), func(u Unit) bool { return !slices.Contains(names, string(u)) }), nil
}

// Missing tells of a unit that has neither rules nor a model for a language.
type Missing struct {
	Unit     Unit   `json:"unit"`
	Language string `json:"language"`
	Why      string `json:"why"`
}

// Error implements error.
func (m *Missing) Error() string { return m.Why }

// Token is a token and what it is. Places are bytes from the beginning of the text. Tag, lemma and confidence are of the unit Tags.
type Token struct {
	Text       string  `json:"text"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Penn       string  `json:"penn,omitempty"`
	Universal  string  `json:"universal,omitempty"`
	Lemma      string  `json:"lemma,omitempty"`
	Confidence float64 `json:"confidence,omitempty"` // probability of the Penn tag, as the model has it; if Analyser.Confidence
}

// Sentence is a sentence and its tokens. Sentences are cut by rules, which have no probabilities.
type Sentence struct {
	Start  int     `json:"start"`
	End    int     `json:"end"`
	Tokens []Token `json:"tokens"`
}

// Mention is a name in the text.
type Mention struct {
	Text       string       `json:"text"`
	Start      int          `json:"start"`
	End        int          `json:"end"`
	Type       mention.Type `json:"type"`
	Confidence float64      `json:"confidence"` // probability, as the model has it
}

// Time is an expression of time in the text.
type Time struct {
	Text string `json:"text"`
	timex.Expression
	Earliest   time.Time `json:"earliest,omitzero"` // of all readings; zero if it has no place in time, or no begin
	Latest     time.Time `json:"latest,omitzero"`   // excluded
	Confidence float64   `json:"confidence"`        // 1 for one reading, 1/n for n of them, 0 if it could not be resolved; rules have no probabilities
}

// Term is a word or phrase that the text is about.
type Term struct {
	Text   string   `json:"text"` // as it is mostly written
	Key    string   `json:"key"`  // its lemmas
	Count  int      `json:"count"`
	Score  float64  `json:"score"`  // the higher the more it is of this text (varve/language/term)
	Places [][2]int `json:"places"` // start and end of each, in the order of the text
}

// Opinion is how a sentence judges.
type Opinion struct {
	Start      int      `json:"start"` // of the sentence
	End        int      `json:"end"`
	Score      float64  `json:"score"` // from -1, against, to 1, in favour
	Confidence float64  `json:"confidence"`
	Quoted     bool     `json:"quoted,omitempty"` // it is the opinion of somebody who is quoted
	Holder     string   `json:"holder,omitempty"` // who, if that is known
	About      []Target `json:"about,omitempty"`
}

// Target is what a sentence judges: a name in a clause that has a judgement.
type Target struct {
	Text       string  `json:"text"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Score      float64 `json:"score"`
	Confidence float64 `json:"confidence"`
}

// Readable is how well a text can be read: scans that went wrong have words that are none.
type Readable struct {
	Words      int     `json:"words"`      // that begin with a small letter
	Recognised int     `json:"recognised"` // of them, that the dictionary has
	Share      float64 `json:"share"`      // 1 of a text without words
}

// Event is something that the text tells of.
type Event struct {
	Text       string      `json:"text"` // of its trigger, the verb
	Start      int         `json:"start"`
	End        int         `json:"end"`
	Verb       string      `json:"verb"` // lemma
	Class      event.Class `json:"class"`
	Who        []Part      `json:"who,omitempty"`
	Whom       []Part      `json:"whom,omitempty"` // or what
	When       *Part       `json:"when,omitempty"`
	Where      *Part       `json:"where,omitempty"`
	Earliest   time.Time   `json:"earliest,omitzero"` // of When, as Time has them
	Latest     time.Time   `json:"latest,omitzero"`
	Confidence float64     `json:"confidence"`
}

// Part is what has a role in an event: a name, the head of a phrase, an expression of time.
type Part struct {
	Text  string       `json:"text"`
	Start int          `json:"start"`
	End   int          `json:"end"`
	Type  mention.Type `json:"type,omitempty"` // of a name
}

// Phrase is a noun, a noun phrase or a name, as long as it can be.
type Phrase struct {
	Text     string `json:"text"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Sentence int    `json:"sentence"`         // number of its sentence, from 0
	Key      string `json:"key"`              // its lemmas
	Name     bool   `json:"name,omitempty"`   // it is written as a name
	Listed   bool   `json:"listed,omitempty"` // it goes on with the list that the phrase before it is in
}

// Document is what a text says, in the units that were asked for.
type Document struct {
	Language  string     `json:"language"`
	Analysed  int        `json:"analysed"` // bytes from the beginning that were looked at; all but for texts of more than MaxTokens tokens
	Sentences []Sentence `json:"sentences,omitempty"`
	Mentions  []Mention  `json:"mentions,omitempty"`
	Times     []Time     `json:"times,omitempty"`
	Terms     []Term     `json:"terms,omitempty"` // the best first
	Opinions  []Opinion  `json:"opinions,omitempty"`
	Quality   *Readable  `json:"quality,omitempty"`
	Events    []Event    `json:"events,omitempty"`
	Phrases   []Phrase   `json:"phrases,omitempty"`
	Missing   []Missing  `json:"missing,omitempty"` // units that do not know the language
	Listed    []Unit     `json:"listed,omitempty"`  // units that know it by lists of names alone: what they say is mostly right, and they miss much
}

// Text is what is read.
type Text struct {
	Text     string
	Language string    // ISO 639-1; "" if it is not known
	Date     time.Time // of the document: what "yesterday" is counted from; zero if it is not known
}

// Reading is a text under analysis. It is not for concurrent use.
type Reading struct {
	Document
	text   Text
	done   map[Unit]error
	tagged []mention.Sentence
}

// Read begins the analysis of a text.
func Read(t Text) (*Reading, error) {
	if len(t.Text) > MaxText {
		return nil, &varve.Error{
			Kind: varve.Invalid, Op: "analyse text", Msg: fmt.Sprintf("the text has %d bytes, and at most %d are analysed", len(t.Text), MaxText),
			Hint: "take it apart, for example by chapters",
		}
	}
	return &Reading{Document: Document{Language: t.Language, Analysed: len(t.Text)}, text: t, done: map[Unit]error{}}, nil
}

// Analyser makes units. It keeps buffers and is not for concurrent use; each goroutine has its own, and all share the models, which are
// unpacked when they are first needed.
type Analyser struct {
	Confidence bool // tokens get that of their tags, which costs about as much as the tags

	tagger *tag.Tagger
	finder *mention.Finder
	lists  map[string]*mention.Listed // by language
	judge  *opinion.Reader
	teller *event.Finder
	clocks map[string]*timex.Finder // by language
	known  func(word string) bool   // the dictionary
}

// New returns an analyser.
func New() *Analyser { return &Analyser{} }

// Analyse reads a text and makes some units, and those that they are made from. What does not know the language is in Document.Missing.
func (a *Analyser) Analyse(ctx context.Context, t Text, units ...Unit) (*Document, error) {
	r, err := Read(t)
	if err != nil {
		return nil, err
	}
	for _, u := range units {
		var missing *Missing
		if err := a.Do(ctx, r, u); errors.As(err, &missing) {
			r.Missing = append(r.Missing, *missing)
		} else if err != nil {
			return nil, err
		}
	}
	return &r.Document, nil
}

// Do adds a unit to a reading, after those that it needs, unless it is there. The error is a *Missing where the language is not known, or that of the context.
func (a *Analyser) Do(ctx context.Context, r *Reading, u Unit) error {
	if err, done := r.done[u]; done {
		return err
	}
	s := stepOf(u)
	if s == nil {
		return fmt.Errorf("there is no unit %q", u)
	}
	err, needs, listed := u.Known(r.Language), s.needs, slices.Contains(s.listed, r.Language)
	if listed {
		needs = []Unit{Sentences}
	}
	for i := 0; i < len(needs) && err == nil; i++ {
		err = a.Do(ctx, r, needs[i])
	}
	if err == nil {
		err = s.do(a, ctx, r)
	}
	if ctx.Err() != nil {
		return ctx.Err() // another try may have more time
	}
	if listed {
		r.Listed = append(r.Listed, u)
	}
	r.done[u] = err
	return err
}

func (a *Analyser) sentences(ctx context.Context, r *Reading) error {
	r.Sentences, r.Analysed = nil, len(r.text.Text)
	left := MaxTokens
	for s := range sentence.SplitIn(r.text.Text, r.Language) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if left -= len(s.Tokens); left < 0 {
			r.Analysed = s.Start
			return nil
		}
		out := Sentence{s.Start, s.End, make([]Token, len(s.Tokens))}
		for i, t := range s.Tokens {
			out.Tokens[i] = Token{Text: t.Text, Start: t.Start, End: t.End}
		}
		r.Sentences = append(r.Sentences, out)
	}
	return nil
}

func (a *Analyser) tags(ctx context.Context, r *Reading) error {
	if a.tagger == nil {
		a.tagger = tag.Default().NewTagger()
	}
	r.tagged = make([]mention.Sentence, len(r.Sentences))
	for i, s := range r.Sentences {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		words, penn := make([]string, len(s.Tokens)), make([]string, len(s.Tokens))
		for j := range s.Tokens {
			words[j] = s.Tokens[j].Text
		}
		for j, g := range a.tagger.Tag(words) {
			t := &s.Tokens[j]
			t.Penn, t.Universal, t.Lemma, penn[j] = g.Penn, g.Universal, g.Lemma, g.Penn
			if a.Confidence {
				t.Confidence = a.tagger.Probability(j)
			}
		}
		r.tagged[i] = mention.Sentence{Words: words, Penn: penn}
	}
	return nil
}

func (a *Analyser) mentions(ctx context.Context, r *Reading) error {
	found, err := a.names(ctx, r)
	if err != nil {
		return err
	}
	r.Mentions = nil
	for _, m := range found {
		tokens := r.Sentences[m.Sentence].Tokens
		start, end := tokens[m.From].Start, tokens[m.To-1].End
		r.Mentions = append(r.Mentions, Mention{r.text.Text[start:end], start, end, m.Type, m.Confidence})
	}
	return nil
}

// names finds mentions: by the model where there is one for the language, else by lists.
func (a *Analyser) names(ctx context.Context, r *Reading) ([]mention.Mention, error) {
	if slices.Contains(mention.ListedLanguages(), r.Language) {
		l := a.lists[r.Language]
		if l == nil {
			if a.lists == nil {
				a.lists = map[string]*mention.Listed{}
			}
			lang := strings.Clone(r.Language)
			l = mention.NewListed(lang, lexicon.Default(), func(w string) bool { return term.Function(lang, w) }, func(w string) bool { return term.Listed(lang, w) })
			a.lists[lang] = l
		}
		document := make([][]string, len(r.Sentences))
		for i, s := range r.Sentences {
			for _, t := range s.Tokens {
				document[i] = append(document[i], t.Text)
			}
		}
		return l.Find(ctx, document)
	}
	if a.finder == nil {
		a.finder = mention.Default().NewFinder()
	}
	return a.finder.FindContext(ctx, r.tagged)
}

func (a *Analyser) times(ctx context.Context, r *Reading) error {
	f := a.clocks[r.Language]
	if f == nil {
		var err error
		if f, err = timex.New(r.Language); err != nil {
			return err
		}
		if a.clocks == nil {
			a.clocks = map[string]*timex.Finder{}
		}
		a.clocks[r.Language] = f
	}
	r.Times = nil
	for e := range f.All(r.text.Text, r.text.Date) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := Time{Text: r.text.Text[e.Start:e.End], Expression: e}
		t.Earliest, t.Latest, _ = e.Interval()
		if n := len(e.Values); n > 0 {
			t.Confidence = 1 / float64(n)
		}
		r.Times = append(r.Times, t)
	}
	return nil
}

// mostTerms is how many terms of one text are kept.
const mostTerms = 30

func (a *Analyser) terms(ctx context.Context, r *Reading) error {
	if _, done := r.done[Tags]; !done && term.Tagged(r.Language) { // not in steps: languages without a tagger have terms, too
		if err := a.tags(ctx, r); err != nil {
			return err
		}
		r.done[Tags] = nil
	}
	set, err := term.New(r.Language, term.Options{Places: true})
	if err != nil {
		return err
	}
	var tokens []term.Token
	for _, s := range r.Sentences {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		tokens = tokens[:0]
		for _, t := range s.Tokens {
			tokens = append(tokens, term.Token{Text: t.Text, Start: t.Start, End: t.End, Penn: t.Penn, Lemma: t.Lemma})
		}
		set.Add(r.text.Text, tokens)
	}
	r.Terms = nil
	for _, t := range set.Terms(mostTerms, term.Combined) {
		out := Term{Text: t.Text(), Key: t.Key, Count: t.Frequency, Score: t.Score}
		for _, p := range t.Places {
			out.Places = append(out.Places, [2]int{p.Start, p.End})
		}
		r.Terms = append(r.Terms, out)
	}
	return nil
}

func (a *Analyser) opinions(ctx context.Context, r *Reading) error {
	if a.judge == nil {
		a.judge = opinion.Default().NewReader()
	}
	r.Opinions = nil
	var tokens []opinion.Token
	var targets []opinion.Span
	names := r.Mentions
	for _, s := range r.Sentences {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		tokens, targets = tokens[:0], targets[:0]
		for _, t := range s.Tokens {
			tokens = append(tokens, opinion.Token{Text: t.Text, Start: t.Start, End: t.End})
		}
		for len(names) > 0 && names[0].Start < s.End {
			targets = append(targets, opinion.Span{Start: names[0].Start, End: names[0].End})
			names = names[1:]
		}
		whole, about, ok := a.judge.Sentence(tokens, targets)
		if !ok {
			continue
		}
		out := Opinion{Start: s.Start, End: s.End, Score: whole.Score, Confidence: whole.Confidence, Quoted: whole.Quoted}
		if h := whole.Holder; h.Start < h.End {
			out.Holder = r.text.Text[h.Start:h.End]
		}
		for _, t := range about {
			out.About = append(out.About, Target{r.text.Text[t.Start:t.End], t.Start, t.End, t.Score, t.Confidence})
		}
		r.Opinions = append(r.Opinions, out)
	}
	return nil
}

func (a *Analyser) quality(_ context.Context, r *Reading) error {
	if a.known == nil {
		a.known = quality.English(lexicon.Default())
	}
	q := Readable{Share: 1}
	if q.Words, q.Recognised = quality.Plain(r.text.Text, a.known); q.Words > 0 {
		q.Share = float64(q.Recognised) / float64(q.Words)
	}
	r.Quality = &q
	return nil
}

func (a *Analyser) events(ctx context.Context, r *Reading) error {
	if a.teller == nil {
		a.teller = event.NewFinder()
	}
	r.Events = nil
	var in event.Sentence
	names, times := r.Mentions, r.Times
	for _, s := range r.Sentences {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		in.Tokens, in.Names, in.Times = in.Tokens[:0], in.Names[:0], in.Times[:0]
		for _, t := range s.Tokens {
			in.Tokens = append(in.Tokens, event.Token{Text: t.Text, Penn: t.Penn, Lemma: t.Lemma})
		}
		at := 0 // tokens before it end before what is looked for
		span := func(start, end int) event.Span {
			for at < len(s.Tokens) && s.Tokens[at].End <= start {
				at++
			}
			to := at
			for to < len(s.Tokens) && s.Tokens[to].Start < end {
				to++
			}
			return event.Span{From: at, To: to}
		}
		for ; len(names) > 0 && names[0].Start < s.End; names = names[1:] {
			in.Names = append(in.Names, event.Name{Span: span(names[0].Start, names[0].End), Type: names[0].Type})
		}
		at = 0
		for len(times) > 0 && times[0].End <= s.Start {
			times = times[1:]
		}
		first := times
		for ; len(times) > 0 && times[0].Start < s.End; times = times[1:] {
			in.Times = append(in.Times, span(times[0].Start, times[0].End))
		}
		part := func(p event.Part) Part {
			start, end := s.Tokens[p.From].Start, s.Tokens[p.To-1].End
			return Part{r.text.Text[start:end], start, end, p.Type}
		}
		for _, e := range a.teller.Find(in) {
			trigger := s.Tokens[e.Trigger]
			out := Event{Text: trigger.Text, Start: trigger.Start, End: trigger.End, Verb: e.Verb, Class: e.Class, Confidence: e.Confidence}
			for _, p := range e.Who {
				out.Who = append(out.Who, part(p))
			}
			for _, p := range e.Whom {
				out.Whom = append(out.Whom, part(p))
			}
			if e.When != nil {
				when := part(*e.When)
				out.When, out.Earliest, out.Latest = &when, first[e.When.Time].Earliest, first[e.When.Time].Latest
			}
			if e.Where != nil {
				where := part(*e.Where)
				out.Where = &where
			}
			r.Events = append(r.Events, out)
		}
	}
	return nil
}

func (a *Analyser) phrases(ctx context.Context, r *Reading) error {
	r.Phrases = nil
	var tokens []phrase.Token
	for i, s := range r.Sentences {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		tokens = tokens[:0]
		for _, t := range s.Tokens {
			tokens = append(tokens, phrase.Token{Text: t.Text, Penn: t.Penn, Lemma: t.Lemma})
		}
		for _, p := range phrase.Read(tokens) {
			start, end := s.Tokens[p.From].Start, s.Tokens[p.To-1].End
			r.Phrases = append(r.Phrases, Phrase{r.text.Text[start:end], start, end, i, p.Key, p.Name, p.Listed})
		}
	}
	return nil
}
