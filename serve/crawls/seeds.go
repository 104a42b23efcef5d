package crawls

import (
	"fmt"
	"net/netip"
	"strings"

	"varve"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/web/canon"
)

// Limits of what a definition may hold.
const (
	MaxSeeds    = 10_000
	maxSeedText = 500_000 // bytes: a form may have a megabyte
	maxTopics   = 200
	maxText     = 4000 // characters of other fields
	maxNote     = 1000
)

// SeedCheck is what is said of one line of a pasted list of seeds.
type SeedCheck struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	URL     string `json:"url,omitempty"`    // as it will be asked for
	Why     string `json:"why,omitempty"`    // it cannot be a seed
	Notice  string `json:"notice,omitempty"` // it can, though it may not be meant so
	machine bool   // it lies on this machine
}

// CheckSeeds looks at a pasted list: one a line, blank lines and those with # are passed over.
func CheckSeeds(text string) []SeedCheck {
	var out []SeedCheck
	first := map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		if line = crawl.SeedLine(line); line == "" {
			continue
		}
		c := checkSeed(line)
		c.Line = i + 1
		if c.Why == "" {
			if before, twice := first[c.URL]; twice {
				c.Notice = fmt.Sprintf("the same as line %d", before)
			} else {
				first[c.URL] = c.Line
			}
		}
		if out = append(out, c); len(out) > MaxSeeds {
			break
		}
	}
	return out
}

func checkSeed(text string) SeedCheck {
	c := SeedCheck{Text: text}
	if len(text) > maxText {
		c.Text, c.Why = text[:100], fmt.Sprintf("longer than %d characters", maxText)
		return c
	}
	u, err := crawl.ParseSeed(text)
	if err != nil {
		c.Why = reason(err)
		return c
	}
	c.URL = u.String()
	c.place(u)
	return c
}

// place tells where a seed lies, as far as its name says.
func (c *SeedCheck) place(u canon.URL) {
	host := strings.Trim(u.Host(), "[]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		c.machine, c.Notice = true, "it is this machine"
		return
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		if !strings.Contains(host, ".") {
			c.Why = fmt.Sprintf("%q is no name of the web: it has no dot", host)
		}
		return
	}
	switch r := fetch.Classify(addr); r {
	case fetch.Public:
	case fetch.Loopback:
		c.machine, c.Notice = true, "it is this machine"
	default:
		c.Why = fmt.Sprintf("%s is a %s address; to crawl it, allow-private in collection.toml is needed", addr, r)
	}
}

// reason is an error without the name of what was tried, which the reader has in sight.
func reason(err error) string {
	if known, ok := err.(*varve.Error); ok {
		switch {
		case known.Msg != "" && known.Err != nil:
			return known.Msg + ": " + known.Err.Error()
		case known.Msg != "":
			return known.Msg
		case known.Err != nil:
			return known.Err.Error()
		}
	}
	return err.Error()
}

// seedsOf gives the seeds of a checked list, each once.
func seedsOf(list []SeedCheck) (out []string) {
	seen := map[string]bool{}
	for _, c := range list {
		if c.Why == "" && !seen[c.URL] {
			seen[c.URL] = true
			out = append(out, c.Text)
		}
	}
	return out
}

// onMachine tells whether all seeds lie on this machine, by their names.
func onMachine(seeds []string) bool {
	for _, s := range seeds {
		if !checkSeed(s).machine {
			return false
		}
	}
	return len(seeds) > 0
}
