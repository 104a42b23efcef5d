package statistics

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"regexp"
	"strings"
)

// ReadMediaWiki reads a site from an XML dump of a MediaWiki: articles with their categories, categories with those above them, and redirects to categories as their other names.
func ReadMediaWiki(r io.Reader) (*Site, error) {
	in := xml.NewDecoder(r)
	in.Strict = false
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	s := &Site{}
	themes := map[string]*Category{}
	var order []string
	theme := func(name string) *Category {
		if themes[fold(name)] == nil {
			themes[fold(name)] = &Category{Name: name}
			order = append(order, fold(name))
		}
		return themes[fold(name)]
	}
	base := ""
	for {
		t, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", in.InputOffset(), err)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "sitename":
			err = in.DecodeElement(&s.Name, &start)
		case "base":
			err = in.DecodeElement(&base, &start)
		case "page":
			at := in.InputOffset()
			var p wikiPage
			if err = in.DecodeElement(&p, &start); err != nil {
				return nil, fmt.Errorf("byte %d, in page %q, which begins at byte %d: %w", in.InputOffset(), p.Title, at, err)
			}
			err = s.page(&p, base, theme)
		}
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", in.InputOffset(), err)
		}
	}
	for _, key := range order {
		if err := s.add(line{Theme: themes[key]}); err != nil {
			return nil, err
		}
	}
	return s, s.finish()
}

// wikiPage is a page of a dump; of several revisions the last counts.
type wikiPage struct {
	Title    string `xml:"title"`
	NS       string `xml:"ns"`
	Redirect *struct {
		Title string `xml:"title,attr"`
	} `xml:"redirect"`
	Revisions []struct {
		Text string `xml:"text"`
	} `xml:"revision"`
}

var categoryLink = regexp.MustCompile(`(?i)\[\[\s*category\s*:\s*([^\]|]+)(?:\|[^\]]*)?\]\]`)

func (s *Site) page(p *wikiPage, base string, theme func(string) *Category) error {
	name, isCategory := strings.CutPrefix(p.Title, "Category:")
	switch {
	case p.Redirect != nil:
		if to, ok := strings.CutPrefix(p.Redirect.Title, "Category:"); ok {
			c := theme(to)
			c.Names = append(c.Names, name)
		}
		return nil
	case p.NS != "0" && p.NS != "" && !isCategory, len(p.Revisions) == 0:
		return nil
	}
	text := p.Revisions[len(p.Revisions)-1].Text
	var above []string
	for _, m := range categoryLink.FindAllStringSubmatch(text, -1) {
		above = append(above, strings.TrimSpace(m[1]))
	}
	if isCategory {
		c := theme(name)
		c.Parents = append(c.Parents, above...)
		return nil
	}
	for _, c := range above {
		theme(c)
	}
	a := Article{Title: p.Title, Categories: above, Text: plain(text)}
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		a.URL = u.ResolveReference(&url.URL{Path: strings.ReplaceAll(p.Title, " ", "_")}).String()
	}
	return s.add(line{Article: &a})
}

var (
	wikiComment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	wikiReserved = regexp.MustCompile(`(?is)<(ref|math|gallery)[^>]*>.*?</(ref|math|gallery)>|<[^>]{1,200}>`)
	wikiTemplate = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	wikiTable    = regexp.MustCompile(`(?s)\{\|.*?\|\}`)
	wikiLink     = regexp.MustCompile(`\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]`)
	wikiMarks    = regexp.MustCompile(`'{2,}|={2,}`)
)

// plain returns the words of a page without its marks.
func plain(text string) string {
	text = wikiComment.ReplaceAllString(text, "")
	for range 5 { // templates stand in templates
		if !wikiTemplate.MatchString(text) {
			break
		}
		text = wikiTemplate.ReplaceAllString(text, "")
	}
	text = wikiTable.ReplaceAllString(text, "")
	text = categoryLink.ReplaceAllString(text, "")
	text = wikiLink.ReplaceAllString(text, "$1")
	text = wikiReserved.ReplaceAllString(text, "")
	text = wikiMarks.ReplaceAllString(text, "")
	return strings.TrimSpace(html.UnescapeString(text))
}
