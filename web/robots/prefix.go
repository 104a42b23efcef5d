package robots

import (
	"slices"
	"sort"
	"strings"
)

// prefixTable answers "which is the longest of these prefixes that begins the target?" by one
// binary search. The prefixes are sorted; parent is the longest other prefix that begins a prefix.
//
//	0 "/"      parent -1
//	1 "/a"     parent 0
//	2 "/a/b"   parent 1
//	3 "/c"     parent 0
//
// For "/a/c" the last entry not after it is 2; it does not begin the target, its parent 1 does. Any
// prefix of the target that sorts before it is an ancestor of that entry, hence the walk is enough.
type prefixTable struct {
	text   []string
	best   []entry // the most specific rule of this prefix and its ancestors
	parent []int32
}

// newPrefixTable keeps, of rules with the same prefix, the most specific.
func newPrefixTable(rules []entry) prefixTable {
	var t prefixTable
	slices.SortStableFunc(rules, func(a, b entry) int {
		if c := strings.Compare(a.pattern.parts[0], b.pattern.parts[0]); c != 0 {
			return c
		}
		return moreSpecific(a, b)
	})
	for _, e := range rules {
		text := e.pattern.parts[0]
		last := len(t.text) - 1
		if last >= 0 && t.text[last] == text {
			continue
		}
		up := int32(last)
		for up >= 0 && !strings.HasPrefix(text, t.text[up]) {
			up = t.parent[up]
		}
		if up >= 0 && moreSpecific(t.best[up], e) < 0 {
			e = t.best[up] // "/x***" has more octets than "/xy", though its text is shorter
		}
		t.text = append(t.text, text)
		t.best = append(t.best, e)
		t.parent = append(t.parent, up)
	}
	return t
}

// longest gives the most specific rule whose prefix begins the target, or nil.
func (t *prefixTable) longest(target string) *entry {
	i := sort.Search(len(t.text), func(i int) bool { return t.text[i] > target }) - 1
	for i >= 0 && !strings.HasPrefix(target, t.text[i]) {
		i = int(t.parent[i])
	}
	if i < 0 {
		return nil
	}
	return &t.best[i]
}
