package smallbase

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// WikiPages are how many pages of each sort Wiki wrote.
type WikiPages struct {
	Films, Persons, Redirects, Disambiguations, Categories int
	Links                                                  int // in texts, to persons and films
}

// All is the number of pages.
func (p WikiPages) All() int {
	return p.Films + p.Persons + p.Redirects + p.Disambiguations + p.Categories
}

// film is a line of movies.jsonl.
type film struct {
	Title   string   `json:"title"`
	Year    int      `json:"year"`
	Href    string   `json:"href"`
	Cast    []string `json:"cast"`
	Genres  []string `json:"genres"`
	Extract string   `json:"extract"`
}

// Wiki writes films and who acts in them as pages of a wiki, in the form that MediaWiki imports (importDump.php): every step-th film with an extract and two actors, at most so many. The page of a film is its extract, in which the first mention of each actor is a
// link, by the last name where it says no more; that of an actor lists the films. "Last, First" of who acts in several is a redirect, a last name of several is a disambiguation page; films are in categories by year and genre, which are in others.
func Wiki(movies io.Reader, step, most int, w io.Writer) (n WikiPages, err error) {
	films, acts, err := wikiFilms(movies, step, most)
	if err != nil {
		return n, err
	}
	out := &wikiWriter{w: bufio.NewWriter(w)}
	out.put(`<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">` + "\n")
	categories := map[string]string{"Films": "", "Films by year": "Films", "Films by genre": "Films", "Actors": ""}
	for _, f := range films {
		text := f.Extract
		for _, actor := range f.Cast {
			linked, ok := withLink(text, actor)
			if !ok {
				linked = text + "\n\nIt has [[" + actor + "]] in its cast."
			}
			text = linked
			n.Links++
		}
		year := fmt.Sprintf("%d films", f.Year)
		categories[year] = "Films by year"
		text += "\n\n[[Category:" + year + "]]"
		for _, g := range f.Genres {
			categories[g+" films"] = "Films by genre"
			text += " [[Category:" + g + " films]]"
		}
		out.page(0, f.page(), text)
		n.Films++
	}
	byLast := map[string][]string{}
	for _, actor := range slices.Sorted(maps.Keys(acts)) {
		text := "'''" + actor + "''' is an actor.\n"
		for _, f := range acts[actor] {
			text += fmt.Sprintf("* [[%s|%s]] (%d)\n", f.page(), f.Title, f.Year)
			n.Links++
		}
		out.page(0, actor, text+"\n[[Category:Actors]]")
		n.Persons++
		words := strings.Fields(actor)
		last := words[len(words)-1]
		byLast[last] = append(byLast[last], actor)
		if len(acts[actor]) > 1 {
			out.page(0, last+", "+strings.Join(words[:len(words)-1], " "), "#REDIRECT [["+actor+"]]")
			n.Redirects++
		}
	}
	for _, last := range slices.Sorted(maps.Keys(byLast)) {
		if len(byLast[last]) > 1 && acts[last] == nil {
			out.page(0, last+" (disambiguation)", "'''"+last+"''' may be:\n* [["+strings.Join(byLast[last], "]]\n* [[")+"]]\n{{disambiguation}}")
			n.Disambiguations++
		}
	}
	for _, c := range slices.Sorted(maps.Keys(categories)) {
		text := "Of " + c + "."
		if above := categories[c]; above != "" {
			text += " [[Category:" + above + "]]"
		}
		out.page(14, "Category:"+c, text)
		n.Categories++
	}
	out.put("</mediawiki>\n")
	if out.err == nil {
		out.err = out.w.Flush()
	}
	return n, out.err
}

// wikiFilms reads films, and who acts in which of them.
func wikiFilms(movies io.Reader, step, most int) (films []*film, acts map[string][]*film, err error) {
	acts = map[string][]*film{}
	titles := map[string]bool{}
	in := bufio.NewScanner(movies)
	in.Buffer(nil, 1<<20)
	for line := 0; in.Scan() && len(films) < most; line++ {
		if line%step != 0 {
			continue
		}
		f := &film{}
		if err := json.Unmarshal(in.Bytes(), f); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", line+1, err)
		}
		f.Cast = slices.DeleteFunc(f.Cast, func(name string) bool { return !strings.Contains(name, " ") || strings.ContainsAny(name, "[]{}|#<>_/") })
		if f.Extract == "" || len(f.Cast) < 2 || strings.ContainsAny(f.page(), "[]{}|#<>/") || titles[f.page()] {
			continue
		}
		titles[f.page()] = true
		films = append(films, f)
		for _, actor := range f.Cast {
			if list := acts[actor]; len(list) == 0 || list[len(list)-1] != f {
				acts[actor] = append(list, f)
			}
		}
	}
	return films, acts, in.Err()
}

// page is the title of a film's page.
func (f *film) page() string {
	if title, err := url.PathUnescape(strings.ReplaceAll(f.Href, "_", " ")); err == nil && title != "" {
		return title
	}
	return fmt.Sprintf("%s (%d film)", f.Title, f.Year)
}

// withLink makes the first mention of a person a link; false if the text names nobody so.
func withLink(text, name string) (string, bool) {
	words := strings.Fields(name)
	for _, called := range []string{name, words[len(words)-1]} {
		for from := 0; ; {
			at := strings.Index(text[from:], called)
			if at < 0 {
				break
			}
			at += from
			end := at + len(called)
			if whole := (at == 0 || text[at-1] == ' ' || text[at-1] == '(') && (end == len(text) || strings.IndexByte(" ,.;:)'", text[end]) >= 0); whole && strings.Count(text[:at], "[[") == strings.Count(text[:at], "]]") {
				link := "[[" + name + "|" + called + "]]"
				if called == name {
					link = "[[" + name + "]]"
				}
				return text[:at] + link + text[end:], true
			}
			from = end
		}
	}
	return text, false
}

// wikiWriter writes pages; the first error stays.
type wikiWriter struct {
	w   *bufio.Writer
	err error
}

func (w *wikiWriter) put(s string) {
	if w.err == nil {
		_, w.err = w.w.WriteString(s)
	}
}

func (w *wikiWriter) page(namespace int, title, text string) {
	w.put("<page><title>")
	w.escape(title)
	w.put(fmt.Sprintf("</title><ns>%d</ns><revision><timestamp>2026-01-01T00:00:00Z</timestamp><contributor><username>Keeper</username></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space=\"preserve\">", namespace))
	w.escape(text)
	w.put("</text></revision></page>\n")
}

func (w *wikiWriter) escape(s string) {
	if w.err == nil {
		w.err = xml.EscapeText(w.w, []byte(s))
	}
}
