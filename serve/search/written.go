package search

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/index/fulltext"
	"varve/language/variant"
)

// Spellings gives the words that collections wrote otherwise at another time ('varve text variants'); of all collections without names. Texts that know them have it too.
type Spellings interface {
	Spellings(ctx context.Context, collections ...string) ([]variant.Pair, error)
}

// ReadSpellings reads what was found in collections of an archive; of all of them without names.
func ReadSpellings(a *catalog.Archive, collections []string) (out []variant.Pair, err error) {
	if len(collections) == 0 {
		all, err := a.Collections()
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			collections = append(collections, c.Name)
		}
	}
	for _, name := range collections {
		col, err := a.Collection(name)
		if err != nil {
			return nil, err
		}
		pairs, err := derive.ReadVariants(filepath.Join(col.Dir(), "derived"))
		if err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "spellings of " + name, Err: err}
		}
		out = append(out, pairs...)
	}
	return out, nil
}

// AlsoWritten offers what was asked with other spellings of its words beside them, where that finds more than the total that was found. Words that
// only what is withheld has are not offered, for they find nothing.
func AlsoWritten(ctx context.Context, t Texts, collections string, q fulltext.Query, total int64) (out []Wider, err error) {
	from, ok := t.(Spellings)
	if !ok || strings.TrimSpace(q.Text) == "" {
		return nil, nil
	}
	pairs, err := from.Spellings(ctx, Collections(collections)...)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	q.Limit, q.Facets, q.Cursor, q.Group, q.Trend = -1, nil, "", false, fulltext.NoTrend
	tried := map[string]bool{}
	for _, word := range leaves(q.Text) {
		plain := strings.Trim(word, `"`)
		if quoted := `"` + plain + `"`; strings.Contains(q.Text, quoted) {
			word = quoted
		}
		for _, p := range pairs {
			other, when := "", ""
			switch {
			case strings.EqualFold(plain, p.Old):
				other, when = p.New, fmt.Sprintf("mostly from %d on", p.Turn)
			case strings.EqualFold(plain, p.New):
				other, when = p.Old, fmt.Sprintf("mostly before %d", p.Turn)
			}
			if other == "" || tried[plain+" "+other] {
				continue
			}
			if tried[plain+" "+other] = true; len(tried) > mostWider {
				return out, nil
			}
			both := q
			both.Text = strings.Replace(q.Text, word, fmt.Sprintf(`(%s OR "%s")`, word, other), 1)
			a, err := Ask(ctx, t, collections, both)
			if varve.KindOf(err) == varve.Invalid {
				continue // the word stands where no brackets may
			}
			if err != nil {
				return out, err
			}
			if a.Total > total {
				out = append(out, Wider{Label: fmt.Sprintf("%s (%s)", other, when), Count: a.Total, Text: both.Text})
			}
		}
	}
	return out, nil
}
