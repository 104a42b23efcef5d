package fact

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Learned is a pattern that no relation has written down, and that candidates of many texts show to be one of it: it goes with pairs that are known.
type Learned struct {
	Relation   string  `json:"relation"`
	Aspect     Aspect  `json:"aspect"`
	Pattern    string  `json:"pattern"`
	Confidence float64 `json:"confidence"`
	Pairs      int     `json:"pairs"` // different pairs of names that have it
	Said       string  `json:"said"`  // the document of one of them
}

// Line returns the pattern as a line of a file of relations.
func (l *Learned) Line() string { return "pattern     " + l.Aspect.String() + "  " + l.Pattern }

// Learn spreads labels over the candidates of many texts at once, and returns the patterns that got one: at least pairs different pairs have each, and its confidence is at least that of the settings. What it returns is proposed: written into a file of relations, it
// counts for every text, also for one that is read alone. Patterns of a relation without words between its names ("S O @in") tell nothing and are left out.
//
// Known is what rows of tables say, beside the seeds of the relations; pairs that rows know, at times that they do not hold, are seeds of "none".
func Learn(ctx context.Context, relations []Relation, candidates []Candidate, known map[string][]Known, pairs int, s Settings) ([]Learned, error) {
	at := map[[2]string][]int{} // pairs that are known: relations
	for i := range relations {
		for _, k := range known[relations[i].Name] {
			key := [2]string{k.Subject, k.Object}
			if !slices.Contains(at[key], i) {
				at[key] = append(at[key], i)
			}
		}
	}
	seeds := func(c *Candidate) (relation int, aspect Aspect, none, ok bool) {
		for _, key := range [][2]string{{c.Subject, c.Object}, {c.Object, c.Subject}} {
			for _, i := range at[key] {
				if key[0] != c.Subject && !relations[i].Symmetric || !c.Time.Known() {
					continue
				}
				for _, k := range known[relations[i].Name] {
					if k.Subject == key[0] && k.Object == key[1] {
						aspect, holds := k.Aspect(c.Time, relations[i].Point)
						if holds {
							return i, aspect, false, true
						}
						relation, none, ok = i, true, true
					}
				}
			}
		}
		return relation, During, none, ok
	}
	g, z, err := propagated(ctx, relations, candidates, seeds, s)
	if err != nil {
		return nil, err
	}
	type seen struct {
		pairs map[[2]string]bool
		kinds []*Candidate
	}
	by := map[string]*seen{}
	for i := range candidates {
		c := &candidates[i]
		x := by[c.Pattern]
		if x == nil {
			x = &seen{pairs: map[[2]string]bool{}}
			by[c.Pattern] = x
		}
		if len(x.pairs) < 1000 {
			x.pairs[[2]string{c.Subject, c.Object}] = true
		}
		if len(x.kinds) < 20 {
			x.kinds = append(x.kinds, c)
		}
	}
	var out []Learned
	for text, x := range by {
		if len(x.pairs) < pairs || !telling(text) {
			continue
		}
		labels := z.Of(int(g.patterns[text]))
		for i := range relations {
			r := &relations[i]
			aspect, confidence := best(labels, i)
			if confidence < s.Least || confidence == 0 || slices.ContainsFunc(r.Patterns, func(p Pattern) bool { return p.Matches(text) }) || !slices.ContainsFunc(x.kinds, func(c *Candidate) bool { return r.fits(c.SubjectKind, c.ObjectKind) }) {
				continue
			}
			out = append(out, Learned{r.Name, aspect, text, confidence, len(x.pairs), x.kinds[0].Evidence.Document})
		}
	}
	slices.SortFunc(out, func(a, b Learned) int {
		return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Pattern, b.Pattern))
	})
	return out, nil
}

// telling reports whether a pattern has a word that is neither a name nor a place in a list, and its time is that of its sentence.
func telling(pattern string) bool {
	words := strings.Fields(pattern)
	for _, w := range words {
		if w == "@^" || w == "@?" || w == "@-" || strings.HasPrefix(w, "@/") {
			return false
		}
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 2 && w == strings.ToLower(w) && !strings.ContainsAny(w, "@+>#")
	})
}
