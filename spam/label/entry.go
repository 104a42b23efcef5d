package label

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"varve/web/canon"
)

// Verdict is what a host is held to be.
type Verdict string

// The verdicts.
const (
	Spam      Verdict = "spam"
	Normal    Verdict = "normal"
	Undecided Verdict = "undecided" // looked at, and not told; also takes an earlier label back
)

// Verdicts lists the verdicts.
func Verdicts() []Verdict { return []Verdict{Spam, Normal, Undecided} }

// Genres lists the kinds of sites; a host may be of several.
func Genres() []string {
	return []string{"news", "commercial", "educational", "discussion", "personal"}
}

// Level is a judgement from 1 (low) to 3 (high); 0 says nothing.
type Level int

// MaxLevel is the highest judgement.
const MaxLevel Level = 3

// Limits of one entry.
const (
	maxHost = 255 + len(":65535")
	maxText = 4000 // bytes of a note or a reason
	maxName = 200  // bytes of who and from
)

// Entry is one decision about one host.
type Entry struct {
	Host       string    `json:"host"` // host, or host:port where the port is not the usual one
	Label      Verdict   `json:"label"`
	Genre      []string  `json:"genre,omitempty"`
	Trust      Level     `json:"trust,omitempty"`
	Neutrality Level     `json:"neutrality,omitempty"`
	Bias       Level     `json:"bias,omitempty"`
	Note       string    `json:"note,omitempty"` // for colleagues
	Who        string    `json:"who"`
	When       time.Time `json:"when"`
	Why        string    `json:"why,omitempty"`  // what decided it
	From       string    `json:"from,omitempty"` // institution or file that it was imported from
}

// Host gives the name under which a host is labelled: lower case, IDNs as xn--, without the usual ports. It takes a
// host, host:port or a URL.
func Host(s string) (string, error) {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := canon.Parse(s)
	if err != nil {
		return "", fmt.Errorf("host: %w", err)
	}
	host := strings.TrimSuffix(u.HostPort(), ".")
	if _, port, err := net.SplitHostPort(host); err == nil && (port == "80" || port == "443") {
		host = u.Host()
	}
	if host == "" || len(host) > maxHost {
		return "", fmt.Errorf("host: %q is none", s)
	}
	return host, nil
}

// check makes an entry fit to be kept, or tells what is wrong with it.
func (e *Entry) check() error {
	host, err := Host(e.Host)
	if err != nil {
		return err
	}
	e.Host, e.When = host, e.When.UTC().Truncate(time.Millisecond)
	if !slices.Contains(Verdicts(), e.Label) {
		return fmt.Errorf("label %q: spam, normal or undecided", e.Label)
	}
	for _, g := range e.Genre {
		if !slices.Contains(Genres(), g) {
			return fmt.Errorf("genre %q: one of %s", g, strings.Join(Genres(), ", "))
		}
	}
	for _, l := range []Level{e.Trust, e.Neutrality, e.Bias} {
		if l < 0 || l > MaxLevel {
			return fmt.Errorf("level %d: from 1 to %d", l, MaxLevel)
		}
	}
	switch {
	case e.Who == "":
		return fmt.Errorf("nobody is named who labelled %s", e.Host)
	case e.When.IsZero():
		return fmt.Errorf("no time is given when %s was labelled", e.Host)
	case len(e.Note) > maxText || len(e.Why) > maxText || len(e.Who) > maxName || len(e.From) > maxName:
		return fmt.Errorf("a text of %s is too long: at most %d bytes, names %d", e.Host, maxText, maxName)
	case !utf8.ValidString(e.Note + e.Why + e.Who + e.From):
		return fmt.Errorf("a text of %s is no UTF-8", e.Host)
	}
	return nil
}

// same tells whether two entries are one decision, whichever way they came.
func (e Entry) same(o Entry) bool {
	return e.Host == o.Host && e.Label == o.Label && e.Who == o.Who && e.When.Equal(o.When)
}
