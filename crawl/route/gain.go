package route

import (
	"math"
	"time"
)

// The gain of executing pages, as functions from what was seen to what is expected.
//
// An execution brings something (b = 1) or nothing (b = 0), and when it does, y new URLs. With weights
// that forget the past by a factor f at each execution,
//
//	N = sum of f^k        executions              S = sum of f^k y  over those that brought something
//	A = sum of f^k b      that brought something  C = sum of f^k c  CPU seconds
//
// the chance that the next one brings something has, for a host and for a section of it, the mean
//
//	p_host    = (H p0 + A_host) / (H + N_host)          p0 from the signs of the page
//	p_section = (K p_host + A_section) / (K + N_section)
//
// that is, a Beta distribution each, whose prior weighs H or K executions. The expected gain per execution, on the
// hopeful side of what is not known, in units of the mean cost of an execution in this crawl:
//
//	g = (p + Z sd) s / c    s = (S0 + S) / (1 + A)    c = mean cost of the section / of the crawl, at least 1
//
// Worked example (TestExample): a page with an empty root (p0 = 0.9) is executed; three executions of
// its section bring nothing; then p = 0.15, sd = 0.16, s = 2, c = 1, g = 0.37: under 0.5, so the parser
// is enough from the fourth page on.

// Params are the constants of the estimate.
type Params struct {
	Prior         float64 `toml:"prior"`          // K: executions that the chance of the host counts for; 2
	PriorHost     float64 `toml:"prior-host"`     // H: executions that the chance of the signs counts for; 1.5
	Hope          float64 `toml:"hope"`           // Z: standard deviations added to the chance; 0.25
	Size          float64 `toml:"size"`           // S0: URLs that an execution is thought to bring when it brings some; 2
	Forget        float64 `toml:"forget"`         // f of a section; 0.7
	ForgetHost    float64 `toml:"forget-host"`    // f of a host; 0.97
	MinGain       float64 `toml:"min-gain"`       // g from which execution pays; 0.5
	ProbeAfter    int     `toml:"probe-after"`    // pages of a section without execution before a probe; 16
	ProbeMost     int     `toml:"probe-most"`     // it doubles with each probe that brings nothing, up to this; 512
	ProbeChance   float64 `toml:"probe-chance"`   // p0 under which nothing is probed; 0.05
	LargestGain   int     `toml:"largest-gain"`   // more new URLs of one page count as this; 50
	MeanCost      float64 `toml:"mean-cost"`      // CPU seconds of an execution before one was measured; 1
	MostSections  int     `toml:"most-sections"`  // sections that are remembered; 10,000
	SectionLevels int     `toml:"section-levels"` // segments of a path that tell sections apart; 3
}

// WithDefaults fills the fields that are not set.
func (p Params) WithDefaults() Params {
	def := func(f *float64, v float64) {
		if *f == 0 {
			*f = v
		}
	}
	whole := func(f *int, v int) {
		if *f == 0 {
			*f = v
		}
	}
	def(&p.Prior, 2)
	def(&p.PriorHost, 1.5)
	def(&p.Hope, 0.25)
	def(&p.Size, 2)
	def(&p.Forget, 0.7)
	def(&p.ForgetHost, 0.97)
	def(&p.MinGain, 0.5)
	def(&p.ProbeChance, 0.05)
	def(&p.MeanCost, 1)
	whole(&p.ProbeAfter, 16)
	whole(&p.ProbeMost, 512)
	whole(&p.LargestGain, 50)
	whole(&p.MostSections, 10_000)
	whole(&p.SectionLevels, 3)
	return p
}

// Record is what was seen of the executions of a host or section.
type Record struct {
	Runs     int     `json:"runs"`            // executions, all of them
	Brought  int     `json:"brought"`         // of Runs: brought something
	Weight   float64 `json:"weight"`          // N
	Good     float64 `json:"good"`            // A
	Sum      float64 `json:"sum"`             // S
	Cost     float64 `json:"cost"`            // C
	Pages    int     `json:"pages"`           // pages that asked
	Idle     int     `json:"idle"`            // pages since the last execution
	Step     int     `json:"step,omitempty"`  // pages until the next probe; 0: the first
	Total    int     `json:"total,omitempty"` // new URLs, all of them
	UnderWay int     `json:"-"`               // executions begun
}

// Learned is the record after one more execution that brought gain new URLs for so much CPU.
func (r Record) Learned(gain int, cost time.Duration, forget float64, p Params) Record {
	r.Runs++
	r.Total += gain
	r.Weight = r.Weight*forget + 1
	r.Good *= forget
	r.Sum *= forget
	r.Cost = r.Cost*forget + cost.Seconds()
	if gain > 0 {
		r.Brought++
		r.Good++
		r.Sum += float64(min(gain, p.LargestGain))
		r.Step = 0
	}
	return r
}

// Estimate is what is expected of the next execution.
type Estimate struct {
	Chance float64 // p
	SD     float64 // of the chance
	Size   float64 // s
	Cost   float64 // c, relative
	Gain   float64 // g
}

// Expect estimates the gain of executing a page with prior chance p0, given what was seen of its host,
// its section, and all executions of the crawl.
func Expect(p0 float64, host, section, all Record, p Params) Estimate {
	ph := (p.PriorHost*p0 + host.Good) / (p.PriorHost + host.Weight)
	a := p.Prior*ph + section.Good
	n := p.Prior + section.Weight
	e := Estimate{Chance: a / n}
	e.SD = math.Sqrt(e.Chance * (1 - e.Chance) / (n + 1))
	e.Size = (p.Size + section.Sum) / (1 + section.Good)
	e.Cost = relativeCost(section, all, p)
	e.Gain = min(1, e.Chance+p.Hope*e.SD) * e.Size / e.Cost
	return e
}

// relativeCost is the mean cost of a section's executions over that of all, with one average execution
// added so that a single slow page does not condemn its section; at least 1, since that pages are cheap is no
// excuse for executing them in vain.
func relativeCost(section, all Record, p Params) float64 {
	mean := p.MeanCost
	if all.Weight > 0 && all.Cost > 0 {
		mean = all.Cost / all.Weight
	}
	if mean <= 0 {
		return 1
	}
	return max(1, (mean+section.Cost)/(1+section.Weight)/mean)
}

// Pays tells whether the expected gain is worth the cost.
func (e Estimate) Pays(p Params) bool { return e.Gain >= p.MinGain }

// ProbeDue tells whether a section that does not pay is executed all the same, to see whether it still
// does not.
func (r Record) ProbeDue(p0 float64, p Params) bool {
	return p0 >= p.ProbeChance && r.UnderWay == 0 && r.Idle >= r.step(p)
}

func (r Record) step(p Params) int {
	if r.Step > 0 {
		return r.Step
	}
	return p.ProbeAfter
}

// Probed is the record after a probe was begun: the next one comes later, unless this one brings something.
func (r Record) Probed(p Params) Record {
	r.Step = min(2*r.step(p), p.ProbeMost)
	return r
}
