package links_test

import (
	"fmt"

	"varve/web/links"
)

func ExampleExtract() {
	doc := links.Document{
		URL:     "https://news.example/today/",
		Headers: []links.Header{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
		Body: []byte(`<title>Today</title><link rel=stylesheet href=/s.css>
<p>The full <a href="report.html" rel=nofollow>report of the year</a> is out.
<script>fetch("/api/" + "latest.json"); var help = "/help.html"</script>`),
	}
	info, err := links.Extract(doc, func(l links.Link) {
		fmt.Printf("%-11s %-15s %s", l.Hop, l.Kind, l.URL)
		if l.Anchor != "" {
			fmt.Printf(" %q in %q %s", l.Anchor, l.Around, l.Rel)
		}
		fmt.Println()
	})
	fmt.Println(info.Title, info.TextLen, err)
	// Output:
	// embed       link-stylesheet https://news.example/s.css
	// link        a-href          https://news.example/today/report.html "report of the year" in "The full report of the year is out." nofollow
	// embed       js-fetch        https://news.example/api/latest.json
	// speculative js-literal      https://news.example/help.html
	// Today 35 <nil>
}
