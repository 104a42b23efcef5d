package focus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/archive/warc"
)

// A link stands where its words stand first, as whole words and outside of other links; what is written nowhere follows as a list. What means
// something to a wiki is taken out.
func TestWikiText(t *testing.T) {
	w := &Web{pages: make([]page, 4)}
	for i, title := range []string{"Dry (1950)", "Ann Lee", "Lee", "Bo Ek"} {
		w.pages[i] = page{url: fmt.Sprintf("http://h.films.test/film/%d", i), title: title}
	}
	w.pages[0].text = "Leeds and [[x]] {{y}}: Ann Lee.\nLee\n"
	for i, name := range []string{"Ann Lee", "Lee", "Bo Ek", "Lee"} {
		w.link(0, []int{1, 2, 3, 2}[i], name, "", w.pages[1].url)
	}
	k := Wikis[0]
	want := "Leeds and (x) (y): [[:Ann Lee|Ann Lee]].\n\n[[:Lee|Lee]]\n\n  * [[:Bo Ek|Bo Ek]]\n"
	if got := w.wikiText(0, k.names(w)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Names are those that the software keeps as they are, and each page has its own.
func TestWikiNames(t *testing.T) {
	w := &Web{pages: []page{{url: "http://h01.films.test/film/a", title: "x: the [y] (1950)"}, {url: "http://h01.films.test/person/b", title: "X the y (1950)"}}}
	if got := strings.Join(Wikis[0].Paths(w), " "); got != "/wiki/X_the_y_(1950) /wiki/X_the_y_(1950)_2" {
		t.Error(got)
	}
	w = &Web{pages: []page{{url: "http://fra.debate.test/1990/1"}, {url: "http://names.debate.test/1990/Côte_d'Ivoire"}, {url: "http://names.debate.test/1990/Côte_d’Ivoire"}}}
	if got := strings.Join(Wikis[1].Paths(w), " "); got != "/doku.php?id=fra:1990:1 /doku.php?id=names:1990:c_te_d_ivoire /doku.php?id=names:1990:c_te_d_ivoire_2" {
		t.Error(got)
	}
}

// What an archive holds of a wiki is a web: pages with the topics of the data, links to what is held, also over redirects; what is not
// held, no page of HTML, or an error is none.
func TestArchived(t *testing.T) {
	base := &Web{By: "cast", pages: []page{{url: "http://h.films.test/film/a", title: "Dry (1950)", genres: []string{"Western"}}, {url: "http://h.films.test/film/b", title: "Wet (1951)", genres: []string{"War"}}}}
	dir := t.TempDir()
	var records []string
	answer := func(path, head, body string) {
		records = append(records, fmt.Sprintf("http://mediawiki.realsites.test%s\n%s\r\nContent-Length: %d\r\n\r\n%s", path, head, len(body), body))
	}
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8"
	answer("/", "HTTP/1.1 301 Moved\r\nLocation: /wiki/Dry_(1950)", "")
	answer("/wiki/Dry_(1950)", ok, `<title>Dry</title><p>Seen with <a href="/wiki/Wet_%281951%29">Wet</a> by all, <a href="/gone">gone</a>, <a href="/wiki/Dry_(1950)">itself</a>, <a href="/x.css">style</a>`)
	answer("/wiki/Wet_%281951%29", ok, `<title>Wet</title><a href="/">home</a>`)
	answer("/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", `<a href="/">home</a>`)
	answer("/x.css", "HTTP/1.1 200 OK\r\nContent-Type: text/css", `a {}`)
	f, err := os.Create(filepath.Join(dir, "a.warc"))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		url, block, _ := strings.Cut(r, "\n")
		fmt.Fprintf(f, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000%d>\r\nWARC-Date: 2026-11-18T00:00:00Z\r\nWARC-Target-URI: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, url, warc.ContentTypeResponse, len(block), block)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := Archived(dir, base, Wikis[0].Paths(base))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range w.pages {
		var to []string
		for i, l := range p.links {
			to = append(to, w.pages[l].title+"("+p.anchors[i].Anchor+")")
		}
		got = append(got, fmt.Sprint(p.title, p.genres, to))
	}
	if want := []string{"Dry[Western] [Wet(Wet)]", "Wet[War] [Dry(home)]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if at := w.pages[0].anchors[0].AnchorAt; w.pages[0].text[at.From:at.To] != "Wet" {
		t.Errorf("the anchor lies at %v of %q", at, w.pages[0].text)
	}
	if _, err := Archived(t.TempDir(), base, nil); err == nil || !strings.Contains(err.Error(), "no WARC files") {
		t.Error(err)
	}
}
