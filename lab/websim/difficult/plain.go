package difficult

import (
	"fmt"
	"strings"
)

// Plain is the usual number of plain siblings of a site.
const Plain = 48

// Spec describes the hosts to websim: the plain siblings, in trees of three shapes, and the entries to the
// difficult part as pages that the home page links to.
func Spec(sites []*Site) string {
	var b strings.Builder
	for _, s := range sites {
		shape := []string{
			"paths = \"tree\"\nfanout = 4",
			"paths = \"flat\"\nfanout = 12",
			"paths = \"tree\"\nfanout = 7",
		}[s.order%3]
		fmt.Fprintf(&b, "[[site]]\nhost = %q\npages = %d\n%s\nlinks = 4\nassets = %d\nmix = { css = 1, js = 1, png = 3, jpeg = 3 }\n", s.Host, 1+s.plain, shape, s.plain/3)
		fmt.Fprintf(&b, "size.html = { mean = 6000, sigma = 0.3 }\nsize.png = { mean = 3000 }\nsize.jpeg = { mean = 4000 }\n")
		for _, p := range s.Entries {
			fmt.Fprintf(&b, "[[site.page]]\npath = %q\n", p)
		}
		for _, host := range s.Others {
			fmt.Fprintf(&b, "[[site]]\nhost = %q\npages = 1\n", host)
		}
	}
	return b.String()
}
