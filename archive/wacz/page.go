package wacz

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// PageEntry is one line of a page list.
type PageEntry struct {
	ID    string `json:"id,omitempty"`
	URL   string `json:"url"`
	TS    string `json:"ts"` // RFC 3339
	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`
	Size  int64  `json:"size,omitempty"` // of the page with all it needs
	Seed  bool   `json:"seed,omitempty"`
}

// pageList is the first line of a page list.
type pageList struct {
	Format  string `json:"format"`
	ID      string `json:"id"`
	Title   string `json:"title"`
	HasText bool   `json:"hasText,omitempty"`
}

const pagesFormat = "json-pages-1.0"

// pageID names a page by what it is, so that the same input gives the same package.
func pageID(url, ts string) string {
	sum := sha256.Sum256([]byte(ts + " " + url))
	return hex.EncodeToString(sum[:10])
}

// ParsePage reads a line of a page list and says what is wrong with it.
func ParsePage(line []byte) (PageEntry, error) {
	var p PageEntry
	if err := json.Unmarshal(line, &p); err != nil {
		return p, fmt.Errorf("no JSON object of a page: %w", err)
	}
	if p.URL == "" {
		return p, errors.New("page without url")
	}
	if _, err := parseTime(p.TS); err != nil {
		return p, fmt.Errorf("page %q: %w", clip(p.URL), err)
	}
	return p, nil
}

// parseTime reads RFC 3339, which is what the format asks for.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fmt.Errorf("%q is no RFC 3339 time", clip(s))
	}
	return t, nil
}

// PageError says which line of a page list is wrong. Reading goes on behind it.
type PageError struct {
	Line int64
	Err  error
}

// Error gives the line and the cause.
func (e *PageError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives the cause.
func (e *PageError) Unwrap() error { return e.Err }

// ReadPages gives the pages of a list. A bad line gives a *PageError and the sequence goes on; any
// other error ends it. The first line may be the header; a header that is missing or of another
// format is a *PageError of line 1.
func ReadPages(r io.Reader, maxLine int) iter.Seq2[PageEntry, error] {
	return func(yield func(PageEntry, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		for n := int64(1); ; n++ {
			line, err := readLine(in, maxLine)
			if errors.Is(err, io.EOF) && len(line) == 0 {
				return
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(PageEntry{}, &PageError{n, err})
				return
			}
			if len(line) == 0 {
				continue
			}
			p, keep, err := pageOrHeader(line, n)
			if (keep || err != nil) && !yield(p, err) {
				return
			}
		}
	}
}

func pageOrHeader(line []byte, n int64) (p PageEntry, keep bool, err error) {
	if n == 1 {
		var h pageList
		if json.Unmarshal(line, &h) == nil && h.Format != "" {
			if h.Format != pagesFormat {
				return p, false, &PageError{n, fmt.Errorf("page list of format %q, want %q", clip(h.Format), pagesFormat)}
			}
			return p, false, nil
		}
	}
	p, err = ParsePage(line)
	if err != nil {
		return p, false, &PageError{n, err}
	}
	return p, true, nil
}

// readLine gives a line without its end.
func readLine(in *bufio.Reader, maxLine int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("line longer than %d bytes", maxLine)
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		return line, err
	}
}
