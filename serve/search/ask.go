package search

import (
	"context"
	"errors"
	"slices"
	"strings"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/index/fulltext"
)

// Texts gives the text indexes of collections, each as whoever asks may see it; without names, those of all
// collections that have one. A name without an index is an error.
type Texts interface {
	Sources(ctx context.Context, collections ...string) ([]fulltext.Source, error)
}

// Discreet are texts of which some values of facets are not told to whoever asks, though the texts that have them are found.
type Discreet interface {
	Hides(ctx context.Context) func(facet, value string) bool // nil: it hides nothing
}

// Collections takes a list of names apart at its commas. An empty one means all collections.
func Collections(list string) (out []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Ask answers a query of one collection, of several by comma, or of all if none is named. What may not be seen is neither
// found nor counted.
func Ask(ctx context.Context, t Texts, collections string, q fulltext.Query) (*fulltext.Answer, error) {
	a, err := asked(ctx, t, collections, func(sources []fulltext.Source) (*fulltext.Answer, error) {
		return fulltext.Search(ctx, sources, q)
	})
	d, discreet := t.(Discreet)
	if err != nil || !discreet {
		return a, err
	}
	if hides := d.Hides(ctx); hides != nil {
		for facet, counts := range a.Facets {
			a.Facets[facet] = slices.DeleteFunc(counts, func(c fulltext.Count) bool { return hides(facet, c.Name) })
		}
	}
	return a, nil
}

// asked opens sources, and tells errors of the query as those of whoever asks.
func asked[T any](ctx context.Context, t Texts, collections string, do func([]fulltext.Source) (T, error)) (out T, err error) {
	sources, err := t.Sources(ctx, Collections(collections)...)
	if err != nil {
		return out, err
	}
	if out, err = do(sources); err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if varve.KindOf(err) != varve.Internal { // of an engine, which says what is wrong with it
		return out, err
	}
	var syntax *fulltext.SyntaxError
	if errors.As(err, &syntax) {
		return out, &varve.Error{Kind: varve.Invalid, Op: "search", Err: err, Hint: `words, "phrases", AND OR NOT, prefix*, "near words"~5, title:word, person:"first last"`}
	}
	return out, &varve.Error{Kind: varve.Invalid, Op: "search", Err: err}
}

// Declared returns the facets that analyses brought into what is asked, but for what entities are called and what facts are told: nobody chooses from that.
func Declared(ctx context.Context, t Texts, collections string) ([]derive.Facet, error) {
	return asked(ctx, t, collections, func(sources []fulltext.Source) ([]derive.Facet, error) {
		return slices.DeleteFunc(fulltext.Declared(sources), func(d derive.Facet) bool { return d.Name == annotate.CalledFacet || d.Name == annotate.FactFacet }), nil
	})
}

// Spelled gives words that texts have and that are written nearly as a word is, with how many versions that may be seen have
// each; words that only what is withheld has are left out.
func Spelled(ctx context.Context, t Texts, collections, word string, most int) ([]fulltext.Count, error) {
	list, err := asked(ctx, t, collections, func(sources []fulltext.Source) ([]fulltext.Count, error) {
		return fulltext.Spelled(ctx, sources, word, 2*most)
	})
	var out []fulltext.Count
	for _, c := range list {
		a, err := Ask(ctx, t, collections, fulltext.Query{Text: c.Name, Limit: -1})
		if err != nil {
			return nil, err
		}
		if a.Total > 0 && len(out) < most {
			out = append(out, fulltext.Count{Name: c.Name, Count: a.Total})
		}
	}
	return out, err
}
