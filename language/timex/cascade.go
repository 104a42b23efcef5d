package timex

import (
	"time"
)

// cascade takes a run of items through the stages of the grammar.
type cascade struct {
	grammar *Grammar
	text    string
	ref     time.Time
	unknown bool // the reference is not known

	in, out []item
	path    [maxElements]any
	found   []candidate
}

// candidate is a rule that matches.
type candidate struct {
	leaf   *leaf
	values [maxElements]any
}

// run returns what the stages make of the items. It is valid until the next call.
func (c *cascade) run(text string, items []item) []item {
	c.text = text
	c.in = append(c.in[:0], items...)
	for _, stage := range c.grammar.stages {
		c.out = c.out[:0]
		for at := 0; at < len(c.in); {
			if it, to, ok := c.longest(stage, at); ok {
				c.out = append(c.out, it)
				at = to
				continue
			}
			c.out = append(c.out, c.in[at])
			at++
		}
		c.in, c.out = c.out, c.in
	}
	return c.in
}

// longest returns the item that the longest match at a place makes, and where it ends; of equally long ones the first
// rule wins.
func (c *cascade) longest(stage *node, at int) (item, int, bool) {
	c.found = c.found[:0]
	for lead := 0; lead <= maxLead && lead <= at; lead++ {
		it := &c.in[at-lead]
		for i := range it.readings {
			r := &it.readings[i]
			for _, e := range stage.first[r.class] {
				if !e.glued || it.glued {
					c.path[0] = r.value
					c.walk(e.to, lead, at-lead+1, 1)
				}
			}
		}
	}
	for len(c.found) > 0 {
		best := 0
		for i := 1; i < len(c.found); i++ {
			a, b := c.found[i].leaf, c.found[best].leaf
			if n, m := a.size(), b.size(); n > m || n == m && a.order < b.order {
				best = i
			}
		}
		f := c.found[best]
		to := at + f.leaf.size()
		m := match{cascade: c, leaf: f.leaf, values: f.values[:len(f.leaf.roles)], from: at, to: to}
		if c.allowed(f.leaf, at, to) {
			if v, ok := f.leaf.act(&m); ok {
				it := item{from: c.in[at].from, to: c.in[to-1].to, glued: c.in[at].glued, relative: m.relative}
				for i := at; i < to; i++ {
					it.relative = it.relative || c.in[i].relative
				}
				for _, k := range f.leaf.results {
					it.readings = append(it.readings, reading{k, v})
				}
				return it, to, true
			}
		}
		c.found[best] = c.found[len(c.found)-1]
		c.found = c.found[:len(c.found)-1]
	}
	return item{}, 0, false
}

// size is the number of items that a rule takes.
func (l *leaf) size() int { return len(l.roles) - l.lead - l.trail }

// walk collects the rules below a node that match the items from i on and have so much context before them. Each node is visited once at most, since the
// readings of an item have different classes.
func (c *cascade) walk(n *node, lead, i, depth int) {
	for k := range n.leaves {
		if n.leaves[k].lead == lead {
			c.found = append(c.found, candidate{&n.leaves[k], c.path})
		}
	}
	if i == len(c.in) {
		return
	}
	it := &c.in[i]
	for k := range n.edges {
		e := &n.edges[k]
		if e.glued && !it.glued {
			continue
		}
		if v, ok := it.is(e.class); ok {
			c.path[depth] = v
			c.walk(e.to, lead, i+1, depth+1)
		}
	}
}

// allowed reports whether what stands around a match permits it.
func (c *cascade) allowed(l *leaf, from, to int) bool {
	if from > 0 {
		for _, k := range l.notBefore {
			if _, ok := c.in[from-1].is(k); ok {
				return false
			}
		}
	}
	if to < len(c.in) {
		for _, k := range l.notAfter {
			if _, ok := c.in[to].is(k); ok {
				return false
			}
		}
	}
	if _, ok := c.in[from].is(classNum); ok && from > 1 && c.in[from].glued && c.in[from-1].glued && c.joins(from-1, l.solid) {
		if _, ok := c.in[from-2].is(classNum); ok {
			return false // the second half of 37.1
		}
	}
	if _, ok := c.in[to-1].is(classNum); ok && to+1 < len(c.in) && c.in[to].glued && c.in[to+1].glued && c.joins(to, l.solid) {
		if _, ok := c.in[to+1].is(classNum); ok {
			return false
		}
	}
	return true
}

// joins reports whether an item is a sign inside numbers.
func (c *cascade) joins(i int, solid bool) bool {
	if c.in[i].to-c.in[i].from != 1 {
		return false
	}
	switch c.text[c.in[i].from] {
	case '.', ',', '/', ':':
		return true
	case '-':
		return solid
	}
	return false
}

// match is a rule and what it matched, for its action.
type match struct {
	*cascade
	leaf     *leaf
	values   []any
	from, to int
	relative bool
}

// action makes the value of a match; ok is false if it means nothing.
type action func(m *match) (value any, ok bool)

// get returns the value of a role; nil if it is missing.
func (m *match) get(role byte) any {
	for i := range m.values {
		if m.leaf.roles[i] == role {
			return m.values[i]
		}
	}
	return nil
}

// last returns the value of the last element with a role.
func (m *match) last(role byte) any {
	for i := len(m.values) - 1; i >= 0; i-- {
		if m.leaf.roles[i] == role {
			return m.values[i]
		}
	}
	return nil
}

func (m *match) has(role byte) bool { return m.get(role) != nil }

// word returns the word of a role; the zero word if it is missing.
func (m *match) word(role byte) word {
	w, _ := m.get(role).(word)
	return w
}

func (m *match) n(role byte) int { return m.word(role).n }

// now returns the reference, and marks the item as relative to it.
func (m *match) now() time.Time {
	m.relative = true
	return m.ref
}

// today returns the day of the reference.
func (m *match) today() time.Time { return dateOf(m.now()) }
