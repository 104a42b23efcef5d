package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"varve"
	"varve/curate/selection"
	"varve/serve/access"
	"varve/serve/extract"
)

// SelectionItem is a selection in a list.
type SelectionItem struct {
	selection.Definition
	Counts selection.Counts `json:"counts"`
	Ready  bool             `json:"ready"` // proposals were computed
	// Problems tells what of the selection could not be read; all else was.
	Problems []string `json:"problems,omitempty"`
}

func selectionItem(s *selection.Selection, counts selection.Counts, ready bool) SelectionItem {
	out := SelectionItem{Definition: s.Definition, Counts: counts, Ready: ready}
	if s.Lost != nil {
		out.Problems = []string{s.Lost.Error()}
	}
	return out
}

// SelectionPage is a part of a selection.
type SelectionPage struct {
	SelectionItem
	Items []selection.Item `json:"items"`
	Next  string           `json:"next,omitempty"`
}

// NewSelection is a selection to be made.
type NewSelection struct {
	Name      string   `json:"name"`
	Topic     string   `json:"topic,omitempty"`
	Examples  []string `json:"examples,omitempty"`
	Threshold float64  `json:"threshold,omitempty"` // 0.1 if not given
}

// Proposed is what was proposed.
type Proposed struct {
	SelectionItem
	Proposal *selection.Proposal `json:"proposal"`
}

var selectionParams = with([]param{{"state", "string", "only items that are included, excluded, proposed or below (the threshold)", false}}, pageParams)

// selectionError tells errors of selections as those of whoever asks.
func selectionError(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, selection.ErrNone):
		return &varve.Error{Kind: varve.NotFound, Op: op, Err: err}
	case errors.Is(err, selection.ErrNotProposed):
		return &varve.Error{Kind: varve.NotFound, Op: op, Err: err, Hint: "'varve derive' makes the table of versions, 'varve select propose' the proposals"}
	}
	return &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
}

func (a *API) selections(r *http.Request) (any, error) {
	dir, err := a.labelsOf(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	names, err := selection.Names(dir)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list selections", Err: err}
	}
	may, err := a.maySee(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	var out []SelectionItem
	for _, name := range names {
		s, counts, err := selection.Each(r.Context(), dir, name, may, nil)
		if errors.Is(err, selection.ErrNone) {
			continue // a file without a definition
		}
		if s == nil {
			out = append(out, SelectionItem{Definition: selection.Definition{Name: name}, Problems: []string{err.Error()}})
			continue
		}
		out = append(out, selectionItem(s, counts, err == nil))
	}
	return all(out), r.Context().Err()
}

// defineSelection writes a definition and computes what it proposes.
func (a *API) defineSelection(r *http.Request) (any, error) {
	dir, err := a.labelsOf(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	var n NewSelection
	dec := json.NewDecoder(io.LimitReader(r.Body, 256<<10))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&n); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read the selection", Err: err, Hint: `{"name":"elections","topic":"election parliament vote","threshold":0.1}`}
	}
	def := selection.Definition{Name: n.Name, Topic: n.Topic, Examples: n.Examples, Threshold: n.Threshold, By: access.From(r.Context()).Label(), At: a.cfg.Now().UTC()}
	if def, err = selection.Define(dir, def); err != nil {
		return nil, selectionError("define a selection", err)
	}
	may, err := a.maySee(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	p, err := selection.Propose(r.Context(), dir, def.Name, may)
	if err != nil {
		return nil, selectionError("propose versions for "+def.Name, err)
	}
	s, counts, err := selection.Each(r.Context(), dir, def.Name, may, nil)
	if err != nil {
		return nil, selectionError("read the selection "+def.Name, err)
	}
	return Proposed{selectionItem(s, counts, true), p}, nil
}

// showSelection gives a page of the items of a selection.
func (a *API) showSelection(r *http.Request) (any, error) {
	collection, name, state := r.PathValue("collection"), r.PathValue("selection"), selection.State(r.URL.Query().Get("state"))
	dir, err := a.labelsOf(r, collection)
	if err != nil {
		return nil, err
	}
	switch state {
	case "", selection.Included, selection.Excluded, selection.Proposed, selection.Below:
	default:
		return nil, invalid("state", string(state), "included, excluded, proposed or below")
	}
	limit, err := limitOf(r, defaultLimit, maxLimit)
	if err != nil {
		return nil, err
	}
	from := 0
	if c := r.URL.Query().Get("cursor"); c != "" {
		if from, err = strconv.Atoi(c); err != nil || from < 0 {
			return nil, invalid("cursor", c, "take next of the page before")
		}
	}
	may, err := a.maySee(r, collection)
	if err != nil {
		return nil, err
	}
	out, n := SelectionPage{Items: []selection.Item{}}, 0
	s, counts, err := selection.Each(r.Context(), dir, name, may, func(it selection.Item) (bool, error) {
		if state != "" && it.State != state {
			return true, nil
		}
		if n++; n <= from {
			return true, nil
		}
		if len(out.Items) == limit {
			out.Next = strconv.Itoa(from + limit)
			return false, nil
		}
		out.Items = append(out.Items, it)
		return true, nil
	})
	if err != nil && !errors.Is(err, selection.ErrNotProposed) {
		return nil, selectionError("show the selection "+name, err)
	}
	out.SelectionItem = selectionItem(s, counts, err == nil)
	return out, nil
}

// maySee gives what tells whether the visitor may see a version; nil: all.
func (a *API) maySee(r *http.Request, collection string) (selection.May, error) {
	return a.cfg.Rules.May(r.Context(), collection, a.cfg.Now())
}

// decide takes decisions of a curator.
func (a *API) decide(r *http.Request) (any, error) {
	dir, err := a.labelsOf(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	var list []selection.Decision
	dec := json.NewDecoder(io.LimitReader(r.Body, 8<<20))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read the decisions", Err: err, Hint: `[{"do":"include","url":"https://news.example/a","from":"2026-01-08T03:00:00.1Z","note":"why"}]`}
	}
	for i := range list {
		list[i].By, list[i].At = access.From(r.Context()).Label(), a.cfg.Now().UTC()
	}
	name := r.PathValue("selection")
	may, err := a.maySee(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	if err := selection.Decide(dir, name, list); err != nil {
		return nil, selectionError("decide on "+name, err)
	}
	s, counts, err := selection.Each(r.Context(), dir, name, may, nil)
	if err != nil && !errors.Is(err, selection.ErrNotProposed) {
		return nil, selectionError("read the selection "+name, err)
	}
	return selectionItem(s, counts, err == nil), nil
}

// exportChosen sends the records of what is chosen.
func (a *API) exportChosen(w http.ResponseWriter, r *http.Request) error {
	collection, name, format := r.PathValue("collection"), r.PathValue("selection"), r.URL.Query().Get("format")
	mime := extract.Formats[format]
	if mime == "" {
		return invalid("format", format, "warc or wacz")
	}
	dir, err := a.labelsOf(r, collection)
	if err != nil {
		return err
	}
	undecided := false
	switch u := r.URL.Query().Get("undecided"); u {
	case "", "leave":
	case "take":
		undecided = true
	default:
		return invalid("undecided", u, "take or leave")
	}
	s, err := selection.Read(dir, name)
	if err != nil {
		return selectionError("export "+name, err)
	}
	prov := a.provenance(r, "versions that were chosen, copied byte for byte", fmt.Sprintf("selection %s, topic %q, threshold %g, undecided proposals %v", name, s.Topic, s.Threshold, undecided))
	prov.Collections = []string{collection}
	if prov.Parts, err = withParts(r.URL.Query()); err != nil {
		return err
	}
	return a.sendRecords(w, format, mime, collection+"-"+name, collection+": "+name, prov, func(out io.Writer) (extract.Summary, error) {
		return extract.Write(r.Context(), out, a.cfg.Source, prov, extract.Chosen(r.Context(), dir, collection, name, undecided, false))
	}, r)
}
