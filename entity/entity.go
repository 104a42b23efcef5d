// Package entity knows persons, places, organisations and other things by name: which there are, what they are called, and which of them a text means.
//
// Terms:
//
//	entity     one thing, by an id: Q42, enwiki:Douglas Adams, an IRI
//	name       what texts call it: label, alias, redirect, or the text of links that lead to it (anchor), with how often it was seen
//	keyphrase  a phrase that goes with it: its categories, what it links to, who it worked with
//	inlinks    the entities that link to it
//	existence  from which day to which it exists; a person lives, a state stands
//	statement  one thing that a source says of one entity; a base is built from statements
//	base       all of it in one mapped file
//
// # Reading order
//
//	.       the words above: Entity, Statement, Key, Day
//	base/   the file, and how it is built from statements: intake, external sort, dictionary of names
//	dump/   statements of dumps: Wikidata, YAGO, DBpedia, MediaWiki, tables
//	kind/   what kind of thing a name in a text is
//	link/   which entity a name in a text means, and why
package entity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"varve/text/token"
)

// Entity is what a base knows of one thing, but for its inlinks.
type Entity struct {
	ID          string    `json:"id"`
	IDs         []string  `json:"ids,omitempty"` // others that are the same
	Label       string    `json:"label"`         // "" where no source has one
	Description string    `json:"description,omitempty"`
	Kinds       []string  `json:"kinds,omitempty"` // classes, as the source names them: Q5, schema:Person
	Existence   Existence `json:"existence,omitzero"`
	Place       *Place    `json:"place,omitempty"`
	Popularity  int64     `json:"popularity"` // how many entities link to it, and what sources say beside: editions of an encyclopedia, inhabitants
	Names       []Name    `json:"names,omitempty"`
	Phrases     []Phrase  `json:"phrases,omitempty"`
}

// Title returns what to call the entity: its label, else its id.
func (e *Entity) Title() string {
	if e.Label != "" {
		return e.Label
	}
	return e.ID
}

// Origin says where a name comes from; a name can have several.
type Origin uint8

// Origins of names.
const (
	Label Origin = 1 << iota
	Alias
	Redirect
	Anchor
)

// Strings returns the words for origins.
func (o Origin) Strings() []string {
	var out []string
	for i, word := range [...]string{"label", "alias", "redirect", "anchor"} {
		if o&(1<<i) != 0 {
			out = append(out, word)
		}
	}
	return out
}

// MarshalJSON writes origins as a list of words.
func (o Origin) MarshalJSON() ([]byte, error) {
	return []byte(`["` + strings.Join(o.Strings(), `","`) + `"]`), nil
}

// Name is what an entity is called.
type Name struct {
	Text   string `json:"name"`
	Origin Origin `json:"origin"`
	Count  int64  `json:"count"` // how often links call it so
}

// Phrase is a keyphrase of an entity.
type Phrase struct {
	Text  string `json:"phrase"`
	Count int64  `json:"count"` // how often sources have it with the entity
}

// Place is a point on the earth, in degrees.
type Place struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// ParsePlace reads "latitude,longitude".
func ParsePlace(s string) (Place, error) {
	a, b, ok := strings.Cut(s, ",")
	lat, err1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
	lon, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if !ok || err1 != nil || err2 != nil || !(math.Abs(lat) <= 90) || !(math.Abs(lon) <= 360) {
		return Place{}, fmt.Errorf("%q is no place: latitude and longitude in degrees are expected, such as 52.5,13.4", s)
	}
	return Place{lat, lon}, nil
}

// Day is a day of the Gregorian calendar, also before there was one. Days can be subtracted; the zero value is no day.
type Day int32

// Unknown is no day.
const Unknown Day = 0

// epoch is the Day 1970-01-01: what can be written as a date is far from zero.
const epoch = 1 << 30

func dayOf(t time.Time) Day { return Day(math.Floor(float64(t.Unix())/86400) + epoch) }

// DayOf returns the day of an instant; Unknown for the zero time.
func DayOf(t time.Time) Day {
	if t.IsZero() {
		return Unknown
	}
	return dayOf(t)
}

// Time returns the beginning of the day.
func (d Day) Time() time.Time { return time.Unix((int64(d)-epoch)*86400, 0).UTC() }

// String returns the day as 2006-01-02; "" if it is not known. The year before 1 is 0000.
func (d Day) String() string {
	if d == Unknown {
		return ""
	}
	t := d.Time()
	if y := t.Year(); y < 0 {
		return fmt.Sprintf("-%04d-%02d-%02d", -y, t.Month(), t.Day())
	}
	return t.Format("2006-01-02")
}

// MarshalText writes the day.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// ParseDays reads a date that may have no day or month, and what follows it ("+1952-03-11T00:00:00Z", "1952-00-00", "-0044-03", "1952"), as the first and the
// last day that it can be.
func ParseDays(s string) (first, last Day, err error) {
	bad := fmt.Errorf("%q is no date: year, year-month or year-month-day is expected", s)
	text, sign := strings.TrimPrefix(strings.TrimSpace(s), "+"), 1
	if strings.HasPrefix(text, "-") {
		text, sign = text[1:], -1
	}
	text, _, _ = strings.Cut(text, "T")
	parts := strings.Split(text, "-")
	var n [3]int
	for i, p := range parts {
		if i == 3 || p == "" {
			return Unknown, Unknown, bad
		}
		if n[i], err = strconv.Atoi(p); err != nil || n[i] < 0 {
			return Unknown, Unknown, bad
		}
	}
	year, month, day := sign*n[0], n[1], n[2]
	if n[0] > 999_999 || month > 12 || day > 31 {
		return Unknown, Unknown, bad
	}
	at := func(y, m, d int) Day { return dayOf(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)) }
	switch {
	case month == 0:
		return at(year, 1, 1), at(year, 12, 31), nil
	case day == 0:
		return at(year, month, 1), at(year, month+1, 0), nil
	}
	return at(year, month, day), at(year, month, day), nil
}

// Existence is from which day to which an entity exists; either may be Unknown, and the second also stands for "still".
type Existence struct {
	From  Day `json:"from,omitempty"`
	Until Day `json:"until,omitempty"`
}

// Contains reports whether the entity may exist on a day.
func (e Existence) Contains(d Day) bool {
	return (e.From == Unknown || e.From <= d) && (e.Until == Unknown || d <= e.Until)
}

// Key returns the form under which a name is looked up: its words in lower case and compatibility form, a blank between them. A name without words is its own key.
func Key(name string) string {
	name = norm.NFKC.String(name)
	var b strings.Builder
	for w := range token.Words(name) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(w.Text))
	}
	if b.Len() == 0 {
		return strings.ToLower(strings.Join(strings.Fields(name), " "))
	}
	return b.String()
}

// Words returns the words of a keyphrase, in lower case.
func Words(phrase string) []string { return strings.Fields(Key(phrase)) }
