package webapp

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"varve/text/dating"
	"varve/web/markup/tree"
)

// A site of a known application may have a template that nobody has seen, from the first page on: then there are no objects to look for again
// (Relearn), and what others of its kind are read by finds nothing. Discover goes by what all threads have: they repeat themselves.
//
//	1  each: every selector that elements of the pages fit is tried on all of them. An element that holds one object has one time in it; the
//	   elements together hold most words of the page, and no two say the same:
//	       score = share of elements with just one time x share of different texts x words inside of them / words of the pages
//	   The element around a whole thread has many times, the line with author and date hardly a word.
//	2  fields: the time; the author, a short text that differs from object to object on a page and comes back on others; the title, one that is the same for all objects of a page and differs between pages; the text, the element
//	   with most words and neither of these; the ID, an attribute that ends in a number which no other object has.
//	3  what was found is believed if minDiscovered of the objects have text and time, or text and author.
//
// Example: <li class="plank" data-plank="7"><div><b class="hand">Ada</b> <span title="2025-03-01">then</span></div><div class="words">Tar it.</div></li>
// twenty times on five pages: li.plank has one time each, ol.planks twenty, div.words none: each = "li.plank".
//
// Cost: one pass over each page for each candidate, of which there are at most maxTried.

// Discovered is what came of discovering a type of object.
type Discovered struct {
	Type    string
	Pages   int // that were looked at
	Objects int // found on them
	Full    int // of them with a text and a time or an author
	Learned *Extraction
}

const (
	maxTried      = 200
	minDiscovered = 0.8
	minRepeated   = 5    // objects, below which nothing can be said
	minScore      = 0.25 // of the selector: a list beside the text has times, too, and few of the words
)

// Discover looks for objects of a type that repeat themselves on pages of one application, of which none is known.
func Discover(kind string, samples []Sample) *Discovered {
	s := newSurvey(samples)
	each, found := s.repeats(minScore, func(sel Selector) (float64, []repeated) {
		sure, covered, found := s.try(sel)
		return sure * covered, found
	})
	return s.read(&Discovered{Type: kind, Pages: len(samples)}, each, found)
}

// read finds the fields of objects whose elements are known.
func (s *survey) read(d *Discovered, each Selector, found []repeated) *Discovered {
	if d.Objects = len(found); each == nil || len(found) < minRepeated {
		return d
	}
	x := &Extraction{Name: d.Type + "_discovered", Type: d.Type, Each: each, Levels: s.levels}
	owns := map[*tree.Node]bool{}
	for _, o := range found {
		owns[o.own] = true
	}
	f := fields{found: found, skip: func(n *tree.Node) bool { return owns[n] }}
	x.Time = f.pick(f.isTime, nil)
	if x.Author = f.pick(f.short, f.author); x.Author == nil { // nobody wrote twice: by signs
		x.Author = f.pick(func(n *tree.Node, own bool) []string {
			if own || s.signed(n) == 0 || !isPerson(s.few(n, 8)) {
				return nil
			}
			return []string{""}
		}, nil)
	}
	x.Title = f.pick(f.short, f.title)
	x.ID = f.pick(f.number, f.unique)
	x.Text = f.text(x)
	if len(x.Text) == 0 {
		return d
	}
	for _, o := range found {
		text, _ := x.Text[0].value(o.own, f.skip, f.skip)
		when, who := f.first(x.Time, o), f.first(x.Author, o)
		if text != "" && (when != "" || who != "") {
			d.Full++
		}
	}
	if float64(d.Full) < minDiscovered*float64(len(found)) {
		return d
	}
	x.Learned = fmt.Sprintf("by what repeats itself on %d pages: %d objects, %d of them with a text and a time or an author", d.Pages, d.Objects, d.Full)
	d.Learned = x
	return d
}

// survey is what the pages have.
type survey struct {
	samples []Sample
	levels  []string
	words   []int                 // of each page
	inside  map[*tree.Node]int    // words inside of an element
	nodes   map[*tree.Node]int    // nodes inside of an element
	before  map[*tree.Node]string // the last word before an element, in the same block
	times   map[*tree.Node]string // times that elements name themselves, by an attribute or their own text
}

func newSurvey(samples []Sample) *survey {
	s := &survey{samples: samples, inside: map[*tree.Node]int{}, nodes: map[*tree.Node]int{}, before: map[*tree.Node]string{}, times: map[*tree.Node]string{}}
	for _, p := range samples {
		total, last, run := 0, "", ""
		for n := range p.Root.Descendants() {
			for e := n.Parent; e != nil; e = e.Parent {
				s.nodes[e]++
			}
			if n.IsText() {
				words := strings.Fields(n.Data)
				if unread[n.Parent.Element] || n.Parent.Name == "title" || len(words) == 0 {
					continue
				}
				run = strings.Join(words[max(0, len(words)-2):], " ")
				last = words[len(words)-1]
				total += len(words)
				for e := n.Parent; e != nil; e = e.Parent {
					s.inside[e] += len(words)
				}
				if v := strings.TrimSpace(n.Data); stamped(v) {
					s.times[n.Parent] = v
				}
				continue
			}
			if blocks[n.Element] && !byWord.MatchString(run) { // "by" may be a block of its own
				last = ""
			}
			s.before[n] = last
			for _, a := range n.Attrs {
				if (a.Key == "datetime" || a.Key == "title" || a.Key == "content") && stamped(a.Val) {
					s.times[n] = a.Val
				}
			}
		}
		s.words = append(s.words, total)
		if p.Level != "" && !slices.Contains(s.levels, p.Level) {
			s.levels = append(s.levels, p.Level)
		}
	}
	slices.Sort(s.levels)
	return s
}

// Signs of an author: words before a name, and names of classes, properties and addresses.
var (
	byWord   = regexp.MustCompile(`(?i)^(?:by|von|par|por|door|av|af|di|od|author|autor|auteur|autore|auteur:|author:|autor:|by:|von:)$`)
	byPrefix = regexp.MustCompile(`(?i)^(?:by|von|par|por|door|author:|autor:|by:) `)
	authored = regexp.MustCompile(`(?i)(?:^|[-_ ])(?:author|byline|autor|auteur|p-author)(?:$|[-_ ])`)
	theirs   = regexp.MustCompile(`(?i)/(?:author|authors|autor|auteur)/`)
)

// signed says how sure it is that an element holds the name of who wrote the page.
func (s *survey) signed(n *tree.Node) float64 {
	switch {
	case n.Name == "a" && (n.Attr("rel") == "author" || theirs.MatchString(n.Attr("href"))), strings.Contains(n.Attr("itemprop"), "author"):
		return 1
	case byWord.MatchString(s.before[n]):
		return 0.9
	case authored.MatchString(n.Attr("class")):
		return 0.8
	case n.Parent != nil && (authored.MatchString(n.Parent.Attr("class")) || strings.Contains(n.Parent.Attr("itemprop"), "author")):
		return 0.7
	}
	return 0
}

// isPerson reports whether a text may be a name of somebody.
func isPerson(s string) bool {
	return s != "" && !stamped(s) && strings.Count(s, " ") < 4 && len(s) <= 60 && !strings.ContainsAny(s, ":/@")
}

// few returns the words of an element if they are no more than some, and it holds little else.
func (s *survey) few(n *tree.Node, most int) string {
	if words := s.inside[n]; words == 0 || words > most || s.nodes[n] > 20*most {
		return ""
	}
	text := fold(textOf(n, nil))
	if len(text) > 15*most {
		return ""
	}
	return text
}

// stamped reports whether a text is a time and nothing else.
func stamped(s string) bool {
	if len(s) < 6 || len(s) > 60 || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	_, ok := dating.ParseStamp(s)
	return ok
}

// repeated is an element that holds one object.
type repeated struct {
	own  *tree.Node
	page int
}

// repeats finds the selector of the elements that hold one object each, of all that elements of the pages fit: the one with the highest score, above
// the least.
func (s *survey) repeats(least float64, try func(Selector) (float64, []repeated)) (best Selector, found []repeated) {
	votes := map[string]int{}
	for _, p := range s.samples {
		met := map[string]bool{}
		for n := range p.Root.Descendants() {
			if n.Name == "" || n.Name == "html" || n.Name == "body" || s.inside[n] == 0 {
				continue
			}
			for _, expr := range describe(n) {
				if !met[expr] && expr != n.Name { // the name of an element alone says little
					met[expr] = true
					votes[expr]++
				}
			}
		}
	}
	list := slices.SortedFunc(maps.Keys(votes), func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	top := least
	for _, expr := range list[:min(len(list), maxTried)] {
		sel, err := ParseSelector(expr)
		if err != nil {
			continue
		}
		if score, these := try(sel); score > top {
			top, best, found = score, sel, these
		}
	}
	return best, found
}

// try says how sure it is that a selector tells objects apart, which share of all words they have, and which they are.
func (s *survey) try(sel Selector) (sure, share float64, found []repeated) {
	once, covered, all := 0, 0, 0
	texts := map[string]bool{}
	for i, p := range s.samples {
		all += s.words[i]
		list := sel.all(p.Root, nil, maxObjects)
		set := map[*tree.Node]bool{}
		for _, n := range list {
			set[n] = true
		}
		for _, n := range list {
			if insideOf(n.Parent, set) {
				continue
			}
			if s.hasOneTime(n) {
				once++
			}
			covered += s.inside[n]
			texts[clip(strings.Join(strings.Fields(textOf(n, nil)), " "), maxField)] = true
			found = append(found, repeated{n, i})
		}
	}
	if len(found) == 0 || all == 0 {
		return 0, 0, nil
	}
	n := float64(len(found))
	return float64(once) / n * float64(len(texts)) / n, min(1, float64(covered)/float64(all)), found
}

// hasOneTime reports whether an element names one time, in whatever ways: a day without a time of day may be that of a time beside it.
func (s *survey) hasOneTime(n *tree.Node) bool {
	names, times := map[string]bool{}, map[string]bool{}
	note := func(n *tree.Node) {
		v := s.times[n]
		if v == "" || names[v] {
			return
		}
		names[v] = true
		if at, ok := dating.ParseStamp(v); ok {
			times[at.Format("2006-01-02 15:04")] = true
		}
	}
	note(n)
	for c := range n.Descendants() {
		note(c)
	}
	for v := range times {
		if day, noon := strings.CutSuffix(v, " 12:00"); noon {
			for other := range times {
				if other != v && strings.HasPrefix(other, day) {
					delete(times, v)
				}
			}
		}
	}
	return len(times) == 1
}

// insideOf reports whether an element, or one around it, is in a set.
func insideOf(n *tree.Node, set map[*tree.Node]bool) bool {
	for ; n != nil; n = n.Parent {
		if set[n] {
			return true
		}
	}
	return false
}

// fields finds the expressions of fields in the elements of objects.
type fields struct {
	found []repeated
	skip  func(*tree.Node) bool
	texts []string // of each of found, when they were asked for
}

func (f *fields) first(list []Expression, o repeated) string {
	for i := range list {
		if s, _ := list[i].value(o.own, f.skip, f.skip); s != "" {
			return s
		}
	}
	return ""
}

// pick returns the expression that gives a value to most objects, of those by which fits reports elements to have one, weighed by how good
// the values of all objects are together (1 where that is nil). It must give one to half of them.
func (f *fields) pick(fits func(n *tree.Node, own bool) []string, good func(values []string) float64) []Expression {
	votes := map[string]int{}
	for _, o := range f.found {
		met := map[string]bool{}
		note := func(n *tree.Node) {
			where := describe(n)
			if n == o.own {
				where = []string{""}
			}
			for _, behind := range fits(n, n == o.own) {
				for _, w := range where {
					if expr := strings.TrimSpace(w + " " + behind); expr != "" {
						met[expr] = true
					}
				}
			}
		}
		note(o.own)
		within(o.own, f.skip, note)
		for expr := range met {
			votes[expr]++
		}
	}
	var best []Expression
	top := 0.0
	for _, expr := range mostVoted("", votes) {
		var e Expression
		if e.UnmarshalText([]byte(expr)) != nil {
			continue
		}
		values, filled := make([]string, len(f.found)), 0
		for i, o := range f.found {
			v, at := e.value(o.own, f.skip, f.skip)
			if v == "" || len(fits(at, at == o.own)) == 0 { // the first that the selector finds may be another than that which was thought of
				continue
			}
			values[i] = v
			filled++
		}
		share := float64(filled) / float64(len(values))
		if good != nil {
			share *= good(values)
		}
		if share > top && float64(filled) >= minFit*float64(len(values)) {
			top, best = share, []Expression{e}
		}
	}
	return best
}

// isTime tells by which attribute, or text (""), an element is a time.
func (f *fields) isTime(n *tree.Node, own bool) (list []string) {
	for _, a := range n.Attrs {
		if (a.Key == "datetime" || a.Key == "title" || a.Key == "content") && stamped(a.Val) {
			list = append(list, "@"+a.Key)
		}
	}
	if !own && !longer(n, 200) && stamped(strings.TrimSpace(textOf(n, f.skip))) {
		list = append(list, "")
	}
	return list
}

// short tells whether an element has a few words, and no time.
func (f *fields) short(n *tree.Node, own bool) []string {
	if own || longer(n, 300) {
		return nil
	}
	s := strings.TrimSpace(textOf(n, f.skip))
	if words := len(strings.Fields(s)); words == 0 || words > 12 || len(s) > 120 || stamped(s) {
		return nil
	}
	return []string{""}
}

// spread counts values that differ: within pages, from those of the object before, and all.
func (f *fields) spread(values []string) (within, pairs, distinct, filled int) {
	set := map[string]bool{}
	for i, v := range values {
		if v == "" {
			continue
		}
		filled++
		set[v] = true
		if i > 0 && f.found[i-1].page == f.found[i].page && values[i-1] != "" {
			pairs++
			if values[i-1] != v {
				within++
			}
		}
	}
	return within, pairs, len(set), filled
}

// author says how much values are like names of authors: they differ on a page and come back, and are short.
func (f *fields) author(values []string) float64 {
	within, pairs, distinct, filled := f.spread(values)
	if pairs == 0 || distinct < 2 || distinct == filled {
		return 0
	}
	long := 0
	for _, v := range values {
		if len(strings.Fields(v)) > 4 {
			long++
		}
	}
	return float64(within) / float64(pairs) * (1 - float64(distinct)/float64(filled)) * (1 - float64(long)/float64(len(values)))
}

// title says how much values are like titles: the same on a page, others on other pages.
func (f *fields) title(values []string) float64 {
	within, pairs, distinct, _ := f.spread(values)
	pages := f.found[len(f.found)-1].page + 1
	if pairs == 0 || distinct < 2 || pages < 2 {
		return 0
	}
	return (1 - float64(within)/float64(pairs)) * min(1, float64(distinct)/float64(pages))
}

// number tells by which attributes an element may name an object: those that end in a number.
func (f *fields) number(n *tree.Node, _ bool) (list []string) {
	for _, a := range n.Attrs {
		if !isName(a.Key) || a.Key == "style" || a.Key == "class" || len(a.Val) > maxField {
			continue
		}
		if strings.Trim(a.Val, "0123456789") == "" && a.Val != "" {
			list = append(list, "@"+a.Key)
		} else if m := numbered.FindStringSubmatch(a.Val); m != nil && a.Key == "id" && isName(m[1]) {
			list = append(list, fmt.Sprintf(`@%s =~ ^%s(\d+)$`, a.Key, m[1]))
		}
	}
	return list
}

// unique says whether no two objects have the same value. The same page may be there under several addresses: an object that says the same is the same one.
func (f *fields) unique(values []string) float64 {
	if f.texts == nil {
		for _, o := range f.found {
			f.texts = append(f.texts, clip(textOf(o.own, f.skip), maxField))
		}
	}
	whose := map[string]string{}
	for i, v := range values {
		if v == "" {
			continue
		}
		if text, known := whose[v]; known && text != f.texts[i] {
			return 0
		}
		whose[v] = f.texts[i]
	}
	return 1
}

// text returns the expression with most words, of elements that hold neither time nor author nor title.
func (f *fields) text(x *Extraction) []Expression {
	others := map[*tree.Node]bool{}
	for _, list := range [][]Expression{x.Time, x.Author, x.Title} {
		for i := range list {
			for _, o := range f.found {
				for _, n := range list[i].Select.all(o.own, f.skip, 1) {
					for ; n != nil && n != o.own; n = n.Parent {
						others[n] = true
					}
				}
			}
		}
	}
	fits := func(n *tree.Node, own bool) []string {
		if own || others[n] || unread[n.Element] || !longer(n, 0) {
			return nil
		}
		return []string{""}
	}
	return f.pick(fits, func(values []string) float64 {
		words := 0
		for _, v := range values {
			words += len(strings.Fields(v))
		}
		return float64(words)
	})
}
