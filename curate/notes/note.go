package notes

import (
	"time"

	"varve/web/canon"
)

// Kind is what a note is.
type Kind string

// The kinds.
const (
	Remark   Kind = "note"     // something to know
	Decision Kind = "decision" // something was decided, and why
	Question Kind = "question" // somebody has to answer; it is in the in-tray while it is open
	Rights   Kind = "rights"   // permissions, requests of owners, the law
)

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Remark, Decision, Question, Rights} }

// Act is what a line does.
type Act string

// The acts.
const (
	Say      Act = "say"      // begins a thread
	Answer   Act = "answer"   // adds to one
	Close    Act = "close"    // nothing is left to do; the text says why
	Reopen   Act = "reopen"   //
	Publish  Act = "publish"  // readers may see it
	Withdraw Act = "withdraw" // readers may not see it any more
)

// Subject is what a note is about: the collection, or a part of it. At most one of crawl and page is named.
type Subject struct {
	Crawl string    `json:"crawl,omitempty"` // id of a crawl
	URL   string    `json:"url,omitempty"`   // a page
	Time  time.Time `json:"time,omitzero"`   // of one capture of the page
}

// covers tells whether a subject is the one asked for. The same page may be written in several ways.
func (s Subject) covers(o Subject) bool {
	return s.Crawl == o.Crawl && (s.URL == o.URL || s.URL != "" && o.URL != "" && canon.SURT(s.URL) == canon.SURT(o.URL)) && (o.Time.IsZero() || s.Time.Equal(o.Time))
}

// Line is a line of notes.jsonl.
type Line struct {
	ID   string    `json:"id"`           // 16 hexadecimal digits
	Do   Act       `json:"do"`           // what it does
	Re   string    `json:"re,omitempty"` // id of the note that it is about; of all but say
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	Kind Kind      `json:"kind,omitempty"` // of say
	Subject
	Text   string `json:"text,omitempty"`
	Link   string `json:"link,omitempty"`   // to another: a web address, the id of a note, or a crawl as crawl:ID
	Public bool   `json:"public,omitempty"` // of say: readers may see it at once
}

// Thread is a note and what came of it.
type Thread struct {
	Line
	Collection string    `json:"collection,omitempty"` // filled in by who knows
	Answers    []Line    `json:"answers"`              // what was said and done later, oldest first
	Closed     bool      `json:"closed"`
	Last       time.Time `json:"last"` // something was said or done
}

// Open tells whether somebody still has to do something: about a question, until it is closed.
func (t Thread) Open() bool { return t.Kind == Question && !t.Closed }

// take applies a later line.
func (t *Thread) take(l Line) {
	t.Last = l.At
	switch l.Do {
	case Close:
		t.Closed = true
	case Reopen:
		t.Closed = false
	case Publish:
		t.Public = true
	case Withdraw:
		t.Public = false
	}
	t.Answers = append(t.Answers, l)
}
