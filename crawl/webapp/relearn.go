package webapp

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/text/dating"
	"varve/web/canon"
	"varve/web/markup/tree"
)

// When a site gets another template, what people wrote stays, and stands elsewhere. Relearn takes pages as they are now with the objects
// that were read of them before, and writes an extraction for each type of object:
//
//	1  find the words of each known text on its page: the elements that hold them and nothing else
//	2  each: of the elements around a text, those that hold no other known text may be the object's. Every selector that one of them
//	   fits (its name with a class, its name with the beginning of its id, below its parent) is tried on all pages:
//	       score = F1 of objects held by an element of their own x (1 + share of known authors, times and titles inside of it) / 2
//	   The highest score wins, the shorter selector among equals.
//	3  fields: inside of each object's element, every element or attribute that has the known value is a candidate; the expression that
//	   gives the right value for most objects wins, if that is at least half of those that have one.
//
// Example: the comment "I saw it too." by Anna was read from li.comment .comment-content. The new page has
// <div class="remark" id="r-7"><b class="who">Anna</b><div class="said"><p>I saw it too.</p></div></div>. The words are held by p and
// div.said; around them stands div.remark, which every known comment has of its own: each = "div.remark", text = "div.said",
// author = "b.who", id = "@id =~ ^r-(\d+)$".
//
// Cost: one pass over the words of a page for all known texts together (findOnce), and one over its elements for each candidate, of which there
// are at most maxCandidates for each element or field.

// Sample is a page as it is now, with the objects that it had before.
type Sample struct {
	URL   canon.URL
	Root  *tree.Node
	Level string
	Known []Object
}

const (
	maxCandidates = 60
	minFit        = 0.5 // of the known values that an expression must give
)

// Relearned is what came of relearning one type of object.
type Relearned struct {
	Type    string
	Pages   int // with known objects
	Known   int // objects
	Found   int // of them on the pages as they are now
	Fit     int // of them that have an element of their own by the new selector
	Values  map[string]Fit
	Learned *Extraction // nil if too little was found
}

// Fit is how many known values of a field an expression gives.
type Fit struct{ Right, Of int }

// Relearn looks for the objects of samples on the pages as they are now and returns an extraction for each type of them.
func Relearn(samples []Sample) (list []Relearned) {
	types := map[string]bool{}
	for _, s := range samples {
		for _, o := range s.Known {
			types[o.Type] = true
		}
	}
	for _, t := range slices.Sorted(maps.Keys(types)) {
		list = append(list, relearn(t, samples))
	}
	return list
}

// place is where the text of a known object stands now.
type place struct {
	known *Object
	url   canon.URL
	texts []*tree.Node // elements with the words of the text and no others, the innermost first
	top   *tree.Node   // outermost element without another known text
	page  int
	own   *tree.Node // by the selector that won
}

func relearn(kind string, samples []Sample) Relearned {
	out := Relearned{Type: kind, Values: map[string]Fit{}}
	var places []*place
	var roots []*tree.Node
	levels := map[string]bool{}
	for _, s := range samples {
		var known []*Object
		for i := range s.Known {
			if o := &s.Known[i]; o.Type == kind && strings.TrimSpace(o.Text) != "" {
				known = append(known, o)
			}
		}
		if len(known) == 0 {
			continue
		}
		out.Pages, out.Known = out.Pages+1, out.Known+len(known)
		found := locate(&s, known)
		for _, p := range found {
			p.page = len(roots)
		}
		if len(found) > 0 && s.Level != "" {
			levels[s.Level] = true
		}
		roots, places = append(roots, s.Root), append(places, found...)
	}
	if out.Found = len(places); out.Found == 0 {
		return out
	}
	x := &Extraction{Name: kind + "_learned", Type: kind}
	if len(levels) > 0 {
		x.Levels = slices.Sorted(maps.Keys(levels))
	}
	if x.Each, out.Fit = learnEach(places, roots); x.Each == nil {
		return out
	}
	x.Page = out.Pages == out.Known // one on each page: what belongs to it may stand around it
	for _, f := range x.fields() {
		if f.name != "reply" && f.name != "tags" {
			*f.list, out.Values[f.name] = learnField(f.name, places, roots, x)
		}
	}
	if len(x.Text) == 0 {
		return out
	}
	x.Learned = fmt.Sprintf("from %d pages: %d of %d known objects were found there, %d have an element of their own", out.Pages, out.Found, out.Known, out.Fit)
	out.Learned = x
	return out
}

// locate finds the known texts on a page: those whose words stand there once.
func locate(s *Sample, known []*Object) (list []*place) {
	words, nodes := wordsOf(s.Root)
	texts := make([][]string, len(known))
	for i, o := range known {
		texts[i] = strings.Fields(o.Text)
	}
	for i, at := range findOnce(words, texts) {
		if at >= 0 {
			list = append(list, &place{known: known[i], url: s.URL, texts: holding(nodes, at, at+len(texts[i]))})
		}
	}
	list = slices.DeleteFunc(list, func(p *place) bool { return len(p.texts) == 0 })
	holds := map[*tree.Node]int{} // known texts inside
	for _, p := range list {
		for n := p.texts[0]; n != nil; n = n.Parent {
			holds[n]++
		}
	}
	for _, p := range list {
		for n := p.texts[0]; n != nil && n.Name != "" && n.Name != "body" && holds[n] == 1; n = n.Parent {
			p.top = n
		}
	}
	return slices.DeleteFunc(list, func(p *place) bool { return p.top == nil })
}

// wordsOf returns the words of a page and the runs of text that they stand in. A word that goes on in the next run is taken as two.
func wordsOf(root *tree.Node) (words []string, in []*tree.Node) {
	for n := range root.Descendants() {
		if !n.IsText() || unread[n.Parent.Element] {
			continue
		}
		for w := range strings.FieldsSeq(n.Data) {
			words, in = append(words, w), append(in, n)
		}
	}
	return words, in
}

// holding returns the elements that hold the words of a range and no others, the innermost first: those from the innermost one around all of
// them to the last one without the word before and the word behind.
func holding(in []*tree.Node, from, to int) (list []*tree.Node) {
	around := map[*tree.Node]int{} // elements around the first word, by how far out they are
	for n := in[from].Parent; n != nil; n = n.Parent {
		around[n] = len(around)
	}
	common := func(i int) (level int) {
		if i < 0 || i >= len(in) {
			return len(around)
		}
		for n := in[i].Parent; n != nil; n = n.Parent {
			if level, ok := around[n]; ok {
				return level
			}
		}
		return len(around)
	}
	first, last := common(to-1), min(common(from-1), common(to))
	for n := in[from].Parent; n != nil && n.Name != ""; n = n.Parent {
		if at := around[n]; at >= first && at < last {
			list = append(list, n)
		}
	}
	return list
}

// learnEach finds the selector of the objects' elements, and how many objects have one of their own by it.
func learnEach(places []*place, roots []*tree.Node) (best Selector, fit int) {
	votes := map[string]int{}
	for _, p := range places {
		met := map[string]bool{}
		for n := p.texts[0]; n != nil; n = n.Parent {
			for _, s := range describe(n) {
				met[s] = true
			}
			if n == p.top {
				break
			}
		}
		for s := range met {
			votes[s]++
		}
	}
	top := 0.0
	for _, expr := range mostVoted("each", votes) {
		sel, err := ParseSelector(expr)
		if err != nil {
			continue
		}
		score, own, n := tryEach(sel, places, roots)
		if score > top {
			top, best, fit = score, sel, n
			for i, p := range places {
				p.own = own[i]
			}
		}
	}
	return best, fit
}

// mostVoted returns the candidates that most objects have. Among equals come first those that go by more than the name of an element, which
// says little of the next page, and the shorter ones; of times, those that are written for machines.
func mostVoted(name string, votes map[string]int) []string {
	rank := func(expr string) (n int) {
		if !strings.ContainsAny(expr, ".#[") {
			n = 1
		}
		if name == "time" && !strings.Contains(expr, "@") {
			n += 2
		}
		return n
	}
	list := slices.SortedFunc(maps.Keys(votes), func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return list[:min(len(list), maxCandidates)]
}

// tryEach says how well a selector tells objects apart, and which element each object has by it.
func tryEach(sel Selector, places []*place, roots []*tree.Node) (score float64, own []*tree.Node, fit int) {
	set := map[*tree.Node]int{} // objects whose innermost such element it is
	for _, r := range roots {
		for _, n := range sel.all(r, nil, maxObjects) {
			set[n] = 0
		}
	}
	own = make([]*tree.Node, len(places))
	for i, p := range places {
		for n := p.texts[0]; n != nil; n = n.Parent {
			if _, ok := set[n]; ok {
				own[i] = n
				set[n]++
				break
			}
		}
	}
	known, inside := 0, 0
	for i, p := range places {
		if own[i] == nil || set[own[i]] > 1 {
			own[i] = nil
			continue
		}
		fit++
		text := " " + strings.Join(strings.Fields(textOf(own[i], func(n *tree.Node) bool { _, other := set[n]; return other })), " ") + " "
		for _, v := range []string{p.known.Author, p.known.Title, p.known.When} {
			if v == "" {
				continue
			}
			if known++; strings.Contains(text, " "+v) {
				inside++
			}
		}
	}
	if fit == 0 {
		return 0, own, 0
	}
	f1 := 2 * float64(fit) / float64(len(places)+len(set))
	share := 1.0
	if known > 0 {
		share = float64(inside) / float64(known)
	}
	return f1 * (1 + share) / 2, own, fit
}

// numbered is an id, an address or another value that ends in a number.
var numbered = regexp.MustCompile(`^(.*?[-_a-zA-Z=/])(\d+)$`)

// describe returns selectors that an element fits, as somebody would write them.
func describe(n *tree.Node) (list []string) {
	for c := range strings.FieldsSeq(n.Attr("class")) {
		if isName(c) && !strings.ContainsAny(c, "0123456789") {
			list = append(list, n.Name+"."+c)
		}
	}
	for _, key := range []string{"itemprop", "itemtype", "rel", "role"} {
		if v := n.Attr(key); v != "" && len(v) < 80 && !strings.ContainsAny(v, `"]@`) {
			list = append(list, fmt.Sprintf(`%s[%s="%s"]`, n.Name, key, v))
		}
	}
	switch id := n.Attr("id"); {
	case isName(id) && !strings.ContainsAny(id, "0123456789"):
		list = append(list, n.Name+"#"+id)
	case numbered.MatchString(id):
		list = append(list, fmt.Sprintf(`%s[id^="%s"]`, n.Name, numbered.FindStringSubmatch(id)[1]))
	}
	if len(list) == 0 && n.Parent != nil && n.Parent.Name != "" {
		for _, p := range describeAlone(n.Parent) {
			list = append(list, p+" > "+n.Name)
		}
	}
	return append(list, n.Name)
}

// describeAlone describes an element without what is around it.
func describeAlone(n *tree.Node) (list []string) {
	for c := range strings.FieldsSeq(n.Attr("class")) {
		if isName(c) && !strings.ContainsAny(c, "0123456789") {
			list = append(list, n.Name+"."+c)
		}
	}
	if id := n.Attr("id"); isName(id) && !strings.ContainsAny(id, "0123456789") {
		list = append(list, n.Name+"#"+id)
	}
	return list
}

// learnField finds the expression that gives the known value of a field for most objects.
func learnField(name string, places []*place, roots []*tree.Node, x *Extraction) ([]Expression, Fit) {
	owns := map[*tree.Node]bool{}
	for _, r := range roots {
		for _, n := range x.Each.all(r, nil, maxObjects) {
			owns[n] = true
		}
	}
	skip := func(n *tree.Node) bool { return owns[n] }
	votes := map[string]int{}
	var fit Fit
	for _, p := range places {
		if p.own == nil || !hasField(p.known, name) {
			continue
		}
		fit.Of++
		met := map[string]bool{}
		note := func(n *tree.Node) {
			for _, s := range candidates(name, p, n) {
				met[s] = true
			}
		}
		note(p.own)
		within(p.own, skip, note)
		if x.Page {
			within(roots[p.page], skip, note)
		}
		for s := range met {
			votes[s]++
		}
	}
	list := mostVoted(name, votes)
	best, right := pick(name, list, places, roots, x, skip, nil)
	if fit.Right = len(right); float64(fit.Right) < minFit*float64(fit.Of) {
		return nil, fit
	}
	if fit.Right < fit.Of { // one more, for those that the first says nothing of
		more, also := pick(name, list, places, roots, x, skip, right)
		best, fit.Right = append(best, more...), fit.Right+len(also)
	}
	return best, fit
}

// pick returns the expression that gives the known value of most objects, but for those that are done, and which ones.
func pick(name string, list []string, places []*place, roots []*tree.Node, x *Extraction, skip func(*tree.Node) bool, done map[*place]bool) (best []Expression, right map[*place]bool) {
	for _, expr := range list {
		var e Expression
		if e.UnmarshalText([]byte(expr)) != nil {
			continue
		}
		these := map[*place]bool{}
		for _, p := range places {
			if p.own == nil || !hasField(p.known, name) || done[p] {
				continue
			}
			s, _ := e.value(p.own, skip, skip)
			if s == "" && x.Page {
				s, _ = e.value(roots[p.page], skip, skip)
			}
			if same(name, p, s) {
				these[p] = true
			}
		}
		if len(these) > len(right) {
			best, right = []Expression{e}, these
		}
	}
	return best, right
}

// within calls visit for the elements inside of one, but not for what skip reports true for, nor inside of that.
func within(n *tree.Node, skip func(*tree.Node) bool, visit func(*tree.Node)) {
	for c := n.First; c != nil; c = c.Next {
		if c.Name != "" && !skip(c) {
			visit(c)
			within(c, skip, visit)
		}
	}
}

func hasField(o *Object, name string) bool {
	switch name {
	case "id":
		return o.ID != ""
	case "title":
		return o.Title != ""
	case "author":
		return o.Author != ""
	case "time":
		return !o.Time.IsZero()
	case "text":
		return o.Text != ""
	}
	return o.Link != ""
}

// same reports whether a value is the known one, whatever way the page writes it.
func same(name string, p *place, s string) bool {
	o := p.known
	if s == "" {
		return false
	}
	switch name {
	case "id":
		return s == o.ID
	case "title":
		return fold(s) == fold(o.Title)
	case "author":
		return fold(s) == fold(o.Author)
	case "time":
		t, ok := dating.ParseStamp(s)
		return ok && t.Truncate(24*time.Hour).Equal(o.Time.Truncate(24*time.Hour))
	case "text":
		return fold(s) == fold(o.Text)
	}
	u, err := p.url.Resolve(s)
	return err == nil && u.String() == o.Link
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// candidates returns the expressions by which an element has the known value of a field.
func candidates(name string, p *place, n *tree.Node) (list []string) {
	where := describe(n)
	if n == p.own {
		where = []string{""}
	}
	add := func(behind string) {
		for _, w := range where {
			if s := strings.TrimSpace(w + " " + behind); s != "" {
				list = append(list, s)
			}
		}
	}
	if name != "id" && name != "link" && !longer(n, 4*len(p.known.Text)+2000) && same(name, p, textOf(n, nil)) {
		switch {
		case n != p.own:
			add("")
		case name == "text": // all of it says nothing but the text
			list = append(list, ".")
		}
	}
	for _, a := range n.Attrs {
		switch {
		case a.Val == "" || !isName(a.Key) || len(a.Val) > maxField || a.Key == "style":
		case name == "text":
		case name == "id":
			if m := numbered.FindStringSubmatch(a.Val); m != nil && m[2] == p.known.ID {
				before := m[1][strings.LastIndexAny(m[1][:len(m[1])-1], "/ ")+1:] // of an address, what is the same on all pages
				if before == m[1] {
					before = "^" + regexp.QuoteMeta(before)
				} else {
					before = regexp.QuoteMeta(before)
				}
				add(fmt.Sprintf(`@%s =~ %s(\d+)$`, a.Key, before))
			} else if a.Val == p.known.ID {
				add("@" + a.Key)
			}
		case name == "link" && a.Key != "href":
		case same(name, p, a.Val):
			add("@" + a.Key)
		}
	}
	return list
}

// longer reports whether the runs of text inside of an element are more than some bytes. It looks no further than it must: elements stand inside
// of each other, and each is asked.
func longer(n *tree.Node, most int) bool {
	seen := 0
	for c := range n.Descendants() {
		if seen += len(c.Data); seen > most {
			return true
		}
	}
	return false
}

// Variant returns an application with further extractions, as a file that says so. Alone, those that it had for the same types are left out.
func (a *Application) Variant(learned []*Extraction, alone bool) (*Application, error) {
	src := a.source
	if alone {
		src = cutObjects(src, func(name string) bool {
			return slices.ContainsFunc(learned, func(x *Extraction) bool { return x.Type == name })
		})
	}
	src = AppendExtractions(append(slices.Clone(bytes.TrimRight(src, "\n")), '\n'), learned)
	return Parse(a.Name+", learned", src)
}

// Only returns an application without other extractions than some.
func (a *Application) Only(list []*Extraction) (*Application, error) {
	src := cutObjects(a.source, func(string) bool { return true })
	return Parse(a.Name+", learned", AppendExtractions(append(bytes.TrimRight(src, "\n"), '\n'), list))
}

// cutObjects cuts the tables of some objects out of a file.
func cutObjects(src []byte, these func(name string) bool) []byte {
	var out []byte
	in := false
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(line, []byte("[")) {
			name, object := strings.CutPrefix(string(bytes.TrimSpace(line)), "[object.")
			in = object && these(strings.TrimSuffix(name, "]"))
		}
		if !in {
			out = append(out, line...)
		}
	}
	return out
}

// AppendExtractions writes extractions in the words of a knowledge file.
func AppendExtractions(dst []byte, list []*Extraction) []byte {
	for _, x := range list {
		dst = fmt.Appendf(dst, "\n# Learned %s.\n[object.%s]\ntype = %s\n", x.Learned, x.Name, literal(x.Type))
		if x.Levels != nil {
			dst = fmt.Appendf(dst, "levels = [%s]\n", literals(x.Levels))
		}
		dst = fmt.Appendf(dst, "each = %s\n", literal(x.Each.String()))
		if x.Page {
			dst = append(dst, "page = true\n"...)
		}
		for _, f := range x.fields() {
			var exprs []string
			for _, e := range *f.list {
				exprs = append(exprs, e.String())
			}
			if exprs != nil {
				dst = fmt.Appendf(dst, "%s = [%s]\n", f.name, literals(exprs))
			}
		}
		dst = fmt.Appendf(dst, "learned = %s\n", literal(x.Learned))
	}
	return dst
}

// literal writes a string as TOML has it: as it stands if it can.
func literal(s string) string {
	if strings.ContainsAny(s, "'\n\r") {
		return strconv.Quote(s)
	}
	return "'" + s + "'"
}

func literals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = literal(s)
	}
	return strings.Join(quoted, ", ")
}
