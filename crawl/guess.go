package crawl

import "strings"

// Strings in scripts that look like URLs are tried last, as guesses: most of them are none, and cost the
// server a 404 each. Where scripts are run there is nothing to guess, since what they ask for is seen. So a
// host loses its guesses when a page of it has been executed; as guesses come after all else, that is known in
// time. What was executed is not kept with the crawl: a run that is resumed may try some guesses more.

// maxRan bounds the hosts that are remembered; those beyond are guessed at.
const maxRan = 100_000

// noteRun notes that a collector was done with a page of a host.
func (c *collecting) noteRun(collector, host string) {
	if c.opts.Runs == "" || !strings.Contains("+"+collector+"+", "+"+c.opts.Runs+"+") {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ran == nil {
		c.ran = map[string]struct{}{}
	}
	if len(c.ran) < maxRan {
		c.ran[host] = struct{}{}
	}
}

// hasRun tells whether scripts of a host's pages were run. A run without collectors has run none.
func (c *collecting) hasRun(host string) bool {
	if c == nil || c.opts.Runs == "" {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.ran[host]
	return ok
}
