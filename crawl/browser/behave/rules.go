package behave

import (
	"bytes"
	_ "embed" // the rules and scripts
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed rules.toml
var builtin []byte

// Rules is what is known about pages. It is not to be changed once it is in use.
type Rules struct {
	Generic Generic `toml:"generic"`
	Site    []Site  `toml:"site"`
}

// Generic holds the words and selectors for all pages. Words are regular expressions, case ignored.
type Generic struct {
	Never   []string `toml:"never" json:"never"`
	More    []string `toml:"more" json:"more"`
	Banner  []string `toml:"banner" json:"banner"`
	Accept  []string `toml:"accept" json:"accept"`
	Consent []string `toml:"consent" json:"consent"` // selectors
}

// Site is the behaviour for the pages of a host.
type Site struct {
	Host string `toml:"host"` // a name, or "*.suffix" for the name and all below it
	Path string `toml:"path"` // a prefix; empty: all
	Step []Step `toml:"step"`
}

// Step is one thing to do, as often as it has an effect.
type Step struct {
	Selector string `toml:"selector" json:"selector"`
	Times    int    `toml:"times" json:"-"`     // at most; 1 where 0
	Each     bool   `toml:"each" json:"each"`   // all elements that fit, not the first
	Hide     bool   `toml:"hide" json:"hide"`   // remove instead of press
	Hover    bool   `toml:"hover" json:"hover"` // move the mouse over it instead
}

// Builtin gives the rules that come with the program.
func Builtin() (*Rules, error) { return Parse("rules.toml", builtin) }

// maxFile bounds a file of rules.
const maxFile = 4 << 20

// Load reads rules from a file. The name stands in errors.
func Load(name string, r io.Reader) (*Rules, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("behaviours in %s: %w", name, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("behaviours in %s: more than %d bytes", name, maxFile)
	}
	return Parse(name, data)
}

// Parse reads rules. The name stands in errors.
func Parse(name string, data []byte) (*Rules, error) {
	var r Rules
	meta, err := toml.NewDecoder(bytes.NewReader(data)).Decode(&r)
	if err != nil {
		return nil, fmt.Errorf("behaviours in %s: %w", name, err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("behaviours in %s: unknown key %s", name, extra[0])
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("behaviours in %s: %w", name, err)
	}
	return &r, nil
}

// check tells all that is wrong.
func (r *Rules) check() error {
	var errs []error
	g := &r.Generic
	for name, words := range map[string][]string{"never": g.Never, "more": g.More, "banner": g.Banner, "accept": g.Accept} {
		for i, w := range words {
			if _, err := regexp.Compile(w); err != nil {
				errs = append(errs, fmt.Errorf("generic.%s[%d]: %w", name, i, err))
			}
		}
	}
	for i, s := range r.Site {
		if s.Host == "" {
			errs = append(errs, fmt.Errorf("site[%d]: a host is needed", i))
		}
		for j, step := range s.Step {
			if strings.TrimSpace(step.Selector) == "" {
				errs = append(errs, fmt.Errorf("site[%d].step[%d]: a selector is needed", i, j))
			}
		}
	}
	return errors.Join(errs...)
}

// With gives the rules with others added: their sites come first, their words as well.
func (r *Rules) With(other *Rules) *Rules {
	g, o := r.Generic, other.Generic
	return &Rules{
		Generic: Generic{join(o.Never, g.Never), join(o.More, g.More), join(o.Banner, g.Banner), join(o.Accept, g.Accept), join(o.Consent, g.Consent)},
		Site:    append(append([]Site(nil), other.Site...), r.Site...),
	}
}

func join(a, b []string) []string { return append(append([]string(nil), a...), b...) }

// Steps gives what to do on a page: the steps of the first site that fits.
func (r *Rules) Steps(host, path string) []Step {
	host = strings.ToLower(host)
	for _, s := range r.Site {
		suffix, wild := strings.CutPrefix(strings.ToLower(s.Host), "*.")
		fits := host == suffix || wild && strings.HasSuffix(host, "."+suffix)
		if fits && strings.HasPrefix(path, s.Path) {
			return s.Step
		}
	}
	return nil
}
