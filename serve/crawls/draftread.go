package crawls

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/relevance"
	"varve/crawl/scope"
)

// Fault is what is wrong with one field of a draft or definition.
type Fault struct {
	Field string `json:"field"`
	Why   string `json:"why"`
}

// Faults are what is wrong, in the order of the fields.
type Faults []Fault

// Of gives what is wrong with a field.
func (f Faults) Of(field string) string {
	for _, x := range f {
		if x.Field == field {
			return x.Why
		}
	}
	return ""
}

// String gives all in one line.
func (f Faults) String() string {
	parts := make([]string, len(f))
	for i, x := range f {
		parts[i] = x.Field + ": " + x.Why
	}
	return strings.Join(parts, "; ")
}

// drafting reads a draft field by field and gathers what is wrong.
type drafting struct {
	d      Draft
	faults Faults
}

func (x *drafting) fault(field string, err error) {
	if err != nil && x.faults.Of(field) == "" {
		x.faults = append(x.faults, Fault{field, reason(err)})
	}
}

func (x *drafting) number(field string) int64 {
	s := strings.ReplaceAll(x.d.Get(field), ",", "")
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > 1e12 {
		x.fault(field, errors.New("it is a number from 1 on, or empty"))
	}
	return n
}

func (x *drafting) span(field string) scope.Duration {
	s := x.d.Get(field)
	if s == "" {
		return 0
	}
	d, err := ParseSpan(s)
	x.fault(field, err)
	return scope.Duration(d)
}

// Planned reads the draft. What the form has no field for stays as base has it.
func (d Draft) Planned(base crawl.Planned, may Rights) (crawl.Planned, Faults) {
	x := &drafting{d: d}
	p := base
	p.Name, p.Contact, p.Operator = d.Get("name"), d.Get("contact"), d.Get("operator")
	x.fault("name", crawl.CheckPlanName(p.Name))
	x.seeds(&p)
	x.scope(&p)
	x.limits(&p)
	x.manners(&p)
	if about, err := relevance.Parse(d["about"]); err == nil {
		p.About = about
	} else {
		x.fault("about", err)
	}
	if p.Name == "new" {
		x.fault("name", errors.New("“new” is taken by the form itself"))
	}
	for _, f := range Check(p, may) {
		if x.faults.Of(f.Field) == "" {
			x.faults = append(x.faults, f)
		}
	}
	return p, x.faults
}

func (x *drafting) seeds(p *crawl.Planned) {
	if len(x.d["seeds"]) > maxSeedText {
		x.fault("seeds", fmt.Errorf("the list has more than %d bytes", maxSeedText))
		return
	}
	list := CheckSeeds(x.d["seeds"])
	bad := 0
	for _, c := range list {
		if c.Why == "" {
			continue
		}
		if bad++; bad == 1 {
			x.fault("seeds", fmt.Errorf("line %d: %s", c.Line, c.Why))
		}
	}
	if bad > 1 {
		x.faults[len(x.faults)-1].Why += fmt.Sprintf("; and %d more", bad-1)
	}
	p.Seeds = seedsOf(list)
}

func (x *drafting) scope(p *crawl.Planned) {
	def := scope.Definition{Mode: scope.Mode(x.d.Get("scope"))}
	if s := x.d.Get("max-hops"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 1000 {
			x.fault("max-hops", errors.New("it is a number from 0 to 1000, or empty"))
		}
		def.MaxHops = &n
	}
	for _, l := range []struct {
		field, name string
		do          scope.Word
	}{{"include", includeName, scope.Accept}, {"exclude", excludeName, scope.Reject}} {
		rules, err := listRules(x.d[l.field], l.name, l.do)
		if err == nil {
			_, err = scope.NewSet(scope.Definition{Rules: rules})
		}
		x.fault(l.field, err)
		def.Rules = append(def.Rules, rules...)
	}
	further, err := furtherRules(x.d["rules"])
	x.fault("rules", err)
	def.Rules, def.Domains = append(def.Rules, further.Rules...), further.Domains
	p.Scope = def
}

func (x *drafting) limits(p *crawl.Planned) {
	p.Every, p.MaxTime, p.RevisitTime = x.span("every"), x.span("max-time"), x.span("revisit-time")
	p.MaxPages, p.MaxURLs, p.MaxBytes, p.Delay = x.number("max-pages"), x.number("max-urls"), 0, nil
	if s := x.d.Get("max-bytes"); s != "" {
		n, err := scope.ParseSize(s)
		x.fault("max-bytes", err)
		p.MaxBytes = int64(n)
	}
	if s := x.d.Get("delay"); s != "" {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			s += " s"
		}
		d, err := ParseSpan(s)
		if err == nil && d > time.Hour {
			err = errors.New("an hour is the longest")
		}
		x.fault("delay", err)
		rest := scope.Duration(d)
		p.Delay = &rest
	}
}

func (x *drafting) manners(p *crawl.Planned) {
	p.Revisit, p.Strategy = coherence.RevisitKind(x.d.Get("revisit")), coherence.Strategy(x.d.Get("strategy"))
	if p.Revisit == crawl.NoRevisit {
		p.Revisit = ""
	}
	p.Topic = nil
	for _, line := range strings.Split(x.d["topic"], "\n") {
		if line = strings.TrimSpace(line); line != "" {
			p.Topic = append(p.Topic, line)
		}
	}
	if p.Mode = x.d.Get("capture"); p.Mode == "auto" {
		p.Mode = ""
	}
	p.Screenshot, p.SpamModel, p.SpamThreshold = x.d.Get("screenshots") != "", x.d.Get("spam-model"), 0
	if s := x.d.Get("spam-threshold"); s != "" {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v > 0 && v <= 1) {
			x.fault("spam-threshold", errors.New("it lies between 0 and 1"))
		}
		p.SpamThreshold = v
	}
}
