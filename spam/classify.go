package spam

import (
	"fmt"
	"io"
	"slices"

	"varve/learn"
	"varve/learn/table"
)

// Verdict is what a model says of one row.
type Verdict struct {
	Row  int     `json:"row"`            // from 1
	Host string  `json:"host,omitempty"` // if the table has a column of that name, or hostid
	Spam float64 `json:"spam"`           // probability
}

// Classify reads a table and gives the verdict on each row; no class is needed. Features are matched by name.
func Classify(r io.Reader, m *learn.Model, tell func(Verdict) error) error {
	if len(m.Class.Values) != 2 {
		return fmt.Errorf("the model tells %d classes apart, not spam and normal", len(m.Class.Values))
	}
	t, err := table.Read(r, table.Limits{})
	if err != nil {
		return err
	}
	s := &learn.Set{Attributes: t.Attributes, Columns: t.Columns, Class: m.Class, Y: make([]int, t.Len())}
	features, err := Align(s, m.Attributes)
	if err != nil {
		return err
	}
	host := slices.IndexFunc(t.Attributes, func(a learn.Attribute) bool { return slices.Contains([]string{"host", "hostname", "hostid"}, a.Name) })
	row, p := []float64(nil), make([]float64, 2)
	for i := range t.Len() {
		row = features.Row(i, row)
		m.Classifier.Classify(row, p)
		v := Verdict{Row: i + 1, Spam: p[0]}
		if host >= 0 {
			v.Host = name(t, host, i)
		}
		if err := tell(v); err != nil {
			return err
		}
	}
	return nil
}

// name gives a cell as text, empty where it is missing.
func name(t *table.Table, column, row int) string {
	v := t.Columns[column][row]
	switch {
	case v != v:
		return ""
	case t.Attributes[column].Nominal():
		return t.Attributes[column].Values[int(v)]
	}
	return fmt.Sprint(v)
}
