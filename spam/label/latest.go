package label

import (
	"cmp"
	"maps"
	"slices"
)

// Latest gives the entry in force of each host.
func Latest(entries []Entry) map[string]Entry {
	out := map[string]Entry{}
	for _, e := range entries {
		if old, known := out[e.Host]; !known || e.over(old) {
			out[e.Host] = e
		}
	}
	return out
}

// over tells whether an entry takes the place of one that stands before it in the file.
func (e Entry) over(old Entry) bool {
	if own, was := e.From == "", old.From == ""; own != was {
		return own
	}
	return !e.When.Before(old.When)
}

// Of gives all that was said about a host, oldest line first.
func Of(entries []Entry, host string) []Entry {
	var out []Entry
	for _, e := range entries {
		if e.Host == host {
			out = append(out, e)
		}
	}
	return out
}

// Hosts lists the hosts whose label in force is the given one, sorted.
func Hosts(latest map[string]Entry, v Verdict) []string {
	var out []string
	for _, host := range slices.Sorted(maps.Keys(latest)) {
		if latest[host].Label == v {
			out = append(out, host)
		}
	}
	return out
}

// Count tells how many hosts have each label in force.
func Count(latest map[string]Entry) map[Verdict]int {
	out := map[Verdict]int{}
	for _, e := range latest {
		out[e.Label]++
	}
	return out
}

// sorted gives entries by host and time, for files that are compared.
func sorted(entries []Entry) []Entry {
	out := slices.Clone(entries)
	slices.SortStableFunc(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), a.When.Compare(b.When))
	})
	return out
}
