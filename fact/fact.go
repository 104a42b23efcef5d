// Package fact finds facts with the time in which they hold: who played for which club from when to when, who held which office, who was married to whom. It is PRAVDA (seed 004, 4.2), in four steps:
//
//	Candidates  of a sentence with two names of fitting kinds and a time: the pair, the time, and the pattern of the words between them     candidate.go
//	Label       which relation each candidate is of, and whether it tells its begin, a time during it, or its end: label propagation from
//	            seeds (facts that are known) over the graph of candidates and patterns                                                       label.go, propagate/
//	Clean       of observations that contradict each other, those that fit together and weigh most: an integer program                        facts.go, clean/
//	Fact        a relation of two names with an interval, its evidence, and what contradicted it
//
// Find does it for one text. For the texts of a collection, derive/annotate makes a table of observations; Merger joins those that say the same before they are cleaned.
//
// Terms:
//
//	relation     works_for_club, spouse, ...: kinds of its names, what may not be at once, patterns to begin with; a data file (relation.go)
//	topic        what a page is about: its title. Where a sentence says "he" or "the club", it means the topic; where it names nobody, too
//	candidate    subject, object and time of one sentence, with its pattern
//	observation  a candidate with a label: begin, during or end of a fact
//	role         as what somebody is of something: the office, "prime minister" of a country. Two offices of one country are two facts (role.go)
//	evidence     document and place of a sentence
//
// Everything is a pure function of its input: no clock, no disk, no chance.
package fact

import (
	"fmt"

	"varve/entity"
)

// Aspect is which part of a fact's interval an observation tells.
type Aspect uint8

// The aspects.
const (
	Begin Aspect = iota
	During
	End
)

var aspects = [...]string{"begin", "during", "end"}

// String returns the word for the aspect.
func (a Aspect) String() string { return aspects[a] }

// MarshalText writes the word.
func (a Aspect) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the word.
func (a *Aspect) UnmarshalText(b []byte) (err error) {
	*a, err = parseAspect(string(b))
	return err
}

func parseAspect(s string) (Aspect, error) {
	for i, word := range aspects {
		if word == s {
			return Aspect(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of begin, during, end", s)
}

// Time is when something is said to be: some time from the first day to the last, as a year, a month or a day.
type Time struct {
	First entity.Day `json:"first"`
	Last  entity.Day `json:"last"`
}

// Known reports whether there is a time.
func (t Time) Known() bool { return t.First != entity.Unknown }

// String returns the time as ParseTime reads it: a year, a month or a day where it is one, else its first and its last day with .. between them.
func (t Time) String() string {
	if !t.Known() {
		return ""
	}
	whole := t.First.String() + ".." + t.Last.String()
	for _, n := range []int{len("2006"), len("2006-01"), len("2006-01-02")} {
		first := t.First.String()
		if first = first[:min(n, len(first))]; len(first) == n {
			if u, err := ParseTime(first); err == nil && u == t {
				return first
			}
		}
	}
	return whole
}

// Meets reports whether two times have a day in common.
func (t Time) Meets(u Time) bool { return t.First <= u.Last && u.First <= t.Last }

// Evidence is the sentence that says something.
type Evidence struct {
	Document string `json:"document,omitempty"`
	Start    int    `json:"start"` // bytes of the text
	End      int    `json:"end"`
	Pattern  string `json:"pattern"`
	Said     string `json:"said,omitempty"` // of what stands in no sentence: the row of a table
}

// Observation is a candidate that has got a label.
type Observation struct {
	Relation   string     `json:"relation"`
	Subject    string     `json:"subject"`
	Object     string     `json:"object"`
	Role       string     `json:"role,omitempty"` // as what: "prime minister"; a relation has roles or not
	Aspect     Aspect     `json:"aspect"`
	Time       Time       `json:"time"`
	Confidence float64    `json:"confidence"`
	Evidence   []Evidence `json:"evidence"`
}

// Bounds is when an end of an interval is: between two days, either of which may be unknown.
type Bounds struct {
	Earliest entity.Day `json:"earliest,omitempty"`
	Latest   entity.Day `json:"latest,omitempty"`
}

// Fact is a relation of two names with the interval in which it holds.
type Fact struct {
	Relation     string        `json:"relation"`
	Subject      string        `json:"subject"`
	Object       string        `json:"object"`
	Role         string        `json:"role,omitempty"`
	Begin        Bounds        `json:"begin"`
	End          Bounds        `json:"end"` // the first day on which it does not hold any more
	Confidence   float64       `json:"confidence"`
	Observations []Observation `json:"observations"`
	Rejected     []Observation `json:"rejected,omitempty"` // that contradict others: what the fact would be otherwise
}

// At reports whether a fact holds for sure at some time of t, and whether it can hold then, by what is known of its begin and end.
//
//	begin 2003, end 2007      2003, 2005, 2007-01-01: sure    2003-05-01, 2007-12-31: possible    2010: neither
//	begin 2003                2003: sure                      2005: possible                      2001: neither
func (f *Fact) At(t Time) (sure, possible bool) {
	possible = (f.Begin.Earliest == entity.Unknown || f.Begin.Earliest <= t.Last) && (f.End.Latest == entity.Unknown || f.End.Latest > t.First)
	sure = f.Begin.Latest != entity.Unknown && f.Begin.Latest <= t.Last && f.End.Earliest != entity.Unknown && f.End.Earliest > t.First
	return sure && possible, possible
}
