package evolution

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"varve"
	"varve/evolution/name"
	"varve/evolution/stored"
)

// Names are pairs of names that texts use for one thing, one after the other, as far as filters tell.
type Names struct {
	Collection string             `json:"collection"`
	Texts      int                `json:"texts"`
	First      int                `json:"first_year"`
	Last       int                `json:"last_year"`
	Renamings  []stored.FormerRow `json:"renamings"` // in the order of years
	Dropped    int                `json:"dropped,omitempty"`
	Absent     int                `json:"files_without_table,omitempty"`
}

// Name is a name through time, with what the same thing may have been called before and since.
type Name struct {
	Collection string      `json:"collection"`
	Name       string      `json:"name"` // as it is mostly written
	First      int         `json:"first_year"`
	Last       int         `json:"last_year"`
	Years      []NameYear  `json:"years"`
	Rises      []int       `json:"rises"` // years in which it came into use
	Former     []Candidate `json:"former"`
	Later      []Candidate `json:"later"`
	Absent     int         `json:"files_without_table,omitempty"`
}

// NameYear is the texts of a year with a name.
type NameYear struct {
	Year  int   `json:"year"`
	Texts int64 `json:"texts"`
}

// Candidate is another name that the same thing may have had, with the years that have it.
type Candidate struct {
	stored.FormerRow
	Other string     `json:"other"` // the other name of the two
	Years []NameYear `json:"years"`
}

// mostCandidates is how many other names are told of one on each side.
const mostCandidates = 8

// ParseName reads the parameter name.
func ParseName(v url.Values) (string, error) {
	name := v.Get("name")
	if len(name) > longestTerm || !utf8.ValidString(name) {
		return "", invalid("read the name", "it is too long, or no text", "a name as texts write it")
	}
	return name, nil
}

// Names returns the pairs that the filters let through.
func (d *Desk) Names(ctx context.Context, collection string) (*Names, error) {
	t, err := d.Tables(ctx, collection)
	if err != nil {
		return nil, err
	}
	out := &Names{Collection: collection, Texts: t.Texts(), Renamings: []stored.FormerRow{}, Absent: t.Absent()}
	out.First, out.Last = ends(t)
	out.Dropped, _ = t.Dropped()
	rows, err := t.Renamings()
	out.Renamings = append(out.Renamings, rows...)
	return out, err
}

func ends(t *stored.Tables) (first, last int) {
	if y := t.Years(); len(y) > 0 {
		return y[0], y[len(y)-1]
	}
	return 0, 0
}

// Name returns what is known of a name. One that did not come into use and did not go is an error of kind varve.NotFound.
func (d *Desk) Name(ctx context.Context, collection, name string) (*Name, error) {
	t, err := d.Tables(ctx, collection)
	if err != nil {
		return nil, err
	}
	out := &Name{Collection: collection, Name: name, Years: []NameYear{}, Rises: []int{}, Former: []Candidate{}, Later: []Candidate{}, Absent: t.Absent()}
	out.First, out.Last = ends(t)
	rows, err := t.Name(key(name))
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "name " + strconv.Quote(name), Msg: "no name of " + collection + " that came into use in some year, or went, is written so",
			Hint: "names that are there in all years are not followed; the list has those that changed",
		}
	}
	out.Name = rows[0].Name
	for _, r := range rows {
		out.Years = append(out.Years, NameYear{int(r.Year), r.Texts})
		if r.Rises {
			out.Rises = append(out.Rises, int(r.Year))
		}
	}
	former, err := t.Former(key(name))
	if err != nil {
		return nil, err
	}
	later, err := t.Later(key(name))
	if err != nil {
		return nil, err
	}
	for _, f := range former[:min(mostCandidates, len(former))] {
		c := Candidate{FormerRow: f, Other: f.Old}
		if c.Years, err = yearsOf(t, f.OldKey); err != nil {
			return nil, err
		}
		out.Former = append(out.Former, c)
	}
	for _, f := range later[:min(mostCandidates, len(later))] {
		c := Candidate{FormerRow: f, Other: f.Name}
		if c.Years, err = yearsOf(t, f.Key); err != nil {
			return nil, err
		}
		out.Later = append(out.Later, c)
	}
	return out, nil
}

func yearsOf(t *stored.Tables, key string) ([]NameYear, error) {
	rows, err := t.Name(key)
	out := []NameYear{}
	for _, r := range rows {
		out = append(out, NameYear{int(r.Year), r.Texts})
	}
	return out, err
}

// Reworded returns what may have been said for a term before it came into use, the likeliest first, at most so many. It is empty where nothing is known or rules withhold a part of the collection.
func (d *Desk) Reworded(ctx context.Context, collection, said string, most int) ([]stored.RewordedRow, error) {
	t, err := d.Tables(ctx, collection)
	switch varve.KindOf(err) {
	case varve.NotFound, varve.Forbidden:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out, err := t.Reworded(key(said))
	if err != nil || len(out) == 0 {
		return nil, err
	}
	// its screen shows what speaks for it, and knows terms only
	if rows, err := t.Frequency(key(said)); err != nil || len(rows) == 0 {
		return nil, err
	}
	return out[:min(most, len(out))], nil
}

// Called returns other names that a thing may have had, the likeliest first, at most so many: those of pairs that the filters let through, and those whose score is as high.
// It is empty where nothing is known, and where rules withhold a part of the collection: who only searches is not to be disturbed by that.
func (d *Desk) Called(ctx context.Context, collection, called string, most int) ([]Candidate, error) {
	n, err := d.Name(ctx, collection, called)
	switch varve.KindOf(err) {
	case varve.NotFound, varve.Forbidden:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := d.Tables(ctx, collection)
	if err != nil {
		return nil, err
	}
	pairs, err := t.Renamings()
	if err != nil {
		return nil, err
	}
	var out []Candidate
	for _, c := range append(n.Former, n.Later...) {
		passed := slices.ContainsFunc(pairs, func(p stored.FormerRow) bool { return p.Key == c.Key && p.OldKey == c.OldKey })
		if (passed || c.Score >= name.Default().MinScore) && len(out) < most {
			out = append(out, c)
		}
	}
	return out, nil
}
