package kind

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Type is a type of things.
type Type struct {
	Name    string   // city.n.01, /location/city
	Label   string   // what people call it
	Parents []string // what it is a kind of; none of a root
	Gloss   string   // what it means
}

// Taxonomy is a set of types without circles: each is a kind of its parents. It does not change and is safe for concurrent use.
type Taxonomy struct {
	Name     string
	Types    []Type // parents before children
	Roots    []int
	index    map[string]int
	parents  [][]int
	children [][]int
	above    [][]int // all ancestors and the type itself, ordered
	depth    []int   // 0 of a root, else one more than the deepest parent
}

// NewTaxonomy orders types by depth and name. Every type must have a root above it.
func NewTaxonomy(name string, types []Type, roots []string) (*Taxonomy, error) {
	t := &Taxonomy{Name: name, index: map[string]int{}}
	byName := map[string]Type{}
	for _, one := range types {
		if _, twice := byName[one.Name]; twice {
			return nil, fmt.Errorf("taxonomy %s: %s is there twice", name, one.Name)
		}
		byName[one.Name] = one
	}
	depth := map[string]int{}
	const under = -1 // its parents are being looked at
	var deep func(n string) (int, error)
	deep = func(n string) (int, error) {
		if d, ok := depth[n]; ok {
			if d == under {
				return 0, fmt.Errorf("taxonomy %s: %s is above itself", name, n)
			}
			return d, nil
		}
		one, ok := byName[n]
		if !ok {
			return 0, fmt.Errorf("taxonomy %s: there is no type %s", name, n)
		}
		depth[n] = under
		d := 0
		for _, p := range one.Parents {
			up, err := deep(p)
			if err != nil {
				return 0, err
			}
			d = max(d, up+1)
		}
		if d == 0 && !slices.Contains(roots, n) {
			return 0, fmt.Errorf("taxonomy %s: %s has no parent and is no root", name, n)
		}
		depth[n] = d
		return d, nil
	}
	for _, one := range types {
		if _, err := deep(one.Name); err != nil {
			return nil, err
		}
	}
	order := slices.Clone(types)
	slices.SortFunc(order, func(a, b Type) int {
		if depth[a.Name] == 0 && depth[b.Name] == 0 {
			return slices.Index(roots, a.Name) - slices.Index(roots, b.Name)
		}
		if d := depth[a.Name] - depth[b.Name]; d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	t.Types = order
	t.children = make([][]int, len(order))
	for i, one := range order {
		t.index[one.Name] = i
		t.depth = append(t.depth, depth[one.Name])
		var parents []int
		above := []int{i}
		for _, p := range one.Parents {
			k := t.index[p]
			parents = append(parents, k)
			t.children[k] = append(t.children[k], i)
			above = append(above, t.above[k]...)
		}
		if len(parents) == 0 {
			t.Roots = append(t.Roots, i)
		}
		slices.Sort(above)
		t.parents, t.above = append(t.parents, parents), append(t.above, slices.Compact(above))
	}
	if len(t.Roots) == 0 {
		return nil, fmt.Errorf("taxonomy %s has no types", name)
	}
	return t, nil
}

// Find returns the number of a type by its name.
func (t *Taxonomy) Find(name string) (int, bool) {
	i, ok := t.index[name]
	return i, ok
}

// Children returns what is directly below a type.
func (t *Taxonomy) Children(i int) []int { return t.children[i] }

// Parents returns what is directly above a type.
func (t *Taxonomy) Parents(i int) []int { return t.parents[i] }

// Above returns a type and all that is above it, in order.
func (t *Taxonomy) Above(i int) []int { return t.above[i] }

// Depth returns how many steps a type is below its root, by the longest way.
func (t *Taxonomy) Depth(i int) int { return t.depth[i] }

// Levels returns how many levels there are.
func (t *Taxonomy) Levels() int { return slices.Max(t.depth) + 1 }

// Closed returns types and all that is above them, in order.
func (t *Taxonomy) Closed(types []int) []int {
	var out []int
	for _, i := range types {
		out = append(out, t.above[i]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Write writes a taxonomy as text: name, label, parents with blanks between them, gloss, with tabs between them, a type on each line.
func (t *Taxonomy) Write(w io.Writer) error {
	for _, one := range t.Types {
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", one.Name, one.Label, strings.Join(one.Parents, " "), one.Gloss); err != nil {
			return err
		}
	}
	return nil
}

// maxTypes is how many types a taxonomy may have.
const maxTypes = 10_000

// ReadTaxonomy reads what Write writes; types without parents are roots, in the order of the file.
func ReadTaxonomy(name string, r io.Reader) (*Taxonomy, error) {
	var types []Type
	var roots []string
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		line := s.Text()
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 4 || c[0] == "" || len(types) == maxTypes {
			return nil, fmt.Errorf("taxonomy %s: line %d: want name, label, parents and gloss with tabs between them, and at most %d lines", name, n, maxTypes)
		}
		t := Type{Name: c[0], Label: c[1], Gloss: c[3]}
		if t.Parents = strings.Fields(c[2]); len(t.Parents) == 0 {
			t.Parents = nil
			roots = append(roots, t.Name)
		}
		types = append(types, t)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("taxonomy %s: %w", name, err)
	}
	return NewTaxonomy(name, types, roots)
}

// Reach returns how far the farthest of some types reaches by its scores: the least score on the best way down to it. A candidate for a name whose types reach less than a threshold is hardly meant by it; without types it is -Inf.
//
//	reach(types) = max over t of types: min over a of Above(t): score(a)
func (t *Taxonomy) Reach(scores []float32, types []int) float32 {
	reach := float32(math.Inf(-1))
	for _, i := range types {
		least := float32(math.Inf(1))
		for _, a := range t.Above(i) {
			least = min(least, scores[a])
		}
		reach = max(reach, least)
	}
	return reach
}
