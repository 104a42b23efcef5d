package route

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"varve/crawl/collect"
)

// Router decides for the answers of one crawl and learns what executing pages brings. It is safe for
// concurrent use.
type Router struct {
	rules *Rules
	have  map[string]bool // collectors that there are
	mode  Mode
	api   Finder // nil: nobody

	missing func(url string) // told of the first page that needs a browser, where there is none
	told    atomic.Bool

	mu       sync.Mutex
	sections map[string]*Record
	hosts    map[string]*Record
	all      Record
	scripts  map[string]Sign // of script files
	looked   map[string]bool // script files that were asked for
}

// Mode says how much the measurement has to say.
type Mode string

// The modes.
const (
	Auto       Mode = "auto"    // pages are executed where it pays
	ParserOnly Mode = "parser"  // never
	Everywhere Mode = "browser" // always
)

// Finder tells whether an answer leads to an interface that the collector of interfaces knows
// (*api.Rules is one).
type Finder interface {
	Find(e *collect.Evidence) (why string, ok bool)
}

// New makes a router for the collectors that there are: a rule that chooses another counts as parser. The
// finder, which may be nil, says which answers are for the collector of interfaces.
func New(rules *Rules, mode Mode, api Finder, collectors ...string) *Router {
	r := &Router{
		rules: rules, mode: mode, api: api, have: map[string]bool{},
		sections: map[string]*Record{}, hosts: map[string]*Record{}, scripts: map[string]Sign{}, looked: map[string]bool{},
	}
	for _, c := range collectors {
		r.have[c] = true
	}
	return r
}

// WhenMissing has a function told of the first page that would be executed if there were a browser.
// It is called once at most, and must not call the router.
func (r *Router) WhenMissing(tell func(url string)) { r.missing = tell }

// Choose says which collector goes further with an answer, if any, and why.
func (r *Router) Choose(e *collect.Evidence) collect.Choice {
	c, _ := r.choose(e)
	return c
}

// choose also gives the rule that decided.
func (r *Router) choose(e *collect.Evidence) (collect.Choice, *Rule) {
	if isScript(e.MIME) {
		r.noteScript(e)
		return collect.Choice{}, nil
	}
	var page *Markup
	look := func() Markup {
		if page == nil {
			p := readOnce(e)
			page = &p
		}
		return *page
	}
	var more []*Rule
	for _, rule := range r.rules.list {
		switch {
		case rule.Add != "" && !r.have[rule.Add], !rule.fits(e, look):
		case rule.Add != "":
			more = append(more, rule)
		default:
			c := r.apply(rule, e, look)
			if len(c.Look) > 0 || c.Wait {
				return c, rule // all else when it is asked again
			}
			return with(r.withAPI(c, rule, e), more), rule
		}
	}
	return with(collect.Choice{}, more), nil
}

// with adds the collectors of rules to a choice. What several did is not measured for one of them.
func with(c collect.Choice, more []*Rule) collect.Choice {
	for _, rule := range more {
		switch {
		case strings.Contains("+"+c.Collector+"+", "+"+rule.Add+"+"):
		case c.Collector == "":
			c = collect.Choice{Collector: rule.Add, Why: rule.reason(), Time: rule.Time}
		default:
			c.Collector += "+" + rule.Add
			c.Why += "; " + rule.reason()
			c.Time = max(c.Time, rule.Time)
		}
	}
	return c
}

// withAPI adds the collector of interfaces where a page leads to one, and leaves it out where it would have
// nothing to do.
func (r *Router) withAPI(c collect.Choice, rule *Rule, e *collect.Evidence) collect.Choice {
	asked, page := rule.Choose == API, rule.Choose == Measure || rule.Choose == Browser
	why, ok := "", false
	if (asked || page) && r.have[API] && r.api != nil {
		why, ok = r.api.Find(e)
	}
	switch {
	case !ok && asked:
		return collect.Choice{}
	case !ok:
		return c
	case c.Collector == "" || asked:
		return collect.Choice{Collector: API, Why: why, Time: max(rule.Time, apiTime)}
	}
	c.Collector += "+" + API
	c.Why, c.Time = c.Why+"; "+why, max(c.Time, apiTime)
	return c
}

// apiTime is what paging through an interface may take, at a polite pace.
const apiTime = time.Hour

// apply makes a choice of a rule.
func (r *Router) apply(rule *Rule, e *collect.Evidence, look func() Markup) collect.Choice {
	c := collect.Choice{Collector: rule.Choose, Why: rule.reason(), Time: rule.Time}
	switch rule.Choose {
	case Parser, Binary:
		return collect.Choice{}
	case Measure:
		switch {
		case r.mode == Auto:
			return r.measured(e, look, rule.Time)
		case r.mode == Everywhere:
			c.Collector, c.Why = Browser, "every page is executed"
		default:
			return collect.Choice{}
		}
	}
	if c.Collector == Browser && (r.mode == ParserOnly || !r.there(e.URL)) || !r.have[c.Collector] {
		return collect.Choice{}
	}
	return c
}

func (r *Rule) reason() string {
	if r.Why != "" {
		return r.Why
	}
	return "rule " + r.Name
}

// there tells whether there is a browser, and tells of a page that would need one, once.
func (r *Router) there(url string) bool {
	if r.have[Browser] {
		return true
	}
	if r.missing != nil && !r.told.Swap(true) {
		r.missing(url)
	}
	return false
}

// measured decides by signs and gain.
func (r *Router) measured(e *collect.Evidence, look func() Markup, limit time.Duration) collect.Choice {
	if !r.have[Browser] && (r.missing == nil || r.told.Load()) {
		return collect.Choice{}
	}
	page := look()
	if !page.Scripted {
		return collect.Choice{}
	}
	files := addresses(e.URL, page.Scripts)
	signs := page.Signs | r.fileSigns(files)
	// A page of nothing but a script in it is what that script makes of it.
	if signs&^vague == 0 && (page.ScriptBytes == 0 || !signs.Has(FewWords|FewLinks)) {
		if unknown := r.unknown(e, files); len(unknown) > 0 {
			return collect.Choice{Look: unknown}
		}
		if signs == 0 || r.knows(files) {
			return collect.Choice{} // its scripts are known, and do nothing that matters here
		}
	}
	p := r.rules.params
	host, section := SectionOf(e.URL, signs, p.SectionLevels)
	p0 := signs.Chance()
	r.mu.Lock()
	defer r.mu.Unlock()
	s, h := r.record(r.sections, section), r.record(r.hosts, host)
	if !e.Again {
		s.Pages++
		s.Idle++
	}
	est := Expect(p0, *h, *s, r.all, p)
	c := collect.Choice{Collector: Browser, Section: section, Time: limit}
	switch {
	case est.Pays(p) && (s.Brought == 0 && s.UnderWay > 0 || h.Brought == 0 && h.UnderWay > 1):
		return collect.Choice{Wait: true, Section: section} // what is under way may settle it
	case est.Pays(p):
		c.Why = because(signs, p0, s, est)
	case s.ProbeDue(p0, p):
		c.Why = fmt.Sprintf("probe after %d pages; %s", s.Idle, because(signs, p0, s, est))
		*s = s.Probed(p)
	case s.Runs == 0:
		return collect.Choice{}
	default:
		return collect.Choice{Why: spared(signs, s, est), Section: section}
	}
	if !r.there(e.URL) {
		return collect.Choice{}
	}
	s.Idle = 0
	s.UnderWay++
	h.UnderWay++
	return c
}
