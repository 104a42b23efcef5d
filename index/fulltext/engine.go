package fulltext

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"varve/derive"
)

// What an engine beyond one machine needs to answer as the embedded index does: the same words of texts and queries, the same weights, the same bounds of
// time, the same documents with the same facets, the same passages. It finds and counts; what that means is decided here.

// Engine reads queries and makes hits as the embedded index does. It is safe for concurrent use.
type Engine struct{ analyser analysis.Analyzer }

// NewEngine makes an Engine.
func NewEngine() (*Engine, error) {
	m, err := newMapping()
	if err != nil {
		return nil, err
	}
	return &Engine{m.AnalyzerNamed(analyserName)}, nil
}

// Words are the words of a text, in order: the place of a word is its number, from 1.
func (e *Engine) Words(text string) []string { return analyse(e.analyser, text) }

// Understand fills the defaults of a query, refuses what makes no sense, and reads its text; nil is everything.
func (e *Engine) Understand(q *Query, declared []derive.Facet) (Node, error) {
	if err := q.check(declared); err != nil {
		return nil, err
	}
	n, err := Parse(q.Text)
	if err == nil {
		err = checkFacetsOf(n, declared)
	}
	if err != nil || n == nil {
		return nil, err
	}
	return worded(n, e.analyser)
}

// Reach is how many documents must be looked up for the hits of a query: one more than it asks for, and more where results are grouped.
func (q *Query) Reach() int {
	if q.Group {
		return q.Limit*alikeReach + 1
	}
	return q.Limit + 1
}

// Collections reports whether a query is asked of the collection of a name.
func (q *Query) Collections(name string) bool {
	names := q.Filters[collectionFacet]
	return (len(names) == 0 || slices.Contains(names, name)) && !slices.Contains(q.Without[collectionFacet], name)
}

// CollectionFacet is the name of the facet that tells sources apart.
const CollectionFacet = collectionFacet

// Bounds are the least and greatest begin and end of a validity that a query lets through, in microseconds, both included; Endless is the end of one that has none.
func (q *Query) Bounds() (from, until [2]int64) {
	b := boxOf(q)
	return b.from, b.until
}

// Endless is the end of a validity that has none yet.
const Endless = open

// Most takes ByMost apart.
func (o Order) Most() (facet, about string, ok bool) { return o.most() }

// Accepts returns the comparison of a number, with the seven digits that an index holds.
func (n Number) Accepts() func(float32) bool { return n.accepts() }

// Fold is how a value of a facet is looked for: capitals and the length of white space make no difference.
func Fold(value string) string { return fold(value) }

// LinkedBy is what the links to a page multiply its score by.
func LinkedBy(inlinks int) float64 { return linkedBy(uint32(max(0, inlinks))) }

// Boost is what a word is worth by the field that it stands in.
func Boost(field string) float64 { return boosts[field] }

// Term is a word of a field.
type Term struct{ Field, Word string }

// Weights are what the words of a query are worth.
type Weights struct {
	engine *Engine
	of     *weights
}

// Weigh reads the words of a query. Count is asked how many documents have each of some terms, whoever may see them; total is how many there are.
func (e *Engine) Weigh(n Node, total int64, count func([]Term) ([]int64, error)) (*Weights, error) {
	w := &weights{words: map[Words][]string{}, terms: map[term]*weighed{}}
	var list []Term
	for leaf, not := range leaves(n) {
		words, known := w.words[leaf]
		if !known {
			words = e.Words(leaf.Text)
			w.words[leaf] = words
		}
		if not {
			continue
		}
		for _, f := range fieldsOf(leaf) {
			for _, word := range words {
				if key := (term{f, word}); w.terms[key] == nil {
					w.terms[key] = &weighed{}
					list = append(list, Term{f, word})
				}
			}
		}
	}
	if count != nil && len(list) > 0 {
		df, err := count(list)
		if err != nil {
			return nil, err
		}
		for i, t := range list {
			w.terms[term{t.Field, t.Word}].weigh(t.Field, float64(df[i]), float64(total))
		}
	}
	return &Weights{e, w}, nil
}

// Words are the words of a part of the query.
func (w *Weights) Words(leaf Words) []string { return w.of.words[leaf] }

// Fields are the fields that a part of the query is looked for in.
func (w *Weights) Fields(leaf Words) []string { return slices.Clone(fieldsOf(leaf)) }

// Of is the weight of a word, and whether a tenth of all documents and more have it.
func (w *Weights) Of(field, word string) (weight float64, often bool) {
	t := w.of.of(field, word)
	return t.weight, t.often
}

// Tells reports whether few documents have what is asked for: frequent words beside it give no score.
func (w *Weights) Tells(n Node) bool { return w.of.tells(n) }

// InOrder are the parts of a conjunction as they are looked for: words first, what must be missing last. Phrases of a part are looked for, and scored, only
// in documents that have the parts before it.
func InOrder(n And) []Node {
	out := slices.Clone(n)
	slices.SortStableFunc(out, func(a, b Node) int { return effort(a) - effort(b) })
	return out
}

// Fill makes the hits of an answer, and its cursor, of documents that were found: up to Reach of them, in their order.
func (w *Weights) Fill(out *Answer, n Node, q *Query, count int, get func(i int) (Found, error)) error {
	return fillHits(out, w.engine.analyser, w.of, n, q, count, get)
}

// Clear makes a version of a page of whose links some are withheld tell only of those that may be seen.
func (v *View) Clear(x *derive.VersionRow) error { return v.clear(x) }

// Year is a shard: the documents that begin in a year.
type Year struct {
	Name string
	Docs int
	Mark string // digest of its documents, their facets and labels
}

// Document is a version as an index has it.
type Document struct {
	Year   string
	Number int                      // among those of its year
	Row    *derive.VersionRow       // used again for the next one
	Words  map[string][]string      // of each field
	Facets map[string]string        // with one value a document
	Values []derive.VersionFacetRow // of the facets that analyses declared
}

// Table is a table of versions with what belongs to its documents.
type Table struct {
	engine   *Engine
	versions string
	facets   facetTable
	labels   Labels
}

// OpenTable opens the table of versions of a collection.
func (e *Engine) OpenTable(versions string, labels Labels) (*Table, error) {
	facets, err := tableOfFacets(versions)
	return &Table{e, versions, facets, labels}, err
}

// Declared are the facets that analyses brought.
func (t *Table) Declared() []derive.Facet { return t.facets.declared }

// Years finds the shards, in order, and what tells whether they changed. It is one pass.
func (t *Table) Years(ctx context.Context) (out []Year, err error) {
	labels := map[string]hash.Hash{}
	err = t.rows(ctx, func(d *Document) error {
		h := labels[d.Year]
		if h == nil {
			h = sha256.New()
			labels[d.Year] = h
		}
		for _, f := range labelFacets {
			fmt.Fprintf(h, "%s\n", d.Facets[f])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	years, err := measureYears(ctx, t.versions, &t.facets)
	for _, y := range years {
		h := labels[y.year]
		fmt.Fprintf(h, "%s", y.mark)
		if y.facetSum != nil {
			h.Write(y.facetSum.Sum(nil))
		}
		out = append(out, Year{y.year, y.docs, hex.EncodeToString(h.Sum(nil))})
	}
	return out, err
}

// Documents calls fn with the documents of some years, in the order of the table. It is one pass.
func (t *Table) Documents(ctx context.Context, years map[string]bool, fn func(*Document) error) error {
	values := t.facets.read()
	defer values.Close()
	row := int64(-1)
	return t.rows(ctx, func(d *Document) (err error) {
		row++
		if d.Values = nil; len(t.facets.declared) > 0 {
			if d.Values, err = values.Of(row); err != nil {
				return err
			}
		}
		if !years[d.Year] {
			return nil
		}
		d.Words = map[string][]string{}
		for i, text := range []string{d.Row.Text, d.Row.Title, d.Row.Anchors, addressWords(d.Row.URL)} {
			d.Words[fields[i]] = t.engine.Words(text)
		}
		return fn(d)
	})
}

// rows goes through the table.
func (t *Table) rows(ctx context.Context, fn func(*Document) error) error {
	numbers := map[string]int{}
	n := 0
	return derive.Rows(t.versions, func(v *derive.VersionRow) (bool, error) {
		d := &Document{Year: yearOf(v), Row: v}
		d.Number = numbers[d.Year]
		numbers[d.Year]++
		d.Facets = map[string]string{}
		for i, name := range facetsOf(v) {
			d.Facets[columnFacets[i]] = name
		}
		maps.Copy(d.Facets, t.labels.of(v))
		if n++; n%1000 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		return true, fn(d)
	})
}

// of are the labels of a document.
func (l Labels) of(v *derive.VersionRow) map[string]string {
	out := map[string]string{labelFacets[0]: "", labelFacets[1]: ""}
	if l.Coherence != nil {
		out[labelFacets[0]] = l.Coherence(Labelled{SURT: strings.Clone(v.SURT), Host: strings.Clone(v.Host), Crawl: strings.Clone(v.Crawl), First: v.From.UTC(), Last: v.Last.UTC(), Captures: int(v.Captures)})
	}
	if l.Spam != nil {
		out[labelFacets[1]] = l.Spam(v.Host)
	}
	return out
}

// Norm is what the score of a word is multiplied by in a field of so many words.
func Norm(words int) float32 { return float32(1 / math.Sqrt(float64(words))) }
