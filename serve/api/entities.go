package api

import (
	"net/http"

	"varve/serve/access"
	"varve/serve/search"
)

var entitiesParams = []param{
	{"prefix", "string", "the begin of a label, or a whole name", true},
	{"collection", "string", "the collection, or several by comma; all if not given", false},
}

var entityParams = with([]param{
	{"asof", "string", "count and show only versions that were valid at this time: year, month, day or RFC 3339", false},
	{"bucket", "string", "day, month or year; month if not given", false},
	{"q", "string", "only versions that fit this query", false},
	{"limit", "integer", "passages; 10 if not given", false},
	{"cursor", "string", "cursor of the answer before, for more passages", false},
}, facetParams)

// entities answers with what a name may mean.
func (a *API) entities(r *http.Request) (any, error) {
	list, err := search.SuggestEntities(r.Context(), a.cfg.Texts, a.cfg.Linkers, r.URL.Query(), a.entityReader(r))
	if err != nil {
		return nil, err
	}
	return all(list), nil
}

// entity answers with what versions say of one.
func (a *API) entity(r *http.Request) (any, error) {
	q, err := search.ParseEntity(r.PathValue("entity"), r.URL.Query())
	if err != nil {
		return nil, err
	}
	q.EntityReader = a.entityReader(r)
	return search.AskEntity(r.Context(), a.cfg.Texts, a.cfg.Linkers, r.URL.Query().Get("collection"), q)
}

// entityReader says what of entities that curators made whoever asks is not told.
func (a *API) entityReader(r *http.Request) search.EntityReader {
	may, err := a.cfg.Rules.May(r.Context(), "", a.cfg.Now())
	return search.EntityReader{Outside: !a.cfg.NewPersons && access.From(r.Context()).Outside(), Reader: err != nil || may != nil}
}
