package api

import (
	"net/http"
	"slices"

	"varve/serve/search"
)

// searchParams are the conditions of a search; package serve/search reads them.
var searchParams = []param{
	{"collection", "string", "the collection, or several by comma; all that you may see if not given", false},
	{"q", "string", "words, \"phrases\", AND OR NOT, prefix*, \"near words\"~5, title: anchor: url: text:, host:NAME and other facets, person:\"first last\", opinion:<-0.3 about:\"rent law\"", false},
	{"from", "string", "begin of a span: year, month, day or RFC 3339", false},
	{"to", "string", "its end, included", false},
	{"relation", "string", "of the validity to the span: intersects, within, contains or begins", false},
	{"asof", "string", "an instant at which it was valid", false},
	{"host", "string", "only these hosts, by comma; -NAME for all but it; none for unknown", false},
	{"domain", "string", "likewise domains", false},
	{"mime", "string", "likewise types", false},
	{"lang", "string", "likewise languages", false},
	{"year", "string", "likewise years of the first capture", false},
	{"crawl", "string", "likewise crawls", false},
	{"coherence", "string", "likewise verdicts of coherence; none for unknown", false},
	{"spam", "string", "likewise labels of hosts: spam, normal, none", false},
	{"facet", "string", "NAME:VALUE of a facet that an analysis brought, such as person:Angela Merkel, exactly so written; -NAME:VALUE for all but it; may come several times", false},
	{"facets", "string", "facets to count, by comma: host, domain, mime, lang, year, crawl, coherence, spam, collection, and those that analyses brought", false},
	{"top", "integer", "names of each facet; 10 if not given", false},
	{"prefix", "string", "count only names of facets that begin so, capitals apart", false},
	{"trend", "string", "count by day, month or year of the first capture", false},
	{"group", "boolean", "true: versions and pages that nearly repeat a better result stand under it", false},
	{"sort", "string", "oldest, newest, or most:FACET of a facet of numbers, with what they are about: most:relevance, most:relevance:flood; best first if not given", false},
	{"limit", "integer", "results, 0 to 1000; 10 if not given", false},
	{"cursor", "string", "cursor of the answer before", false},
}

func (a *API) search(r *http.Request) (any, error) {
	v := r.URL.Query()
	q, err := search.Parse(v)
	if err != nil {
		return nil, err
	}
	return search.Ask(r.Context(), a.cfg.Texts, v.Get("collection"), q)
}

// namesParams are those of a search that say what is counted.
var namesParams = slices.DeleteFunc(slices.Clone(searchParams), func(p param) bool {
	return slices.Contains([]string{"facets", "trend", "group", "sort", "limit", "cursor"}, p.Name)
})

// names completes a name of a facet.
func (a *API) names(r *http.Request) (any, error) {
	return search.Complete(r.Context(), a.cfg.Texts, r.PathValue("facet"), r.URL.Query())
}
