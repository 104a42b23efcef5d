package annotate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"varve/archive/scan"
	"varve/crawl/relevance"
	"varve/derive"
	"varve/derive/job"
)

// Relevance is the name of the unit that judges how near pages are to what the crawls of the collection are about (crawl/relevance): it makes the
// table relevance. All pages are judged by all definitions that are in force, whichever crawl captured them. Nothing is learned on the way, so that a page is worth
// the same in every run: words weigh the same however common they are, and what a crawl learns of places is not asked.
const Relevance = "relevance"

// MaxDefinitions is how many definitions pages are judged by, in the order of their names.
const MaxDefinitions = 20

// RelevanceRow is a row of relevance: what one version is worth to one definition.
type RelevanceRow struct {
	Version
	Definition string  `parquet:"definition,dict"`
	Relevance  float32 `parquet:"relevance"` // 0 to 1
	Keyword    bool    `parquet:"keyword"`   // it has a wanted keyword or name
}

// relevanceFacets are numbers: of each definition, and of the best of them for the whole document.
var relevanceFacets = derive.FacetTable{Job: Relevance, Facets: []derive.Facet{
	{Name: "relevance", Title: "Relevance", Kind: derive.FacetNumbers, Most: MaxDefinitions + 1},
}}

// Wanted is what a crawl is about.
type Wanted struct {
	About relevance.About `json:"about"`
	Topic []string        `json:"topic,omitempty"`
}

// Worth is what a page is worth to a definition.
type Worth struct {
	Definition string
	Relevance  float64
	Keyword    bool
}

type relevanceConfig struct{ Wanted map[string]Wanted }

// RelevanceJob returns the job of the unit for definitions by name, and the facets that it fills: for derive.Options.
func RelevanceJob(wanted map[string]Wanted) (j job.Job, facets derive.FacetTable, err error) {
	names := slices.Sorted(maps.Keys(wanted))
	c := relevanceConfig{map[string]Wanted{}}
	for _, n := range names[:min(len(names), MaxDefinitions)] {
		c.Wanted[n] = wanted[n]
	}
	if _, err := c.judges(); err != nil {
		return j, facets, err
	}
	text, err := json.Marshal(c) // maps are written in the order of their keys
	if err != nil {
		return j, facets, err
	}
	mark := sha256.Sum256(text)
	return job.Job{
		Name: Relevance, Version: 1, Mark: "definitions=" + hex.EncodeToString(mark[:8]),
		Scan: &job.Scan{Mapper: relevanceMapper(c), Open: open(Relevance, relevanceRows, &relevanceFacets)},
	}, relevanceFacets, nil
}

// RelevanceMapper makes the mapper from its configuration. Workers ask for it.
func RelevanceMapper(config []byte) (*scan.Mapper, error) {
	var c relevanceConfig
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	if _, err := c.judges(); err != nil {
		return nil, err
	}
	return relevanceMapper(c), nil
}

// namedJudge is the judge of a definition.
type namedJudge struct {
	name string
	*relevance.Judge
}

func (c *relevanceConfig) judges() (out []namedJudge, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.Wanted)) {
		j, err := relevance.New(c.Wanted[name].About, c.Wanted[name].Topic)
		if err != nil {
			return nil, err
		}
		out = append(out, namedJudge{name, j})
	}
	return out, nil
}

func relevanceMapper(c relevanceConfig) *scan.Mapper {
	m := scan.Mapper{Name: Relevance, Needs: []string{"pages"}, Config: c, Limits: limits, Trusted: scan.Plain}
	return scan.New(m, func() func(context.Context, *scan.Item) (*Found[[]Worth], error) {
		judges, err := c.judges()
		return func(_ context.Context, it *scan.Item) (*Found[[]Worth], error) {
			row, ok := it.Result("pages").(*derive.Row)
			if err != nil || !ok || row.Page.Text == "" || row.Page.Status >= 300 {
				return nil, err
			}
			found := &Found[[]Worth]{State: row.Page.State()}
			for _, j := range judges {
				p := &relevance.Page{URL: it.URI, Title: row.Page.Title, Text: row.Page.Text, Language: row.Page.Language}
				if r := j.Rate(p); r.Page.Set {
					found.What = append(found.What, Worth{j.name, r.Page.Value, j.Hits(p)})
				}
				j.Done(p)
			}
			return found, nil
		}
	})
}

func relevanceRows(v Version, found []Worth) (rows []RelevanceRow, values []derive.FacetValue) {
	best := 0.0
	for _, w := range found {
		rows = append(rows, RelevanceRow{v, w.Definition, float32(w.Relevance), w.Keyword})
		values = append(values, derive.FacetValue{Facet: "relevance", Value: w.Definition, Number: w.Relevance, Count: 1})
		best = max(best, w.Relevance)
	}
	if len(found) > 0 {
		values = append(values, derive.FacetValue{Facet: "relevance", Number: best, Count: 1})
	}
	return rows, values
}
