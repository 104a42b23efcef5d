package maintext

import (
	"varve/text/boilerplate"
	"varve/text/charset"
	"varve/web/links"
)

// Run measures the whole visible text, our extractor, the library alone and with its fallbacks, go-readability, and on the pages of the fast path ours and the
// library.
func Run(pages []Page) []Score {
	for i := range pages {
		pages[i].Body, _ = charset.ToUTF8(pages[i].Body, "")
	}
	ours := extractor("ours", boilerplate.Limits{})
	library := extractor("library alone", boilerplate.Limits{Slow: true})
	scores := []Score{
		Measure(pages, Extractor{Name: "visible text", Find: visible}),
		Measure(pages, ours),
		Measure(pages, library),
		Measure(pages, Extractor{Name: "library, fallbacks", Find: withFallbacks}),
		Measure(pages, Extractor{Name: "go-readability", Find: withReadability}),
	}
	var easy []Page
	for _, p := range pages {
		if r, err := boilerplate.Find(p.Body, boilerplate.Limits{Nodes: 1}); err == nil && r.Method != boilerplate.Extractor {
			easy = append(easy, p)
		}
	}
	ours.Name, library.Name = "fast path pages: ours", "fast path pages: lib."
	return append(scores, Measure(easy, ours), Measure(easy, library))
}

func extractor(name string, l boilerplate.Limits) Extractor {
	return Extractor{name, func(page []byte) (string, string) {
		r, err := boilerplate.Find(page, l)
		if err != nil {
			return "", "failed"
		}
		return r.Text, string(r.Method)
	}}
}

func visible(page []byte) (string, string) {
	info, err := links.Extract(links.Document{URL: "http://page.example/", MIME: "text/html", Charset: "utf-8", Body: page}, func(links.Link) {})
	if err != nil {
		return "", "failed"
	}
	return info.Text, "visible"
}
