package maintext

import (
	"varve/text/boilerplate"
	"varve/text/charset"
	"varve/web/links"
)

// own is the name of our extractor.
const own = "ours"

// Run measures the whole visible text, our extractor, go-trafilatura alone and with its fallbacks, and go-readability.
func Run(pages []Page) Scores {
	for i := range pages {
		pages[i].Body, _ = charset.ToUTF8(pages[i].Body, "")
	}
	var scores Scores
	for _, x := range []Extractor{
		{"visible text", visible},
		{own, ours},
		{"go-trafilatura", withTrafilatura(false)},
		{"same, fallbacks", withTrafilatura(true)},
		{"go-readability", withReadability},
	} {
		scores = append(scores, Measure(pages, x))
	}
	return scores
}

func ours(page []byte) (text, method string) {
	r := boilerplate.Find(page, boilerplate.Limits{})
	return r.Text, string(r.Method)
}

func visible(page []byte) (string, string) {
	info, err := links.Extract(links.Document{URL: "http://page.example/", MIME: "text/html", Charset: "utf-8", Body: page}, func(links.Link) {})
	if err != nil {
		return "", "failed"
	}
	return info.Text, "visible"
}
