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

// withTrafilatura asks go-trafilatura, alone or with its fallbacks, readability and dom-distiller. Dates are not looked for: they would cost most of the time.
func withTrafilatura(fallbacks bool) func([]byte) (string, string) {
	return func(page []byte) (text, method string) {
		defer caught(&text, &method)
		r, err := trafilatura.Extract(bytes.NewReader(page), trafilatura.Options{
			OriginalURL: address, EnableFallback: fallbacks, ExcludeComments: true, HtmlDateMode: trafilatura.Disabled,
		})
		if err != nil || r == nil {
			return "", "failed"
		}
		return r.ContentText, "library"
	}
}

// caught makes a panic of a library a page without a result.
func caught(text, method *string) {
	if recover() != nil {
		*text, *method = "", "failed"
	}
}
