package api

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"varve/text/needle"
)

// Version is that of rule files.
const Version = 1

// Interface is one rule: how an interface is found and what it lists.
type Interface struct {
	Name  string  `toml:"name"`
	About string  `toml:"about"`
	Find  []*Find `toml:"find"`
	Lists []*List `toml:"list"`
}

// Find is one way to find an interface in an answer. All that is set must hold. The first group of the
// expression that has one is the base, resolved against the URL of the answer.
type Find struct {
	Has  string `toml:"has"`  // text in the content; cheap, so it is looked for first
	HTML string `toml:"html"` // expression on the content of a page
	URL  string `toml:"url"`  // expression on the URL of the answer
	Path string `toml:"path"` // a value in the content, JSON or XML

	html, url *regexp.Regexp
	path      Path
}

// List is a request that lists items.
type List struct {
	Name   string   `toml:"name"`
	When   string   `toml:"when"` // expression on the URL of the answer in which the interface was found; its groups are {1}, {2}
	Of     string   `toml:"of"`   // asked for each item of that list; {LIST.member} are the item's members
	Method string   `toml:"method"`
	URL    string   `toml:"url"`
	Body   string   `toml:"body"`
	Type   string   `toml:"type"` // Content-Type of the body
	Accept string   `toml:"accept"`
	Items  string   `toml:"items"`
	Links  []string `toml:"links"`  // paths in an item to addresses of pages
	Embeds []string `toml:"embeds"` // paths in an item to addresses of files
	Make   []string `toml:"make"`   // URLs made of an item's members
	Next   Next     `toml:"next"`
	Pages  int      `toml:"pages"` // answers at most; 1,000
	Most   int      `toml:"most"`  // items at most; 100,000

	when               *regexp.Regexp
	url, body, nextURL Template
	items              Path
	links, embeds      []Path
	made               []Template
	nextPath, nextMore Path
}

// Next says how the next request of a list is made.
type Next struct {
	By    string `toml:"by"`    // page, offset, cursor, merge, url, header, rel; "": there is none
	First int    `toml:"first"` // of page and offset
	Last  string `toml:"last"`  // of page: header field with the number of the last one
	Path  string `toml:"path"`  // of cursor, merge and url: where it is in the answer
	More  string `toml:"more"`  // path that must be there, and not false, for the list to go on
	URL   string `toml:"url"`   // template of further requests, where it is another
}

// Rules are compiled rules. They are immutable.
type Rules struct {
	list  []*Interface
	words []string    // the marks of all interfaces, each once
	marks *needle.Set // that finds them
}

func newRules(list []*Interface) *Rules {
	r := &Rules{list: list}
	for _, n := range list {
		for _, f := range n.Find {
			if f.Has != "" && !slices.Contains(r.words, f.Has) {
				r.words = append(r.words, f.Has)
			}
		}
	}
	r.marks = needle.New(r.words...)
	return r
}

type file struct {
	Version    int          `toml:"version"`
	Interfaces []*Interface `toml:"interface"`
}

//go:embed rules.toml
var defaults string

// Default gives the rules that come with the program.
func Default() *Rules {
	r, err := Load("rules.toml", strings.NewReader(defaults))
	if err != nil {
		panic(err) // it is part of the program, and tested
	}
	return r
}

// maxInterfaces bounds a rule file.
const maxInterfaces = 500

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
	if len(f.Interfaces) > maxInterfaces {
		return nil, fmt.Errorf("%s: %d interfaces; at most %d", name, len(f.Interfaces), maxInterfaces)
	}
	for i, n := range f.Interfaces {
		if err := n.compile(); err != nil {
			return nil, fmt.Errorf("%s, interface %d (%s): %w", name, i+1, n.Name, err)
		}
	}
	return newRules(f.Interfaces), nil
}

// Before puts rules before others; one of the same name replaces the other's.
func (r *Rules) Before(others *Rules) *Rules {
	out := append([]*Interface(nil), r.list...)
	for _, o := range others.list {
		replaced := false
		for _, own := range r.list {
			replaced = replaced || own.Name == o.Name
		}
		if !replaced {
			out = append(out, o)
		}
	}
	return newRules(out)
}

// Names lists the interfaces that are known, with what they are.
func (r *Rules) Names() [][2]string {
	var out [][2]string
	for _, n := range r.list {
		out = append(out, [2]string{n.Name, n.About})
	}
	return out
}

func (n *Interface) compile() error {
	if n.Name == "" || len(n.Find) == 0 || len(n.Lists) == 0 {
		return errors.New("name, find and list are needed")
	}
	for i, f := range n.Find {
		if err := f.compile(); err != nil {
			return fmt.Errorf("find %d: %w", i+1, err)
		}
	}
	names := map[string]bool{}
	for i, l := range n.Lists {
		if err := l.compile(); err != nil {
			return fmt.Errorf("list %d (%s): %w", i+1, l.Name, err)
		}
		if l.Of != "" && !names[l.Of] {
			return fmt.Errorf("list %d (%s): of %q, which is no list before it", i+1, l.Name, l.Of)
		}
		names[l.Name] = true
	}
	return nil
}

func (f *Find) compile() (err error) {
	if f.HTML == "" && f.URL == "" {
		return errors.New("html or url is needed")
	}
	if f.html, err = expression("html", f.HTML); err != nil {
		return err
	}
	if f.url, err = expression("url", f.URL); err != nil {
		return err
	}
	f.path, err = ParsePath(f.Path)
	return err
}

func expression(what, s string) (*regexp.Regexp, error) {
	if s == "" {
		return nil, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return re, nil
}

func (l *List) compile() (err error) {
	if l.URL == "" || l.Name == "" {
		return errors.New("name and url are needed")
	}
	switch l.Method {
	case "", "GET", "POST":
	default:
		return fmt.Errorf("method %q; GET or POST", l.Method)
	}
	if l.Body != "" && l.Method != "POST" {
		return errors.New("a body without method = \"POST\"")
	}
	if l.when, err = expression("when", l.When); err != nil {
		return err
	}
	if l.items, err = ParsePath(l.Items); err != nil {
		return err
	}
	if l.links, err = paths(l.Links); err != nil {
		return err
	}
	if l.embeds, err = paths(l.Embeds); err != nil {
		return err
	}
	for _, m := range l.Make {
		t, err := ParseTemplate(m)
		if err != nil {
			return err
		}
		l.made = append(l.made, t)
	}
	if l.url, err = ParseTemplate(l.URL); err != nil {
		return err
	}
	if l.body, err = ParseBody(l.Body); err != nil {
		return err
	}
	if l.Pages <= 0 {
		l.Pages = 1000
	}
	if l.Most <= 0 {
		l.Most = 100_000
	}
	return l.compileNext()
}

func paths(list []string) (out []Path, err error) {
	for _, s := range list {
		p, err := ParsePath(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (l *List) compileNext() (err error) {
	n := &l.Next
	if n.URL != "" {
		if l.nextURL, err = ParseTemplate(n.URL); err != nil {
			return err
		}
	}
	if l.nextPath, err = ParsePath(n.Path); err != nil {
		return err
	}
	if l.nextMore, err = ParsePath(n.More); err != nil {
		return err
	}
	switch n.By {
	case "", "header", "rel":
		return nil
	case "page", "offset":
		if !l.url.uses(n.By) && !l.body.uses(n.By) {
			return fmt.Errorf("next by %s, and no {%s} in the request", n.By, n.By)
		}
		return nil
	case "cursor", "merge", "url":
		if n.Path == "" {
			return fmt.Errorf("next by %s needs a path", n.By)
		}
		return nil
	}
	return fmt.Errorf("next by %q; one of page, offset, cursor, merge, url, header, rel", n.By)
}
