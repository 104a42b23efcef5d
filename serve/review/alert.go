package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is what an alert is about.
type Kind string

// The kinds of alerts.
const (
	AuditFinding     Kind = "audit"             // a file is not what it was
	DiskLow          Kind = "disk"              // the disk is nearly full
	CrawlFailed      Kind = "crawl-failed"      // a crawl broke, or was killed
	CrawlStopped     Kind = "crawl-stopped"     // a crawl ended with addresses left
	CrawlGaps        Kind = "crawl-gaps"        // a crawl could not have everything that belongs to it
	Unreadable       Kind = "unreadable"        // a file that says what to do or what was done cannot be read
	SeedFailed       Kind = "seed-failed"       // a seed brings nothing
	SeedMoved        Kind = "seed-moved"        // a seed leads to a site of another name
	PagesDropped     Kind = "pages-dropped"     // a crawl found half the pages of the one before, or fewer
	Overdue          Kind = "overdue"           // a planned crawl did not run
	HostUnreachable  Kind = "host-unreachable"  // a host has answered nothing in several crawls
	CoherenceDropped Kind = "coherence-dropped" // a crawl hangs together less than the one before
	IndexBehind      Kind = "index-behind"      // files are not indexed
	IndexRenewed     Kind = "index-renewed"     // an index of an earlier format is built anew
	DeriveFailed     Kind = "derive-failed"     // captures could not be read into tables
	OpenQuestion     Kind = "question"          // somebody asked, and nobody has closed it
)

// words are what the kinds are called on screens.
var words = map[Kind]string{
	AuditFinding: "file damaged", DiskLow: "disk nearly full", CrawlFailed: "crawl failed", CrawlStopped: "crawl stopped early", CrawlGaps: "crawl incomplete",
	Unreadable: "file unreadable", SeedFailed: "seed not reachable", SeedMoved: "seed moved", PagesDropped: "fewer pages than before", Overdue: "crawl overdue",
	HostUnreachable: "host not reachable", CoherenceDropped: "less coherent than before", IndexBehind: "not indexed yet", IndexRenewed: "index being rebuilt",
	DeriveFailed: "captures not analysed", OpenQuestion: "open question",
}

// Words returns what a kind is called on screens.
func (k Kind) Words() string {
	if w, ok := words[k]; ok {
		return w
	}
	return strings.ReplaceAll(string(k), "-", " ")
}

// Alert is something that somebody has to look at.
type Alert struct {
	ID         string    `json:"id"`
	Kind       Kind      `json:"kind"`
	Collection string    `json:"collection,omitempty"` // empty: of the whole archive
	Subject    string    `json:"subject"`              // the crawl, seed, host or file it is about
	What       string    `json:"what"`
	Since      time.Time `json:"since"`
	Weight     int       `json:"weight"`            // 1 to 100: how bad it is
	Act        string    `json:"act"`               // what to do, in words
	Command    string    `json:"command,omitempty"` // that does it, or tells more
	Crawl      string    `json:"crawl,omitempty"`   // id of the crawl that shows it
	Note       string    `json:"note,omitempty"`    // id of the note that asks
	Decision   *Decision `json:"decision,omitempty"`

	occasion string
}

// identify gives the alert its id.
func (a *Alert) identify() {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(a.Kind), a.Collection, a.Subject, a.occasion}, "\x00")))
	a.ID = hex.EncodeToString(sum[:8])
}

// worse orders alerts: the heaviest first, then those that wait longest.
func worse(a, b Alert) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), a.Since.Compare(b.Since), cmp.Compare(a.Collection, b.Collection),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.ID, b.ID))
}

// mostOfKind is how many alerts of a kind a collection shows: a list of ten thousand dead seeds helps nobody.
const mostOfKind = 50

// shorten sorts alerts of one collection, leaves out doubles, and sums up what is too much of a kind.
func shorten(list []Alert) []Alert {
	for i := range list {
		list[i].identify()
	}
	slices.SortFunc(list, worse)
	seen, count, rest := map[string]bool{}, map[Kind]int{}, map[Kind]*Alert{}
	var out []Alert
	for _, a := range list {
		if seen[a.ID] {
			continue
		}
		seen[a.ID] = true
		if count[a.Kind]++; count[a.Kind] <= mostOfKind {
			out = append(out, a)
			continue
		}
		if rest[a.Kind] == nil {
			more := a
			more.Subject, more.Crawl = "others", ""
			rest[a.Kind] = &more
		}
	}
	for kind, a := range rest {
		a.What = fmt.Sprintf("%d more of this kind", count[kind]-mostOfKind)
		a.identify()
		out = append(out, *a)
	}
	slices.SortFunc(out, worse)
	return out
}
