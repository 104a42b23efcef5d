package crawls

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
)

// Rights are what who defines a crawl may ask for.
type Rights struct {
	Admin  bool     // may crawl this machine
	Models []string // spam models of the collection, as definitions name them
}

// Check tells what speaks against a definition that comes through the network. It is about this definition alone; what
// stands in collection.toml is the word of who may write there.
func Check(p crawl.Planned, may Rights) Faults {
	x := &drafting{}
	x.reach(p)
	x.checkSeeds(p, may)
	x.checkScope(p.Scope)
	x.checkTexts(p)
	if p.SpamModel != "" && !slices.Contains(may.Models, p.SpamModel) {
		x.fault("spam-model", errors.New("the collection has no such model: 'Judge hosts' learns one, or 'varve spam train --crawl' with -o in its models/"))
	}
	if p.SpamModel == "" && p.SpamThreshold != 0 {
		x.fault("spam-threshold", errors.New("it is for a model, and none is chosen"))
	}
	if e := time.Duration(p.Every); e != 0 && e < time.Minute {
		x.fault("every", errors.New("a minute is the shortest"))
	}
	x.checkRun(p)
	return x.faults
}

// checkRun asks the engine what it could not start with.
func (x *drafting) checkRun(p crawl.Planned) {
	err := p.Check(true) // the contact is asked for with the seeds
	if err == nil || len(p.Seeds) == 0 {
		return
	}
	field := "strategy"
	if known, ok := errors.AsType[*varve.Error](err); ok {
		if f := strings.TrimLeft(known.Op, "-"); slices.Contains(DraftFields, f) {
			field = f
		}
	}
	x.fault(field, err)
}

// reach refuses what goes beyond the collection: files of the server, manners towards sites, other networks.
func (x *drafting) reach(p crawl.Planned) {
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"ignore-robots", p.IgnoreRobots},
		{"allow-private", p.AllowPrivate},
		{"user-agent", p.UserAgent != ""},
		{"routes", p.Routes != ""},
		{"api-rules", p.APIRules != ""},
		{"behaviours", p.Behaviours != ""},
		{"spam-blacklist", len(p.SpamBlacklist) > 0},
		{"spam-whitelist", len(p.SpamWhitelist) > 0},
		{"seed-file", p.SeedFile != ""},
		{"min-disk", p.MinDisk != 0},
	} {
		if f.set {
			x.fault(f.name, errors.New("it is for collection.toml, and for who may write it"))
		}
	}
	if p.Workers < 0 || p.Workers > 256 {
		x.fault("workers", errors.New("at most 256"))
	}
	for _, n := range []struct {
		name  string
		value int64
	}{{"max-pages", p.MaxPages}, {"max-urls", p.MaxURLs}, {"max-bytes", p.MaxBytes}, {"max-time", int64(p.MaxTime)}, {"every", int64(p.Every)}, {"revisit-time", int64(p.RevisitTime)}} {
		if n.value < 0 {
			x.fault(n.name, errors.New("it cannot be less than nothing"))
		}
	}
}

func (x *drafting) checkSeeds(p crawl.Planned, may Rights) {
	switch n := len(p.Seeds); {
	case n == 0:
		x.fault("seeds", errors.New("at least one address is needed"))
	case n > MaxSeeds:
		x.fault("seeds", fmt.Errorf("%d seeds; at most %d are taken", n, MaxSeeds))
		return
	}
	machine := 0
	for i, s := range p.Seeds {
		c := checkSeed(s)
		if c.Why != "" {
			x.fault("seeds", fmt.Errorf("seed %d: %s", i+1, c.Why))
		}
		if c.machine {
			machine++
		}
	}
	switch {
	case machine > 0 && !may.Admin:
		x.fault("seeds", errors.New("addresses of this machine can be crawled by an administrator only"))
	case machine > 0 && machine < len(p.Seeds):
		x.fault("seeds", errors.New("addresses of this machine and of the web cannot be seeds of one crawl"))
	case machine == 0 && len(p.Seeds) > 0:
		x.checkContact(p.Contact)
	}
}

// checkContact wants a way to reach who crawls.
func (x *drafting) checkContact(s string) {
	if s == "" {
		x.fault("contact", errors.New("site owners must be able to reach you: a web page or a mail address"))
		return
	}
	if u, err := url.Parse(s); err == nil && (u.Scheme == "https" || u.Scheme == "http") && strings.Contains(u.Host, ".") {
		return
	}
	if a, err := mail.ParseAddress(strings.TrimPrefix(s, "mailto:")); err == nil && strings.Contains(a.Address, ".") {
		return
	}
	x.fault("contact", errors.New("it is neither an address of a web page (https://...) nor a mail address"))
}

func (x *drafting) checkScope(def scope.Definition) {
	for name, s := range def.Domains {
		if s.IgnoreRobots != nil || s.UserAgent != "" {
			x.fault("rules", fmt.Errorf("domain %q: ignore-robots and user-agent are for collection.toml", name))
		}
	}
	if _, err := scope.NewSet(def); err != nil {
		field := "rules"
		if f, ok := errors.AsType[*scope.FieldError](err); ok && f.Field == "scope" {
			field = "scope"
		}
		x.fault(field, err)
	}
}

// checkTexts bounds what is typed, and keeps control characters out of headers and files.
func (x *drafting) checkTexts(p crawl.Planned) {
	for _, f := range []struct{ name, text string }{{"contact", p.Contact}, {"operator", p.Operator}} {
		if len(f.text) > maxText || !utf8.ValidString(f.text) || strings.ContainsFunc(f.text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			x.fault(f.name, fmt.Errorf("it is one line of at most %d characters", maxText))
		}
	}
	if len(p.Topic) > maxTopics {
		x.fault("topic", fmt.Errorf("%d lines; at most %d are taken", len(p.Topic), maxTopics))
	}
	for _, t := range p.Topic {
		if len(t) > maxText || !utf8.ValidString(t) {
			x.fault("topic", fmt.Errorf("a line has at most %d characters", maxText))
		}
	}
}

// Cleaned leaves out of a crawl what the network may not ask for, and names it: the copy of a crawl of collection.toml
// begins so.
func Cleaned(p crawl.Planned) (clean crawl.Planned, left []string) {
	for _, f := range Check(p, Rights{Admin: true, Models: []string{p.SpamModel}}) {
		switch f.Field {
		case "ignore-robots", "allow-private", "user-agent", "routes", "api-rules", "behaviours", "spam-blacklist", "spam-whitelist", "min-disk":
			left = append(left, f.Field)
		}
	}
	p.IgnoreRobots, p.AllowPrivate, p.UserAgent, p.MinDisk = false, false, "", 0
	p.Routes, p.APIRules, p.Behaviours, p.SpamBlacklist, p.SpamWhitelist, p.SeedFile = "", "", "", nil, nil, ""
	domains := map[string]scope.Settings{}
	for name, s := range p.Scope.Domains {
		if s.IgnoreRobots != nil || s.UserAgent != "" {
			left = append(left, "ignore-robots or user-agent of "+name)
		}
		s.IgnoreRobots, s.UserAgent = nil, ""
		domains[name] = s
	}
	if len(domains) > 0 {
		p.Scope.Domains = domains
	}
	return p, left
}
