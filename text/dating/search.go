package dating

import (
	"bytes"
	"fmt"
	"time"

	"github.com/markusmobius/go-dateparser"
	"github.com/markusmobius/go-htmldate"
	"golang.org/x/net/html"
)

// SearchLimits bound what a search may cost.
type SearchLimits struct {
	Bytes int // of the page; default 1 MiB
	Nodes int // of its tree; default 20,000
}

// SearchPage adds the date that go-htmldate finds anywhere in a page or its address, for pages that state none. It
// builds a tree and costs some hundred times what Read does. at is the time of the visit: no later date is taken.
func (s *Stamps) SearchPage(page []byte, url string, at time.Time, l SearchLimits) (err error) {
	if l.Bytes == 0 {
		l.Bytes = 1 << 20
	}
	if l.Nodes == 0 {
		l.Nodes = 20_000
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("search for a date: the library failed: %v", p)
		}
	}()
	root, err := html.Parse(bytes.NewReader(page[:min(len(page), l.Bytes)]))
	if err != nil {
		return fmt.Errorf("search for a date: %w", err)
	}
	n := 0
	for range root.Descendants() {
		if n++; n > l.Nodes {
			return fmt.Errorf("search for a date: page has more than %d elements", l.Nodes)
		}
	}
	r, err := htmldate.FromDocument(root, htmldate.Options{
		URL: url, MinDate: first, MaxDate: at, DeferUrlExtractor: true,
		DateParserConfig: &dateparser.Configuration{CurrentTime: at},
	})
	if err != nil {
		return fmt.Errorf("search for a date: %w", err)
	}
	if !r.IsZero() {
		s.List = append(s.List, foundSpan(Search, r.SrcString, day(r.DateTime)))
	}
	return nil
}
