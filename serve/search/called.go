package search

import (
	"context"
	"fmt"
	"strings"

	"varve"
	"varve/index/fulltext"
)

// OtherName is another name that something may have had, with what speaks for it.
type OtherName struct {
	Name       string
	Former     bool     // it was called so before the year; else since
	Year       int      // of the change
	Shared     []string // words of both contexts
	Collection string   // whose texts tell it
	Words      bool     // no renaming: a term that was said in the same company
}

// Called returns other names of something.
type Called func(ctx context.Context, name string) ([]OtherName, error)

// Renamed is a question with another name of something beside the one that was asked for.
type Renamed struct {
	Wider
	OtherName
	Asked string // the name of the question
}

// AlsoCalled offers what was asked with other names of what it names beside them, where that finds more than the total that was found. A name is a phrase of the question, a word of it, or all its words in a row. Names that only
// what is withheld has are not offered, for they find nothing.
func AlsoCalled(ctx context.Context, t Texts, collections string, q fulltext.Query, total int64, called Called) (out []Renamed, err error) {
	text := strings.TrimSpace(q.Text)
	if text == "" || called == nil {
		return nil, nil
	}
	q.Limit, q.Facets, q.Cursor, q.Group, q.Trend = -1, nil, "", false, fulltext.NoTrend
	words := leaves(text)
	if whole := strings.Join(words, " "); len(words) > 1 && whole == text && len(words) <= 6 { // plain words may be one name
		words = append([]string{text}, words...)
	}
	tried := 0
	for _, word := range words {
		plain := strings.Trim(word, `"`)
		names, err := called(ctx, plain)
		if err != nil {
			return out, err
		}
		for _, n := range names {
			if !fulltext.Quotable(n.Name) || strings.EqualFold(n.Name, plain) {
				continue
			}
			if tried++; tried > mostWider {
				return out, nil
			}
			both := q
			asked := word
			if quoted := `"` + plain + `"`; strings.Contains(text, quoted) {
				asked = quoted
			}
			kept := asked
			if strings.Contains(plain, " ") {
				kept = `"` + plain + `"`
			}
			both.Text = strings.Replace(text, asked, fmt.Sprintf(`(%s OR "%s")`, kept, n.Name), 1)
			a, err := Ask(ctx, t, collections, both)
			if varve.KindOf(err) == varve.Invalid {
				continue // the word stands where no brackets may
			}
			if err != nil {
				return out, err
			}
			if a.Total > total || word == text && a.Total > 0 {
				out = append(out, Renamed{Wider{Label: n.Name, Count: a.Total, Text: both.Text}, n, plain})
			}
		}
		if len(out) > 0 && word == text {
			break // its words alone are parts of the name
		}
	}
	return out, nil
}
