package maintext

import (
	"bytes"
	"net/url"

	"github.com/go-shiori/go-readability"
	"github.com/markusmobius/go-trafilatura"
)

// address stands for that of a page: benchmarks do not all tell it.
var address = &url.URL{Scheme: "http", Host: "page.example", Path: "/"}

// withReadability asks go-readability alone.
func withReadability(page []byte) (text, method string) {
	defer caught(&text, &method)
	a, err := readability.FromReader(bytes.NewReader(page), address)
	if err != nil {
		return "", "failed"
	}
	return a.TextContent, "readability"
}

// withFallbacks asks go-trafilatura with its fallbacks, readability and dom-distiller.
func withFallbacks(page []byte) (text, method string) {
	defer caught(&text, &method)
	r, err := trafilatura.Extract(bytes.NewReader(page), trafilatura.Options{OriginalURL: address, EnableFallback: true, ExcludeComments: true})
	if err != nil || r == nil {
		return "", "failed"
	}
	return r.ContentText, "library"
}

// caught makes a panic of a library a page without a result.
func caught(text, method *string) {
	if recover() != nil {
		*text, *method = "", "failed"
	}
}
