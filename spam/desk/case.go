package desk

import (
	"errors"
	"math"
	"slices"

	"varve/learn"
	"varve/spam"
	"varve/spam/label"
)

// ErrNoHost is returned for a host that the table does not have.
var ErrNoHost = errors.New("the table of features has no such host")

// Evidence is one feature that decided about a host.
type Evidence struct {
	Feature string   `json:"feature"`
	Value   *float64 `json:"value,omitempty"`  // nil: unknown
	Median  *float64 `json:"median,omitempty"` // of all hosts
	Weight  float64  `json:"weight"`           // above 0 speaks for spam
}

// Voice is what a member of the ensemble says.
type Voice struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Spam   float64 `json:"spam"`
}

// Case is all that is known about a host.
type Case struct {
	Waiting
	Evidence []Evidence    `json:"evidence"` // what speaks most for spam, and most against it
	Voices   []Voice       `json:"voices"`
	Said     []label.Entry `json:"said"` // decisions, oldest first
	InForce  *label.Entry  `json:"inForce,omitempty"`
}

// evidenceShown is how many features of a case are told.
const evidenceShown = 9

// Case puts together what is known about a host.
func (d *Desk) Case(host string) (*Case, error) {
	host, err := label.Host(host)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refresh(); err != nil {
		return nil, err
	}
	row, ok := d.table.row[host]
	if !ok {
		return nil, ErrNoHost
	}
	all, err := d.labels.All()
	if err != nil {
		return nil, err
	}
	c := &Case{Waiting: Waiting{Host: host}, Said: label.Of(all, host)}
	if latest, ok := label.Latest(c.Said)[host]; ok {
		c.InForce = &latest
	}
	if d.rated == nil {
		return c, nil
	}
	c.Waiting = waiting(d.rated[row])
	m := d.model.model
	set, err := spam.Align(d.table.hosts.Set, m.Attributes)
	if err != nil {
		return nil, err
	}
	x := set.Row(row, nil)
	c.Evidence = evidence(m, set, x)
	if e, ok := m.Classifier.(*learn.Selected); ok {
		for k, v := range e.Members {
			if v.Weight > 0 {
				c.Voices = append(c.Voices, Voice{v.Name, v.Weight, e.Alone(k, x)})
			}
		}
	}
	return c, nil
}

func evidence(m *learn.Model, set *learn.Set, x []float64) (out []Evidence) {
	list := spam.Explain(m, x, evidenceShown)
	if len(list) > evidenceShown {
		against := evidenceShown / 3
		list = append(list[:evidenceShown-against:evidenceShown-against], list[len(list)-against:]...)
	}
	for _, f := range list {
		k := slices.IndexFunc(m.Attributes, func(a learn.Attribute) bool { return a.Name == f.Feature })
		if k < 0 || f.Weight == 0 {
			continue
		}
		out = append(out, Evidence{f.Feature, known(f.Value), known(median(set.Columns[k])), f.Weight})
	}
	return out
}

// known gives a number, or nil for what is not known.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func median(column []float64) float64 {
	list := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[len(list)/2]
}
