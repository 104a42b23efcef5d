package spamfilter

import (
	"fmt"
	"slices"
)

// MaxSample is the most pages a host is sampled by.
const MaxSample = 200

// Config says how hosts are judged. Zero values mean the default named at the field.
type Config struct {
	Threshold float64 `json:"threshold"` // spamicity from which a host is rejected; 0.9
	Sample    int     `json:"sample"`    // text pages before the first verdict; 20
	Memory    int64   `json:"memory"`    // bytes of records that are held in memory, and as many for who supports whom; 16 MiB
}

// WithDefaults fills the fields that are not set.
func (c Config) WithDefaults() Config {
	if c.Threshold == 0 {
		c.Threshold = 0.9
	}
	if c.Sample == 0 {
		c.Sample = 20
	}
	if c.Memory == 0 {
		c.Memory = 16 << 20
	}
	return c
}

// Validate tells what is wrong with a configuration that has its defaults.
func (c Config) Validate() error {
	switch {
	case !(c.Threshold > 0 && c.Threshold <= 1):
		return fmt.Errorf("threshold %g: above 0, at most 1", c.Threshold)
	case c.Sample < 1 || c.Sample > MaxSample:
		return fmt.Errorf("sample %d: from 1 to %d pages", c.Sample, MaxSample)
	case c.Memory < 1<<16:
		return fmt.Errorf("memory %d: at least 64 KiB", c.Memory)
	}
	return nil
}

// again are the later checkpoints.
var again = []int{50, 100, MaxSample}

// Checkpoints are the numbers of pages at which a host is assessed.
func (c Config) Checkpoints() []int {
	out := []int{c.Sample}
	for _, n := range again {
		if n > c.Sample {
			out = append(out, n)
		}
	}
	return out
}

// Next is the first checkpoint after so many pages; ok is false behind the last.
func (c Config) Next(pages int) (n int, ok bool) {
	all := c.Checkpoints()
	i := slices.IndexFunc(all, func(n int) bool { return n > pages })
	if i < 0 {
		return 0, false
	}
	return all[i], true
}

// Room tells how many more pages of a host may be asked for before its first verdict, with so many under way; the crawl
// waits at 0. Behind it there is no limit.
func (c Config) Room(r *Record, underWay int) int {
	if r.State > Sampled {
		return MaxSample
	}
	return max(0, c.limit(r)-r.Pages-underWay)
}
