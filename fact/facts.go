package fact

import (
	"cmp"
	"context"
	"slices"

	"varve/entity"
	"varve/fact/clean"
)

// Report says what cleaning did.
type Report struct {
	Facts, Observations, Rejected int
	Components                    []clean.Component
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
type triple struct{ relation, subject, object string }

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
// in Fact.Rejected. A fact of which nothing is kept is not returned; what spoke of it is counted in Report.Rejected.
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
		key := triple{b.Relation, b.Subject, b.Object}
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
	p.Constraints = constraints(order, byName)
	s, err := clean.Solve(ctx, p, o)
	if err != nil {
		return nil, nil, err
	}
	facts := make([]Fact, len(order))
	report := &Report{Observations: len(observations), Components: s.Components}
	for f, key := range order {
		facts[f] = Fact{Relation: key.relation, Subject: key.subject, Object: key.object, Begin: bounds(s.Begin[f]), End: bounds(s.End[f])}
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
	facts = slices.DeleteFunc(facts, func(f Fact) bool { return len(f.Observations) == 0 })
	slices.SortStableFunc(facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(max(a.Begin.Earliest, a.End.Earliest), max(b.Begin.Earliest, b.End.Earliest)), cmp.Compare(a.Object, b.Object))
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

// constraints returns those of facts that share a name as their relations say.
func constraints(facts []triple, relations map[string]*Relation) (out []clean.Constraint) {
	type shared struct{ relation, side, name string }
	having := map[shared][]int32{}
	for f, t := range facts {
		for _, s := range []shared{{t.relation, "subject", t.subject}, {t.relation, "object", t.object}, {t.relation, "pair", t.subject + "\x00" + t.object}} {
			having[s] = append(having[s], int32(f))
		}
	}
	for f, t := range facts {
		r := relations[t.relation]
		if r == nil {
			continue
		}
		for _, c := range r.Constraints {
			key := shared{cmp.Or(c.Relation, t.relation), c.Shared, map[string]string{"subject": t.subject, "object": t.object, "pair": t.subject + "\x00" + t.object}[c.Shared]}
			for _, g := range having[key] {
				if c.Relation != "" && int(g) != f || c.Relation == "" && int(g) < f {
					out = append(out, clean.Constraint{F: int32(f), G: g, Allow: c.Allow})
				}
			}
			if r.Symmetric && c.Relation == "" && c.Shared != "pair" { // a name can be on either side
				for _, g := range having[shared{t.relation, map[string]string{"subject": "object", "object": "subject"}[c.Shared], key.name}] {
					if int(g) < f {
						out = append(out, clean.Constraint{F: int32(f), G: g, Allow: c.Allow})
					}
				}
			}
		}
	}
	return out
}
