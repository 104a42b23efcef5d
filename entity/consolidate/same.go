// Package consolidate puts together what was found apart: names that are one thing, since links lead from both to the same place, and things that have to do with
// each other, since others refer to both.
//
// Direct (seed 003, 5.2): Ireland, Republic of Ireland and Irland are one, if pages link all three to the same address. Terms:
//
//	call    a page links to a target, and calls it by a name
//	share   of all pages that link with a name, those that link to the target
//	thing   a target with the names that are its own: each has a share of at least Settings.Share and Settings.Pages pages
//
// The confidence of a name is how sure its share is, with p pages of which all but a few link to the target:
//
//	confidence = share * p / (p + 1)
//
// so one page that calls it so says 1/2, and nine 9/10. Nothing is decided here: what comes out is proposed, each name with its pages, hosts and times.
//
// Indirect: related.go.
//
// Cost: two readings of the calls; memory grows with the different names (the first reading) and the pages of one target (the second).
package consolidate

import (
	"cmp"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"varve/entity"
)

// Call is that a page calls what is at an address by a name.
type Call struct {
	Key    string // of the address: calls of one come one after the other
	Target string // the address, as it was written
	Page   string // where the link stands
	Name   string
	First  time.Time
	Last   time.Time
}

// Called is a name of a thing.
type Called struct {
	Name       string    `json:"name"` // as most pages write it
	Pages      int       `json:"pages"`
	Hosts      int       `json:"hosts"`
	Share      float64   `json:"share"`
	Confidence float64   `json:"confidence"`
	First      time.Time `json:"first"` // when a page was first seen to call it so
	Last       time.Time `json:"last"`
	Example    string    `json:"example"` // such a page
}

// Thing is what one target is, by its names, the most frequent first.
type Thing struct {
	Target string   `json:"target"`
	Names  []Called `json:"names"`
}

// Settings are the bounds.
type Settings struct {
	Share float64 // of a name, from which on it is the target's
	Pages int     // that must call it so
	Names int     // different names that are held in the first reading; calls by others are counted in Beyond
}

// Default returns the settings that programs use.
func Default() Settings { return Settings{Share: 0.6, Pages: 2, Names: 1_000_000} }

// Found is what is one.
type Found struct {
	Things []Thing
	Beyond int // calls by names that were not looked at, since there are too many
}

// Same returns the targets that have two names or more of their own, by address. calls gives all calls, those of one target together, and the same ones at each reading.
func Same(calls iter.Seq2[Call, error], s Settings) (out Found, err error) {
	pages := map[string]int{} // by key of the name
	for c, err := range calls {
		if err != nil {
			return out, err
		}
		key, ok := nameKey(c)
		if !ok {
			continue
		}
		if _, known := pages[key]; !known && len(pages) >= s.Names {
			out.Beyond++
			continue
		}
		pages[strings.Clone(key)]++
	}
	var group []Call
	flush := func() {
		if t, ok := thing(group, pages, s); ok {
			out.Things = append(out.Things, t)
		}
		group = group[:0]
	}
	for c, err := range calls {
		if err != nil {
			return out, err
		}
		if len(group) > 0 && group[0].Key != c.Key {
			flush()
		}
		c.Key, c.Target, c.Page, c.Name = strings.Clone(c.Key), strings.Clone(c.Target), strings.Clone(c.Page), strings.Clone(c.Name)
		group = append(group, c)
	}
	flush()
	return out, nil
}

// Lengths of names, in characters and words.
const (
	shortest  = 2
	longest   = 60
	mostWords = 6
)

// nameKey returns the key of a name, and whether it can be one: it begins with a capital or with a letter of a script that has none, and is no sentence. What leads to the
// front page of a site is not called by its name.
func nameKey(c Call) (string, bool) {
	n := utf8.RuneCountInString(c.Name)
	first, _ := utf8.DecodeRuneInString(c.Name)
	if n < shortest || n > longest || !unicode.IsLetter(first) || unicode.IsLower(first) || strings.ContainsAny(c.Name, "?!:;\n") || len(strings.Fields(c.Name)) > mostWords {
		return "", false
	}
	if u, err := url.Parse(c.Target); err != nil || u.Path == "" || u.Path == "/" {
		return "", false
	}
	key := entity.Key(c.Name)
	return key, key != ""
}

// thing returns what a target is by the calls of it.
func thing(calls []Call, all map[string]int, s Settings) (Thing, bool) {
	type one struct {
		Called
		written map[string]int
		hosts   map[string]bool
	}
	byKey := map[string]*one{}
	for _, c := range calls {
		key, ok := nameKey(c)
		if !ok || all[key] == 0 {
			continue
		}
		n := byKey[key]
		if n == nil {
			n = &one{Called: Called{First: c.First, Last: c.Last, Example: c.Page}, written: map[string]int{}, hosts: map[string]bool{}}
			byKey[key] = n
		}
		n.Pages++
		n.written[c.Name]++
		if u, err := url.Parse(c.Page); err == nil {
			n.hosts[u.Host] = true
		}
		if c.First.Before(n.First) {
			n.First, n.Example = c.First, c.Page
		}
		if c.Last.After(n.Last) {
			n.Last = c.Last
		}
	}
	out := Thing{}
	if len(calls) > 0 {
		out.Target = calls[0].Target
	}
	for key, n := range byKey {
		n.Share = float64(n.Pages) / float64(all[key])
		if n.Share < s.Share || n.Pages < s.Pages {
			continue
		}
		n.Confidence = n.Share * float64(n.Pages) / float64(n.Pages+1)
		n.Hosts = len(n.hosts)
		for written, times := range n.written {
			if best := n.written[n.Name]; times > best || times == best && written < n.Name {
				n.Name = written
			}
		}
		out.Names = append(out.Names, n.Called)
	}
	slices.SortFunc(out.Names, func(a, b Called) int { return cmp.Or(b.Pages-a.Pages, strings.Compare(a.Name, b.Name)) })
	return out, len(out.Names) > 1
}
