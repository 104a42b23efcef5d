package sparql

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"varve/kb/rdf"
)

// ReadResult reads an answer as JSON, which is what other endpoints send. Solutions are read as they are asked for; they
// must be taken before r is closed.
func ReadResult(r io.Reader) (*Result, error) {
	in := &resultReader{json.NewDecoder(r)}
	res, err := in.head()
	if err != nil {
		return nil, fmt.Errorf("read SPARQL results as JSON: %w", err)
	}
	return res, nil
}

type resultReader struct{ *json.Decoder }

// jsonValue is a term as the format writes it.
type jsonValue struct {
	Type, Value, Datatype string
	Lang                  string `json:"xml:lang"`
}

func (j jsonValue) term() (rdf.Term, error) {
	switch {
	case j.Type == "uri":
		return rdf.NewIRI(j.Value), nil
	case j.Type == "bnode":
		return rdf.NewBlank(j.Value), nil
	case j.Type != "literal" && j.Type != "typed-literal":
		return rdf.Term{}, fmt.Errorf("a term of type %q", j.Type)
	case j.Lang != "":
		return rdf.NewLang(j.Value, j.Lang), nil
	case j.Datatype != "":
		return rdf.NewLiteral(j.Value, j.Datatype), nil
	}
	return rdf.NewString(j.Value), nil
}

// open reads the bracket that begins an object or a list.
func (in *resultReader) open(bracket json.Delim) error {
	t, err := in.Token()
	if err == nil && t != bracket {
		err = fmt.Errorf("%v where %v is expected, at byte %d", t, bracket, in.InputOffset())
	}
	return err
}

// head reads up to the first solution.
func (in *resultReader) head() (*Result, error) {
	if err := in.open('{'); err != nil {
		return nil, err
	}
	res := &Result{Form: Select}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		switch name {
		case "head":
			var head struct{ Vars []string }
			if err := in.Decode(&head); err != nil {
				return nil, err
			}
			res.Vars = head.Vars
		case "boolean":
			res.Form = Ask
			return res, in.Decode(&res.Boolean)
		case "results":
			if res.Vars == nil {
				return nil, errors.New("solutions before their variables")
			}
			if err := in.toBindings(); err != nil {
				return nil, err
			}
			res.Solutions = func(yield func([]rdf.Term, error) bool) { in.solutions(res.Vars, yield) }
			return res, nil
		default:
			var skip json.RawMessage
			if err := in.Decode(&skip); err != nil {
				return nil, err
			}
		}
	}
	return nil, errors.New("neither solutions nor a boolean")
}

func (in *resultReader) toBindings() error {
	if err := in.open('{'); err != nil {
		return err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		if name == "bindings" {
			return in.open('[')
		}
		var skip json.RawMessage // "distinct" and "ordered" of old drafts
		if err := in.Decode(&skip); err != nil {
			return err
		}
	}
	return errors.New("no list of solutions")
}

func (in *resultReader) solutions(vars []string, yield func([]rdf.Term, error) bool) {
	fail := func(err error) { yield(nil, fmt.Errorf("read SPARQL results as JSON: %w", err)) }
	out := make([]rdf.Term, len(vars))
	for in.More() {
		var row map[string]jsonValue
		if err := in.Decode(&row); err != nil {
			fail(err)
			return
		}
		for i, v := range vars {
			out[i] = rdf.Term{}
			if j, ok := row[v]; ok {
				t, err := j.term()
				if err != nil {
					fail(err)
					return
				}
				out[i] = t
			}
		}
		if !yield(out, nil) {
			return
		}
	}
	if _, err := in.Token(); err != nil { // the end of the list: without it the answer was cut off
		fail(err)
	}
}
