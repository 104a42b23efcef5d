package name

import (
	"cmp"
	"math"
	"slices"
)

// Automaton is that of Kleinberg (2003) for documents in batches, here years. In state i a document has the name with the probability
//
//	p(i) = Base * Scale^i    i = 0 .. States-1, at most 1/2
//
// and a year with r of d documents costs -ln(p^r (1-p)^(d-r)): the binomial coefficient is the same in all states. A step from state i up to j costs (j-i) * Up * ln n, of n years; a step down costs
// (i-j) * Down * ln n, which is 0 in Kleinberg's.
type Automaton struct {
	Base, Scale float64
	States      int
	Up, Down    float64
}

// Kleinberg returns the automaton of the paper for a name: its base is the share of all documents that have it.
func Kleinberg(relevant, total []int, scale, gamma float64, states int) Automaton {
	r, d := 0, 0
	for i := range relevant {
		r, d = r+relevant[i], d+total[i]
	}
	return Automaton{Base: float64(r) / float64(max(1, d)), Scale: scale, States: states, Up: gamma}
}

func (a Automaton) rate(state int) float64 {
	return min(0.5, max(1e-9, a.Base*math.Pow(a.Scale, float64(state))))
}

// cost is that of a year in a state.
func (a Automaton) cost(state, relevant, total int) float64 {
	p := a.rate(state)
	return -float64(relevant)*math.Log(p) - float64(total-relevant)*math.Log1p(-p)
}

func (a Automaton) step(from, to, years int) float64 {
	per := a.Up
	if to < from {
		per = a.Down
	}
	return per * math.Abs(float64(to-from)) * math.Log(float64(max(2, years)))
}

// Decode returns the states of the years that cost least together, and that cost, exactly, by dynamic programming. The year before the first is in state 0; of equal
// costs lower states are taken.
func (a Automaton) Decode(relevant, total []int) (states []int, cost float64) {
	n := len(relevant)
	if n == 0 {
		return nil, 0
	}
	best := make([]float64, a.States) // of the years so far, by the state of the last
	from := make([][]int, n)
	for t := range n {
		next := make([]float64, a.States)
		from[t] = make([]int, a.States)
		for j := range next {
			next[j] = math.Inf(1)
			for i := range a.States {
				if t == 0 && i > 0 {
					break
				}
				if c := best[i] + a.step(i, j, n); c < next[j] {
					next[j], from[t][j] = c, i
				}
			}
			next[j] += a.cost(j, relevant[t], total[t])
		}
		best = next
	}
	last := 0
	for j, c := range best {
		if c < best[last] {
			last = j
		}
	}
	cost = best[last]
	states = make([]int, n)
	for t := n - 1; t >= 0; t-- {
		states[t] = last
		last = from[t][last]
	}
	return states, cost
}

// Burst is years in which a name is in a higher state, by their numbers.
type Burst struct {
	From, To int // To is the last
	State    int // at least
	Weight   float64
}

// Bursts returns the bursts of a name, those of higher states inside of those of lower ones, and of each how much cheaper its years are than one state below.
func (a Automaton) Bursts(relevant, total []int) []Burst {
	states, _ := a.Decode(relevant, total)
	var out []Burst
	for level := 1; level < a.States; level++ {
		for t := 0; t < len(states); t++ {
			if states[t] < level {
				continue
			}
			b := Burst{From: t, State: level}
			for ; t < len(states) && states[t] >= level; t++ {
				b.To = t
				b.Weight += a.cost(level-1, relevant[t], total[t]) - a.cost(level, relevant[t], total[t])
			}
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b Burst) int { return cmp.Compare(a.From, b.From) })
	return out
}
