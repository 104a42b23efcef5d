package webapp

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"varve/text/needle"
)

// Version is that of knowledge files.
const Version = 1

// Application is what is known of one application: a knowledge file (docs/formats/webapp.md).
type Application struct {
	Version int      `toml:"version"`
	Name    string   `toml:"name"`  // of the application, as its makers write it
	Kind    string   `toml:"kind"`  // blog, wiki, forum
	About   string   `toml:"about"` // for who reads the file
	Marks   []string `toml:"marks"` // one of them is in the source of each of its pages: others are not looked at
	Signs   []*Sign  `toml:"signs"`

	Cookies Cookies                 `toml:"cookies"`
	Words   map[string][]Expression `toml:"words"` // of a site's own language: where on a page each stands; {NAME} in addresses of levels
	Levels  map[string]*Level       `toml:"level"`
	Objects map[string]*Extraction  `toml:"object"`

	levels  []*Level // in the order of the file, which is that in which they are tried
	objects []*Extraction
	source  []byte
}

// Sign speaks for an application: "WEIGHT EXPRESSION", "WEIGHT address =~ PATTERN" or "WEIGHT header NAME =~ PATTERN". The weight is the
// chance that a page with this sign alone is of the application. What the first group of the pattern matches is its version.
type Sign struct {
	Weight  float64
	Address bool
	Header  string
	Expression
	text string
}

// Cookies says which of the cookies that an application sets are not sent back: those by which it writes into its pages what a reader did
// before. An archive that shows them shows the way of the crawler.
type Cookies struct {
	Withhold *Pattern `toml:"withhold"` // their names are like this; nil: all are sent
	Why      string   `toml:"why"`
}

// Level is a kind of page of an application.
type Level struct {
	Name    string   `toml:"-"`
	Element Selector `toml:"element"` // it is there on such pages
	Address *Pattern `toml:"address"` // path and query are like this; where both are given, both hold
	// Follow is whether such pages are visited; false where they show nothing that is not elsewhere: forms, other orders of a list.
	Follow *bool `toml:"follow"`
	// Parts is whether such addresses are left out as parts of pages, too: they make the server work and show nothing.
	Parts bool   `toml:"parts"`
	Gone  bool   `toml:"gone"` // such a page says that there is nothing at its address, whatever its status
	Why   string `toml:"why"`  // they are not visited
}

// Follows reports whether pages of the level are visited.
func (l *Level) Follows() bool { return l.Follow == nil || *l.Follow }

// Extraction is where a kind of web object stands on pages of some levels.
type Extraction struct {
	Name   string       `toml:"-"`
	Type   string       `toml:"type,omitempty"` // of the objects; the name if it is not given. Of several for one type the one that finds most counts
	Levels []string     `toml:"levels"`         // nil: on all
	Each   Selector     `toml:"each"`           // one element for each object
	Page   bool         `toml:"page,omitempty"` // the object is the page: fields are looked for in all of it where its element has none
	Drop   Selector     `toml:"drop,omitempty"` // is no part of texts
	ID     []Expression `toml:"id,omitempty"`
	Reply  []Expression `toml:"reply,omitempty"` // ID of what it answers; else that of the object around it
	Title  []Expression `toml:"title,omitempty"`
	Author []Expression `toml:"author,omitempty"`
	Time   []Expression `toml:"time,omitempty"`
	Text   []Expression `toml:"text,omitempty"`
	Link   []Expression `toml:"link,omitempty"`
	Tags   []Expression `toml:"tags,omitempty"` // all that are found, not the first

	Learned string `toml:"learned,omitempty"` // how it was found, and how well it fitted, where a program wrote it
}

// fields are the expressions of an object with their names, in the order of the file format.
func (o *Extraction) fields() []field {
	return []field{{"id", &o.ID}, {"reply", &o.Reply}, {"title", &o.Title}, {"author", &o.Author}, {"time", &o.Time}, {"text", &o.Text}, {"link", &o.Link}, {"tags", &o.Tags}}
}

type field struct {
	name string
	list *[]Expression
}

// Pattern is a regular expression.
type Pattern struct{ *regexp.Regexp }

// UnmarshalText reads a pattern.
func (p *Pattern) UnmarshalText(b []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(b))
	return err
}

// UnmarshalText reads a sign.
func (s *Sign) UnmarshalText(p []byte) error {
	s.text = string(p)
	weight, rest, _ := strings.Cut(strings.TrimSpace(s.text), " ")
	w, err := strconv.ParseFloat(weight, 64)
	if err != nil || w <= 0 || w >= 1 {
		return fmt.Errorf("sign %q: it begins with its weight, between 0 and 1", s.text)
	}
	s.Weight = w
	rest = strings.TrimSpace(rest)
	name, like, ok := strings.Cut(rest, "=~")
	name = strings.TrimSpace(name)
	if s.Header, _ = strings.CutPrefix(name, "header "); s.Header == name {
		s.Header = ""
	}
	if s.Address = name == "address"; !s.Address && s.Header == "" {
		return s.Expression.UnmarshalText([]byte(rest))
	}
	if !ok {
		return fmt.Errorf("sign %q: address and header are followed by =~ and a pattern", s.text)
	}
	if s.Like, err = regexp.Compile(strings.TrimSpace(like)); err == nil && s.Address && s.Like.NumSubexp() > 0 {
		return fmt.Errorf("sign %q: a group would be taken for the version, which no address has: write (?:...)", s.text)
	}
	return err
}

// Knowledge is what is known of all applications. It is immutable and safe for concurrent use.
type Knowledge struct {
	list  []*Application
	marks *needle.Set
	whose [][]int // by mark: applications
	words []string
}

//go:embed knowledge/*.toml
var files embed.FS

// Default returns the knowledge that comes with the program.
func Default() *Knowledge {
	k, err := LoadFS(files, "knowledge")
	if err != nil {
		panic(err) // it is part of the program, and tested
	}
	return k
}

// LoadFS reads the knowledge files of a folder, in the order of their names. Errors of all of them are told.
func LoadFS(dir fs.FS, at string) (*Knowledge, error) {
	names, err := fs.Glob(dir, at+"/*.toml")
	if err != nil {
		return nil, err
	}
	var list []*Application
	var errs []error
	for _, name := range names {
		src, err := fs.ReadFile(dir, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		a, err := Parse(name, src)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, a)
	}
	return newKnowledge(list), errors.Join(errs...)
}

// typeError is how the reader of TOML tells of a value of another type than is wanted: in words.
var typeError = regexp.MustCompile(`^toml: line (\d+) \(last key "([^"]*)"\): (.*)$`)

// maxFile bounds a knowledge file.
const maxFile = 1 << 20

// Parse reads a knowledge file. An error has the line and the reason.
func Parse(name string, src []byte) (*Application, error) {
	if len(src) > maxFile {
		return nil, fmt.Errorf("%s: %d bytes; at most %d", name, len(src), maxFile)
	}
	var a Application
	meta, err := toml.Decode(string(src), &a)
	if at, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("%s, line %d: %s", name, lineOf(src, at.Position.Line, at.Message), at.Message)
	}
	if err != nil {
		if m := typeError.FindStringSubmatch(err.Error()); m != nil {
			return nil, fmt.Errorf("%s, line %s: %s: %s", name, m[1], m[2], m[3])
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("%s, line %d: %q is not known", name, keyLine(src, keys[0]), keys[0].String())
	}
	for _, key := range meta.Keys() {
		switch {
		case len(key) == 2 && key[0] == "level":
			l := a.Levels[key[1]]
			l.Name, a.levels = key[1], append(a.levels, l)
		case len(key) == 2 && key[0] == "object":
			o := a.Objects[key[1]]
			o.Name, o.Type, a.objects = key[1], cmp.Or(o.Type, key[1]), append(a.objects, o)
		}
	}
	if key, why := a.check(); why != "" {
		return nil, fmt.Errorf("%s, line %d: %s", name, keyLine(src, key), why)
	}
	a.source = src
	return &a, nil
}

// Source returns the file that it was read from.
func (a *Application) Source() []byte { return a.source }

// check returns what is wrong with a file, and at which key.
func (a *Application) check() (toml.Key, string) {
	switch {
	case a.Version != Version:
		return toml.Key{"version"}, fmt.Sprintf("version %d; this program reads version %d", a.Version, Version)
	case a.Name == "":
		return toml.Key{"name"}, "a name is needed"
	case a.Kind == "":
		return toml.Key{"kind"}, "a kind is needed: blog, wiki, forum"
	case len(a.Marks) == 0 || len(a.Signs) == 0:
		return toml.Key{"marks"}, "marks and signs are needed: by these it is told from others"
	case slices.ContainsFunc(a.Marks, func(m string) bool { return len(m) < 4 }):
		return toml.Key{"marks"}, "a mark has at least four letters: shorter ones are in most pages"
	}
	for _, l := range a.levels {
		if l.Address != nil {
			for _, m := range placeholder.FindAllStringSubmatch(l.Address.String(), -1) {
				if a.Words[m[1]] == nil {
					return toml.Key{"level", l.Name, "address"}, fmt.Sprintf("level %q: {%s} is no word of [words]", l.Name, m[1])
				}
			}
		}
		if l.Parts && l.Follows() {
			return toml.Key{"level", l.Name, "parts"}, fmt.Sprintf("level %q: parts says what is left out beside pages; it needs follow = false", l.Name)
		}
		if l.Gone && (l.Element == nil || !l.Follows()) {
			return toml.Key{"level", l.Name, "gone"}, fmt.Sprintf("level %q: gone says what a visited page shows; it needs element", l.Name)
		}
		if l.Element == nil && l.Address == nil {
			return toml.Key{"level", l.Name}, fmt.Sprintf("level %q needs element or address", l.Name)
		}
		if !l.Follows() && l.Address == nil {
			return toml.Key{"level", l.Name}, fmt.Sprintf("level %q is not visited: it must be told by its address, since its pages are not seen", l.Name)
		}
	}
	for _, o := range a.objects {
		if o.Each == nil || len(o.Text) == 0 && len(o.Title) == 0 {
			return toml.Key{"object", o.Name}, fmt.Sprintf("object %q needs each, and text or title", o.Name)
		}
		for _, l := range o.Levels {
			if a.Levels[l] == nil {
				return toml.Key{"object", o.Name, "levels"}, fmt.Sprintf("object %q is on pages of level %q, which is not there", o.Name, l)
			}
		}
	}
	return nil, ""
}

// lineOf returns the line from one on that has what a message quotes first: a list of expressions has one place for all of them.
func lineOf(src []byte, line int, message string) int {
	_, quoted, _ := strings.Cut(message, `"`)
	quoted, _, ok := strings.Cut(quoted, `"`)
	if text, err := strconv.Unquote(`"` + quoted + `"`); ok && err == nil && text != "" {
		n := 0
		for l := range strings.Lines(string(src)) {
			if n++; n >= line && strings.Contains(l, text) {
				return n
			}
		}
	}
	return line
}

// keyLine returns the line that a key is on: the table's, or, below it, the key's own.
func keyLine(src []byte, key toml.Key) int {
	table, n, at := "", 0, 0
	for l := range strings.Lines(string(src)) {
		n++
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			if table = strings.Trim(l, "[] "); table == key.String() {
				return n
			}
			if len(key) > 1 && table == key[:len(key)-1].String() {
				at = n
			}
			continue
		}
		name, _, ok := strings.Cut(l, "=")
		if name = strings.TrimSpace(name); ok && len(key) > 0 && table == key[:len(key)-1].String() && name == key[len(key)-1] {
			return n
		}
	}
	return max(at, 1)
}

func newKnowledge(list []*Application) *Knowledge {
	k := &Knowledge{list: list}
	at := map[string]int{}
	for i, a := range list {
		for _, m := range a.Marks {
			n, known := at[m]
			if !known {
				n = len(k.words)
				at[m], k.words, k.whose = n, append(k.words, m), append(k.whose, nil)
			}
			k.whose[n] = append(k.whose[n], i)
		}
	}
	k.marks = needle.New(k.words...)
	return k
}

// With returns the knowledge with further applications, which come before those it has; one of the same name and kind replaces it.
func (k *Knowledge) With(more ...*Application) *Knowledge {
	list := slices.Clone(more)
	for _, a := range k.list {
		if !slices.ContainsFunc(more, func(m *Application) bool { return m.Name == a.Name && m.Kind == a.Kind }) {
			list = append(list, a)
		}
	}
	return newKnowledge(list)
}

// Digest identifies what is known, by the files it was read from.
func (k *Knowledge) Digest() string {
	h := sha256.New()
	for _, a := range k.list {
		fmt.Fprintf(h, "%d\n%s", len(a.source), a.source)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Applications lists what is known, by kind and name.
func (k *Knowledge) Applications() []*Application {
	return slices.SortedFunc(slices.Values(k.list), func(a, b *Application) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

// Named returns an application by its name, nil if there is none.
func (k *Knowledge) Named(name string) *Application {
	i := slices.IndexFunc(k.list, func(a *Application) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return k.list[i]
}

// LevelNames lists the levels, in the order of the file.
func (a *Application) LevelNames() (list []string) {
	for _, l := range a.levels {
		list = append(list, l.Name)
	}
	return list
}

// Types lists the types of web objects, each once.
func (a *Application) Types() (list []string) {
	for _, o := range a.objects {
		if !slices.Contains(list, o.Type) {
			list = append(list, o.Type)
		}
	}
	return list
}
