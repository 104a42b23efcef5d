package scope

import (
	"slices"
	"strings"
)

// answer is what a condition says of a candidate.
type answer uint8

const (
	no answer = iota
	yes
	unknown // what the condition asks about is not known yet
)

func say(b bool) answer {
	if b {
		return yes
	}
	return no
}

// condition is one compiled condition of a rule.
type condition struct {
	field string // as in TOML
	text  string // for explanations: `host example.org`
	test  func(c *Candidate, s *Seeds) answer
}

// test asks all conditions: no beats unknown beats yes, since one that fails settles the rule.
func testAll(conditions []condition, c *Candidate, s *Seeds) answer {
	result := yes
	for i := range conditions {
		switch conditions[i].test(c, s) {
		case no:
			return no
		case unknown:
			result = unknown
		}
	}
	return result
}

// mimeTest compares media types; "image/*" takes all images.
func mimeTest(list []string) func(c *Candidate, s *Seeds) answer {
	patterns := lower(list)
	return func(c *Candidate, _ *Seeds) answer {
		if c.MIME == "" {
			return unknown
		}
		kind, _, _ := strings.Cut(c.MIME, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
		return say(slices.ContainsFunc(patterns, func(p string) bool {
			if group, ok := strings.CutSuffix(p, "*"); ok {
				return strings.HasPrefix(kind, group)
			}
			return kind == p
		}))
	}
}

// languageTest compares language tags; "pt" takes "pt-BR" too.
func languageTest(list []string) func(c *Candidate, s *Seeds) answer {
	wanted := lower(list)
	return func(c *Candidate, _ *Seeds) answer {
		if c.Language == "" {
			return unknown
		}
		return say(slices.ContainsFunc(wanted, func(w string) bool { return LanguageIs(c.Language, w) }))
	}
}

// LanguageIs tells whether a language tag is a language, or a kind of it.
func LanguageIs(tag, wanted string) bool {
	tag, wanted = strings.ToLower(tag), strings.ToLower(wanted)
	return tag == wanted || strings.HasPrefix(tag, wanted) && (tag[len(wanted)] == '-' || tag[len(wanted)] == '_')
}

// trapTest looks for a suspicion of the kinds.
func trapTest(kinds []string) func(c *Candidate, s *Seeds) answer {
	all := slices.Contains(kinds, "any")
	return func(c *Candidate, _ *Seeds) answer {
		return say(slices.ContainsFunc(c.Suspicions, func(x Suspicion) bool {
			return all || slices.Contains(kinds, string(x.Kind))
		}))
	}
}

// compare tests a value that may be missing.
func compare[T int64 | float64](get func(*Candidate) Known[T], holds func(T) bool) func(c *Candidate, s *Seeds) answer {
	return func(c *Candidate, _ *Seeds) answer {
		k := get(c)
		if !k.Set {
			return unknown
		}
		return say(holds(k.Value))
	}
}

func size(c *Candidate) Known[int64]        { return c.Size }
func spam(c *Candidate) Known[float64]      { return c.Spam }
func relevance(c *Candidate) Known[float64] { return c.Relevance }

// depth counts the segments of a path.
func depth(path string) int { return strings.Count(strings.TrimSuffix(path, "/"), "/") }

func lower(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.ToLower(strings.TrimSpace(s))
	}
	return out
}
