// Package statistics links texts to articles of a site of statistics (LILIANA: Live Linking for Online Statistics, seed 004, 5.3): a text names concrete things, an article treats a theme, and between them stand
// two systems of categories: the kinds of the things that are named, and the themes of the articles.
//
//	category    of one system: a name, other names, and what it is below
//	theme       a category of the site
//	class       a category of the things that a text names: a type of varve/entity/kind, a class of a base
//	alignment   which themes a class stands for                                              align.go
//	votes       how many themes of an article the classes of a text stand for                rank.go
//
// A site is imported from a dump of a MediaWiki (Eurostat's Statistics Explained is one) or from lines of JSON, and kept as such lines (docs/formats/statistics.md). Classes may come with it, as a second tree; the types
// of varve/entity/kind are always there.
//
// Cost: an alignment takes the pairs of classes and themes once; a text takes its words times the articles that have them. All of a site is held in memory: it is small (Statistics Explained has 40 themes and 2,000
// articles), and bounded.
package statistics

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"varve/language/term"
	"varve/text/token"
)

// Category is a node of a system of categories.
type Category struct {
	Name    string   `json:"name"`
	Names   []string `json:"names,omitempty"` // others: synonyms, terms of a thesaurus
	Parents []string `json:"parents,omitempty"`
}

// Article is an article of the site.
type Article struct {
	Title      string   `json:"title"`
	URL        string   `json:"url,omitempty"`
	Categories []string `json:"categories"` // themes
	Text       string   `json:"text,omitempty"`
}

// Site is articles with their themes, and classes that came with them.
type Site struct {
	Name     string
	Themes   []Category
	Classes  []Category
	Articles []Article

	words vectors
}

// ErrNoArticles is that of a site without any: nothing can be linked to it, but it may have classes for another.
var ErrNoArticles = errors.New("there are no articles in it")

// Version is that of the lines.
const Version = 1

// Bounds of a site.
const (
	MaxArticles   = 50_000
	MaxCategories = 100_000
	maxText       = 64 << 10 // bytes of an article that are kept: what it is about stands at its begin
	maxLine       = 1 << 20
)

// line is one of a file: one of the four is there.
type line struct {
	Version int       `json:"version,omitempty"`
	Site    string    `json:"site,omitempty"`
	Theme   *Category `json:"theme,omitempty"`
	Class   *Category `json:"class,omitempty"`
	Article *Article  `json:"article,omitempty"`
}

// Read reads lines of JSON.
func Read(r io.Reader) (*Site, error) {
	s := &Site{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if l.Version > Version {
			return nil, fmt.Errorf("line %d: version %d is not known, a newer Varve wrote it", n, l.Version)
		}
		if err := s.add(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return s, s.finish() // also what has no articles is returned
}

func (s *Site) add(l line) error {
	if l.Site != "" {
		s.Name = l.Site
	}
	for _, c := range []struct {
		one  *Category
		list *[]Category
	}{{l.Theme, &s.Themes}, {l.Class, &s.Classes}} {
		switch {
		case c.one == nil:
		case strings.TrimSpace(c.one.Name) == "":
			return errors.New("a category has no name")
		case len(*c.list) == MaxCategories:
			return fmt.Errorf("there are more than %d categories", MaxCategories)
		default:
			*c.list = append(*c.list, *c.one)
		}
	}
	if a := l.Article; a != nil {
		if strings.TrimSpace(a.Title) == "" {
			return errors.New("an article has no title")
		}
		if len(s.Articles) == MaxArticles {
			return fmt.Errorf("there are more than %d articles", MaxArticles)
		}
		if len(a.Text) > maxText {
			a.Text = strings.ToValidUTF8(a.Text[:maxText], "")
		}
		s.Articles = append(s.Articles, *a)
	}
	return nil
}

// finish adds themes that only articles name, and counts words.
func (s *Site) finish() error {
	known := map[string]bool{}
	for _, t := range s.Themes {
		known[fold(t.Name)] = true
	}
	for _, a := range s.Articles {
		for _, c := range a.Categories {
			if !known[fold(c)] {
				known[fold(c)] = true
				s.Themes = append(s.Themes, Category{Name: c})
			}
		}
	}
	if len(s.Articles) == 0 {
		return ErrNoArticles
	}
	s.words = newVectors(s.Articles)
	return nil
}

// Write writes a site as lines.
func (s *Site) Write(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	err := out.Encode(line{Version: Version, Site: s.Name})
	for i := 0; err == nil && i < len(s.Themes); i++ {
		err = out.Encode(line{Theme: &s.Themes[i]})
	}
	for i := 0; err == nil && i < len(s.Classes); i++ {
		err = out.Encode(line{Class: &s.Classes[i]})
	}
	for i := 0; err == nil && i < len(s.Articles); i++ {
		err = out.Encode(line{Article: &s.Articles[i]})
	}
	return err
}

// Join adds what another site has, such as a tree of classes. Of articles of one title the last counts.
func (s *Site) Join(o *Site) error {
	s.Themes, s.Classes = append(s.Themes, o.Themes...), append(s.Classes, o.Classes...)
	at := map[string]int{}
	for i, a := range s.Articles {
		at[a.Title] = i
	}
	for _, a := range o.Articles {
		if i, twice := at[a.Title]; twice {
			s.Articles[i] = a
		} else {
			s.Articles = append(s.Articles, a)
		}
	}
	if s.Name == "" {
		s.Name = o.Name
	}
	if len(s.Articles) > MaxArticles || len(s.Themes) > MaxCategories || len(s.Classes) > MaxCategories {
		return fmt.Errorf("together they have more than %d articles or %d categories", MaxArticles, MaxCategories)
	}
	return s.finish()
}

// fold is a name as it is compared.
func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(name, "_", " ")), " "))
}

// empty reports whether a word says nothing about what a theme is.
func empty(word string) bool {
	return len(word) < 2 || word == "statistics" || word == "statistical" || term.Function("en", word)
}

// stems returns the words of a text as they are compared, without those that say nothing.
func stems(text string) (out []string) {
	stemmer, _ := token.NewStemmer("en")
	for w := range token.Words(text) {
		word := strings.ToLower(w.Text)
		if empty(word) {
			continue
		}
		out = append(out, stemmer.Stem(word))
	}
	return out
}

// set returns words once, in order.
func set(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}
