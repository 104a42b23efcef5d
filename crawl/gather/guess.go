package gather

import (
	"strings"

	"varve/crawl/collect"
)

// Strings in scripts that look like URLs are tried last, as guesses: most of them are none, and cost the
// server a 404 each. Where scripts are run there is nothing to guess, since what they ask for is seen. So a
// host loses its guesses when a page of it is executed, or is being looked at for that: its script files are
// fetched meanwhile, and their strings would be tried at once. What was executed is not kept with the crawl: a
// run that is resumed may try some guesses more.

// maxRan bounds the hosts that are remembered; those beyond are guessed at.
const maxRan = 100_000

// running notes that a page of a host is about to be executed, perhaps. It gives what is to be called when that is over.
func (c *Stage) running(choice collect.Choice, host string) (over func(ran bool)) {
	if c.opts.Runs == "" || !c.runs(choice.Collector) && len(choice.Look) == 0 {
		return func(bool) {}
	}
	c.count(host, 1)
	return func(ran bool) {
		if !ran {
			c.count(host, -1)
		}
	}
}

// runs tells whether scripts are run by one of the collectors of a choice.
func (c *Stage) runs(collectors string) bool {
	return strings.Contains("+"+collectors+"+", "+"+c.opts.Runs+"+")
}

// count adds to the pages of a host that were executed, or will be.
func (c *Stage) count(host string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.ran[host]; !known && len(c.ran) >= maxRan {
		return
	}
	if c.ran[host] += n; c.ran[host] <= 0 {
		delete(c.ran, host)
	}
}

// hasRun reports whether scripts of a host's pages were run, or will be.
func (c *Stage) hasRun(host string) bool {
	if c.opts.Runs == "" {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran[host] > 0
}
