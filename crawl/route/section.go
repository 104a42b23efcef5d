package route

import (
	"strings"

	"varve/web/canon"
)

// SectionOf names the section of a page: its template (canon.Template), and its strong signs.
func SectionOf(rawURL string, s Sign, levels int) (host, section string) {
	host, template := canon.Template(rawURL, levels)
	if st := s.strong(); st != 0 && host != "" {
		signs := " " + strings.Join(st.Names(), "+")
		return host + signs, template + signs
	}
	return host, template
}
