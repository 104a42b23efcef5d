package route

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"varve/crawl/collect"
	"varve/web/links"
)

// What a rule can choose.
const (
	Parser  = "parser"
	Browser = "browser"
	Media   = "media"
	API     = "api"
	Binary  = "binary"
	Measure = "measure"
)

// Version is that of rule files.
const Version = 1

// Rule says how the answers that fit it are collected. A field that is not set fits all.
type Rule struct {
	Name   string   `toml:"name"`
	URL    string   `toml:"url"`
	Path   string   `toml:"path"`
	Host   string   `toml:"host"`
	MIME   []string `toml:"mime"`
	Status []string `toml:"status"`
	Found  []string `toml:"found"`
	Signs  []string `toml:"signs"`
	Any    []string `toml:"any-sign"`

	Truncated  bool          `toml:"truncated"`
	LinksUnder int           `toml:"links-under"`
	WordsUnder int           `toml:"words-under"`
	PagesOver  int64         `toml:"pages-over"`
	After      time.Duration `toml:"after"`

	Choose string        `toml:"choose"`
	Add    string        `toml:"add"`  // instead of Choose: a further collector
	Time   time.Duration `toml:"time"` // that the collector may take; 0: the crawl's default
	Why    string        `toml:"why"`

	url, path *regexp.Regexp
	status    [][2]int
	signs     Sign
	any       Sign
}

// Rules are compiled rules, and the constants of the measurement. They are immutable.
type Rules struct {
	list   []*Rule
	params Params
}

// file is a rule file.
type file struct {
	Version int     `toml:"version"`
	Gain    Params  `toml:"gain"`
	Rules   []*Rule `toml:"rule"`
}

//go:embed rules.toml
var defaults string

// maxRules bounds a rule file.
const maxRules = 1000

// Default gives the rules that come with the program.
func Default() *Rules {
	r, err := Load("rules.toml", strings.NewReader(defaults))
	if err != nil {
		panic(err) // it is part of the program, and tested
	}
	return r
}

// Load reads a rule file. Name is for errors.
func Load(name string, src io.Reader) (*Rules, error) {
	var f file
	meta, err := toml.NewDecoder(io.LimitReader(src, 1<<20)).Decode(&f)
	if err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s, line %d: %s", name, at.Position.Line, at.Message)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("%s: %q is not known", name, keys[0].String())
	}
	if f.Version != Version {
		return nil, fmt.Errorf("%s: version %d; this program reads version %d", name, f.Version, Version)
	}
	if len(f.Rules) > maxRules {
		return nil, fmt.Errorf("%s: %d rules; at most %d", name, len(f.Rules), maxRules)
	}
	for i, r := range f.Rules {
		if err := r.compile(); err != nil {
			return nil, fmt.Errorf("%s, rule %d (%s): %w", name, i+1, r.Name, err)
		}
	}
	return &Rules{list: f.Rules, params: f.Gain.WithDefaults()}, nil
}

// Before puts rules before others; the constants are those of the first.
func (r *Rules) Before(others *Rules) *Rules {
	return &Rules{list: append(append([]*Rule(nil), r.list...), others.list...), params: r.params}
}

// hopNames are the words for how an answer was found, with the letter that ends its hop path.
var hopNames = map[string]byte{"link": 'L', "embed": 'E', "redirect": 'R', "form": 'S', "feed": 'M', "speculative": 'X', "seed": 0}

// compile checks a rule and makes it ready.
func (r *Rule) compile() error {
	err := r.checkChoice()
	if err != nil {
		return err
	}
	if r.URL != "" {
		if r.url, err = regexp.Compile(r.URL); err != nil {
			return fmt.Errorf("url: %w", err)
		}
	}
	if r.Path != "" {
		if r.path, err = regexp.Compile(r.Path); err != nil {
			return fmt.Errorf("path: %w", err)
		}
	}
	for _, s := range r.Status {
		from, to, ok := parseRange(s)
		if !ok {
			return fmt.Errorf("status %q; such as 200 or 200-299", s)
		}
		r.status = append(r.status, [2]int{from, to})
	}
	for _, f := range r.Found {
		if _, ok := hopNames[f]; !ok {
			return fmt.Errorf("found %q; one of link, embed, redirect, form, feed, speculative, seed", f)
		}
	}
	if r.signs, err = parseSigns(r.Signs); err == nil {
		r.any, err = parseSigns(r.Any)
	}
	return err
}

func (r *Rule) checkChoice() error {
	switch r.Add {
	case "":
	case Browser, Media, API:
		if r.Choose != "" {
			return errors.New("it chooses and adds; one of both")
		}
		return nil
	default:
		return fmt.Errorf("add %q; one of browser, media, api", r.Add)
	}
	switch r.Choose {
	case Parser, Browser, Media, API, Binary, Measure:
		return nil
	}
	return fmt.Errorf("choose %q; one of parser, browser, media, api, binary, measure", r.Choose)
}

func parseRange(s string) (from, to int, ok bool) {
	a, b, two := strings.Cut(s, "-")
	if !two {
		b = a
	}
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(b)
	return from, to, err1 == nil && err2 == nil && from <= to
}

func parseSigns(names []string) (Sign, error) {
	var out Sign
	for _, n := range names {
		s, ok := ParseSign(n)
		if !ok {
			return 0, fmt.Errorf("sign %q is not known", n)
		}
		out |= s
	}
	return out, nil
}

// fits tells whether a rule is about an answer. The signs are found when a rule asks for them.
func (r *Rule) fits(e *collect.Evidence, page func() Markup) bool {
	switch {
	case len(r.status) > 0 && !inRanges(r.status, e.Status),
		len(r.MIME) > 0 && !anyMIME(r.MIME, e.MIME),
		len(r.Found) > 0 && !wasFound(r.Found, e.Hops),
		r.Truncated && !e.Truncated,
		r.PagesOver > 0 && e.Pages <= r.PagesOver,
		r.After > 0 && e.Elapsed <= r.After,
		r.LinksUnder > 0 && e.Info.Counts[links.HopLink] >= r.LinksUnder,
		r.WordsUnder > 0 && e.Info.TextLen >= r.WordsUnder,
		r.Host != "" && !hostFits(r.Host, e.URL),
		r.url != nil && !r.url.MatchString(e.URL),
		r.path != nil && !r.path.MatchString(pathOf(e.URL)):
		return false
	}
	if r.signs == 0 && r.any == 0 {
		return true
	}
	s := page().Signs
	return s.Has(r.signs) && (r.any == 0 || s&r.any != 0)
}

func inRanges(list [][2]int, n int) bool {
	for _, r := range list {
		if n >= r[0] && n <= r[1] {
			return true
		}
	}
	return false
}

// anyMIME matches media types; a star stands for anything.
func anyMIME(list []string, mime string) bool {
	for _, m := range list {
		before, after, star := strings.Cut(m, "*")
		if m == mime || star && len(mime) >= len(before)+len(after) && strings.HasPrefix(mime, before) && strings.HasSuffix(mime, after) {
			return true
		}
	}
	return false
}

func wasFound(list []string, hops string) bool {
	last := byte(0)
	if hops != "" {
		last = hops[len(hops)-1]
	}
	for _, f := range list {
		if hopNames[f] == last {
			return true
		}
	}
	return false
}

// hostFits matches the host of a URL, without its port.
func hostFits(pattern, rawURL string) bool {
	_, rest, _ := strings.Cut(rawURL, "://")
	host := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz0123456789-._[]%"))]
	if suffix, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(host, suffix)
	}
	return host == pattern
}

func pathOf(rawURL string) string {
	_, rest, _ := strings.Cut(rawURL, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}
