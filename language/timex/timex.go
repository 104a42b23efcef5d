// Package timex finds expressions of time in text and says what they mean: "12 Nov. 2026", "two weeks before Easter",
// "the 1990s", "every Tuesday at 9", "from 3 to 5 pm". An expression has its place in the text, a type, and one or more
// readings; a reading has a normalised value and the interval that it covers.
//
// # How
//
// Text is cut into words, numbers and signs; those that a language's grammar knows become items, all others end a run of
// items. A run goes through a cascade of stages (numbers, clocks and numeric dates, calendar, shifts, combinations,
// ranges, bounds, sets). A stage goes from left to right; where one of its rules matches, the longest match becomes
// one item:
//
//	in | two | weeks | from | next | monday       words
//	in | duration    | from | date                stage "calendar"
//	date                                          stage "shifts"
//
// Words and rules are data, one file per language (en.txt, de.txt, fr.txt, es.txt); what a rule does (its action) is
// code that all languages share. docs/algorithms/timex.md has the format, the rules of resolution and the formulas.
//
// # Cost
//
// Linear in the text: a run has at most maxRun items, a rule at most maxElements elements, and a place in a run is
// looked up in one trie per stage, whose size is a constant of the grammar.
//
// Values are those of Recognizers-Text (TIMEX3 with open fields, as in XXXX-03-29), so that its cases can judge them.
package timex

import (
	"iter"
	"slices"
	"time"
)

// Type is the type of an expression.
type Type string

// The types.
const (
	Date          Type = "date"
	DateRange     Type = "daterange"
	Time          Type = "time" // of the day
	TimeRange     Type = "timerange"
	DateTime      Type = "datetime"
	DateTimeRange Type = "datetimerange"
	Duration      Type = "duration"
	Set           Type = "set" // that comes again: every Monday
)

// Value is a reading of an expression.
type Value struct {
	// Timex is the normalised value: 2026-11-12, XXXX-11-12 (of any year), 2026-W46, T15:30, P2W,
	// (2026-11-12,2026-11-14,P2D).
	Timex string `json:"timex"`
	// Mod says how the expression is bound to it: before, after, since, until, approx, start, mid, end, less, more,
	// ref_undef (of a time that was spoken of before).
	Mod string `json:"mod,omitempty"`
	// Value is the date, time or number of seconds; Start and End bound a range, End excluded. All are empty of what
	// is not resolved, as 30 February or a set.
	Value string `json:"value,omitempty"`
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
	// Earliest and Latest are the interval of what has a place in time, Latest excluded; open sides are zero.
	Earliest time.Time `json:"earliest,omitzero"`
	Latest   time.Time `json:"latest,omitzero"`
}

// Expression is an expression of time. Places are bytes from the beginning of the text.
type Expression struct {
	Start int  `json:"start"`
	End   int  `json:"end"`
	Type  Type `json:"type"`
	// Values are the readings, the past before the future, the morning before the evening. There is none if the
	// expression depends on the date of the document and that is not known.
	Values []Value `json:"values,omitempty"`
	// Zone is the offset from UTC in minutes, if Zoned. Intervals with a zone are of UTC, others of the document's place.
	Zone  int  `json:"zone,omitempty"`
	Zoned bool `json:"zoned,omitempty"`
}

// Interval returns the smallest interval that holds all readings; ok is false if no reading has a place in time. A side
// is zero if a reading is open on it.
func (e Expression) Interval() (earliest, latest time.Time, ok bool) {
	openLeft, openRight := false, false
	for _, v := range e.Values {
		if v.Earliest.IsZero() && v.Latest.IsZero() {
			continue
		}
		openLeft, openRight = openLeft || v.Earliest.IsZero(), openRight || v.Latest.IsZero()
		if !ok || v.Earliest.Before(earliest) {
			earliest = v.Earliest
		}
		if !ok || v.Latest.After(latest) {
			latest = v.Latest
		}
		ok = true
	}
	if openLeft {
		earliest = time.Time{}
	}
	if openRight {
		latest = time.Time{}
	}
	return earliest, latest, ok
}

// Finder finds expressions in texts of one language. It keeps buffers and is not for concurrent use; each goroutine has
// its own, and all share the grammar.
type Finder struct {
	grammar *Grammar
	lexer   lexer
	cascade cascade
}

// New returns a finder for a language (ISO 639-1, or with a region that writes days before months: en-GB).
func New(lang string) (*Finder, error) {
	g, err := Load(lang)
	if err != nil {
		return nil, err
	}
	return g.NewFinder(), nil
}

// NewFinder returns a finder that uses the grammar.
func (g *Grammar) NewFinder() *Finder {
	return &Finder{grammar: g, lexer: lexer{grammar: g}, cascade: cascade{grammar: g}}
}

// Find returns the expressions of a text in order. What is relative counts from the reference, the date of the document
// in the document's place; the zero time means that it is not known.
func (f *Finder) Find(text string, reference time.Time) []Expression {
	return slices.Collect(f.All(text, reference))
}

// All goes through the expressions that Find returns. The finder is not free for another text before it ends.
func (f *Finder) All(text string, reference time.Time) iter.Seq[Expression] {
	return func(yield func(Expression) bool) {
		f.cascade.ref = time.Date(reference.Year(), reference.Month(), reference.Day(), reference.Hour(), reference.Minute(), reference.Second(), 0, time.UTC)
		f.cascade.unknown = reference.IsZero()
		f.lexer.reset(text)
		for run := f.lexer.next(); run != nil; run = f.lexer.next() {
			for _, it := range f.cascade.run(text, run) {
				e, ok := it.expression()
				if f.cascade.unknown && it.relative {
					e.Values = nil
				}
				if ok && !yield(e) {
					return
				}
			}
		}
	}
}
