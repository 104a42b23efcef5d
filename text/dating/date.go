package dating

import (
	"time"

	"varve/text/layer"
)

// Source says where a date comes from.
type Source string

// The sources, in the order in which they are asked.
const (
	LastModified Source = "last-modified" // the HTTP header
	Meta         Source = "meta"          // a meta element: article:modified_time and its kin
	JSONLD       Source = "json-ld"       // dateModified in structured data
	Microdata    Source = "microdata"     // itemprop=dateModified
	Sitemap      Source = "sitemap"       // lastmod of the URL
	Footer       Source = "footer"        // "Last modified: ..." in the text
	Newest       Source = "newest-item"   // the newest time element of a page with several
	TimeElement  Source = "time"          // the only time element
	Digest       Source = "digest"        // comparison with the previous capture
	Published    Source = "published"     // the date of first publication, from metadata
	Visited      Source = "visit"         // nothing is known
)

// Date is when a version came to be.
type Date struct {
	Time       time.Time `json:"time,omitzero"`     // the best estimate; zero if there is none
	Earliest   time.Time `json:"earliest,omitzero"` // not before this; zero: unknown
	Latest     time.Time `json:"latest"`            // not after this
	Source     Source    `json:"source"`
	Confidence float64   `json:"confidence"` // that the change lies between Earliest and Latest, 0 to 1
}

// Finding is one stamp and what became of it.
type Finding struct {
	Date
	Said    string `json:"said"`              // as written, cut to 64 bytes
	Refused string `json:"refused,omitempty"` // why it was not believed
}

// TrustedFrom is the score from which stamps are believed.
const TrustedFrom = 0.7

// confidence of sources whose host is not known yet; with revisits the trust takes over.
var confidence = map[Source]float64{
	LastModified: 0.8, Meta: 0.8, JSONLD: 0.8, Microdata: 0.8, Sitemap: 0.75, Footer: 0.75, Newest: 0.7, TimeElement: 0.6, Published: 0.5,
}

// modifies lists the sources that state the last change, in order.
var modifies = []Source{LastModified, Meta, JSONLD, Microdata, Sitemap, Footer, Newest, TimeElement}

// Layer is what a source dates: a server its bytes, a page its main text. What comparison says is about the layer that
// was compared.
func (s Source) Layer() layer.Name {
	switch s {
	case LastModified:
		return layer.Bytes
	case Digest, Visited:
		return ""
	}
	return layer.Main
}
