// Package emerging finds persons, places and things that no base knows yet: names without an entry, put together by what is said around them and by whom they are named with.
//
// Terms: an *occurrence* is a name in one text, however often it stands there; a *cluster* is the occurrences that are taken to mean the same thing; its *keyphrases* are the words and names that go
// with it and not with all others.
//
//	weigh     each word around an occurrence, and each name in the same text, by how few texts have it: w = log(1 + N/df); names count double
//	group     occurrences by their name; all of a group begin as clusters of one
//	join      the two clusters of a group that are most alike (cosine of their sums), as long as that is above a threshold: low for a name of several words, which few share, higher
//	          for one word
//	attach    before names of one word are joined: each occurrence goes to the most alike cluster whose name ends with that word and is of its type ("Merkel" to "Angela Merkel"), if it is alike
//	          enough; if there is one only, little is enough
//
// Worked example: "Ada Fox" in two texts with "laboratory" and "Turing", and "Ada Fox" in a third with "goal" and "league": the first two have a cosine near 1, the third has 0 with both:
// two clusters of one name.
//
// Cost: the square of the occurrences of a name; of a name with more than Most of them, the first Most are joined and the others go to the cluster that they are most alike. Nothing depends on the order of occurrences
// or of maps: ties go to the earlier text, then to the smaller document.
package emerging

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"time"

	"varve/entity"
)

// Occurrence is a name in one text.
type Occurrence struct {
	Document string    // by which texts are told apart
	URL      string    // where it can be read
	Time     time.Time // of the text
	Name     string    // as it is written; the longest form that the text has
	Type     string    // of the mentions: PER, LOC, ...
	Count    int       // mentions
	Words    []string  // around it, in lower case
	With     []string  // other names in the text
	Types    []string  // kinds of things that it seems to be
	Excerpt  string    // of the text, around the name
}

// Counted is something and how often it is met.
type Counted struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// Cluster is a thing that no base knows.
type Cluster struct {
	ID          string       `json:"id"`   // of the name and the first text that has it
	Name        string       `json:"name"` // as it is written most
	Names       []Counted    `json:"names"`
	Type        string       `json:"type"`
	Types       []Counted    `json:"types,omitempty"`
	First       time.Time    `json:"first"` // text that names it
	Last        time.Time    `json:"last"`
	Mentions    int          `json:"mentions"`
	Documents   int          `json:"documents"`
	Phrases     []string     `json:"phrases,omitempty"` // the best first
	With        []string     `json:"with,omitempty"`    // names in the same texts, the best first
	Occurrences []Occurrence `json:"-"`                 // the first text first
}

// Options say when clusters are joined.
type Options struct {
	OneWord   float64 // least likeness under a name of one word
	FullName  float64 // under a name of several
	Attach    float64 // of an occurrence of one word to a cluster under a longer name
	AttachOne float64 // the same, if there is one only
	Most      int     // occurrences of a name that are compared with each other
	Keyphrase int     // of a cluster
}

// Default returns the options that were chosen on films of odd number (docs/entities.md).
func Default() Options {
	return Options{OneWord: 0.06, FullName: 0.005, Attach: 0.02, AttachOne: 0.001, Most: 200, Keyphrase: 8}
}

// vector is a sparse vector with a norm of 1, ordered by number.
type vector []component

type component struct {
	at    int
	value float64
}

func dot(a, b vector) (sum float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].at < b[j].at:
			i++
		case a[i].at > b[j].at:
			j++
		default:
			sum += a[i].value * b[j].value
			i, j = i+1, j+1
		}
	}
	return sum
}

// group is a cluster on its way.
type group struct {
	members []int // occurrences, in order
	kind    string
	sum     vector // of those of its members
	norm    float64
}

func newGroup(i int, kind string, v vector) *group {
	return &group{[]int{i}, kind, v, math.Sqrt(dot(v, v))}
}

// like returns how alike two clusters are: the cosine of their sums.
func (g *group) like(o *group) float64 {
	if g.norm == 0 || o.norm == 0 {
		return 0
	}
	return dot(g.sum, o.sum) / (g.norm * o.norm)
}

func (g *group) join(o *group) {
	g.members = append(g.members, o.members...)
	slices.Sort(g.members)
	var sum vector
	for i, j := 0, 0; i < len(g.sum) || j < len(o.sum); {
		switch {
		case j == len(o.sum) || i < len(g.sum) && g.sum[i].at < o.sum[j].at:
			sum = append(sum, g.sum[i])
			i++
		case i == len(g.sum) || o.sum[j].at < g.sum[i].at:
			sum = append(sum, o.sum[j])
			j++
		default:
			sum = append(sum, component{g.sum[i].at, g.sum[i].value + o.sum[j].value})
			i, j = i+1, j+1
		}
	}
	g.sum, g.norm = sum, math.Sqrt(dot(sum, sum))
}

// named is the clusters under one key.
type named struct {
	key    string
	groups []*group
}

// Clusters puts occurrences together, those with most texts first.
func Clusters(ctx context.Context, occurrences []Occurrence, o Options) ([]Cluster, error) {
	list := slices.Clone(occurrences)
	slices.SortStableFunc(list, func(a, b Occurrence) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Document, b.Document), strings.Compare(a.Name, b.Name))
	})
	vectors, terms := weigh(list)
	keys := map[string]*named{}
	var order []*named
	for i, x := range list {
		key := entity.Key(x.Name)
		n := keys[key]
		if n == nil {
			n = &named{key: key}
			keys[key], order = n, append(order, n)
		}
		n.groups = append(n.groups, newGroup(i, x.Type, vectors[i]))
	}
	full := func(n *named) bool { return strings.Contains(n.key, " ") }
	for _, n := range order {
		if full(n) {
			if err := n.cluster(ctx, o.FullName, max(o.Most, 2)); err != nil {
				return nil, err
			}
		}
	}
	attach(order, o)
	for _, n := range order {
		if !full(n) {
			if err := n.cluster(ctx, o.OneWord, max(o.Most, 2)); err != nil {
				return nil, err
			}
		}
	}
	var out []Cluster
	for _, n := range order {
		for _, g := range n.groups {
			out = append(out, describe(list, g, terms, o.Keyphrase))
		}
	}
	slices.SortFunc(out, func(a, b Cluster) int {
		return cmp.Or(b.Documents-a.Documents, b.Mentions-a.Mentions, strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

// term is a word, or a name that stands in the same text.
type term struct {
	text string
	name bool
}

// weigh makes the vectors of occurrences.
func weigh(list []Occurrence) ([]vector, []term) {
	number := map[term]int{}
	var terms []term
	var has []map[string]bool // documents of each term
	documents := map[string]bool{}
	of := func(t term) int {
		n, ok := number[t]
		if !ok {
			n = len(terms)
			number[t], terms, has = n, append(terms, t), append(has, map[string]bool{})
		}
		return n
	}
	found := make([][]int, len(list))
	for i, x := range list {
		documents[x.Document] = true
		for _, w := range x.Words {
			found[i] = append(found[i], of(term{w, false}))
		}
		own := entity.Key(x.Name)
		for _, w := range x.With {
			if w != own {
				found[i] = append(found[i], of(term{w, true}))
			}
		}
		for _, n := range found[i] {
			has[n][x.Document] = true
		}
	}
	vectors := make([]vector, len(list))
	for i := range list {
		slices.Sort(found[i])
		var v vector
		square := 0.0
		for _, n := range slices.Compact(found[i]) {
			w := math.Log(1 + float64(len(documents))/float64(len(has[n])))
			if terms[n].name {
				w *= 2
			}
			v = append(v, component{n, w})
			square += w * w
		}
		for k := range v {
			v[k].value /= math.Sqrt(square)
		}
		vectors[i] = v
	}
	return vectors, terms
}

// cluster joins the clusters of a name from below.
func (n *named) cluster(ctx context.Context, least float64, most int) error {
	rest := n.groups[min(len(n.groups), most):]
	groups := slices.Clone(n.groups[:len(n.groups)-len(rest)])
	like := make([][]float64, len(groups)) // of each to those before it
	for i := range groups {
		like[i] = make([]float64, i)
		for j := range i {
			like[i][j] = groups[i].like(groups[j])
		}
	}
	alive := make([]bool, len(groups))
	for i := range alive {
		alive[i] = true
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, b, best := -1, -1, least
		for i := range groups {
			for j := range i {
				if alive[i] && alive[j] && like[i][j] > best {
					a, b, best = i, j, like[i][j]
				}
			}
		}
		if a < 0 {
			break
		}
		groups[b].join(groups[a])
		alive[a] = false
		for k := range groups {
			if k != b && alive[k] {
				like[max(k, b)][min(k, b)] = groups[k].like(groups[b])
			}
		}
	}
	n.groups = n.groups[:0]
	for i, g := range groups {
		if alive[i] {
			n.groups = append(n.groups, g)
		}
	}
	for _, g := range rest {
		if to, like := nearest(n.groups, g); like > least {
			to.join(g)
		} else {
			n.groups = append(n.groups, g)
		}
	}
	return nil
}

func nearest(groups []*group, g *group) (best *group, like float64) {
	like = -1
	for _, o := range groups {
		if l := o.like(g); l > like {
			best, like = o, l
		}
	}
	return best, like
}

// attach gives occurrences of one word to clusters under a longer name that ends with it. Clusters are compared as they are before any is attached, so that order does not count.
func attach(order []*named, o Options) {
	ends := map[string][]*group{}
	for _, n := range order {
		if i := strings.LastIndexByte(n.key, ' '); i > 0 {
			ends[n.key[i+1:]] = append(ends[n.key[i+1:]], n.groups...)
		}
	}
	for _, n := range order {
		if strings.Contains(n.key, " ") {
			continue
		}
		var left []*group
		found := make([]*group, len(n.groups))
		for i, g := range n.groups {
			var same []*group
			for _, e := range ends[n.key] {
				if e.kind == g.kind {
					same = append(same, e)
				}
			}
			least := o.Attach
			if len(same) == 1 {
				least = o.AttachOne
			}
			if to, like := nearest(same, g); to != nil && like > least {
				found[i] = to
			}
		}
		for i, g := range n.groups {
			if found[i] != nil {
				found[i].join(g)
			} else {
				left = append(left, g)
			}
		}
		n.groups = left
	}
}

// describe says what a cluster is.
func describe(list []Occurrence, g *group, terms []term, most int) Cluster {
	c := Cluster{}
	names, kinds, types, documents := map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}
	for _, i := range g.members {
		x := list[i]
		names[x.Name] += max(1, x.Count)
		kinds[x.Type] += max(1, x.Count)
		for _, t := range x.Types {
			types[t]++
		}
		documents[x.Document] = true
		c.Mentions += max(1, x.Count)
		c.Occurrences = append(c.Occurrences, x)
	}
	c.Documents = len(documents)
	c.First, c.Last = c.Occurrences[0].Time, c.Occurrences[len(c.Occurrences)-1].Time
	c.Names, c.Types = counted(names), counted(types)
	c.Type = counted(kinds)[0].Text
	c.Name = c.Names[0].Text
	for _, n := range c.Names { // a full name says more than the one that is written most
		if strings.Contains(n.Text, " ") {
			c.Name = n.Text
			break
		}
	}
	c.ID = ID(c.Name, c.Occurrences[0].Document)
	order := slices.Clone(g.sum)
	slices.SortFunc(order, func(a, b component) int {
		return cmp.Or(cmp.Compare(b.value, a.value), strings.Compare(terms[a.at].text, terms[b.at].text))
	})
	for _, x := range order {
		switch t := terms[x.at]; {
		case t.name && len(c.With) < most:
			c.With = append(c.With, t.text)
		case !t.name && len(c.Phrases) < most:
			c.Phrases = append(c.Phrases, t.text)
		}
	}
	return c
}

// ID returns the id of a thing by its name and the first text that has it: a text has a name once, so two things of one name never have the same.
func ID(name, document string) string {
	sum := sha256.Sum256([]byte(entity.Key(name) + "\x00" + document))
	return "new:" + hex.EncodeToString(sum[:6])
}

func counted(m map[string]int) []Counted {
	out := make([]Counted, 0, len(m))
	for t, n := range m {
		out = append(out, Counted{t, n})
	}
	slices.SortFunc(out, func(a, b Counted) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Text, b.Text)) })
	return out
}

// Join returns two clusters as one, with the id of the one that was named first in time.
func Join(a, b Cluster) Cluster {
	if b.First.Before(a.First) {
		a.ID = b.ID
	}
	sum := func(x, y []Counted) []Counted {
		m := map[string]int{}
		for _, c := range slices.Concat(x, y) {
			m[c.Text] += c.Count
		}
		return counted(m)
	}
	documents := map[string]bool{}
	list := slices.Concat(a.Occurrences, b.Occurrences)
	slices.SortStableFunc(list, func(x, y Occurrence) int {
		return cmp.Or(x.Time.Compare(y.Time), strings.Compare(x.Document, y.Document), strings.Compare(x.Name, y.Name))
	})
	for _, o := range list {
		documents[o.Document] = true
	}
	a.Names, a.Types = sum(a.Names, b.Names), sum(a.Types, b.Types)
	a.Mentions, a.Documents, a.Occurrences = a.Mentions+b.Mentions, len(documents), list
	a.First, a.Last = list[0].Time, list[len(list)-1].Time
	a.Phrases, a.With = alternate(a.Phrases, b.Phrases), alternate(a.With, b.With)
	return a
}

// alternate returns the best of two lists in turn, each once, as many as the longer one has.
func alternate(a, b []string) (out []string) {
	most := max(len(a), len(b))
	for i := range most {
		for _, l := range [][]string{a, b} {
			if i < len(l) && !slices.Contains(out, l[i]) && len(out) < most {
				out = append(out, l[i])
			}
		}
	}
	return out
}
