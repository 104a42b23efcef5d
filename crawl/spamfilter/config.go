package spamfilter

import "fmt"

// MaxSample is the most pages a host is sampled by.
const MaxSample = 200

// Config says how hosts are judged. Zero values mean the default named at the field.
type Config struct {
	Threshold float64 `json:"threshold"` // spamicity from which a host is rejected; 0.9
	First     int     `json:"first"`     // text pages before the first assessment; 4, or Sample if that is less
	Sample    int     `json:"sample"`    // text pages before the second, of hosts that the first leaves in doubt; 10
	Late      int64   `json:"late"`      // documents after which a host that was let in is looked at once more; 100
	Memory    int64   `json:"memory"`    // bytes of records that are held in memory, and as many for who supports whom; 16 MiB
}

// WithDefaults fills the fields that are not set.
func (c Config) WithDefaults() Config {
	if c.Threshold == 0 {
		c.Threshold = 0.9
	}
	if c.Sample == 0 {
		c.Sample = 10
	}
	if c.First == 0 {
		c.First = min(4, c.Sample)
	}
	if c.Late == 0 {
		c.Late = 100
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
	case c.First < 1 || c.First > c.Sample:
		return fmt.Errorf("first %d: from 1 page to the %d of the sample", c.First, c.Sample)
	case c.Late < 0:
		return fmt.Errorf("late %d: a number of documents", c.Late)
	case c.Memory < 1<<16:
		return fmt.Errorf("memory %d: at least 64 KiB", c.Memory)
	}
	return nil
}

// Room tells how many more pages of a host may be asked for before its verdict, with so many under way; the crawl
// waits at 0. Behind it there is no limit.
func (c Config) Room(r *Record, underWay int) int {
	if r.State > Sampled {
		return MaxSample
	}
	return max(0, c.limit(r)-r.Pages-underWay)
}
