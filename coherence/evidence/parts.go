package evidence

import (
	"strings"

	"varve/web/links"
)

// Bounds of the parts that are kept of a capture. A line of the sort (cdxj.MaxLine) must hold them, and JSON may write six bytes for one.
const (
	maxParts     = 1000
	maxPartBytes = 128 << 10
)

// show returns what takes the links of a capture and keeps those that are shown with it, once each.
func (c *Observation) show() func(links.Link) {
	at, bytes := map[string]int{}, 0
	return func(l links.Link) {
		s := l.Shown()
		if s == links.NotShown || !isWeb(l.URL) {
			return
		}
		url, _, _ := strings.Cut(l.URL, "#")
		if i, there := at[url]; there {
			if i >= 0 && s == links.MustShow {
				c.Parts[i].Must = true
			}
			return
		}
		if len(c.Parts) == maxParts || bytes+len(url) > maxPartBytes {
			c.PartsCut++
			at[url] = -1
			return
		}
		url = strings.Clone(url)
		at[url], bytes = len(c.Parts), bytes+len(url)
		c.Parts = append(c.Parts, Part{URL: url, Must: s == links.MustShow})
	}
}
