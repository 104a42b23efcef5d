package wacz

import (
	"strings"

	"varve/archive/capture"
	"varve/web/canon"
)

// maxTitles bounds the titles that are kept for revisits, which have no body of their own.
const maxTitles = 1 << 16

// detector tells which captures are pages, and which of them are seeds. Captures come in the order
// of the files, so a redirect from a seed is known before what it leads to.
type detector struct {
	seeds  map[string]bool // by index key
	room   int             // for targets of redirects
	titles map[string]string
	main   string // index key of the main page, if it is named
}

func newDetector(seeds []string, mainPage string) *detector {
	d := &detector{seeds: map[string]bool{}, room: 1000 + 4*len(seeds), titles: map[string]string{}}
	for _, s := range seeds {
		d.seeds[canon.SURT(s)] = true
	}
	if mainPage != "" {
		d.main = canon.SURT(mainPage)
	}
	return d
}

// page gives the page that a capture is; ok is false if it is none.
func (d *detector) page(n *capture.Note) (p PageEntry, ok bool) {
	key, found := canon.SURT(n.URI), pageOf(n)
	if d.seeds[key] {
		d.follow(n)
	}
	if !found.html {
		return p, false
	}
	title := d.title(n)
	if !d.reached(n) && !d.seeds[key] {
		return p, false
	}
	ts := formatTime(n.Time)
	return PageEntry{ID: pageID(n.URI, ts), URL: n.URI, TS: ts, Title: title, Text: found.text, Seed: d.seeds[key]}, true
}

// pageOf gives what is known of a capture as a page.
func pageOf(n *capture.Note) page {
	p, _ := n.Data.(page) // none: it is no page
	return p
}

// title keeps titles by payload: a revisit has the title of what it revisits.
func (d *detector) title(n *capture.Note) string {
	digest := n.CDX.Digest
	if !n.CDX.IsRevisit() {
		title := pageOf(n).title
		if title != "" && len(d.titles) < maxTitles {
			d.titles[digest] = title
		}
		return title
	}
	return d.titles[digest]
}

// follow takes what a seed redirects to as a seed.
func (d *detector) follow(n *capture.Note) {
	if n.CDX.Status < 300 || n.CDX.Status > 399 || n.Location == "" || d.room == 0 {
		return
	}
	from, err := canon.Parse(n.URI)
	if err != nil {
		return
	}
	to, err := from.Resolve(n.Location)
	if err != nil {
		return
	}
	if key := canon.SURT(to.String()); !d.seeds[key] {
		d.seeds[key] = true
		d.room--
	}
}

// reached tells whether an HTML answer was opened by somebody, rather than loaded by a page.
func (d *detector) reached(n *capture.Note) bool {
	if n.Part || n.Asked != nil && (n.Asked.Part || n.Asked.Key != "") {
		return false
	}
	if asPart(n.Hops) {
		return false
	}
	path, _, _ := strings.Cut(n.CDX.Key, "?")
	return !strings.HasSuffix(path, ")/robots.txt") && !strings.HasSuffix(path, ")/favicon.ico")
}

// asPart reads the way from the seed as crawlers write it, one letter a hop: L link, M from a
// sitemap, S form; E embed, X guessed embed, P prerequisite, I implied; R redirect, which goes on
// as it came.
func asPart(hops string) bool {
	hops = strings.TrimRight(hops, "R")
	return hops != "" && strings.ContainsRune("EXPI", rune(hops[len(hops)-1]))
}
