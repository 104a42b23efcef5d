package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/search"
)

// facetParams are the conditions that trends and clouds share with a search.
var facetParams = []param{
	{"collection", "string", "the collection, or several by comma; all if not given", false},
	{"host", "string", "only these hosts, by comma; -NAME for all but it; none for unknown", false},
	{"domain", "string", "likewise domains", false},
	{"mime", "string", "likewise types", false},
	{"lang", "string", "likewise languages", false},
	{"year", "string", "likewise years of the first capture", false},
	{"crawl", "string", "likewise crawls", false},
	{"coherence", "string", "likewise verdicts of coherence; none for unknown", false},
	{"spam", "string", "likewise labels of hosts: spam, normal, none", false},
}

var trendParams = with([]param{
	{"terms", "string", "up to 12 words and \"phrases\" by comma; each may be a whole query", true},
	{"q", "string", "only versions that fit this query, too", false},
	{"from", "string", "buckets from this time on: year, month, day or RFC 3339", false},
	{"to", "string", "buckets until this time, included", false},
	{"bucket", "string", "day, month or year; month if not given", false},
}, facetParams)

var cloudParams = with([]param{
	{"from", "string", "begin of the interval: year, month, day or RFC 3339; from, to or both", false},
	{"to", "string", "its end, included", false},
	{"n", "integer", "terms; 60 if not given, at most 300", false},
	{"q", "string", "only versions that fit this query", false},
}, facetParams)

var risingParams = with([]param{
	{"from", "string", "begin of the time: year, month, day or RFC 3339", true},
	{"to", "string", "its end, included; now if not given", false},
	{"facets", "string", "facets by comma; all that analyses brought if not given", false},
	{"n", "integer", "values of each facet; 20 if not given, at most 300", false},
	{"q", "string", "only versions that fit this query", false},
	{"facet", "string", "NAME:VALUE of a facet that an analysis brought; -NAME:VALUE for all but it; may come several times", false},
}, facetParams)

var opinionParams = with([]param{
	{"about", "string", "the name that is judged; how whole texts judge if not given", false},
	{"by", "string", "only names that are values of this facet: person, place", false},
	{"split", "string", "a day: names are counted before it and from it on, too", false},
	{"bucket", "string", "day, month or year; month if not given", false},
	{"from", "string", "versions first seen from this time on: year, month, day or RFC 3339", false},
	{"to", "string", "versions first seen until this time, included", false},
	{"q", "string", "only versions that fit this query", false},
	{"facet", "string", "NAME:VALUE of a facet that an analysis brought; -NAME:VALUE for all but it; may come several times", false},
}, facetParams)

var documentParams = []param{
	urlParam,
	{"time", "string", "the version that was valid then: 4 to 14 digits, or RFC 3339; the newest if not given", false},
	{"collection", "string", "the collection; the first one that has the page if not given", false},
}

func (a *API) trends(r *http.Request) (any, error) {
	terms, q, err := search.ParseTrends(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return search.AskTrends(r.Context(), a.cfg.Texts, r.URL.Query().Get("collection"), terms, q)
}

func (a *API) cloud(r *http.Request) (any, error) {
	q, err := search.ParseCloud(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return search.AskCloud(r.Context(), a.cfg.Texts, r.URL.Query().Get("collection"), q)
}

func (a *API) rising(r *http.Request) (any, error) {
	q, err := search.ParseRising(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return search.AskRising(r.Context(), a.cfg.Texts, r.URL.Query().Get("collection"), q)
}

func (a *API) opinions(r *http.Request) (any, error) {
	q, err := search.ParseOpinions(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return search.AskOpinions(r.Context(), a.cfg.Texts, r.URL.Query().Get("collection"), q)
}

func (a *API) document(r *http.Request) (any, error) {
	u, err := urlOf(r)
	if err != nil {
		return nil, err
	}
	at, err := timeOf(r, "time", true)
	if err != nil {
		return nil, err
	}
	if !at.IsZero() && at.Nanosecond() == 0 {
		at = at.Add(time.Second - time.Nanosecond) // a second is told, not an instant in it
	}
	desk := search.Desk{Texts: a.cfg.Texts, Contents: a.cfg.Contents, Links: a.cfg.Links}
	return desk.Document(r.Context(), r.URL.Query().Get("collection"), u, at)
}

// labelsOf gives the folder in which decisions about a collection are kept.
func (a *API) labelsOf(r *http.Request, collection string) (string, error) {
	if collection == "" {
		return "", &varve.Error{Kind: varve.Invalid, Op: "read the collection", Msg: "it is missing", Hint: "collection=NAME"}
	}
	if _, err := a.cfg.Holdings.Collection(r.Context(), collection); err != nil {
		return "", err
	}
	return filepath.Join(a.cfg.Archive, "collections", collection), nil
}

// searches lists saved searches: of some collections, or of all.
func (a *API) searches(r *http.Request) (any, error) {
	names := search.Collections(r.URL.Query().Get("collection"))
	if len(names) == 0 {
		list, err := a.cfg.Holdings.Collections(r.Context())
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			names = append(names, c.Name)
		}
	}
	var out []search.Saved
	var problems []string
	for _, name := range names {
		dir, err := a.labelsOf(r, name)
		if err != nil {
			return nil, err
		}
		list, lost, err := search.ReadSaved(dir)
		if err != nil {
			return nil, err
		}
		if lost != nil {
			problems = append(problems, fmt.Sprintf("collection %s: %v", name, lost))
		}
		out = append(out, list...)
	}
	answer := all(out)
	answer.Problems = problems
	return answer, nil
}

// SavedSearch is a search to be kept.
type SavedSearch struct {
	Collection string `json:"collection"`
	Name       string `json:"name"`
	Query      string `json:"query"` // parameters of /api/search, as in an address
}

const maxSaved = 64 << 10

func (a *API) saveSearch(r *http.Request) (any, error) {
	var s SavedSearch
	dec := json.NewDecoder(io.LimitReader(r.Body, maxSaved))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read the search", Err: err, Hint: `{"collection":"news","name":"Elections","query":"q=election&lang=de"}`}
	}
	dir, err := a.labelsOf(r, s.Collection)
	if err != nil {
		return nil, err
	}
	return search.Save(dir, search.Saved{Collection: s.Collection, Name: s.Name, Query: s.Query, By: access.From(r.Context()).Label(), At: a.cfg.Now().UTC()})
}

func (a *API) deleteSearch(r *http.Request) (any, error) {
	dir, err := a.labelsOf(r, r.URL.Query().Get("collection"))
	if err != nil {
		return nil, err
	}
	who, id := access.From(r.Context()), r.PathValue("search")
	list, _, err := search.ReadSaved(dir)
	if err != nil {
		return nil, err
	}
	mine := slices.ContainsFunc(list, func(s search.Saved) bool { return s.ID == id && s.By == who.Label() })
	if !mine && !who.Can(access.Curator) {
		return nil, &varve.Error{Kind: varve.Forbidden, Op: "delete a saved search", Msg: "it is somebody else's: that needs the role curator"}
	}
	if err := search.DeleteSaved(dir, id, who.Label(), a.cfg.Now().UTC()); err != nil {
		return nil, err
	}
	return a.searches(r)
}
