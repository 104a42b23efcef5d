package endpoint

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
)

// graphs answers the graph store protocol.
func (h *Handler) graphs(w http.ResponseWriter, r *http.Request) {
	graph, err := graphOf(r)
	if err != nil {
		fail(w, err)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		h.getGraph(w, r, graph)
		return
	case http.MethodPut, http.MethodPost, http.MethodDelete:
	default:
		w.Header().Set("Allow", "GET, HEAD, PUT, POST, DELETE")
		failWith(w, http.StatusMethodNotAllowed, invalid("a graph is read by GET and changed by PUT, POST and DELETE"))
		return
	}
	if err := h.mayChange(r); err != nil {
		fail(w, err)
		return
	}
	if graph == nil {
		if r.Method != http.MethodPost {
			fail(w, invalid("?graph=IRI or ?default says which graph"))
			return
		}
		name := rdf.NewIRI(strings.TrimSuffix(baseOf(r), "/") + "/" + h.label())
		graph = &name
		w.Header().Set("Location", name.Value)
	}
	status, err := h.changeGraph(r, *graph)
	if err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(status)
}

// label returns a name that no other node has.
func (h *Handler) label() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprintf("n%016x%016x", h.cfg.Rand.Uint64(), h.cfg.Rand.Uint64())
}

// graphOf returns the graph that a request means: None is the default graph, nil is none at all.
func graphOf(r *http.Request) (*rdf.Term, error) {
	values := r.URL.Query()
	switch {
	case values.Has("graph") && values.Has("default"):
		return nil, invalid("either ?graph=IRI or ?default, not both")
	case values.Has("default"):
		return &rdf.Term{}, nil
	case values.Has("graph"):
		iri := rdf.Resolve(baseOf(r), values.Get("graph"))
		if len(values["graph"]) != 1 || !rdf.IsAbsolute(iri) {
			return nil, invalid("?graph= needs one IRI")
		}
		name := rdf.NewIRI(iri)
		return &name, nil
	case strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/graphs"), "/") != "":
		name := rdf.NewIRI(baseOf(r))
		return &name, nil
	}
	return nil, nil
}

// getGraph answers with a graph; without a name, with all quads.
func (h *Handler) getGraph(w http.ResponseWriter, r *http.Request, graph *rdf.Term) {
	data, _, end, err := h.view(r)
	if err != nil {
		fail(w, err)
		return
	}
	defer end()
	f := negotiateRDF(r)
	var p sparql.Pattern
	if graph != nil {
		if p[3], err = data.Lookup(*graph); err != nil {
			fail(w, err)
			return
		}
		if p[3] == 0 || p[3] != sparql.DefaultGraph && !has(data, p) {
			fail(w, &varve.Error{Kind: varve.NotFound, Msg: "there is no graph " + graph.String()})
			return
		}
	} else if !f.HasGraphs() {
		f = rdf.TriG
	}
	out := &lateWriter{w: w, media: f.MediaType()}
	if r.Method == http.MethodHead {
		out.end(nil)
		return
	}
	out.end(writeQuads(out, f, nil, func(yield func(rdf.Quad, error) bool) {
		for q, err := range sparql.Quads(data, p) {
			if err == nil {
				err = r.Context().Err()
			}
			if graph != nil {
				q.Graph = rdf.Term{}
			}
			if !yield(q, err) {
				return
			}
		}
	}))
}

func has(data sparql.Dataset, p sparql.Pattern) bool {
	for _, err := range data.Match(p) {
		return err == nil
	}
	return false
}

// changeGraph puts, adds to or deletes a graph, and returns the status of the answer.
func (h *Handler) changeGraph(r *http.Request, graph rdf.Term) (status int, err error) {
	var added []rdf.Quad
	if r.Method != http.MethodDelete {
		if added, err = h.body(r, graph); err != nil {
			return 0, err
		}
	}
	store, done, err := h.lend()
	if err != nil {
		return 0, err
	}
	defer done()
	tx := store.Update()
	defer func() { err = errors.Join(err, tx.Cancel()) }()
	id, err := tx.Lookup(graph)
	if err != nil {
		return 0, err
	}
	there := id == sparql.DefaultGraph || id != 0 && has(tx, sparql.Pattern{3: id})
	if r.Method == http.MethodDelete && !there {
		return 0, &varve.Error{Kind: varve.NotFound, Msg: "there is no graph " + graph.String()}
	}
	if r.Method != http.MethodPost && there {
		if err := clearGraph(tx, id); err != nil {
			return 0, err
		}
	}
	for _, q := range added {
		if err := tx.Insert(q); err != nil {
			return 0, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return 0, &varve.Error{Kind: varve.Unavailable, Msg: "the request took longer than it may", Err: err}
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	if there {
		return http.StatusNoContent, nil
	}
	return http.StatusCreated, nil
}

func clearGraph(tx *triplestore.Update, id sparql.ID) error {
	var gone []rdf.Quad
	for q, err := range tx.Quads(sparql.Pattern{3: id}) {
		if err != nil {
			return err
		}
		gone = append(gone, q)
	}
	for _, q := range gone {
		if err := tx.Delete(q); err != nil {
			return err
		}
	}
	return nil
}

// body reads the triples of a request, from its body or from the files of a form.
func (h *Handler) body(r *http.Request, graph rdf.Term) ([]rdf.Quad, error) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "multipart/form-data" {
		var all []rdf.Quad
		for parts := multipart.NewReader(r.Body, params["boundary"]); ; {
			part, err := parts.NextPart()
			if err == io.EOF {
				return all, nil
			}
			if err != nil {
				return nil, invalid("the form cannot be read: %v", err)
			}
			kind := part.Header.Get("Content-Type")
			if kind == "" {
				kind = part.FileName()
			}
			quads, err := h.triples(part, kind, r, graph)
			if err != nil {
				return nil, err
			}
			all = append(all, quads...)
		}
	}
	return h.triples(r.Body, r.Header.Get("Content-Type"), r, graph)
}

func (h *Handler) triples(body io.Reader, media string, r *http.Request, graph rdf.Term) ([]rdf.Quad, error) {
	f := rdf.FormatOf(media)
	if media == "" {
		f = rdf.RDFXML // as the standard has it
	}
	if f == 0 || !f.Readable() {
		return nil, &mediaError{fmt.Sprintf("%q is no format of RDF that is read here", media)}
	}
	base := graph.Value
	if base == "" {
		base = baseOf(r)
	}
	var all []rdf.Quad
	for q, err := range rdf.Read(body, f, rdf.Options{Base: base, Scope: h.label() + "_"}) {
		if err != nil {
			return nil, err
		}
		q.Graph = graph
		all = append(all, q)
	}
	return all, nil
}
