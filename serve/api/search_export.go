package api

import (
	"net/http"
	"strings"

	"varve"
	"varve/serve/search"
)

// exportSearch streams all hits of a search.
func (a *API) exportSearch(w http.ResponseWriter, r *http.Request) error {
	v := r.URL.Query()
	format, collection := v.Get("format"), v.Get("collection")
	v.Del("format")
	q, err := search.Parse(v)
	if err != nil {
		return err
	}
	mime, known := search.Formats[format]
	if !known {
		return &varve.Error{Kind: varve.Invalid, Op: "export", Err: search.ErrFormat, Hint: "format=csv or format=jsonl"}
	}
	out := &lateHeader{ResponseWriter: w, mime: mime, name: fileName(collection) + "-search." + format}
	_, err = search.WriteHits(r.Context(), out, format, a.cfg.Texts, collection, q, search.MaxExport)
	if err != nil && out.begun {
		panic(http.ErrAbortHandler) // half a table must not look whole
	}
	if err == nil && !out.begun {
		_, err = out.Write(nil)
	}
	return err
}

// fileName gives a name for a file of results.
func fileName(collections string) string {
	if names := search.Collections(collections); len(names) > 0 {
		return strings.Join(names, "+")
	}
	return "varve"
}

// lateHeader sends the header of a download with its first bytes, so that an error before them is told as one.
type lateHeader struct {
	http.ResponseWriter
	mime, name string
	begun      bool
}

// Write sends bytes.
func (l *lateHeader) Write(b []byte) (int, error) {
	if !l.begun {
		l.begun = true
		l.Header().Set("Content-Type", l.mime)
		l.Header().Set("Content-Disposition", `attachment; filename="`+l.name+`"`)
		l.Header().Set("Cache-Control", "no-store")
	}
	return l.ResponseWriter.Write(b)
}
