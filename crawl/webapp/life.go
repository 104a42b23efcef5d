package webapp

import (
	"slices"
	"time"
)

// Look is what was on a page when it was captured.
type Look struct {
	At      time.Time
	Objects []Object
}

// Life is what became of an object over the captures of its page.
type Life struct {
	Object           // as it was last seen
	First  time.Time // capture that it was first and last seen on
	Last   time.Time
	Since  time.Time // last capture before First; zero if it was there from the first capture on
	Gone   time.Time // first capture after Last; zero if it is on the last capture
	Edits  []Edit
}

// Edit is a change of an object's text or title between two captures.
type Edit struct {
	After, By time.Time // captures: it was so on the first and otherwise on the second
	Title     string    // as they were before
	Text      string
}

// Follow returns what became of each object over captures of a page, in the order of the captures, and of the page among those that came with one of
// them. Objects are told apart by their keys: one without an ID whose author or date changes is another one. An object that comes back was
// never gone.
func Follow(looks []Look) []Life {
	var list []Life
	at := map[string]int{}
	for n, look := range looks {
		for _, o := range look.Objects {
			key := o.Key()
			i, known := at[key]
			if !known {
				l := Life{Object: o, First: look.At, Last: look.At}
				if n > 0 {
					l.Since = looks[n-1].At
				}
				at[key] = len(list)
				list = append(list, l)
				continue
			}
			l := &list[i]
			if o.Text != l.Text || o.Title != l.Title {
				l.Edits = append(l.Edits, Edit{After: l.Last, By: look.At, Title: l.Title, Text: l.Text})
			}
			l.Object, l.Last = o, look.At
		}
	}
	for i := range list {
		n := slices.IndexFunc(looks, func(k Look) bool { return k.At.After(list[i].Last) })
		if n >= 0 {
			list[i].Gone = looks[n].At
		}
	}
	return list
}
