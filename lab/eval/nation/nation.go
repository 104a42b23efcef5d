// Package nation measures how well pages beyond a national domain are known as those of a nation (crawl/relevance.NationJudge).
//
// Nobody has labelled such pages, so they are made, of data of others: sentences of known languages (of the test data of lingua) and names of cities with
// their countries (GeoNames). Two national webs are made, Austria and Portugal; each has a larger neighbour of the same language (Germany, Brazil), which is
// what makes the task hard, and pages of other countries. What a page shows is drawn by the chances in this file, which were written before anything was
// measured; List has every page with what was drawn, so that others can measure on the same.
package nation

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"varve/crawl/priority"
	"varve/crawl/relevance"
	"varve/lab/eval"
	"varve/lab/eval/lid"
	"varve/text/lang"
)

// country is what pages of a country show.
type country struct {
	code, language, phone, domain string
	post                          func(r *rand.Rand) string
}

func digits(r *rand.Rand, from, to int) string { return strconv.Itoa(from + r.IntN(to-from)) }

// countries are those that pages are made of.
var countries = map[string]country{
	"AT": {"AT", "de", "+43", "at", func(r *rand.Rand) string { return digits(r, 1010, 9999) }},
	"DE": {"DE", "de", "+49", "de", func(r *rand.Rand) string { return digits(r, 10115, 99998) }},
	"PT": {"PT", "pt", "+351", "pt", func(r *rand.Rand) string { return digits(r, 1000, 9999) + "-" + digits(r, 100, 999) }},
	"BR": {"BR", "pt", "+55", "br", func(r *rand.Rand) string { return digits(r, 10000, 99999) + "-" + digits(r, 100, 999) }},
	"FR": {"FR", "fr", "+33", "fr", func(r *rand.Rand) string { return digits(r, 10000, 99999) }},
	"GB": {"GB", "en", "+44", "uk", func(r *rand.Rand) string { return "LS" + digits(r, 1, 29) + " " + digits(r, 1, 9) + "AB" }},
	"US": {"US", "en", "+1", "us", func(r *rand.Rand) string { return digits(r, 10000, 99999) }},
}

// web is a national web with what it is told from.
type web struct {
	nation, neighbour string
	others            []string
	about             relevance.Nation // without places
}

var webs = []web{
	{"AT", "DE", []string{"FR", "GB", "US"}, relevance.Nation{Name: "Austria", Domains: []string{"at"}, Languages: []string{"de"}, Phones: []string{"+43"}, Postcodes: `(?:A-)?[1-9]\d{3}`}},
	{"PT", "BR", []string{"FR", "GB", "US"}, relevance.Nation{Name: "Portugal", Domains: []string{"pt"}, Languages: []string{"pt"}, Phones: []string{"+351"}, Postcodes: `[1-9]\d{3}-\d{3}`}},
}

// Chances of what a page shows of its own country, and a foreign one of the nation.
const (
	ofNation    = 200 // pages
	ofNeighbour = 100
	ofOthers    = 100

	hasPhone   = 0.4
	hasAddress = 0.4
	hasPlaces  = 0.6
	hasLinks   = 0.5
	isLinked   = 0.3
	inEnglish  = 0.15 // instead of the language of the country
	named      = 0.2  // a foreign page names a place of the nation
	foreign    = 0.15 // a foreign page is linked from, or links to, the nation
	sentences  = 8
	mostPlaces = 300 // of a country, the largest
)

// Page is a page that was made.
type Page struct {
	URL, Web, Country string
	Shows             []string // what was drawn
	page              relevance.Page
	linked            int // national hosts that link to it
}

// Cities reads names of places by country, the largest first: a table with a head of which name, country and population are used.
func Cities(r io.Reader) (map[string][]string, error) {
	type city struct {
		name string
		size int
	}
	by := map[string][]city{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if len(f) < 6 {
			return nil, fmt.Errorf("line %d: %d fields, want 6 and more: id, name, country, feature, admin, population", n, len(f))
		}
		if size, err := strconv.Atoi(f[5]); err == nil {
			by[f[2]] = append(by[f[2]], city{f[1], size})
		}
	}
	out := map[string][]string{}
	for code, list := range by {
		slices.SortStableFunc(list, func(a, b city) int { return b.size - a.size })
		for _, c := range list[:min(len(list), mostPlaces)] {
			out[code] = append(out[code], c.name)
		}
	}
	return out, lines.Err()
}

// Make makes the pages of both webs. The same seed gives the same pages.
func Make(lines []lid.Line, cities map[string][]string, seed uint64) ([]*Page, error) {
	said := map[string][]string{}
	for _, l := range lines {
		if l.Kind == "sentences" {
			said[l.Lang] = append(said[l.Lang], l.Text)
		}
	}
	for code, c := range countries {
		if len(said[c.language]) < sentences || len(cities[code]) == 0 {
			return nil, fmt.Errorf("%s: %d sentences of %s and %d places are too few", code, len(said[c.language]), c.language, len(cities[code]))
		}
	}
	r := rand.New(rand.NewPCG(seed, 23))
	var out []*Page
	for _, w := range webs {
		add := func(n int, of func() string) {
			for range n {
				out = append(out, w.page(r, of(), len(out), said, cities))
			}
		}
		add(ofNation, func() string { return w.nation })
		add(ofNeighbour, func() string { return w.neighbour })
		add(ofOthers, func() string { return w.others[r.IntN(len(w.others))] })
	}
	return out, nil
}

func (w *web) page(r *rand.Rand, code string, n int, said, cities map[string][]string) *Page {
	c := countries[code]
	p := &Page{URL: fmt.Sprintf("https://h%d.example/", n), Web: w.nation, Country: code}
	chance := func(x float64, what string) bool {
		if r.Float64() >= x {
			return false
		}
		p.Shows = append(p.Shows, what)
		return true
	}
	any := func(list []string) string { return list[r.IntN(len(list))] }
	language := c.language
	if language != "en" && chance(inEnglish, "english") {
		language = "en"
	}
	var b strings.Builder
	for range sentences {
		b.WriteString(any(said[language]) + "\n")
	}
	if chance(hasPlaces, "places") {
		for range 1 + r.IntN(3) {
			b.WriteString(any(cities[code]) + ". ")
		}
	}
	if code != w.nation && chance(named, "national place") {
		b.WriteString(any(cities[w.nation]) + ". ")
	}
	if chance(hasAddress, "address") {
		fmt.Fprintf(&b, "\n%s %s", c.post(r), any(cities[code]))
	}
	if chance(hasPhone, "phone") {
		fmt.Fprintf(&b, "\n%s %s %s", c.phone, digits(r, 10, 99), digits(r, 1000000, 9999999))
	}
	p.page = relevance.Page{URL: p.URL, Text: b.String()}
	link := func(domain string) {
		p.page.Links = append(p.page.Links, priority.Link{URL: fmt.Sprintf("https://s%d.%s/", r.IntN(1000), domain)})
	}
	link("example") // everybody links somewhere
	if chance(hasLinks, "links") {
		for range 1 + r.IntN(4) {
			link(c.domain)
		}
	}
	if code != w.nation && chance(foreign, "links to the nation") {
		link(countries[w.nation].domain)
	}
	if code == w.nation && chance(isLinked, "linked") || code != w.nation && chance(foreign, "linked by the nation") {
		p.linked = 1 + r.IntN(3)
	}
	return p
}

// Row is how well one reason, or all together, tell pages of the nation.
type Row struct {
	Web       string  `json:"web"`
	By        string  `json:"by"`
	Has       float64 `json:"has"` // share of pages on which it has an opinion
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Neighbour float64 `json:"neighbour"` // share of pages of the neighbour that are taken for national
	Others    float64 `json:"others"`
}

// Report is what was measured.
type Report struct {
	Threshold float64 `json:"threshold"`
	Pages     int     `json:"pages"`
	Rows      []Row   `json:"rows"`
}

// reasons in the order of the table; all is the judge.
var reasons = []string{"phone", "address", "places", "language", "links-to", "links-from", "all"}

// Measure judges the pages of each web.
func Measure(_ context.Context, pages []*Page, cities map[string][]string, threshold float64) *Report {
	rep := &Report{Threshold: threshold, Pages: len(pages)}
	for _, w := range webs {
		about := w.about
		about.Places = cities[w.nation]
		j := relevance.NewNationJudge(about)
		type tally struct{ has, hit, taken, neighbour, others int }
		by := map[string]*tally{}
		for _, name := range reasons {
			by[name] = &tally{}
		}
		all := 0
		for _, p := range pages {
			if p.Web != w.nation {
				continue
			}
			for i := range p.linked {
				j.Learn(&relevance.Page{URL: fmt.Sprintf("https://n%d.%s/", i, about.Domains[0]), Links: []priority.Link{{URL: p.URL}}})
			}
			one := p.page
			one.Language = lang.Default().Identify(one.Text).Lang
			total, list := j.Judge(&one)
			if total.Set {
				list = append(list, relevance.Reason{By: "all", Value: total.Value})
			}
			all++
			for _, r := range list {
				t := by[r.By]
				t.has++
				if r.Value < threshold {
					continue
				}
				t.taken++
				switch p.Country {
				case w.nation:
					t.hit++
				case w.neighbour:
					t.neighbour++
				default:
					t.others++
				}
			}
		}
		for _, name := range reasons {
			t := by[name]
			rep.Rows = append(rep.Rows, Row{
				Web: about.Name, By: name, Has: float64(t.has) / float64(max(1, all)), Precision: float64(t.hit) / float64(max(1, t.taken)), Recall: float64(t.hit) / ofNation,
				Neighbour: float64(t.neighbour) / ofNeighbour, Others: float64(t.others) / ofOthers,
			})
		}
	}
	return rep
}

// Summary is that of all reasons together, over both webs.
func (r *Report) Summary() eval.Summary {
	p, rec, n := 0.0, 0.0, 0.0
	for _, row := range r.Rows {
		if row.By == "all" {
			p, rec, n = p+row.Precision, rec+row.Recall, n+1
		}
	}
	p, rec = p/max(n, 1), rec/max(n, 1)
	return eval.Found(r.Pages, p, rec, 2*p*rec/max(p+rec, 1e-9))
}

// Print writes the table.
func (r *Report) Print(out io.Writer) error {
	fmt.Fprintf(out, "%d pages of two made national webs, taken for national from %.2f on\n\n", r.Pages, r.Threshold)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "web\tby\thas an opinion %\tprecision\trecall\tneighbour taken %\tothers taken %\t")
	for _, x := range r.Rows {
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.3f\t%.3f\t%.1f\t%.1f\t\n", x.Web, x.By, 100*x.Has, x.Precision, x.Recall, 100*x.Neighbour, 100*x.Others)
	}
	return w.Flush()
}

// List writes the pages: address, web, country, what was drawn, text.
func List(out io.Writer, pages []*Page) error {
	w := bufio.NewWriter(out)
	for _, p := range pages {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\n", p.URL, p.Web, p.Country, strings.Join(p.Shows, ","), p.linked, strconv.Quote(p.page.Text))
	}
	return w.Flush()
}
