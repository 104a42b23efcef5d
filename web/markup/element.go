package markup

import (
	"fmt"
	"strings"
)

// Element is the number of an element whose name is known; 0 is any other.
type Element uint8

// NumElements is one more than the largest Element.
const NumElements = 192

// names are the elements of HTML of all times, and of SVG and MathML those that somebody asks for.
const names = `a abbr acronym address altglyph amp-img animate applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br
	button canvas caption center cite code col colgroup color-profile command content cursor data datalist dd del details dfn dialog dir div dl dt
	element em embed fencedframe feimage fieldset figcaption figure filter font font-face-uri footer form frame frameset g glyphref h1 h2 h3 h4 h5
	h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li lineargradient link listing main map mark marquee
	math menu menuitem meta meter mpath multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param path pattern
	picture plaintext portal pre progress q radialgradient rb rp rt rtc ruby s samp script search section select set shadow slot small source
	spacer span strike strong style sub summary sup svg table tbody td template textarea textpath tfoot th thead time title tr track tref tt
	turbo-frame u ul use var video wbr xml xmp`

// byName finds names: open addressing in a table that is mostly free.
var byName, spelled = func() (t [1024]Element, list [NumElements]string) {
	n := Element(0)
	for name := range strings.FieldsSeq(names) {
		if n++; int(n) >= NumElements {
			panic("more elements than NumElements")
		}
		list[n] = name
		i := slot([]byte(name))
		for t[i] != 0 {
			i = (i + 1) & 1023
		}
		t[i] = n
	}
	return t, list
}()

func slot(name []byte) int {
	n := len(name)
	return (int(name[0])*37 + int(name[n-1])*101 + int(name[n/2])*11 + n*211) & 1023
}

// ElementOf returns the element of a name in lower case.
func ElementOf(name []byte) Element {
	if len(name) == 0 {
		return 0
	}
	for i := slot(name); byName[i] != 0; i = (i + 1) & 1023 {
		if e := byName[i]; spelled[e] == string(name) {
			return e
		}
	}
	return 0
}

// String returns the name of an element, "" for one that is not known.
func (e Element) String() string { return spelled[e] }

// Named returns the element of a name that must be known. It is for tables that are made at the start of a program.
func Named(name string) Element {
	e := ElementOf([]byte(name))
	if e == 0 {
		panic(fmt.Sprintf("no element %q in the list of names", name))
	}
	return e
}

// Table makes a table by element of lists of names: what is in no list has the zero value.
func Table[T any](lists map[string]T) (t [NumElements]T) {
	for list, v := range lists {
		for name := range strings.FieldsSeq(list) {
			t[Named(name)] = v
		}
	}
	return t
}
