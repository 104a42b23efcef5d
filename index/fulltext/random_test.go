package fulltext

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// randomText makes the text of a query up: words, phrases of common and of rare words, nearness, prefixes, fields.
func randomText(rng *rand.Rand) string {
	row := func(n int, draw func() string) string {
		out := draw()
		for range n - 1 {
			out += " " + draw()
		}
		return strconv.Quote(out)
	}
	any := func() string { return word(rng) }
	common := func() string { return fmt.Sprintf("w%d", rng.IntN(4)) }
	one := func() string {
		switch rng.IntN(14) {
		case 9:
			return fmt.Sprintf("person:\"person  %d\"", rng.IntN(30))
		case 10:
			return fmt.Sprintf("person:\"Person %d\"*", 1+rng.IntN(9))
		case 11:
			return []string{"place:großort*", "place:\"Großort 1, süd\"", "host:" + hosts[rng.IntN(4)], "lang:DE", "year:202*"}[rng.IntN(5)]
		case 12, 13:
			n := fmt.Sprintf("opinion:%s%.1f", []string{"<", "<=", ">", ">=", "="}[rng.IntN(5)], float64(rng.IntN(21)-10)/10)
			return n + []string{"", " about:\"rent law\"", " about:rent*", " about:*", " about:w1"}[rng.IntN(5)]
		case 7:
			return row(2+rng.IntN(3), common)
		case 8:
			return Fields()[rng.IntN(4)] + ":" + row(2, common)
		case 0:
			return row(2, any)
		case 1:
			return fmt.Sprintf("%q~%d", word(rng)+" "+word(rng), 1+rng.IntN(6))
		case 2:
			return word(rng)[:2] + "*"
		case 3:
			return Fields()[rng.IntN(4)] + ":" + word(rng)
		}
		return word(rng)
	}
	switch rng.IntN(10) {
	case 0:
		return ""
	case 6:
		return common() + " -" + row(2, common) + " -" + one()
	case 7:
		return "(" + row(2, common) + " OR " + row(3, common) + ") -(" + row(2, any) + " " + one() + ")"
	case 1:
		return one() + " " + one()
	case 2:
		return one() + " OR " + one() + " AND " + one()
	case 3:
		return one() + " -" + one()
	case 4:
		return "NOT (" + one() + " OR " + one() + ")"
	case 5:
		return "(" + one() + " OR " + one() + ") " + one()
	}
	return one()
}

func randomQuery(rng *rand.Rand) Query {
	q := Query{Text: randomText(rng), Limit: 200, Facets: append(Facets(), "person", "place", "opinion"), Top: []int{1, 3, 10, 1 << 20}[rng.IntN(4)], Trend: []Bucket{ByDay, ByMonth, ByYear, NoTrend}[rng.IntN(4)]}
	instant := func() time.Time { return origin.Add(time.Duration(rng.IntN(5*365*24)) * time.Hour) }
	switch rng.IntN(4) {
	case 0:
		q.AsOf = instant()
	case 1:
		a, b := instant(), instant()
		if b.Before(a) {
			a, b = b, a
		}
		q.From, q.To = a, b
		q.Relation = []Relation{"", Intersects, Inside, Contains, Begins}[rng.IntN(5)]
		if rng.IntN(4) == 0 {
			q.From = time.Time{}
		} else if rng.IntN(4) == 0 {
			q.To = time.Time{}
		}
	}
	if rng.IntN(3) == 0 {
		q.Filters = map[string][]string{"host": {hosts[rng.IntN(4)], hosts[rng.IntN(4)]}}
	}
	if rng.IntN(4) == 0 {
		q.Without = map[string][]string{"lang": {langs[rng.IntN(3)]}}
	}
	if rng.IntN(5) == 0 {
		q.Filters = map[string][]string{"person": {fmt.Sprintf("Person %d", rng.IntN(5)), "nobody"}}
		q.Without = map[string][]string{"place": {"Großort 1, Süd"}, "opinion": {"rents"}}
	}
	if rng.IntN(6) == 0 {
		q.Filters = map[string][]string{"coherence": {"coherent", ""}}
		q.Without = map[string][]string{"spam": {"spam"}}
	}
	if rng.IntN(5) == 0 {
		q.Filters = map[string][]string{"year": {fmt.Sprint(2020 + rng.IntN(4))}, "mime": {mimes[rng.IntN(2)]}}
	}
	return q
}
