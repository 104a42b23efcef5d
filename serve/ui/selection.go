package ui

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/curate/selection"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
)

// selectionsData is what the list of selections shows.
type selectionsData struct {
	asked
	List     []selectionLine
	Problems []string
	CSRF     string
}

// selectionLine is a selection in the list.
type selectionLine struct {
	selection.Definition
	In     *holdings.Collection
	Counts selection.Counts
	Ready  bool // proposals were computed
	Href   string
}

func selectionPath(collection, name string) string {
	return "/selections/" + url.PathEscape(collection) + "/" + url.PathEscape(name)
}

// selections lists the selections of all collections.
func (u *UI) selections(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "selection")
	if err != nil {
		return nil, err
	}
	d := &selectionsData{asked: a, CSRF: access.From(r.Context()).CSRF}
	for _, c := range a.All {
		names, err := selection.Names(u.savedDir(c.Name))
		if err != nil {
			d.Problems = append(d.Problems, "those of "+c.Title+": "+err.Error())
			continue
		}
		may, err := u.maySee(r, c.Name)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			s, counts, err := selection.Each(r.Context(), u.savedDir(c.Name), name, may, nil)
			switch {
			case s == nil && !errors.Is(err, selection.ErrNone):
				d.Problems = append(d.Problems, fmt.Sprintf("%s of %s: %v", name, c.Title, err))
			case s != nil && s.Lost != nil:
				d.Problems = append(d.Problems, name+": "+lostLines(message.From(r.Context()), c.Title, s.Lost))
			}
			if s != nil {
				d.List = append(d.List, selectionLine{s.Definition, c, counts, err == nil, selectionPath(c.Name, name)})
			}
		}
	}
	return &view{template: "selections", title: "Selections", section: "search", data: d}, r.Context().Err()
}

// selectionError tells errors of selections as those of whoever asks.
func selectionError(op string, err error) error {
	kind, hint := varve.Invalid, ""
	switch {
	case err == nil:
		return nil
	case errors.Is(err, selection.ErrNone):
		kind, hint = varve.NotFound, "the list of selections has all there are"
	case errors.Is(err, selection.ErrNotProposed):
		kind, hint = varve.NotFound, "varve derive makes the table of versions that proposals are computed from"
	}
	return &varve.Error{Kind: kind, Op: op, Err: err, Hint: hint}
}

// defineSelection takes the form for a new selection, or for another threshold, and computes what it proposes.
func (u *UI) defineSelection(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PostFormValue("collection"))
	if err != nil {
		return nil, err
	}
	threshold := 0.0
	if s := strings.TrimSpace(r.PostFormValue("threshold")); s != "" {
		if threshold, err = strconv.ParseFloat(s, 64); err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "define a selection", Msg: fmt.Sprintf("the threshold %q is no number", s), Hint: "0.02 to 1; 0.1 is a good begin"}
		}
	}
	def := selection.Definition{
		Name: strings.TrimSpace(r.PostFormValue("name")), Topic: strings.TrimSpace(r.PostFormValue("topic")), Examples: strings.Fields(r.PostFormValue("examples")),
		Threshold: threshold, By: access.From(r.Context()).Label(), At: u.cfg.Now().UTC(),
	}
	dir := u.savedDir(c.Name)
	if def, err = selection.Define(dir, def); err != nil {
		return nil, selectionError("define a selection", err)
	}
	may, err := u.maySee(r, c.Name)
	if err != nil {
		return nil, err
	}
	if _, err := selection.Propose(r.Context(), dir, def.Name, may); err != nil {
		return nil, selectionError("propose versions for "+def.Name, err)
	}
	return &view{to: selectionPath(c.Name, def.Name)}, nil
}

// decideSelection takes a decision about a version, or about all versions of its page.
func (u *UI) decideSelection(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	name := r.PathValue("selection")
	d := selection.Decision{
		Do: r.PostFormValue("do"), URL: r.PostFormValue("url"), Note: strings.TrimSpace(r.PostFormValue("note")), By: access.From(r.Context()).Label(), At: u.cfg.Now().UTC(),
	}
	what, page := strings.CutSuffix(d.Do, "-page")
	if d.Do = what; !page {
		if d.From, err = time.Parse(time.RFC3339Nano, r.PostFormValue("from")); err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "decide on " + name, Msg: "it does not say on which version"}
		}
	}
	if err := selection.Decide(u.savedDir(c.Name), name, []selection.Decision{d}); err != nil {
		return nil, selectionError("decide on "+name, err)
	}
	to := selectionPath(c.Name, name)
	if back, err := url.ParseQuery(r.PostFormValue("back")); err == nil {
		to = address(to, back)
	}
	return &view{to: to}, nil
}
