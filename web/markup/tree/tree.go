// Package tree makes the tree of an HTML page out of the tokens of web/markup, for the few who must know what stands inside of what.
//
// A Builder is a subscriber (markup.Subscriber): a page that is read for its links can give its tree in the same pass. It knows which
// elements have no content and which end where another of their kind begins; tables that are out of order are left as they stand, and
// what browsers do about misnested formatting is not done. Content of noscript and its like is left out, as for who runs scripts.
//
// Cost is linear in the page; a tree has at most MaxNodes nodes and MaxDepth levels, whatever the page is.
package tree

import (
	"html"
	"iter"

	"varve/web/markup"
)

// Node is an element, or a run of text, of the tree that tells what stands beside what.
type Node struct {
	Element                             markup.Element
	Name                                string // in lower case; "" of text and of the root
	Attrs                               []Attr
	Data                                string // of text; the content of scripts
	Parent, First, Last, Previous, Next *Node
}

// Attr is an attribute, its references decoded.
type Attr struct{ Key, Val string }

// Bounds of a tree; what is beyond them is read as if the elements were not there.
const (
	MaxNodes = 500_000
	MaxDepth = 512
)

// Builder makes the tree of a page as it is walked over. It knows which elements have no content and which end where another of
// their kind begins; tables that are out of order are left as they stand.
type Builder struct {
	Root  *Node          // of the page that was read last
	shut  markup.Element // inside of this one, whose content is no markup for who runs scripts
	open  []*Node
	nodes int

	slab []Node            // room for nodes that come
	room []Attr            // and for their attributes
	keys map[string]string // names that were met: pages have few
}

// Nodes and attributes that share one allocation.
const (
	slabNodes = 128
	slabAttrs = 256
)

// node returns a new node.
func (b *Builder) node() *Node {
	if len(b.slab) == 0 {
		b.slab = make([]Node, slabNodes)
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	return n
}

// attributes returns the attributes of a tag.
func (b *Builder) attributes(list []markup.Attr) []Attr {
	if len(list) == 0 {
		return nil
	}
	if len(b.room) < len(list) {
		b.room = make([]Attr, max(slabAttrs, len(list)))
	}
	out := b.room[:len(list):len(list)]
	b.room = b.room[len(list):]
	for i := range list {
		out[i] = Attr{b.key(list[i].Key), markup.Value(list[i].Val)}
	}
	return out
}

// key returns a name, the same string for each time it is met.
func (b *Builder) key(name []byte) string {
	if s, ok := b.keys[string(name)]; ok {
		return s
	}
	s := string(name)
	if len(b.keys) < slabAttrs {
		b.keys[s] = s
	}
	return s
}

var (
	voids = markup.Table(map[string]bool{"area base br col embed hr img input link meta param source track wbr frame keygen command bgsound basefont": true})
	// ends names the elements that end before the start tag of another, by the one that begins.
	ends = markup.Table(map[string][markup.NumElements]bool{
		"li": set("li"), "dt dd": set("dt dd"), "tr": set("tr td th"), "td th": set("td th"), "tbody thead tfoot": set("tr td th tbody thead tfoot"), "option": set("option"), "optgroup": set("option optgroup"),
		`address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre
			section summary table ul`: set("p"),
		"body": set("head"),
	})
	// walls are the elements that an end tag or the start of another does not reach across.
	walls = set("table td th caption button object applet marquee template html body")
	// lists keep the items around them open when one of their own begins.
	lists, items = set("ul ol dl menu dir"), set("li dt dd")
	// head holds these and nothing else; anything else begins the body.
	ofHead = set("base link meta title style script noscript template html head")

	shutting = set("noscript noembed noframes")

	elHead, elTitle, elTextarea = markup.Named("head"), markup.Named("title"), markup.Named("textarea")
)

func set(names string) [markup.NumElements]bool { return markup.Table(map[string]bool{names: true}) }

// Begin implements markup.Subscriber.
func (b *Builder) Begin([]byte) markup.Kinds {
	b.Root, b.keys = &Node{}, map[string]string{}
	b.open, b.nodes, b.shut = append(b.open[:0], b.Root), 0, 0
	return markup.Of(markup.Start, markup.End, markup.Text, markup.Raw)
}

// Token implements markup.Subscriber.
func (b *Builder) Token(t *markup.Token) {
	if b.shut != 0 {
		if t.Kind != markup.End || t.Element != b.shut {
			return
		}
		b.shut = 0
	}
	switch t.Kind {
	case markup.Start:
		b.start(t)
		if shutting[t.Element] {
			b.shut = t.Element
		}
	case markup.End:
		b.end(t.Element, string(t.Name))
	case markup.Text:
		b.text(html.UnescapeString(string(t.Data)))
	case markup.Raw:
		data := string(t.Data)
		if t.Element == elTitle || t.Element == elTextarea {
			data = html.UnescapeString(data)
		}
		if data != "" {
			b.text(data)
		}
	}
}

func (b *Builder) start(t *markup.Token) {
	if b.top().Element == elHead && !ofHead[t.Element] {
		b.open = b.open[:len(b.open)-1]
	}
	b.impliedEnd(t.Element)
	n := b.node()
	n.Element, n.Name, n.Attrs = t.Element, b.key(t.Name), b.attributes(t.Attrs)
	if b.add(n) && !voids[t.Element] && len(b.open) < MaxDepth {
		b.open = append(b.open, n)
	}
}

// impliedEnd closes the elements whose end tags may be left out before a start tag.
func (b *Builder) impliedEnd(e markup.Element) {
	cut := len(b.open)
	for i := len(b.open) - 1; i > 0; i-- {
		switch open := b.open[i].Element; {
		case ends[e][open]:
			cut = i
		case walls[open], items[e] && lists[open]:
			b.open = b.open[:cut]
			return
		}
	}
	b.open = b.open[:cut]
}

// text adds a run of text.
func (b *Builder) text(data string) {
	n := b.node()
	n.Data = data
	b.add(n)
}

func (b *Builder) end(e markup.Element, name string) {
	for i := len(b.open) - 1; i > 0; i-- {
		if b.open[i].Element == e && b.open[i].Name == name {
			b.open = b.open[:i]
			return
		}
		if walls[b.open[i].Element] && !walls[e] {
			return
		}
	}
}

func (b *Builder) top() *Node { return b.open[len(b.open)-1] }

// add puts a node into the innermost open element.
func (b *Builder) add(n *Node) bool {
	if b.nodes++; b.nodes > MaxNodes {
		return false
	}
	p := b.top()
	n.Parent, n.Previous = p, p.Last
	if p.Last != nil {
		p.Last.Next = n
	} else {
		p.First = n
	}
	p.Last = n
	return true
}

// Descendants goes through all that is inside of a node, in the order of the page.
func (n *Node) Descendants() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for at := n.First; at != nil; {
			if !yield(at) {
				return
			}
			if at.First != nil {
				at = at.First
				continue
			}
			for at != nil && at != n && at.Next == nil {
				at = at.Parent
			}
			if at == nil || at == n {
				return
			}
			at = at.Next
		}
	}
}

// IsText reports whether a node is a run of text.
func (n *Node) IsText() bool { return n.Element == 0 && n.Name == "" && n.Parent != nil }

// Attr returns the value of an attribute, "" if there is none.
func (n *Node) Attr(name string) string {
	for i := range n.Attrs {
		if n.Attrs[i].Key == name {
			return n.Attrs[i].Val
		}
	}
	return ""
}
