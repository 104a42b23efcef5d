package evolution

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/evolution/stored"
)

// Phrases are those that begin to be used and will probably go on.
type Phrases struct {
	Collection string       `json:"collection"`
	Texts      int          `json:"texts"`
	Years      []PhraseYear `json:"years"`
	Phrases    []Phrase     `json:"phrases"` // the latest year first, in a year the likeliest
	Of         int          `json:"of"`      // that fit; some are left out if there are more
	All        int          `json:"all"`
	Dropped    int          `json:"dropped,omitempty"`
	Absent     int          `json:"files_without_table,omitempty"`
}

// PhraseYear is how many phrases are told in a year, of any year that is asked for.
type PhraseYear struct {
	Year    int `json:"year"`
	Phrases int `json:"phrases"`
}

// Phrase begins to be used.
type Phrase struct {
	Phrase      string  `json:"phrase"`
	Year        int     `json:"year"` // in which it is told, from the texts up to it
	Begun       int     `json:"begun"`
	Texts       int     `json:"texts"` // from begun to year
	Share       float64 `json:"share"` // of the texts of these years
	Probability float64 `json:"probability,omitempty"`
	First       []First `json:"first"` // texts that have it first
}

// First is a text that has a phrase first.
type First struct {
	URL  string    `json:"url"`
	Time time.Time `json:"time"`
}

// PhraseQuery asks for phrases.
type PhraseQuery struct {
	From, To int     // years in which they are told; 0: all
	Least    float64 // probability
	With     string  // a word of it
}

// mostPhrases is how many are told at once.
const mostPhrases = 200

// ParsePhrases reads the parameters from, to, least and with.
func ParsePhrases(v url.Values) (q PhraseQuery, err error) {
	for name, to := range map[string]*int{"from": &q.From, "to": &q.To} {
		if s := strings.TrimSpace(v.Get(name)); s != "" {
			if *to, err = strconv.Atoi(s); err != nil || *to < 1 || *to > 9999 {
				return q, invalid("read "+name, strconv.Quote(s)+" is no year", name+"=1995")
			}
		}
	}
	if s := strings.TrimSpace(v.Get("least")); s != "" {
		if q.Least, err = strconv.ParseFloat(s, 64); err != nil || !(q.Least >= 0 && q.Least <= 1) {
			return q, invalid("read least", strconv.Quote(s)+" is no probability", "least=0.5")
		}
	}
	q.With = key(v.Get("with"))
	if len(q.With) > longestTerm {
		return q, invalid("read with", "it is too long", "a word of the phrase")
	}
	return q, nil
}

// Phrases returns those that a query asks for.
func (d *Desk) Phrases(ctx context.Context, collection string, q PhraseQuery) (*Phrases, error) {
	t, err := d.Tables(ctx, collection)
	if err != nil {
		return nil, err
	}
	rows, err := t.Emerging()
	if err != nil {
		return nil, err
	}
	out := &Phrases{Collection: collection, Texts: t.Texts(), Years: []PhraseYear{}, Phrases: []Phrase{}, All: len(rows), Absent: t.Absent()}
	_, out.Dropped = t.Dropped()
	slices.SortStableFunc(rows, func(a, b stored.EmergingRow) int { return cmp.Compare(b.Year, a.Year) })
	for _, y := range t.Years() {
		out.Years = append(out.Years, PhraseYear{Year: y})
	}
	for _, r := range rows {
		if r.Probability < q.Least || q.With != "" && !strings.Contains(r.Phrase, q.With) {
			continue
		}
		if i, ok := slices.BinarySearchFunc(out.Years, int(r.Year), func(y PhraseYear, year int) int { return cmp.Compare(y.Year, year) }); ok {
			out.Years[i].Phrases++
		}
		if q.From > 0 && int(r.Year) < q.From || q.To > 0 && int(r.Year) > q.To {
			continue
		}
		if out.Of++; len(out.Phrases) == mostPhrases {
			continue
		}
		p := Phrase{r.Phrase, int(r.Year), int(r.Begun), int(r.Texts), r.Share, r.Probability, []First{}}
		for _, f := range r.First {
			stamp, address, ok := strings.Cut(f, " ")
			at, err := cdxj.ParseTimestamp(stamp)
			if !ok || err != nil {
				continue
			}
			p.First = append(p.First, First{address, at})
		}
		out.Phrases = append(out.Phrases, p)
	}
	return out, nil
}
