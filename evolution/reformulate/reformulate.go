// Package reformulate says in the words of another time what is asked in the words of one: "african union" of 2010 is "organization of african unity" in 1990. After Berberich and others, "Bridging the Terminology Gap in
// Web Archive Search" (WebDB 2009), and NEER's idea that an old word goes when the new one comes.
//
// # Terms
//
//	era        some years that are counted together
//	company    of a term in an era: the phrases of its sentences; who says them (@source); its neighbours in lists (+phrase); longer names that have it as a part ("government of _")
//	T, R       the era whose words are used, and the one that is asked about
//
// # Formulas
//
// With n(u,w) times that phrase w stands in a sentence of era R with u,
//
//	P(u@R | w@R) = n(u,w) / sum over u' of n(u',w)        P(w@T | v@T) = n(v,w) / sum over w' of n(v,w')
//	P(u@R | v@T) = sum over w of P(u@R | w@R) * P(w@T | v@T)                                             (Transition)
//
// Frequent u have large P whatever v is. So what is ranked is how like the two companies are, by the cosine of their weights, and whether u was there then and hardly is now:
//
//	score(u, v) = cos(company of v@T, company of u@R) * fall(u) * rise(v) * even(u, v)
//	fall(u) = max(0, 1 - rate(u@T)/rate(u@R))             rise(v) = max(0, 1 - rate(v@R)/rate(v@T))       rates of texts
//	even(u, v) = (min / max of rate(u@R) and rate(v@T))^(1/4)     one thing is talked about about as much under both names
//
// A term v that is as frequent in R as in T needs no other word: rise is 0, and it stays as it is. A companion that stands n times with a term, and with df of the N terms of the era, weighs (1 + ln n) * ln(N/df), sources, neighbours
// in lists and frames twice that, as in varve/evolution/name. A name is not said for what is none, nor the other way round, and persons for nothing else.
//
// A query of several terms v1..vn becomes the sequence u1..un with the greatest product of scores, of coherence of neighbours in R, and popularity (u must be in MinTexts texts of R), by dynamic programming
// (Viterbi), which TestSequence compares with trying all:
//
//	prod of score(ui, vi) * prod of c(ui, ui+1)           c(a, b) = (n(a,b) + 1/2) / sqrt(n(a) * n(b) + 1)
//
// Cost: one pass over the documents of an era for terms and one for pairs; memory by the distinct pairs of one era, of which the rarest are dropped beyond Options.Pairs.
package reformulate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"varve/evolution"
	"varve/evolution/name"
)

// Options bound what is counted.
type Options struct {
	Years    int // of an era
	MinTexts int // of an era that have a term
	Company  int // companions that are kept of a term, the heaviest
	Pairs    int // held in memory
}

// Default returns the usual bounds.
func Default() Options {
	return Options{Years: 6, MinTexts: 3, Company: 400, Pairs: 4 << 20}
}

// Era is what is kept of some years.
type Era struct {
	From  int // first year
	To    int // last
	Texts int

	texts   map[string]int  // of each term that enough texts have
	named   map[string]bool // it is mostly written as a name
	company map[string][]beside
	by      map[string][]beside // by companion: the terms that have it
	o       Options
}

// beside is a companion, or a term that has one.
type beside struct {
	term   string
	count  float64
	weight float64
}

// Candidate is a term of another era that may say the same.
type Candidate struct {
	Term       string   `json:"term"`
	Score      float64  `json:"score"`
	Likeness   float64  `json:"likeness"`   // of the companies
	Transition float64  `json:"transition"` // P(u@R | v@T)
	Fall       float64  `json:"fall"`       // how much rarer it is in the era whose words are used
	Texts      int      `json:"texts"`      // of R that have it
	Shared     []string `json:"shared"`     // companions of both, those that say most first
}

// item is a term of a sentence: a phrase, or of a name with "of" in it what stands behind.
type item struct {
	key   string
	whole string // the phrase that it is a part of
	at    int    // which phrase of the sentence
	name  bool
}

func items(s evolution.Sentence) (out []item) {
	for i, p := range s {
		out = append(out, item{p.Key, p.Key, i, p.Name != ""})
		if at := strings.LastIndex(p.Key, " of "); at > 0 && p.Name != "" {
			if last := strings.TrimPrefix(p.Key[at+4:], "the "); last != "" {
				out = append(out, item{last, p.Key, i, true})
			}
		}
	}
	return out
}

// features yields the company of an item.
func features(d *evolution.Document, s evolution.Sentence, x item) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if d.Source != "" && !yield("@"+d.Source) {
			return
		}
		if x.whole != x.key && !yield(strings.Replace(x.whole, x.key, "_", 1)) {
			return
		}
		for i, p := range s {
			if i == x.at || strings.Contains(p.Key, x.key) || strings.Contains(x.key, p.Key) {
				continue
			}
			if !yield(p.Key) {
				return
			}
			if (i == x.at+1 && p.Listed || i == x.at-1 && s[x.at].Listed) && !yield("+"+p.Key) {
				return
			}
		}
	}
}

// marked reports whether a feature is no phrase.
func marked(feature string) bool {
	return feature[0] == '@' || feature[0] == '+' || strings.Contains(feature, "_")
}

// Read counts an era: the documents of the years from..to.
func Read(documents evolution.Documents, from, to int, o Options) (*Era, error) {
	e := &Era{From: from, To: to, o: o, texts: map[string]int{}, named: map[string]bool{}, company: map[string][]beside{}, by: map[string][]beside{}}
	if err := e.count(documents); err != nil {
		return nil, err
	}
	order := slices.Sorted(maps.Keys(e.texts))
	number := make(map[string]uint32, len(order))
	for i, t := range order {
		number[t] = uint32(i)
	}
	pairs, at := map[uint64]uint32{}, map[string]uint32{}
	var names []string // of features
	for d, err := range documents() {
		if err != nil {
			return nil, err
		}
		if d.Year < from || d.Year > to {
			continue
		}
		for _, s := range d.Sentences {
			for _, x := range items(s) {
				a, ok := number[x.key]
				if !ok {
					continue
				}
				for f := range features(d, s, x) {
					if f == "" {
						continue
					}
					b, ok := at[f]
					if !ok {
						b = uint32(len(names))
						at[f] = b
						names = append(names, f)
					}
					pairs[uint64(a)<<32|uint64(b)]++
				}
			}
		}
		if len(pairs) > o.Pairs {
			maps.DeleteFunc(pairs, func(_ uint64, n uint32) bool { return n == 1 })
		}
	}
	df := make([]float64, len(names))
	for p := range pairs {
		df[uint32(p)]++
	}
	lists := make([][]beside, len(order))
	for p, n := range pairs {
		if f := uint32(p); df[f] > 1 {
			w := (1 + math.Log(float64(n))) * math.Log(float64(len(order)+1)/df[f])
			if marked(names[f]) {
				w *= 2
			}
			lists[p>>32] = append(lists[p>>32], beside{names[f], float64(n), w})
		}
	}
	for a, list := range lists {
		slices.SortFunc(list, func(x, y beside) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.term, y.term)) })
		list = slices.Clone(list[:min(o.Company, len(list))])
		if len(list) == 0 {
			continue
		}
		e.company[order[a]] = list
		for _, b := range list {
			e.by[b.term] = append(e.by[b.term], beside{order[a], b.count, b.weight})
		}
	}
	return e, nil
}

// count finds the terms that enough texts have.
func (e *Era) count(documents evolution.Documents) error {
	met, named := map[string]bool{}, map[string]int{}
	for d, err := range documents() {
		if err != nil {
			return err
		}
		if d.Year < e.From || d.Year > e.To {
			continue
		}
		e.Texts++
		clear(met)
		for _, s := range d.Sentences {
			for _, x := range items(s) {
				if x.name {
					named[x.key]++
				} else {
					named[x.key]--
				}
				if !met[x.key] {
					met[x.key] = true
					e.texts[x.key]++
				}
			}
		}
		if len(e.texts) > e.o.Pairs {
			maps.DeleteFunc(e.texts, func(_ string, n int) bool { return n == 1 })
		}
	}
	maps.DeleteFunc(e.texts, func(_ string, n int) bool { return n < e.o.MinTexts })
	for t := range e.texts {
		e.named[t] = named[t] > 0
	}
	return nil
}

// Eras parts years into eras of equal length, the last of which ends with the last year.
func Eras(years []int, length int) (out [][2]int) {
	if len(years) == 0 {
		return nil
	}
	for to := years[len(years)-1]; to >= years[0]; to -= length {
		out = append(out, [2]int{to - length + 1, to})
	}
	slices.Reverse(out)
	return out
}

// Has counts the texts that have a term.
func (e *Era) Has(term string) int { return e.texts[term] }

// Known returns the terms that enough texts have, in order.
func (e *Era) Known() []string { return slices.Sorted(maps.Keys(e.company)) }

func (e *Era) rate(term string) float64 { return float64(e.texts[term]) / float64(max(1, e.Texts)) }

// step is by how much a rate changes, as a share; 0 if it does not grow.
func step(low, high float64) float64 {
	if high <= low {
		return 0
	}
	return 1 - low/high
}

// Rise is how much more frequent a term of T is there than in R.
func Rise(term string, t, r *Era) float64 { return step(r.rate(term), t.rate(term)) }

// Transition returns P(u@R | v@T) of each u that has a companion with v in common.
func Transition(v string, t, r *Era) map[string]float64 {
	sum := 0.0
	for _, w := range t.company[v] {
		if !marked(w.term) {
			sum += w.count
		}
	}
	out := map[string]float64{}
	for _, w := range t.company[v] {
		if marked(w.term) {
			continue
		}
		list := r.by[w.term]
		of := 0.0
		for _, u := range list {
			of += u.count
		}
		for _, u := range list {
			out[u.term] += u.count / of * w.count / sum
		}
	}
	return out
}

// Terms returns what v of era T may have been called in era R, the likeliest first. none reports that it needs no other word, since R has it as often.
func Terms(v string, t, r *Era, most int) (out []Candidate, none bool) {
	rise := Rise(v, t, r)
	if rise == 0 {
		return nil, r.texts[v] > 0
	}
	mine := map[string]float64{}
	norm := 0.0
	for _, w := range t.company[v] {
		mine[w.term] = w.weight
		norm += w.weight * w.weight
	}
	dot := map[string]float64{}
	for _, w := range t.company[v] { // in its order: the same sums in every run
		for _, u := range r.by[w.term] {
			dot[u.term] += w.weight * u.weight
		}
	}
	for u, sum := range dot {
		fall := step(t.rate(u), r.rate(u))
		if u == v || fall == 0 || r.named[u] != t.named[v] || name.Titled(u) != name.Titled(v) {
			continue
		}
		other := 0.0
		for _, w := range r.company[u] {
			other += w.weight * w.weight
		}
		c := Candidate{Term: u, Likeness: sum / math.Sqrt(norm*other), Fall: fall, Texts: r.texts[u]}
		x, y := r.rate(u), t.rate(v)
		c.Score = c.Likeness * fall * rise * math.Sqrt(math.Sqrt(min(x, y)/max(x, y)))
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Candidate) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Term, b.Term)) })
	out = out[:min(most, len(out))]
	p := Transition(v, t, r)
	for i := range out {
		out[i].Transition, out[i].Shared = p[out[i].Term], shared(mine, r.company[out[i].Term])
	}
	return out, false
}

// shared returns companions of both that say most.
func shared(mine map[string]float64, other []beside) []string {
	both := slices.DeleteFunc(slices.Clone(other), func(b beside) bool { return mine[b.term] == 0 })
	slices.SortStableFunc(both, func(a, b beside) int { return cmp.Compare(b.weight*mine[b.term], a.weight*mine[a.term]) })
	out := []string{}
	for _, b := range both[:min(8, len(both))] {
		out = append(out, b.term)
	}
	return out
}

// Sequence is a query in the words of another era.
type Sequence struct {
	Terms []Candidate `json:"terms"` // one for each term of the query; a term that needs no other word has score 1
	Score float64     `json:"score"`
}

// Query says a query in the words of era R: the best sequences, at most so many. A term for which nothing is found stays as it is, with score unknown.
func Query(query []string, t, r *Era, most int) []Sequence {
	var choices [][]Candidate
	for _, v := range query {
		list, _ := Terms(v, t, r, 10)
		same := Candidate{Term: v, Score: unknown, Texts: r.texts[v], Shared: []string{}}
		if r.texts[v] > 0 {
			same.Score = max(unknown, 1-Rise(v, t, r))
		}
		choices = append(choices, append(list, same))
	}
	return r.best(choices, most)
}

// unknown is the score of a term that stays as it is though the era hardly has it.
const unknown = 0.001

// best finds the sequences of the greatest product by dynamic programming that keeps the best few ways to each choice.
func (e *Era) best(choices [][]Candidate, most int) (out []Sequence) {
	if len(choices) == 0 {
		return nil
	}
	ways := make([][]Sequence, len(choices[0]))
	for i, c := range choices[0] {
		ways[i] = []Sequence{{[]Candidate{c}, c.Score}}
	}
	order := func(a, b Sequence) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), slices.CompareFunc(a.Terms, b.Terms, func(x, y Candidate) int { return cmp.Compare(x.Term, y.Term) }))
	}
	for _, next := range choices[1:] {
		grown := make([][]Sequence, len(next))
		for i, c := range next {
			for _, list := range ways {
				for _, w := range list {
					grown[i] = append(grown[i], Sequence{append(slices.Clone(w.Terms), c), w.Score * c.Score * e.coherence(w.Terms[len(w.Terms)-1].Term, c.Term)})
				}
			}
			slices.SortFunc(grown[i], order)
			grown[i] = grown[i][:min(most, len(grown[i]))]
		}
		ways = grown
	}
	for _, list := range ways {
		out = append(out, list...)
	}
	slices.SortFunc(out, order)
	return out[:min(most, len(out))]
}

// coherence is how much two terms stand together in the era.
func (e *Era) coherence(a, b string) float64 {
	n := 0.0
	for _, w := range e.company[a] {
		if w.term == b {
			n = w.count
		}
	}
	for _, w := range e.company[b] {
		if w.term == a {
			n = max(n, w.count)
		}
	}
	return min(1, (n+0.5)/math.Sqrt(float64(e.texts[a])*float64(e.texts[b])+1))
}
