package scope

import (
	"fmt"
	"strings"

	"varve/web/canon"
)

// Candidate is a URL that asks to be in a crawl. Only URL and Hops are always known; every other zero
// value means "not known yet", and rules about it pass.
type Candidate struct {
	URL  canon.URL
	Via  canon.URL // the page it was found on; zero for a seed
	Hops Hops      // the way from the seed

	NoFollow bool   // the link or its page says nofollow
	Robots   Robots // what robots.txt says

	MIME     string // media type, parameters are ignored
	Size     Known[int64]
	Language string // of the page, BCP 47: "de", "pt-BR"

	Spam      Known[float64] // spamicity of the host, 0 to 1
	Relevance Known[float64] // priority score of the URL, 0 to 1

	Suspicions []Suspicion // from Traps
}

// Known is a value that may be missing.
type Known[T int64 | float64] struct {
	Value T
	Set   bool
}

// Is makes a known value.
func Is[T int64 | float64](v T) Known[T] { return Known[T]{v, true} }

// Robots is what robots.txt says about a candidate.
type Robots string

// The answers of robots.txt.
const (
	RobotsUnknown Robots = ""
	RobotsAllow   Robots = "allowed"
	RobotsForbid  Robots = "forbidden"
)

// Hops is the way from a seed to a URL, one letter per hop.
type Hops string

// The letters of Hops.
const (
	HopLink        = 'L' // a link a reader follows
	HopForm        = 'S' // a form was sent
	HopListed      = 'M' // listed in a sitemap or feed
	HopEmbed       = 'E' // part of the page
	HopRedirect    = 'R' // the server or page sent us there
	HopSpeculative = 'X' // a string in a script that looks like a URL
)

// hopNames are the names used in rules.
var hopNames = map[string]byte{
	"link": HopLink, "form": HopForm, "listed": HopListed,
	"embed": HopEmbed, "redirect": HopRedirect, "speculative": HopSpeculative,
}

// ParseHops checks that every letter is a hop.
func ParseHops(s string) (Hops, error) {
	if i := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("LSMERX", r) }); i >= 0 {
		return "", fmt.Errorf("hops %q: letter %d is not one of L S M E R X", s, i+1)
	}
	return Hops(s), nil
}

// Links counts the hops a reader makes: links, forms and listings.
func (h Hops) Links() int {
	n := 0
	for i := range len(h) {
		if isLink(h[i]) {
			n++
		}
	}
	return n
}

func isLink(c byte) bool { return c == HopLink || c == HopForm || c == HopListed }

// tail gives what follows the last hop of a reader: how the parts of a page were reached.
func (h Hops) tail() Hops {
	i := len(h)
	for i > 0 && !isLink(h[i-1]) {
		i--
	}
	return h[i:]
}

// maxRedirects is how many redirects in a row a rule on embeds or seeds accepts.
const maxRedirects = 5

// embedded tells that the URL is a part of a page: its tail has embeds or speculative hops, not more
// than the limits. Redirects on the way of a part do not count, but more than five do not happen
// to honest parts.
func (h Hops) embedded(most, speculative int) bool {
	parts, guesses, redirects := 0, 0, 0
	for _, c := range h.tail() {
		switch c {
		case HopEmbed:
			parts++
		case HopSpeculative:
			parts++
			guesses++
		case HopRedirect:
			redirects++
		}
	}
	return parts > 0 && parts <= most && guesses <= speculative && redirects <= maxRedirects
}

// guessed tells that the URL was met as a string that looks like one, or that such a string redirects to it.
func (h Hops) guessed() bool {
	return strings.HasSuffix(strings.TrimRight(string(h), string(HopRedirect)), string(HopSpeculative))
}

// redirectedSeed tells that only redirects lead from the seed to the URL.
func (h Hops) redirectedSeed() bool {
	return h != "" && len(h) <= maxRedirects && strings.Trim(string(h), "R") == ""
}
