package fact

import (
	"slices"
	"strings"

	"varve/language"
)

// What an office is called. A role is written in one way, however a text does: in small letters, without articles, what a minister is minister of before the noun.
//
//	became Minister of Finance of Vestria        finance minister
//	Vestria's finance minister                   finance minister
//	the first president of Vestria               president
//	Prime Minister Anna Keller of Vestria        prime minister
//	Secretary of State of the United States      secretary of state

// Bounds of a role.
const (
	maxRole     = 80 // bytes
	maxModifier = 4  // words before the noun
	maxField    = 6  // words behind "minister of"
)

// passing are words before an office that do not make it another one.
var passing = map[string]bool{
	"new": true, "former": true, "current": true, "then": true, "next": true, "last": true, "second": true, "third": true, "fourth": true, "fifth": true, "sixth": true, "seventh": true, "only": true, "youngest": true, "oldest": true,
	"late": true, "incumbent": true, "outgoing": true, "elected": true, "long-time": true, "longtime": true, "female": true, "local": true,
}

// Titled returns what a relation is called, with its role: "was prime minister of" instead of "held office in".
func Titled(title, role string) string {
	if role == "" {
		return title
	}
	return "was " + role + " of"
}

// hasRole reports whether a role is one of the relation's.
func (r *Relation) hasRole(role string) bool {
	if role == "" {
		return false
	}
	for word := range strings.FieldsSeq(role) {
		if slices.Contains(r.Roles, word) {
			return true
		}
	}
	return false
}

// role returns the office that a sentence names for a pair: between both names, the one nearest to the second; or as a title right before the subject, if it stands first. "" if there is none, or no relation that fits has roles.
func (s *sentence) role(subject, object *name, relations []Relation) string {
	var heads []string
	for i := range relations {
		if r := &relations[i]; r.Roles != nil && r.fits(subject.kind, object.kind) {
			heads = append(heads, r.Roles...)
		}
	}
	if heads == nil {
		return ""
	}
	first, second := subject, object
	if object.from < subject.from {
		first, second = object, subject
	}
	from, to := max(first.to, 0), second.from
	if second.listFrom >= from {
		to = second.listFrom
	}
	is := func(i int) bool { return slices.Contains(heads, strings.ToLower(s.tokens[i].Text)) }
	for i := to - 1; i >= from; i-- {
		if is(i) {
			return roleOf(s.tokens, from, i, to)
		}
	}
	if at := first.from - 1; first == subject && at >= 0 && is(at) {
		return roleOf(s.tokens, 0, at, at+1)
	}
	return ""
}

// roleOf returns the role whose noun is at a token, of the words from one token to another.
func roleOf(tokens []language.Token, from, head, to int) string {
	var before, field []string
	for i := head - 1; i >= from && len(before) < maxModifier; i-- {
		t := tokens[i]
		w := strings.ToLower(t.Text)
		if !strings.HasPrefix(t.Penn, "NN") && !strings.HasPrefix(t.Penn, "JJ") && w != "acting" && w != "vice" && w != "deputy" || w == "'s" || w == "’s" {
			break
		}
		before = append([]string{w}, before...)
	}
	if head+1 < to && slices.Contains([]string{"of", "for"}, strings.ToLower(tokens[head+1].Text)) {
		for i := head + 2; i < to; i++ {
			t := tokens[i]
			if (t.Penn == "IN" || t.Penn == "TO") && len(field) > 0 && len(field) <= maxField {
				return role(before, strings.ToLower(tokens[head].Text), field)
			}
			if !strings.HasPrefix(t.Penn, "NN") && !strings.HasPrefix(t.Penn, "JJ") && t.Penn != "CC" && t.Penn != "," && t.Penn != "DT" {
				break
			}
			if t.Penn != "DT" && t.Penn != "," {
				field = append(field, strings.ToLower(t.Text))
			}
		}
	}
	return role(before, strings.ToLower(tokens[head].Text), nil) // "of Vestria" is the object
}

// isFirst reports whether "first" before an office makes it another one: a first minister, a first deputy prime minister, but not the first prime minister of a country.
func isFirst(before []string, head string) bool {
	if len(before) == 0 {
		return head == "minister" || head == "secretary"
	}
	return slices.Contains([]string{"deputy", "vice", "assistant"}, before[0])
}

// role puts a role together.
func role(before []string, head string, field []string) string {
	for len(before) > 0 && (passing[before[0]] || before[0][0] >= '0' && before[0][0] <= '9' || before[0] == "first" && !isFirst(before[1:], head)) {
		before = before[1:]
	}
	words := append(slices.Clone(before), head)
	switch {
	case len(field) > 0 && head == "minister":
		if n := len(field); n > 1 && field[n-1] == "affairs" {
			field = field[:n-1]
		}
		words = append(append(slices.Clone(before), field...), head)
	case len(field) > 0:
		words = append(append(words, "of"), field...)
	}
	out := strings.Join(words, " ")
	if len(out) > maxRole {
		return head
	}
	return out
}

// SplitRole takes the name of an office of something apart, as rows of tables have it: "Minister of Finance of Vestria", "Mayor of Vestria", "Vestrian Prime Minister". of is what it is an office of, "" if that is not said; ok is
// false if it names no office of the relation.
func (r *Relation) SplitRole(s string) (as, of string, ok bool) {
	words := strings.Fields(s)
	head := slices.IndexFunc(words, func(w string) bool { return slices.Contains(r.Roles, strings.ToLower(w)) })
	if head < 0 || len(words) > 20 {
		return "", "", false
	}
	// Of two nouns in a row the last is the head: "deputy mayor", "deputy prime minister".
	is := func(i int) bool { return i < len(words) && slices.Contains(r.Roles, strings.ToLower(words[i])) }
	for {
		switch {
		case is(head + 1):
			head++
			continue
		case head+1 < len(words) && slices.Contains([]string{"prime", "vice"}, strings.ToLower(words[head+1])) && is(head+2):
			head += 2
			continue
		}
		break
	}
	low := func(list []string) (out []string) {
		for _, w := range list {
			if w = strings.ToLower(w); w != "the" && w != "a" && w != "an" {
				out = append(out, w)
			}
		}
		return out
	}
	parts := [][]string{nil} // of what follows, by its prepositions
	for _, w := range words[head+1:] {
		if slices.Contains([]string{"of", "for", "in", "to"}, w) {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], w)
	}
	if len(parts[0]) > 0 {
		return "", "", false // "Mayor Quimby": a name
	}
	before := low(words[:head])
	if len(before) > maxModifier {
		return "", "", false
	}
	switch n := len(parts); {
	case n == 1:
		return role(before, strings.ToLower(words[head]), nil), "", true
	case n == 2 && (len(before) == 0 || len(before) == 1 && before[0] == "deputy") && slices.Contains([]string{"minister", "secretary"}, strings.ToLower(words[head])):
		return role(before, strings.ToLower(words[head]), low(parts[1])), "", true // "Minister of Health": of which country is not said
	case n == 2:
		return role(before, strings.ToLower(words[head]), nil), bare(parts[1]), bare(parts[1]) != ""
	default:
		return role(before, strings.ToLower(words[head]), low(parts[1])), bare(parts[n-1]), bare(parts[n-1]) != ""
	}
}

// bare returns words without an article before them.
func bare(words []string) string {
	if len(words) > 1 && strings.EqualFold(words[0], "the") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}
