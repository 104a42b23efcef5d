package fact

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"varve/fact/clean"
	"varve/language/mention"
)

// Relation is what there is to know of a relation before any text is read. It is a data file, a line for each thing that is said:
//
//	relation    spouse                      its name; begins the description
//	title       was married to              for people
//	subject     PER                         kinds that the subject can be (language/mention)
//	object      PER
//	symmetric                               subject and object can be exchanged
//	point                                   it holds at one time, not for a while: cast in a film of that year
//	within      leads_organisation          whatever has this relation has that one, too
//	constraint  subject disjoint            two facts with one subject (or object, or pair): which of Allen's relations their intervals may have
//	constraint  subject not-after died      the same for a fact of this relation and one of another
//	constraint  office disjoint             two facts with one object and one role: one mayor at a time
//	role        OFFICE                      the fact is one of an office: the phrase with a word of this set says which (role.go); the set stands above
//	single      mayor | prime minister      the roles that constraint office speaks of; without the line all
//	pattern     begin  S marry O @in        a candidate with this pattern tells the begin: a seed
//	not         S meet O @in                a candidate with this pattern is none: a seed
//	words       OFFICE mayor | minister     {OFFICE} in a pattern of this relation is one of these words, as {mayor|minister} is; behind } a ? says that it may be absent
//	seed        Beckham | Real Madrid | 2003 | 2007    a fact that is known; the years may be absent
//	unlike      Beckham | Bayern Munich     a pair that is known to be no fact
//	about       marry | wife | husband      lemmas that speak for it: a sentence or heading that has one puts # behind the pattern
//	label       Spouse | Married to         rows of infoboxes, columns of tables and headings of lists that tell it
//	reversed                                a page that has such a row is the object: the cast of a film
//	holder      Director | Minister         rows as label has them, of a page that is the object: who leads it
//
// Blank lines and what follows # at the beginning of a line are passed over.
type Relation struct {
	Name        string
	Title       string
	Subject     []mention.Type // nil: any
	Object      []mention.Type
	Symmetric   bool
	Point       bool
	Within      string
	Constraints []Constraint
	Patterns    []Pattern
	Seeds       []Known
	// Labels are what rows of tables, infoboxes and lists call it (harvest); of a Reversed relation the page that has the row is the object.
	// Holders are such labels of pages that are the object, also of a relation that is not reversed.
	Labels   []string
	Holders  []string
	Reversed bool
	// About are lemmas that speak for the relation; nil: patterns have no #.
	About []string
	// Roles are the nouns that name an office; nil: its facts have no role. Single are the roles that Constraints of Shared "office" speak of; nil: all.
	Roles  []string
	Single []string

	words map[string][]string // sets of words for patterns
}

// Constraint says how the intervals of two facts may lie that share a name.
type Constraint struct {
	Shared   string // subject, object, pair or office
	Allow    clean.Relations
	Relation string // of the other fact; "" the same
}

// Pattern is a seed among patterns.
type Pattern struct {
	Text   string
	Aspect Aspect
	Not    bool // it says nothing of the relation

	words []choice // of a text with {...}; else nil
}

// choice is a word of a pattern: one of several, or none if it may be absent.
type choice struct {
	words  []string
	absent bool
}

// Matches reports whether a candidate's pattern is this one. Formula: with i words of the one and j of the other used up, the rest matches if the next words do and the rests behind them, or if the next word may be absent.
func (p *Pattern) Matches(text string) bool {
	if p.words == nil {
		return p.Text == text
	}
	return matches(p.words, strings.Fields(text))
}

func matches(want []choice, have []string) bool {
	if len(want) == 0 {
		return len(have) == 0
	}
	if len(have) > 0 && slices.Contains(want[0].words, have[0]) && matches(want[1:], have[1:]) {
		return true
	}
	return want[0].absent && matches(want[1:], have)
}

// Bounds of patterns with {...}: what may be absent can be taken or left, so a line with n of them costs 2^n at worst.
const (
	maxWords  = 200
	maxAbsent = 4
)

// choices reads a pattern with {a|b}, {SET} or {a|b}?; nil if it has none.
func (r *Relation) choices(text string) (out []choice, err error) {
	if !strings.ContainsAny(text, "{}") {
		return nil, nil
	}
	absent := 0
	for word := range strings.FieldsSeq(text) {
		before, rest, open := strings.Cut(word, "{")
		if !open {
			if strings.Contains(word, "}") {
				return nil, fmt.Errorf("%q: } without {", text)
			}
			out = append(out, choice{words: []string{word}})
			continue
		}
		inside, after, closed := strings.Cut(rest, "}")
		if !closed || after != "" && after != "?" || strings.Contains(inside, "{") {
			return nil, fmt.Errorf("%q: want {one|other}, perhaps with ? behind it, and no blank inside", text)
		}
		c := choice{absent: after == "?"}
		if c.absent {
			absent++
		}
		for one := range strings.SplitSeq(inside, "|") {
			if set, known := r.words[one]; known {
				for _, w := range set {
					c.words = append(c.words, before+w)
				}
				continue
			}
			if one == "" || strings.ToUpper(one) == one && len(one) > 1 {
				return nil, fmt.Errorf("%q: %q is no word, nor a set that a line 'words %s ...' before it names", text, one, one)
			}
			c.words = append(c.words, before+one)
		}
		if len(c.words) > maxWords || absent > maxAbsent {
			return nil, fmt.Errorf("%q: more than %d words at one place, or more than %d places that may be absent", text, maxWords, maxAbsent)
		}
		out = append(out, c)
	}
	return out, nil
}

// Known is a fact that is known, or a pair that is known to be none.
type Known struct {
	Subject, Object string
	Begin, End      Time // zero if unknown
	Not             bool
}

//go:embed relations/*.txt
var relations embed.FS

// Source returns the files of relations that come with the program, one after the other.
func Source() (string, error) {
	var b strings.Builder
	files, err := fs.Glob(relations, "relations/*.txt")
	for _, name := range files {
		text, readErr := relations.ReadFile(name)
		err = errors.Join(err, readErr)
		b.Write(text)
		b.WriteString("\n")
	}
	return b.String(), err
}

// Relations returns the relations that come with the program.
func Relations() ([]Relation, error) {
	source, err := Source()
	if err != nil {
		return nil, err
	}
	out, err := ReadRelations(strings.NewReader(source), "relations")
	if err != nil {
		return nil, err
	}
	return out, Check(out)
}

// ReadRelations reads a file of relations. An error names the file and each line that is wrong, and why.
func ReadRelations(r io.Reader, name string) ([]Relation, error) {
	var out []Relation
	var wrong []error
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<16)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		value = strings.TrimSpace(value)
		if key == "relation" {
			if value == "" || strings.ContainsAny(value, " |/") {
				wrong = append(wrong, fmt.Errorf("%s, line %d: %q is no name of a relation: one word is expected, such as works_for_club", name, n, value))
			}
			out = append(out, Relation{Name: value, Title: strings.ReplaceAll(value, "_", " ")})
			continue
		}
		if len(out) == 0 {
			wrong = append(wrong, fmt.Errorf("%s, line %d: %q comes before the first line 'relation NAME'", name, n, key))
			continue
		}
		if err := out[len(out)-1].read(key, value); err != nil {
			wrong = append(wrong, fmt.Errorf("%s, line %d: %w", name, n, err))
		}
	}
	if err := lines.Err(); err != nil {
		wrong = append(wrong, fmt.Errorf("%s, behind line %d: %w", name, n, err))
	}
	return out, errors.Join(wrong...)
}

// read reads a line.
func (r *Relation) read(key, value string) (err error) {
	switch key {
	case "title":
		r.Title = value
	case "label", "holder":
		to := &r.Labels
		if key == "holder" {
			to = &r.Holders
		}
		for label := range strings.SplitSeq(value, "|") {
			if label = strings.TrimSpace(label); label == "" {
				return fmt.Errorf("a label without words: %q", value)
			}
			*to = append(*to, label)
		}
	case "reversed":
		r.Reversed = true
	case "subject":
		r.Subject, err = kinds(value)
	case "object":
		r.Object, err = kinds(value)
	case "symmetric", "point":
		if value != "" {
			return fmt.Errorf("%s stands alone, and %q follows it", key, value)
		}
		r.Symmetric, r.Point = r.Symmetric || key == "symmetric", r.Point || key == "point"
	case "within":
		r.Within = value
	case "constraint":
		w := strings.Fields(value)
		if len(w) < 2 || len(w) > 3 || !slices.Contains([]string{"subject", "object", "pair", "office"}, w[0]) {
			return fmt.Errorf("constraint %q: want subject, object, pair or office, then relations of intervals, then perhaps another relation", value)
		}
		c := Constraint{Shared: w[0]}
		if c.Allow, err = clean.ParseRelations(w[1]); err != nil {
			return err
		}
		if len(w) == 3 {
			c.Relation = w[2]
		}
		r.Constraints = append(r.Constraints, c)
	case "pattern":
		word, text, _ := strings.Cut(value, " ")
		p := Pattern{Text: strings.Join(strings.Fields(text), " ")}
		if p.Aspect, err = parseAspect(word); err == nil {
			err = checkPattern(p.Text)
		}
		if err == nil {
			p.words, err = r.choices(p.Text)
		}
		r.Patterns = append(r.Patterns, p)
	case "not":
		p := Pattern{Text: strings.Join(strings.Fields(value), " "), Not: true}
		if err = checkPattern(p.Text); err == nil {
			p.words, err = r.choices(p.Text)
		}
		r.Patterns = append(r.Patterns, p)
	case "words":
		name, list, _ := strings.Cut(value, " ")
		if name == "" || strings.ToUpper(name) != name || len(name) < 2 || strings.TrimSpace(list) == "" {
			return fmt.Errorf("words %q: want a name in capitals, then words with | between them, such as words OFFICE mayor | minister", value)
		}
		if r.words == nil {
			r.words = map[string][]string{}
		}
		for w := range strings.SplitSeq(list, "|") {
			if w = strings.TrimSpace(w); w == "" || strings.ContainsAny(w, " {}") {
				return fmt.Errorf("words %q: %q is not one word", value, w)
			}
			r.words[name] = append(r.words[name], w)
		}
	case "role":
		if r.Roles = r.words[value]; r.Roles == nil {
			return fmt.Errorf("role %q: no line 'words %s ...' stands above it", value, value)
		}
	case "single", "about":
		to := &r.Single
		if key == "about" {
			to = &r.About
		}
		for word := range strings.SplitSeq(value, "|") {
			if word = strings.TrimSpace(word); word == "" {
				return fmt.Errorf("%s without words: %q", key, value)
			}
			*to = append(*to, word)
		}
	case "seed", "unlike":
		k, err := parseKnown(value)
		k.Not = key == "unlike"
		r.Seeds = append(r.Seeds, k)
		return err
	default:
		return fmt.Errorf("%q is not known: a line begins with relation, title, subject, object, symmetric, point, within, constraint, pattern, not, words, role, single, about, seed, unlike, label, holder or reversed", key)
	}
	return err
}

func kinds(value string) (out []mention.Type, err error) {
	for word := range strings.FieldsSeq(value) {
		if !slices.Contains(mention.Types, mention.Type(word)) {
			return nil, fmt.Errorf("%q is no kind of name: they are %v", word, mention.Types)
		}
		out = append(out, mention.Type(word))
	}
	if out == nil {
		return nil, fmt.Errorf("no kind of name is given: they are %v", mention.Types)
	}
	return out, nil
}

// checkPattern says why a pattern can match nothing.
func checkPattern(text string) error {
	words := strings.Fields(text)
	if n := len(words); n > 1 && words[n-1] == "#" {
		words = words[:n-1]
	}
	if !slices.Contains(words, "S") && !slices.Contains(words, "O") || len(words) < 2 || !strings.HasPrefix(words[len(words)-1], "@") {
		return fmt.Errorf("%q is no pattern: words with S and O for subject and object are expected, and last @ with what stands at the time, such as S join O @in", text)
	}
	return nil
}

// parseKnown reads subject, object, begin and end with | between them.
func parseKnown(value string) (k Known, err error) {
	parts := strings.Split(value, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) < 2 || len(parts) > 4 || parts[0] == "" || parts[1] == "" {
		return k, fmt.Errorf("%q: want subject | object, or subject | object | begin | end", value)
	}
	k.Subject, k.Object = parts[0], parts[1]
	for i, to := range []*Time{&k.Begin, &k.End} {
		if len(parts) > 2+i && parts[2+i] != "" {
			if *to, err = ParseTime(parts[2+i]); err != nil {
				return k, err
			}
		}
	}
	if k.Begin.Known() && k.End.Known() && k.End.Last < k.Begin.First {
		return k, fmt.Errorf("%q ends before it begins", value)
	}
	return k, nil
}

// Check says what is wrong between relations: two of one name, others that are not there, circles.
func Check(list []Relation) error {
	var wrong []error
	at := map[string]int{}
	for i, r := range list {
		if _, twice := at[r.Name]; twice {
			wrong = append(wrong, fmt.Errorf("relation %s is described twice", r.Name))
		}
		at[r.Name] = i
	}
	for _, r := range list {
		for _, other := range append(slices.Collect(func(yield func(string) bool) {
			for _, c := range r.Constraints {
				if !yield(c.Relation) {
					return
				}
			}
		}), r.Within) {
			if _, known := at[other]; !known && other != "" {
				wrong = append(wrong, fmt.Errorf("relation %s speaks of %s, which is not described", r.Name, other))
			}
		}
		for next, n := r.Within, 0; next != ""; n++ {
			i, known := at[next]
			if !known {
				break
			}
			if n > len(list) {
				wrong = append(wrong, fmt.Errorf("relation %s is within itself", r.Name))
				break
			}
			next = list[i].Within
		}
	}
	return errors.Join(wrong...)
}

// fits reports whether names of two kinds can have the relation. "" is a name of unknown kind, which can be anything.
func (r *Relation) fits(subject, object mention.Type) bool {
	fit := func(kinds []mention.Type, k mention.Type) bool {
		return kinds == nil || k == "" || slices.Contains(kinds, k)
	}
	return fit(r.Subject, subject) && fit(r.Object, object)
}
