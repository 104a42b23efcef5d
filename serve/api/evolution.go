package api

import (
	"net/http"

	"varve/serve/evolution"
	"varve/serve/search"
)

var (
	termParams    = []param{{"year", "integer", "the year whose lists are told; the last that has some if not given", false}}
	phrasesParams = []param{
		{"from", "integer", "told in this year or later", false},
		{"to", "integer", "told in this year or before", false},
		{"least", "number", "the least probability to last, 0 to 1", false},
		{"with", "string", "only phrases with these letters", false},
	}
	besideParams = []param{
		{"a", "string", "the first collection", true},
		{"b", "string", "the second collection", true},
		{"of", "string", "words that versions of both have, in a row", true},
		{"by", "string", "the facet whose values are compared: person, place, term; the one with most values if not given", false},
		{"bucket", "string", "month or year; month if not given", false},
		{"from", "string", "versions first seen from this time on: year, month, day or RFC 3339", false},
		{"to", "string", "its end, included", false},
		{"split", "string", "a day: what each collection says more often before it, and since", false},
	}
)

func (a *API) terms(r *http.Request) (any, error) {
	return a.cfg.Evolution.Terms(r.Context(), r.PathValue("collection"))
}

func (a *API) term(r *http.Request) (any, error) {
	v := r.URL.Query()
	v.Set("term", r.PathValue("term"))
	q, err := evolution.ParseTerm(v)
	if err != nil {
		return nil, err
	}
	return a.cfg.Evolution.Term(r.Context(), r.PathValue("collection"), q)
}

func (a *API) renamings(r *http.Request) (any, error) {
	return a.cfg.Evolution.Names(r.Context(), r.PathValue("collection"))
}

func (a *API) formerName(r *http.Request) (any, error) {
	name, err := evolution.ParseName(map[string][]string{"name": {r.PathValue("called")}})
	if err != nil {
		return nil, err
	}
	return a.cfg.Evolution.Name(r.Context(), r.PathValue("collection"), name)
}

func (a *API) phrases(r *http.Request) (any, error) {
	q, err := evolution.ParsePhrases(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return a.cfg.Evolution.Phrases(r.Context(), r.PathValue("collection"), q)
}

func (a *API) beside(r *http.Request) (any, error) {
	q, err := search.ParseBeside(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return search.AskBeside(r.Context(), a.cfg.Texts, q)
}
