package texttest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/derive"
	"varve/index/fulltext"
)

// Compared is what Compare saw.
type Compared struct {
	Queries, Found, Equal int // questions, those that found something, those of which answers were equal
	A, B                  time.Duration
}

// maker makes questions up of the words, names and times that some rows have.
type maker struct {
	rng      *rand.Rand
	rows     []derive.VersionRow
	words    func(string) []string
	declared []derive.Facet
	persons  []string // values of facets of names, as FACET:VALUE
}

// Compare asks two indexes n random questions: words, phrases, nearness, beginnings, combinations, facets, instants, spans, orders, trends, pages. Every answer must be equal: the
// documents and their order but for equal scores, totals, counts and points. Values are some values of facets of names, as FACET:VALUE.
func Compare(t *testing.T, seed uint64, n int, a, b []fulltext.Source, rows []derive.VersionRow, values []string) (out Compared) {
	t.Helper()
	engine, err := fulltext.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{rand.New(rand.NewPCG(seed, 7)), rows, engine.Words, fulltext.Declared(a), values}
	for i := range n {
		q := m.query()
		began := time.Now()
		want, err := fulltext.Search(t.Context(), a, q)
		out.A += time.Since(began)
		began = time.Now()
		got, other := fulltext.Search(t.Context(), b, q)
		out.B += time.Since(began)
		out.Queries++
		if (err == nil) != (other == nil) {
			t.Errorf("seed %d, question %d %+v: %v and %v", seed, i, q, err, other)
			continue
		}
		if err != nil {
			out.Equal++
			continue
		}
		if want.Total > 0 {
			out.Found++
		}
		if diff := Differ(want, got); diff != "" {
			t.Errorf("seed %d, question %d %+v: %s", seed, i, q, diff)
			continue
		}
		out.Equal++
		if want.Cursor != "" && i%3 == 0 { // the next page
			next, also := q, q
			next.Cursor, also.Cursor = want.Cursor, got.Cursor
			want, err = fulltext.Search(t.Context(), a, next)
			if got, other = fulltext.Search(t.Context(), b, also); err != nil || other != nil {
				t.Errorf("seed %d, question %d, second page: %v, %v", seed, i, err, other)
			} else if want.Total != got.Total || len(want.Hits) != len(got.Hits) {
				t.Errorf("seed %d, question %d, second page: %d of %d and %d of %d hits", seed, i, len(want.Hits), want.Total, len(got.Hits), got.Total)
			}
		}
	}
	return out
}

// Questions are n random questions, as Compare asks them.
func Questions(seed uint64, n int, rows []derive.VersionRow) ([]fulltext.Query, error) {
	engine, err := fulltext.NewEngine()
	if err != nil {
		return nil, err
	}
	m := &maker{rng: rand.New(rand.NewPCG(seed, 7)), rows: rows, words: engine.Words}
	out := make([]fulltext.Query, n)
	for i := range out {
		out[i] = m.query()
	}
	return out, nil
}

// near reports whether scores are equal, but for what an engine of single precision cannot tell apart.
func near(a, b float64) bool { return math.Abs(a-b) <= 2e-6*math.Max(math.Abs(a), math.Abs(b)) }

// Differ tells in what two answers differ; "" if they do not. Documents of equal scores may be in any order, also across the end of a page.
func Differ(want, got *fulltext.Answer) string {
	switch {
	case want.Total != got.Total || want.Of != got.Of:
		return fmt.Sprintf("%d of %d found, and %d of %d", want.Total, want.Of, got.Total, got.Of)
	case len(want.Facets) != len(got.Facets):
		return fmt.Sprintf("facets %v and %v", want.Facets, got.Facets)
	case len(want.Hits) != len(got.Hits):
		return fmt.Sprintf("%d and %d hits", len(want.Hits), len(got.Hits))
	case (want.Cursor == "") != (got.Cursor == ""):
		return "only one of them goes on"
	case len(want.Trend) != len(got.Trend):
		return fmt.Sprintf("trend %v and %v", want.Trend, got.Trend)
	}
	for f, list := range want.Facets {
		if !slices.Equal(list, got.Facets[f]) {
			return fmt.Sprintf("facet %s: %v and %v", f, list, got.Facets[f])
		}
	}
	for i, p := range want.Trend {
		if !p.At.Equal(got.Trend[i].At) || p.Count != got.Trend[i].Count || p.Of != got.Trend[i].Of {
			return fmt.Sprintf("trend: %v and %v", p, got.Trend[i])
		}
	}
	return differHits(want.Hits, got.Hits)
}

// differHits compares hits by score: those of a stretch of equal scores must be the same set, unless the page ends in it.
func differHits(want, got []fulltext.Hit) string {
	for i := range want {
		if !near(want[i].Score, got[i].Score) && len(want[i].Alike) == 0 {
			return fmt.Sprintf("hit %d: %s scores %v, and %s %v", i, id(&want[i]), want[i].Score, id(&got[i]), got[i].Score)
		}
	}
	for from := 0; from < len(want); {
		to := from + 1
		for to < len(want) && near(want[to].Score, want[to-1].Score) {
			to++
		}
		a, b := ids(want[from:to]), ids(got[from:to])
		if to < len(want) && !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("hits %d to %d: %q and %q", from, to, a, b)
		}
		from = to
	}
	for i := range want { // what is shown of a document that both have
		for j := range got {
			if id(&want[i]) == id(&got[j]) && len(want[i].Alike)+len(got[j].Alike) == 0 {
				x, y := want[i], got[j]
				x.Score, y.Score = 0, 0
				if text(&x) != text(&y) {
					return fmt.Sprintf("hit %s is shown as %s and %s", id(&x), text(&x), text(&y))
				}
			}
		}
	}
	return ""
}

func id(h *fulltext.Hit) string {
	return fmt.Sprint(h.Collection, " ", h.SURT, " ", h.From.Format(time.RFC3339Nano), " ", h.File, ":", h.Offset)
}

func ids(list []fulltext.Hit) (out []string) {
	for i := range list {
		out = append(out, id(&list[i]))
	}
	slices.Sort(out)
	return out
}

func text(h *fulltext.Hit) string {
	return fmt.Sprint(h.Title, h.Snippet, h.Where, h.Host, h.MIME, h.Language, h.Last.UnixMicro(), h.Until.UnixMicro(), h.Captures, h.Inlinks, h.Date.UnixMicro(), h.Size, h.Digest, h.File, h.Offset)
}

func (m *maker) row() *derive.VersionRow { return &m.rows[m.rng.IntN(len(m.rows))] }

// some returns n words in a row of a text; fewer if it has not so many.
func (m *maker) some(n int) []string {
	for range 20 {
		v := m.row()
		text := v.Text
		switch m.rng.IntN(8) {
		case 0:
			text = v.Title
		case 1:
			text = v.Anchors
		}
		if len(text) > 4000 {
			text = strings.ToValidUTF8(text[:4000], "")
		}
		if words := m.words(text); len(words) >= n {
			at := m.rng.IntN(len(words) - n + 1)
			return words[at : at+n]
		}
	}
	return []string{"the"}
}

func (m *maker) word() string { return m.some(1)[0] }

// leaf is one condition.
func (m *maker) leaf() string {
	field := ""
	if m.rng.IntN(5) == 0 {
		field = fulltext.Fields()[m.rng.IntN(4)] + ":"
	}
	quoted := func(words []string) string { return `"` + strings.Join(words, " ") + `"` }
	switch m.rng.IntN(12) {
	case 0, 1:
		return field + quoted(m.some(2))
	case 2:
		return field + quoted(m.some(2+m.rng.IntN(4)))
	case 3:
		w := m.some(2 + m.rng.IntN(5))
		return field + quoted([]string{w[len(w)-1], w[0]}) + fmt.Sprintf("~%d", 1+m.rng.IntN(8))
	case 4:
		if r := []rune(m.word()); len(r) > 3 {
			return field + string(r[:2+m.rng.IntN(len(r)-2)]) + "*"
		}
	case 5:
		v := m.row()
		list := []string{"host:" + v.Host, "year:" + v.From.UTC().Format("2006"), "year:20*", `lang:"` + v.Language + `"`, "mime:text*"}
		if s := list[m.rng.IntN(len(list))]; !strings.HasSuffix(s, `""`) {
			return s
		}
	case 6:
		if len(m.persons) > 0 {
			facet, value, _ := strings.Cut(m.persons[m.rng.IntN(len(m.persons))], ":")
			if fulltext.Quotable(value) && strings.TrimSpace(value) != "" {
				return facet + ":" + `"` + strings.ToUpper(value) + `"`
			}
		}
	}
	return field + m.word()
}

func (m *maker) text() string {
	switch m.rng.IntN(10) {
	case 0:
		return ""
	case 1, 2:
		return m.leaf() + " " + m.leaf()
	case 3:
		return m.leaf() + " OR " + m.leaf() + " " + m.leaf()
	case 4:
		return m.leaf() + " -" + m.leaf()
	case 5:
		return "(" + m.leaf() + " OR " + m.leaf() + ") " + m.leaf() + " NOT " + m.leaf()
	case 6:
		return "-(" + m.leaf() + " OR " + m.leaf() + ")"
	}
	return m.leaf()
}

func (m *maker) instant() time.Time {
	v := m.row()
	at := v.From
	if m.rng.IntN(3) == 0 && !v.Until.IsZero() {
		at = v.Until
	}
	return at.Add(time.Duration(m.rng.IntN(3)-1) * []time.Duration{time.Microsecond, 24 * time.Hour, 500 * 24 * time.Hour}[m.rng.IntN(3)])
}

func (m *maker) query() fulltext.Query {
	q := fulltext.Query{Text: m.text(), Limit: []int{1, 10, 50}[m.rng.IntN(3)], Top: []int{3, 10, 100}[m.rng.IntN(3)]}
	names := fulltext.Facets()
	for _, d := range m.declared {
		names = append(names, d.Name)
	}
	for range m.rng.IntN(4) {
		q.Facets = append(q.Facets, names[m.rng.IntN(len(names))])
	}
	if m.rng.IntN(8) == 0 {
		q.Prefix = string([]rune(m.word())[:1])
	}
	q.Trend = []fulltext.Bucket{fulltext.NoTrend, fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear}[m.rng.IntN(4)]
	q.Sort = []fulltext.Order{fulltext.ByScore, fulltext.ByScore, fulltext.ByScore, fulltext.ByOldest, fulltext.ByNewest}[m.rng.IntN(5)]
	switch m.rng.IntN(4) {
	case 0:
		q.AsOf = m.instant()
	case 1:
		q.From, q.To = m.instant(), m.instant()
		if q.To.Before(q.From) {
			q.From, q.To = q.To, q.From
		}
		q.Relation = []fulltext.Relation{"", fulltext.Intersects, fulltext.Inside, fulltext.Contains, fulltext.Begins}[m.rng.IntN(5)]
		switch m.rng.IntN(5) {
		case 0:
			q.From = time.Time{}
		case 1:
			q.To = time.Time{}
		}
	}
	if v := m.row(); m.rng.IntN(5) == 0 {
		q.Filters = map[string][]string{"host": {v.Host, m.row().Host}}
	} else if m.rng.IntN(5) == 0 {
		q.Without = map[string][]string{"lang": {v.Language}, "host": {m.row().Host}}
	}
	q.Group = m.rng.IntN(10) == 0
	return q
}
