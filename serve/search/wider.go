package search

import (
	"context"
	"fmt"
	"strings"
	"time"

	"varve/index/fulltext"
)

// Wider is a question that is a little wider than one that found nothing, and how many versions it finds.
type Wider struct {
	Label string `json:"label"`
	Count int64  `json:"count"`
	Text  string `json:"q"`             // what to ask instead
	Free  Free   `json:"free,omitzero"` // which conditions to leave out
}

// Free says which conditions a wider question leaves out.
type Free string

// The conditions that are left out.
const (
	OfNothing    Free = ""
	OfTime       Free = "time"
	OfConditions Free = "conditions" // time, facets and collection
)

// mostWider bounds the questions that are tried for whoever found nothing.
const mostWider = 12

// Widen tries what was asked without its conditions, with words that are spelled otherwise, and each word alone: whoever found nothing sees why.
func Widen(ctx context.Context, t Texts, collections string, q fulltext.Query) []Wider {
	q.Limit, q.Facets, q.Cursor, q.Group, q.Trend = -1, nil, "", false, fulltext.NoTrend
	w := &widening{ctx: ctx, texts: t, collections: collections}
	timeless := q
	timeless.From, timeless.To, timeless.AsOf, timeless.Relation = time.Time{}, time.Time{}, time.Time{}, ""
	if !q.From.IsZero() || !q.To.IsZero() || !q.AsOf.IsZero() {
		w.try("the same at any time", collections, OfTime, timeless)
	}
	if collections != "" || len(q.Filters)+len(q.Without) > 0 {
		free := timeless
		free.Filters, free.Without = nil, nil
		w.try("only the words, without any condition", "", OfConditions, free)
	}
	words := leaves(q.Text)
	for _, word := range words {
		for _, other := range w.spelled(word) {
			w.text(fmt.Sprintf("%s instead of %s", other, word), q, strings.Replace(q.Text, word, other, 1))
		}
	}
	if len(words) < 2 {
		return w.out
	}
	for _, word := range words {
		w.text(word+" alone", q, word)
	}
	if len(words) <= 6 {
		w.text("any one of the words", q, strings.Join(words, " OR "))
	}
	return w.out
}

// widening tries questions.
type widening struct {
	ctx         context.Context
	texts       Texts
	collections string
	out         []Wider
}

// text tries other words with the same conditions.
func (w *widening) text(label string, q fulltext.Query, text string) {
	q.Text = text
	w.try(label, w.collections, OfNothing, q)
}

func (w *widening) try(label, collections string, free Free, q fulltext.Query) {
	if len(w.out) == mostWider {
		return
	}
	if a, err := Ask(w.ctx, w.texts, collections, q); err == nil {
		w.out = append(w.out, Wider{Label: label, Count: a.Total, Text: q.Text, Free: free})
	}
}

// spelled gives other spellings of a word that no text has; phrases and beginnings have none.
func (w *widening) spelled(word string) (out []string) {
	if strings.ContainsAny(word, `":* `) {
		return nil
	}
	if a, err := Ask(w.ctx, w.texts, w.collections, fulltext.Query{Text: word, Limit: -1}); err != nil || a.Total > 0 {
		return nil
	}
	list, err := Spelled(w.ctx, w.texts, w.collections, word, 3)
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
