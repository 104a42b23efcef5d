package typing

import (
	"fmt"
	"iter"
	"strings"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/kind"
)

// Names is a base whose names can be listed.
type Names interface {
	Names(prefix string) iter.Seq2[base.Named, error]
	Entity(n uint32) (*entity.Entity, error)
}

// Pruned is how many candidates can be left out by their types. Candidates of a name are all entities of the base with a name that begins with its first word and has another, and what is meant,
// which has the types that people marked. Names with one candidate are not counted.
type Pruned struct {
	Names      int     `json:"names"`
	Candidates int     `json:"candidates"`
	Steps      []Level `json:"steps"`
	Error      string  `json:"error,omitempty"` // of the base: names behind it were not looked up
}

// Level is what is left at one threshold.
type Level struct {
	Threshold float64 `json:"threshold"`
	Out       float64 `json:"out"`  // share of candidates left out
	Lost      float64 `json:"lost"` // share of names whose meaning is left out
}

// thresholds that are tried.
var thresholds = []float32{-2, -1.5, -1.2, -1, -0.9, -0.8, -0.7, -0.6, -0.5, -0.4, -0.3, -0.2, 0}

// kindTypes are the types of the kinds of the small base.
var kindTypes = map[string][2]string{
	"person": {"person.n.01", "/person"}, "footballer": {"football_player.n.01", "/person/athlete"}, "politician": {"politician.n.02", "/person/politician"},
	"place": {"location.n.01", "/location"}, "organisation": {"organization.n.01", "/organization"}, "football club": {"team.n.01", "/organization/sports_team"}, "film": {"movie.n.01", "/art/film"},
}

// TypesOf returns the types that kinds of the small base are in a taxonomy; none for other kinds.
func TypesOf(t *kind.Taxonomy, kinds []string) (types []int) {
	for _, k := range kinds {
		for _, name := range kindTypes[k] {
			if n, ok := t.Find(name); ok {
				types = append(types, n)
			}
		}
	}
	return types
}

// mostCandidates of one name are counted.
const mostCandidates = 200

type pruning struct {
	base              Names
	known             map[string][]string // first word: kinds of its candidates, with | between them
	names, candidates int
	out, lost         []int
	err               error
}

// Prune makes the tally count candidates of a base, too.
func (t *Tally) Prune(b Names) {
	t.prune = &pruning{base: b, known: map[string][]string{}, out: make([]int, len(thresholds)), lost: make([]int, len(thresholds))}
}

func (p *pruning) kinds(first string) []string {
	if list, ok := p.known[first]; ok {
		return list
	}
	var list []string
	met := map[uint32]bool{}
	for n, err := range p.base.Names(first) {
		if err != nil {
			p.err = err
			break
		}
		if n.Key != first && !strings.HasPrefix(n.Key, first+" ") {
			continue
		}
		for _, c := range n.Candidates {
			if met[c.Entity] || len(list) == mostCandidates {
				continue
			}
			met[c.Entity] = true
			if e, err := p.base.Entity(c.Entity); err == nil && len(e.Kinds) > 0 {
				list = append(list, strings.Join(e.Kinds, "|"))
			}
		}
		if len(list) == mostCandidates {
			break
		}
	}
	p.known[first] = list
	return list
}

func (p *pruning) add(t *kind.Taxonomy, v *kind.Verdict, words []string, gold []int) {
	if len(gold) == 0 {
		return
	}
	list := p.kinds(entity.Key(words[0]))
	if len(list) == 0 {
		return
	}
	p.names++
	p.candidates += len(list) + 1
	meant := t.Reach(v.Scores, gold)
	for i, threshold := range thresholds {
		if meant < threshold {
			p.lost[i]++
			p.out[i]++
		}
	}
	for _, kinds := range list {
		types := TypesOf(t, strings.Split(kinds, "|"))
		if len(types) == 0 {
			continue // what has no type is never left out
		}
		reach := t.Reach(v.Scores, types)
		for i, threshold := range thresholds {
			if reach < threshold {
				p.out[i]++
			}
		}
	}
}

func (p *pruning) result() *Pruned {
	r := &Pruned{Names: p.names, Candidates: p.candidates}
	if p.err != nil {
		r.Error = p.err.Error()
	}
	for i, threshold := range thresholds {
		r.Steps = append(r.Steps, Level{float64(threshold), ratio(float64(p.out[i]), float64(p.candidates)), ratio(float64(p.lost[i]), float64(p.names))})
	}
	return r
}

func (p *Pruned) print(b *strings.Builder) {
	fmt.Fprintf(b, "\n%d names have two candidates or more, %.1f in the mean\n%10s %20s %20s\n", p.Names, ratio(float64(p.Candidates), float64(p.Names)), "threshold", "candidates left out", "meaning left out")
	if p.Error != "" {
		fmt.Fprintf(b, "the base could not be read to its end: %s\n", p.Error)
	}
	for _, s := range p.Steps {
		fmt.Fprintf(b, "%10.1f %19.1f%% %19.1f%%\n", s.Threshold, 100*s.Out, 100*s.Lost)
	}
}
