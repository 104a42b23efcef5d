package opensearch

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"varve/index/fulltext"
)

// sep stands between the parts of a value: the folded name and what follows it.
const sep = "\u0001"

// translator makes a query of OpenSearch of a parsed one.
type translator struct {
	weights *fulltext.Weights
	mixed   object              // documents whose anchors are not searched; nil: none
	sources map[string][]string // indexes of each collection that is asked
}

// both is all of some queries; the scores of none count.
func both(list ...any) object {
	return object{"bool": object{"filter": list}}
}

func either(list ...any) object {
	if len(list) == 1 {
		return list[0].(object)
	}
	return object{"bool": object{"should": list, "minimum_should_match": 1}}
}

func not(list ...any) object { return object{"bool": object{"must_not": list}} }

var nothing = object{"match_none": object{}}

// match is which documents fit a query.
func (t *translator) match(n fulltext.Node) (object, error) {
	switch n := n.(type) {
	case fulltext.And:
		list, err := t.each(n)
		return both(list...), err
	case fulltext.Or:
		list, err := t.each(n)
		if err != nil {
			return nil, err
		}
		return either(list...), nil
	case fulltext.Not:
		x, err := t.match(n.Node)
		return not(x), err
	case fulltext.Words:
		var list []any
		for _, f := range t.weights.Fields(n) {
			x, err := t.inField(n, f)
			if err != nil {
				return nil, err
			}
			list = append(list, t.seen(f, x))
		}
		return either(list...), nil
	case fulltext.Value:
		return t.value(n), nil
	case fulltext.Number:
		return number(n), nil
	}
	return nil, fmt.Errorf("a query of %T cannot be asked of OpenSearch", n)
}

func (t *translator) each(list []fulltext.Node) (out []any, err error) {
	for _, x := range list {
		q, err := t.match(x)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

// seen leaves out documents of whose links some are withheld, if the anchors are searched.
func (t *translator) seen(field string, q object) object {
	if field != "anchor" || t.mixed == nil {
		return q
	}
	return object{"bool": object{"must": []any{q}, "must_not": []any{t.mixed}}}
}

// inField is words in one field.
func (t *translator) inField(n fulltext.Words, field string) (object, error) {
	list := t.weights.Words(n)
	last := len(list) - 1
	switch {
	case last < 0:
		return nothing, nil
	case n.Prefix:
		tail, err := prefix(field, list[last])
		if err != nil || last == 0 {
			return tail, err
		}
		head, err := inRow(field, list[:last], 0)
		return both(head, tail), err
	}
	return inRow(field, list, n.Within)
}

func prefix(field, start string) (object, error) {
	if len(start) > wordHead {
		return nil, &fulltext.SyntaxError{Msg: fmt.Sprintf("the beginning of a word has at most %d bytes in OpenSearch", wordHead)}
	}
	return object{"prefix": object{field: object{"value": start}}}, nil
}

// inRow is words in a row, or in any order with so many others between them.
func inRow(field string, list []string, within int) (object, error) {
	switch {
	case len(list) == 1:
		return object{"term": object{field: object{"value": word(list[0])}}}, nil
	case within == 0:
		return object{"match_phrase": object{field: object{"query": words(list)}}}, nil
	}
	return near(field, list, within)
}

// mostOrders bounds the orders in which words are looked for of which some are the same.
const mostOrders = 120

// near is words within so many others, in any order. Of equal words each needs a place of its own, which OpenSearch heeds only in a given order:
// then all orders are asked for.
func near(field string, list []string, within int) (object, error) {
	var each []any
	for _, w := range list {
		each = append(each, object{"match": object{"query": word(w)}})
	}
	all := func(ordered bool, each []any) object {
		return object{"all_of": object{"ordered": ordered, "max_gaps": within, "intervals": each}}
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(list))); len(distinct) == len(list) {
		return object{"intervals": object{field: all(false, each)}}, nil
	}
	var orders []any
	for order := range permutations(slices.Sorted(slices.Values(list))) {
		if len(orders) == mostOrders {
			return nil, &fulltext.SyntaxError{Msg: "so many words near each other, of which some are the same, cannot be asked of OpenSearch"}
		}
		var each []any
		for _, w := range order {
			each = append(each, object{"match": object{"query": word(w)}})
		}
		orders = append(orders, all(true, each))
	}
	return object{"intervals": object{field: object{"any_of": object{"intervals": orders}}}}, nil
}

// permutations are the orders of a sorted list, each once, in the order of the alphabet.
func permutations(list []string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for {
			if !yield(slices.Clone(list)) {
				return
			}
			i := len(list) - 2
			for i >= 0 && list[i] >= list[i+1] {
				i--
			}
			if i < 0 {
				return
			}
			j := len(list) - 1
			for list[j] <= list[i] {
				j--
			}
			list[i], list[j] = list[j], list[i]
			slices.Reverse(list[i+1:])
		}
	}
}

// value is a value of a facet.
func (t *translator) value(n fulltext.Value) object {
	want := fulltext.Fold(n.Text)
	if n.Facet == fulltext.CollectionFacet {
		var list []string
		for name, indexes := range t.sources {
			if fulltext.Fold(name) == want {
				list = append(list, indexes...)
			}
		}
		slices.Sort(list)
		return object{"terms": object{"_index": append([]string{}, list...)}}
	}
	if !n.Prefix {
		want += sep
	}
	return object{"prefix": object{"w." + n.Facet: object{"value": want}}}
}

// number is a number of a facet, about something.
func number(n fulltext.Number) object {
	lo, hi := code(float32(math.Inf(-1))), code(float32(math.Inf(1)))
	switch than := code(float32(n.Than)); n.Op {
	case "<":
		hi = than - 1
	case "<=":
		hi = than
	case ">":
		lo = than + 1
	case ">=":
		lo = than
	default:
		lo, hi = than, than
	}
	if lo > hi || n.Than != n.Than {
		return nothing
	}
	field, about := "n."+n.Facet, ""
	if n.About != nil {
		about = fulltext.Fold(n.About.Text)
	}
	if n.About != nil && n.About.Prefix {
		more := "[^" + sep + "]*"
		if about == "" {
			more = "[^" + sep + "]+"
		}
		return object{"regexp": object{field: object{"value": literal(about) + more + sep + "(" + hexRange(lo, hi) + ")", "flags": "NONE"}}}
	}
	return object{"range": object{field: object{"gte": about + sep + hex8(lo), "lte": about + sep + hex8(hi)}}}
}

// code is a number whose order is that of the number; -0 is 0.
func code(x float32) uint32 {
	b := math.Float32bits(x + 0)
	if x == 0 {
		b = 0
	}
	if b>>31 == 1 {
		return ^b
	}
	return b | 1<<31
}

func hex8(n uint32) string { return fmt.Sprintf("%08x", n) }

// literal is a text as a regular expression of Lucene.
func literal(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`.?+*|{}[]()"\#@&<>~^$-`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

// hexRange is the regular expression of the numbers of eight digits from lo to hi.
func hexRange(lo, hi uint32) string {
	a, b := hex8(lo), hex8(hi)
	i := 0
	for i < 8 && a[i] == b[i] {
		i++
	}
	if i == 8 {
		return a
	}
	out := []string{a, b}
	rest := func(k int) string { return strings.Repeat("["+hexDigits+"]", 7-k) }
	class := func(from, to int) string { return "[" + hexDigits[from:to] + "]" }
	digit := func(s string, k int) int { return strings.IndexByte(hexDigits, s[k]) }
	if from, to := digit(a, i)+1, digit(b, i); from < to {
		out = append(out, a[:i]+class(from, to)+rest(i))
	}
	for k := i + 1; k < 8; k++ {
		if from := digit(a, k) + 1; from < 16 {
			out = append(out, a[:k]+class(from, 16)+rest(k))
		}
		if to := digit(b, k); to > 0 {
			out = append(out, b[:k]+class(0, to)+rest(k))
		}
	}
	return strings.Join(out, "|")
}

// scores are what the parts of a query give to the score of a document; they are added up, wherever in the query the part stands. Within are the parts of a
// conjunction that a phrase is looked for in; telling is set for words beside rarer ones.
func (t *translator) scores(n fulltext.Node, within []any, under, telling bool) (out []any, err error) {
	switch n := n.(type) {
	case fulltext.And:
		telling := t.weights.Tells(n)
		for _, x := range fulltext.InOrder(n) {
			_, plain := x.(fulltext.Words)
			list, err := t.scores(x, within, under, telling && plain)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
			if under { // else every hit has all parts
				q, err := t.match(x)
				if err != nil {
					return nil, err
				}
				within = append(slices.Clone(within), q)
			}
		}
	case fulltext.Or:
		for _, x := range n {
			list, err := t.scores(x, within, true, false)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
	case fulltext.Not:
		out = []any{object{"match_all": object{"boost": 1}}}
	case fulltext.Value, fulltext.Number:
		q, err := t.match(n)
		if err != nil {
			return nil, err
		}
		out = []any{object{"constant_score": object{"filter": q, "boost": 1}}}
	case fulltext.Words:
		for _, f := range t.weights.Fields(n) {
			q, err := t.score(n, f, within, telling)
			if err != nil {
				return nil, err
			}
			if q != nil {
				out = append(out, t.seen(f, q))
			}
		}
	}
	return out, nil
}

// score is what words give in one field; nil: nothing.
func (t *translator) score(n fulltext.Words, field string, within []any, telling bool) (object, error) {
	list := t.weights.Words(n)
	last := len(list) - 1
	if n.Prefix && last == 0 {
		q, err := prefix(field, list[0])
		return object{"constant_score": object{"filter": q, "boost": fulltext.Boost(field)}}, err
	}
	if last == 0 {
		weight, often := t.weights.Of(field, list[0])
		if telling && often {
			return nil, nil
		}
		return normed(field, object{"term": object{field: object{"value": word(list[0]), "boost": weight}}}), nil
	}
	near := n.Within
	if n.Prefix {
		if list, near = list[:last], 0; last == 1 {
			return nil, nil
		}
	}
	sum := 0.0
	for _, w := range list {
		weight, _ := t.weights.Of(field, w)
		sum += weight
	}
	q, err := inRow(field, list, near)
	if err != nil {
		return nil, err
	}
	if near > 0 {
		q = object{"constant_score": object{"filter": q, "boost": sum}}
	} else { // the similarity is asked once for each word of a phrase
		q["match_phrase"].(object)[field].(object)["boost"] = sum / float64(len(list))
	}
	q = normed(field, q)
	if len(within) > 0 {
		q = object{"bool": object{"must": []any{q}, "filter": within}}
	}
	return q, nil
}

// normed multiplies a score with the norm of the field.
func normed(field string, q object) object {
	return object{"function_score": object{
		"query": q, "boost_mode": "multiply",
		"field_value_factor": object{"field": "norm." + field, "missing": 1},
	}}
}
