package event

import (
	"cmp"
	"container/list"
	"iter"
	"slices"
	"strings"
	"time"
)

// Telling is an event as one document tells it.
type Telling struct {
	Document         string    // which one
	Date             time.Time // of the document
	Class            Class
	Verb             string   // lemma
	Who, Whom        []string // names; other phrases say little beyond their sentence
	Place            string
	Earliest, Latest time.Time // of the event, Latest excluded; both zero if it is not said
}

// Grouped is an event that was told at least once, with what all tellings say of it.
type Grouped struct {
	Class            Class
	Verb             string // of the first telling
	Who, Whom        []string
	Place            string
	Earliest, Latest time.Time // what all that name a time leave open; zero if none does
	First, Last      time.Time // dates of the first and the last document
	Documents        []string  // in the order of the tellings, each once
	Tellings         int
	// Early says that it was closed for want of room (GroupOptions.Most): later tellings began another one.
	Early bool
}

// GroupOptions bound what Group remembers. Zero values mean the defaults.
type GroupOptions struct {
	Keep time.Duration // how long after its last telling an event waits for another; default 30 days
	Most int           // events that wait; default 100,000
}

// near is how far from the date of its document an event lies that names no time.
const near = 3 * 24 * time.Hour

// narrow is the longest span that still says when something was, not only in which year.
const narrow = 31 * 24 * time.Hour

// Bounds of one event, and of one search.
const (
	mostNames      = 32
	mostDocuments  = 10_000
	mostCandidates = 64
)

// Group puts tellings of the same event together. Tellings come in the order of the dates of their documents; an event is handed out when it has not been told for a while (Keep), the
// longest silent first, and all others at the end.
//
// Two tellings are of the same event if nothing speaks against it and enough for it:
//
//	against   another class; places that differ; times that do not meet; names in a role of which none is shared (of a meeting, where sides do not
//	          matter: fewer than two shared if both have two); no name shared at all
//	for       1 for each name in the same role, 1 for the same place, 1 for the same verb, 1 for a month or less in which both are
//
// 3 are enough, of speech 4: who speaks says much in a day. A telling is compared with what all earlier ones of an event say together: the union of names, and the time that all leave. If
// several events fit, the one with the most in favour has it, of equals the last told.
//
// An event that names no time is near the date of its document. Names are compared without case. Cost is linear in the tellings: of the events with a name, the mostCandidates told last are
// looked at.
func Group(tellings iter.Seq[Telling], o GroupOptions) iter.Seq[Grouped] {
	o.Keep, o.Most = cmp.Or(o.Keep, 30*24*time.Hour), cmp.Or(o.Most, 100_000)
	return func(yield func(Grouped) bool) {
		g := grouper{byName: map[nameKey][]*waiting{}}
		for t := range tellings {
			for first := g.order.Front(); first != nil; first = g.order.Front() {
				w := first.Value.(*waiting)
				silent := t.Date.Sub(w.Last) > o.Keep
				if !silent && g.order.Len() < o.Most {
					break
				}
				w.Early = !silent
				g.drop(w)
				if !yield(w.Grouped) {
					return
				}
			}
			g.add(t)
		}
		for first := g.order.Front(); first != nil; first = g.order.Front() {
			w := first.Value.(*waiting)
			g.drop(w)
			if !yield(w.Grouped) {
				return
			}
		}
	}
}

// waiting is an event that may be told again.
type waiting struct {
	Grouped
	who, whom map[string]bool // folded
	place     string
	from, to  time.Time // in which it is, said or near its documents
	said      bool      // a document names a time
	documents map[string]bool
	keys      []nameKey
	at        *list.Element
}

// nameKey is what events are looked up by.
type nameKey struct {
	class Class
	role  byte
	name  string
}

type grouper struct {
	order  list.List              // of *waiting, the longest silent first
	byName map[nameKey][]*waiting // the mostCandidates told last, in that order
}

// fold is a name as it is compared.
func fold(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// roleOf returns the role of a name for comparison: in a meeting both sides have the same.
func roleOf(c Class, role byte) byte {
	if c == Meet {
		return 0
	}
	return role
}

// span returns the time in which a telling puts its event.
func (t *Telling) span() (from, to time.Time, said bool) {
	if t.Earliest.IsZero() && t.Latest.IsZero() {
		return t.Date.Add(-near), t.Date.Add(near), false
	}
	if from, to = t.Earliest, t.Latest; to.IsZero() {
		to = time.Unix(1<<40, 0)
	}
	return from, to, true
}

// add puts a telling to the event that it fits best, or begins a new one.
func (g *grouper) add(t Telling) {
	var best *waiting
	most := 0
	tried := map[*waiting]bool{}
	try := func(role byte, names []string) {
		for _, n := range names {
			for _, w := range slices.Backward(g.byName[nameKey{t.Class, roleOf(t.Class, role), fold(n)}]) {
				if tried[w] {
					continue
				}
				tried[w] = true
				if f := w.fits(&t); f > most || f > 0 && f == most && w.Last.After(best.Last) {
					best, most = w, f
				}
			}
		}
	}
	t.Who, t.Whom = t.Who[:min(len(t.Who), mostNames)], t.Whom[:min(len(t.Whom), mostNames)]
	try('o', t.Who)
	try('m', t.Whom)
	if best == nil {
		from, to, said := t.span()
		best = &waiting{
			Grouped: Grouped{Class: t.Class, Verb: t.Verb, First: t.Date}, who: map[string]bool{}, whom: map[string]bool{}, documents: map[string]bool{},
			from: from, to: to, said: said,
		}
		best.at = g.order.PushBack(best)
	}
	g.merge(best, &t)
}

// merge adds what a telling says to an event.
func (g *grouper) merge(w *waiting, t *Telling) {
	names := func(role byte, list *[]string, have map[string]bool, add []string) {
		for _, n := range add {
			f := fold(n)
			if f == "" || have[f] || len(have) >= mostNames {
				continue
			}
			have[f] = true
			*list = append(*list, n)
			key := nameKey{w.Class, roleOf(w.Class, role), f}
			if !slices.Contains(w.keys, key) {
				w.keys = append(w.keys, key)
			}
		}
	}
	names('o', &w.Who, w.who, t.Who)
	names('m', &w.Whom, w.whom, t.Whom)
	if w.place == "" {
		w.Place, w.place = t.Place, fold(t.Place)
	}
	if from, to, said := t.span(); said || !w.said {
		if said && !w.said {
			w.from, w.to = from, to // what is said counts, not what was guessed
		} else {
			w.from, w.to = later(w.from, from), earlier(w.to, to)
		}
		if w.said = said; said {
			w.Earliest, w.Latest = later(w.Earliest, t.Earliest), earlier(w.Latest, t.Latest)
		}
	}
	if w.Tellings++; !w.documents[t.Document] && len(w.documents) < mostDocuments {
		w.documents[t.Document] = true
		w.Documents = append(w.Documents, t.Document)
	}
	w.Last = later(w.Last, t.Date)
	g.order.MoveToBack(w.at)
	for _, k := range w.keys {
		of := append(slices.DeleteFunc(g.byName[k], func(x *waiting) bool { return x == w }), w)
		g.byName[k] = slices.Delete(of, 0, max(0, len(of)-mostCandidates))
	}
}

// drop forgets an event.
func (g *grouper) drop(w *waiting) {
	g.order.Remove(w.at)
	for _, k := range w.keys {
		rest := slices.DeleteFunc(g.byName[k], func(x *waiting) bool { return x == w })
		if g.byName[k] = rest; len(rest) == 0 {
			delete(g.byName, k)
		}
	}
}

// later and earlier return one of two times; zero is none.
func later(a, b time.Time) time.Time {
	if a.After(b) || b.IsZero() {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// fits returns what speaks for a telling to be of an event; 0 if it is not.
func (w *waiting) fits(t *Telling) int {
	from, to, said := t.span()
	if w.Class != t.Class || !from.Before(w.to) || !w.from.Before(to) {
		return 0
	}
	n := 0
	place := fold(t.Place)
	switch {
	case place == "" || w.place == "":
	case place == w.place:
		n++
	default:
		return 0
	}
	common := func(names []string, in ...map[string]bool) (n int) {
		for _, name := range names {
			if f := fold(name); slices.ContainsFunc(in, func(of map[string]bool) bool { return of[f] }) {
				n++
			}
		}
		return n
	}
	named := 0
	if t.Class == Meet { // who meets whom is the same both ways
		named = common(t.Who, w.who, w.whom) + common(t.Whom, w.who, w.whom)
		if len(t.Who)+len(t.Whom) > 1 && len(w.who)+len(w.whom) > 1 && named < 2 {
			return 0
		}
	} else {
		who, whom := common(t.Who, w.who), common(t.Whom, w.whom)
		if named = who + whom; who == 0 && len(t.Who) > 0 && len(w.who) > 0 || whom == 0 && len(t.Whom) > 0 && len(w.whom) > 0 {
			return 0
		}
	}
	if named == 0 {
		return 0
	}
	if n += named; t.Verb == w.Verb {
		n++
	}
	if from, to = later(from, w.from), earlier(to, w.to); (said || w.said) && to.Sub(from) <= narrow {
		n++
	}
	if enough := 3; n < enough || t.Class == Say && n < enough+1 {
		return 0
	}
	return n
}
