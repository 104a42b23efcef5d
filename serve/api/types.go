package api

import (
	"net/http"

	"varve"
	"varve/entity/kind"
)

// TypeOfNames is a kind of things that names can be.
type TypeOfNames struct {
	Type    string   `json:"type"`
	Label   string   `json:"label"`
	Parents []string `json:"parents"` // none of a root
	Depth   int      `json:"depth"`   // steps below its root, by the longest way
	Gloss   string   `json:"gloss,omitempty"`
}

// types answers with a taxonomy. Nothing of the archive is in it.
func (a *API) types(r *http.Request) (any, error) {
	m, err := kind.Default(r.PathValue("taxonomy"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "find taxonomy", Msg: err.Error()}
	}
	t := m.Taxonomy()
	list := make([]TypeOfNames, len(t.Types))
	for i, one := range t.Types {
		list[i] = TypeOfNames{one.Name, one.Label, append([]string{}, one.Parents...), t.Depth(i), one.Gloss}
	}
	return all(list), nil
}
