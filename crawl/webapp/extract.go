package webapp

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/text/dating"
	"varve/web/canon"
	"varve/web/markup/tree"
)

// Object is a web object: what one person wrote at one time, cut out of a page. Empty fields are unknown.
type Object struct {
	Type   string // post, comment, article, ...
	ID     string // by the application's own account, unique among objects of the type on the site
	Reply  string // ID of the object that it answers
	Title  string
	Author string
	When   string    // as the page writes it
	Time   time.Time // that, read; without a time of day it is noon
	Text   string
	Link   string // address of its own
	Tags   []string
}

// Limits of one page.
const (
	maxObjects = 2000
	maxText    = 1 << 20 // bytes of an object's text
	maxField   = 1000    // of the others
	maxTags    = 50
)

// Extract returns the objects of a page that was recognised, and how many were left out because a page has more than it may. Where the
// application's own extractions find nothing on a page that should have objects, it is in a template that is not known: those of the
// other applications of its kind are tried, and what reads most counts.
func (s *Sight) Extract(u canon.URL, root *tree.Node) (list []Object, left int) {
	best := map[string]*found{}
	var types []string
	expected := false
	for _, x := range s.App.objects {
		if !x.on(s.LevelName()) {
			continue
		}
		expected = true
		f := x.extract(u, root)
		if old := best[x.Type]; old == nil {
			types, best[x.Type] = append(types, x.Type), f
		} else if filled(f.list) > filled(old.list) {
			best[x.Type] = f
		}
	}
	for _, t := range types {
		f := best[t]
		room := min(len(f.list), maxObjects-len(list))
		list, left = append(list, f.list[:room]...), left+f.left+len(f.list)-room
	}
	if len(list) == 0 && expected {
		if f := s.borrow(u, root); f != nil {
			return f.list, f.left
		}
	}
	return list, left
}

// Expected returns the types of objects that pages such as this one have, by what is known of the application.
func (s *Sight) Expected() (types []string) {
	for _, x := range s.App.objects {
		if x.on(s.LevelName()) && !slices.Contains(types, x.Type) {
			types = append(types, x.Type)
		}
	}
	return types
}

// found is what an extraction found on a page.
type found struct {
	list []Object
	left int
}

// minBorrowed is how many fields an object must have, on average, for an extraction of another application to be believed.
const minBorrowed = 2.5

// borrow reads a page by what is known of other applications of the same kind; nil if nothing fits well enough.
func (s *Sight) borrow(u canon.URL, root *tree.Node) (best *found) {
	for _, a := range s.kin {
		for _, x := range a.objects {
			f := x.extract(u, root)
			if n := filled(f.list); float64(n) >= minBorrowed*float64(max(1, len(f.list))) && (best == nil || n > filled(best.list)) {
				best = f
			}
		}
	}
	return best
}

// filled counts the fields of objects that have a value: of two ways to read a page the one that finds more is the right one.
func filled(list []Object) (n int) {
	for i := range list {
		o := &list[i]
		for _, s := range []string{o.ID, o.Title, o.Author, o.When, o.Text} {
			if s != "" {
				n++
			}
		}
	}
	return n
}

// on reports whether objects stand on pages of a level.
func (x *Extraction) on(level string) bool {
	if x.Levels == nil {
		return true
	}
	for _, l := range x.Levels {
		if l == level {
			return true
		}
	}
	return false
}

// extract returns the objects of one kind. An object may stand inside of another (a reply below what it answers): each is looked at
// without those inside of it, so that all of them together cost one look at the page for each field.
func (x *Extraction) extract(u canon.URL, root *tree.Node) *found {
	var list []Object
	left := 0
	nodes := x.Each.all(root, nil, maxObjects+1)
	switch {
	case x.Page: // of the whole page there is one, or looking through it for each would cost the square of it
		nodes = nodes[:min(len(nodes), 1)]
	case len(nodes) > maxObjects:
		nodes, left = nodes[:maxObjects], 1
	}
	at := map[*tree.Node]int{}
	for i, n := range nodes {
		at[n] = i
	}
	own := func(n *tree.Node) bool { _, other := at[n]; return other }
	drop := x.dropped(root)
	for _, n := range nodes {
		o := x.object(u, root, n, own, func(n *tree.Node) bool { return own(n) || drop[n] })
		if o.Reply == "" {
			for p := n.Parent; p != nil; p = p.Parent {
				if i, ok := at[p]; ok && i < len(list) {
					o.Reply = list[i].ID
					break
				}
			}
		}
		list = append(list, o)
	}
	return &found{saying(list), left}
}

// saying keeps the objects that say something: an element that looks like one and has neither text nor title is a template, or a form.
func saying(list []Object) []Object {
	out := list[:0]
	for _, o := range list {
		if o.Text != "" || o.Title != "" {
			out = append(out, o)
		}
	}
	return out
}

// dropped are the elements that are no part of texts.
func (x *Extraction) dropped(root *tree.Node) map[*tree.Node]bool {
	if x.Drop == nil {
		return nil
	}
	set := map[*tree.Node]bool{}
	for _, n := range x.Drop.all(root, nil, tree.MaxNodes) {
		set[n] = true
	}
	return set
}

// object reads the fields of one object.
func (x *Extraction) object(u canon.URL, root, n *tree.Node, skip, drop func(*tree.Node) bool) (o Object) {
	o.Type = x.Type
	first := func(list []Expression, most int) string {
		for i := range list {
			s, _ := list[i].value(n, skip, drop)
			if s == "" && x.Page {
				s, _ = list[i].value(root, skip, drop)
			}
			if s != "" {
				return clip(s, most)
			}
		}
		return ""
	}
	line := func(list []Expression) string { return strings.Join(strings.Fields(first(list, maxField)), " ") }
	o.ID, o.Reply, o.Title, o.Author, o.When = line(x.ID), line(x.Reply), line(x.Title), line(x.Author), line(x.Time)
	o.Time, _ = dating.ParseStamp(o.When)
	o.Text = first(x.Text, maxText)
	if ref := line(x.Link); ref != "" {
		if to, err := u.Resolve(ref); err == nil && to.IsHTTP() {
			o.Link = to.String()
		}
	}
	o.Tags = x.tags(root, n, skip, drop)
	return o
}

// tags returns the values of all elements that the expressions for tags tell of.
func (x *Extraction) tags(root, n *tree.Node, skip, drop func(*tree.Node) bool) (list []string) {
	for _, e := range x.Tags {
		nodes := e.Select.all(n, skip, maxTags)
		if x.Page {
			nodes = append(nodes, e.Select.all(root, skip, maxTags)...)
		}
		one := Expression{Attr: e.Attr, Like: e.Like}
		for _, at := range nodes {
			if s, _ := one.value(at, nil, drop); s != "" && len(list) < maxTags {
				list = append(list, clip(s, maxField))
			}
		}
	}
	return list
}

// clip cuts text to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// Key identifies an object on its site: by its ID where it has one, else by who wrote it when.
func (o *Object) Key() string {
	if o.ID != "" {
		return o.Type + " " + o.ID
	}
	return fmt.Sprintf("%s %q %q", o.Type, o.Author, o.When)
}
