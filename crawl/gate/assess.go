package gate

import (
	"time"

	"varve/crawl/spamfilter"
	"varve/web/wire"
)

// SampledPage is a page of a host that is being sampled, as an assessor sees it. Nothing of it may be kept.
type SampledPage struct {
	URL     string
	Header  wire.Header
	Body    []byte // after content decoding
	Fetched time.Time
}

// Assessor tells how likely a host is spam, from a sample of its pages. The crawl keeps the sample for it, in its frontier, so
// that it is there after a kill; what it is made of is the assessor's business. Its methods are called by several
// goroutines at a time and depend on nothing but their arguments.
type Assessor interface {
	// Look condenses a page to what the sample needs.
	Look(p *SampledPage) []byte
	// Merge adds looks to a sample; nil is the empty one. The sample stays as it is.
	Merge(sample []byte, looks [][]byte) ([]byte, error)
	// Assess judges a host by its sample.
	Assess(host string, sample []byte) (Assessment, error)
}

// Assessment is what an assessor says of a host.
type Assessment struct {
	Spamicity float64 // probability that it is spam
	Reasons   string  // what decided, for people; short
}

// Rulings are what people decided about hosts: labels, black and white lists. They may change while a crawl runs.
type Rulings interface {
	// Of tells what was decided about a host, and who said so. It is asked for every URL: it must be quick.
	Of(host string) (r spamfilter.Ruling, why string)
	// Changed tells whether there are new rulings since it was asked last.
	Changed() bool
}

// Options are what spam is filtered with.
type Options struct {
	Assessor  Assessor // nil: only rulings count
	Rulings   Rulings  // nil: there are none
	Threshold float64  // that the assessor was made with: counts where the definition sets none; 0: not known
}

// noRulings are those of a crawl about whose hosts nobody decided anything.
type noRulings struct{}

func (noRulings) Of(string) (r spamfilter.Ruling, why string) { return r, "" }
func (noRulings) Changed() bool                               { return false }
