package crawl

import (
	"cmp"
	"fmt"
	"strings"

	"varve"
	"varve/crawl/spamfilter"
)

// LearntModel names, instead of a file, the model that the collection learnt last from what its curators said.
const LearntModel = "learnt"

// SpamRules are the part of a definition about spam.
type SpamRules struct {
	SpamModel     string   `json:"spamModel,omitempty" toml:"spam-model"`         // file of the model; empty: no filter
	SpamThreshold float64  `json:"spamThreshold,omitempty" toml:"spam-threshold"` // spamicity from which hosts are rejected; 0: that of the model, or 0.9
	SpamSample    int      `json:"spamSample,omitempty" toml:"spam-sample"`       // text pages before the verdict on a host in doubt; 10
	SpamMemory    int      `json:"spamMemory,omitempty" toml:"spam-memory"`       // days for which verdicts of earlier crawls are taken over; 90; under 0: none are remembered
	SpamBlacklist []string `json:"spamBlacklist,omitempty" toml:"spam-blacklist"` // files of hosts that are not fetched
	SpamWhitelist []string `json:"spamWhitelist,omitempty" toml:"spam-whitelist"` // files of hosts that are never rejected
}

// Config returns the rules for those who judge; model is the threshold that the assessor was made with, 0 if that is not known.
func (s SpamRules) Config(model float64) spamfilter.Config {
	return spamfilter.Config{Threshold: cmp.Or(s.SpamThreshold, model), Sample: s.SpamSample}.WithDefaults()
}

func (s SpamRules) check() error {
	if err := s.Config(0).Validate(); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "spam filter", Err: err}
	}
	return nil
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

// String gives the progress as words for people.
func (p *SpamProgress) String() string {
	var parts []string
	for _, s := range spamfilter.States() {
		if n := p.Hosts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(s.String(), "-", " ")))
		}
	}
	return "hosts: " + strings.Join(parts, ", ")
}
