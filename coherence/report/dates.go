package report

import (
	"cmp"
	"slices"

	"varve/text/dating"
	"varve/text/layer"
)

// DatingReport tells where dates come from and how far they are trusted.
type DatingReport struct {
	Pages   int64                   `json:"pages"`
	Trusted int64                   `json:"trusted"` // of Pages: a date of the server or the page is believed
	Exact   int64                   `json:"exact"`   // of Pages: also about the bytes
	Sources map[dating.Source]int64 `json:"sources"` // of Pages, by the source of the best date
	Hosts   []HostTrust             `json:"hosts"`   // those with most stamps, at most 50
}

// HostTrust is how far a source of a host is trusted.
type HostTrust struct {
	Host   string        `json:"host"`
	Source dating.Source `json:"source"`
	Score  float64       `json:"score"`
	Stamps int           `json:"stamps"`
	Why    []string      `json:"why"`
}

// maxTrusts bounds the hosts in a report.
const maxTrusts = 50

// datingTally adds up a DatingReport.
type datingTally struct{ out DatingReport }

func (t *datingTally) add(p *Judged) {
	if t.out.Sources == nil {
		t.out.Sources = map[dating.Source]int64{}
	}
	t.out.Pages++
	source := p.Dating.Source
	if source == "" {
		source = dating.Visited
	}
	t.out.Sources[source]++
	if !p.Dating.Trusted(layer.Main).IsZero() {
		t.out.Trusted++
	}
	if !p.Dating.Exact.IsZero() {
		t.out.Exact++
	}
}

func (t *datingTally) report(d *Dates) DatingReport {
	out := t.out
	if out.Sources == nil {
		out.Sources = map[dating.Source]int64{}
	}
	out.Hosts = []HostTrust{}
	if d == nil {
		return out
	}
	for host, sources := range d.text {
		for s, trust := range sources {
			out.Hosts = append(out.Hosts, HostTrust{Host: host, Source: s, Score: trust.Score(), Stamps: trust.Stamps, Why: trust.Explain()})
		}
	}
	slices.SortFunc(out.Hosts, func(a, b HostTrust) int {
		return cmp.Or(cmp.Compare(b.Stamps, a.Stamps), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Source, b.Source))
	})
	out.Hosts = out.Hosts[:min(len(out.Hosts), maxTrusts)]
	return out
}
