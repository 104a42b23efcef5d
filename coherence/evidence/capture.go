package evidence

import (
	"strings"
	"time"

	"varve/archive/warc"
	"varve/text/dating"
	"varve/text/layer"
)

// The passes of a crawl that visits all pages and then visits them again.
const (
	Visit   = "visit"
	Revisit = "revisit"
)

// Further steps by which the original of a revisit is found, beside those of warc.Resolve.
const (
	StepNearest warc.Step = "nearest" // a 304 that names nothing: the nearest earlier capture of the URL
	StepLost    warc.Step = "lost"    // the original is not in the files given
)

// Observation is one recorded answer, with the content of its original if it is a revisit.
type Observation struct {
	URL    string    `json:"url"`
	Time   time.Time `json:"time"`
	Side   int       `json:"side,omitempty"`
	Status int       `json:"status,omitempty"` // a 304 has that of its original; 0 if nobody says
	MIME   string    `json:"mime,omitempty"`
	Digest string    `json:"digest,omitempty"` // payload digest as written, or sha1 of the payload

	Type   string         `json:"type,omitempty"`   // Content-Type as served
	Layers *layer.Digests `json:"layers,omitempty"` // nil if the content is not known
	Bytes  int64          `json:"bytes,omitempty"`  // of the content

	Parts    []Part `json:"parts,omitempty"`     // what a page or style sheet shows
	PartsCut int    `json:"parts_cut,omitempty"` // how many more there are

	Stamps       []Stamp   `json:"stamps,omitempty"` // dates that the page states
	ETag         string    `json:"etag,omitempty"`
	Location     string    `json:"to,omitempty"` // where a redirect leads
	LastModified time.Time `json:"modified,omitzero"`
	ServerDate   time.Time `json:"date,omitzero"`

	Method string `json:"method,omitempty"` // of its request; empty if that is not recorded
	Crawl  string `json:"crawl,omitempty"`  // isPartOf of the file
	Pass   string `json:"pass,omitempty"`   // visit or revisit, where the crawler says so
	Group  string `json:"group,omitempty"`
	Via    string `json:"via,omitempty"`   // the page it was found on
	Hops   string `json:"hops,omitempty"`  // one letter per hop from a seed
	Known  bool   `json:"known,omitempty"` // Via and Hops are from the crawler's metadata, and so empty for a seed

	Place Place `json:"place"`

	NotModified bool      `json:"304,omitempty"`
	Truncated   string    `json:"cut,omitempty"`  // why the content is not whole
	Step        warc.Step `json:"step,omitempty"` // of a revisit; empty for a capture with its own content
	Original    *Place    `json:"original,omitempty"`
}

// Stamp is a date that a page states about itself.
type Stamp = dating.Finding

// Place is a record in a file.
type Place struct {
	Record string `json:"record"` // WARC-Record-ID
	File   int    `json:"file"`   // number of the source
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Inner  int64  `json:"inner,omitempty"`  // bytes of the unpacked member before the record
	Shared bool   `json:"shared,omitempty"` // other records are in the same member: Length is that of the unpacked record
	Type   string `json:"type,omitempty"`
}

// Part is something that a page or style sheet shows: a picture, a style sheet, a script, a frame.
type Part struct {
	URL  string `json:"u"`
	Must bool   `json:"m,omitempty"` // every browser asks for it; others are alternatives, or rules that may not apply
}

// IsRevisit tells whether the content of the capture is in another record.
func (c *Observation) IsRevisit() bool { return c.Step != "" }

// OK tells whether the server gave the page: status 2xx, or none where nobody says.
func (c *Observation) OK() bool { return c.Status == 0 || c.Status/100 == 2 }

// Plain tells whether the capture answers a GET, as far as is known: others are about the same address
// and another question.
func (c *Observation) Plain() bool { return c.Method == "" || c.Method == "GET" }

// IsProbe tells of what was asked for to see how a host answers: robots.txt, an address that cannot exist, a page twice at once.
func (c *Observation) IsProbe() bool { return strings.HasSuffix(c.Hops, "P") }

// IsFeed tells of a list of news or pages, which is for programs in the first place.
func (c *Observation) IsFeed() bool {
	return strings.HasSuffix(c.MIME, "rss+xml") || strings.HasSuffix(c.MIME, "atom+xml")
}

// IsData tells of an answer to a program: JSON, or XML that is neither a page, nor a drawing, nor a feed.
func (c *Observation) IsData() bool {
	isXML := strings.HasSuffix(c.MIME, "/xml") || strings.HasSuffix(c.MIME, "+xml")
	return strings.HasSuffix(c.MIME, "/json") || strings.HasSuffix(c.MIME, "+json") ||
		isXML && !c.IsFeed() && !strings.Contains(c.MIME, "html") && !strings.Contains(c.MIME, "svg")
}

// IsStyle tells of a style sheet.
func (c *Observation) IsStyle() bool { return c.MIME == "text/css" }

// Missing tells whether the server said that it has no page: status 4xx or 5xx.
func (c *Observation) Missing() bool { return c.Status >= 400 }

// History is a URL with its captures, oldest first.
type History struct {
	URL      string
	Key      string // index key
	Captures []Observation
}
