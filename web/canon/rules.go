package canon

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// The groups of the default rules.
const (
	GroupSession  = "session"  // says who asks; dropped from the frontier key
	GroupTracking = "tracking" // says how they came; dropped in fuzzy lookup
	GroupCache    = "cache"    // defeats caches; dropped in fuzzy lookup
)

// Limits of a rule file.
const (
	maxRuleFile = 1 << 20
	maxRuleName = 64
)

//go:embed rules.toml
var defaultRulesText string

// defaultRules compiles the embedded file once. It is part of the program: a mistake in it is a
// bug that the package's test finds.
var defaultRules = sync.OnceValue(func() *Rules {
	r, err := LoadRules(strings.NewReader(defaultRulesText))
	if err != nil {
		panic("embedded rules.toml: " + err.Error())
	}
	return r
})

// Rules is a compiled rule file. It is immutable and safe for concurrent use.
type Rules struct {
	groups map[string]*ruleGroup
	all    []Rule
}

// Rule is one entry of a rule file.
type Rule struct {
	Group    string    `toml:"group"`
	Names    []string  `toml:"names"`    // parameter names in lower case; a final * matches any ending
	Value    string    `toml:"value"`    // pattern of the whole value, case-insensitive; empty: any
	Together bool      `toml:"together"` // the names are dropped only when all are there
	Pattern  string    `toml:"pattern"`  // segments: pattern of the whole segment, case-insensitive
	Before   string    `toml:"before"`   // segments: pattern somewhere in the rest of the path
	Hint     string    `toml:"hint"`     // segments: a text that every match contains
	Why      string    `toml:"why"`
	Examples []Example `toml:"examples"`

	value, pattern, before *regexp.Regexp
}

// Example shows what a rule does: In becomes Out when the rule's group is stripped. An empty Out
// means that In stays.
type Example struct {
	In  string `toml:"in"`
	Out string `toml:"out"`
}

// ruleFile is the TOML form.
type ruleFile struct {
	Format  string `toml:"format"`
	Version int    `toml:"version"`
	Query   []Rule `toml:"query"`
	Matrix  []Rule `toml:"matrix"`
	Segment []Rule `toml:"segment"`
}

// DefaultRules gives the rules that come with the program.
func DefaultRules() *Rules { return defaultRules() }

// LoadRules reads a rule file and runs its examples; a file whose examples fail is refused.
func LoadRules(r io.Reader) (*Rules, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRuleFile+1))
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	if len(text) > maxRuleFile {
		return nil, fmt.Errorf("read rules: longer than %d bytes", maxRuleFile)
	}
	var f ruleFile
	meta, err := toml.Decode(string(text), &f)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("read rules: unknown setting %s", unknown[0])
	}
	if f.Format != "varve-canon-rules" || f.Version != 1 {
		return nil, fmt.Errorf("read rules: format %q version %d, want varve-canon-rules version 1", f.Format, f.Version)
	}
	rules, err := compileRules(&f)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	return rules, rules.Check()
}

// compileRules builds the lookup tables.
func compileRules(f *ruleFile) (*Rules, error) {
	rules := &Rules{groups: map[string]*ruleGroup{}}
	for _, part := range []struct {
		kind  string
		rules []Rule
		add   func(*ruleGroup, *Rule)
	}{
		{"query", f.Query, (*ruleGroup).addQuery},
		{"matrix", f.Matrix, (*ruleGroup).addMatrix},
		{"segment", f.Segment, (*ruleGroup).addSegment},
	} {
		for i := range part.rules {
			rule := &part.rules[i]
			if err := rule.compile(part.kind == "segment"); err != nil {
				return nil, fmt.Errorf("%s rule %d: %w", part.kind, i+1, err)
			}
			g := rules.groups[rule.Group]
			if g == nil {
				g = &ruleGroup{query: nameTable{exact: map[string][]*Rule{}}, matrix: nameTable{exact: map[string][]*Rule{}}}
				rules.groups[rule.Group] = g
			}
			part.add(g, rule)
			rules.all = append(rules.all, *rule)
		}
	}
	return rules, nil
}

// compile checks a rule and compiles its patterns.
func (r *Rule) compile(segment bool) (err error) {
	switch {
	case r.Group == "":
		return errors.New("no group")
	case segment && r.Pattern == "":
		return errors.New("no pattern")
	case !segment && len(r.Names) == 0:
		return errors.New("no names")
	}
	for _, n := range r.Names {
		if n == "" || n == "*" || n != strings.ToLower(n) || len(n) > maxRuleName || strings.ContainsAny(n, "&=;/?#") {
			return fmt.Errorf("name %q must be lower case, at most %d bytes, without delimiters", n, maxRuleName)
		}
	}
	if r.Together && strings.Contains(strings.Join(r.Names, ""), "*") {
		return errors.New("names of a rule with together must be whole")
	}
	if r.value, err = compilePattern(`(?is)\A(?:`, r.Value, `)\z`); err != nil {
		return fmt.Errorf("value: %w", err)
	}
	if r.pattern, err = compilePattern(`(?is)\A(?:`, r.Pattern, `)\z`); err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	if r.before, err = compilePattern(`(?is)(?:`, r.Before, `)`); err != nil {
		return fmt.Errorf("before: %w", err)
	}
	return nil
}

// compilePattern compiles a pattern between anchors; an empty one gives nil.
func compilePattern(head, pattern, tail string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, nil
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, err
	}
	return regexp.Compile(head + pattern + tail)
}

// All gives the rules, in the order of the file within each kind.
func (r *Rules) All() []Rule { return slices.Clone(r.all) }

// Check runs the examples of all rules and names the first that fails.
func (r *Rules) Check() error {
	for i := range r.all {
		rule := &r.all[i]
		for _, e := range rule.Examples {
			u, err := Parse(e.In)
			if err != nil {
				return fmt.Errorf("rule of group %s, example: %w", rule.Group, err)
			}
			want := e.Out
			if want == "" {
				want = e.In
			}
			if got := r.Strip(u, rule.Group); got != want {
				return fmt.Errorf("rule of group %s: example %q gives %q, want %q", rule.Group, e.In, got, want)
			}
		}
	}
	return nil
}
