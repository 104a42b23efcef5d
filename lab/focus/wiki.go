package focus

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Wiki is a wiki that a web can be put into, so that real software makes its pages and adds what wikis have of their own: menus, lists,
// categories, pages of the software. Its text has the links where the data have them, and no others.
type Wiki struct {
	Name string // of the site in lab/realsites
	Of   string // what is put into it: films or speeches, and of which years
	From int
	To   int

	name func(p *page) string // of a page, as links of the wiki write it
	path func(name string) string
	// write puts the pages into the files that the software reads, below a folder.
	write func(pages []wikiPage, dir string) error
}

// wikiPage is a page as the wiki holds it.
type wikiPage struct{ name, title, text string }

// Wikis are the two that are tried. The years were chosen for the number of pages, before the first run.
var Wikis = []Wiki{
	{
		Name: "mediawiki", Of: "films", From: 1950, To: 1956, write: writeMediaWiki,
		name: func(p *page) string { return wikiTitle(p.title) },
		path: func(name string) string { return "/wiki/" + strings.ReplaceAll(name, " ", "_") },
	},
	{
		Name: "dokuwiki", Of: "speeches", From: 1989, To: 1992, write: writeDokuWiki,
		name: func(p *page) string { return wikiID(p.url) },
		path: func(name string) string { return "/doku.php?id=" + name },
	},
}

// Fill puts a web into a wiki: it writes what the software of the wiki reads below the folder of its site.
func (k *Wiki) Fill(w *Web, dir string) error {
	names := k.names(w)
	pages := make([]wikiPage, len(w.pages))
	for i := range w.pages {
		pages[i] = wikiPage{names[i], plain(w.pages[i].title), w.wikiText(i, names)}
	}
	return k.write(pages, dir)
}

// Paths returns where the pages of a web stand in the wiki, unescaped.
func (k *Wiki) Paths(w *Web) (paths []string) {
	for _, name := range k.names(w) {
		paths = append(paths, k.path(name))
	}
	return paths
}

// names gives each page its own.
func (k *Wiki) names(w *Web) []string {
	seen := map[string]bool{}
	out := make([]string, len(w.pages))
	for i := range w.pages {
		name := k.name(&w.pages[i])
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s_%d", k.name(&w.pages[i]), n)
		}
		seen[name] = true
		out[i] = name
	}
	return out
}

// plain takes what has a meaning in wikis out of a text.
func plain(s string) string {
	return strings.Join(strings.Fields(wikiMarks.Replace(s)), " ")
}

var wikiMarks = strings.NewReplacer("[[", "(", "]]", ")", "{{", "(", "}}", ")", "[", "(", "]", ")", "{", "(", "}", ")", "|", " ", "<", " ", ">", " ", "''", "'", "**", " ", "//", " ", "__", " ", "((", "(", "))", ")", "%%", " ", "~~", " ", "==", " ", "\\\\", " ", "&", "and", "#", " ", "://", " ")

// wikiTitle is a title that MediaWiki takes: with a capital at the head.
func wikiTitle(s string) string {
	r := []rune(strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune("#<>[]{}|_+:/%~?&", r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s), " "))
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return strings.Join(strings.Fields(string(r)), " ")
}

// wikiID is an id of DokuWiki: name spaces of small letters, digits and single strokes, by the host and the path of an address.
func wikiID(address string) string {
	host, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	host, _, _ = strings.Cut(host, ".")
	var parts []string
	for part := range strings.SplitSeq(host+"/"+path, "/") {
		part = strings.Join(strings.FieldsFunc(strings.ToLower(part), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "_")
		parts = append(parts, part)
	}
	return strings.Join(parts, ":")
}

// wikiText is the text of a page in the words of a wiki, a line a paragraph. A link stands where its words stand first; those whose words are
// nowhere follow as a list.
func (w *Web) wikiText(i int, names []string) string {
	p := &w.pages[i]
	var lines []string
	for line := range strings.Lines(p.text) {
		if line = plain(line); line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "\n\n")
	type place struct{ from, to, link int }
	var places []place // in the order of links; no two overlap
	var rest strings.Builder
	linked := map[int]bool{}
	for n, to := range p.links {
		if linked[to] {
			continue
		}
		linked[to] = true
		words := plain(p.anchors[n].Anchor)
		at, free := 0, false
		for !free {
			k := strings.Index(text[at:], words)
			if k < 0 || words == "" {
				break
			}
			at += k
			free = bounded(text, at, at+len(words))
			for _, q := range places {
				free = free && (at+len(words) <= q.from || q.to <= at)
			}
			if !free {
				at++
			}
		}
		if free {
			places = append(places, place{at, at + len(words), n})
		} else {
			fmt.Fprintf(&rest, "  * [[:%s|%s]]\n", names[to], words)
		}
	}
	begins := map[int]place{}
	for _, q := range places {
		begins[q.from] = q
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		q, ok := begins[at]
		if !ok {
			b.WriteByte(text[at])
			at++
			continue
		}
		fmt.Fprintf(&b, "[[:%s|%s]]", names[p.links[q.link]], text[q.from:q.to])
		at = q.to
	}
	if rest.Len() > 0 {
		b.WriteString("\n\n" + rest.String())
	}
	return b.String()
}

// bounded reports whether a stretch of a text begins and ends where words do.
func bounded(text string, from, to int) bool {
	letter := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
	}
	return (from == 0 || !letter(text[from-1])) && (to == len(text) || !letter(text[to]))
}

// writeMediaWiki writes pages.xml, as importDump.php reads it.
func writeMediaWiki(pages []wikiPage, dir string) (err error) {
	f, err := os.Create(filepath.Join(dir, "pages.xml"))
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	out := bufio.NewWriter(f)
	io.WriteString(out, `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">`+"\n") // the buffer keeps errors
	for _, p := range pages {
		io.WriteString(out, "<page><title>")
		xml.EscapeText(out, []byte(p.name))
		io.WriteString(out, `</title><ns>0</ns><revision><timestamp>2026-01-01T00:00:00Z</timestamp><contributor><username>Keeper</username></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">`)
		xml.EscapeText(out, []byte(strings.ReplaceAll(p.text, "\n  * ", "\n* ")))
		io.WriteString(out, "</text></revision></page>\n")
	}
	io.WriteString(out, "</mediawiki>\n")
	return out.Flush()
}

// writeDokuWiki writes a file for each page below data/pages.
func writeDokuWiki(pages []wikiPage, dir string) error {
	for _, p := range pages {
		file := filepath.Join(dir, "data", "pages", filepath.FromSlash(strings.ReplaceAll(p.name, ":", "/"))+".txt")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte("====== "+p.title+" ======\n"+p.text+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pathOf is the path of an address as Fill returns it: unescaped, with the name of the page alone.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if id := u.Query().Get("id"); id != "" && len(u.Query()) == 1 {
		return u.Path + "?id=" + strings.TrimPrefix(id, ":")
	}
	if u.RawQuery != "" {
		return u.Path + "?" + u.RawQuery
	}
	return u.Path
}
