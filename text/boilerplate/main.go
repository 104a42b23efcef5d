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
	Bytes int  // of the page; what is beyond is not read; default 2 MiB
	Nodes int  // of its tree; pages with more give ErrTooLarge; default 30,000
	Slow  bool // leave out the fast path, to measure it
}

func (l Limits) filled() Limits {
	if l.Bytes == 0 {
		l.Bytes = 2 << 20
	}
	if l.Nodes == 0 {
		l.Nodes = 30_000
	}
	return l
}

// ErrTooLarge is the cause when a page has more nodes than the limit.
var ErrTooLarge = errors.New("page has too many elements")

// Method says how a main text was found.
type Method string

// The methods, the cheaper ones first.
const (
	None      Method = ""          // there is none
	Plain     Method = "plain"     // the page has no layout: all of it is main text
	Article   Method = "article"   // one element says that it holds the article, and does
	Extractor Method = "extractor" // go-trafilatura
)

// Result is the main text of a page, one block per line.
type Result struct {
	Text   string
	Method Method
}

// Find finds the main text of a page in UTF-8. A page may have none, which is no error.
func Find(page []byte, l Limits) (Result, error) {
	l = l.filled()
	page = page[:min(len(page), l.Bytes)]
	if !l.Slow {
		if text, how := fast(page); how != None && text != "" {
			return Result{text, how}, nil
		}
	}
	text, err := extract(page, l)
	if err != nil || text == "" {
		return Result{}, err
	}
	return Result{text, Extractor}, nil
}

// Text is Find for those who need the text only.
func Text(page []byte, l Limits) (string, error) {
	r, err := Find(page, l)
	return r.Text, err
}

// extract asks the library. Its panics are errors here: pages are not trusted to spare them.
func extract(page []byte, l Limits) (text string, err error) {
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
	// Comments are not the author's. The date is found by text/dating, and searching for it here would cost most of the time.
	result, err := trafilatura.ExtractDocument(root, trafilatura.Options{ExcludeComments: true, HtmlDateMode: trafilatura.Disabled})
	if err != nil || result == nil {
		return "", nil // it found nothing: its errors say no more than that
	}
	return result.ContentText, nil
}
