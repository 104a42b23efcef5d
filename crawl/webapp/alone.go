package webapp

import (
	"fmt"
	"hash/maphash"
	"maps"
	"regexp"
	"slices"
	"strings"

	"varve/text/dating"
	"varve/web/markup/tree"
)

// A blog or a wiki in a template that nobody has seen repeats nothing within a page: there is one post on it. It repeats itself over pages, and
// what differs between them at the same place is what somebody wrote. discoverAlone takes pages of one template:
//
//	1  own: a run of text is the page's own if the same words stand below the same elements on no more than every tenth page, and are no title of
//	   another page. Menus, lists of tags, links to neighbours and to what is related are not.
//	2  title: a short element, most of whose values are part of the page's <title> and differ from page to page; a heading, where pages have no <title>.
//	3  beside: comments repeat themselves within the page, as posts of a forum do (Discover), with less of the words.
//	4  time: an element or attribute that is a time and no comment's, or a line that has one between words that are always the same ("Posted on ... by"), the
//	   one that is nearest to the title. Where addresses have a day or a month, it must be that one.
//	5  author: the same name on all pages says nothing by itself, so there must be a sign: a link to an author, a class or property of that name, or
//	   "by" before it.
//	6  text: of elements that hold no title, time, author or comment, the one with most own words less those that are not.
//	7  what was found is believed if minDiscovered of the pages have a title and a text, no two the same, and the texts are minOwn of all own words.
//
// Example: <section class="leaf"><h2 class="leaf-head">Fog</h2><p>put down by <em class="hand">Ada</em>, <abbr title="2025-07-21">21. 7.</abbr></p><div class="words"><p>The horn
// was blown.</p></div></section> on six pages, with <title>Fog – The Lighthouse</title>: "The Lighthouse" is on all pages, "Fog" on one and in h2.leaf-head:
// title = "h2.leaf-head". abbr has a time: time = "abbr @title". Before em.hand stands "by": author = "em.hand". div.words has own words and none of
// these, section.leaf has them, too: text = "div.words", each = "section.leaf".
//
// Cost: as Discover, one pass over each page for each of a bounded number of candidates.

const (
	minOwn     = 0.5 // of the own words of pages, beside titles, authors, times and comments, that must be in the texts
	maxNear    = 300 // words between a title and its time or author
	maxLine    = 16  // words of a line in which a time or a name is looked for
	besideMore = 2   // pages with more than one comment, below which nothing is known to repeat itself
)

// Discover looks for the objects of an application on pages in a template of which nothing is known: those that repeat themselves on a page, and
// those of which there is one on each.
func (a *Application) Discover(samples []Sample) (list []*Discovered) {
	var alone *Extraction // that there is one of on each page, as the application's file has it
	for _, x := range a.objects {
		if x.Page && alone == nil {
			alone = x
		}
	}
	if alone == nil {
		for _, t := range a.Types() {
			return append(list, Discover(t, samples))
		}
		return nil
	}
	s := newSolo(samples)
	title := s.title()
	for _, t := range a.Types() {
		if t == alone.Type {
			continue
		}
		d := s.beside(t)
		if d.Learned != nil && !slices.ContainsFunc(a.objects, func(x *Extraction) bool { return x.Type == t && x.Title != nil }) {
			d.Learned.Title = nil // such objects have none
		}
		list = append(list, d)
		break // what is beside a post is of one type
	}
	return append([]*Discovered{s.discover(alone, title)}, list...)
}

// solo is what pages with one object each have.
type solo struct {
	survey
	own      map[*tree.Node]int // words inside of an element that are the page's own
	at       map[*tree.Node]int // words before an element
	run      map[*tree.Node]string
	heads    []string            // <title> of each page
	titles   map[string]int      // of the pages, and which
	comments map[*tree.Node]bool // elements of what stands beside
	around   map[*tree.Node]bool // elements with one inside
}

// newSolo looks at pages, each once whatever addresses it has.
func newSolo(samples []Sample) *solo {
	seen := map[string]bool{}
	var list []Sample
	for _, p := range samples {
		if text := textOf(p.Root, nil); !seen[text] {
			seen[text] = true
			list = append(list, p)
		}
	}
	s := &solo{
		survey: *newSurvey(list), own: map[*tree.Node]int{}, at: map[*tree.Node]int{}, run: map[*tree.Node]string{},
		titles: map[string]int{}, comments: map[*tree.Node]bool{}, around: map[*tree.Node]bool{},
	}
	for _, p := range list {
		head := ""
		words := 0
		for n := range p.Root.Descendants() {
			switch {
			case n.Name == "title" && head == "" && n.Parent.Name == "head":
				head = fold(textOf(n, nil))
			case n.IsText() && !unread[n.Parent.Element] && n.Parent.Name != "title":
				f := strings.Fields(n.Data)
				words += len(f)
				s.run[n] = strings.Join(f, " ")
			case n.Name != "":
				s.at[n] = words
			}
		}
		s.heads = append(s.heads, head)
	}
	return s
}

// weigh counts the words of each element that are the page's own. It needs the titles.
func (s *solo) weigh() {
	type key struct {
		path uint64
		text string
	}
	seed := maphash.MakeSeed()
	pages := map[key]int{}
	keys := map[*tree.Node]key{}
	for _, p := range s.samples {
		met := map[key]bool{}
		path := map[*tree.Node]uint64{}
		for n := range p.Root.Descendants() {
			if n.Name != "" {
				var h maphash.Hash
				h.SetSeed(seed)
				up := path[n.Parent]
				for range 8 {
					h.WriteByte(byte(up))
					up >>= 8
				}
				h.WriteString(n.Name)
				path[n] = h.Sum64()
				continue
			}
			if s.run[n] == "" {
				continue
			}
			k := key{path[n.Parent], s.run[n]}
			keys[n] = k
			if !met[k] {
				met[k] = true
				pages[k]++
			}
		}
	}
	most := max(1, len(s.samples)/10)
	for i, p := range s.samples {
		for n := range p.Root.Descendants() {
			k, ok := keys[n]
			if !ok || pages[k] > most {
				continue
			}
			if whose, title := s.titles[k.text]; title && whose != i {
				continue
			}
			count := len(strings.Fields(k.text))
			for e := n.Parent; e != nil; e = e.Parent {
				s.own[e] += count
			}
		}
	}
}

// candidate is an expression that gave values, and where they stand.
type candidate struct {
	expr   Expression
	values []string
	at     []*tree.Node
	filled int
}

// values returns what an expression gives on each page, beside comments.
func (s *solo) values(e Expression) *candidate {
	c := &candidate{expr: e, values: make([]string, len(s.samples)), at: make([]*tree.Node, len(s.samples))}
	for i, p := range s.samples {
		v, at := e.value(p.Root, nil, nil)
		if v == "" || len(v) > maxField || insideOf(at, s.comments) {
			continue
		}
		c.values[i], c.at[i] = fold(v), at
		c.filled++
	}
	return c
}

// distinct counts values that differ.
func (c *candidate) distinct() int {
	set := map[string]bool{}
	for _, v := range c.values {
		if v != "" {
			set[v] = true
		}
	}
	return len(set)
}

// best tries the expressions that most pages have and returns the one with the highest score, if that is above 0. Equals are in the order of mostVoted.
func (s *solo) best(name string, votes map[string]int, score func(*candidate) float64) (won *candidate) {
	top := 0.0
	for _, expr := range mostVoted(name, votes) {
		var e Expression
		if e.UnmarshalText([]byte(expr)) != nil {
			continue
		}
		c := s.values(e)
		if float64(c.filled) < minFit*float64(len(s.samples)) {
			continue
		}
		if n := score(c); n > top+1e-9 {
			top, won = n, c
		}
	}
	return won
}

// vote counts the pages on which an expression is proposed.
func (s *solo) vote(propose func(page int, n *tree.Node, add func(behind string))) map[string]int {
	votes := map[string]int{}
	for i, p := range s.samples {
		met := map[string]bool{}
		for n := range p.Root.Descendants() {
			if n.Name == "" || n.Name == "html" || n.Name == "body" || n.Name == "head" {
				continue
			}
			propose(i, n, func(behind string) {
				for _, w := range describe(n) {
					if w != n.Name || !anyPlace[w] {
						met[strings.TrimSpace(w+" "+behind)] = true
					}
				}
			})
		}
		for expr := range met {
			votes[expr]++
		}
	}
	return votes
}

// anyPlace are names of elements that say nothing of where one stands.
var anyPlace = map[string]bool{"div": true, "span": true, "p": true, "a": true, "li": true, "td": true, "b": true, "strong": true, "i": true, "em": true}

// title finds where the title stands.
func (s *solo) title() *candidate {
	isHeading := func(n *tree.Node) bool {
		return n != nil && (len(n.Name) == 2 && n.Name[0] == 'h' && n.Name[1] != 'r' || n.Attr("role") == "heading")
	}
	named := 0
	for _, head := range s.heads {
		if head != "" {
			named++
		}
	}
	told := func(i int, n *tree.Node, text string) bool {
		head := s.heads[i]
		if 2*named < len(s.heads) { // pages without a <title>: any heading may be it
			return text != "" && isHeading(n)
		}
		return text != "" && head != "" && (strings.HasPrefix(head, text) || strings.HasSuffix(head, text) || strings.Contains(head, " "+text+" "))
	}
	votes := s.vote(func(i int, n *tree.Node, add func(string)) {
		if unread[n.Element] || n.Parent.Name == "head" {
			return
		}
		if text := s.few(n, 25); told(i, n, text) {
			add("")
		}
	})
	won := s.best("title", votes, func(c *candidate) float64 {
		right, heading, words := 0, 0, 0
		for i, v := range c.values {
			if told(i, c.at[i], v) {
				right++
			}
			if words += len(v); isHeading(c.at[i]) {
				heading++
			}
		}
		n := float64(len(s.samples))
		if float64(right) < minDiscovered*n || float64(c.distinct()) < minDiscovered*float64(c.filled) {
			return 0
		}
		return float64(right)/n + 0.5*float64(heading)/n + min(0.1, float64(words)/n/1000)
	})
	if won != nil {
		for i, v := range won.values {
			if v != "" {
				s.titles[v] = i
			}
		}
	}
	s.weigh()
	return won
}

// beside finds what repeats itself on the pages: comments.
func (s *solo) beside(kind string) *Discovered {
	d := &Discovered{Type: kind, Pages: len(s.samples)}
	each, found := s.repeats(0, func(sel Selector) (float64, []repeated) {
		sure, _, found := s.try(sel)
		if sure < minDiscovered || len(found) < minRepeated {
			return 0, nil
		}
		var all, covered, titled, more int
		on := map[int]int{}
		for _, o := range found {
			covered += 2*s.own[o.own] - s.inside[o.own] // the line with time and author of the page's own object is hardly its own
			if on[o.page]++; on[o.page] == 2 {
				more++
			}
			for n := range o.own.Descendants() {
				if whose, ok := s.titles[s.run[n]]; ok && whose != o.page {
					titled++ // a list of other posts
					break
				}
			}
		}
		for i := range s.samples {
			all += s.own[s.samples[i].Root]
		}
		if more < besideMore || 3*titled > len(found) || all == 0 {
			return 0, nil
		}
		return sure * float64(covered) / float64(all), found
	})
	if each == nil {
		return d
	}
	d = s.read(d, each, found)
	for _, o := range found {
		if d.Learned == nil {
			break
		}
		s.comments[o.own] = true
		for n := o.own.Parent; n != nil; n = n.Parent {
			s.around[n] = true
		}
	}
	return d
}

// when finds the time of the object.
func (s *solo) when(title *candidate) *candidate {
	f := fields{}
	votes := s.vote(func(_ int, n *tree.Node, add func(string)) {
		if insideOf(n, s.comments) {
			return
		}
		for _, behind := range f.isTime(n, false) {
			add(behind)
		}
		if like := inLine(s.few(n, maxLine)); like != "" {
			add("=~ " + like)
		}
	})
	for _, meta := range []string{`meta[property="article:published_time"] @content`, `meta[itemprop="datePublished"] @content`} {
		votes[meta] = len(s.samples)
	}
	return s.best("time", votes, func(c *candidate) float64 {
		told, agree, dated := 0, 0, 0
		for i, v := range c.values {
			at, ok := dating.ParseStamp(v)
			if v == "" || !ok {
				continue
			}
			told++
			if m := datedPath.FindStringSubmatch(s.samples[i].URL.Path()); m != nil {
				dated++
				if at.Format("2006") == m[1] && at.Format("01") == m[2] && (m[3] == "" || at.Format("02") == m[3]) {
					agree++
				}
			}
		}
		n := float64(len(s.samples))
		if float64(told) < minFit*n || c.distinct() < 2 || c.distinct() < c.filled/4 || 2*agree < dated {
			return 0
		}
		machine := 0.0
		if c.expr.Attr != "" {
			machine = 0.02
		}
		return float64(told)/n*(1-0.5*s.far(c, title)) + machine
	})
}

// datedPath is a path that tells when a page was made.
var datedPath = regexp.MustCompile(`/((?:19|20)\d\d)/(\d\d)/(?:(\d\d)/)?`)

// far returns how far values are from the title, 0 for none and 1 for maxNear words. Values in the head of a page are near.
func (s *solo) far(c, title *candidate) float64 {
	if title == nil {
		return 0
	}
	sum, n := 0, 0
	for i, at := range c.at {
		if at == nil || title.at[i] == nil {
			continue
		}
		n++
		if at.Name != "meta" {
			sum += min(maxNear, max(s.at[at]-s.at[title.at[i]], s.at[title.at[i]]-s.at[at]))
		}
	}
	return float64(sum) / float64(maxNear*max(1, n))
}

// inLine returns a pattern for the time in a line that has one among other words; "" where there is none.
func inLine(line string) string {
	words := strings.Fields(line)
	if len(words) < 2 {
		return ""
	}
	for size := min(len(words)-1, 7); size > 0; size-- {
		for i := 0; i+size <= len(words); i++ {
			if !stamped(strings.Trim(strings.Join(words[i:i+size], " "), ",.;|·")) {
				continue
			}
			like := "^"
			if i > 0 {
				like = "^" + regexp.QuoteMeta(strings.Join(words[:i], " ")) + " "
			}
			if like += "(.+?)"; i+size < len(words) {
				return like + " " + regexp.QuoteMeta(words[i+size]) + "( .*)?$"
			}
			return like + "$"
		}
	}
	return ""
}

// byLine returns a pattern for the name behind "by" in a line; "" where there is none.
func byLine(line string) string {
	words := strings.Fields(line)
	for i := 1; i+1 < len(words); i++ {
		if !byWord.MatchString(words[i]) || made.MatchString(words[i-1]) {
			continue
		}
		rest := words[i+1:]
		for k, w := range rest {
			if k > 0 && behindName.MatchString(w) {
				return " " + regexp.QuoteMeta(words[i]) + " (.+?),? " + regexp.QuoteMeta(w) + "( |$)"
			}
		}
		if isPerson(strings.Join(rest, " ")) {
			return " " + regexp.QuoteMeta(words[i]) + " (.+)$"
		}
	}
	return ""
}

// made are words before "by" that tell of a program, and behindName those that end a name.
var made = regexp.MustCompile(`(?i)^(?:powered|hosted|built|designed|theme|template|provided|sponsored|developed)$`)

var behindName = regexp.MustCompile(`(?i)^(?:on|in|at|am|um|le|el|op|den|dne|filed|under|posted|[|·•/–—-])$`)

// author finds who wrote the object.
func (s *solo) author(title, when *candidate) *candidate {
	votes := s.vote(func(_ int, n *tree.Node, add func(string)) {
		if insideOf(n, s.comments) || unread[n.Element] || s.signed(n) == 0 {
			return
		}
		switch text := s.few(n, 8); {
		case byPrefix.MatchString(text):
			add(`=~ (?i)^(?:by|von|par|por|door|author:|autor:) (.+)$`)
		case isPerson(text):
			add("")
		}
	})
	for expr, n := range s.vote(func(_ int, n *tree.Node, add func(string)) {
		if like := byLine(s.few(n, maxLine)); like != "" && !insideOf(n, s.comments) && !unread[n.Element] {
			add("=~ " + like)
		}
	}) {
		votes[expr] = n
	}
	for _, meta := range []string{`meta[name="author"] @content`, `meta[property="article:author"] @content`} {
		votes[meta] = len(s.samples)
	}
	near := when
	if near == nil {
		near = title
	}
	return s.best("author", votes, func(c *candidate) float64 {
		told, sign, words := 0, 0.0, 0
		for i, v := range c.values {
			if _, title := s.titles[v]; v == "" || title || !isPerson(v) {
				continue
			}
			told++
			words += strings.Count(v, " ") + 1
			switch {
			case c.at[i].Name == "meta":
				sign += 0.95
			case c.expr.Like != nil:
				sign += max(0.6, s.signed(c.at[i]))
			default:
				sign += s.signed(c.at[i])
			}
		}
		n := float64(len(s.samples))
		if float64(told) < minFit*n || told < c.filled || 2*c.distinct() > c.filled+2 { // names come back
			return 0
		}
		return sign/n*(1-0.5*s.far(c, near)) - 0.01*float64(words)/n
	})
}

// words finds the text of the object: fields are those that are not part of it.
func (s *solo) words(fields ...*candidate) *candidate {
	others := maps.Clone(s.around)
	taken := make([]int, len(s.samples))
	for _, f := range fields {
		if f == nil {
			continue
		}
		for i, at := range f.at {
			if at != nil && !others[at] {
				taken[i] += s.own[at]
			}
			for n := at; n != nil; n = n.Parent {
				others[n] = true
			}
		}
	}
	gain := func(n *tree.Node) int { return 2*s.own[n] - s.inside[n] }
	votes := map[string]int{}
	for _, p := range s.samples {
		met := map[string]int{}
		for n := range p.Root.Descendants() {
			if n.Name == "" || n.Name == "html" || n.Name == "body" || unread[n.Element] || others[n] || gain(n) <= 0 || insideOf(n, s.comments) {
				continue
			}
			for _, w := range describe(n) {
				if w != n.Name || w == "article" || w == "main" { // the name of an element alone says little
					met[w] = max(met[w], gain(n))
				}
			}
		}
		for w, n := range met {
			votes[w] += n
		}
	}
	var won *candidate
	top := 0
	for _, expr := range mostVoted("text", votes) {
		var e Expression
		if e.UnmarshalText([]byte(expr)) != nil {
			continue
		}
		c := &candidate{expr: e, values: make([]string, len(s.samples)), at: make([]*tree.Node, len(s.samples))}
		score := 0
		for i, p := range s.samples {
			v, at := e.value(p.Root, nil, nil)
			if v == "" || others[at] || insideOf(at, s.comments) {
				continue
			}
			c.values[i], c.at[i] = v, at
			c.filled++
			score += gain(at)
		}
		if score > top {
			top, won = score, c
		}
	}
	if won == nil {
		return nil
	}
	own, all := 0, 0
	for i, p := range s.samples {
		all += s.own[p.Root] - taken[i]
		if won.at[i] != nil {
			own += s.own[won.at[i]]
		}
	}
	for n := range s.comments {
		if !insideOf(n.Parent, s.comments) {
			all -= s.own[n]
		}
	}
	if float64(own) < minOwn*float64(all) || float64(won.distinct()) < minDiscovered*float64(won.filled) || float64(won.filled) < minDiscovered*float64(len(s.samples)) {
		return nil
	}
	return won
}

// frame finds the element that holds the object: the innermost one around text and title that every page has one of and in which all expressions
// give what they gave on the page, or else that of the text alone. It reports whether there is one.
func (s *solo) frame(x *Extraction, text, title, when, author *candidate) bool {
	first := slices.IndexFunc(text.at, func(n *tree.Node) bool { return n != nil })
	for n := text.at[first].Parent; n != nil && n.Name != "" && n.Name != "body" && n.Name != "html"; n = n.Parent {
		for _, expr := range describe(n) {
			var err error
			if x.Each, err = ParseSelector(expr); err == nil && s.holds(x.Each, text, title) && s.reads(x, text, title, when, author) {
				return true
			}
		}
	}
	x.Each, x.Text = text.expr.Select, []Expression{{}}
	return s.reads(x, text, title, when, author)
}

// holds reports whether all pages with values have one element with them inside.
func (s *solo) holds(sel Selector, fields ...*candidate) bool {
	for i, p := range s.samples {
		list := sel.all(p.Root, nil, 2)
		if len(list) > 1 {
			return false
		}
		for _, c := range fields {
			if c.at[i] != nil && (len(list) == 0 || !insideOf(c.at[i], map[*tree.Node]bool{list[0]: true})) {
				return false
			}
		}
	}
	return true
}

// reads reports whether an extraction gives what candidates gave.
func (s *solo) reads(x *Extraction, text, title, when, author *candidate) bool {
	for i, p := range s.samples {
		list := x.extract(p.URL, p.Root).list
		if len(list) == 0 && text.values[i] == "" {
			continue
		}
		if len(list) != 1 || list[0].Text != text.values[i] || list[0].Title != title.values[i] || when != nil && when.values[i] != "" && list[0].When != when.values[i] ||
			author != nil && author.values[i] != "" && list[0].Author != author.values[i] {
			return false
		}
	}
	return true
}

// discover finds the object that there is one of on each page. Of what the application's file knows it takes what templates have no say in: the head
// of the page, and what stands at its body.
func (s *solo) discover(known *Extraction, title *candidate) *Discovered {
	d := &Discovered{Type: known.Type, Pages: len(s.samples)}
	if title == nil || len(s.samples) < minRepeated {
		return d
	}
	when := s.when(title)
	author := s.author(title, when)
	text := s.words(title, when, author)
	if text == nil {
		return d
	}
	x := &Extraction{Name: known.Type + "_discovered", Type: known.Type, Page: true, Levels: s.levels, Link: ofHead(known.Link), ID: ofHead(known.ID)}
	x.Title, x.Text = []Expression{title.expr}, []Expression{text.expr}
	for _, f := range []struct {
		list  *[]Expression
		found *candidate
		known []Expression
	}{{&x.Time, when, known.Time}, {&x.Author, author, known.Author}} {
		if f.found != nil {
			*f.list = []Expression{f.found.expr}
		}
		for _, e := range ofHead(f.known) {
			if !slices.ContainsFunc(*f.list, func(have Expression) bool { return have.String() == e.String() }) {
				*f.list = append(*f.list, e)
			}
		}
	}
	if !s.frame(x, text, title, when, author) {
		return d
	}
	for _, p := range s.samples {
		list := x.extract(p.URL, p.Root).list
		d.Objects += len(list)
		for _, o := range list {
			if o.Text != "" && o.Title != "" {
				d.Full++
			}
		}
	}
	if float64(d.Full) < minDiscovered*float64(len(s.samples)) {
		return d
	}
	x.Learned = fmt.Sprintf("by what differs between %d pages: %d objects, %d of them with a title and a text", d.Pages, d.Objects, d.Full)
	d.Learned = x
	return d
}

// ofHead returns the expressions about the head of a page, and attributes of its body.
func ofHead(list []Expression) (out []Expression) {
	for _, e := range list {
		if e.Select == nil {
			continue
		}
		all := true
		for _, w := range e.Select {
			name := w[len(w)-1].name
			all = all && (name == "link" || name == "meta" || name == "body" && e.Attr != "")
		}
		if all {
			out = append(out, e)
		}
	}
	return out
}
