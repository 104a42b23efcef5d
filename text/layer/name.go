package layer

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Name names a layer, in JSON, reports and screens.
type Name string

// The layers, from the finest to the coarsest, and the set of links beside them.
const (
	Bytes Name = "bytes"
	DOM   Name = "dom"
	Text  Name = "text"
	Main  Name = "main"
	Near  Name = "near"
	Links Name = "links"
)

var order = [...]Name{Bytes, DOM, Text, Main, Near, Links}

// Names lists the layers in their order.
func Names() []Name { return slices.Clone(order[:]) }

// index is the place of a name in the order, or -1.
func (n Name) index() int { return slices.Index(order[:], n) }

// Valid tells whether there is a layer of that name.
func (n Name) Valid() bool { return n.index() >= 0 }

// rules number the ways in which layers were read so far, for those that were read in more than one.
var rules = map[Name]string{Main: "main/2", Near: "near/2"} // 1: go-trafilatura

// Stored is the name under which digests of a layer are kept. It changes with the rule by which the layer is read, so that digests
// made by different rules are never compared: the page would seem to have changed when it was the program that did.
func (n Name) Stored() string {
	if s, ok := rules[n]; ok {
		return s
	}
	return string(n)
}

// FromStored returns the layer that is kept under a name, false for those of other rules than today's.
func FromStored(name string) (Name, bool) {
	for _, n := range order {
		if n.Stored() == name {
			return n, true
		}
	}
	return "", false
}

// UnmarshalText reads a name and refuses what is none.
func (n *Name) UnmarshalText(text []byte) error {
	if !Name(text).Valid() {
		return fmt.Errorf("no layer %q; there are %v", text, order)
	}
	*n = Name(text)
	return nil
}

// Set is a set of layers.
type Set uint8

// The sets that are asked for most.
const (
	All   Set = 1<<len(order) - 1
	Cheap Set = 1<<0 | 1<<1 | 1<<2 | 1<<5 // without main and near, which cost more
)

// SetOf makes a set of names; unknown names are left out.
func SetOf(names ...Name) (s Set) {
	for _, n := range names {
		s = s.With(n)
	}
	return s
}

// With adds a layer.
func (s Set) With(n Name) Set {
	if i := n.index(); i >= 0 {
		s |= 1 << i
	}
	return s
}

// Has tells whether a layer is in the set.
func (s Set) Has(n Name) bool {
	i := n.index()
	return i >= 0 && s>>i&1 == 1
}

// All goes through the layers of the set in order.
func (s Set) All() iter.Seq[Name] {
	return func(yield func(Name) bool) {
		for i, n := range order {
			if s>>i&1 == 1 && !yield(n) {
				return
			}
		}
	}
}

// Names lists the layers of the set in order.
func (s Set) Names() []Name { return slices.Collect(s.All()) }

// String lists the layers of the set.
func (s Set) String() string {
	var names []string
	for n := range s.All() {
		names = append(names, string(n))
	}
	return strings.Join(names, ",")
}

// MarshalJSON writes a list of names.
func (s Set) MarshalJSON() ([]byte, error) { return marshalNames(s.Names()) }

// UnmarshalJSON reads a list of names.
func (s *Set) UnmarshalJSON(b []byte) error {
	names, err := unmarshalNames(b)
	if err == nil {
		*s = SetOf(names...)
	}
	return err
}
