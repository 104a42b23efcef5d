package boilerplate

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// Limits bound what one page may cost. Zero fields mean the defaults.
type Limits struct {
	Bytes int // of the page; what is beyond is not read
	Nodes int // of its tree; pages with more give ErrTooLarge
}

// ErrTooLarge is the cause when a page has more nodes than the limit.
var ErrTooLarge = errors.New("page has too many elements")

// Text finds the main text of a page in UTF-8.
func Text(page []byte, l Limits) (text string, err error) {
	if l.Bytes == 0 {
		l.Bytes = 4 << 20
	}
	if l.Nodes == 0 {
		l.Nodes = 60_000
	}
	page = page[:min(len(page), l.Bytes)]
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("main text: the extractor failed: %v", p)
		}
	}()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return "", fmt.Errorf("main text: %w", err)
	}
	n := 0
	for range root.Descendants() {
		if n++; n > l.Nodes {
			return "", fmt.Errorf("main text: %w (more than %d)", ErrTooLarge, l.Nodes)
		}
	}
	result, err := trafilatura.ExtractDocument(root, trafilatura.Options{
		EnableFallback: false, ExcludeComments: true, HtmlDateMode: trafilatura.Disabled,
	})
	if err != nil || result == nil {
		return "", nil
	}
	return result.ContentText, nil
}
