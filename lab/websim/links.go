package websim

import (
	"slices"
	"strings"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// Role says where on a page a link stands.
type Role uint8

// The roles of links.
const (
	Nav   Role = iota // in the navigation, on all pages of a site
	Tree              // from a page to its children and its parent
	Cross             // to another page, of this site or another
	Embed             // of a style sheet, a script or a picture
	File              // to an asset that is no part of the page
	Trick             // into a trap, a fault or a redirect
)

// Link is a link of a page.
type Link struct {
	URL  string // as a browser would resolve it
	To   PageID // NoPage when it leads to no page
	Role Role
}

// ref is a link as it is written in a page.
type ref struct {
	href string
	to   int // number in the site, or -1
	role Role
	name uint64 // names the anchor text
}

// Links lists the outgoing links of a page at an instant, in order of appearance. Pages that are
// not there have none.
func (w *Web) Links(id PageID, at time.Time) []Link {
	s, i := w.find(id)
	v := s.history(i).At(w.ms(at))
	if v.State != truth.Live {
		return nil
	}
	var out []Link
	for _, r := range s.refs(i, v, w.ms(at)) {
		l := Link{URL: r.href, To: NoPage, Role: r.role}
		if strings.HasPrefix(r.href, "/") {
			l.URL = s.url(r.href)
			if r.to >= 0 {
				l.To = s.first + PageID(r.to)
			}
		} else if o, target, ok := w.split(r.href); ok {
			if id, ok := w.Lookup(o.host, target); ok {
				l.To = id
			}
		}
		out = append(out, l)
	}
	return out
}

// split takes a URL of this web apart.
func (w *Web) split(url string) (s *site, target string, ok bool) {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return nil, "", false
	}
	host, path, _ := strings.Cut(rest, "/")
	s = w.hosts[host]
	return s, "/" + path, s != nil
}

// linkSet is the sorted set of link targets.
func (w *Web) linkSet(id PageID, at time.Time) []string {
	var out []string
	for _, l := range w.Links(id, at) {
		out = append(out, l.URL)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// refs lists the links of page i in the order in which the page shows them.
func (s *site) refs(i int, v truth.Version, at int64) []ref {
	switch s.types[i] {
	case HTML:
		if f := s.fixed(i); f != nil && f.data != nil {
			return nil // a body that someone else wrote
		}
		var out []ref
		out = s.embeds(out, i)
		out = s.navigation(out, i)
		out = s.listing(out, i, at)
		out = s.cross(out, i, v)
		out = s.files(out, i)
		return s.tricks(out, i)
	case CSS:
		if p := s.common(PNG); p >= 0 {
			return []ref{s.ref(p, Embed, 0)}
		}
	case PDF, JSON, XML:
		if s.html > 0 {
			return []ref{{s.url(s.paths[s.parent(i)]), s.parent(i), File, 0}}
		}
	}
	return nil
}

func (s *site) ref(to int, role Role, name uint64) ref {
	return ref{s.paths[to], to, role, dice.Mix(s.key, uint64(to), forTitle, name)}
}

// common is the first asset of a type, or -1: all pages share it.
func (s *site) common(t Type) int {
	if k := slices.Index(s.types[s.html:s.html+s.assets], t); k >= 0 {
		return s.html + k
	}
	return -1
}

// embeds lists style sheet, script and pictures: the common ones and the page's own.
func (s *site) embeds(out []ref, i int) []ref {
	for _, t := range []Type{CSS, JS} {
		if a := s.common(t); a >= 0 {
			out = append(out, s.ref(a, Embed, 0))
		}
	}
	return s.own(out, i, Embed)
}

func (s *site) files(out []ref, i int) []ref { return s.own(out, i, File) }

// own lists the page's own assets of a role.
func (s *site) own(out []ref, i int, role Role) []ref {
	if s.html == 0 || i >= s.html {
		return out
	}
	for a := i; a < s.assets; a += s.html {
		t := s.types[s.html+a]
		part := t == CSS || t == JS || t == PNG || t == JPEG || t == SVG
		if part == (role == Embed) {
			out = append(out, s.ref(s.html+a, role, 0))
		}
	}
	return out
}

const navItems = 8

// navigation lists the home page and its first children that stay where they are.
func (s *site) navigation(out []ref, i int) []ref {
	if s.html == 0 {
		return out
	}
	out = append(out, s.ref(0, Nav, 0))
	from, to := s.children(0)
	for c := from; c < min(to, from+navItems); c++ {
		if s.life(c) == nil {
			out = append(out, s.ref(c, Nav, 0))
		}
	}
	if i > 0 && i < s.html {
		out = append(out, s.ref(s.parent(i), Tree, 0))
	}
	return out
}

// listing lists the children that are there, at the paths they have now.
func (s *site) listing(out []ref, i int, at int64) []ref {
	if i >= s.html {
		return out
	}
	from, to := s.children(i)
	for c := from; c < to; c++ {
		r := s.ref(c, Tree, 0)
		if rule := s.life(c); rule != nil {
			v := s.history(c).At(at)
			if v.State == truth.Unborn || v.State == truth.Gone && !s.dead(rule, c) {
				continue
			}
			r.href = moved(r.href, v.Moves)
		}
		out = append(out, r)
	}
	return out
}

// cross lists links across the tree. Slot k was last set by the change of links last(k), so a
// change touches about every second slot and at least one.
func (s *site) cross(out []ref, i int, v truth.Version) []ref {
	if i >= s.html {
		return out
	}
	for k := range s.spec.Links {
		name := dice.Mix(s.key, uint64(i), forLink, uint64(k), uint64(s.lastLink(i, k, v.Links)))
		if r, ok := s.target(i, name); ok {
			out = append(out, r)
		}
	}
	return out
}

// lastLink is the last of n changes of links that touched slot k.
func (s *site) lastLink(i, k int, n uint32) uint32 {
	for e := n; e > 0 && n-e < 64; e-- {
		h := dice.Mix(s.key, uint64(i), forTouch, forLink, uint64(e))
		if h>>(k&31)&1 == 1 || dice.Below(h, s.spec.Links) == k {
			return e
		}
	}
	return 0
}

// target chooses where a cross link leads: mostly to pages near the home page, as on real sites.
// Links lead to old paths, as they do; pages that are not there from the start are not linked.
func (s *site) target(i int, name uint64) (ref, bool) {
	o := s
	if n := len(s.web.sites); n > 1 && dice.Unit(dice.Mix(name, 1)) < s.spec.External {
		o = s.web.sites[dice.Below(dice.Mix(name, 2), n)]
	}
	if o.html == 0 {
		return ref{}, false
	}
	u := dice.Unit(dice.Mix(name, 3))
	to := int(u * u * float64(o.html))
	if o == s && s.spec.Topics > 0 && dice.Unit(dice.Mix(name, 4)) < s.spec.Affinity {
		to = s.sameTopic(i, to)
	}
	for to > 0 && o.life(to) != nil && o.history(to).At(0).State != truth.Live {
		to = o.parent(to)
	}
	r := o.ref(to, Cross, name)
	if o != s {
		r.href, r.to = o.url(r.href), -1
	}
	return r, true
}

// sameTopic moves on from a page to the next of the topic of page i.
func (s *site) sameTopic(i, to int) int {
	for k := range min(s.html, 4*s.spec.Fanout) {
		if t := (to + k) % s.html; s.topic(t) == s.topic(i) {
			return t
		}
	}
	return to
}

// tricks lists, on the home page, where fixed pages, traps, faults and redirects are.
func (s *site) tricks(out []ref, i int) []ref {
	if i != 0 {
		return out
	}
	add := func(path string, link *bool) {
		if link == nil || *link {
			to := -1
			if k, ok := s.index[path]; ok {
				to = int(k)
			}
			out = append(out, ref{path, to, Trick, dice.Mix(s.key, dice.String(path), forTitle)})
		}
	}
	for _, p := range s.spec.Page {
		add(p.Path, p.Link)
	}
	for _, t := range s.spec.Trap {
		add(t.At, nil)
	}
	for _, f := range s.spec.Fault {
		if f.At != "" {
			add(f.At, f.Link)
		}
	}
	for _, r := range s.spec.Redirect {
		add(r.From, nil)
	}
	if s.spec.Feed.Path != "" {
		add(s.spec.Feed.Path, nil)
	}
	return out
}
