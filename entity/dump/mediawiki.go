package dump

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"regexp"
	"strings"

	"varve/entity"
)

// page is a page of an XML dump with its last revision.
type page struct {
	title, namespace, redirect string
	model, text                string
	at                         int64 // where it begins
}

// mediawiki reads an XML dump of a MediaWiki. Of a page with several revisions the last counts.
func (d *reading) mediawiki(r io.Reader) error {
	in := xml.NewDecoder(r)
	in.Strict = false // entities that are not declared, attributes without quotes
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	w := wiki{reading: d, name: d.o.Wiki, namespaces: map[string]string{"category": "14", "file": "6", "image": "6", "template": "10", "user": "2", "talk": "1", "help": "12", "special": "-1", "wikipedia": "4", "portal": "100"}}
	var p *page
	var key, field string
	var text strings.Builder
	lost := func(err error) error {
		where := fmt.Sprintf("byte %d", in.InputOffset())
		if p != nil {
			where += fmt.Sprintf(", in page %q, which begins at byte %d", p.title, p.at)
		}
		if errors.Is(err, io.EOF) || strings.Contains(err.Error(), "unexpected EOF") {
			err = errors.New("the dump ends in the middle")
		}
		return &Error{where, err}
	}
	depth := 0
	for {
		at := in.InputOffset()
		t, err := in.RawToken()
		if errors.Is(err, io.EOF) && depth == 0 {
			return nil
		}
		if err != nil {
			return lost(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			field = t.Name.Local
			text.Reset()
			switch field {
			case "page":
				p = &page{at: at}
			case "redirect":
				if p != nil {
					p.redirect = attribute(t, "title")
				}
			case "namespace":
				key = attribute(t, "key")
			case "revision":
				if p != nil {
					p.model, p.text = "", ""
				}
			}
		case xml.CharData:
			if text.Len()+len(t) <= MaxUnit {
				text.Write(t)
			}
		case xml.EndElement:
			depth--
			switch name := t.Name.Local; {
			case p == nil && name == "base":
				w.site(text.String())
			case p == nil && name == "dbname":
				w.name = or(d.o.Wiki, strings.TrimSpace(text.String()))
			case p == nil && name == "namespace":
				w.namespaces[strings.ToLower(text.String())] = key
			case p == nil || field != name && name != "page":
			case name == "title":
				p.title = strings.TrimSpace(text.String())
			case name == "ns":
				p.namespace = strings.TrimSpace(text.String())
			case name == "model":
				p.model = strings.TrimSpace(text.String())
			case name == "text":
				p.text = text.String()
			case name == "page":
				if err := d.ctx.Err(); err != nil {
					return err
				}
				if !d.skip() {
					w.page(p)
					if err := d.to.Unit(); err != nil {
						return err
					}
				}
				p = nil
			}
			field = ""
		}
	}
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// wiki is what a dump says of itself.
type wiki struct {
	*reading
	name       string            // such as enwiki
	namespaces map[string]string // number by name, in lower case
}

// site takes the name of the wiki from its address where nothing better is known: enwiki from https://en.wikipedia.org/wiki/Main_Page, else the host.
func (w *wiki) site(address string) {
	u, err := url.Parse(strings.TrimSpace(address))
	if w.name != "" || err != nil {
		return
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	if lang, ok := strings.CutSuffix(host, ".wikipedia.org"); ok {
		host = lang + "wiki"
	}
	w.name = host
}

var (
	redirected       = regexp.MustCompile(`(?i)^\s*#(?:redirect|weiterleitung|redirection)\s*:?\s*\[\[([^\]|\n]+)`)
	shortDescription = regexp.MustCompile(`(?i)\{\{\s*short description\s*\|\s*([^|{}]+)`)
	disambiguation   = regexp.MustCompile(`(?i)\{\{\s*(disambig|disambiguation|dab|hndis|geodis|human name disambiguation|begriffsklärung|homonymie)\b|__DISAMBIG__`)
	years            = regexp.MustCompile(`^(\d{1,4}) (births|deaths|establishments|disestablishments)\b`)
	coordinates      = regexp.MustCompile(`(?i)\{\{\s*coord\s*\|([^{}]*)\}\}`)
	unseen           = regexp.MustCompile(`(?s)<!--.*?-->|<nowiki>.*?</nowiki>|<math[ >].*?</math>`)
	listItem         = regexp.MustCompile(`(?m)^\*+[^\n]*?\[\[([^\]|\n]+)`)
)

// page says what a page says.
func (w *wiki) page(p *page) {
	place := fmt.Sprintf("page %q at byte %d", p.title, p.at)
	switch {
	case p.title == "":
		w.to.Bug(fmt.Sprintf("page at byte %d: no title: left out", p.at))
		return
	case p.model == "wikibase-item":
		if err := w.item([]byte(p.text), place); err != nil {
			w.to.Bug(fmt.Sprintf("%s: %v: left out", place, err))
		}
		return
	case p.namespace == "14":
		w.categoryPage(p)
		return
	case p.namespace != "0" || p.model != "" && p.model != "wikitext":
		return // talk, templates: no entities
	}
	id := pageID(w.name, p.title)
	plain := withoutBrackets(p.title)
	if m := redirected.FindStringSubmatch(p.text); m != nil && p.redirect == "" { // dumps of old have no element for it
		p.redirect = m[1]
	}
	if p.redirect != "" {
		target := w.target(p.redirect)
		w.say(id, entity.SameAs, target)
		w.say(target, entity.HasRedirect, plain)
		return
	}
	text := unseen.ReplaceAllString(p.text, "")
	if disambiguation.MatchString(text) || strings.HasSuffix(p.title, "(disambiguation)") {
		for _, m := range listItem.FindAllStringSubmatch(text, -1) {
			w.say(w.target(m[1]), entity.HasAlias, plain)
		}
		return
	}
	w.say(id, entity.HasLabel, p.title)
	if plain != p.title {
		w.say(id, entity.HasAlias, plain)
	}
	if m := shortDescription.FindStringSubmatch(text); m != nil {
		w.say(id, entity.Describes, m[1])
		w.say(id, entity.HasPhrase, m[1])
	}
	if m := coordinates.FindStringSubmatch(text); m != nil {
		if at, ok := coord(m[1]); ok {
			w.place(id, at, place)
		} else {
			w.to.Bug(fmt.Sprintf("%s: coordinates %q cannot be read", place, m[1]))
		}
	}
	for target, anchor := range links(text) {
		prefix, name, ok := strings.Cut(target, ":")
		number := ""
		if ok {
			number = w.namespaces[strings.ToLower(strings.TrimSpace(prefix))]
		}
		switch {
		case number == "14" && prefix != "":
			w.category(id, strings.TrimSpace(strings.ReplaceAll(name, "_", " ")), place)
		case number != "" || ok && interwiki(prefix):
		default:
			to := w.target(target)
			if to == "" || to == id {
				continue
			}
			w.say(to, entity.HasAnchor, anchor)
			w.say(to, entity.LinkedFrom, id)
			w.say(to, entity.HasPhrase, plain)
			w.say(id, entity.HasPhrase, anchor)
		}
	}
}

// categoryPage says which categories a category is in. It is a class without names: no text means it.
func (w *wiki) categoryPage(p *page) {
	_, name, ok := strings.Cut(p.title, ":")
	if !ok || p.redirect != "" {
		return
	}
	id := categoryID(w.name, name)
	w.say(id, entity.Exists, "category")
	for target := range links(unseen.ReplaceAllString(p.text, "")) {
		prefix, above, ok := strings.Cut(target, ":")
		if ok && w.namespaces[strings.ToLower(strings.TrimSpace(prefix))] == "14" && prefix != "" {
			w.say(id, entity.IsA, categoryID(w.name, above))
		}
	}
}

// categoryID is the id of a category, whatever the wiki calls the namespace.
func categoryID(wiki, name string) string {
	return wiki + ":Category" + pageID("", name)
}

// category says what a category says: a class, a phrase, and sometimes when something began or ended.
func (w *wiki) category(id, name, place string) {
	w.say(id, entity.IsA, categoryID(w.name, name))
	w.say(id, entity.HasPhrase, name)
	if m := years.FindStringSubmatch(name); m != nil {
		says := entity.Begins
		if m[2] == "deaths" || m[2] == "disestablishments" {
			says = entity.Ends
		}
		w.date(id, says, m[1], place)
	}
}

// target returns the id of the page that a link leads to; "" if to none.
func (w *wiki) target(title string) string {
	title, _, _ = strings.Cut(html.UnescapeString(title), "#")
	return pageID(w.name, strings.TrimPrefix(strings.TrimSpace(title), ":"))
}

// interwiki reports whether a prefix is that of a language or of a sister project: short and in small letters.
func interwiki(prefix string) bool {
	return len(prefix) >= 2 && len(prefix) <= 3 && strings.ToLower(prefix) == prefix || prefix == "simple" || prefix == "commons"
}

// links returns the links of a wiki text, those inside of others too: where each leads, and its text.
func links(text string) func(yield func(target, anchor string) bool) {
	return func(yield func(string, string) bool) {
		start := -1
		for i := 0; i+1 < len(text); i++ {
			switch text[i : i+2] {
			case "[[":
				start = i + 2
				i++
			case "]]":
				if start >= 0 {
					target, anchor, ok := strings.Cut(text[start:i], "|")
					if !ok {
						anchor = target
					}
					if j := strings.LastIndexByte(anchor, '|'); j >= 0 {
						anchor = anchor[j+1:]
					}
					anchor = strings.ReplaceAll(html.UnescapeString(anchor), "'''", "")
					if len(target) <= 255 && len(anchor) <= 255 && !strings.ContainsAny(target, "{}[\n") && !yield(target, strings.Trim(strings.ReplaceAll(anchor, "''", ""), " _")) {
						return
					}
					start = -1
				}
				i++
			}
		}
	}
}

// coord reads the values of the template Coord: 52.5|13.4|..., 52.5|N|13.4|E, 52|31|N|13|24|E and with seconds.
func coord(values string) (string, bool) {
	var parts []float64
	var out [2]float64
	n := 0
	for v := range strings.SplitSeq(values, "|") {
		v = strings.TrimSpace(v)
		var x float64
		if _, err := fmt.Sscanf(v, "%g", &x); err == nil && strings.Trim(v, "+-.0123456789") == "" {
			parts = append(parts, x)
			continue
		}
		if v == "" || !strings.Contains("NSEWO", strings.ToUpper(v)) || len(v) != 1 || len(parts) == 0 || n == 2 {
			break
		}
		degrees := 0.0
		for i := len(parts) - 1; i >= 0; i-- {
			degrees = parts[i] + degrees/60
		}
		if v := strings.ToUpper(v); v == "S" || v == "W" {
			degrees = -degrees
		}
		out[n], parts = degrees, nil
		n++
	}
	if n == 0 && len(parts) >= 2 {
		out[0], out[1], n = parts[0], parts[1], 2
	}
	return fmt.Sprintf("%g,%g", out[0], out[1]), n == 2
}
