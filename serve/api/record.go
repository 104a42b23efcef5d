package api

import (
	"errors"
	"net/http"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// record writes how a library would describe a collection.
func (a *API) record(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("collection")
	if _, err := a.cfg.Holdings.Collection(r.Context(), name); err != nil {
		return err
	}
	col, err := catalog.Open(a.cfg.Archive).Collection(name)
	if err != nil {
		return err
	}
	m := catalog.Metadata{Title: name}
	var known *varve.Error
	switch plan, err := crawl.ReadPlan(col); {
	case err == nil:
		m = plan.Metadata
	case !errors.As(err, &known) || known.Kind != varve.NotFound:
		return err
	}
	var out []byte
	switch format := r.URL.Query().Get("format"); format {
	case "", "dc":
		out, err = m.DublinCore()
	case "marc":
		out, err = m.MARC(a.cfg.Now())
	default:
		return &varve.Error{Kind: varve.Invalid, Op: "describe " + name, Msg: "there is no format " + format, Hint: "format is dc or marc"}
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, err = w.Write(out)
	return err
}
