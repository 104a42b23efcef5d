package memento

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Citation is what a reference list says of a capture.
type Citation struct {
	Title   string // of the page; empty: its address stands for it
	URL     string // as it was on the web
	Time    time.Time
	Archive string // its public name
	Memento string // where the capture is
}

// PWID names the capture without saying where it lies.
func (c Citation) PWID() string {
	return PWID{Archive: c.Archive, Time: c.Time, Coverage: CoversPage, URL: c.URL}.String()
}

func (c Citation) title() string {
	if t := strings.Join(strings.Fields(c.Title), " "); t != "" {
		return t
	}
	return c.URL
}

// APA writes the reference in the style of the American Psychological Association (7th edition): a page without a known
// author or day, with the day on which it was captured.
func (c Citation) APA() string {
	host := c.URL
	if u, err := url.Parse(c.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	title := strings.TrimRight(c.title(), ".")
	return fmt.Sprintf("%s. (n.d.). %s. Captured %s, by %s. %s", title, host, c.Time.UTC().Format("January 2, 2006, 15:04:05 UTC"), c.Archive, c.Memento)
}

// texNames are characters that mean something to TeX.
var texNames = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// BibTeX writes an entry for a bibliography. Its key is the host and the time.
func (c Citation) BibTeX() string {
	key := "capture"
	if u, err := url.Parse(c.URL); err == nil && u.Hostname() != "" {
		key = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, strings.ToLower(u.Hostname()))
	}
	at := c.Time.UTC()
	return fmt.Sprintf("@misc{%s%s,\n  title = {%s},\n  year = {%s},\n  howpublished = {\\url{%s}},\n  note = {Capture of \\url{%s} of %s UTC in %s},\n  pwid = {%s}\n}",
		key, at.Format("20060102150405"), texNames.Replace(c.title()), at.Format("2006"), braces(c.Memento), braces(c.URL), at.Format("2006-01-02 15:04:05"), texNames.Replace(c.Archive), braces(c.PWID()))
}

// braces keeps an address from ending the field that it stands in.
func braces(s string) string {
	return strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C").Replace(s)
}
