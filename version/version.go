// Package version is the one rule by which the captures of a page become its versions.
//
// Terms: a *sight* is what one capture says of its page; a *version* is one content of a page, from the sight that first shows
// it to the one that shows something else; *identity* is what makes two sights show the same version. What is compared is the
// caller's choice: payload digests (index/temporal, serve/holdings) or main texts (derive); the rule is the same.
//
//	a sight says             if a version is open                    else
//	content, same identity   again: the version was seen once more   begin
//	content, other identity  begin: it ends, another begins          begin
//	same (304)               again                                   skip: same as what nobody knows
//	gone (404, 410)          end                                     end
//	nothing                  skip                                    skip
//
// Nothing is said by errors of the server and refusals (4xx, 5xx), by redirects to the page itself (http to https), and by
// captures without a digest. A redirect elsewhere is a content: that the page leads there.
//
//	time    1    2    3    4    5    6        1 A [1,3)  seen 1, 2
//	sight   A    A    B   500  304  404       3 B [3,6)  seen 3, 5
//
// Nominal validity is [first seen, next begin or end), inferred [first seen, last seen]; what is proven is index/temporal's.
// Cost: constant time and memory per sight.
package version

import "varve/web/canon"

// Says is the kind of what a capture says of its page.
type Says uint8

// The kinds.
const (
	Nothing Says = iota
	Content
	Same
	Gone
)

// Sight is what one capture says of its page.
type Sight struct {
	Says     Says
	Identity string // of the content
	Strong   bool   // of Same: the validator was a strong one, so the bytes are the same
}

// Answer is a capture as far as it says something of its page.
type Answer struct {
	Key         string // the index key of the page
	Status      int    // 0 for captures without one: resources
	Digest      string // of the payload; "" or "-" for none
	Redirect    string // where it leads
	NotModified string // "strong" or "weak" of a revisit that the server asked to be one; else ""
}

// Sight reads an answer.
func (a Answer) Sight() Sight {
	switch {
	case a.NotModified != "":
		return Sight{Says: Same, Strong: a.NotModified == "strong"}
	case a.Status == 304:
		return Sight{Says: Same}
	case IsGone(a.Status):
		return Sight{Says: Gone}
	case a.Status >= 400:
		return Sight{}
	case a.Status >= 300:
		return a.redirect()
	case a.Digest == "" || a.Digest == "-":
		return Sight{}
	}
	return Sight{Says: Content, Identity: a.Digest}
}

// redirect is the sight of a redirect: its target, or its bytes where the target is not known.
func (a Answer) redirect() Sight {
	switch {
	case a.Redirect != "" && canon.SURT(a.Redirect) == a.Key:
		return Sight{}
	case a.Redirect != "":
		return Sight{Says: Content, Identity: "redirect:" + a.Redirect}
	case a.Digest == "" || a.Digest == "-":
		return Sight{}
	}
	return Sight{Says: Content, Identity: "redirect:" + a.Digest}
}

// IsGone reports whether a status says that there is no page.
func IsGone(status int) bool { return status == 404 || status == 410 }

// Step is what a sight does to the versions of its page.
type Step uint8

// The steps.
const (
	Skip  Step = iota // it says nothing
	Begin             // a version begins, and the one that was open ends
	Again             // the open version was seen once more
	End               // the page is gone, and the version that was open ends
)

// Fold follows one page through its sights, in the order of time. The zero Fold has seen nothing.
type Fold struct {
	identity string
	open     bool
}

// Open reports whether a version is open.
func (f *Fold) Open() bool { return f.open }

// Next takes the next sight.
func (f *Fold) Next(s Sight) Step {
	switch s.Says {
	case Gone:
		f.open = false
		return End
	case Same:
		if f.open {
			return Again
		}
	case Content:
		if f.open && s.Identity == f.identity {
			return Again
		}
		f.identity, f.open = s.Identity, true
		return Begin
	}
	return Skip
}
