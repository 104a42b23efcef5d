package api

import (
	"errors"
	"io"
	"net/http"
	"time"

	"varve"
	"varve/serve/access"
)

// exportWACZ sends a package as it is made.
func (a *API) exportWACZ(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	from, to, err := spanOf(r)
	if err != nil {
		return err
	}
	parts, err := withParts(q)
	if err != nil {
		return err
	}
	sel := Selection{Bare: !parts, Collection: r.PathValue("collection"), Crawl: q.Get("crawl"), URL: q.Get("url"), From: from, To: to, NotModified: q.Get("notModified") == "1" || q.Get("notModified") == "true"}
	begun := false
	err = a.cfg.Packages.Export(r.Context(), sel, func(name string) io.Writer {
		begun = true
		attach(w, "application/wacz", name)
		return w
	})
	if err != nil && begun {
		a.cfg.Log.Error("export", "collection", sel.Collection, "error", err)
		panic(http.ErrAbortHandler) // no caller may take a part for the whole
	}
	return err
}

// importWACZ takes a package.
func (a *API) importWACZ(w http.ResponseWriter, r *http.Request) error {
	return a.take(w, r, "upload.wacz")
}

// importFile takes a file of others; what it is, its content says.
func (a *API) importFile(w http.ResponseWriter, r *http.Request) error {
	name := r.URL.Query().Get("name")
	if name == "" {
		return &varve.Error{Kind: varve.Invalid, Op: "import a file", Msg: "its name is missing", Hint: "?name=FILE says under which name it is kept"}
	}
	return a.take(w, r, name)
}

// take takes what is sent; the body may take as long as it needs to come.
func (a *API) take(w http.ResponseWriter, r *http.Request, name string) error {
	if r.ContentLength == 0 {
		return &varve.Error{Kind: varve.Invalid, Op: "import a file", Msg: "the request has no body", Hint: "curl --data-binary @site.wacz -H 'Content-Type: application/wacz' URL"}
	}
	out := http.NewResponseController(w) // a recorder of tests has no deadlines
	_ = errors.Join(out.SetReadDeadline(time.Time{}), out.SetWriteDeadline(time.Time{}))
	collection := r.PathValue("collection")
	list, err := a.cfg.Packages.Import(r.Context(), collection, name, r.Body)
	who := access.From(r.Context())
	for _, f := range list {
		err = errors.Join(err, a.cfg.Audit.Append(access.Entry{Time: a.cfg.Now(), By: who.Label(), Did: "import", Collection: collection, What: f.Name, Detail: f.Outcome}))
	}
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, "application/json", all(list))
	return nil
}
