package spam

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"varve/learn"
	"varve/learn/table"
)

// Hosts is a table of features as it is read for judging hosts: by name, whether they have a label or not.
type Hosts struct {
	Names  []string // "" where the row has none
	Labels []string // "" where the row has none
	Set    *learn.Set
}

// ReadHosts reads a table with a column of hosts. Where attributes are given, the features are brought into their order, and
// what is missing is an error; else all numeric columns are features.
func ReadHosts(r io.Reader, attributes []learn.Attribute, class learn.Attribute) (*Hosts, error) {
	t, err := table.Read(r, table.Limits{})
	if err != nil {
		return nil, err
	}
	at := hostColumn(t)
	if at < 0 {
		return nil, errors.New("there is no column host, hostname or hostid")
	}
	h := &Hosts{Names: make([]string, t.Len()), Labels: make([]string, t.Len())}
	label := t.Attribute("class")
	for i := range t.Len() {
		h.Names[i] = name(t, at, i)
		if label >= 0 {
			h.Labels[i] = name(t, label, i)
		}
	}
	h.Set = &learn.Set{Attributes: t.Attributes, Columns: t.Columns, Class: class, Y: make([]int, t.Len())}
	if attributes != nil {
		h.Set, err = Align(h.Set, attributes)
		return h, err
	}
	var numbers []int
	for i, a := range t.Attributes {
		if !a.Nominal() && !slices.Contains(never, a.Name) {
			numbers = append(numbers, i)
		}
	}
	h.Set = h.Set.Select(numbers)
	return h, nil
}

// hostColumn finds the column with the names of hosts, or -1.
func hostColumn(t *table.Table) int {
	return slices.IndexFunc(t.Attributes, func(a learn.Attribute) bool { return slices.Contains([]string{"host", "hostname", "hostid"}, a.Name) })
}

// Find gives the row of a host.
func (h *Hosts) Find(host string) (int, error) {
	i := slices.Index(h.Names, host)
	if i < 0 {
		return 0, fmt.Errorf("the table has no host %s", host)
	}
	return i, nil
}
