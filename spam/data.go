package spam

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"varve/learn"
	"varve/learn/table"
)

// Options say how to read a table.
type Options struct {
	Class string   // name of the class; empty means "class"
	Drop  []string // attributes that are not features, beside those that never are
	Group string   // attribute that keeps rows together in folds; empty for none
}

// never are attributes that name a host or repeat its label.
var never = []string{"hostid", "assessmentscore", "host", "hostname", "domain", "address", "linked_hosts"}

// Data reads a table for learning. Class 0 of the set is spam: the value so named, or the first. Rows without a label
// are left out and counted.
func Data(r io.Reader, o Options) (s *learn.Set, unlabelled int, err error) {
	s, _, unlabelled, err = Labelled(r, o)
	return s, unlabelled, err
}

// Labelled reads a table for learning, as Data does, with what a threshold needs to know of its hosts.
func Labelled(r io.Reader, o Options) (s *learn.Set, g Guard, unlabelled int, err error) {
	t, err := table.Read(r, table.Limits{})
	if err != nil {
		return nil, g, 0, err
	}
	if s, unlabelled, err = fromTable(t, &o); err != nil {
		return nil, g, 0, err
	}
	return s, guardOf(t, o.Class), unlabelled, nil
}

func fromTable(t *table.Table, o *Options) (s *learn.Set, unlabelled int, err error) {
	if o.Class == "" {
		o.Class = "class"
	}
	drop := append(slices.Clone(never), o.Drop...)
	if o.Group != "" {
		drop = append(drop, o.Group)
	}
	if s, unlabelled, err = t.Set(o.Class, drop...); err != nil {
		return nil, 0, err
	}
	if o.Group != "" {
		if s.Groups, err = groups(t, *o); err != nil {
			return nil, 0, err
		}
	}
	if len(s.Class.Values) != 2 {
		return nil, 0, fmt.Errorf("the class %q has %d values, spam and normal are 2", o.Class, len(s.Class.Values))
	}
	spamFirst(s)
	return s, unlabelled, nil
}

// spamFirst makes the class named spam number 0.
func spamFirst(s *learn.Set) {
	if !strings.EqualFold(s.Class.Values[1], "spam") {
		return
	}
	s.Class.Values = []string{s.Class.Values[1], s.Class.Values[0]}
	for i := range s.Y {
		s.Y[i] = 1 - s.Y[i]
	}
}

// groups names the group of each labelled row.
func groups(t *table.Table, o Options) ([]string, error) {
	g, c := t.Attribute(o.Group), t.Attribute(o.Class)
	if g < 0 {
		return nil, fmt.Errorf("there is no attribute %q to group by", o.Group)
	}
	var out []string
	for i, v := range t.Columns[g] {
		switch {
		case t.Columns[c][i] != t.Columns[c][i]: // no label
		case v != v:
			out = append(out, fmt.Sprintf("row %d", i))
		case t.Attributes[g].Nominal():
			out = append(out, t.Attributes[g].Values[int(v)])
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	return out, nil
}

// Align gives the rows of a set as another set has its attributes, by name; what is missing in it is an error.
func Align(s *learn.Set, like []learn.Attribute) (*learn.Set, error) {
	at := map[string]int{}
	for a := range s.Attributes {
		at[s.Attributes[a].Name] = a
	}
	var order []int
	for _, a := range like {
		k, known := at[a.Name]
		if !known {
			return nil, fmt.Errorf("the table lacks the feature %q", a.Name)
		}
		if s.Attributes[k].Nominal() != a.Nominal() {
			return nil, fmt.Errorf("the feature %q is numeric in one table and nominal in the other", a.Name)
		}
		order = append(order, k)
	}
	out := s.Select(order)
	for k, a := range like {
		if a.Nominal() {
			out.Columns[k] = recode(out.Columns[k], out.Attributes[k].Values, a.Values)
		}
	}
	out.Attributes = like
	return out, nil
}

// recode turns indexes into one list of values into those of another; values it lacks are missing.
func recode(column []float64, from, to []string) []float64 {
	code := make([]float64, len(from))
	for i, v := range from {
		if code[i] = float64(slices.Index(to, v)); code[i] < 0 {
			code[i] = learn.Missing()
		}
	}
	out := make([]float64, len(column))
	for i, v := range column {
		if out[i] = v; v == v {
			out[i] = code[int(v)]
		}
	}
	return out
}
