package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/derive"
)

// Relation says how the validity of a document must stand to the span From..To of a query.
type Relation string

// The relations. A validity is the span from the first capture of a version until another one was met.
const (
	Intersects Relation = "intersects" // they share an instant; the default
	Inside     Relation = "within"     // the validity lies in the span
	Contains   Relation = "contains"   // the span lies in the validity
	Begins     Relation = "begins"     // the validity begins in the span: the version was first seen then
)

// Query is a question. Zero fields ask for nothing.
type Query struct {
	Text     string              // see Parse
	From, To time.Time           // both inclusive
	Relation Relation            // Intersects if empty
	AsOf     time.Time           // valid at this instant
	Filters  map[string][]string // facet -> names, of which one must fit
	Without  map[string][]string // facet -> names, of which none may fit

	Facets []string // facets to count
	Top    int      // names given of each; 10
	Prefix string   // only names that begin so, capitals and the length of white space apart
	Trend  Bucket   // buckets to count documents in, by when they were first seen
	Limit  int      // results; 10, at most 1,000; negative for none
	Cursor string   // from the answer before
	Group  bool     // results that nearly repeat a better one stand under it
	Sort   Order
}

// Order is the order of results.
type Order string

// The orders.
const (
	ByScore  Order = ""
	ByOldest Order = "oldest"
	ByNewest Order = "newest"

	byMost = "most:" // and a facet of numbers: most:quality; with what the number is about: most:relevance:flood
)

// ByMost is the order of the numbers of a facet, the highest first and what has none last; about is what they are about, "" the whole document.
func ByMost(facet, about string) Order {
	if about != "" {
		about = ":" + about
	}
	return Order(byMost + facet + about)
}

// most takes ByMost apart.
func (o Order) most() (facet, about string, ok bool) {
	rest, ok := strings.CutPrefix(string(o), byMost)
	facet, about, _ = strings.Cut(rest, ":")
	return facet, about, ok
}

// Bucket is a length of time.
type Bucket string

// The buckets of a trend.
const (
	NoTrend Bucket = ""
	ByDay   Bucket = "day"
	ByMonth Bucket = "month"
	ByYear  Bucket = "year"
)

// maxLimit bounds the results of one answer.
const maxLimit = 1000

// check fills defaults and refuses what makes no sense.
func (q *Query) check(declared []derive.Facet) error {
	switch q.Relation {
	case "":
		q.Relation = Intersects
	case Intersects, Inside, Contains, Begins:
	default:
		return fmt.Errorf("relation %q is not known (intersects, within, contains, begins)", q.Relation)
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		return fmt.Errorf("the span ends at %s, before it begins at %s", q.To.Format(time.RFC3339), q.From.Format(time.RFC3339))
	}
	switch q.Trend {
	case NoTrend, ByDay, ByMonth, ByYear:
	default:
		return fmt.Errorf("trend %q is not known (day, month, year)", q.Trend)
	}
	facet, _, most := q.Sort.most()
	switch {
	case q.Sort == ByScore, q.Sort == ByOldest, q.Sort == ByNewest:
	case most && slices.ContainsFunc(declared, func(d derive.Facet) bool { return d.Name == facet && d.Kind == derive.FacetNumbers }):
	case most:
		return fmt.Errorf("order %q: there is no facet of numbers %q", q.Sort, facet)
	default:
		return fmt.Errorf("order %q is not known (oldest, newest, most:FACET; without one the best come first)", q.Sort)
	}
	q.Facets = slices.Compact(slices.Sorted(slices.Values(q.Facets)))
	names := slices.Clone(q.Facets)
	for f := range q.Filters {
		names = append(names, f)
	}
	for f := range q.Without {
		names = append(names, f)
	}
	for _, f := range names {
		if known := known(declared); !slices.Contains(known, f) {
			return fmt.Errorf("facet %q is not known (%s)", f, strings.Join(known, ", "))
		}
	}
	if q.Limit == 0 {
		q.Limit = 10
	}
	q.Limit = min(max(q.Limit, 0), maxLimit)
	if q.Top <= 0 {
		q.Top = 10
	}
	return nil
}

// Count is a name of a facet and how many documents have it.
type Count struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Point is one bucket of a trend.
type Point struct {
	At    time.Time `json:"at"`    // its begin
	Count int64     `json:"count"` // documents that fit
	Of    int64     `json:"of"`    // documents of the collection
}

// Hit is one result.
type Hit struct {
	Collection string `json:"collection,omitempty"` // of the source

	URL      string    `json:"url"`
	SURT     string    `json:"surt"`
	Title    string    `json:"title,omitempty"`
	Snippet  []Piece   `json:"snippet,omitempty"`
	Where    []string  `json:"where,omitempty"` // fields in which words of the query were found: text, title, anchor, url
	Host     string    `json:"host"`
	MIME     string    `json:"mime,omitempty"`
	Language string    `json:"lang,omitempty"`
	From     time.Time `json:"from"` // validity
	Last     time.Time `json:"last"` // seen last
	Until    time.Time `json:"until,omitzero"`
	Captures int       `json:"captures"`
	Inlinks  int       `json:"inlinks,omitempty"`
	Date     time.Time `json:"date,omitzero"` // that the content tells
	Score    float64   `json:"score"`
	Size     int64     `json:"size,omitempty"`   // of the content of the first capture
	Digest   string    `json:"digest,omitempty"` // of its payload
	File     string    `json:"file"`
	Offset   int64     `json:"offset"`
	Alike    []Hit     `json:"alike,omitempty"` // nearly the same, less good
}

// Piece is a part of a snippet.
type Piece struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty"`
}

// Answer is what was found.
type Answer struct {
	Total  int64              `json:"total"`
	Of     int64              `json:"of"` // documents of the collection
	Hits   []Hit              `json:"hits"`
	Facets map[string][]Count `json:"facets,omitempty"`
	Trend  []Point            `json:"trend,omitempty"`
	Cursor string             `json:"cursor,omitempty"` // for the next page; "" at the end
}
