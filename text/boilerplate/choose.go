package boilerplate

import (
	"bytes"
	"encoding/json"
)

// The figures were chosen on half of the public benchmark; the other half gives the same F1 within 0.005.
const (
	minRunning    = 40     // characters of running text
	minText       = 250    // characters of a main text that leaves no doubt
	minLoose      = 100    // characters of loose text that is taken where the page has paragraphs
	fewParagraphs = 750    // characters in paragraphs: pages with fewer are written in loose text
	minShare      = 0.4    // of the page's running text, for an element that claims the article
	descendShare  = 0.7    // of the running text of an element, for its child that is looked into
	mostLinked    = 0.7    // of a block inside of links
	keptShare     = 1. / 7 // of an element's text; if less is left when what is named like something aside is taken away, the names are wrong
	maxNested     = 16     // claims inside of claims
)

// chooser finds the part of an outline that is the main text.
type chooser struct {
	*outline
	running prefix // characters of running text before each block
	links   []bool // blocks of lists and boxes that are mostly links
	loose   bool   // loose text is taken, of any length
}

// prefix are sums: the sum over blocks [i, j) is p[j]-p[i].
type prefix []int

func (p prefix) of(n *node) int { return p[n.past] - p[n.first] }

func sums(blocks []block, value func(*block) int) prefix {
	p := make(prefix, len(blocks)+1)
	for i := range blocks {
		p[i+1] = p[i] + value(&blocks[i])
	}
	return p
}

// choose returns the main text of an outline and how it was found.
func (o *outline) choose() (string, Method) {
	if len(o.blocks) > 0 && !o.laid {
		return o.join(0, func(*block, int) bool { return true }), Plain
	}
	c := &chooser{outline: o, links: o.linkLists()}
	c.running = sums(o.blocks, func(b *block) int {
		if b.runs() {
			return b.runes
		}
		return 0
	})
	paragraphs := 0
	for i := range o.blocks {
		if o.blocks[i].kind == paragraph {
			paragraphs += o.blocks[i].runes
		}
	}
	c.loose = paragraphs < fewParagraphs
	text, how := c.claimed()
	if how == None {
		if t := c.text(c.densest()); len(t) > len(text) {
			text = t
		}
		how = Densest
	}
	if len(text) < minText {
		if t := o.structured(); len(t) > len(text) {
			return t, Structured
		}
	}
	if text == "" {
		how = None
	}
	return text, how
}

// claimed returns the text of the element that claims the article most clearly and has it. The method is None if no element is sure;
// the text is then the longest of those that were not good enough.
func (c *chooser) claimed() (best string, how Method) {
	total := 0 // running text, but for what stands in elements that are made for other things
	for i := range c.blocks {
		if b := &c.blocks[i]; b.runs() && kinds[c.nodes[b.aside].name] != beside {
			total += b.runes
		}
	}
	for claim := range claimKinds {
		at, most := int32(-1), 0
		var inside []int32 // the ends of the claims that we are in
		for i := range c.nodes {
			if c.nodes[i].claims&(1<<claim) == 0 {
				continue
			}
			for len(inside) > 0 && inside[len(inside)-1] < int32(i) {
				inside = inside[:len(inside)-1]
			}
			inside = append(inside, c.nodes[i].last)
			if len(inside) > maxNested {
				continue
			}
			if n, _ := c.count(int32(i)); n > most {
				at, most = int32(i), n
			}
		}
		if at < 0 {
			continue
		}
		text := c.text(at)
		if _, blocks := c.count(at); blocks > 1 && most >= minText && float64(c.runningBelow(at)) >= minShare*float64(total) {
			return text, Claim
		}
		if len(text) > len(best) {
			best = text
		}
	}
	return best, None
}

// runningBelow is the running text of a node that is not aside.
func (c *chooser) runningBelow(at int32) (n int) {
	for i := c.nodes[at].first; i < c.nodes[at].past; i++ {
		if b := &c.blocks[i]; b.aside <= at && b.runs() {
			n += b.runes
		}
	}
	return n
}

// densest is the innermost node that has most of the running text of the page.
func (c *chooser) densest() int32 {
	at := int32(0)
	for {
		next := int32(-1)
		need := descendShare * float64(c.running.of(&c.nodes[at]))
		for i := at + 1; i <= c.nodes[at].last; i = c.nodes[i].last + 1 {
			if n := &c.nodes[i]; n.past-n.first > 1 && float64(c.running.of(n)) >= need {
				next = i
				break
			}
		}
		if next < 0 {
			return at
		}
		at = next
	}
}

// text is the main text of a node, without headings that nothing follows.
func (c *chooser) text(at int32) string {
	trust := c.trusts(at)
	return c.join(at, func(b *block, i int) bool { return c.wanted(at, b, i, trust) })
}

// trusts reports whether the names of what is aside are believed below a node.
func (c *chooser) trusts(at int32) bool {
	all, kept := 0, 0
	for i := c.nodes[at].first; i < c.nodes[at].past; i++ {
		b := &c.blocks[i]
		all += b.runes
		if c.wanted(at, b, int(i), true) {
			kept += b.runes
		}
	}
	return float64(kept) > keptShare*float64(all)
}

// count is how much text a node would give, in characters and blocks.
func (c *chooser) count(at int32) (runes, blocks int) {
	trust := c.trusts(at)
	for i := c.nodes[at].first; i < c.nodes[at].past; i++ {
		if b := &c.blocks[i]; c.wanted(at, b, int(i), trust) {
			runes += b.runes
			blocks++
		}
	}
	return runes, blocks
}

// wanted reports whether a block is main text if the node at is the article.
func (c *chooser) wanted(at int32, b *block, i int, trust bool) bool {
	switch {
	case c.links[i]:
		return false
	case b.aside > at && (trust || kinds[c.nodes[b.aside].name] == beside):
		return false
	case b.kind != cell && float64(b.linked) > mostLinked*float64(b.runes):
		return false
	}
	return b.kind != loose || c.loose || b.runs() && b.runes >= minLoose
}

// linkLists marks the blocks of short boxes, lists and paragraphs that are links and little else, and of tables of links.
func (o *outline) linkLists() []bool {
	var (
		marked = make([]bool, len(o.blocks))
		runes  = sums(o.blocks, func(b *block) int { return b.runes })
		linked = sums(o.blocks, func(b *block) int { return b.linked })
		links  = sums(o.blocks, func(b *block) int { return b.links })
		short  = sums(o.blocks, func(b *block) int { return b.short })
	)
	done := int32(0)
	for i := 1; i < len(o.nodes); i++ {
		n := &o.nodes[i]
		if n.past <= done || links.of(n) == 0 {
			continue
		}
		share := float64(linked.of(n)) / float64(runes.of(n))
		long := links.of(n) == 1 && linked.of(n) > 100 && share > 0.9
		dense := share > 0.8 || links.of(n) > 1 && float64(short.of(n)) > 0.8*float64(links.of(n))
		isLast := n.last == o.nodes[n.parent].last
		list := false
		switch n.name {
		case elDiv, elUl, elOl, elDl:
			list = long || dense && runes.of(n) < pick(isLast, 300, 100)
		case elP:
			list = long || dense && runes.of(n) < pick(isLast, 60, 30)
		case elTable:
			list = runes.of(n) >= 200 && share > 0.8 || runes.of(n) >= 1000 && share > 0.5
		}
		if list {
			for j := n.first; j < n.past; j++ {
				marked[j] = true
			}
			done = n.past
		}
	}
	return marked
}

func pick(is bool, yes, no int) int {
	if is {
		return yes
	}
	return no
}

// join puts the wanted blocks of a node together, a line each, up to the last that is no heading.
func (o *outline) join(at int32, wanted func(*block, int) bool) string {
	var out []byte
	end := 0
	for i := o.nodes[at].first; i < o.nodes[at].past; i++ {
		b := &o.blocks[i]
		if !wanted(b, int(i)) {
			continue
		}
		out = append(append(out, o.text[b.start:b.end]...), '\n')
		if b.kind != heading || !o.laid {
			end = len(out)
		}
	}
	return string(bytes.TrimSpace(out[:end]))
}

// structured is the longest articleBody in the page's structured data: what pages that are shown by scripts have instead of a text.
func (o *outline) structured() (best string) {
	for _, data := range o.ld {
		for {
			_, after, found := bytes.Cut(data, []byte(`"articleBody"`))
			if !found {
				break
			}
			data = after
			var body string
			after = bytes.TrimLeft(after, " \t\r\n")
			if len(after) == 0 || after[0] != ':' {
				continue
			}
			if err := json.NewDecoder(bytes.NewReader(after[1:])).Decode(&body); err == nil && len(body) > len(best) {
				best = body
			}
		}
	}
	return best
}
