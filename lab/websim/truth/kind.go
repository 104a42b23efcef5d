package truth

import (
	"fmt"
	"slices"
)

// Kind says what a change does to a page.
type Kind uint8

// The kinds of change.
const (
	Content Kind = iota // about a third of the main text is written anew
	Minor               // one sentence of the main text is written anew
	Links               // outgoing links are replaced, added or removed
	Token               // noise that nobody sees: tokens, nonces, time stamps of rendering
	Ad                  // noise that people see: another advertisement beside the main text
	Appear              // the page comes into being
	Vanish              // the page answers 404 or 410 from here on
	Return              // a vanished page is back
	Move                // the page has a new path, the old one redirects to it
	kinds
)

var kindNames = [kinds]string{"content", "minor", "links", "token", "ad", "appear", "vanish", "return", "move"}

// String is the name of the kind, as in site descriptions and logs.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", k)
}

// MarshalText gives the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("no kind of change %q; there are %v", text, kindNames)
	}
	*k = Kind(i)
	return nil
}

// Layer is a way to compare two versions of a page, as in the coherence model.
type Layer uint8

// The layers, from the finest to the coarsest, and the set of links beside them.
const (
	Bytes   Layer = iota // the body, without transfer and content encoding
	DOM                  // the markup, with tokens and time stamps masked
	Text                 // the visible text
	Main                 // the main text, without navigation and advertisements
	Near                 // the main text up to small edits
	LinkSet              // the set of outgoing links
	layers
)

var layerNames = [layers]string{"bytes", "dom", "text", "main", "near", "links"}

// Layers lists all layers.
func Layers() []Layer { return []Layer{Bytes, DOM, Text, Main, Near, LinkSet} }

// String is the name of the layer, as used everywhere in Varve.
func (l Layer) String() string {
	if int(l) < len(layerNames) {
		return layerNames[l]
	}
	return fmt.Sprintf("layer(%d)", l)
}

// MarshalText gives the name of the layer.
func (l Layer) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the name of a layer.
func (l *Layer) UnmarshalText(text []byte) error {
	i := slices.Index(layerNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("no layer %q; there are %v", text, layerNames)
	}
	*l = Layer(i)
	return nil
}

// seen is, for each layer, the set of kinds it sees, as bits. Whether a page is there at all is
// seen by every layer. The anchors of links are text and markup, but not main text.
var seen = [layers]uint16{
	Bytes:   life | 1<<Content | 1<<Minor | 1<<Links | 1<<Ad | 1<<Token,
	DOM:     life | 1<<Content | 1<<Minor | 1<<Links | 1<<Ad,
	Text:    life | 1<<Content | 1<<Minor | 1<<Links | 1<<Ad,
	Main:    life | 1<<Content | 1<<Minor,
	Near:    life | 1<<Content,
	LinkSet: life | 1<<Links,
}

const life = 1<<Appear | 1<<Vanish | 1<<Return | 1<<Move

// Sees tells whether a change of kind k is one on layer l.
func (l Layer) Sees(k Kind) bool { return seen[l]>>k&1 == 1 }
