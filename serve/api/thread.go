package api

import (
	"errors"
	"net/http"

	"varve"
	"varve/serve/thread"
	"varve/serve/veil"
)

// thread answers with what people wrote on a page, by the captures that the visitor may see.
func (a *API) thread(r *http.Request) (any, error) {
	target, err := urlOf(r)
	if err != nil {
		return nil, err
	}
	at, err := timeOf(r, "at", true)
	if err != nil {
		return nil, err
	}
	over, err := a.veil(r)
	if err != nil {
		return nil, err
	}
	said := veil.Said(r)
	from := thread.Library{Index: a.cfg.Index, Contents: a.cfg.Contents, Archive: a.cfg.Archive}
	t, err := from.Read(r.Context(), r.PathValue("collection"), target, at, func(text string) string { return over.Text(text, said...) })
	if bad, ok := errors.AsType[*thread.BadKnowledge](err); ok {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read what people wrote", Err: bad, Hint: "mend the files in the folder webapp of the collection; 'varve webapp check' tells lines and reasons"}
	}
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "read what people wrote", Msg: "there is no capture of it until then that you may see, or it is of no forum, blog or wiki that is known", Hint: "'varve webapp' lists what is known"}
	}
	return t, nil
}
