package address

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Mod says what the answer is used as.
type Mod string

// The modifiers. An unknown one of the same shape is read as Page.
const (
	Framed   Mod = ""     // the frame with the banner around the page
	Page     Mod = "mp_"  // the content of the top page
	Identity Mod = "id_"  // the bytes as archived
	Inner    Mod = "if_"  // an iframe
	Frame    Mod = "fr_"  // a frame of a frameset
	Script   Mod = "js_"  // a script, whatever the server called it
	Style    Mod = "cs_"  // a style sheet, whatever the server called it
	Image    Mod = "im_"  // an image
	Object   Mod = "oe_"  // object, embed, audio, video, font
	Worker   Mod = "wkr_" // the script of a worker
	Service  Mod = "sw_"  // the script of a service worker
)

// Kind says what an address asks for.
type Kind uint8

// The kinds of address.
const (
	Home     Kind = iota // the collection itself
	Capture              // one capture
	TimeGate             // the capture that Accept-Datetime asks for
	TimeMap              // the list of captures for machines
	Listing              // the list of captures for people
)

// Address is one address, taken apart.
type Address struct {
	Collection string
	Key        string // behind the collection, after ~: what content may ask for by itself; empty: what everybody may
	View       string // behind the key, after a second ~: the frame page that shows it, where that has to be known; empty: none
	Kind       Kind
	URL        string // as written, repaired; empty for Home
	Time       string // Capture: 0 to 17 digits as written
	Mod        Mod    // Capture: the modifier
	Format     string // TimeMap: link, json, cdxj
	Page       int    // TimeMap: from 1
	From, To   string // Listing: digits, or empty
	Prefix     bool   // Listing: of everything below the URL
}

// MaxLength is the longest path, in bytes, that is read.
const MaxLength = 64<<10 + 256

// ErrEmpty is the cause of the error for a path that names no collection.
var ErrEmpty = errors.New("no collection in the path")

// Parse reads the escaped path of a request, with its query as part of the URL asked for. A path without a
// collection gives ErrEmpty.
func Parse(path, query string) (Address, error) {
	if len(path)+len(query) > MaxLength {
		return Address{}, fmt.Errorf("address of %d bytes: longer than %d", len(path)+len(query), MaxLength)
	}
	path = strings.TrimPrefix(path, "/")
	name, rest, slash := strings.Cut(path, "/")
	if name == "" {
		return Address{}, ErrEmpty
	}
	a := Address{Page: 1}
	if a.Collection, a.Key, a.View = SplitLead(name); a.Collection == "" {
		return Address{}, ErrEmpty
	}
	if !slash || strings.Trim(rest, "/") == "" && query == "" {
		return a, nil
	}
	if query != "" {
		rest += "?" + query
	}
	return a.parse(rest)
}

// SplitLead takes the first segment of a path apart: NAME, NAME~KEY, NAME~KEY~VIEW, NAME~~VIEW.
func SplitLead(segment string) (collection, key, view string) {
	collection, key, _ = strings.Cut(segment, "~")
	key, view, _ = strings.Cut(key, "~")
	return collection, key, view
}

// parse reads what follows the collection.
func (a Address) parse(rest string) (Address, error) {
	head, tail, slash := strings.Cut(rest, "/")
	switch {
	case head == "timegate" && slash:
		a.Kind = TimeGate
		return a.target(tail)
	case head == "timemap" && slash:
		return a.timeMap(tail)
	case slash && strings.HasSuffix(head, "*"):
		return a.listing(strings.TrimSuffix(head, "*"), tail)
	}
	if digits, mod, ok := stamp(head); ok && slash {
		a.Kind, a.Time, a.Mod = Capture, digits, mod
		return a.target(tail)
	}
	a.Kind = TimeGate
	return a.target(rest)
}

// target takes the URL.
func (a Address) target(s string) (Address, error) {
	a.URL = Repair(s)
	if a.URL == "" {
		return a, errors.New("no URL in the address")
	}
	return a, nil
}

// timeMap reads "link/http://...", and "link/2/http://..." for the second page.
func (a Address) timeMap(s string) (Address, error) {
	a.Kind = TimeMap
	format, rest, _ := strings.Cut(s, "/")
	a.Format = format
	if page, more, ok := strings.Cut(rest, "/"); ok && isDigits(page) && len(page) <= 6 {
		a.Page, rest = 0, more
		for _, c := range page {
			a.Page = a.Page*10 + int(c-'0')
		}
	}
	if a.Page < 1 {
		return a, errors.New("pages of a time map are counted from 1")
	}
	return a.target(rest)
}

// listing reads the span before the star and the URL, which may end in a star of its own.
func (a Address) listing(span, url string) (Address, error) {
	a.Kind = Listing
	from, to, both := strings.Cut(span, "-")
	if !both {
		to = from
	}
	if from != "" && !isStamp(from) || to != "" && !isStamp(to) {
		return a, fmt.Errorf("span %q: want digits, as in 2009-2015*", span)
	}
	a.From, a.To = from, to
	if strings.HasSuffix(url, "*") {
		a.Prefix, url = true, strings.TrimSuffix(url, "*")
	}
	return a.target(url)
}

// stamp reads the digits and the modifier before a URL; one of the two must be there.
func stamp(s string) (digits string, mod Mod, ok bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	digits, rest := s[:n], s[n:]
	if n > 17 || s == "" {
		return "", "", false
	}
	if rest == "" {
		return digits, Framed, true
	}
	if rest[0] == '$' {
		return digits, Page, true
	}
	for i, c := range rest {
		if last := i == len(rest)-1; last && c != '_' || !last && (c < 'a' || c > 'z') {
			return "", "", false
		}
	}
	if len(rest) < 2 || len(rest) > 5 {
		return "", "", false
	}
	return digits, Mod(rest).known(), true
}

// known gives the modifier itself, or Page for one that nobody here knows.
func (m Mod) known() Mod {
	switch m {
	case Page, Identity, Inner, Frame, Script, Style, Image, Object, Worker, Service:
		return m
	}
	return Page
}

// Embedded tells whether what is asked for is a part of a page.
func (m Mod) Embedded() bool {
	switch m {
	case Framed, Page, Identity:
		return false
	}
	return true
}

// Document tells whether a browser shows the answer in a window or frame.
func (m Mod) Document() bool { return m == Page || m == Inner || m == Frame }

// String gives the path of the address, fit for a header: what may not stand there is escaped in the URL.
func (a Address) String() string {
	a.URL = Escape(a.URL)
	lead := a.Lead()
	switch a.Kind {
	case Home:
		return lead
	case Capture:
		return lead + a.Time + string(a.Mod) + "/" + a.URL
	case TimeMap:
		page := ""
		if a.Page > 1 {
			page = fmt.Sprintf("/%d", a.Page)
		}
		return lead + "timemap/" + a.Format + page + "/" + a.URL
	case Listing:
		return lead + a.span() + "*/" + a.URL + map[bool]string{true: "*"}[a.Prefix]
	default:
		return lead + a.URL
	}
}

// Lead returns what all addresses of the collection begin with, as they are written for the holder of the key, in the
// same view.
func (a Address) Lead() string {
	switch {
	case a.View != "":
		return "/" + a.Collection + "~" + a.Key + "~" + a.View + "/"
	case a.Key != "":
		return "/" + a.Collection + "~" + a.Key + "/"
	}
	return "/" + a.Collection + "/"
}

// Plain returns the address for everybody: without key and view.
func (a Address) Plain() Address {
	a.Key, a.View = "", ""
	return a
}

// Sibling returns the path of another capture for the holder of the same key, in the same view.
func (a Address) Sibling(t time.Time, mod Mod, url string) string {
	return Address{Collection: a.Collection, Key: a.Key, View: a.View, Kind: Capture, Time: Stamp(t), Mod: mod, URL: url}.String()
}

// span writes the bounds of a listing.
func (a Address) span() string {
	if a.From == a.To {
		return a.From
	}
	return a.From + "-" + a.To
}

// At gives the path of a capture in some form.
func At(collection string, t time.Time, mod Mod, url string) string {
	return Address{Collection: collection, Kind: Capture, Time: Stamp(t), Mod: mod, URL: url}.String()
}
