package proposal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"varve/crawl/priority"
	"varve/crawl/relevance"
	"varve/language"
	"varve/language/mention"
	"varve/language/term"
	"varve/page"
	"varve/text/lang"
	"varve/web/canon"
	"varve/web/links"
)

// Kind says what a proposal becomes in a definition.
type Kind string

// The kinds, in the order of lists.
const (
	Term     Kind = "term"
	Name     Kind = "name"
	Host     Kind = "host"
	Language Kind = "language"
	Month    Kind = "month"
	Example  Kind = "page"
	National Kind = "national"
	Search   Kind = "search"
)

// kinds are all kinds with the number of proposals that are made of each.
var kinds = []struct {
	kind Kind
	most int
}{{Term, 60}, {Name, 40}, {Host, 20}, {Language, 5}, {Month, 5}, {Example, 10}, {National, 50}, {Search, 40}}

// Kinds returns all kinds, in the order of lists.
func Kinds() (out []Kind) {
	for _, k := range kinds {
		out = append(out, k.kind)
	}
	return out
}

// Proposal is what could become part of a definition.
type Proposal struct {
	Key   string       `json:"key"`
	Kind  Kind         `json:"kind"`
	Text  string       `json:"text"`            // the term, name, host, national host, language, month, or address of the page
	Other []string     `json:"other,omitempty"` // other forms of a name
	Type  mention.Type `json:"type,omitempty"`  // of a name
	Score float64      `json:"score"`           // 1 for the best of its kind

	Pages     int `json:"pages"`               // that have it, or link to it
	Count     int `json:"count,omitempty"`     // times it was met
	Hosts     int `json:"hosts,omitempty"`     // of these pages, for a host
	Addresses int `json:"addresses,omitempty"` // at a host that are linked to
	Near      int `json:"near,omitempty"`      // of these pages, those that have something of the definition too

	URL     string    `json:"url"`               // a page that has it: whoever may not see that page is not told of the proposal
	Time    time.Time `json:"time"`              // of its capture
	Passage string    `json:"passage,omitempty"` // of that page
	Body    string    `json:"body,omitempty"`    // of a page: its text
}

// List is what was proposed from some pages.
type List struct {
	From    string     `json:"from"`              // which pages were read
	Pages   int        `json:"pages"`             // with text, that were read
	Missing []string   `json:"missing,omitempty"` // what could not be looked for, and in how many pages
	Items   []Proposal `json:"items"`             // by kind, the best of each first
}

// Page is a page to learn from.
type Page struct {
	URL  string
	Time time.Time
	MIME string
	Body []byte
	Seed bool // it is the page of a seed
}

// Limits of what is read.
const (
	MaxPages    = 1000
	MaxBody     = 4 << 20 // bytes of one page
	maxText     = 32 << 10
	maxLinked   = 20_000 // addresses that are counted
	maxExample  = 8 << 10
	fewestWords = 20 // of a page that is an example

	maxNationText = 128 << 10
)

// Gatherer counts what pages have. It is not for concurrent use.
type Gatherer struct {
	reader   *page.Reader
	analyser *language.Analyser

	texts     []text
	terms     map[string]*term.Set // by language
	names     map[string]*named
	hosts     map[string]*linked
	own       map[string]bool // hosts of the pages
	addresses int
	languages map[string][]int // pages by language
	months    map[string][]int
	missing   map[string]int
	asked     map[string]int         // what people searched for
	nation    *relevance.NationJudge // nil: none is looked for
	judged    []*relevance.Page      // pages as the judge of the nation looks at them
}

// text is a page that was read.
type text struct {
	url, host string
	time      time.Time
	body      string
	lower     string
	seed      bool
}

// named is a name with how it was met.
type named struct {
	forms map[string]int
	types map[mention.Type]int
	pages []int
	count int
}

// linked is a host that pages link to.
type linked struct {
	pages, hosts, addresses map[string]bool
	first                   int // page
}

// New returns a gatherer.
func New() *Gatherer {
	return &Gatherer{
		reader: page.NewReader(), analyser: language.New(),
		terms: map[string]*term.Set{}, names: map[string]*named{}, hosts: map[string]*linked{}, own: map[string]bool{},
		languages: map[string][]int{}, months: map[string][]int{}, missing: map[string]int{},
	}
}

// Seek has hosts looked for that belong to a nation though they lie outside its domains. It is called before the first page.
func (g *Gatherer) Seek(n relevance.Nation) {
	if n.Given() {
		g.nation = relevance.NewNationJudge(n)
	}
}

// Full reports whether no more pages are taken.
func (g *Gatherer) Full() bool { return len(g.texts) >= MaxPages }

// Lose counts a page that cannot be read.
func (g *Gatherer) Lose() { g.missing["the record cannot be read"]++ }

// Add reads a page. One without text says nothing.
func (g *Gatherer) Add(ctx context.Context, p Page) error {
	u, err := canon.Parse(p.URL)
	if err != nil || g.Full() {
		return nil //nolint:nilerr // no address of the web
	}
	var out []links.Link
	read, err := g.reader.Read(page.Input{URL: p.URL, MIME: p.MIME, Body: p.Body}, page.Want{Main: true, Links: func(l links.Link) {
		if l.Hop == links.HopLink {
			out = append(out, links.Link{URL: strings.Clone(l.URL)})
		}
	}})
	if err != nil && read.Main == "" || !read.HTML {
		return ctx.Err()
	}
	main := strings.TrimSpace(cut(read.Main, maxText))
	if main == "" {
		return ctx.Err()
	}
	n := len(g.texts)
	g.texts = append(g.texts, text{url: u.String(), host: u.HostPort(), time: p.Time, body: main, lower: strings.ToLower(main), seed: p.Seed})
	g.own[u.HostPort()] = true
	g.link(n, out)
	if g.nation != nil { // of the whole text: addresses stand at its foot
		p := &relevance.Page{URL: u.String(), Title: read.Info.Title, Text: cut(read.Info.Text, maxNationText), Language: lang.Default().Identify(main).Lang}
		for _, l := range out {
			p.Links = append(p.Links, priority.Link{URL: l.URL})
		}
		g.nation.Learn(p)
		g.judged = append(g.judged, p)
	}
	return g.say(ctx, n, read.Info.Title+".\n"+main)
}

// cut shortens a text to at most so many bytes, at a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// link counts the hosts that a page links to.
func (g *Gatherer) link(n int, list []links.Link) {
	from := g.texts[n]
	for _, l := range list {
		to, err := canon.Parse(l.URL)
		if err != nil || to.HostPort() == from.host {
			continue
		}
		h := g.hosts[to.HostPort()]
		if h == nil {
			if g.addresses >= maxLinked {
				continue
			}
			h = &linked{pages: map[string]bool{}, hosts: map[string]bool{}, addresses: map[string]bool{}, first: n}
			g.hosts[to.HostPort()] = h
		}
		h.pages[from.url], h.hosts[from.host] = true, true
		if key := to.WithoutFragment().String(); !h.addresses[key] && g.addresses < maxLinked {
			h.addresses[key] = true
			g.addresses++
		}
	}
}

// say counts what a text says.
func (g *Gatherer) say(ctx context.Context, n int, said string) error {
	guess := lang.Default().Identify(said)
	if guess.Lang == "" || guess.Confidence < 0.5 {
		g.missing["the language of the text is not known"]++
		return ctx.Err()
	}
	g.languages[guess.Lang] = append(g.languages[guess.Lang], n)
	doc, err := g.analyser.Analyse(ctx, language.Text{Text: said, Language: guess.Lang}, language.Sentences, language.Mentions, language.Times)
	if err != nil {
		return err
	}
	for _, m := range doc.Missing {
		g.missing[m.Why]++
	}
	for _, m := range doc.Mentions {
		g.name(n, m)
	}
	for _, t := range doc.Times {
		if from := t.Earliest; !from.IsZero() && !t.Latest.IsZero() && !t.Latest.After(from.AddDate(0, 0, 31)) && t.Latest.Add(-time.Nanosecond).Month() == from.Month() {
			month := from.Format("2006-01")
			if pages := g.months[month]; len(pages) == 0 || pages[len(pages)-1] != n {
				g.months[month] = append(pages, n)
			}
		}
	}
	return g.term(guess.Lang, said, doc)
}

// term counts the candidates of a text.
func (g *Gatherer) term(lang, said string, doc *language.Document) error {
	set := g.terms[lang]
	if set == nil {
		var err error
		if set, err = term.New(lang, term.Options{}); err != nil {
			g.missing[err.Error()]++
			return nil
		}
		g.terms[lang] = set
	} else {
		set.NextDocument()
	}
	m := 0
	var tokens []term.Token
	for _, s := range doc.Sentences {
		tokens = tokens[:0]
		for _, t := range s.Tokens {
			for m < len(doc.Mentions) && doc.Mentions[m].End <= t.Start {
				m++
			}
			name := m < len(doc.Mentions) && doc.Mentions[m].Start <= t.Start
			tokens = append(tokens, term.Token{Text: t.Text, Start: t.Start, End: t.End, Penn: t.Penn, Lemma: t.Lemma, Name: name})
		}
		set.Add(said, tokens)
	}
	return nil
}

// surest is the least confidence of a mention that counts.
const surest = 0.5

func (g *Gatherer) name(n int, m language.Mention) {
	form := strings.Join(strings.Fields(m.Text), " ")
	if m.Confidence < surest || len(form) < 3 || len(form) > 100 {
		return
	}
	x := g.names[strings.ToLower(form)]
	if x == nil {
		x = &named{forms: map[string]int{}, types: map[mention.Type]int{}}
		g.names[strings.ToLower(form)] = x
	}
	x.forms[form]++
	x.types[m.Type]++
	x.count++
	if len(x.pages) == 0 || x.pages[len(x.pages)-1] != n {
		x.pages = append(x.pages, n)
	}
}

// List returns what the pages propose for a definition, without what it has already.
func (g *Gatherer) List(from string, about relevance.About) List {
	l := List{From: from, Pages: len(g.texts), Items: []Proposal{}}
	for _, why := range slices.Sorted(maps.Keys(g.missing)) {
		l.Missing = append(l.Missing, fmt.Sprintf("%s (%d pages)", why, g.missing[why]))
	}
	if g.Full() {
		l.Missing = append(l.Missing, fmt.Sprintf("no more than %d pages were read", MaxPages))
	}
	names := g.proposeNames()
	near := g.near(about)
	all := map[Kind][]Proposal{Term: near.weigh(g.proposeTerms(names)), Name: near.weigh(names), Host: g.proposeHosts(), Language: g.proposeLanguages(), Month: g.proposeMonths(), Example: g.proposePages(), National: g.proposeNational(), Search: g.proposeSearches()}
	for _, k := range kinds {
		list := slices.DeleteFunc(all[k.kind], func(p Proposal) bool { p.Kind = k.kind; return p.In(about) })
		slices.SortStableFunc(list, func(a, b Proposal) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Text, b.Text)) })
		list = list[:min(len(list), k.most)]
		for _, p := range list {
			best := list[0].Score
			p.Kind, p.Key = k.kind, string(k.kind)+":"+p.Text
			p.Score = math.Round(100*p.Score/best) / 100
			l.Items = append(l.Items, p)
		}
	}
	return l
}

// company says which pages have a wanted keyword or name of the definition.
type company struct {
	g   *Gatherer
	has []bool
	n   int // that have one
}

// near looks for the definition in the pages.
func (g *Gatherer) near(about relevance.About) company {
	c := company{g: g, has: make([]bool, len(g.texts))}
	judge, err := relevance.New(relevance.About{Keywords: about.Keywords, Entities: about.Entities}, nil)
	if err != nil {
		return c // a definition that cannot be taken says nothing here, and is told of where it stands
	}
	for i, t := range g.texts {
		p := &relevance.Page{URL: t.url, Text: t.body}
		judge.Rate(p)
		if c.has[i] = judge.Hits(p); c.has[i] {
			c.n++
		}
		judge.Done(p)
	}
	return c
}

// fewestNear is how many pages must have something of the definition, and how many must not, before company is asked for.
const fewestNear = 5

// weigh weighs proposals by the company that they keep: what is frequent in a site is not yet near what the crawl is about. With t the pages that
// have a term, r those that have something of the definition, of n pages,
//
//	kept = (|t and r| + 2 r/n) / (|t| + 2)             how often it stands beside the definition, 2 pages by chance added
//	score * max(0, (kept - r/n) / (1 - r/n))           1: always beside it; 0: as often as chance would have it, and it is left out
//
// Of 200 pages 40 are near: a term on 20 pages, 12 of them near, has kept = 12.4 / 22 = 0.564 and 0.455 of its score.
func (c company) weigh(list []Proposal) (out []Proposal) {
	if c.n < fewestNear || len(c.has)-c.n < fewestNear {
		return list
	}
	chance := float64(c.n) / float64(len(c.has))
	for _, p := range list {
		with, both := 0, 0
		for i, t := range c.g.texts {
			if containsWord(t.lower, strings.ToLower(p.Text)) {
				with++
				if c.has[i] {
					both++
				}
			}
		}
		kept := (float64(both) + 2*chance) / (float64(with) + 2)
		if p.Score *= (kept - chance) / (1 - chance); p.Score > 0 {
			p.Near = both
			out = append(out, p)
		}
	}
	return out
}

// containsWord reports whether a word stands whole in a text.
func containsWord(text, word string) bool {
	letter := func(s string, last bool) bool {
		r, _ := utf8.DecodeRuneInString(s)
		if last {
			r, _ = utf8.DecodeLastRuneInString(s)
		}
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	for {
		at := strings.Index(text, word)
		if at < 0 || word == "" {
			return false
		}
		end := at + len(word)
		if (at == 0 || !letter(text[:at], true)) && (end == len(text) || !letter(text[end:], false)) {
			return true
		}
		text = text[end:]
	}
}

// twice is how many pages must have a term or a month.
func (g *Gatherer) twice() int {
	if len(g.texts) >= 5 {
		return 2
	}
	return 1
}

// proposeTerms leaves out words that stand in a proposed name, and those that are met in a longer term alone. A term that pages of several languages
// have, or that is written in several ways which a definition takes for one, is proposed once.
func (g *Gatherer) proposeTerms(names []Proposal) (out []Proposal) {
	var known []string
	for _, n := range names {
		for _, form := range append(n.Other, n.Text) {
			known = append(known, padded(form))
		}
	}
	for _, lang := range slices.Sorted(maps.Keys(g.terms)) {
		list := slices.DeleteFunc(g.terms[lang].Terms(800, term.Combined), func(t term.Term) bool {
			return t.Score <= 0 || t.Documents < g.twice() || slices.ContainsFunc(known, func(name string) bool { return strings.Contains(name, padded(t.Text())) })
		})
		for _, t := range list {
			nested := func(longer term.Term) bool {
				return longer.Frequency == t.Frequency && longer.Key != t.Key && strings.Contains(padded(longer.Key), padded(t.Key))
			}
			if !slices.ContainsFunc(list, nested) {
				p := Proposal{Text: t.Text(), Score: t.Score, Pages: t.Documents, Count: t.Frequency}
				same := func(o Proposal) bool {
					one := relevance.About{Keywords: []relevance.Keyword{{Word: o.Text}}}
					return one.Says(p.Text)
				}
				if i := slices.IndexFunc(out, same); i >= 0 {
					out[i].Score, out[i].Pages, out[i].Count = max(out[i].Score, p.Score), out[i].Pages+p.Pages, out[i].Count+p.Count
					continue
				}
				g.show(&p, p.Text, nil)
				out = append(out, p)
			}
		}
	}
	return out
}

// padded is a text in lower case with blanks at its ends, so that whole words are found in it.
func padded(s string) string { return " " + strings.ToLower(s) + " " }

// show names a page that has a word, the one that has it most often, with a passage.
func (g *Gatherer) show(p *Proposal, word string, among []int) {
	lower, best, at := strings.ToLower(word), 0, -1
	look := func(n int) {
		if times := strings.Count(g.texts[n].lower, lower); times > best {
			best, at = times, n
		}
	}
	for _, n := range among {
		look(n)
	}
	for n := range g.texts {
		if among == nil {
			look(n)
		}
	}
	switch {
	case at >= 0:
		p.Passage = around(g.texts[at].body, strings.Index(g.texts[at].lower, lower))
	case len(among) > 0:
		at = among[0]
	default:
		at = 0 // it stands in a title alone
	}
	p.URL, p.Time = g.texts[at].url, g.texts[at].time
}

// around cuts a passage out of a text. Lower case may be longer or shorter than what it is of, so the place is a guess.
func around(s string, at int) string {
	from := min(max(at-60, 0), len(s))
	s = strings.ToValidUTF8(s[from:min(from+200, len(s))], "")
	return strings.Join(strings.Fields(s), " ")
}

func (g *Gatherer) proposeNames() (out []Proposal) {
	long := map[string]string{} // the last word of persons with more words -> that person; "" if there are several
	for key, x := range g.names {
		if words := strings.Fields(key); len(words) > 1 && x.types[mention.Person]*2 > x.count {
			last := words[len(words)-1]
			if before, there := long[last]; there && before != key {
				long[last] = ""
			} else {
				long[last] = key
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(g.names)) {
		if whole := long[key]; whole != "" { // "Merkel" is a form of "Angela Merkel"
			x, short := g.names[whole], g.names[key]
			x.count += short.count
			x.pages = slices.Compact(slices.Sorted(slices.Values(slices.Concat(x.pages, short.pages))))
			for form := range short.forms {
				x.forms[form] = 0
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(g.names)) {
		x := g.names[key]
		if long[key] != "" || len(x.pages) < g.twice() {
			continue
		}
		p := Proposal{Text: commonest(x.forms), Type: commonest(x.types), Score: float64(len(x.pages)) * math.Log(1+float64(x.count)), Pages: len(x.pages), Count: x.count}
		for _, form := range slices.Sorted(maps.Keys(x.forms)) {
			if !strings.EqualFold(form, p.Text) {
				p.Other = append(p.Other, form)
			}
		}
		g.show(&p, p.Text, x.pages)
		out = append(out, p)
	}
	return out
}

// commonest returns the key with the largest count; of equal ones the first.
func commonest[K cmp.Ordered](counts map[K]int) (best K) {
	most := -1
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if counts[k] > most {
			best, most = k, counts[k]
		}
	}
	return best
}

func (g *Gatherer) proposeHosts() (out []Proposal) {
	for _, host := range slices.Sorted(maps.Keys(g.hosts)) {
		h := g.hosts[host]
		if g.own[host] {
			continue
		}
		p := Proposal{
			Text: host, Pages: len(h.pages), Hosts: len(h.hosts), Addresses: len(h.addresses),
			Score: float64(len(h.hosts)) * math.Log(1+float64(len(h.pages))) * math.Log(1+float64(len(h.addresses))),
		}
		p.URL, p.Time = g.texts[h.first].url, g.texts[h.first].time
		out = append(out, p)
	}
	return out
}

// proposeLanguages returns languages that at least a tenth of the pages has.
func (g *Gatherer) proposeLanguages() []Proposal { return g.shares(g.languages, len(g.texts)/10) }

// proposeMonths returns months that at least a tenth of the pages names.
func (g *Gatherer) proposeMonths() []Proposal {
	return g.shares(g.months, max(len(g.texts)/10, g.twice()))
}

func (g *Gatherer) shares(of map[string][]int, least int) (out []Proposal) {
	for _, what := range slices.Sorted(maps.Keys(of)) {
		if pages := of[what]; len(pages) >= least {
			out = append(out, Proposal{Text: what, Score: float64(len(pages)), Pages: len(pages), URL: g.texts[pages[0]].url, Time: g.texts[pages[0]].time})
		}
	}
	return out
}

func (g *Gatherer) proposePages() (out []Proposal) {
	for _, t := range g.texts {
		if t.seed && len(strings.Fields(t.body)) >= fewestWords {
			out = append(out, Proposal{Text: t.url, Score: 1, Pages: 1, URL: t.url, Time: t.time, Passage: around(t.body, 0), Body: cut(t.body, maxExample)})
		}
	}
	return out
}

// NationThreshold is the mean over the pages of a host from which on it is proposed as national.
const NationThreshold = 0.5

// proposeNational returns hosts outside the national domains whose pages belong to the nation, with the reasons of the page that does most.
func (g *Gatherer) proposeNational() (out []Proposal) {
	type host struct {
		sum, best float64
		pages, at int
		why       string
	}
	hosts := map[string]*host{}
	for n, p := range g.judged {
		name := g.texts[n].host
		if g.nation.National(name) {
			continue
		}
		o, reasons := g.nation.Judge(p)
		h := hosts[name]
		if h == nil {
			h = &host{best: -1}
			hosts[name] = h
		}
		h.pages++
		h.sum += o.Value
		if o.Value > h.best {
			h.best, h.at, h.why = o.Value, n, relevance.ReasonsText(reasons)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		if h := hosts[name]; h.sum/float64(h.pages) >= NationThreshold {
			out = append(out, Proposal{Text: name, Score: h.sum / float64(h.pages), Pages: h.pages, URL: g.texts[h.at].url, Time: g.texts[h.at].time, Passage: h.why})
		}
	}
	return out
}

// In reports whether a definition has what is proposed.
func (p Proposal) In(a relevance.About) bool {
	switch p.Kind {
	case Host:
		return slices.ContainsFunc(a.Patterns, func(u relevance.Pattern) bool { return u.Regex == p.pattern() })
	case Language:
		return slices.Contains(a.Languages, p.Text)
	case Month:
		return slices.ContainsFunc(a.Events, func(e relevance.Event) bool { return e.From == p.Text })
	case National:
		return slices.Contains(a.Nation.Hosts, p.bare())
	case Example:
		return slices.ContainsFunc(a.References, func(r relevance.Reference) bool { return r.Name == p.Text })
	}
	return a.Says(p.Text)
}

// pattern is the expression that addresses of a host match.
func (p Proposal) pattern() string { return `^https?://` + regexp.QuoteMeta(p.Text) + `/` }

// bare is a host without its port.
func (p Proposal) bare() string {
	name, _, _ := strings.Cut(p.Text, ":")
	return name
}

// ErrThere is the error of a proposal that the definition has already.
var ErrThere = errors.New("the definition has it already")

// hostWeight is that of the addresses of a host that was accepted: it is no more than a hint.
const hostWeight = 0.5

// Add makes a proposal part of a definition.
func (p Proposal) Add(a *relevance.About) error {
	if p.In(*a) {
		return fmt.Errorf("%s: %w", p.Key, ErrThere)
	}
	switch p.Kind {
	case Term, Search:
		a.Keywords = append(slices.Clip(a.Keywords), relevance.Keyword{Word: p.Text})
	case Name:
		e := relevance.Entity{Name: p.Text}
		for _, form := range p.Other {
			if !a.Says(form) {
				e.Other = append(e.Other, form)
			}
		}
		a.Entities = append(slices.Clip(a.Entities), e)
	case Host:
		a.Patterns = append(slices.Clip(a.Patterns), relevance.Pattern{Regex: p.pattern(), Weight: hostWeight})
	case Language:
		a.Languages = append(slices.Clip(a.Languages), p.Text)
	case Month:
		a.Events = append(slices.Clip(a.Events), relevance.Event{Name: p.Text, From: p.Text, To: p.Text})
	case National:
		a.Nation.Hosts = append(slices.Clip(a.Nation.Hosts), p.bare())
	case Example:
		a.References = append(slices.Clip(a.References), relevance.Reference{Name: p.Text, Text: p.Body})
	default:
		return fmt.Errorf("%s: this version of Varve does not know the kind %q", p.Key, p.Kind)
	}
	return nil
}
