package webapp

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"varve/web/canon"
	"varve/web/markup"
	"varve/web/markup/tree"
)

// Sight is what a page was recognised as.
type Sight struct {
	App        *Application
	Version    string // of the application; "" if the page does not say
	Level      *Level // nil if it is none that is known
	Confidence float64
	Why        []string     // the signs that were found
	Here       *Application // as it is on this site: App, with the words of the page in the addresses of its levels

	kin []*Application // others of its kind
}

// LevelName is that of the level, "" if it is none that is known.
func (s *Sight) LevelName() string {
	if s.Level == nil {
		return ""
	}
	return s.Level.Name
}

// enough is the confidence from which a page is taken to be of an application.
const enough = 0.5

// Reader recognises pages while they are read. It is a subscriber (page.Want.With) that costs a search for marks where a page is of no
// application, and a tree where it may be of one. It is not for concurrent use.
type Reader struct {
	k     *Knowledge
	maybe []*Application // whose marks the page has
	tree  tree.Builder
	bound map[string]*Application // by its name and the words of a site, of the last ones
}

var _ markup.Subscriber = (*Reader)(nil)

// NewReader returns a reader for one page after another.
func (k *Knowledge) NewReader() *Reader { return &Reader{k: k} }

// Marked returns the applications that a source has marks of: the others need not be thought of.
func (k *Knowledge) Marked(src []byte) []*Application {
	var maybe []*Application
	k.marks.Find(src, func(word int) bool {
		for _, i := range k.whose[word] {
			if !slices.Contains(maybe, k.list[i]) {
				maybe = append(maybe, k.list[i])
			}
		}
		return len(maybe) < len(k.list)
	})
	return maybe
}

// Begin implements markup.Subscriber.
func (r *Reader) Begin(src []byte) markup.Kinds {
	r.tree = tree.Builder{}
	if r.maybe = r.k.Marked(src); len(r.maybe) == 0 {
		return 0
	}
	return r.tree.Begin(src)
}

// Token implements markup.Subscriber.
func (r *Reader) Token(t *markup.Token) { r.tree.Token(t) }

// Root returns the tree of the page that was read last; nil if it is of no application.
func (r *Reader) Root() *tree.Node { return r.tree.Root }

// Sight says what the page that was read last is; nil if it is of no application that is known. Header returns fields of the answer's
// head, and may be nil.
func (r *Reader) Sight(u canon.URL, header func(name string) string) *Sight {
	if len(r.maybe) == 0 || r.tree.Root == nil {
		return nil
	}
	var best *Sight
	for _, a := range r.maybe {
		if s := a.sight(u, header, r.tree.Root); s.Confidence >= enough && (best == nil || s.Confidence > best.Confidence) {
			best = s
		}
	}
	if best != nil {
		best.Here = r.here(best.App)
		best.Level = best.Here.LevelOf(u, r.tree.Root)
		for _, a := range r.k.list {
			if a.Kind == best.App.Kind && a != best.App {
				best.kin = append(best.kin, a)
			}
		}
	}
	return best
}

// here binds an application to the words of the page. Pages of one site have the same, so what was made for them is kept.
func (r *Reader) here(a *Application) *Application {
	if len(a.Words) == 0 {
		return a
	}
	words, key := map[string]string{}, a.Name+"\x00"+a.Kind
	for _, name := range slices.Sorted(maps.Keys(a.Words)) {
		for i := range a.Words[name] {
			if s, _ := a.Words[name][i].value(r.tree.Root, nil, nil); s != "" {
				words[name] = clip(s, maxField)
				break
			}
		}
		key += "\x00" + words[name]
	}
	bound := r.bound[key]
	if bound == nil {
		bound = a.bind(words)
		if r.bound == nil || len(r.bound) >= maxBound {
			r.bound = map[string]*Application{}
		}
		r.bound[key] = bound
	}
	return bound
}

// maxBound is for how many sites a reader keeps what it made of their words.
const maxBound = 64

// placeholder is where a word of a site stands in the address of a level.
var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

// bind returns the application with words of a site in the addresses of its levels: as they are, and as addresses write them. A word that is
// not known fits nothing, as no address has a brace.
func (a *Application) bind(words map[string]string) *Application {
	var levels []*Level
	for i, l := range a.levels {
		if l.Address == nil {
			continue
		}
		text := placeholder.ReplaceAllStringFunc(l.Address.String(), func(name string) string {
			word := strings.ReplaceAll(words[strings.Trim(name, "{}")], " ", "_")
			if word == "" {
				return name
			}
			return "(?:" + regexp.QuoteMeta(word) + "|" + regexp.QuoteMeta(url.PathEscape(word)) + ")"
		})
		if like, err := regexp.Compile(text); err == nil && text != l.Address.String() {
			if levels == nil {
				levels = slices.Clone(a.levels)
			}
			here := *l
			here.Address = &Pattern{like}
			levels[i] = &here
		}
	}
	if levels == nil {
		return a
	}
	bound := *a
	bound.levels = levels
	return &bound
}

// sight weighs the signs of an application. They are taken as independent, as crawl/route takes its own:
//
//	confidence = 1 - product over the signs that are there of (1 - weight)
//
// Example: a generator of weight 0.9 and a link of weight 0.5 are 1 - 0.1 x 0.5 = 0.95.
func (a *Application) sight(u canon.URL, header func(string) string, root *tree.Node) *Sight {
	s := &Sight{App: a}
	not := 1.0
	for _, sign := range a.Signs {
		version, ok := sign.holds(u, header, root)
		if !ok {
			continue
		}
		not *= 1 - sign.Weight
		s.Version = cmp.Or(s.Version, version)
		s.Why = append(s.Why, sign.text)
	}
	s.Confidence = 1 - not
	return s
}

// holds reports whether a sign is there, and what it says of the version.
func (s *Sign) holds(u canon.URL, header func(string) string, root *tree.Node) (version string, ok bool) {
	var on string
	switch {
	case s.Address:
		on = u.Target()
	case s.Header != "":
		if header == nil {
			return "", false
		}
		on = header(s.Header)
	default:
		return s.onPage(root)
	}
	m := s.Like.FindStringSubmatch(on)
	if len(m) > 1 {
		version = m[1]
	}
	return version, m != nil
}

// onPage looks for the first element that a sign tells of.
func (s *Sign) onPage(root *tree.Node) (version string, ok bool) {
	left := maxTries
	s.Select.find(root, nil, func(n *tree.Node) bool {
		left--
		switch {
		case s.Like != nil:
			on := n.Attr(s.Attr)
			if s.Attr == "" {
				on = textOf(n, nil)
			}
			m := s.Like.FindStringSubmatch(on)
			if ok = m != nil; len(m) > 1 {
				version = m[1]
			}
		default:
			ok = s.Attr == "" || n.Attr(s.Attr) != ""
		}
		return !ok && left > 0
	})
	return version, ok
}

// LevelOf returns the level of a page: the first one that fits. Without a tree, those are tried that are told by their address alone.
func (a *Application) LevelOf(u canon.URL, root *tree.Node) *Level {
	target := u.Target()
	for _, l := range a.levels {
		if l.Address != nil && !l.Address.MatchString(target) {
			continue
		}
		if l.Element != nil {
			if root == nil || len(l.Element.all(root, nil, 1)) == 0 {
				continue
			}
		}
		return l
	}
	return nil
}

// String says what a page was recognised as.
func (s *Sight) String() string {
	if s == nil {
		return "no application that is known"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", s.App.Name, s.Version)) + fmt.Sprintf(", %s (%.2f: %s)", cmp.Or(s.LevelName(), "unknown level"), s.Confidence, strings.Join(s.Why, "; "))
}
