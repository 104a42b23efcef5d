package ui

import (
	"bytes"
	"encoding/csv"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"varve/evolution/stored"
	"varve/evolution/term"
	"varve/serve/evolution"
)

// termsData is what the browser of terms shows: how often a term is said, in which senses, beside which words, and the lists of a year.
type termsData struct {
	evolvedData
	Asked   string
	All     *evolution.Terms // no term is asked for
	Begin   []viewLink       // terms to begin with
	Held    []heldSense
	Term    *evolution.Term
	Said    string // the answer in a sentence
	Bars    []yearBar
	Paths   []termPath
	More    int // paths that are not shown
	PathSay string
	Periods []string // of the company
	Company []companyRow
	BeSay   string
	Lists   *termLists
	Before  []rewording
	Longer  []viewLink
}

// heldSense is a sense that held for some years.
type heldSense struct {
	From, To int
	Terms    []viewLink
}

// termPath is a path on the axis: senses one after the other.
type termPath struct {
	Number int
	Units  []termUnit
}

// termUnit is a sense for some years. Places are percent.
type termUnit struct {
	X, W    float64
	Gap     float64 // from the end of the one before to its begin
	Span    string
	Evolved bool // from the one before
	Terms   []viewLink
	Title   string
	Href    string
}

// rewording is what may have been said before a term came into use.
type rewording struct {
	stored.RewordedRow
	Page          string // of the old term
	OldHref, Href string // texts of both eras
	When          string
	Words         []string
}

// companyRow is a companion over periods.
type companyRow struct {
	Name  string
	Href  string
	Cells []companyCell
}

type companyCell struct {
	Count int64
	Href  string
	Shade int // 0 to 4
}

// termLists is the graph of a year.
type termLists struct {
	Year   string
	Say    string
	Of     int
	Left   int // neighbours that are not drawn
	Graph  entityGraph
	Rows   []listRow
	Years  []viewLink
	Before string
	After  string
}

type listRow struct {
	Term   string
	Href   string
	Find   string
	Texts  int
	Senses string
}

// Sizes of the screen.
const (
	pathsShown   = 6
	unitWords    = 8
	companyShown = 15
	periodsShown = 8
)

func (u *UI) terms(r *http.Request) (*view, error) {
	base, status, ok, err := u.evolved(r, "terms")
	if err != nil {
		return nil, err
	}
	d := &termsData{evolvedData: base}
	v := &view{template: "terms", title: d.say.Text("Terms through time"), section: "collections", data: d, status: status}
	if !ok {
		return v, nil
	}
	q, err := evolution.ParseTerm(d.Q)
	if err == nil && q.Term == "" {
		if d.All, err = u.cfg.Evolution.Terms(r.Context(), d.Name); err != nil {
			return nil, err
		}
		d.overview()
		return v, nil
	}
	if d.Asked = q.Term; err == nil {
		d.Term, err = u.cfg.Evolution.Term(r.Context(), d.Name, q)
	}
	if err != nil {
		v.status, err = d.trouble(err)
		return v, err
	}
	v.title = d.say.Text("“{0}” through time", q.Term)
	api := d.copy("format", "term")
	d.JSON = address("/api"+d.path+"/"+url.PathEscape(q.Term), api)
	d.fill()
	if d.Q.Get("format") == "csv" {
		body, err := d.table()
		return &view{file: &file{"term.csv", "text/csv; charset=utf-8", body}}, err
	}
	return v, nil
}

// to is the screen about another term.
func (d *termsData) to(word string) string { return address(d.path, values("term", word)) }

// overview is what is shown without a term.
func (d *termsData) overview() {
	for _, f := range d.All.Frequent {
		d.Begin = append(d.Begin, viewLink{f.Term, d.to(f.Term), false})
	}
	for _, x := range d.All.Units {
		s := heldSense{From: x.From, To: x.To}
		for _, t := range x.Terms[:min(unitWords, len(x.Terms))] {
			s.Terms = append(s.Terms, viewLink{t, d.to(t), false})
		}
		d.Held = append(d.Held, s)
	}
	if n := len(d.All.Years); n > 0 {
		d.Said = d.say.Text("{0} of {1} to {2} have {3} different terms; {4} senses were found in lists of them.", d.say.Count(d.All.Texts, "text"), year(int(d.All.Years[0].Year)), year(int(d.All.Years[n-1].Year)), d.say.Number(d.All.Terms), d.say.Number(d.All.UnitsOf))
	}
}

func (d *termsData) fill() {
	f := d.Term.Frequency
	d.years(f[0].Year, f[len(f)-1].Year)
	most, sum, in, best := 0.0, int64(0), 0, f[0]
	for _, y := range f {
		sum += y.Count
		if y.Count > 0 {
			in++
		}
		if y.Per > best.Per {
			best = y
		}
		most = max(most, y.Per)
	}
	for _, y := range f {
		b := d.bar(y.Year, y.Per, most)
		b.Title = d.say.Text("{0}: {1} times in {2} phrases ({3} of 10,000)", year(y.Year), d.say.Number(y.Count), d.say.Number(y.Of), d.say.Decimal(y.Per, 1))
		b.Href = d.found(y.Year, y.Year, d.Term.Term)
		d.Bars = append(d.Bars, b)
	}
	d.Said = d.say.Text("“{0}” is said {1} times in {2} of {3} years, most in {4}: {5} of 10,000 phrases.", d.Term.Term, d.say.Number(sum), in, len(f), year(best.Year), d.say.Decimal(best.Per, 1))
	for _, l := range d.Term.Longer {
		d.Longer = append(d.Longer, viewLink{l.Term, d.to(l.Term), false})
	}
	for _, b := range d.Term.Before {
		d.Before = append(d.Before, rewording{
			b, d.to(b.Old), d.found(int(b.Since), int(b.Year)-1, b.Old), d.found(int(b.Year), int(b.To), d.Term.Term),
			d.say.Text("before {0}", year(int(b.Year))), features(b.Shared),
		})
	}
	d.paths()
	d.company()
	d.lists()
}

// paths places the senses on the axis.
func (d *termsData) paths() {
	evolved := 0
	drawn := map[*term.Unit]bool{}
	for i, p := range d.Term.Paths {
		evolved += len(p.Evolved)
		fresh := 0
		for _, x := range p.Units {
			if !drawn[x] {
				fresh++
			}
		}
		if len(d.Paths) >= pathsShown || 2*fresh < len(p.Units) { // most of it is drawn already
			d.More++
			continue
		}
		for _, x := range p.Units {
			drawn[x] = true
		}
		t := termPath{Number: i + 1}
		for k, x := range p.Units {
			a := d.Axis.At(newYear(x.From))
			one := termUnit{X: a, W: d.Axis.At(newYear(x.To+1)) - a, Span: yearSpan(x.From, x.To), Href: d.found(x.From, x.To, d.Term.Term)}
			if k > 0 {
				one.Gap = d.Axis.At(newYear(p.Units[k-1].To + 1))
				for _, e := range p.Evolved {
					one.Evolved = one.Evolved || e.To == x.From
				}
			}
			words := slices.DeleteFunc(slices.Clone(x.Terms), func(s string) bool { return s == d.Term.Term })
			for _, w := range words[:min(unitWords, len(words))] {
				one.Terms = append(one.Terms, viewLink{w, d.to(w), false})
			}
			one.Title = one.Span + ": " + strings.Join(words[:min(unitWords, len(words))], ", ")
			t.Units = append(t.Units, one)
		}
		d.Paths = append(d.Paths, t)
	}
	switch n := len(d.Term.Paths); {
	case n == 0:
		d.PathSay = d.say.Text("It occurs in too few lists with other terms to tell a sense.")
	case evolved == 0:
		d.PathSay = d.say.Text("Its senses follow {0}; none of them became another.", d.say.Count(n, "path"))
	default:
		d.PathSay = d.say.Text("Its senses follow {0}; in {1} a sense became another one that is like it.", d.say.Count(n, "path"), d.say.Count(evolved, "place"))
	}
}

// company puts the companions of a term into periods of equal length.
func (d *termsData) company() {
	f := d.Term.Frequency
	first, last := f[0].Year, f[len(f)-1].Year
	long := int(math.Ceil(float64(last-first+1) / periodsShown))
	long = max(1, long)
	for y := first; y <= last; y += long {
		d.Periods = append(d.Periods, yearSpan(y, min(y+long-1, last)))
	}
	var came, went string
	for _, c := range d.Term.Company[:min(companyShown, len(d.Term.Company))] {
		row := companyRow{Name: c.Companion, Href: d.to(c.Companion), Cells: make([]companyCell, len(d.Periods))}
		most := int64(1)
		for _, y := range c.Years {
			row.Cells[(y.Year-first)/long].Count += y.Count
		}
		for _, x := range row.Cells {
			most = max(most, x.Count)
		}
		for i := range row.Cells {
			from := first + i*long
			if n := row.Cells[i].Count; n > 0 {
				row.Cells[i].Shade = int(math.Ceil(4 * float64(n) / float64(most)))
				row.Cells[i].Href = d.found(from, min(from+long-1, last), d.Term.Term, c.Companion)
			}
		}
		if end := len(row.Cells) - 1; end > 0 {
			if came == "" && row.Cells[0].Count == 0 && row.Cells[end].Count > 0 {
				came = c.Companion
			}
			if went == "" && row.Cells[0].Count > 0 && row.Cells[end].Count == 0 {
				went = c.Companion
			}
		}
		d.Company = append(d.Company, row)
	}
	switch {
	case len(d.Company) == 0:
	case came != "" && went != "":
		d.BeSay = d.say.Text("It is listed most often with “{0}”; “{1}” joined it, “{2}” left it.", d.Company[0].Name, came, went)
	default:
		d.BeSay = d.say.Text("It is listed most often with “{0}”.", d.Company[0].Name)
	}
}

// lists draws the graph of a year: the term in the middle, what it stands in lists with around it.
func (d *termsData) lists() {
	g := d.Term.Graph
	if g == nil {
		return
	}
	l := &termLists{Year: year(g.Year), Of: g.Of, Left: g.Of - (len(g.Nodes) - 1)}
	for i, y := range d.Term.Years {
		if y < g.Year {
			l.Before = d.with("year", strconv.Itoa(y))
		}
		if y > g.Year && l.After == "" {
			l.After = d.with("year", strconv.Itoa(y))
		}
		if i == 0 || i == len(d.Term.Years)-1 || y%10 == 0 || y == g.Year {
			l.Years = append(l.Years, viewLink{strconv.Itoa(y), d.with("year", strconv.Itoa(y)), y == g.Year})
		}
	}
	const cx, cy, rx, ry = graphWidth / 2, graphHeight / 2, graphWidth * 0.27, graphHeight * 0.42
	most := 1.0
	for _, n := range g.Nodes[1:] {
		most = max(most, float64(n.Texts))
	}
	// terms of one sense stand together
	order := slices.Clone(g.Nodes[1:])
	slices.SortStableFunc(order, func(a, b evolution.GraphNode) int { return slices.Compare(a.Senses, b.Senses) })
	at := map[string]int{}
	for i, n := range order {
		at[n.Term] = i
		angle := 2 * math.Pi * (float64(i) + 0.5) / float64(len(order))
		x := graphNode{X: cx + rx*math.Cos(angle), Y: cy + ry*math.Sin(angle), R: 4 + 6*math.Sqrt(float64(n.Texts)/most), Anchor: "start", Label: short(n.Term, labelChars), Count: int64(n.Texts), Href: d.to(n.Term) + "&" + values("year", strconv.Itoa(g.Year)).Encode()}
		if x.X < cx {
			x.Anchor = "end"
		}
		x.TextY = x.Y + 4
		l.Graph.Nodes = append(l.Graph.Nodes, x)
	}
	point := func(i int) (x, y float64) {
		if i == 0 {
			return cx, cy
		}
		n := l.Graph.Nodes[at[g.Nodes[i].Term]]
		return n.X, n.Y
	}
	for _, e := range g.Edges {
		x1, y1 := point(e.A)
		x2, y2 := point(e.B)
		l.Graph.Lines = append(l.Graph.Lines, graphLine{x1, y1, x2, y2, 0.6 + 3*float64(e.Texts)/most})
	}
	senses := map[int]int{} // numbers of the year as they are counted here
	for _, n := range g.Nodes[1:] {
		row := listRow{Term: n.Term, Href: d.to(n.Term), Texts: n.Texts, Find: d.found(g.Year, g.Year, d.Term.Term, n.Term)}
		var names []string
		for _, s := range n.Senses {
			if senses[s] == 0 {
				senses[s] = len(senses) + 1
			}
			names = append(names, strconv.Itoa(senses[s]))
		}
		row.Senses = strings.Join(names, ", ")
		l.Rows = append(l.Rows, row)
	}
	if len(l.Rows) > 0 {
		l.Say = d.say.Text("In {0} it stands in lists with {1}, most with “{2}”; they are of {3}.", year(g.Year), d.say.Count(g.Of, "term"), l.Rows[0].Term, d.say.Count(len(senses), "sense"))
	} else {
		l.Say = d.say.Text("No two texts of {0} have it in a list.", year(g.Year))
	}
	d.Lists = l
}

// table writes all that is known of the term as CSV: a row per year, per sense of a path, and per companion and year.
func (d *termsData) table() ([]byte, error) {
	var out bytes.Buffer
	rows := [][]string{{"what", "from", "to", "number", "of", "terms"}}
	for _, y := range d.Term.Frequency {
		rows = append(rows, []string{"said", strconv.Itoa(y.Year), strconv.Itoa(y.Year), strconv.FormatInt(y.Count, 10), strconv.FormatInt(y.Of, 10), cell(d.Term.Term)})
	}
	for i, p := range d.Term.Paths {
		for _, x := range p.Units {
			rows = append(rows, []string{"path " + strconv.Itoa(i+1), strconv.Itoa(x.From), strconv.Itoa(x.To), strconv.Itoa(len(x.Terms)), "", cell(strings.Join(x.Terms, ", "))})
		}
	}
	for _, c := range d.Term.Company {
		for _, y := range c.Years {
			rows = append(rows, []string{"beside", strconv.Itoa(y.Year), strconv.Itoa(y.Year), strconv.FormatInt(y.Count, 10), "", cell(c.Companion)})
		}
	}
	if g := d.Term.Graph; g != nil {
		for _, e := range g.Edges {
			rows = append(rows, []string{"list", strconv.Itoa(g.Year), strconv.Itoa(g.Year), strconv.Itoa(e.Texts), "", cell(g.Nodes[e.A].Term + ", " + g.Nodes[e.B].Term)})
		}
	}
	err := csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes(), err
}
