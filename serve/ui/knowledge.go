package ui

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/serve/message"
	"varve/serve/strip"
)

// knowledgeData is what the screen of the knowledge base shows: a query, examples, and the answer in one of three views.
type knowledgeData struct {
	Query     string
	Examples  []viewLink
	Words     string // what can be completed, as JSON
	Views     []viewLink
	View      string
	Vars      []string
	Rows      [][]knowledgeCell
	More      bool  // there are more rows than are shown
	Boolean   *bool // of ASK
	Asked     bool
	Graph     *knowledgeGraph
	Times     *knowledgeTimes
	Downloads []viewLink
	Trouble   *askTrouble
}

// knowledgeCell is a term of an answer.
type knowledgeCell struct {
	Text string
	Href string // what of the archive it names
	term rdf.Term
}

// Limits of what is drawn; downloads have all.
const (
	knowledgeRows  = 500
	knowledgeNodes = 40
	knowledgeBars  = 60

	knowledgeBarHeight = 30 // pixels of a bar and its name
)

// knowledgeExamples are queries to begin with.
var knowledgeExamples = []struct {
	title func(*message.Language) string
	query string
}{
	{func(l *message.Language) string { return l.Text("Which versions did pages have, and when?") }, `SELECT ?page ?from ?until ?title {
  ?v a varve:Version ; varve:url ?page ; varve:validFrom ?from .
  OPTIONAL { ?v varve:validUntil ?until }
  OPTIONAL { ?v varve:title ?title }
} ORDER BY ?page ?from LIMIT 100`},
	{func(l *message.Language) string { return l.Text("Who is named most often?") }, `SELECT ?name (COUNT(DISTINCT ?source) AS ?captures) {
  GRAPH ?source { ?m a varve:Mention ; varve:names ?who . ?who a varve:Person ; varve:name ?name }
} GROUP BY ?name ORDER BY DESC(?captures) ?name LIMIT 50`},
	{func(l *message.Language) string { return l.Text("Who met whom?") }, `SELECT DISTINCT ?who ?whom ?class {
  ?e a varve:Event ; varve:eventClass ?class ; varve:who/varve:name ?who ; varve:whom/varve:name ?whom ; varve:confidence ?sure
  FILTER(?sure >= 0.5)
} LIMIT 40`},
	{func(l *message.Language) string { return l.Text("Who was what, and when?") }, `SELECT DISTINCT ?who ?what ?relation ?from ?until {
  ?f a varve:Fact ; varve:relation ?relation ; varve:subject/varve:name ?who ; varve:object/varve:name ?what ; varve:validFrom ?from .
  OPTIONAL { ?f varve:validUntil ?until }
} ORDER BY ?who ?from LIMIT 100`},
	{func(l *message.Language) string { return l.Text("Who held an office on one day?") }, `PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT DISTINCT ?who ?role ?what ?sentence {
  ?s varve:states ?f ; varve:text ?sentence .
  ?f varve:relation "holds_office" ; varve:subject/varve:name ?who ; varve:object/varve:name ?what
  OPTIONAL { ?f varve:role ?role }
  FILTER(varve:validAt(?f, "2024-01-01"^^xsd:date))
} ORDER BY ?what ?who LIMIT 100`},
	{func(l *message.Language) string { return l.Text("Which sentences have these words?") }, `SELECT DISTINCT ?sentence ?who ?what (varve:score(?sentence, "minister") AS ?fits) {
  ?s a varve:Statement ; varve:text ?sentence ; varve:states ?f .
  ?f varve:subject/varve:name ?who ; varve:object/varve:name ?what
  FILTER(varve:matches(?sentence, "minister"))
} ORDER BY DESC(?fits) LIMIT 100`},
	{func(l *message.Language) string { return l.Text("What is judged, and how?") }, `SELECT ?name (AVG(?score) AS ?mean) (COUNT(*) AS ?judgements) {
  ?o a varve:Opinion ; varve:about/varve:name ?name ; varve:score ?score
} GROUP BY ?name HAVING(COUNT(*) > 1) ORDER BY ?mean LIMIT 50`},
	{func(l *message.Language) string {
		return l.Text("Which crawls are there, and how well do they hang together?")
	}, `SELECT ?crawl ?from ?until ?coherent ?changed ?unknown {
  ?crawl a varve:Crawl ; varve:started ?from ; varve:ended ?until .
  OPTIONAL { ?t a varve:Tally ; varve:crawl ?crawl ; varve:layer "text" ; varve:coherent ?coherent ; varve:changed ?changed ; varve:unknown ?unknown }
} ORDER BY ?from LIMIT 100`},
	{func(l *message.Language) string { return l.Text("What is said in one capture?") }, `CONSTRUCT { ?m varve:names ?who . ?who varve:name ?name } {
  { SELECT ?source { GRAPH ?source { ?m a varve:Mention } } LIMIT 1 }
  GRAPH ?source { ?m varve:names ?who . ?who varve:name ?name }
} LIMIT 60`},
}

const knowledgePrefix = "PREFIX varve: <" + model.NS + ">\n"

// knowledge shows the knowledge base.
func (u *UI) knowledge(r *http.Request) (*view, error) {
	q, l := r.URL.Query(), message.From(r.Context())
	d := &knowledgeData{Query: q.Get("query"), View: cmp.Or(q.Get("view"), "table"), Asked: q.Has("query")}
	for _, e := range knowledgeExamples {
		d.Examples = append(d.Examples, viewLink{e.title(l), address("/knowledge", url.Values{"query": {knowledgePrefix + e.query}}), d.Query == knowledgePrefix+e.query})
	}
	if !d.Asked {
		d.Query = knowledgePrefix + knowledgeExamples[0].query
	}
	var err error
	if d.Words, err = knowledgeWords(); err != nil {
		return nil, err
	}
	v := &view{template: "knowledge", title: l.Text("Knowledge"), section: "knowledge", data: d, scripts: []string{"knowledge.js"}}
	if !d.Asked {
		return v, nil
	}
	if u.cfg.Knowledge == nil {
		err = &varve.Error{Kind: varve.NotFound, Op: "ask the knowledge base", Msg: "this server has none"}
	} else {
		err = u.cfg.Knowledge.Ask(r, d.Query, d.take)
	}
	if _, ok := errors.AsType[*sparql.Error](err); ok {
		err = &varve.Error{Kind: varve.Invalid, Op: "read the query", Err: err, Hint: "the examples show how queries look"}
	}
	if err != nil {
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, ""); err != nil {
			return nil, err
		}
		return v, nil
	}
	for _, view := range [][2]string{{"table", l.Text("as a table")}, {"graph", l.Text("as a graph")}, {"timeline", l.Text("in time")}} {
		d.Views = append(d.Views, viewLink{view[1], address("/knowledge", url.Values{"query": {d.Query}, "view": {view[0]}}), view[0] == d.View})
	}
	switch d.View {
	case "graph":
		d.Graph = newKnowledgeGraph(d)
	case "timeline":
		d.Times = newKnowledgeTimes(l, d)
	}
	return v, nil
}

// knowledgeWords are what the editor completes: prefixes, and the classes and properties of our own.
func knowledgeWords() (string, error) {
	terms, err := model.Ontology()
	if err != nil {
		return "", err
	}
	type word struct {
		Word string `json:"w"`
		Note string `json:"n"`
	}
	var out struct {
		Prefixes map[string]string `json:"prefixes"`
		Words    []word            `json:"words"`
	}
	out.Prefixes = model.Vocabularies()
	for _, name := range slices.Sorted(maps.Keys(out.Prefixes)) {
		out.Words = append(out.Words, word{name + ":", out.Prefixes[name]})
	}
	for _, t := range terms {
		out.Words = append(out.Words, word{"varve:" + t.Local(), t.Comment})
	}
	out.Words = append(out.Words, []word{
		{"varve:validAt(?thing, ?time)", "whether it holds then"},
		{`varve:matches(?text, "words")`, "whether a text has all words"},
		{`varve:score(?text, "words")`, "how well it does"},
		{`varve:entity("name")`, "the entity that has a name"},
		{"varve:entityName(?entity)", "and its name"},
		{`varve:means("name")`, "the id of the likeliest entity of the base"},
		{`varve:label("id")`, "what the base calls it"},
		{`varve:related("id", "id")`, "how strongly the base relates two"},
	}...)
	for _, w := range []string{"SELECT", "CONSTRUCT", "DESCRIBE", "ASK", "DISTINCT", "WHERE", "GRAPH", "OPTIONAL", "FILTER", "UNION", "MINUS", "BIND", "VALUES", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "COUNT", "PREFIX"} {
		out.Words = append(out.Words, word{w, ""})
	}
	b, err := json.Marshal(out)
	return string(b), err
}

// take reads the first rows of an answer.
func (d *knowledgeData) take(q *sparql.Query, r *sparql.Result) error {
	add := func(terms ...rdf.Term) bool {
		if d.More = len(d.Rows) == knowledgeRows; d.More {
			return false
		}
		row := make([]knowledgeCell, len(terms))
		for i, t := range terms {
			row[i] = newKnowledgeCell(t)
		}
		d.Rows = append(d.Rows, row)
		return true
	}
	formats := []string{"json", "csv", "tsv", "xml"}
	switch {
	case r.Triples != nil:
		d.Vars = []string{"subject", "predicate", "object"}
		formats = []string{"turtle", "nt", "json-ld"}
		for t, err := range r.Triples {
			if err != nil {
				return err
			}
			if !add(t.Subject, t.Predicate, t.Object) {
				break
			}
		}
	case r.Solutions != nil:
		d.Vars = r.Vars
		for row, err := range r.Solutions {
			if err != nil {
				return err
			}
			if !add(row...) {
				break
			}
		}
	default:
		d.Boolean = &r.Boolean
	}
	for _, f := range formats {
		d.Downloads = append(d.Downloads, viewLink{Label: strings.ToUpper(f), Href: address("/sparql", url.Values{"query": {d.Query}, "format": {f}})})
	}
	return nil
}

// newKnowledgeCell writes a term for people: with a prefix where one is known, and a way to what it names in the archive.
func newKnowledgeCell(t rdf.Term) knowledgeCell {
	c := knowledgeCell{Text: t.Value, term: t}
	switch t.Kind {
	case rdf.Blank:
		c.Text = "_:" + t.Value
	case rdf.IRI:
		if name, ok := model.ParseName(t.Value); ok {
			switch name.Kind {
			case model.OfCapture, model.OfVersion, model.OfCaptures:
				c.Href = collectionPath(name.Collection) + "/page?" + url.Values{"url": {name.URL}}.Encode()
			case model.OfCollection:
				c.Href = collectionPath(name.Collection)
			case model.OfCrawl:
				c.Href = collectionPath(name.Collection) + "/crawls/" + url.PathEscape(name.Local)
			}
			return c
		}
		spaces := model.Vocabularies()
		for _, name := range slices.Sorted(maps.Keys(spaces)) {
			if local, ok := strings.CutPrefix(t.Value, spaces[name]); ok && local != "" && !strings.ContainsAny(local, "/#") {
				c.Text = name + ":" + local
			}
		}
	}
	return c
}

// knowledgeGraph is an answer as nodes on a circle, and lines between them.
type knowledgeGraph struct {
	Nodes []knowledgeNode
	Edges []knowledgeEdge
	Left  int // rows that are not drawn: there would be too many nodes
}

type knowledgeNode struct {
	Text, Href  string
	X, Y, TextX float64
	Anchor      string // of the text: start or end
}

type knowledgeEdge struct {
	X1, Y1, X2, Y2 float64
	Text           string
}

// newKnowledgeGraph draws rows. Three columns are a subject, a predicate and an object if the second is an IRI; else the first two are joined and the
// third says how.
func newKnowledgeGraph(d *knowledgeData) *knowledgeGraph {
	g := &knowledgeGraph{}
	if len(d.Vars) < 2 {
		g.Left = len(d.Rows)
		return g
	}
	at := map[rdf.Term]int{}
	node := func(c knowledgeCell) int {
		i, ok := at[c.term]
		if !ok {
			i = len(g.Nodes)
			at[c.term] = i
			g.Nodes = append(g.Nodes, knowledgeNode{Text: c.Text, Href: c.Href})
		}
		return i
	}
	type line struct {
		a, b int
		text string
	}
	var lines []line
	for _, row := range d.Rows {
		from, to, label := row[0], row[1], ""
		switch {
		case len(row) == 3 && row[1].term.Kind == rdf.IRI && d.Vars[1] == "predicate":
			to, label = row[2], row[1].Text
		case len(row) > 2:
			label = row[2].Text
		}
		if from.term.Kind == rdf.None || to.term.Kind == rdf.None {
			continue
		}
		fresh := 0
		for _, c := range []knowledgeCell{from, to} {
			if _, ok := at[c.term]; !ok {
				fresh++
			}
		}
		if len(g.Nodes)+fresh > knowledgeNodes {
			g.Left++
			continue
		}
		lines = append(lines, line{node(from), node(to), label})
	}
	for i := range g.Nodes {
		angle := 2*math.Pi*float64(i)/float64(len(g.Nodes)) - math.Pi/2
		n := &g.Nodes[i]
		n.X, n.Y = 500+230*math.Cos(angle), 300+260*math.Sin(angle)
		n.TextX, n.Anchor = n.X+10, "start"
		if math.Cos(angle) < 0 {
			n.TextX, n.Anchor = n.X-10, "end"
		}
	}
	for _, l := range lines {
		a, b := g.Nodes[l.a], g.Nodes[l.b]
		g.Edges = append(g.Edges, knowledgeEdge{a.X, a.Y, b.X, b.Y, strings.TrimSpace(a.Text + " " + l.text + " " + b.Text)})
	}
	return g
}

// knowledgeTimes is an answer as bars in time.
type knowledgeTimes struct {
	Bars   []knowledgeBar
	Axis   strip.Axis
	Height int
	Left   int // rows without a time, or one too many
}

type knowledgeBar struct {
	X, W, Y        float64
	Name, From, To string
}

// newKnowledgeTimes draws the rows that have a time: from the first to the last one of the row. The first three other columns name it.
func newKnowledgeTimes(l *message.Language, d *knowledgeData) *knowledgeTimes {
	t := &knowledgeTimes{}
	type span struct {
		name     string
		from, to time.Time
	}
	var spans []span
	var lo, hi time.Time
	for _, row := range d.Rows {
		var s span
		var names []string
		for _, c := range row {
			at, ok := timeOf(c.term)
			switch {
			case !ok && c.Text != "" && len(names) < 3:
				names = append(names, c.Text)
				s.name = strings.Join(names, " · ")
			case !ok:
			case s.from.IsZero():
				s.from, s.to = at, at
			default:
				s.from, s.to = minTime(s.from, at), maxTime(s.to, at)
			}
		}
		if s.from.IsZero() || len(spans) == knowledgeBars {
			t.Left++
			continue
		}
		if len(spans) == 0 {
			lo, hi = s.from, s.to
		}
		lo, hi = minTime(lo, s.from), maxTime(hi, s.to)
		spans = append(spans, s)
	}
	if !hi.After(lo) {
		hi = lo.Add(time.Minute) // an instant has no width
	}
	t.Axis = strip.Axis{From: lo.UTC(), To: hi.UTC(), Dates: axisIn(l).Dates}
	const least = 0.6 // percent, so that an instant is seen
	for i, s := range spans {
		b := knowledgeBar{X: min(t.Axis.At(s.from), 100-least), Y: float64(knowledgeBarHeight * i), Name: s.name, From: instant(l, s.from), To: instant(l, s.to)}
		b.W = max(t.Axis.At(s.to)-b.X, least)
		t.Bars = append(t.Bars, b)
	}
	t.Height = knowledgeBarHeight * len(spans)
	return t
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// timeOf returns the instant that a literal means.
func timeOf(t rdf.Term) (time.Time, bool) {
	layout := map[string]string{rdf.DateTime: time.RFC3339Nano, rdf.Date: time.DateOnly, rdf.XSD + "gYear": "2006", rdf.XSD + "gYearMonth": "2006-01"}[t.Datatype]
	if t.Kind != rdf.Literal || layout == "" {
		return time.Time{}, false
	}
	at, err := time.Parse(layout, t.Value)
	return at, err == nil
}

// IsTrue reports whether the answer of ASK is yes.
func (d *knowledgeData) IsTrue() bool { return d.Boolean != nil && *d.Boolean }
