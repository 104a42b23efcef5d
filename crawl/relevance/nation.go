package relevance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"varve/crawl/priority"
	"varve/crawl/scope"
	"varve/web/canon"
)

// Nation says by what a page belongs to a nation, wherever it lies: legal deposit asks for pages beyond the national domain, too. All of it is
// written by people; nothing is built in.
type Nation struct {
	Name      string   `toml:"name,omitempty" json:"name,omitempty"`
	Domains   []string `toml:"domains,omitempty" json:"domains,omitempty"`     // "at", "gv.at": hosts below them are national
	Hosts     []string `toml:"hosts,omitempty" json:"hosts,omitempty"`         // known to be national though they lie elsewhere
	Languages []string `toml:"languages,omitempty" json:"languages,omitempty"` // "de"
	Phones    []string `toml:"phones,omitempty" json:"phones,omitempty"`       // codes of the country: "+43"
	Postcodes string   `toml:"postcodes,omitempty" json:"postcodes,omitempty"` // expression (RE2) of a postal code, as in 'A-[1-9]\d{3}'; with places: one of them must follow
	Places    []string `toml:"places,omitempty" json:"places,omitempty"`       // names
}

// Given reports whether something is said of a nation.
func (n *Nation) Given() bool {
	return len(n.Domains)+len(n.Hosts)+len(n.Languages)+len(n.Phones)+len(n.Places) > 0 || n.Postcodes != ""
}

// Limits of what is said of a nation.
const (
	maxPlaceNames = 50_000
	maxNational   = 100_000 // hosts
)

func (n *Nation) check() error {
	wrong := func(field, format string, args ...any) error {
		return &scope.FieldError{Table: "nation", Field: field, Err: fmt.Errorf(format, args...)}
	}
	if len(n.Places) > maxPlaceNames || len(n.Hosts) > maxNational || len(n.Domains) > 1000 || len(n.Phones) > 100 {
		return wrong("places", "at most %d places, %d hosts, 1,000 domains and 100 codes are allowed", maxPlaceNames, maxNational)
	}
	for _, d := range slices.Concat(n.Domains, n.Hosts) {
		if d == "" || len(d) > 253 || strings.ContainsAny(d, "/:@ *") || strings.HasPrefix(d, ".") {
			return wrong("domains", "%q is no name of a domain or host, such as at or orf.example", d)
		}
	}
	for _, p := range n.Phones {
		if len(p) < 2 || p[0] != '+' || strings.Trim(p[1:], "0123456789") != "" {
			return wrong("phones", "%q is no code such as +43", p)
		}
	}
	for _, p := range n.Places {
		if len(phrase(p)) == 0 || len(p) > maxWord {
			return wrong("places", "%q is no name", p[:min(len(p), 40)])
		}
	}
	if n.Postcodes != "" {
		if _, err := regexp.Compile(n.Postcodes); err != nil || len(n.Postcodes) > 1000 {
			return wrong("postcodes", "is no regular expression (RE2) of at most 1,000 characters: %v", err)
		}
	}
	return checkLanguages("nation", n.Languages)
}

// Reason is one thing by which a page belongs to a nation, or does not.
type Reason struct {
	By     string  `json:"by"` // domain, phone, address, places, language, links-to, links-from
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	What   string  `json:"what"` // that was found
}

// reasonWeights say how much each reason counts. They were written before anything was measured: whoever writes an address or a telephone number
// of a country is there; many countries share a language, and names of places are shared, too.
var reasonWeights = map[string]float64{"phone": 2, "address": 2, "places": 1, "language": 1, "links-to": 1, "links-from": 1}

// NationJudge says how far pages belong to a nation. It is safe for concurrent use.
type NationJudge struct {
	of      Nation
	own     map[string]bool // domains and hosts
	codes   []string        // of telephones, also as 0043
	post    *regexp.Regexp
	places  terms
	learned *linkers
}

// linkers are the national hosts that link to others.
type linkers struct {
	mu   sync.Mutex
	from map[string][]string // at most enoughLinkers of them
}

const (
	enoughLinkers = 3
	maxLinked     = 200_000 // hosts that are remembered
)

// NewNationJudge returns the judge of what was said of a nation; it must be sound (About.Check).
func NewNationJudge(n Nation) *NationJudge {
	return newNationJudge(n, &linkers{from: map[string][]string{}})
}

func newNationJudge(n Nation, learned *linkers) *NationJudge {
	j := &NationJudge{of: n, own: map[string]bool{}, learned: learned}
	for _, d := range slices.Concat(n.Domains, n.Hosts) {
		j.own[strings.ToLower(d)] = true
	}
	for _, p := range n.Phones {
		j.codes = append(j.codes, p, "00"+p[1:])
	}
	if n.Postcodes != "" {
		j.post = regexp.MustCompile(n.Postcodes)
	}
	for _, p := range n.Places {
		j.places.thing(1, p)
	}
	return j
}

// National reports whether a host is national by its name.
func (j *NationJudge) National(host string) bool {
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	for {
		if j.own[host] {
			return true
		}
		_, rest, more := strings.Cut(host, ".")
		if !more {
			return false
		}
		host = rest
	}
}

func hostOf(url string) string {
	u, err := canon.Parse(url)
	if err != nil {
		return ""
	}
	return u.HostPort()
}

// Judge returns how far a page belongs to the nation, with the reasons; a host that is national by its name does.
func (j *NationJudge) Judge(p *Page) (o Opinion, list []Reason) {
	host := hostOf(p.URL)
	if j.National(host) {
		return scope.Is(1.0), []Reason{{"domain", 1, 1, host}}
	}
	var w words
	if p.scan != nil {
		w = p.scan.words[:p.scan.page]
	} else {
		w = phrase(p.Title).read(p.Text)
	}
	text := p.Text[:min(len(p.Text), maxText)]
	add := func(by string, o Opinion, what string) {
		if o.Set {
			list = append(list, Reason{by, o.Value, reasonWeights[by], what})
		}
	}
	o, what := j.phone(text)
	add("phone", o, what)
	o, what = j.address(text)
	add("address", o, what)
	if len(j.of.Places) > 0 && len(w) > 0 {
		found := j.places.count(w)
		what = ""
		for thing := range j.places.name { // in the order in which they were written
			if found[thing] > 0 && len(what) < 100 {
				what = strings.TrimPrefix(what+", "+j.places.name[thing], ", ")
			}
		}
		add("places", scope.Is(j.places.score(found)), what)
	}
	if len(j.of.Languages) > 0 {
		add("language", (&language{j.of.Languages, true}).Page(p), p.Language)
	}
	o, what = j.linksTo(p, host)
	add("links-to", o, what)
	j.learned.mu.Lock()
	from := j.learned.from[host]
	j.learned.mu.Unlock()
	if len(from) > 0 { // nobody links: says nothing, most hosts are linked to from elsewhere
		// How many, not which: whoever may see this page may not see those.
		add("links-from", scope.Is(float64(len(from))/enoughLinkers), fmt.Sprintf("%d of at most %d that are counted", len(from), enoughLinkers))
	}
	var mean sum
	for _, r := range list {
		mean.add(scope.Is(r.Value), r.Weight)
	}
	if mean.weight == 0 {
		return Opinion{}, nil
	}
	return scope.Is(mean.value / mean.weight), list
}

// phone is the share of the telephone numbers with a code of a country that have one of the nation's; none without such numbers.
func (j *NationJudge) phone(text string) (o Opinion, what string) {
	if len(j.codes) == 0 {
		return o, ""
	}
	own, all := 0, 0
	for i := 0; i < len(text); i++ {
		begins := text[i] == '+' || text[i] == '0' && strings.HasPrefix(text[i:], "00")
		if !begins || i > 0 && (isDigit(text[i-1]) || text[i-1] == '+') {
			continue
		}
		end, digits := i+1, 0
		for ; end < len(text) && (isDigit(text[end]) || strings.IndexByte(" -/().", text[end]) >= 0) && end-i < 30; end++ {
			if isDigit(text[end]) {
				digits++
			}
		}
		if digits < 7 || digits > 17 {
			continue
		}
		all++
		if slices.ContainsFunc(j.codes, func(c string) bool { return strings.HasPrefix(text[i:], c) }) {
			own++
			what = strings.TrimSpace(text[i:end])
		}
		i = end - 1
	}
	if all == 0 {
		return o, ""
	}
	return scope.Is(float64(own) / float64(all)), what
}

// address looks for a postal code with the name of a place behind it; where no places are given the code is enough. A text without any says nothing.
func (j *NationJudge) address(text string) (o Opinion, what string) {
	if j.post == nil {
		return o, ""
	}
	for _, at := range j.post.FindAllStringIndex(text, 100) {
		if at[0] > 0 && isDigit(text[at[0]-1]) || at[1] < len(text) && isDigit(text[at[1]]) {
			continue // part of a longer number
		}
		end := min(at[1]+60, len(text))
		behind := phrase(strings.ToValidUTF8(text[at[1]:end], ""))
		if len(j.of.Places) == 0 || j.places.begins(behind) {
			return scope.Is(1.0), clip(strings.ToValidUTF8(text[at[0]:end], ""))
		}
	}
	return o, ""
}

// linksTo is the share of national hosts among the other hosts that a page links to; none if it links to none.
func (j *NationJudge) linksTo(p *Page, host string) (o Opinion, what string) {
	seen, own := map[string]bool{}, 0
	for i := range p.Links {
		to := hostOf(p.Links[i].URL)
		if to == "" || to == host || seen[to] {
			continue
		}
		if seen[to] = true; j.National(to) {
			if own++; len(what) < 100 {
				what = strings.TrimPrefix(what+", "+to, ", ")
			}
		}
	}
	if len(seen) == 0 || len(j.own) == 0 {
		return o, ""
	}
	return scope.Is(float64(own) / float64(len(seen))), what
}

// Learn takes note of where a national page links to.
func (j *NationJudge) Learn(p *Page) {
	host := hostOf(p.URL)
	if !j.National(host) {
		return
	}
	l := j.learned
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range p.Links {
		to := hostOf(p.Links[i].URL)
		from, known := l.from[to]
		if to == "" || len(from) >= enoughLinkers || slices.Contains(from, host) || !known && len(l.from) >= maxLinked || j.National(to) {
			continue
		}
		l.from[to] = append(from, host)
	}
}

// nation is the module.
type nation struct{ *NationJudge }

func (nation) Name() string { return "nation" }

func (n nation) Page(p *Page) Opinion {
	o, _ := n.Judge(p)
	return o
}

// Link knows what the name of a host says, and who links to it.
func (n nation) Link(_ *Page, l *priority.Link) (o Opinion) {
	if n.National(hostOf(l.URL)) {
		o = scope.Is(1.0)
	}
	return o
}

func (n nation) Why(p *Page, l *priority.Link) string {
	if l != nil && n.National(hostOf(l.URL)) {
		return "the host is national"
	}
	_, list := n.Judge(p)
	return ReasonsText(list)
}

// ReasonsText writes reasons for people.
func ReasonsText(list []Reason) string {
	var out []string
	for _, r := range list {
		text := fmt.Sprintf("%s %.2f", r.By, r.Value)
		if r.What != "" {
			text += " (" + r.What + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
