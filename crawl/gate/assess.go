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

// Explainer is an assessor that tells its reasons apart, where they cost more than the verdict: it is asked about hosts that are rejected.
type Explainer interface {
	// Explain says what speaks for spam in the sample of a host, for people; short.
	Explain(sample []byte) (string, error)
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

// Verdict is what a crawl found a host to be.
type Verdict struct {
	Host      string
	Spam      bool    // it was rejected
	Spamicity float64 // lowered by support
	Content   float64 // what the assessor said
	Pages     int     // that were looked at
	Why       string  // reasons of the assessor
	At        time.Time
}

// Verdicts remember what crawls found. They are asked with the gate's lock held: they must be quick.
type Verdicts interface {
	// Of returns the last verdict on a host; firm says that this crawl would have come to it, too, by the same assessor and not long ago.
	Of(host string, at time.Time) (v Verdict, firm, known bool)
	// Keep remembers verdicts for the crawls that start later.
	Keep(list []Verdict) error
}

// Options are what spam is filtered with.
type Options struct {
	Assessor  Assessor // nil: only rulings count
	Rulings   Rulings  // nil: there are none
	Verdicts  Verdicts // nil: none are remembered; they need an assessor
	Model     string   // by which the assessor judges, for the report; "": the definition names it
	Threshold float64  // that the assessor was made with: counts where the definition sets none; 0: not known
}

// noRulings are those of a crawl about whose hosts nobody decided anything.
type noRulings struct{}

func (noRulings) Of(string) (r spamfilter.Ruling, why string) { return r, "" }
func (noRulings) Changed() bool                               { return false }

// noVerdicts are those of a crawl that remembers nothing.
type noVerdicts struct{}

func (noVerdicts) Of(string, time.Time) (v Verdict, firm, known bool) { return v, false, false }
func (noVerdicts) Keep([]Verdict) error                               { return nil }
