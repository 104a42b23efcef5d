package crawls

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve/crawl"
	"varve/crawl/scope"
)

// Draft is a crawl as somebody typed it: texts, right or wrong, under the names of their fields.
type Draft map[string]string

// DraftFields are the fields of a draft in the order of the form; most are keys of collection.toml.
var DraftFields = []string{
	"name", "seeds", "contact", "operator",
	"scope", "max-hops", "include", "exclude", "rules",
	"every", "max-pages", "max-urls", "max-bytes", "max-time", "delay",
	"revisit", "strategy", "revisit-time", "topic", "about",
	"capture", "screenshots", "spam-model", "spam-threshold", "note",
}

// ReadDraft takes the fields of a form.
func ReadDraft(form url.Values) Draft {
	d := Draft{}
	for _, f := range DraftFields {
		if v := strings.ReplaceAll(form.Get(f), "\r\n", "\n"); v != "" {
			d[f] = v
		}
	}
	return d
}

// NewDraft is what a form shows for a new crawl.
func NewDraft() Draft {
	return Draft{"scope": string(scope.Host), "every": "7 days", "max-pages": "5000", "revisit": "none", "capture": "auto"}
}

// Get gives a field without the blanks around it.
func (d Draft) Get(field string) string { return strings.TrimSpace(d[field]) }

// Is tells whether a choice has a value.
func (d Draft) Is(field, value string) bool { return d.Get(field) == value }

// DraftOf writes a planned crawl as a draft. What the form has no field for is not in it: Planned takes that from
// the crawl that is changed.
func DraftOf(p crawl.Planned) (Draft, error) {
	include, exclude, rest := splitRules(p.Scope.Rules)
	rules, err := crawl.RulesTOML(scope.Definition{Rules: rest, Domains: p.Scope.Domains})
	about, aboutErr := crawl.AboutTOML(p.About)
	d := Draft{
		"about": about,
		"name":  p.Name, "seeds": strings.Join(p.Seeds, "\n"), "contact": p.Contact, "operator": p.Operator,
		"scope": orElse(string(p.Scope.Mode), string(scope.Host)), "include": include, "exclude": exclude, "rules": rules,
		"every": SpanText(time.Duration(p.Every)), "max-pages": countText(p.MaxPages), "max-urls": countText(p.MaxURLs),
		"max-bytes": sizeText(p.MaxBytes), "max-time": SpanText(time.Duration(p.MaxTime)),
		"revisit": orElse(string(p.Revisit), "none"), "strategy": string(p.Strategy), "revisit-time": SpanText(time.Duration(p.RevisitTime)),
		"topic": strings.Join(p.Topic, "\n"), "capture": orElse(p.Mode, "auto"), "spam-model": p.SpamModel,
	}
	if p.Delay != nil {
		d["delay"] = orElse(SpanText(time.Duration(*p.Delay)), "0 s")
	}
	if p.Scope.MaxHops != nil {
		d["max-hops"] = strconv.Itoa(*p.Scope.MaxHops)
	}
	if p.Screenshot {
		d["screenshots"] = "yes"
	}
	if p.SpamThreshold != 0 {
		d["spam-threshold"] = strconv.FormatFloat(p.SpamThreshold, 'g', -1, 64)
	}
	return d, errors.Join(err, aboutErr)
}

func countText(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
