package timex

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"varve"
)

// Grammar is the words and rules of a language. It does not change and is safe for concurrent use.
//
// Its file has four kinds of lines; one that begins with # is a comment, a line that begins with a blank goes on with the one before:
//
//	@order mdy US                           order of day and month in 10/11/2026: mdy or dmy, and regions that write mdy
//	month 1: january, jan.                  words of a class, with a value; jan. may have a full stop
//	== calendar                             a stage begins
//	date = m:month d:num [,] y:year -> day  a rule: an item of class date from these; the action day makes its value
//
// Elements of a rule: class, or role:class for what the action reads, a|b one of several, [a b] that may be missing,
// +a without a blank before it, (a) that must be there but is no part, !a (first or last) that must not be there.
// Signs stand for themselves. An action may have an argument.
type Grammar struct {
	dayFirst   bool
	monthFirst map[string]bool // regions that write the month first
	classes    map[string]class
	names      []string
	words      map[string]*phrase
	stages     []*node
}

// class is a class of items.
type class uint8

// reading is one of the things that an item can be.
type reading struct {
	class class
	value any
}

// word is the value of a word or number.
type word struct {
	n     int
	x     float64 // of a quantity that is not whole
	width int     // digits; 0 if it is written in letters
	s     string
}

// phrase is a node in the trie of the words of the lexicon.
type phrase struct {
	readings []reading
	stop     bool // may be followed by the full stop of an abbreviation
	next     map[string]*phrase
}

// node is a node in the trie of the rules of a stage.
type node struct {
	edges  []edge
	leaves []leaf
	first  [][]edge // edges by their class; of the root of a stage
}

type edge struct {
	class class
	glued bool
	to    *node
}

// leaf is the end of a rule.
type leaf struct {
	order       int
	results     []class
	act         action
	arg         word
	solid       bool // numbers at the ends must not be parts of longer ones: 133-03-03-2020
	roles       string
	lead, trail int // elements that are context
	notBefore   []class
	notAfter    []class
}

// Limits of a grammar: its classes, the elements of a rule, those of them that are context before it, its optional
// parts, each of which doubles it in the trie, and its alternatives.
const (
	maxClasses      = 250
	maxElements     = 16
	maxLead         = 1
	maxOptional     = 8
	maxAlternatives = 1024
)

//go:embed en.txt de.txt fr.txt es.txt
var files embed.FS

// grammars are those that come with the program, by language; each is read when it is first asked for.
var grammars = map[string]func() (*Grammar, error){"en": reader("en"), "de": reader("de"), "fr": reader("fr"), "es": reader("es")}

// reader returns a function that reads the grammar of a language once.
func reader(lang string) func() (*Grammar, error) {
	return sync.OnceValues(func() (*Grammar, error) {
		data, err := files.ReadFile(lang + ".txt")
		if err != nil {
			return nil, err
		}
		g, err := Parse(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s.txt: %w", lang, err)
		}
		return g, nil
	})
}

// Load returns the grammar of a language (ISO 639-1). A region changes the order of numeric dates: en-GB.
func Load(lang string) (*Grammar, error) {
	base, region, _ := strings.Cut(lang, "-")
	read := grammars[base]
	if read == nil {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "find expressions of time", Msg: fmt.Sprintf("there are no rules for the language %q", lang),
			Hint: "expressions of time are known for: en, de, fr, es",
		}
	}
	g, err := read()
	if err != nil || region == "" {
		return g, err
	}
	other := *g // words and rules are the same ones
	other.dayFirst = !g.monthFirst[region]
	return &other, nil
}

// Parse reads a grammar.
func Parse(file string) (*Grammar, error) {
	g := &Grammar{classes: map[string]class{}, words: map[string]*phrase{}}
	for _, name := range fixedClasses {
		g.class(name)
	}
	var lines []string
	var numbers []int
	for i, line := range strings.Split(file, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case (line[0] == ' ' || line[0] == '\t') && len(lines) > 0:
			lines[len(lines)-1] += line
		default:
			lines, numbers = append(lines, line), append(numbers, i+1)
		}
	}
	for i, line := range lines {
		if err := g.line(line, i); err != nil {
			return nil, fmt.Errorf("line %d: %w", numbers[i], err)
		}
	}
	if len(g.names) > maxClasses {
		return nil, fmt.Errorf("there are more than %d classes", maxClasses)
	}
	for _, root := range g.stages {
		root.first = make([][]edge, len(g.names))
		for _, e := range root.edges {
			root.first[e.class] = append(root.first[e.class], e)
		}
	}
	return g, nil
}

func (g *Grammar) class(name string) class {
	c, ok := g.classes[name]
	if !ok {
		c = class(len(g.names))
		g.classes[name] = c
		g.names = append(g.names, name)
	}
	return c
}

func (g *Grammar) line(line string, order int) error {
	if len(g.names) > maxClasses {
		return fmt.Errorf("there are more than %d classes", maxClasses)
	}
	if rest, ok := strings.CutPrefix(line, "@order "); ok {
		fields := strings.Fields(rest)
		if len(fields) == 0 || fields[0] != "dmy" && fields[0] != "mdy" {
			return fmt.Errorf("the order is dmy or mdy")
		}
		g.dayFirst, g.monthFirst = fields[0] == "dmy", map[string]bool{}
		for _, region := range fields[1:] {
			g.monthFirst[region] = true
		}
		return nil
	}
	if strings.HasPrefix(line, "==") {
		g.stages = append(g.stages, &node{})
		return nil
	}
	if head, rest, ok := strings.Cut(line, " -> "); ok {
		return g.rule(head, strings.Fields(rest), order)
	}
	head, list, ok := strings.Cut(line, ": ")
	fields := strings.Fields(head)
	if !ok || len(fields) == 0 {
		return fmt.Errorf("%q is neither words nor a rule", line)
	}
	w := word{s: strings.Join(fields[1:], " ")}
	if n, err := strconv.Atoi(w.s); err == nil {
		w.n = n
	}
	if x, err := strconv.ParseFloat(w.s, 64); err == nil {
		w.x = x
	}
	if fields[0] == "holiday" {
		if _, err := parseHoliday(w.s); err != nil {
			return err
		}
	}
	for entry := range strings.SplitSeq(list, ", ") {
		for name := range strings.SplitSeq(fields[0], ",") {
			g.addWord(strings.TrimSpace(entry), reading{g.class(name), w})
		}
	}
	return nil
}

// addWord adds a word or phrase to the lexicon.
func (g *Grammar) addWord(entry string, r reading) {
	abbreviation := strings.HasSuffix(entry, ".") && !strings.HasSuffix(entry, " .")
	if abbreviation {
		entry = strings.TrimSuffix(entry, ".")
	}
	at := g.words
	var p *phrase
	for t := range tokens(entry) {
		key := strings.ToLower(entry[t.from:t.to])
		if at[key] == nil {
			at[key] = &phrase{next: map[string]*phrase{}}
		}
		p = at[key]
		at = p.next
	}
	if p != nil {
		p.readings = append(p.readings, r)
		p.stop = p.stop || abbreviation
	}
}

// element is an element of a rule.
type element struct {
	classes []class
	role    byte
	glued   bool
	context bool
	not     bool
}

func (g *Grammar) rule(head string, act []string, order int) error {
	if len(g.stages) == 0 {
		return fmt.Errorf("a rule before the first stage (==)")
	}
	name, pattern, ok := strings.Cut(head, " = ")
	if !ok || len(act) == 0 {
		return fmt.Errorf("%q is no rule", head)
	}
	l := leaf{order: order, act: actions[act[0]]}
	for n := range strings.SplitSeq(strings.TrimSpace(name), ",") {
		l.results = append(l.results, g.class(n))
	}
	if l.act == nil {
		return fmt.Errorf("there is no action %q", act[0])
	}
	for _, a := range act[1:] {
		if a == "solid" {
			l.solid = true
			continue
		}
		l.arg.s = a
		l.arg.n, _ = strconv.Atoi(a)
	}
	if strings.Count(pattern, "[") > maxOptional {
		return fmt.Errorf("a rule has more than %d optional parts", maxOptional)
	}
	return g.expand(strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(pattern)), nil, l)
}

// expand adds the rule once for each choice of its optional parts.
func (g *Grammar) expand(rest []string, done []element, l leaf) error {
	for i, f := range rest {
		if f == "[" {
			end, depth := i, 0
			for ; end < len(rest); end++ {
				switch rest[end] {
				case "[":
					depth++
				case "]":
					depth--
				}
				if depth == 0 {
					break
				}
			}
			if end == len(rest) {
				return fmt.Errorf("a bracket is not closed")
			}
			without := append(append([]string{}, rest[:i]...), rest[end+1:]...)
			with := append(append(append([]string{}, rest[:i]...), rest[i+1:end]...), rest[end+1:]...)
			if err := g.expand(without, done, l); err != nil {
				return err
			}
			return g.expand(with, done, l)
		}
	}
	for _, f := range rest {
		e, err := g.element(f)
		if err != nil {
			return err
		}
		done = append(done, e)
	}
	return g.insert(done, l)
}

func (g *Grammar) element(f string) (element, error) {
	var e element
	whole := f
	if f[0] == '!' && len(f) > 1 {
		e.not, f = true, f[1:]
	}
	if f[0] == '(' && strings.HasSuffix(f, ")") && len(f) > 2 {
		e.context, f = true, f[1:len(f)-1]
	}
	if f[0] == '+' && len(f) > 1 {
		e.glued, f = true, f[1:]
	}
	if len(f) > 2 && f[1] == ':' {
		e.role, f = f[0], f[2:]
	}
	for name := range strings.SplitSeq(f, "|") {
		if name == "" {
			return e, fmt.Errorf("%q is no element", whole)
		}
		if len(name) == 1 && strings.Contains(signs, name) {
			g.sign(name)
		}
		e.classes = append(e.classes, g.class(name))
	}
	return e, nil
}

// signs are those that rules may name.
const signs = ",.-/:~'="

// sign adds a sign to the lexicon, as a class of its own.
func (g *Grammar) sign(name string) {
	p := g.words[name]
	if p == nil {
		p = &phrase{next: map[string]*phrase{}}
		g.words[name] = p
	}
	c := g.class(name)
	if _, ok := (&item{readings: p.readings}).is(c); !ok {
		p.readings = append(p.readings, reading{c, word{}})
	}
}

// insert puts a rule without optional parts into the trie of its stage.
func (g *Grammar) insert(elements []element, l leaf) error {
	for len(elements) > 0 && elements[0].not {
		l.notBefore, elements = append(l.notBefore, elements[0].classes...), elements[1:]
	}
	for n := len(elements); n > 0 && elements[n-1].not; n-- {
		l.notAfter, elements = append(l.notAfter, elements[n-1].classes...), elements[:n-1]
	}
	for l.lead < len(elements) && elements[l.lead].context {
		l.lead++
	}
	for l.trail < len(elements)-l.lead && elements[len(elements)-1-l.trail].context {
		l.trail++
	}
	if len(elements) == l.lead+l.trail {
		return fmt.Errorf("a rule needs an element")
	}
	if l.lead > maxLead {
		return fmt.Errorf("a rule has more than %d elements of context before it", maxLead)
	}
	if len(elements) > maxElements {
		return fmt.Errorf("a rule has more than %d elements", maxElements)
	}
	roles := make([]byte, len(elements))
	nodes := []*node{g.stages[len(g.stages)-1]}
	for i, e := range elements {
		roles[i] = e.role
		var next []*node
		for _, n := range nodes {
			for _, c := range e.classes {
				next = append(next, n.child(c, e.glued))
			}
		}
		if len(next) > maxAlternatives {
			return fmt.Errorf("a rule stands for more than %d others", maxAlternatives)
		}
		nodes = next
	}
	l.roles = string(roles)
	for _, n := range nodes {
		n.leaves = append(n.leaves, l)
	}
	return nil
}

func (n *node) child(c class, glued bool) *node {
	for _, e := range n.edges {
		if e.class == c && e.glued == glued {
			return e.to
		}
	}
	to := &node{}
	n.edges = append(n.edges, edge{c, glued, to})
	return to
}
