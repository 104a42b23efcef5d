package object

import (
	"html"
	"iter"

	"varve/web/markup"
)

// node is an element, or a run of text, of the tree that tells what stands beside what.
type node struct {
	element                             markup.Element
	name                                string
	attrs                               []attribute
	data                                string // of text; the content of scripts
	parent, first, last, previous, next *node
}

type attribute struct{ key, val string }

// Bounds of a tree; what is beyond them is read as if the elements were not there.
const (
	maxNodes = 500_000
	maxOpen  = 512
)

// builder makes the tree of a page as it is walked over. It knows which elements have no content and which end where another of
// their kind begins; tables that are out of order are left as they stand.
type builder struct {
	root  *node
	shut  markup.Element // inside of this one, whose content is no markup for who runs scripts
	open  []*node
	nodes int

	slab []node            // room for nodes that come
	room []attribute       // and for their attributes
	keys map[string]string // names that were met: pages have few
}

// Nodes and attributes that share one allocation.
const (
	slabNodes = 128
	slabAttrs = 256
)

// node returns a new node.
func (b *builder) node() *node {
	if len(b.slab) == 0 {
		b.slab = make([]node, slabNodes)
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	return n
}

// attributes returns the attributes of a tag.
func (b *builder) attributes(list []markup.Attr) []attribute {
	if len(list) == 0 {
		return nil
	}
	if len(b.room) < len(list) {
		b.room = make([]attribute, max(slabAttrs, len(list)))
	}
	out := b.room[:len(list):len(list)]
	b.room = b.room[len(list):]
	for i := range list {
		out[i] = attribute{b.key(list[i].Key), markup.Value(list[i].Val)}
	}
	return out
}

// key returns a name, the same string for each time it is met.
func (b *builder) key(name []byte) string {
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
		"li": set("li"), "dt dd": set("dt dd"), "tr": set("tr td th"), "td th": set("td th"), "option": set("option"), "optgroup": set("option optgroup"),
		`address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre
			section summary table ul`: set("p"),
		"body": set("head"),
	})
	// walls are the elements that an end tag or the start of another does not reach across.
	walls = set("table td th caption button object applet marquee template html body")
	// head holds these and nothing else; anything else begins the body.
	ofHead = set("base link meta title style script noscript template html head")

	shutting = set("noscript noembed noframes")

	elHead       = markup.Named("head")
	elArticle    = markup.Named("article")
	elAudio      = markup.Named("audio")
	elBase       = markup.Named("base")
	elBody       = markup.Named("body")
	elEmbed      = markup.Named("embed")
	elFigcaption = markup.Named("figcaption")
	elFigure     = markup.Named("figure")
	elIframe     = markup.Named("iframe")
	elImg        = markup.Named("img")
	elLink       = markup.Named("link")
	elMain       = markup.Named("main")
	elMeta       = markup.Named("meta")
	elObject     = markup.Named("object")
	elScript     = markup.Named("script")
	elSection    = markup.Named("section")
	elSource     = markup.Named("source")
	elTrack      = markup.Named("track")
	elVideo      = markup.Named("video")
)

func set(names string) [markup.NumElements]bool { return markup.Table(map[string]bool{names: true}) }

// Begin implements markup.Subscriber.
func (b *builder) Begin([]byte) markup.Kinds {
	b.root, b.keys = &node{}, map[string]string{}
	b.open, b.nodes, b.shut = append(b.open[:0], b.root), 0, 0
	return markup.Of(markup.Start, markup.End, markup.Text, markup.Raw)
}

// Token implements markup.Subscriber.
func (b *builder) Token(t *markup.Token) {
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

var elTitle, elTextarea = markup.Named("title"), markup.Named("textarea")

func (b *builder) start(t *markup.Token) {
	if b.top().element == elHead && !ofHead[t.Element] {
		b.open = b.open[:len(b.open)-1]
	}
	for i := len(b.open) - 1; i > 0 && !walls[b.open[i].element]; i-- {
		if ends[t.Element][b.open[i].element] {
			b.open = b.open[:i]
			break
		}
	}
	n := b.node()
	n.element, n.name, n.attrs = t.Element, b.key(t.Name), b.attributes(t.Attrs)
	if b.add(n) && !voids[t.Element] && len(b.open) < maxOpen {
		b.open = append(b.open, n)
	}
}

// text adds a run of text.
func (b *builder) text(data string) {
	n := b.node()
	n.data = data
	b.add(n)
}

func (b *builder) end(e markup.Element, name string) {
	for i := len(b.open) - 1; i > 0; i-- {
		if b.open[i].element == e && b.open[i].name == name {
			b.open = b.open[:i]
			return
		}
		if walls[b.open[i].element] && !walls[e] {
			return
		}
	}
}

func (b *builder) top() *node { return b.open[len(b.open)-1] }

// add puts a node into the innermost open element.
func (b *builder) add(n *node) bool {
	if b.nodes++; b.nodes > maxNodes {
		return false
	}
	p := b.top()
	n.parent, n.previous = p, p.last
	if p.last != nil {
		p.last.next = n
	} else {
		p.first = n
	}
	p.last = n
	return true
}

// descendants goes through all that is inside of a node, in the order of the page.
func (n *node) descendants() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for at := n.first; at != nil; {
			if !yield(at) {
				return
			}
			if at.first != nil {
				at = at.first
				continue
			}
			for at != nil && at != n && at.next == nil {
				at = at.parent
			}
			if at == nil || at == n {
				return
			}
			at = at.next
		}
	}
}

// isText reports whether a node is a run of text.
func (n *node) isText() bool { return n.element == 0 && n.name == "" && n.parent != nil }
