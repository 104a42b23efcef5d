package relevance

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"varve/crawl/priority"
	"varve/crawl/scope"
	"varve/web/canon"
)

// modulesOf returns the modules that a definition has something for.
func modulesOf(a *About, t *topic, all *terms, pl *place) (list []Module) {
	if t.says() {
		list = append(list, document{}, paragraph{}, anchor{})
	}
	if len(a.Keywords) > 0 {
		for _, w := range a.Keywords {
			all.thing(w.Weight, w.Word)
		}
		list = append(list, &hits{all, "keywords", 0, len(all.weight), 0})
	}
	if len(a.Entities) > 0 {
		from := len(all.weight)
		for _, e := range a.Entities {
			all.thing(e.Weight, append([]string{e.Name}, e.Other...)...)
		}
		list = append(list, &hits{all, "entities", from, len(all.weight), 1})
	}
	if len(a.References) > 0 {
		r := &reference{}
		for _, one := range a.References {
			r.wanted, r.unwanted = r.wanted || !one.Unwanted, r.unwanted || one.Unwanted
		}
		list = append(list, r)
	}
	if len(a.Patterns) > 0 {
		u := &patterns{}
		for _, p := range a.Patterns {
			u.list = append(u.list, regexp.MustCompile(p.Regex)) // Check has compiled it
			u.weight = append(u.weight, p.Weight)
		}
		list = append(list, u)
	}
	if len(a.Languages) > 0 {
		list = append(list, &language{a.Languages, len(list)+len(a.Events) == 0 && !a.Nation.Given()})
	}
	if len(a.Events) > 0 {
		y := &years{}
		for _, e := range a.Events {
			if span, err := e.span(); err == nil {
				y.spans = append(y.spans, span)
			}
		}
		list = append(list, y)
	}
	return append(list, pl, way{}, spamOf{})
}

// topic is what the definition says in words, as a vector. Words that most pages have say little: how common they are is learned from the
// first pages of the crawl, and the vector is made anew a few times while that goes on.
type topic struct {
	corpus *priority.Corpus
	texts  []string
	refs   []Reference
	pages  atomic.Int64
	now    atomic.Pointer[lexicon] // nil: there is nothing to compare with
}

// learnedPages is how many pages teach how common words are.
const learnedPages = 2048

// maxLearned is how many words are known at most.
const maxLearned = 200_000

func newTopic(a *About, texts []string, corpus *priority.Corpus) *topic {
	t := &topic{corpus: corpus, texts: slices.Clone(texts), refs: a.References}
	var b strings.Builder
	say := func(weight float64, words string) {
		for range int(min(max(weightOf(weight), 1), 10)) { // a count is what gives a term of a text its weight
			b.WriteString(words + "\n")
		}
	}
	for _, k := range a.Keywords {
		if weightOf(k.Weight) > 0 {
			say(k.Weight, k.Word)
		}
	}
	for _, e := range a.Entities {
		if weightOf(e.Weight) > 0 {
			say(e.Weight, e.Name)
		}
	}
	if b.Len() > 0 {
		t.texts = append(t.texts, b.String())
	}
	t.remake()
	return t
}

// says reports whether there are words to compare with.
func (t *topic) says() bool { return len(t.texts) > 0 }

func (t *topic) remake() {
	if len(t.texts) == 0 && len(t.refs) == 0 {
		return
	}
	one := func(texts ...string) priority.Vector {
		return priority.NewTopic(t.corpus, texts, priority.Weights{}).Vector()
	}
	var refs []priority.Vector
	var unwanted []bool
	for _, r := range t.refs {
		refs, unwanted = append(refs, one(r.Text)), append(unwanted, r.Unwanted)
	}
	t.now.Store(newLexicon(t.corpus, one(t.texts...), refs, unwanted))
}

// learn counts the words of a page, while there is something to learn.
func (t *topic) learn(s *scan) {
	if s.lex == nil || t.pages.Load() >= learnedPages {
		return
	}
	terms := make([]uint64, 0, len(s.distinct))
	for i := range s.distinct {
		if s.distinct[i].count > 0 {
			terms = append(terms, s.distinct[i].hash)
		}
	}
	t.corpus.ShowTerms(terms)
	if n := t.pages.Add(1); n&(n-1) == 0 { // 1, 2, 4 and so on
		t.remake()
	}
}

type document struct{}

func (document) Name() string { return "document" }

func (document) Page(p *Page) (o Opinion) {
	if p.scan.page > 0 {
		o = scope.Is(p.scan.near)
	}
	return o
}

func (document) Link(*Page, *priority.Link) Opinion { return Opinion{} }
func (document) Why(p *Page, _ *priority.Link) string {
	return fmt.Sprintf("%d words compared", p.scan.page)
}

type paragraph struct{}

func (paragraph) Name() string                           { return "paragraph" }
func (paragraph) Page(*Page) Opinion                     { return Opinion{} }
func (paragraph) Link(p *Page, l *priority.Link) Opinion { return p.scan.cosine(p.linkWords(l).around) }
func (paragraph) Why(_ *Page, l *priority.Link) string   { return clip(l.Around) }

type anchor struct{}

func (anchor) Name() string                           { return "anchor" }
func (anchor) Page(*Page) Opinion                     { return Opinion{} }
func (anchor) Link(p *Page, l *priority.Link) Opinion { return p.scan.cosine(p.linkWords(l).anchor) }
func (anchor) Why(_ *Page, l *priority.Link) string   { return clip(l.Anchor) }

// hits are keywords or names in a text. A page without any is not about them. With S(x) the sum of weight * (1 + ln count) over what is in x, and n
// the words of the page, a link is worth what S(link) + inherited is, with
//
//	inherited = S(page) / 2 * min(1, sqrt(short / n))
//
// A link with a keyword is so always worth more than its neighbour without one, and a long list, which has a keyword in some
// line, does not lift all its lines. Without that a link with one keyword on a page with many was worth less than one with none, which had the whole
// opinion of the page: docs/algorithms/relevance.md has what it cost.
type hits struct {
	*terms
	name     string
	from, to int // things of the terms that are its own
	heir     int // place in scan.inherit
}

// short is how many words a page has at most whose links have all of what they inherit.
const short = 100

func (h *hits) Name() string { return h.name }

// count counts those of a list that are its own and end before a word.
func (h *hits) count(s *scan, list []hit, end int) {
	for _, x := range list {
		if t := int(x.thing); t >= h.from && t < h.to && int(x.to) <= end {
			s.count(x.thing)
		}
	}
}

// countPage counts those of title and text.
func (h *hits) countPage(s *scan) { h.count(s, s.within(span{0, s.page}), s.page) }

// countLink counts those of a link.
func (h *hits) countLink(s *scan, w *linkWords) {
	for _, at := range [...]span{w.anchor, w.around} {
		if at.from < at.to {
			h.count(s, s.within(at), at.to)
		}
	}
	h.count(s, s.inPaths[w.path.from:w.path.to], len(s.words))
}

// sum is the S of what was counted.
func (h *hits) sum(s *scan) (sum float64) {
	s.counted(func(thing, n int) { sum += h.weight[thing] * tf(n) })
	return sum
}

// Page is asked before Link, which goes by what it leaves.
func (h *hits) Page(p *Page) (o Opinion) {
	s := p.scan
	if s.inherit[h.heir] = 0; s.page > 0 {
		h.countPage(s)
		sum := h.sum(s)
		s.inherit[h.heir] = sum / 2 * min(1, math.Sqrt(short/float64(s.page)))
		o = scope.Is(worth(sum))
	}
	return o
}

func (h *hits) Link(p *Page, l *priority.Link) (o Opinion) {
	s := p.scan
	h.countLink(s, p.linkWords(l))
	if len(s.which) > 0 || s.page > 0 {
		o = scope.Is(worth(h.sum(s) + s.inherit[h.heir]))
	}
	return o
}

// path is a URL without scheme and host.
func path(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return ""
}

// Why lists what was found, of a link first in it and then on its page, each with one passage.
func (h *hits) Why(p *Page, l *priority.Link) string {
	why := ""
	if l != nil {
		if h.countLink(p.scan, p.linkWords(l)); len(p.scan.which) > 0 {
			why = h.list(p.scan, l.Anchor+" "+l.Around)
		}
	}
	if h.countPage(p.scan); len(p.scan.which) > 0 {
		if why != "" {
			why += "; "
		}
		if l != nil {
			why += "on its page "
		}
		why += h.list(p.scan, p.Title+"\n"+p.Text)
	}
	return why
}

// list names what was counted, with the first passage of a text that has one of them.
func (h *hits) list(s *scan, text string) string {
	var out []string
	passage := ""
	s.counted(func(thing, n int) {
		sign := ""
		if h.weight[thing] < 0 {
			sign = "unwanted "
		}
		out = append(out, fmt.Sprintf("%s%s %d", sign, h.terms.name[thing], n))
		if i := strings.Index(strings.ToLower(text), strings.ToLower(h.terms.name[thing])); i >= 0 && passage == "" && i < len(text) {
			passage = ": " + clip(strings.ToValidUTF8(text[max(0, i-60):], ""))
		}
	})
	if len(out) > 12 {
		out = append(out[:12], fmt.Sprintf("and %d more", len(out)-12))
	}
	return strings.Join(out, ", ") + passage
}

// clip cuts a passage.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "..."
	}
	return s
}

// reference compares a page with reference pages. With w the nearest wanted one and u the nearest unwanted one,
//
//	opinion = w                 where only wanted pages are given
//	          (1 + w - u) / 2   where both are
//	          1 - u             where only unwanted ones are
type reference struct{ wanted, unwanted bool } // which are given

func (*reference) Name() string { return "reference" }

func (r *reference) Page(p *Page) (o Opinion) {
	if p.scan.page == 0 {
		return o
	}
	w, u := p.scan.references()
	switch {
	case !r.unwanted:
		return scope.Is(w)
	case !r.wanted:
		return scope.Is(1 - u)
	}
	return scope.Is((1 + w - u) / 2)
}

func (*reference) Link(*Page, *priority.Link) Opinion { return Opinion{} }

func (*reference) Why(p *Page, _ *priority.Link) string {
	w, u := p.scan.references()
	return fmt.Sprintf("nearest wanted page %.2f, unwanted %.2f", w, u)
}

// patterns are addresses that people weighed; the last that matches counts, and most match none.
type patterns struct {
	list   []*regexp.Regexp
	weight []float64
}

func (*patterns) Name() string { return "url" }

func (u *patterns) match(url string) (n int) {
	for n = len(u.list) - 1; n >= 0 && !u.list[n].MatchString(url); n-- {
	}
	return n
}

func (u *patterns) of(url string) (o Opinion) {
	if n := u.match(url); n >= 0 {
		o = scope.Is((1 + u.weight[n]) / 2)
	}
	return o
}

func (u *patterns) Page(p *Page) Opinion                   { return u.of(p.URL) }
func (u *patterns) Link(_ *Page, l *priority.Link) Opinion { return u.of(l.URL) }

func (u *patterns) Why(p *Page, l *priority.Link) string {
	url := p.URL
	if l != nil && u.match(l.URL) >= 0 {
		url = l.URL
	}
	return u.list[u.match(url)].String()
}

// language tells pages that nobody who is wanted can read. One in a wanted language is not about the topic for that: it has an opinion on such a page only
// where a definition asks for nothing but languages.
type language struct {
	wanted []string
	alone  bool
}

func (*language) Name() string { return "language" }

func (m *language) Page(p *Page) (o Opinion) {
	if p.Language == "" {
		return o
	}
	o = scope.Is(0.0)
	for _, w := range m.wanted {
		if scope.LanguageIs(p.Language, w) {
			return Opinion{Value: 1, Set: m.alone}
		}
	}
	return o
}

func (*language) Link(*Page, *priority.Link) Opinion   { return Opinion{} }
func (*language) Why(p *Page, _ *priority.Link) string { return "the page is in " + p.Language }

// years is the share of the years that a text names which lie in an event.
type years struct{ spans [][2]int }

func (*years) Name() string { return "time" }

func (y *years) count(text string) (in, all int) {
	for i := 0; i+4 <= len(text); i++ {
		if text[i] != '1' && text[i] != '2' || i > 0 && isDigit(text[i-1]) {
			continue
		}
		year := 0
		n := i
		for ; n < len(text) && isDigit(text[n]) && n < i+5; n++ {
			year = 10*year + int(text[n]-'0')
		}
		if n != i+4 || year < 1500 || year > 2199 {
			continue
		}
		all++
		for _, s := range y.spans {
			if year >= s[0] && year <= s[1] {
				in++
				break
			}
		}
	}
	return in, all
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (y *years) Page(p *Page) (o Opinion) {
	if in, all := y.count(p.Title + "\n" + p.Text[:min(len(p.Text), maxText)]); all > 0 {
		o = scope.Is(float64(in) / float64(all))
	}
	return o
}

func (*years) Link(*Page, *priority.Link) Opinion { return Opinion{} }

func (y *years) Why(p *Page, _ *priority.Link) string {
	in, all := y.count(p.Title + "\n" + p.Text)
	return fmt.Sprintf("%d of %d years named", in, all)
}

// place learns what pages below a path are worth: the mean relevance of those seen at a host, and below the first part of its paths. It
// has an opinion from a few pages on, and on links only: the page itself is known better.
type place struct {
	mu   sync.Mutex
	seen map[string]sum
}

const (
	placePages = 5       // from which on there is an opinion
	maxPlaces  = 100_000 // that are remembered
)

func newPlace() *place { return &place{seen: map[string]sum{}} }

// of returns the host of a URL and the first part of its path below it. Links come as they are written in the queue (web/canon), so that
// these are pieces of most URLs; what may be written otherwise is brought into that form.
func (*place) of(url string) (host, folder string) {
	if begin := strings.Index(url, "://") + 3; begin > 2 {
		for i := begin; i < len(url); i++ {
			switch c := url[i]; {
			case c >= 'a' && c <= 'z' || isDigit(c) || c == '.' || c == '-' || c == '_':
				continue
			case c != '/' || i == begin:
			default:
				return url[begin:i], folderOf(url, begin, i+1)
			}
			break
		}
	}
	u, err := canon.Parse(url)
	if err != nil {
		return "", ""
	}
	first, _, more := strings.Cut(strings.TrimPrefix(u.Path(), "/"), "/")
	if more {
		folder = u.HostPort() + "/" + first + "/"
	}
	return u.HostPort(), folder
}

// folderOf returns host and first folder of a URL whose path begins before a byte; "" if it lies at the top.
func folderOf(url string, host, path int) string {
	for i := path; i < len(url) && url[i] != '?' && url[i] != '#'; i++ {
		if url[i] == '/' {
			return url[host : i+1]
		}
	}
	return ""
}

func (pl *place) learn(url string, relevance float64) {
	host, folder := pl.of(url)
	pl.mu.Lock()
	defer pl.mu.Unlock()
	for _, key := range []string{host, folder} {
		s, known := pl.seen[key]
		if key == "" || !known && len(pl.seen) >= maxPlaces {
			continue
		}
		s.add(scope.Is(relevance), 1)
		pl.seen[key] = s
	}
}

func (pl *place) best(url string) (o Opinion, key string) {
	host, folder := pl.of(url)
	pl.mu.Lock()
	defer pl.mu.Unlock()
	for _, key = range []string{folder, host} {
		if s := pl.seen[key]; s.weight >= placePages {
			return scope.Is(s.value / s.weight), key
		}
	}
	return o, ""
}

func (*place) Name() string       { return "place" }
func (*place) Page(*Page) Opinion { return Opinion{} }

func (pl *place) Link(_ *Page, l *priority.Link) Opinion {
	o, _ := pl.best(l.URL)
	return o
}

func (pl *place) Why(_ *Page, l *priority.Link) string {
	_, key := pl.best(l.URL)
	return "mean of the pages at " + key
}

// way passes on half of what led to a page: relevant pages often lie behind one that says little itself, a list or the page of a person. It
// fades with each step, by a half and by what the others say (shark search, Hersovici and others 1998).
type way struct{}

func (way) Name() string       { return "way" }
func (way) Page(*Page) Opinion { return Opinion{} }
func (way) Link(p *Page, _ *priority.Link) Opinion {
	return Opinion{Value: p.Score.Value / 2, Set: p.Score.Set}
}

func (way) Why(*Page, *priority.Link) string { return "half the score of the page that has the link" }

// spamOf asks how likely the host of a link is spam.
type spamOf struct{}

func (spamOf) Name() string       { return "spam" }
func (spamOf) Page(*Page) Opinion { return Opinion{} }

func (spamOf) Link(p *Page, l *priority.Link) (o Opinion) {
	if p.Spam != nil {
		if s, ok := p.Spam(l.URL); ok {
			o = scope.Is(1 - s)
		}
	}
	return o
}
