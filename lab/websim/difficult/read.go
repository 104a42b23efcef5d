package difficult

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"golang.org/x/tools/txtar"
)

// head is the description of a site, before its answers.
type head struct {
	About  string   `toml:"about"`
	Hosts  []string `toml:"hosts"`  // others than its own
	Entry  []string `toml:"entry"`  // paths that the home page links to
	Decoys []string `toml:"decoys"` // targets
	OneOf  []string `toml:"oneof"`  // key elements of which any form will do: targets that end with *
	Views  []View   `toml:"view"`
}

// read adds what a source file says.
func (s *Site) read(seed uint64, data []byte) error {
	a := txtar.Parse(data)
	var h head
	meta, err := toml.Decode(string(a.Comment), &h)
	if err != nil {
		return err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("unknown key %s", unknown[0])
	}
	if h.About != "" {
		s.About = h.About
	}
	s.Others = append(s.Others, h.Hosts...)
	s.Entries = append(s.Entries, h.Entry...)
	m := maker{seed: seed, site: s}
	for _, name := range expandAll(h.Decoys) {
		s.Decoys = append(s.Decoys, s.url(name))
	}
	for _, target := range h.OneOf {
		s.Elements = append(s.Elements, Element{Opaque, "GET", s.url(target), ""})
	}
	for _, v := range h.Views {
		s.Views = append(s.Views, m.views(v)...)
	}
	for _, f := range a.Files {
		if err := s.readFile(&m, f); err != nil {
			return fmt.Errorf("file %s: %w", f.Name, err)
		}
	}
	return nil
}

// views makes one view of each number of the range in its address; the same range in its words stands for that number.
func (m *maker) views(v View) (out []View) {
	all := rangeForm.FindString(v.URL)
	for _, one := range expand(v.URL) {
		shows := v.Shows
		if all != "" {
			shows = nil
			for _, word := range v.Shows {
				shows = append(shows, strings.ReplaceAll(word, all, strconv.Itoa(one.n)))
			}
		}
		out = append(out, View{URL: m.site.url(one.text), Do: v.Do, Shows: m.marks(shows), Any: m.marks(v.Any)})
	}
	return out
}

// url makes a target of the site a URL.
func (s *Site) url(target string) string {
	if strings.HasPrefix(target, "//") {
		return "http:" + target
	}
	return "http://" + s.Host + target
}

func (s *Site) readFile(m *maker, f txtar.File) error {
	for _, one := range expand(f.Name) {
		r, err := parseName(one.text)
		if err != nil {
			return err
		}
		a, err := m.answer(r, one.n, string(f.Data))
		if err != nil {
			return err
		}
		r.URL = s.url(r.URL)
		if strings.HasSuffix(r.URL, "*") {
			a.prefix = r.Element
			s.open = append(s.open, a)
		} else {
			s.answers[key(r.Method, r.URL, r.Body)] = a
		}
		s.all = append(s.all, r.Element)
		if r.Kind != "" {
			s.Elements = append(s.Elements, r.Element)
		}
	}
	return nil
}

// name is what the name of a file says; its URL is a target still.
type name struct {
	Element
	location string // where it redirects to
}

var nameForm = regexp.MustCompile(`^(?:(POST) )?(/\S*)(?: (.*?))??(?: -> (\S+))?(?: \((explicit|variable|opaque)\))?$`)

func parseName(text string) (name, error) {
	m := nameForm.FindStringSubmatch(text)
	if m == nil {
		return name{}, errors.New("want [POST ]TARGET[ BODY][ -> LOCATION][ (KIND)]")
	}
	n := name{Element{Kind(m[5]), "GET", m[2], m[3]}, m[4]}
	if m[1] != "" {
		n.Method = m[1]
	} else if n.Body != "" {
		return name{}, errors.New("a GET with a body")
	}
	return n, nil
}

// numbered is a text in which a range was replaced by one of its numbers.
type numbered struct {
	text string
	n    int
}

var rangeForm = regexp.MustCompile(`\{(\d+)-(\d+)\}`)

const maxRange = 1000 // numbers of a range

// expand replaces the first range of a text, such as {1-8}, by each of its numbers.
func expand(text string) []numbered {
	at := rangeForm.FindStringSubmatchIndex(text)
	if at == nil {
		return []numbered{{text, 0}}
	}
	from, _ := strconv.Atoi(text[at[2]:at[3]])
	to, _ := strconv.Atoi(text[at[4]:at[5]])
	var out []numbered
	for n := from; n <= min(to, from+maxRange-1); n++ {
		out = append(out, numbered{text[:at[0]] + strconv.Itoa(n) + text[at[1]:], n})
	}
	return out
}

func expandAll(texts []string) (out []string) {
	for _, t := range texts {
		for _, one := range expand(t) {
			out = append(out, one.text)
		}
	}
	return out
}
