package crawl

import "fmt"

// jarNote comes before the site in the names under which the frontier keeps cookies. They are kept there so that a crawl
// that is resumed is still logged in, and go with the frontier when the crawl is complete.
const jarNote = "cookies "

// loadCookies fills the jar with what an earlier part of the crawl was given.
func (r *Run) loadCookies() error {
	if r.jar == nil {
		return nil
	}
	return r.frontier.EachNote(jarNote, func(name string, note []byte) error {
		if err := r.jar.Restore(note); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// noteCookies adds the cookies that changed to the notes of a commit.
func (r *Run) noteCookies(notes map[string][]byte) map[string][]byte {
	if r.jar == nil {
		return notes
	}
	for site, lines := range r.jar.Changes() {
		if notes == nil {
			notes = map[string][]byte{}
		}
		notes[jarNote+site] = lines
	}
	return notes
}
