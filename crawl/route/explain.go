package route

import "varve/crawl/collect"

// Explanation says how an answer would be collected, and by what.
type Explanation struct {
	URL       string   `json:"url"`
	Collector string   `json:"collector"` // parser where nobody goes further
	Why       string   `json:"why,omitempty"`
	Rule      string   `json:"rule,omitempty"`
	Signs     []string `json:"signs,omitempty"`
	Chance    float64  `json:"chance"` // prior, of the signs alone
	Section   string   `json:"section,omitempty"`
	Record    *Record  `json:"record,omitempty"` // what was measured of the section
	Gain      float64  `json:"gain"`             // expected, in mean executions
	MinGain   float64  `json:"minGain"`
}

// Explain tells how an answer would be collected, and changes nothing.
func (r *Router) Explain(e *collect.Evidence) Explanation {
	p := r.rules.params
	out := Explanation{URL: e.URL, Collector: Parser, MinGain: p.MinGain}
	page := readOnce(e)
	signs := page.Signs | r.fileSigns(addresses(e.URL, page.Scripts))
	host, section := SectionOf(e.URL, signs, p.SectionLevels)
	out.Signs, out.Chance = signs.Names(), signs.Chance()
	r.mu.Lock()
	var s, h Record
	if rec := r.sections[section]; rec != nil {
		s = *rec
		out.Record = &s
	}
	if rec := r.hosts[host]; rec != nil {
		h = *rec
	}
	if page.Scripted {
		out.Section, out.Gain = section, Expect(out.Chance, h, s, r.all, p).Gain
	}
	r.mu.Unlock()
	again := *e
	again.Again = true // it counts for nothing
	choice, rule := r.peek(&again)
	if rule != nil {
		out.Rule = rule.Name
	}
	if choice.Collector != "" {
		out.Collector = choice.Collector
	}
	out.Why = choice.Why
	if out.Why == "" {
		out.Why = spareWords(page, rule)
	}
	return out
}

// peek is choose on a copy of what was measured of the section.
func (r *Router) peek(e *collect.Evidence) (collect.Choice, *Rule) {
	page := readOnce(e)
	host, section := SectionOf(e.URL, page.Signs|r.fileSigns(addresses(e.URL, page.Scripts)), r.rules.params.SectionLevels)
	twin := New(r.rules, r.mode, r.api)
	twin.have = r.have
	r.mu.Lock()
	twin.all = r.all
	for k, v := range r.scripts {
		twin.scripts[k] = v
	}
	if rec := r.sections[section]; rec != nil {
		c := *rec
		twin.sections[section] = &c
	}
	if rec := r.hosts[host]; rec != nil {
		c := *rec
		twin.hosts[host] = &c
	}
	r.mu.Unlock()
	return twin.choose(e)
}

// spareWords says why the parser is enough, where the choice says nothing.
func spareWords(p Markup, rule *Rule) string {
	switch {
	case rule == nil:
		return "no rule fits"
	case rule.Choose != Measure:
		return "rule " + rule.Name
	case !p.Scripted:
		return "nothing in it is executed"
	}
	return "its signs are weak, or no browser is there"
}
