package filter

import (
	"fmt"
	"slices"
	"strings"

	"varve/learn"
	"varve/spam/content"
)

// left are features that a crawl leaves out: of the host as a whole what depends on the number of pages, or on files that a sample does not have.
var left = []string{
	"host.pages", "host.formats", "host.other_documents", "host.target_hosts",
	"host.robots_file", "host.robots_rules", "host.robots_closed", "host.redirects", "host.failures",
}

// needs are features that need more than the pages: the words of a collection, a second answer, a browser.
var needs = []string{"popular", "corpus_", "query_", "trigram", "cloaking", "redirect_executed"}

// Names are the features that a crawl can compute, in the order of a row.
func Names() []string {
	return slices.DeleteFunc(content.Names(), func(name string) bool { return !usable(name) })
}

func usable(name string) bool {
	if slices.Contains(left, name) {
		return false
	}
	_, bare, _ := strings.Cut(name, ".")
	return !slices.ContainsFunc(needs, func(n string) bool { return strings.HasPrefix(bare, n) })
}

// Attributes are the crawl-time features as a learner wants them.
func Attributes() []learn.Attribute {
	var out []learn.Attribute
	for _, n := range Names() {
		out = append(out, learn.Attribute{Name: n})
	}
	return out
}

// Select leaves of a training set the features that a crawl can compute.
func Select(s *learn.Set) *learn.Set {
	names := Names()
	var keep []int
	for i, a := range s.Attributes {
		if slices.Contains(names, a.Name) && !a.Nominal() {
			keep = append(keep, i)
		}
	}
	return s.Select(keep)
}

// Row gives the crawl-time features of a host, in the order of Names.
func Row(h *content.Host) []float64 {
	vector := h.Vector()
	out := make([]float64, 0, len(vector))
	for i, name := range content.Names() {
		if usable(name) {
			out = append(out, vector[i])
		}
	}
	return out
}

// Usable tells whether a crawl can compute all features of a model.
func Usable(attributes []learn.Attribute) bool {
	_, err := places(attributes)
	return err == nil && len(attributes) > 0
}

// places finds the features of a model in the vector of a host.
func places(attributes []learn.Attribute) ([]int, error) {
	at := map[string]int{}
	for i, n := range content.Names() {
		at[n] = i
	}
	var out []int
	var lacking []string
	for _, a := range attributes {
		i, known := at[a.Name]
		if !known || a.Nominal() || !usable(a.Name) {
			lacking = append(lacking, a.Name)
			continue
		}
		out = append(out, i)
	}
	if len(lacking) > 0 {
		return nil, fmt.Errorf("%d of its %d features cannot be computed while crawling, %s among them", len(lacking), len(attributes), lacking[0])
	}
	return out, nil
}
