package links

import (
	"fmt"
	"strings"
	"time"

	"varve/web/markup"
)

// Header is one HTTP header field, in the order it came.
type Header struct {
	Name, Value string
}

// Document is what Extract reads: the bytes of an answer after content decoding, and what the server said about them.
type Document struct {
	URL     string   // the URL that answered; references are resolved against it
	MIME    string   // Content-Type, with or without parameters; empty means: look in Headers, then sniff
	Charset string   // a hint that beats the Content-Type parameter but not a byte order mark; may be empty
	Headers []Header // response headers, for Link, Location, Refresh and the like
	Brief   bool     // of the text, keep only the start and the anchors: enough to find links, cheaper
	Body    []byte   // never changed, never kept

	// With read the document in the same pass, if it is HTML or XHTML. They get it in valid UTF-8, as HTML.
	With []markup.Subscriber
}

// Link is one outlink or embed. Its strings share buffers with the other links of the page: clone what is kept for long.
type Link struct {
	URL    string  // absolute
	Raw    string  // as written, after charset and character references were decoded
	Kind   Kind    // where it was written: a-href, css-import
	Hop    Hop     // what following it means: link, embed
	Header bool    // it was in a header of the answer, not in the document
	In     Context // what it was written inside of: a comment, a template
	Anchor string  // the words that name it: anchor text, alt, title of a feed item
	Around string  // the visible text before, in and after the anchor, up to Limits.Around bytes on each side
	Rel    string  // the rel tokens in lower case, for nofollow and the like
	Entry  *Entry  // what a sitemap says about it, else nil

	AnchorAt, AroundAt Place // where these lie in Info.Text
}

// Place is a piece of a text, from its first byte to that behind its last. The zero Place is none: the words are written elsewhere, as alt is.
type Place struct{ From, To int32 }

// Entry is what a sitemap (or feed) says about a URL. Missing or unreadable fields are zero.
type Entry struct {
	Lastmod     time.Time
	Changefreq  string
	Priority    float64
	HasPriority bool
}

// Info is what the same pass learned about the document as a whole.
type Info struct {
	Format    Format   // what it was read as
	Title     string   // first title
	Charset   string   // the encoding used, by its WHATWG name, "" for formats without one
	Source    string   // who named the charset: bom, http, meta, guess
	Canonical string   // absolute URL of rel=canonical, from the page or a Link header
	Base      string   // the base that references were resolved against
	Robots    []string // directives of meta robots and X-Robots-Tag, lower case, in order
	Lang      string   // html lang, else Content-Language
	Generator string   // meta generator
	Text      string   // visible text, spaces collapsed, blocks on lines of their own, up to Limits.Text bytes
	TextLen   int      // its length in characters, counted beyond the limit too
	Counts    [NumHops]int
	Skipped   int  // references not emitted: other schemes, same-page fragments, too long, unparsable
	Cut       int  // references that a limit kept out: too many, too long
	Truncated bool // a limit was reached, so links may be missing
}

// Lost is how many links limits kept out, as far as anybody can tell: one where a part was not read at all.
func (i *Info) Lost() int {
	if i.Truncated {
		return max(1, i.Cut)
	}
	return i.Cut
}

// Hop is what following a link means to a crawl.
type Hop uint8

// The hops.
const (
	HopLink        Hop = iota // a page to go to
	HopEmbed                  // a part that the page needs to be shown
	HopRedirect               // where the page sends its reader by itself
	HopForm                   // where a form is sent
	HopFeed                   // a feed or sitemap, or what it lists
	HopSpeculative            // a string that may be a URL; try last
	NumHops                   // how many there are
)

var hopNames = [NumHops]string{"link", "embed", "redirect", "form", "feed", "speculative"}

// String gives the hop's name.
func (h Hop) String() string {
	if h < NumHops {
		return hopNames[h]
	}
	return "unknown"
}

// MarshalText gives the hop's name.
func (h Hop) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads a hop's name.
func (h *Hop) UnmarshalText(p []byte) error {
	for i, name := range hopNames {
		if name == string(p) {
			*h = Hop(i)
			return nil
		}
	}
	return fmt.Errorf("unknown hop %q; known are %s", p, strings.Join(hopNames[:], ", "))
}

// Context is a set of flags that say what a link was written inside of.
type Context uint16

// The contexts. They combine: an image in a noscript in a srcdoc has two of them.
const (
	InComment     Context = 1 << iota // an HTML comment: demoted to speculative
	InConditional                     // a conditional comment of old Internet Explorer
	InNoscript                        // noscript, noframes, noembed
	InTemplate                        // a template element, declarative shadow roots too
	InSrcdoc                          // an iframe's srcdoc
	InScript                          // markup in a string of a script: demoted to speculative
	InHandler                         // an event handler attribute or a javascript: URL
	InJSON                            // markup or JSON in a JSON string or JSON in an attribute
	InFeed                            // markup in a feed item
	InData                            // a data: URL
	InEscaped                         // markup shown as text, as in textarea
)

var contextNames = []string{
	"comment", "conditional", "noscript", "template", "srcdoc", "script", "handler", "json", "feed", "data", "escaped",
}

// String joins the names of the flags with a plus sign.
func (c Context) String() string {
	s := ""
	for i, name := range contextNames {
		if c&(1<<i) == 0 {
			continue
		}
		if s != "" {
			s += "+"
		}
		s += name
	}
	return s
}

// demoted tells whether links written there are mere guesses, whatever their kind.
func (c Context) demoted() bool { return c&(InComment|InScript|InEscaped) != 0 }
