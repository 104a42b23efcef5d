package crawl

import (
	"cmp"
	"time"

	"varve/crawl/spamfilter"
	"varve/web/wire"
)

// SamplePage is a page of a host that is being sampled, as an assessor sees it. Nothing of it may be kept.
type SamplePage struct {
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
	Look(p *SamplePage) []byte
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

// Spam is what a crawl filters spam with; the zero value does not.
type Spam struct {
	Assessor  Assessor // nil: only rulings count
	Rulings   Rulings  // nil: there are none
	Threshold float64  // that the assessor was made with: counts where the definition sets none; 0: not known
}

// SpamRules are the part of a definition about spam.
type SpamRules struct {
	SpamModel     string   `json:"spamModel,omitempty" toml:"spam-model"`         // file of the model; empty: no filter
	SpamThreshold float64  `json:"spamThreshold,omitempty" toml:"spam-threshold"` // spamicity from which hosts are rejected; 0: that of the model, or 0.9
	SpamSample    int      `json:"spamSample,omitempty" toml:"spam-sample"`       // text pages before the first verdict; 20
	SpamBlacklist []string `json:"spamBlacklist,omitempty" toml:"spam-blacklist"` // files of hosts that are not fetched
	SpamWhitelist []string `json:"spamWhitelist,omitempty" toml:"spam-whitelist"` // files of hosts that are never rejected
}

// config gives the rules to those who judge.
func (s SpamRules) config(model float64) spamfilter.Config {
	return spamfilter.Config{Threshold: cmp.Or(s.SpamThreshold, model), Sample: s.SpamSample}.WithDefaults()
}

// SpamProgress tells where the hosts of a crawl stand that filters spam.
type SpamProgress struct {
	Hosts    map[spamfilter.State]int64 `json:"hosts"`
	SetAside int64                      `json:"setAside"` // URLs queued on hosts that are not asked: rejected ones, and those with a used up budget
}

// SpamReport tells what a filter did.
type SpamReport struct {
	Threshold   float64                    `json:"threshold"`
	Sample      int                        `json:"sample"`
	Model       string                     `json:"model,omitempty"`
	Hosts       map[spamfilter.State]int64 `json:"hosts"`       // per state
	Documents   int64                      `json:"documents"`   // fetched of rejected hosts: their samples, which stay in the archive
	Bytes       int64                      `json:"bytes"`       // of these
	Spared      int64                      `json:"spared"`      // URLs found and not fetched, because their host was rejected
	SparedBytes int64                      `json:"sparedBytes"` // what they would have taken, by the mean of their host
	Rejected    []RejectedHost             `json:"rejected"`    // the largest
}

// RejectedHost is a host that was taken for spam.
type RejectedHost struct {
	Host      string   `json:"host"`
	Spamicity *float64 `json:"spamicity,omitempty"` // missing: people said so
	Why       string   `json:"why"`
	Pages     int      `json:"pages"` // in the sample
	Documents int64    `json:"documents"`
	Bytes     int64    `json:"bytes"`
	Spared    int64    `json:"spared"`
}
