package scope

import (
	"errors"
	"strings"
)

// Settings are what a curator sets for a domain and all hosts below it. A nil or empty field leaves
// the crawl's own value.
type Settings struct {
	Delay        *Duration `toml:"delay,omitempty" json:"delay,omitempty"` // fixed time between requests; 0 = none
	MinDelay     *Duration `toml:"min-delay,omitempty" json:"min-delay,omitempty"`
	MaxDelay     *Duration `toml:"max-delay,omitempty" json:"max-delay,omitempty"`
	MaxPages     *int64    `toml:"max-pages,omitempty" json:"max-pages,omitempty"` // per host
	MaxBytes     *Size     `toml:"max-bytes,omitempty" json:"max-bytes,omitempty"` // per host
	MaxTime      *Duration `toml:"max-time,omitempty" json:"max-time,omitempty"`   // per host
	MaxSize      *Size     `toml:"max-size,omitempty" json:"max-size,omitempty"`   // of one answer
	MaxHops      *int      `toml:"max-hops,omitempty" json:"max-hops,omitempty"`
	Timeout      *Duration `toml:"timeout,omitempty" json:"timeout,omitempty"`
	IgnoreRobots *bool     `toml:"ignore-robots,omitempty" json:"ignore-robots,omitempty"`
	UserAgent    string    `toml:"user-agent,omitempty" json:"user-agent,omitempty"`
	Paused       *bool     `toml:"paused,omitempty" json:"paused,omitempty"` // leave the hosts alone for the time being
}

// over gives the settings with the fields that are set in s in front of those of the parent.
func (s Settings) over(parent Settings) Settings {
	first(&s.Delay, parent.Delay)
	first(&s.MinDelay, parent.MinDelay)
	first(&s.MaxDelay, parent.MaxDelay)
	first(&s.MaxPages, parent.MaxPages)
	first(&s.MaxBytes, parent.MaxBytes)
	first(&s.MaxTime, parent.MaxTime)
	first(&s.MaxSize, parent.MaxSize)
	first(&s.MaxHops, parent.MaxHops)
	first(&s.Timeout, parent.Timeout)
	first(&s.IgnoreRobots, parent.IgnoreRobots)
	first(&s.Paused, parent.Paused)
	if s.UserAgent == "" {
		s.UserAgent = parent.UserAgent
	}
	return s
}

func first[T any](own **T, parent *T) {
	if *own == nil {
		*own = parent
	}
}

// check gives the first field with a senseless value.
func (s Settings) check() (field string, err error) {
	switch {
	case s.MaxPages != nil && *s.MaxPages < 0:
		return "max-pages", errors.New("must not be negative")
	case s.MaxHops != nil && *s.MaxHops < 0:
		return "max-hops", errors.New("must not be negative")
	case s.MinDelay != nil && s.MaxDelay != nil && *s.MinDelay > *s.MaxDelay:
		return "min-delay", errors.New("is longer than max-delay")
	case strings.ContainsAny(s.UserAgent, "\r\n"):
		return "user-agent", errors.New("has a line break")
	}
	return "", nil
}

// settingsTable maps a domain to its settings with those of its parents already under them.
type settingsTable map[string]Settings

func newSettingsTable(domains map[string]Settings) (settingsTable, error) {
	plain := make(settingsTable, len(domains))
	for name, s := range domains {
		clean, err := cleanHost(name)
		if err != nil {
			return nil, &FieldError{Domain: name, Err: err}
		}
		if field, err := s.check(); err != nil {
			return nil, &FieldError{Domain: name, Field: field, Err: err}
		}
		if _, twice := plain[clean]; twice {
			return nil, &FieldError{Domain: name, Err: errors.New("the domain is there twice")}
		}
		plain[clean] = s
	}
	table := make(settingsTable, len(plain))
	for name := range plain {
		table[name] = plain.merge(name)
	}
	return table, nil
}

// merge lays the settings of a name over those of all its parents.
func (t settingsTable) merge(name string) Settings {
	s := t[name]
	for _, parent, ok := strings.Cut(name, "."); ok; _, parent, ok = strings.Cut(parent, ".") {
		if p, found := t[parent]; found {
			s = s.over(p)
		}
	}
	return s
}

// of finds the longest domain that the host, with or without a port, is or lies under.
func (t settingsTable) of(host string) Settings {
	if len(t) == 0 {
		return Settings{}
	}
	if s, found := t[host]; found {
		return s
	}
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	for ok := true; ok; _, host, ok = strings.Cut(host, ".") {
		if s, found := t[host]; found {
			return s
		}
	}
	return Settings{}
}
