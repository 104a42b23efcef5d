// Package harvest takes facts with their time from where a page has them in rows: infoboxes, tables and lists, after T-YAGO (seed 004, 4.1.1). They need no pattern of words: what a row is about is said by the label before it,
// by the head of its column, or by the heading over it, which the files of relations name (label).
//
//	infobox   a row of a head and a cell, or a term and its description: the label is the head            Spouse | Victoria Adams (m. 1999; div. 2007)
//	table     a column of times and one with a label; the subject is the page, or a column for it         Years | Team          2003–2007 | Real Madrid
//	office    a part of an infobox that is called like an office, and its term                            Mayor of Vestria    In office 2003–2007
//	list      items below a heading with a label                                                          Clubs    • 2003–2007: Real Madrid
//
// The subject is what the page is about, its title. Of an item, the times are taken out (span), and what is left before a bracket or a comma is the other name. An item without a time tells nothing here: it is not known when.
//
// Cost is linear in the tree; at most MaxRows rows give facts.
package harvest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/entity"
	"varve/fact"
	"varve/web/markup/tree"
)

// Bounds of what is taken.
const (
	MaxRows    = 2000
	maxText    = 400 // bytes of an item
	maxName    = 100 // of a name
	maxColumns = 30
)

// Sure is the confidence of what a row says: more than that of most sentences, since it was put there as data.
const Sure = 0.9

// Kind reports whether a pattern is what this package writes in the place of one: where the row stands.
func Kind(pattern string) bool { return pattern == infobox || pattern == table || pattern == list }

const (
	infobox = "infobox"
	table   = "table"
	list    = "list"
)

// Facts returns what the rows of a page say of it. subject is what the page is about; without one there is nothing to say.
func Facts(root *tree.Node, subject string, relations []fact.Relation) []fact.Observation {
	h := &harvester{subject: strings.TrimSpace(subject), labels: map[string][]said{}}
	for i := range relations {
		r := &relations[i]
		if r.Roles != nil {
			h.offices = append(h.offices, r)
		}
		add := func(label string, of said) {
			same := func(s said) bool { return s.relation == of.relation && s.reversed == of.reversed }
			if k := key(label); !slices.ContainsFunc(h.labels[k], same) {
				h.labels[k] = append(h.labels[k], of)
			}
		}
		for _, l := range r.Labels {
			add(l, said{r, r.Reversed, l})
		}
		for _, l := range r.Holders {
			add(l, said{r, true, l})
		}
	}
	if root == nil || h.subject == "" || len(h.labels) == 0 {
		return nil
	}
	h.walk(root, 0)
	return h.out
}

// said is what a label tells: a relation, and whether the page is its object.
type said struct {
	relation *fact.Relation
	reversed bool
	label    string
}

type harvester struct {
	subject string
	labels  map[string][]said
	offices []*fact.Relation // that have roles
	heading string
	part    string // of an infobox: the head over the rows
	out     []fact.Observation
	rows    int
}

// key is how labels are compared: by their words, in the singular.
func key(label string) string {
	label = strings.TrimSuffix(strings.TrimSpace(label), ":")
	label, _, _ = strings.Cut(label, "[")
	label = strings.ReplaceAll(strings.ReplaceAll(label, "(s)", ""), "(es)", "")
	return strings.TrimSuffix(entity.Key(label), "s")
}

// walk goes over the page in its order, so that a list is known by the heading before it.
func (h *harvester) walk(n *tree.Node, depth int) {
	if depth > tree.MaxDepth || h.rows >= MaxRows {
		return
	}
	switch n.Name {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		h.heading = text(n)
		return
	case "table":
		h.table(n)
		return
	case "dl":
		h.terms(n)
		return
	case "ul", "ol":
		if of := h.labels[key(h.heading)]; len(of) > 0 {
			for li := n.First; li != nil; li = li.Next {
				if li.Name == "li" {
					h.item(of, text(li), h.heading, list)
				}
			}
			return
		}
	case "script", "style", "nav":
		return
	}
	for c := n.First; c != nil; c = c.Next {
		h.walk(c, depth+1)
	}
}

// terms takes terms with their descriptions.
func (h *harvester) terms(n *tree.Node) {
	label := ""
	for c := n.First; c != nil; c = c.Next {
		switch c.Name {
		case "dt":
			label = text(c)
		case "dd":
			if of := h.labels[key(label)]; len(of) > 0 {
				for _, one := range items(c) {
					h.item(of, one, label, infobox)
				}
			}
		}
	}
}

// table takes the rows of a table: by their heads, or by those of the columns.
func (h *harvester) table(n *tree.Node) {
	var columns []string
	h.part = ""
	for _, row := range rowsOf(n) {
		if h.rows++; h.rows > MaxRows {
			return
		}
		cells := cellsOf(row)
		heads := 0
		for _, c := range cells {
			if c.Name == "th" {
				heads++
			}
		}
		switch {
		case len(cells) > 1 && heads == len(cells):
			columns = columns[:0]
			for _, c := range cells {
				columns = append(columns, text(c))
			}
		case len(cells) == 2 && heads == 1 && cells[0].Name == "th" && h.labels[key(text(cells[0]))] != nil:
			label := text(cells[0])
			for _, one := range items(cells[1]) {
				h.item(h.labels[key(label)], one, label, infobox)
			}
		case len(cells) > 1 && len(columns) > 1:
			h.row(columns, cells)
		case len(cells) == 1 && heads == 1:
			columns, h.part = nil, text(cells[0]) // another part of the table begins
		case h.part != "" && heads < len(cells) && h.term(cells):
		}
		for _, c := range cells { // tables stand in tables
			h.inner(c, 0)
		}
	}
}

// termLabels are what rows with the time of an office begin with.
var termLabels = []string{"in office", "assumed office", "took office", "term of office", "term", "incumbent since"}

// term takes a row that says when the office was held after which its part of an infobox is called.
func (h *harvester) term(cells []*tree.Node) bool {
	words := text(cells[0])
	if len(cells) > 1 {
		words += " " + text(cells[1])
	}
	low := strings.ToLower(words)
	at := slices.IndexFunc(termLabels, func(l string) bool { return strings.HasPrefix(low, l) })
	if at < 0 || len(words) > maxText {
		return false
	}
	when := parseSpan(strings.TrimSpace(words[len(termLabels[at]):]))
	if when.begin == (fact.Time{}) && when.end == (fact.Time{}) && at > 0 { // "Assumed office 1 May 2003"
		when = span{begin: when.first()}
	}
	for _, r := range h.offices {
		if _, of, ok := r.SplitRole(h.part); ok && of != "" {
			h.say([]said{{relation: r}}, h.part, when, h.part+": "+words, infobox)
			return true
		}
	}
	return false
}

// inner goes into what stands inside of a cell.
func (h *harvester) inner(n *tree.Node, depth int) {
	for c := n.First; c != nil && depth < 16; c = c.Next {
		if c.Name == "table" {
			h.table(c)
			continue
		}
		h.inner(c, depth+1)
	}
}

// Heads of columns that have times: of the whole span, of its begin, of its end.
var times = map[string]string{
	"year": "span", "period": "span", "term": "span", "term of office": "span", "tenure": "span", "season": "span", "date": "span", "time": "span", "from": "begin", "start": "begin", "begin": "begin", "began": "begin", "took office": "begin", "since": "begin",
	"to": "end", "end": "end", "until": "end", "left office": "end", "ended": "end",
}

// row takes a row of a table with columns.
func (h *harvester) row(columns []string, cells []*tree.Node) {
	var when span
	var words []string
	for i, c := range cells[:min(len(cells), len(columns), maxColumns)] {
		kind := times[key(columns[i])]
		if kind == "" {
			continue
		}
		s := parseSpan(text(c))
		words = append(words, columns[i]+" "+text(c))
		switch kind {
		case "begin":
			s = span{begin: s.first()}
		case "end":
			s = span{end: s.first()}
		}
		when = when.with(s)
	}
	if when == (span{}) {
		return
	}
	for i, c := range cells[:min(len(cells), len(columns), maxColumns)] {
		of := h.labels[key(columns[i])]
		if len(of) == 0 || times[key(columns[i])] != "" {
			continue
		}
		for _, name := range items(c) {
			h.say(of, nameOf(name), when, strings.Join(append(words[:len(words):len(words)], columns[i]+" "+name), "; "), table)
		}
	}
}

// item takes a cell or an item of a list that has both a name and a time.
func (h *harvester) item(of []said, s, label, kind string) {
	if len(s) > maxText {
		return
	}
	rest, when := cutSpan(s)
	h.say(of, nameOf(rest), when, label+": "+s, kind)
}

// say adds what a row says, for each relation that its label is of.
func (h *harvester) say(of []said, name string, when span, words, kind string) {
	if name == "" || len(name) > maxName || name == h.subject || when == (span{}) {
		return
	}
	for _, s := range of {
		r := s.relation
		object, role := name, ""
		if as, of, ok := r.SplitRole(name); ok && !s.reversed {
			object, role = cmp.Or(of, name), as
		}
		if as, _, ok := r.SplitRole(s.label); ok && s.reversed { // a column "Minister" with who was it
			role = as
		}
		o := fact.Observation{Relation: r.Name, Subject: h.subject, Object: object, Role: role, Confidence: Sure, Evidence: []fact.Evidence{{Pattern: kind, Said: short(words)}}}
		if s.reversed {
			o.Subject, o.Object = o.Object, o.Subject
		}
		if r.Symmetric && o.Object < o.Subject {
			o.Subject, o.Object = o.Object, o.Subject
		}
		add := func(a fact.Aspect, t fact.Time) {
			if t.Known() {
				o.Aspect, o.Time = a, t
				h.out = append(h.out, o)
			}
		}
		switch {
		case r.Point:
			add(fact.During, when.first())
		default:
			add(fact.Begin, when.begin)
			add(fact.During, when.during)
			add(fact.End, when.end)
		}
	}
}

// short bounds what is kept of a row.
func short(s string) string {
	if len(s) > maxText {
		s = s[:maxText]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// nameOf returns the name of an item without its times: up to a bracket, a comma or a dash, if it begins as a name does.
func nameOf(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, sign := range []string{"(", "[", ",", ";", " – ", " — ", " - ", ":"} {
		s, _, _ = strings.Cut(s, sign)
	}
	s = strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' })
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(first) && !unicode.IsTitle(first) && !unicode.IsDigit(first) && !unicode.Is(unicode.Lo, first) {
		return ""
	}
	return strings.Join(strings.Fields(s), " ")
}

// rowsOf returns the rows of a table, but not of those inside of it.
func rowsOf(n *tree.Node) (out []*tree.Node) {
	for c := n.First; c != nil; c = c.Next {
		switch c.Name {
		case "tr":
			out = append(out, c)
		case "tbody", "thead", "tfoot":
			out = append(out, rowsOf(c)...)
		}
	}
	return out
}

func cellsOf(row *tree.Node) (out []*tree.Node) {
	for c := row.First; c != nil; c = c.Next {
		if c.Name == "td" || c.Name == "th" {
			out = append(out, c)
		}
	}
	return out
}

// items returns the parts of a cell: what line breaks, list items and paragraphs hold apart; what stands in brackets belongs to the part before it.
func items(n *tree.Node) (out []string) {
	for line := range strings.SplitSeq(lines(n), "\n") {
		switch line = strings.Join(strings.Fields(line), " "); {
		case strings.HasPrefix(line, "(") && len(out) > 0:
			out[len(out)-1] += " " + line
		case line != "":
			out = append(out, line)
		}
	}
	return out
}

// text returns the words of a node.
func text(n *tree.Node) string { return strings.Join(strings.Fields(lines(n)), " ") }

func lines(n *tree.Node) string {
	var b strings.Builder
	var add func(n *tree.Node, depth int)
	add = func(n *tree.Node, depth int) {
		if depth > 64 || b.Len() > 8*maxText {
			return
		}
		switch n.Name {
		case "":
			b.WriteString(strings.ReplaceAll(n.Data, "\n", " "))
		case "script", "style", "sup", "table":
			return
		case "br", "li", "p", "div", "tr":
			b.WriteString("\n")
		}
		for c := n.First; c != nil; c = c.Next {
			add(c, depth+1)
		}
		if n.Name == "li" || n.Name == "p" || n.Name == "div" {
			b.WriteString("\n")
		}
	}
	for c := n.First; c != nil; c = c.Next {
		add(c, 0)
	}
	return b.String()
}
