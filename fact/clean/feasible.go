package clean

// system is the facts of a component with the constraints between them. Points are numbered: 2f is the begin of fact f, 2f+1 its end.
type system struct {
	facts int
	joins []join
	at    map[[2]int32][]int32 // joins by their facts, the smaller first
	steps int                  // of all questions so far
}

// join is a constraint as alternatives of comparisons.
type join struct {
	f, g int32
	any  [][]less
}

func newSystem(facts int, constraints []Constraint) *system {
	s := &system{facts: facts, at: map[[2]int32][]int32{}}
	for _, c := range constraints {
		point := [...]int32{2 * c.F, 2*c.F + 1, 2 * c.G, 2*c.G + 1}
		j := join{f: c.F, g: c.G}
		for _, say := range c.Allow.alternatives() {
			var list []less
			for _, l := range say {
				list = append(list, less{point[l.a], point[l.b], l.gap})
			}
			j.any = append(j.any, list)
		}
		key := [2]int32{min(c.F, c.G), max(c.F, c.G)}
		s.at[key] = append(s.at[key], int32(len(s.joins)))
		s.joins = append(s.joins, j)
	}
	return s
}

// between returns the constraints of two facts.
func (s *system) between(f, g int32) []int32 { return s.at[[2]int32{min(f, g), max(f, g)}] }

// maxSettle is how many steps one question may take.
const maxSettle = 20_000

// pair reports whether two observations can hold together. It is only asked of those of one fact, or of two with a constraint.
func (s *system) pair(a, b Observation) bool {
	if a.Fact == b.Fact {
		begin, end := a.Begin.Both(b.Begin), a.End.Both(b.End)
		return !begin.Empty() && !end.Empty() && begin.Lo < end.Hi
	}
	ok, known := s.feasible([]Observation{a, b}, []int32{0, 1})
	return ok || !known
}

// feasible reports whether observations can hold together, with all constraints between their facts; known is false where that was not found out in maxSettle steps.
//
// With one alternative chosen for each constraint, all is comparisons of points, x + gap <= y. Bounds are brought in line with them until nothing changes; then, unless a range is empty, all points at their earliest are a
// solution. Constraints with several alternatives left are tried one after the other.
func (s *system) feasible(box []Observation, list []int32) (ok, known bool) {
	points := make([]Range, 2*s.facts)
	active := make([]bool, s.facts)
	for i := range points {
		points[i] = Any()
	}
	var fixed []less
	for _, i := range list {
		r := box[i]
		if !active[r.Fact] {
			active[r.Fact] = true
			fixed = append(fixed, less{2 * r.Fact, 2*r.Fact + 1, 1})
		}
		points[2*r.Fact], points[2*r.Fact+1] = points[2*r.Fact].Both(r.Begin), points[2*r.Fact+1].Both(r.End)
	}
	var open []int32
	if len(list) == 2 { // most questions are of pairs
		open = append(open, s.between(box[list[0]].Fact, box[list[1]].Fact)...)
	} else {
		for i, j := range s.joins {
			if active[j.f] && active[j.g] {
				open = append(open, int32(i))
			}
		}
	}
	left := maxSettle
	ok = s.settle(points, fixed, open, &left)
	s.steps += (maxSettle - left) / 16 // a step here is much less than one of the search
	return ok, left > 0
}

// settle decides constraints one after the other.
func (s *system) settle(points []Range, fixed []less, open []int32, left *int) bool {
	for {
		if *left--; *left <= 0 || !narrow(points, fixed) {
			return false
		}
		rest := make([]int32, 0, len(open))
		decided := false
		for _, i := range open {
			var could []less
			n := 0
			sure := false
			for _, say := range s.joins[i].any {
				possible, certain := judge(points, say)
				sure = sure || certain
				if possible {
					n++
					could = say
				}
			}
			switch {
			case sure:
			case n == 0:
				return false
			case n == 1:
				fixed = append(fixed[:len(fixed):len(fixed)], could...)
				decided = true
			default:
				rest = append(rest, i)
			}
		}
		open = rest
		if !decided {
			break
		}
	}
	if len(open) == 0 {
		return true
	}
	for _, say := range s.joins[open[0]].any {
		if possible, _ := judge(points, say); !possible {
			continue
		}
		again := append([]Range(nil), points...)
		if s.settle(again, append(fixed[:len(fixed):len(fixed)], say...), open[1:], left) {
			return true
		}
	}
	return false
}

// judge says whether comparisons can hold within bounds, and whether they do whatever the points are.
func judge(points []Range, say []less) (possible, certain bool) {
	certain = true
	for _, l := range say {
		if points[l.a].Lo+l.gap > points[l.b].Hi {
			return false, false
		}
		certain = certain && points[l.a].Hi+l.gap <= points[l.b].Lo
	}
	return true, certain
}

// narrow brings bounds in line with comparisons; false if there is no solution. A chain of comparisons is no longer than there are points, so what still changes after as many rounds goes in a circle.
func narrow(points []Range, fixed []less) bool {
	for range len(points) + 2 {
		changed := false
		for _, l := range fixed {
			if x := points[l.a].Lo + l.gap; x > points[l.b].Lo {
				points[l.b].Lo = x
				changed = true
			}
			if x := points[l.b].Hi - l.gap; x < points[l.a].Hi {
				points[l.a].Hi = x
				changed = true
			}
			if points[l.a].Empty() || points[l.b].Empty() {
				return false
			}
		}
		if !changed {
			return true
		}
	}
	return false
}
