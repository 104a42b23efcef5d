package relevance

import (
	"fmt"
	"maps"
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
func modulesOf(a *About, t *topic, pl *place) (list []Module) {
	if t.says() {
		list = append(list, &document{t}, &paragraph{t}, &anchor{t})
	}
	if len(a.Keywords) > 0 {
		k := &hits{name: "keywords"}
		for _, w := range a.Keywords {
			k.thing(w.Weight, w.Word)
		}
		list = append(list, k)
	}
	if len(a.Entities) > 0 {
		k := &hits{name: "entities"}
		for _, e := range a.Entities {
			k.thing(e.Weight, append([]string{e.Name}, e.Other...)...)
		}
		list = append(list, k)
	}
	if len(a.References) > 0 {
		list = append(list, &reference{t, a.References})
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
		list = append(list, &language{a.Languages})
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
	now    atomic.Pointer[vectors]
}

// vectors are what pages are compared with.
type vectors struct {
	topic            *priority.Topic
	wanted, unwanted []*priority.Topic // reference pages
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
	one := func(texts ...string) *priority.Topic { return priority.NewTopic(t.corpus, texts, priority.Weights{}) }
	v := &vectors{topic: one(t.texts...)}
	for _, r := range t.refs {
		if r.Unwanted {
			v.unwanted = append(v.unwanted, one(r.Text))
		} else {
			v.wanted = append(v.wanted, one(r.Text))
		}
	}
	t.now.Store(v)
}

// learn counts the words of a page, while there is something to learn.
func (t *topic) learn(text string) {
	if len(t.texts) == 0 && len(t.refs) == 0 || t.pages.Load() >= learnedPages {
		return
	}
	t.corpus.Show(text[:min(len(text), maxText)])
	switch n := t.pages.Add(1); n {
	case 16, 64, 256, 1024, learnedPages:
		t.remake()
	}
}

// near is the cosine of words with the topic; none without words.
func (t *topic) near(w words) (o Opinion) {
	if len(w) == 0 {
		return o
	}
	now := t.now.Load()
	if !now.topic.Has(w) {
		return scope.Is(0.0)
	}
	return scope.Is(now.topic.Cosine(t.corpus.VectorOf(w)))
}

type document struct{ t *topic }

func (document) Name() string                       { return "document" }
func (d *document) Page(p *Page) Opinion            { return d.t.near(p.words) }
func (document) Link(*Page, *priority.Link) Opinion { return Opinion{} }
func (document) Why(p *Page, _ *priority.Link) string {
	return fmt.Sprintf("%d words compared", len(p.words))
}

type paragraph struct{ t *topic }

func (paragraph) Name() string                              { return "paragraph" }
func (paragraph) Page(*Page) Opinion                        { return Opinion{} }
func (m *paragraph) Link(p *Page, l *priority.Link) Opinion { return m.t.near(p.linkWords(l).around) }
func (paragraph) Why(_ *Page, l *priority.Link) string      { return clip(l.Around) }

type anchor struct{ t *topic }

func (anchor) Name() string                              { return "anchor" }
func (anchor) Page(*Page) Opinion                        { return Opinion{} }
func (m *anchor) Link(p *Page, l *priority.Link) Opinion { return m.t.near(p.linkWords(l).anchor) }
func (anchor) Why(_ *Page, l *priority.Link) string      { return clip(l.Anchor) }

// hits are keywords or names in a text. A page without any is not about them; a link without any says nothing.
type hits struct {
	terms
	name string
}

func (h *hits) Name() string { return h.name }

func (h *hits) Page(p *Page) (o Opinion) {
	if len(p.words) > 0 {
		o = scope.Is(h.score(h.count(p.words)))
	}
	return o
}

func (h *hits) Link(p *Page, l *priority.Link) (o Opinion) {
	if found := h.count(p.linkWords(l).all); found != nil {
		o = scope.Is(h.score(found))
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

// Why lists what was found, and one passage.
func (h *hits) Why(p *Page, l *priority.Link) string {
	w, text := p.words, p.Title+"\n"+p.Text
	if l != nil && h.count(p.linkWords(l).all) != nil {
		w, text = p.linkWords(l).all, l.Anchor+" "+l.Around
	}
	found := h.count(w)
	var out []string
	passage := ""
	for _, thing := range slices.Sorted(maps.Keys(found)) {
		sign := ""
		if h.weight[thing] < 0 {
			sign = "unwanted "
		}
		out = append(out, fmt.Sprintf("%s%s %d", sign, h.terms.name[thing], found[thing]))
		if i := strings.Index(strings.ToLower(text), strings.ToLower(h.terms.name[thing])); i >= 0 && passage == "" && i < len(text) {
			passage = ": " + clip(strings.ToValidUTF8(text[max(0, i-60):], ""))
		}
	}
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
type reference struct {
	t    *topic
	refs []Reference
}

func (*reference) Name() string { return "reference" }

func (r *reference) nearest(p *Page) (w, u float64, v *vectors) {
	v = r.t.now.Load()
	vector := r.t.corpus.VectorOf(p.words)
	for _, one := range v.wanted {
		w = max(w, one.Cosine(vector))
	}
	for _, one := range v.unwanted {
		u = max(u, one.Cosine(vector))
	}
	return w, u, v
}

func (r *reference) Page(p *Page) (o Opinion) {
	if len(p.words) == 0 {
		return o
	}
	w, u, v := r.nearest(p)
	switch {
	case len(v.unwanted) == 0:
		return scope.Is(w)
	case len(v.wanted) == 0:
		return scope.Is(1 - u)
	}
	return scope.Is((1 + w - u) / 2)
}

func (*reference) Link(*Page, *priority.Link) Opinion { return Opinion{} }

func (r *reference) Why(p *Page, _ *priority.Link) string {
	w, u, _ := r.nearest(p)
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

type language struct{ wanted []string }

func (*language) Name() string { return "language" }

func (m *language) Page(p *Page) (o Opinion) {
	if p.Language == "" {
		return o
	}
	o = scope.Is(0.0)
	for _, w := range m.wanted {
		if scope.LanguageIs(p.Language, w) {
			o.Value = 1
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

// of returns the host of a URL and the first part of its path below it.
func (*place) of(url string) (host, folder string) {
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

// way passes on what led to a page: relevant pages often lie behind one that says little itself, a list or the page of a person. With
// each step the opinion is mixed with those of the others, so it fades (shark search, Hersovici and others 1998).
type way struct{}

func (way) Name() string                           { return "way" }
func (way) Page(*Page) Opinion                     { return Opinion{} }
func (way) Link(p *Page, _ *priority.Link) Opinion { return p.Score }
func (way) Why(*Page, *priority.Link) string       { return "the score of the page that has the link" }

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
