package scope

import "fmt"

// Mode is a ready-made scope, as given with --scope.
type Mode string

// The modes: what belongs to a crawl around its seeds.
const (
	Page   Mode = "page"   // the seeds themselves
	Prefix Mode = "prefix" // what lies below the folder of a seed
	Host   Mode = "host"   // the host of a seed; the default
	Domain Mode = "domain" // the pay-level domain of a seed
	Web    Mode = "web"    // all that links lead to
	Rules  Mode = "rules"  // only the curator's own rules
)

// Definition is the scope part of a crawl definition in collection.toml.
type Definition struct {
	Mode    Mode                `toml:"scope,omitempty" json:"scope,omitempty"`
	MaxHops *int                `toml:"max-hops,omitempty" json:"max-hops,omitempty"`
	Rules   []Rule              `toml:"rule,omitempty" json:"rules,omitempty"`
	Domains map[string]Settings `toml:"domain,omitempty" json:"domains,omitempty"`
}

// embedHops is how far parts of a page may lie from it on other hosts: a style sheet and its image.
const embedHops = 2

// All gives the rules in force: those of the mode, the curator's, and the one that cannot be overruled.
//
// The mode's own end with the rejection of suspected traps, so that a curator's rule, standing behind,
// can overrule it. Only the last one, on schemes that we cannot fetch, has always the last word.
func (d Definition) All() ([]Rule, error) {
	base, err := d.Mode.rules()
	if err != nil {
		return nil, err
	}
	if d.MaxHops != nil && *d.MaxHops >= 0 {
		base = append(base, Rule{Name: "max-hops", Do: Reject, HopsOver: d.MaxHops})
	}
	return append(append(base, d.Rules...), afterRules()...), nil
}

func afterRules() []Rule {
	return []Rule{{Name: "schemes", Do: Reject, Scheme: []string{"http", "https"}, Not: true}}
}

// rules gives the ready-made rules of a mode.
func (m Mode) rules() ([]Rule, error) {
	own := Rule{Do: Accept}
	switch m {
	case Page:
		own.Name, own.SeedPage = "seed pages", true
	case Prefix:
		own.Name, own.SeedPrefix = "below a seed", true
	case Host, "":
		own.Name, own.SeedHost = "seed hosts", true
	case Domain:
		own.Name, own.SeedDomain = "seed domains", true
	case Web:
		own.Name, own.Scheme = "the web", []string{"http", "https"}
	case Rules:
		return nil, nil
	default:
		return nil, &FieldError{Field: "scope", Err: fmt.Errorf("%q is not one of page, prefix, host, domain, web, rules", m)}
	}
	return []Rule{
		own,
		{Name: "parts of pages", Do: Accept, EmbedWithin: embedHops},
		{Name: "guesses stay home", Do: Reject, Stray: true},
		{Name: "redirected seeds", Do: Accept, Redirected: true},
		{Name: "traps", Do: Reject, Trap: []string{"any"}},
		{Name: "seeds", Do: Accept, Seeds: true},
	}, nil
}
