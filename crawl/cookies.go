package crawl

import (
	"fmt"

	"varve/crawl/fetch"
)

// cookies is the stage that keeps the cookies of a run with its frontier, so that a crawl that is resumed is still logged in. They
// go with the frontier when the crawl is complete.
type cookies struct{ jar *fetch.Jar }

// jarNote comes before the site in the names under which cookies are kept.
const jarNote = "cookies "

// Open fills the jar with what an earlier part of the crawl was given.
func (c *cookies) Open(r *Run) error {
	return r.frontier.EachNote(jarNote, func(name string, note []byte) error {
		if err := c.jar.Restore(note); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// Admit lets all in.
func (c *cookies) Admit(*Admission) {}

// Examine looks at nothing.
func (c *cookies) Examine(*Visit, *Answer) {}

// Settle notes the cookies that changed.
func (c *cookies) Settle(_ []*Visit, notes *Notes) error {
	for site, lines := range c.jar.Changes() {
		notes.Put(jarNote+site, lines)
	}
	return nil
}
