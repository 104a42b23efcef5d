package pulse

import (
	"time"

	"varve/index/fulltext"
	"varve/serve/holdings"
	"varve/serve/review"
)

// Pulse is an archive at a glance.
type Pulse struct {
	Time        time.Time    `json:"time"`
	Totals      Totals       `json:"totals"`
	Collections []Collection `json:"collections"`    // of the page that was asked for
	Next        string       `json:"next,omitempty"` // cursor of the next page of collections; empty at the end
	From        int          `json:"-"`              // place of the first of them among all
	Running     []Crawl      `json:"running"`        // longest first
	Last        []Crawl      `json:"last"`           // that ended, newest first; at most 8
	Due         []Due        `json:"due"`            // planned crawls, next first; at most 8
	Changes     []Change     `json:"changes"`        // newest first; at most 8
	Words       *Words       `json:"words,omitempty"`
	Tray        *Tray        `json:"tray,omitempty"` // for curators
	Disk        *review.Disk `json:"disk,omitempty"` // for curators
	Trouble     []string     `json:"trouble,omitempty"`
}

// Ask narrows a pulse.
type Ask struct {
	Collection string    // of this collection alone; empty: all
	From, To   time.Time // crawls, changes and words of this time, its end exclusive; zero: of all times, the newest
	After      string    // Next of the page before
	Limit      int       // collections of a page; 0: all
}

// Totals is what all collections come to.
type Totals struct {
	Collections int            `json:"collections"`
	Crawls      int            `json:"crawls"`
	Captures    int64          `json:"captures"`
	Pages       int64          `json:"pages"` // captures that are pages
	Bytes       int64          `json:"bytes"` // of WARC files
	First       time.Time      `json:"first,omitzero"`
	Last        time.Time      `json:"last,omitzero"`
	Partial     bool           `json:"partial,omitempty"` // of some collection it is not known how much there is
	Tally       holdings.Tally `json:"coherence"`         // of the newest measured crawl of each collection
	Measured    int            `json:"measured"`          // collections that have one
}

// Source is where the figures of a collection come from.
type Source string

// The sources.
const (
	FromTable   Source = "table"   // derived/crawls.parquet, and reports of crawls since
	FromReports Source = "reports" // of crawls
	FromIndex   Source = "index"   // its size; there are no months
	FromVisible Source = "visible" // captures that the visitor may see, counted
	Counting    Source = "counting"
	Unknown     Source = "unknown"
)

// Known tells whether there are figures.
func (s Source) Known() bool { return s != Counting && s != Unknown }

// Collection is a collection at a glance.
type Collection struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Source    Source          `json:"source"`
	Withheld  bool            `json:"withheld,omitempty"` // in part, for who asks
	Captures  int64           `json:"captures"`
	Pages     int64           `json:"pages"`
	Bytes     int64           `json:"bytes"`
	Crawls    int             `json:"crawls"`
	First     time.Time       `json:"first,omitzero"`
	Last      time.Time       `json:"last,omitzero"`
	Months    []Month         `json:"months"`              // in which something was captured, oldest first
	Tally     *holdings.Tally `json:"coherence,omitempty"` // of the newest measured crawl
	Measured  string          `json:"measured,omitempty"`  // which one that is
	Every     time.Duration   `json:"every,omitempty"`
	Next      time.Time       `json:"next,omitzero"`
	Simulated bool            `json:"simulatedClock,omitempty"` // its times are those of a simulated web
	Problem   string          `json:"problem,omitempty"`
}

// Month is what was captured in a month.
type Month struct {
	At       time.Time       `json:"at"` // its begin
	Captures int64           `json:"captures"`
	Pages    int64           `json:"pages"`
	Crawls   int             `json:"crawls"`              // that began in it
	Tally    *holdings.Tally `json:"coherence,omitempty"` // of those that were measured
}

// Crawl is a crawl as the visitor may know of it: of a collection withheld in part without its figures.
type Crawl struct {
	*holdings.Crawl
	Title    string `json:"title"` // of the collection
	Withheld bool   `json:"withheld,omitempty"`
}

// Due is a planned crawl.
type Due struct {
	Collection string        `json:"collection"`
	Title      string        `json:"title"`
	Name       string        `json:"name"`
	Every      time.Duration `json:"every"`
	Next       time.Time     `json:"next"`
	Simulated  bool          `json:"simulatedClock,omitempty"`
}

// Change is a version of a page that was met lately.
type Change struct {
	Collection string    `json:"collection"`
	URL        string    `json:"url"`
	Title      string    `json:"title,omitempty"`
	At         time.Time `json:"at"`
	Before     time.Time `json:"before,omitzero"` // when the version before it was seen first; zero: the page is new
	Added      int       `json:"added"`           // words that it has and the one before had not
	Removed    int       `json:"removed"`
	Words      int       `json:"words"` // it has
}

// New tells that the page was not there before.
func (c Change) New() bool { return c.Before.IsZero() }

// Words are the words that rise in an interval.
type Words struct {
	From  time.Time       `json:"from"`
	To    time.Time       `json:"to"`    // exclusive
	Count int64           `json:"count"` // versions that were first seen in it
	Terms []fulltext.Rise `json:"terms"` // that rise by more than chance, the most telling first; at most 10
}

// Tray is the in-tray at a glance.
type Tray struct {
	Open  int            `json:"open"`
	Kinds []KindCount    `json:"kinds"` // worst first
	Top   []review.Alert `json:"top"`   // worst first; at most 5
}

// KindCount is how many alerts of a kind are open.
type KindCount struct {
	Kind  review.Kind `json:"kind"`
	Count int         `json:"count"`
}
