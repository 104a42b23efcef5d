package spamfilter

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/crawl/spamfilter"
	"varve/lab/websim"
	worlds "varve/lab/websim/spam"
	"varve/learn"
	"varve/page"
	"varve/spam"
	"varve/spam/content"
	"varve/spam/filter"
	"varve/web/links"
)

// Table is hosts with their features, generators and labels.
type Table struct {
	Hosts []string
	Kinds []string
	Spam  []bool
	Pages []int // that each host has
	Rows  [][]float64
	Links [][]uint64 // hosts that each one supports, by spamfilter.HashOf
}

// Tabulate samples the hosts of a world as a crawl would: pages in the order in which they are found from the home page.
func Tabulate(world *worlds.World, web *websim.Web, at time.Time, sample int) *Table {
	t := &Table{}
	e, r := links.New(links.Limits{}), page.NewReader()
	for _, h := range world.Hosts() {
		bad, known := world.Label(h.Name, at)
		if !known {
			continue
		}
		kind := h.Kind
		if h.Spam && !bad {
			kind = "unturned" // an expired domain before it turns: normal, and of no generator
		}
		t.Hosts, t.Kinds, t.Spam = append(t.Hosts, h.Name), append(t.Kinds, kind), append(t.Spam, bad)
		sampled, targets := sampleHost(web, h.Name, at, sample, e, r)
		t.Rows, t.Links, t.Pages = append(t.Rows, filter.Row(sampled)), append(t.Links, targets), append(t.Pages, h.Pages)
	}
	return t
}

// sampleHost takes in the first pages of a host, breadth first, and whom they support.
func sampleHost(web *websim.Web, host string, at time.Time, sample int, e *links.Extractor, r *page.Reader) (*content.Host, []uint64) {
	out, rec := &content.Host{}, spamfilter.NewRecord()
	queue, seen := []string{"http://" + host + "/"}, map[string]bool{}
	for len(queue) > 0 && out.Count() < sample {
		u := queue[0]
		queue = queue[1:]
		a := web.Get(u, at)
		if mime := a.Get("Content-Type"); a.Status != 200 || !strings.HasPrefix(mime, "text/html") {
			continue
		}
		p := content.Read(u, a.Get("Content-Type"), a.Body, r)
		p.Fetched = at
		out.Add(p)
		var found []links.Link
		_, _ = e.Extract(links.Document{URL: u, MIME: "text/html", Body: a.Body}, func(l links.Link) { // pages of ours make sense
			l.URL = strings.Clone(l.URL)
			found = append(found, l)
			parsed, err := url.Parse(l.URL)
			if err == nil && parsed.Host == host && l.Hop == links.HopLink && !seen[l.URL] {
				seen[l.URL] = true
				queue = append(queue, l.URL)
			}
		})
		rec.Support(spamfilter.Targets(host, found))
	}
	return out, rec.Targets
}

// Guard gives what a threshold needs to know of the hosts that are wanted, in the order of Set: their pages, and who links whom.
func (t *Table) Guard(want func(kind string, spam bool) bool) spam.Guard {
	at := map[uint64]int{}
	var rows []int
	for i, host := range t.Hosts {
		if want(t.Kinds[i], t.Spam[i]) {
			at[spamfilter.HashOf(host)] = len(rows)
			rows = append(rows, i)
		}
	}
	g := spam.Guard{Links: make([][]int, len(rows)), Others: make([]int, len(rows))}
	for k, i := range rows {
		g.Sizes = append(g.Sizes, float64(t.Pages[i]))
		for _, to := range t.Links[i] {
			if j, known := at[to]; known {
				g.Links[k] = append(g.Links[k], j)
			}
		}
	}
	for i, list := range t.Links {
		if want(t.Kinds[i], t.Spam[i]) {
			continue
		}
		for _, to := range list { // nobody knows what these are, but whom they link
			if j, known := at[to]; known {
				g.Others[j]++
			}
		}
	}
	return g
}

// Set gives the hosts that are wanted as a training set.
func (t *Table) Set(want func(kind string, spam bool) bool) *learn.Set {
	s := &learn.Set{Attributes: filter.Attributes(), Class: learn.Attribute{Name: "class", Values: []string{"spam", "normal"}}}
	s.Columns = make([][]float64, len(s.Attributes))
	for i, row := range t.Rows {
		if !want(t.Kinds[i], t.Spam[i]) {
			continue
		}
		for a, v := range row {
			s.Columns[a] = append(s.Columns[a], v)
		}
		y := 1
		if t.Spam[i] {
			y = 0
		}
		s.Y = append(s.Y, y)
		s.Groups = append(s.Groups, t.Kinds[i])
	}
	return s
}

// kinds lists the generators of a label.
func kinds(bad bool) (out []string) {
	for _, k := range worlds.Kinds() {
		if k.Spam == bad {
			out = append(out, k.Name)
		}
	}
	return out
}

// third gives the normal generators that are held out with the n-th spam generator: a third of them in turn.
func third(n int) []string {
	var out []string
	for i, k := range kinds(false) {
		if i%3 == n%3 {
			out = append(out, k)
		}
	}
	return out
}

// without wants all hosts but those of some generators.
func without(out ...string) func(string, bool) bool {
	return func(kind string, _ bool) bool { return !slices.Contains(out, kind) }
}
