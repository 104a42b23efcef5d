package api

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"varve"
	"varve/archive/wacz"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/extract"
	"varve/serve/search"
)

// exportSearch streams all hits of a search: as a table, or as the records of their captures.
func (a *API) exportSearch(w http.ResponseWriter, r *http.Request) error {
	v := r.URL.Query()
	format, collection := v.Get("format"), v.Get("collection")
	v.Del("format")
	v.Del("parts")
	q, err := search.Parse(v)
	if err != nil {
		return err
	}
	if mime := extract.Formats[format]; mime != "" {
		return a.exportRecords(w, r, format, mime, v, q)
	}
	mime, known := search.Formats[format]
	if !known {
		return &varve.Error{Kind: varve.Invalid, Op: "export", Msg: fmt.Sprintf("the format %q is not known", format), Hint: "format=csv, jsonl, warc or wacz"}
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

// exportRecords sends the captures of all hits.
func (a *API) exportRecords(w http.ResponseWriter, r *http.Request, format, mime string, asked url.Values, q fulltext.Query) error {
	ctx, collection := r.Context(), asked.Get("collection")
	sources, err := a.cfg.Texts.Sources(ctx, search.Collections(collection)...)
	if err != nil {
		return err
	}
	prov := a.provenance(r, "records that a search found, copied byte for byte", asked.Encode())
	if prov.Parts, err = withParts(r.URL.Query()); err != nil {
		return err
	}
	for _, s := range sources {
		prov.Collections = append(prov.Collections, s.Name)
	}
	return a.sendRecords(w, format, mime, fileName(collection)+"-search", orElse(asked.Get("q"), "search"), prov, func(out io.Writer) (extract.Summary, error) {
		return extract.Write(ctx, out, a.cfg.Source, prov, search.Versions(ctx, a.cfg.Texts, collection, q, search.MaxExport, false))
	}, r)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// withParts tells whether exported pages come with their parts: unless the question says no.
func withParts(v url.Values) (bool, error) {
	switch s := v.Get("parts"); s {
	case "", "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	default:
		return false, invalid("parts", s, "true or false")
	}
}

// provenance tells where records come from that somebody asked for.
func (a *API) provenance(r *http.Request, what, asked string) extract.Provenance {
	return extract.Provenance{Software: "varve " + a.cfg.Version, Description: what, Asked: asked, By: access.From(r.Context()).Label(), Now: a.cfg.Now(), Random: rand.Reader}
}

// sendRecords sends a file of records that were copied.
func (a *API) sendRecords(w http.ResponseWriter, format, mime, name, title string, prov extract.Provenance, copied func(io.Writer) (extract.Summary, error), r *http.Request) error {
	begun := false
	cfg := wacz.Config{Title: title, Description: prov.Description + ": " + prov.Asked, Software: prov.Software, Created: prov.Now.UTC(), Workers: 1, SortMemory: 16 << 20}
	sum, err := extract.File(r.Context(), format, name, cfg, copied, func(name string) io.Writer {
		begun = true
		attach(w, mime, name)
		return w
	})
	switch {
	case err != nil && begun:
		a.cfg.Log.Error("export", "asked", prov.Asked, "error", err)
		panic(http.ErrAbortHandler) // no caller may take a part for the whole
	case err == nil && sum.Records == 0:
		return &varve.Error{Kind: varve.NotFound, Op: "export", Msg: "nothing was found that you may see"}
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
