package route

import (
	"net/url"
	"strings"
)

// SectionOf names the section of a page: its host, the shape of its path, and its strong signs. Pages of one
// template have URLs of one shape: the words of a path stay up to the last segment, numbers and mixtures
// become marks. "/news/2026/11/some-title.html?p=2" has the shape "news/#/#/*.html?".
func SectionOf(rawURL string, s Sign, levels int) (host, section string) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "", ""
	}
	var b strings.Builder
	b.WriteString(u.Host)
	segments := strings.Split(strings.Trim(u.Path, "/"), "/")
	for i, seg := range segments {
		if i >= levels+1 {
			b.WriteString("/**")
			break
		}
		b.WriteByte('/')
		b.WriteString(shape(seg, i == len(segments)-1 && i > 0))
	}
	if u.RawQuery != "" {
		b.WriteByte('?')
	}
	signs := ""
	if st := s.strong(); st != 0 {
		signs = " " + strings.Join(st.Names(), "+")
	}
	return u.Host + signs, b.String() + signs
}

// shape is what a segment has in common with those of its kind.
func shape(seg string, last bool) string {
	name, ext := seg, ""
	if i := strings.LastIndexByte(seg, '.'); i > 0 && len(seg)-i <= 6 {
		name, ext = seg[:i], seg[i:]
	}
	digits := 0
	for i := range len(name) {
		if name[i] >= '0' && name[i] <= '9' {
			digits++
		}
	}
	switch {
	case name == "":
		return ext
	case digits == len(name):
		return "#" + ext
	case last || digits > 0 || len(name) > 24:
		return "*" + ext
	}
	return strings.ToLower(name) + ext
}
