package evolution

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"varve"
	"varve/evolution/stored"
	"varve/evolution/term"
)

// Terms is what is known of the terms of a collection: a begin for who has none in mind.
type Terms struct {
	Collection string            `json:"collection"`
	Texts      int               `json:"texts"`
	Years      []stored.SliceRow `json:"years"`
	Terms      int               `json:"terms"` // different ones
	Frequent   []Said            `json:"frequent"`
	Units      []*term.Unit      `json:"units"` // senses that held longest
	UnitsOf    int               `json:"units_of"`
	Absent     int               `json:"files_without_table,omitempty"`
}

// Said is how often a term is said in all years.
type Said struct {
	Term  string `json:"term"`
	Count int64  `json:"count"`
}

// Term is a term through time.
type Term struct {
	Collection string               `json:"collection"`
	Term       string               `json:"term"`
	Frequency  []Frequency          `json:"frequency"` // of each year that has texts
	Paths      []term.Path          `json:"paths"`
	Cut        bool                 `json:"paths_cut,omitempty"` // there are more than were looked for
	Company    []Companion          `json:"company"`             // the heaviest first
	Graph      *Graph               `json:"graph,omitempty"`     // nil: no list of any year has it
	Years      []int                `json:"graph_years"`         // whose lists have it
	Longer     []Said               `json:"longer"`              // terms that begin with it
	Before     []stored.RewordedRow `json:"before"`              // what may have been said for it before it came into use, the likeliest first
	Absent     int                  `json:"files_without_table,omitempty"`
	Slices     []stored.SliceRow    `json:"-"`
}

// Frequency is a term in a year.
type Frequency struct {
	Year  int     `json:"year"`
	Count int64   `json:"count"`
	Of    int64   `json:"of"`        // phrases of the year
	Per   float64 `json:"per_10000"` // of them
}

// Companion is a phrase that stands in sentences with a term more often than elsewhere.
type Companion struct {
	Companion string        `json:"companion"`
	Weight    float64       `json:"weight"` // sum over years
	Years     []CompanyYear `json:"years"`
}

// CompanyYear is a companion in a year: one that is missing is not among the heaviest of its year.
type CompanyYear struct {
	Year  int   `json:"year"`
	Count int64 `json:"count"`
}

// Graph is a term and the terms that it stands in lists with in a year.
type Graph struct {
	Year  int         `json:"year"`
	Nodes []GraphNode `json:"nodes"` // the term itself first, then those of most texts
	Edges []GraphEdge `json:"edges"`
	Of    int         `json:"neighbours"` // also those that are left out
}

// GraphNode is a term of the graph.
type GraphNode struct {
	Term   string `json:"term"`
	Texts  int    `json:"texts"`  // that have it in a list with the term; 0 for the term itself
	Senses []int  `json:"senses"` // of the year, by number, in which both are
}

// GraphEdge is two nodes that stand in lists together.
type GraphEdge struct {
	A     int `json:"a"`
	B     int `json:"b"`
	Texts int `json:"texts"`
}

// Sizes of answers.
const (
	frequentTerms = 60
	longestUnits  = 30
	mostCompany   = 24
	mostLonger    = 12
	mostNodes     = 25
	longestTerm   = 200 // bytes
)

// TermQuery asks for a term.
type TermQuery struct {
	Term string
	Year int // of the graph; 0: the last that has one
}

// ParseTerm reads the parameters term and year.
func ParseTerm(v url.Values) (q TermQuery, err error) {
	q.Term = key(v.Get("term"))
	if len(q.Term) > longestTerm || !utf8.ValidString(q.Term) {
		return q, invalid("read the term", "it is too long, or no text", "a noun or noun phrase, in the singular")
	}
	if y := strings.TrimSpace(v.Get("year")); y != "" {
		if q.Year, err = strconv.Atoi(y); err != nil || q.Year < 1 || q.Year > 9999 {
			return q, invalid("read the year", strconv.Quote(y)+" is none", "year=1995")
		}
	}
	return q, nil
}

// key is how terms and names are written in tables.
func key(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Terms returns what is known of the terms of a collection.
func (d *Desk) Terms(ctx context.Context, collection string) (*Terms, error) {
	t, err := d.Tables(ctx, collection)
	if err != nil {
		return nil, err
	}
	out := &Terms{Collection: collection, Texts: t.Texts(), Frequent: []Said{}, Units: []*term.Unit{}, Absent: t.Absent()}
	if out.Years, err = t.Slices(); err != nil {
		return nil, err
	}
	frequent, of, err := t.FrequentCounts(frequentTerms)
	if err != nil {
		return nil, err
	}
	out.Terms = of
	for _, f := range frequent {
		out.Frequent = append(out.Frequent, Said{f.Term, f.Count})
	}
	units, err := t.Units()
	if err != nil {
		return nil, err
	}
	out.UnitsOf = len(units)
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b *term.Unit) int {
		return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.From, b.From))
	})
	out.Units = append(out.Units, units[:min(longestUnits, len(units))]...)
	return out, nil
}

// Term returns what is known of a term. One that no text has is an error of kind varve.NotFound; its hint has terms that begin so.
func (d *Desk) Term(ctx context.Context, collection string, q TermQuery) (*Term, error) {
	t, err := d.Tables(ctx, collection)
	if err != nil {
		return nil, err
	}
	out := &Term{Collection: collection, Term: q.Term, Frequency: []Frequency{}, Paths: []term.Path{}, Company: []Companion{}, Years: []int{}, Longer: []Said{}, Before: []stored.RewordedRow{}, Absent: t.Absent()}
	rows, err := t.Frequency(q.Term)
	if err != nil {
		return nil, err
	}
	longer, err := t.Known(q.Term, mostLonger+1)
	if err != nil {
		return nil, err
	}
	for _, l := range longer {
		if l.Term != q.Term && len(out.Longer) < mostLonger {
			out.Longer = append(out.Longer, Said{l.Term, l.Count})
		}
	}
	if len(rows) == 0 {
		hint := "terms are nouns and noun phrases in the singular"
		for i, l := range out.Longer[:min(5, len(out.Longer))] {
			hint += map[bool]string{true: "; some that begin so: ", false: ", "}[i == 0] + l.Term
		}
		return nil, &varve.Error{Kind: varve.NotFound, Op: "term " + strconv.Quote(q.Term), Msg: "no text of " + collection + " has it", Hint: hint}
	}
	if out.Slices, err = t.Slices(); err != nil {
		return nil, err
	}
	for _, s := range out.Slices {
		f := Frequency{Year: int(s.Year), Of: s.Phrases}
		if i, ok := slices.BinarySearchFunc(rows, s.Year, func(r stored.TermRow, y int32) int { return cmp.Compare(r.Year, y) }); ok {
			f.Count = rows[i].Count
			f.Per = 10_000 * float64(f.Count) / float64(max(1, s.Phrases))
		}
		out.Frequency = append(out.Frequency, f)
	}
	paths, cut, err := t.Paths(q.Term)
	if err != nil {
		return nil, err
	}
	out.Paths, out.Cut = append(out.Paths, paths...), cut
	if out.Company, err = company(t, q.Term); err != nil {
		return nil, err
	}
	before, err := t.Reworded(q.Term)
	if err != nil {
		return nil, err
	}
	out.Before = append(out.Before, before...)
	return out, out.graph(t, q)
}

// company puts the companions of all years together.
func company(t *stored.Tables, word string) ([]Companion, error) {
	rows, err := t.Company(word)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	out := []Companion{}
	for _, r := range rows {
		i, ok := at[r.Companion]
		if !ok {
			i = len(out)
			at[r.Companion] = i
			out = append(out, Companion{Companion: r.Companion})
		}
		out[i].Weight += r.Weight
		out[i].Years = append(out[i].Years, CompanyYear{int(r.Year), r.Count})
	}
	slices.SortStableFunc(out, func(a, b Companion) int { return cmp.Compare(b.Weight, a.Weight) })
	return out[:min(mostCompany, len(out))], nil
}

// graph finds the terms around one in the lists of a year: of the one that is asked for, or the last that has it.
func (x *Term) graph(t *stored.Tables, q TermQuery) error {
	units, err := t.Units()
	if err != nil {
		return err
	}
	for _, u := range units {
		for i, c := range u.Clusters {
			if slices.ContainsFunc(*c, func(m term.Member) bool { return m.Term == q.Term }) {
				x.Years = append(x.Years, u.From+i)
			}
		}
	}
	slices.Sort(x.Years)
	x.Years = slices.Compact(x.Years)
	year := q.Year
	if year == 0 && len(x.Years) > 0 {
		year = x.Years[len(x.Years)-1]
	}
	if year == 0 {
		return nil
	}
	edges, err := t.Edges(year)
	if err != nil {
		return err
	}
	g := &Graph{Year: year, Nodes: []GraphNode{{Term: q.Term, Senses: []int{}}}, Edges: []GraphEdge{}}
	var near []GraphNode
	for _, e := range edges {
		if other := opposite(e, q.Term); other != "" {
			near = append(near, GraphNode{Term: other, Texts: e.Count, Senses: []int{}})
		}
	}
	slices.SortStableFunc(near, func(a, b GraphNode) int { return cmp.Compare(b.Texts, a.Texts) })
	g.Of = len(near)
	g.Nodes = append(g.Nodes, near[:min(mostNodes-1, len(near))]...)
	at := map[string]int{}
	for i, n := range g.Nodes {
		at[n.Term] = i
	}
	for _, e := range edges {
		a, okA := at[e.A]
		b, okB := at[e.B]
		if okA && okB {
			g.Edges = append(g.Edges, GraphEdge{min(a, b), max(a, b), e.Count})
		}
	}
	if len(near) > 0 {
		clusters, err := t.Clusters(year)
		if err != nil {
			return err
		}
		for number, c := range clusters {
			if !slices.ContainsFunc(c, func(m term.Member) bool { return m.Term == q.Term }) {
				continue
			}
			for _, m := range c {
				if i, ok := at[m.Term]; ok {
					g.Nodes[i].Senses = append(g.Nodes[i].Senses, number)
				}
			}
		}
	}
	x.Graph = g
	return nil
}

// opposite returns the other end of an edge; "" if the term is at neither.
func opposite(e term.Edge, word string) string {
	switch word {
	case e.A:
		return e.B
	case e.B:
		return e.A
	}
	return ""
}
