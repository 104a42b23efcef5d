package websim

import (
	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

const (
	paragraphSize = 505 // bytes of a paragraph with its markup, on average
	linkSize      = 185 // the same of a link in a list
	frameSize     = len(frameTop) + len(frameBanner) + len(frameShare) + 2100
	lookBack      = 64 // changes looked at to find the last that touched something
	minorMemory   = 16 // minor edits that show at once
)

// paragraphs is how many paragraphs page i has: as many as fill what the size leaves beside frame and
// links. It counts all links that the page can ever have, so that it is the same in all versions:
// else the main text would change where a link does.
func (s *site) paragraphs(i int) int {
	links := 1 + min(navItems, s.spec.Fanout)
	if i < s.html {
		from, to := s.children(i)
		links += to - from + s.spec.Links
	}
	if i == 0 {
		links += len(s.spec.Page) + len(s.spec.Trap) + len(s.spec.Fault) + len(s.spec.Redirect)
	}
	if s.html > 0 {
		links += s.assets / s.html
	}
	room := s.size(i, HTML) - frameSize - linkSize*links
	return max(1, (room+paragraphSize/2)/paragraphSize)
}

// edit is a minor edit: sentence of paragraph was written anew by minor change number by.
type edit struct {
	paragraph int
	sentence  uint64
	by        uint32
}

// text writes n paragraphs. Each is named by the last change of content that touched it, so a
// change leaves the others as they are.
func (p *page) text(n int) {
	names := p.paragraphNames(n)
	edits := p.edits(n)
	for k, name := range names {
		if k > 0 && k%5 == 0 {
			p.put("<h2 class=\"section-title\">")
			p.title(p.name(forTitle, uint64(k)))
			p.put("</h2>\n")
		}
		p.put("<div class=\"block block-paragraph\" data-block=\"paragraph\"><p class=\"paragraph\">")
		p.paragraph(k, name, edits)
		p.put("</p></div>\n")
	}
}

func (p *page) paragraph(k int, name uint64, edits []edit) {
	count := prose.Sentences(name)
	for s := range count {
		if s > 0 {
			p.b = append(p.b, ' ')
		}
		sentence := dice.Mix(name, uint64(s))
		for _, e := range edits {
			if e.paragraph == k && dice.Below(e.sentence, count) == s {
				sentence = dice.Mix(sentence, forMinor, uint64(e.by))
			}
		}
		p.b = p.s.lex.Sentence(p.b, sentence, p.voice)
	}
}

// paragraphNames names each paragraph by the last change that touched it: change e touches about
// every third, and at least one.
func (p *page) paragraphNames(n int) []uint64 {
	names := make([]uint64, n)
	left := n
	last := make([]uint32, n)
	for e := p.v.Content; e > 0 && left > 0 && p.v.Content-e < lookBack; e-- {
		h := p.name(forTouch, uint64(e))
		always := dice.Below(h, n)
		for k := range n {
			if last[k] == 0 && (k == always || dice.Mix(h, uint64(k))%3 == 0) {
				last[k] = e
				left--
			}
		}
	}
	for k := range n {
		names[k] = p.name(forParagraph, uint64(k), uint64(last[k]))
	}
	return names
}

// edits lists the latest minor edits, oldest first.
func (p *page) edits(n int) []edit {
	var out []edit
	from := uint32(1)
	if p.v.Minor > minorMemory {
		from = p.v.Minor - minorMemory + 1
	}
	for e := from; e <= p.v.Minor; e++ {
		h := p.name(forMinor, uint64(e))
		out = append(out, edit{dice.Below(h, n), dice.Mix(h, 1), e})
	}
	return out
}
