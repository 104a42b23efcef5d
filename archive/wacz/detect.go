package wacz

import (
	"strings"

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
func (d *detector) page(n *noted) (p Page, ok bool) {
	key := n.cdx.Key
	if d.seeds[key] {
		d.follow(n)
	}
	if !n.html {
		return p, false
	}
	title := d.title(n)
	if !d.reached(n) && !d.seeds[key] {
		return p, false
	}
	ts := formatTime(n.time)
	return Page{ID: pageID(n.uri, ts), URL: n.uri, TS: ts, Title: title, Text: n.text, Seed: d.seeds[key]}, true
}

// title keeps titles by payload: a revisit has the title of what it revisits.
func (d *detector) title(n *noted) string {
	digest := n.cdx.Digest
	if !n.cdx.IsRevisit() {
		if n.title != "" && len(d.titles) < maxTitles {
			d.titles[digest] = n.title
		}
		return n.title
	}
	return d.titles[digest]
}

// follow takes what a seed redirects to as a seed.
func (d *detector) follow(n *noted) {
	if n.status < 300 || n.status > 399 || n.location == "" || d.room == 0 {
		return
	}
	from, err := canon.Parse(n.uri)
	if err != nil {
		return
	}
	to, err := from.Resolve(n.location)
	if err != nil {
		return
	}
	if key := canon.SURT(to.String()); !d.seeds[key] {
		d.seeds[key] = true
		d.room--
	}
}

// reached tells whether an HTML answer was opened by somebody, rather than loaded by a page.
func (d *detector) reached(n *noted) bool {
	if n.notPage || n.asked != nil && (n.asked.notPage || n.asked.key != "") {
		return false
	}
	if asPart(n.hops) {
		return false
	}
	path, _, _ := strings.Cut(n.cdx.Key, "?")
	return !strings.HasSuffix(path, ")/robots.txt") && !strings.HasSuffix(path, ")/favicon.ico")
}

// asPart reads the way from the seed as crawlers write it, one letter a hop: L link, M from a
// sitemap, S form; E embed, X guessed embed, P prerequisite, I implied; R redirect, which goes on
// as it came.
func asPart(hops string) bool {
	hops = strings.TrimRight(hops, "R")
	return hops != "" && strings.ContainsRune("EXPI", rune(hops[len(hops)-1]))
}
