package canon

import (
	"net/url"
	"strings"
)

// TemplateLevels is how many levels of a path tell templates apart, where nothing else is said.
const TemplateLevels = 3

// Template names what pages of one template have in common in their addresses: the host, and the shape of the path. The words of a path
// stay up to the last segment, numbers and mixtures become marks: "/news/2026/11/some-title.html?p=2" has the shape "news/#/#/*.html?".
// Segments below that many levels are not told apart. Both are empty for what is no address.
func Template(rawURL string, levels int) (host, template string) {
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
		b.WriteString(segmentShape(seg, i == len(segments)-1 && i > 0))
	}
	if u.RawQuery != "" {
		b.WriteByte('?')
	}
	return u.Host, b.String()
}

// segmentShape is what a segment has in common with those of its kind.
func segmentShape(seg string, last bool) string {
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
