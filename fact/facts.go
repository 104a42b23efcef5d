package fact

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"varve/entity"
	"varve/fact/clean"
)

// Report says what cleaning did.
type Report struct {
	Facts, Observations, Rejected int
	Cut                           int    // sentences with more names or times than were looked at (Find)
	Crowded                       int    // facts of which nothing is kept since too many others share their name at once
	Denied                        []Fact // facts of which nothing is kept: their observations are in Fact.Rejected
	Components                    []clean.Component
}

// Limits says in words what was not looked at, a line for each; nil if nothing.
func (r *Report) Limits() (out []string) {
	if r.Cut > 0 {
		out = append(out, fmt.Sprintf("%d sentences have more than %d names or %d times; the rest of these was not looked at", r.Cut, maxNames, maxTimes))
	}
	if n := r.Greedy(); n > 0 {
		out = append(out, fmt.Sprintf("%d sets of contradictions were too large to be resolved exactly", n))
	}
	if r.Crowded > 0 {
		out = append(out, fmt.Sprintf("%d facts share a name with too many others of the same time, and were left out", r.Crowded))
	}
	return out
}

// Greedy returns the number of components that were too large to be cleaned exactly.
func (r *Report) Greedy() (n int) {
	for _, c := range r.Components {
		if !c.Exact {
			n++
		}
	}
	return n
}

// triple is what observations of one fact have in common.
type triple struct{ relation, subject, object, role string }

// day0 is what days are counted from inside of clean, whose numbers are small.
var day0 = func() entity.Day { first, _, _ := entity.ParseDays("1970-01-01"); return first }()

func number(d entity.Day) int32 { return int32(d - day0) }

// box returns what an observation says of begin and end.
func box(o *Observation, point bool) (begin, end clean.Range) {
	if !o.Time.Known() {
		return clean.Any(), clean.Any()
	}
	lo, hi := number(o.Time.First), number(o.Time.Last)
	switch {
	case point:
		return clean.Range{Lo: lo, Hi: hi}, clean.Range{Lo: lo + 1, Hi: hi + 1}
	case o.Aspect == Begin:
		return clean.Range{Lo: lo, Hi: hi}, clean.Any()
	case o.Aspect == End:
		return clean.Any(), clean.Range{Lo: lo + 1, Hi: hi + 1}
	}
	return clean.Range{Lo: clean.Min, Hi: hi}, clean.Range{Lo: lo + 1, Hi: clean.Max}
}

// Clean returns the facts of which observations speak, by subject, relation and object. Of observations that contradict each other, by the constraints of relations, those are kept that weigh most; the others are
// in Fact.Rejected. A fact of which nothing is kept is in Report.Denied.
func Clean(ctx context.Context, relations []Relation, observations []Observation, o clean.Options) ([]Fact, *Report, error) {
	at := map[triple]int32{}
	var order []triple
	byName := map[string]*Relation{}
	for i := range relations {
		byName[relations[i].Name] = &relations[i]
	}
	var p clean.Problem
	for i := range observations {
		b := &observations[i]
		key := triple{b.Relation, b.Subject, b.Object, b.Role}
		f, known := at[key]
		if !known {
			f = int32(len(order))
			at[key] = f
			order = append(order, key)
		}
		r := clean.Observation{Fact: f, Weight: b.Confidence}
		r.Begin, r.End = box(b, byName[b.Relation] != nil && byName[b.Relation].Point)
		p.Observations = append(p.Observations, r)
	}
	p.Facts = len(order)
	p.Groups = groups(order, relations)
	s, err := clean.Solve(ctx, p, o)
	if err != nil {
		return nil, nil, err
	}
	facts := make([]Fact, len(order))
	report := &Report{Observations: len(observations), Components: s.Components, Crowded: s.Crowded}
	for f, key := range order {
		facts[f] = Fact{Relation: key.relation, Subject: key.subject, Object: key.object, Role: key.role, Begin: bounds(s.Begin[f]), End: bounds(s.End[f])}
	}
	for i, b := range observations {
		f := &facts[p.Observations[i].Fact]
		if !s.Chosen[i] {
			report.Rejected++
			f.Rejected = append(f.Rejected, b)
			continue
		}
		f.Observations = append(f.Observations, b)
		f.Confidence = max(f.Confidence, b.Confidence)
	}
	facts = slices.DeleteFunc(facts, func(f Fact) bool {
		if len(f.Observations) == 0 {
			report.Denied = append(report.Denied, f)
		}
		return len(f.Observations) == 0
	})
	slices.SortStableFunc(facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(max(a.Begin.Earliest, a.End.Earliest), max(b.Begin.Earliest, b.End.Earliest)), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Role, b.Role))
	})
	report.Facts = len(facts)
	return facts, report, nil
}

// bounds returns the days of a range.
func bounds(r clean.Range) (b Bounds) {
	if r.Lo > clean.Min+1 {
		b.Earliest = day0 + entity.Day(r.Lo)
	}
	if r.Hi < clean.Max-1 {
		b.Latest = day0 + entity.Day(r.Hi)
	}
	return b
}

// groups returns what the constraints of relations say of facts: one group for each constraint and each name that facts share. Where a relation is symmetric, a name can be on either side.
func groups(facts []triple, relations []Relation) (out []clean.Group) {
	type sharing struct{ relation, side, name string }
	having := map[sharing][]int32{}
	var order []sharing
	symmetric, single := map[string]bool{}, map[string][]string{}
	for _, r := range relations {
		symmetric[r.Name], single[r.Name] = r.Symmetric, r.Single
	}
	add := func(f int, side, name string) {
		s := sharing{facts[f].relation, side, name}
		if having[s] == nil {
			order = append(order, s)
		}
		having[s] = append(having[s], int32(f))
	}
	for f, t := range facts {
		add(f, "subject", t.subject)
		add(f, "object", t.object)
		add(f, "pair", t.subject+"\x00"+t.object)
		if s := single[t.relation]; s == nil || slices.Contains(s, t.role) {
			add(f, "office", t.object+"\x00"+t.role)
		}
		if symmetric[t.relation] {
			add(f, "either", t.subject)
			add(f, "either", t.object)
		}
	}
	for _, r := range relations {
		var done []Constraint
		for _, c := range r.Constraints {
			if r.Symmetric && c.Relation == "" && c.Shared != "pair" && c.Shared != "office" {
				c.Shared = "either"
			}
			if slices.Contains(done, c) {
				continue // said of subject and object
			}
			done = append(done, c)
			for _, s := range order {
				if s.relation != r.Name || s.side != c.Shared {
					continue
				}
				g := clean.Group{F: having[s], Allow: c.Allow}
				if c.Relation != "" {
					g.G = having[sharing{c.Relation, c.Shared, s.name}]
				}
				if len(g.F) > 1 && c.Relation == "" || len(g.G) > 0 {
					out = append(out, g)
				}
			}
		}
	}
	return out
}
