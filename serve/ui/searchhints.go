package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/search"
)

// hint is a way on from nothing: a question that is a little wider, with how much it finds.
type hint struct {
	Label string
	Count int64
	Href  string
}

// mostHints bounds the questions that are tried for whoever found nothing.
const mostHints = 12

// hints tries what was asked without its conditions, and each word alone: whoever found nothing sees why.
func (d *searchData) hints(ctx context.Context, u *UI, q fulltext.Query) (out []hint) {
	q.Limit, q.Facets, q.Cursor, q.Group, q.Trend = -1, nil, "", false, fulltext.NoTrend
	try := func(label, href, collections string, q fulltext.Query) {
		if len(out) == mostHints {
			return
		}
		a, err := search.Ask(ctx, u.cfg.Texts, collections, q)
		if err == nil {
			out = append(out, hint{label, a.Total, href})
		}
	}
	collections := d.Q.Get("collection")
	timeless := q
	timeless.From, timeless.To, timeless.AsOf, timeless.Relation = time.Time{}, time.Time{}, time.Time{}, ""
	if !q.From.IsZero() || !q.To.IsZero() || !q.AsOf.IsZero() {
		try("the same at any time", address(d.Path, d.copy("cursor", "from", "to", "asof", "relation")), collections, timeless)
	}
	free := timeless
	free.Filters, free.Without = nil, nil
	if len(d.Conditions) > 0 {
		try("only the words, without any condition", address(d.Path, values("q", d.Q.Get("q"))), "", free)
	}
	words := leaves(q.Text)
	for _, w := range words {
		for _, other := range u.spelled(ctx, collections, w) {
			mended := q
			mended.Text = strings.Replace(q.Text, w, other, 1)
			try(fmt.Sprintf("%s instead of %s", other, w), d.with("q", mended.Text), collections, mended)
		}
	}
	if len(words) < 2 {
		return out
	}
	for _, w := range words {
		alone := q
		alone.Text = w
		try(fmt.Sprintf("%s alone", w), d.with("q", w), collections, alone)
	}
	if len(words) <= 6 {
		either := q
		either.Text = strings.Join(words, " OR ")
		try("any one of the words", d.with("q", either.Text), collections, either)
	}
	return out
}

// spelled gives other spellings of a word that no text has; phrases and beginnings have none.
func (u *UI) spelled(ctx context.Context, collections, word string) (out []string) {
	if strings.ContainsAny(word, `":* `) {
		return nil
	}
	if a, err := search.Ask(ctx, u.cfg.Texts, collections, fulltext.Query{Text: word, Limit: -1}); err != nil || a.Total > 0 {
		return nil
	}
	list, err := search.Spelled(ctx, u.cfg.Texts, collections, word, 3)
	if err != nil {
		return nil
	}
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out
}

// leaves are the words and phrases of a query that must be there, as they are written in one.
func leaves(text string) (out []string) {
	n, err := fulltext.Parse(text)
	if err != nil || n == nil {
		return nil
	}
	var walk func(n fulltext.Node)
	walk = func(n fulltext.Node) {
		switch n := n.(type) {
		case fulltext.And:
			for _, p := range n {
				walk(p)
			}
		case fulltext.Or:
			for _, p := range n {
				walk(p)
			}
		case fulltext.Words:
			out = append(out, written(n))
		}
	}
	walk(n)
	return out
}

// written writes words as a query has them.
func written(w fulltext.Words) string {
	s := w.Text
	switch {
	case w.Within > 0:
		s = fmt.Sprintf(`"%s"~%d`, s, w.Within)
	case strings.ContainsAny(s, " \t"):
		s = `"` + s + `"`
	case w.Prefix:
		s += "*"
	}
	if w.Field != "" {
		s = w.Field + ":" + s
	}
	return s
}
