package boilerplate

import "varve/web/markup"

// Limits bound what one page may cost. Zero fields mean the defaults.
type Limits struct {
	Bytes int // of the page; what is beyond is not read; default 2 MiB
}

const (
	maxDepth      = 512
	maxStructured = 16 // pieces of structured data that are looked at
)

// Method says how a main text was found.
type Method string

// The methods.
const (
	None       Method = ""           // there is none
	Plain      Method = "plain"      // the page has no layout: all of it is main text
	Claim      Method = "claim"      // an element says that it holds the article, and does
	Densest    Method = "densest"    // the innermost element with most of the running text
	Structured Method = "structured" // the page's structured data
)

// Result is the main text of a page, one block per line.
type Result struct {
	Text   string
	Method Method
}

// Find returns the main text of a page in UTF-8. A page may have none.
func Find(page []byte, l Limits) Result {
	r := NewReader(l)
	var w markup.Walker
	w.Walk(page, false, r)
	return r.Result()
}
