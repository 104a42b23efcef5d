package canon_test

import (
	"fmt"

	"varve/web/canon"
)

func ExampleURL_Resolve() {
	page, err := canon.Parse("https://www.example.com/news/2026/index.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	link, err := page.Resolve("../Zürich?sid=9682993c8daa2c5497996114facdc805#top")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(link)
	fmt.Println(link.FrontierKey())
	fmt.Println(canon.SURT(link.String()))
	fmt.Println(link.PayLevelDomain())
	// Output:
	// https://www.example.com/news/Z%C3%BCrich?sid=9682993c8daa2c5497996114facdc805#top
	// https://www.example.com/news/Z%C3%BCrich
	// com,example)/news/z%c3%bcrich
	// example.com
}

func ExampleRange() {
	for _, url := range []string{"http://example.com/a", "example.com/a/*", "*.example.com"} {
		from, to, err := canon.Range("", url)
		fmt.Println(from, to, err)
	}
	// Output:
	// com,example)/a com,example)/a! <nil>
	// com,example)/a/ com,example)/a0 <nil>
	// com,example)/ com,example- <nil>
}

func ExampleRequestKey() {
	key, body := canon.RequestKey("POST", "http://example.com/more", "application/json", []byte(`{"page": 2, "all": true}`))
	fmt.Println(key)
	fmt.Println(body)
	// Output:
	// com,example)/more?__wb_method=post&all=true&page=2
	// page=2&all=True
}
