package evidence

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"varve/web/canon"
)

// kind says what a line is about.
type kind string

const (
	kindCapture  kind = "c"
	kindRequest  kind = "q"
	kindMetadata kind = "m"
	kindInfo     kind = "i" // a warcinfo: which crawl the records behind it are of
)

// note is what a record says: one line of the sorters.
type note struct {
	Kind    kind        `json:"k"`
	With    []string    `json:"with,omitempty"` // WARC-Concurrent-To
	Refers  *refers     `json:"refers,omitempty"`
	Capture Observation `json:"c"`
}

// refers is what a revisit record says about its original.
type refers struct {
	ID   string    `json:"id,omitempty"`
	URI  string    `json:"uri,omitempty"`
	Date time.Time `json:"date,omitzero"`
}

// key gives the start of a line, by which lines are sorted: index key, URL, time. Byte order is then
// the order of pages and of their captures.
func (n *note) key() string {
	return Order(n.Capture.URL) + " " + timeWord(n.Capture.Time)
}

// Order gives what pages are sorted by: byte order of these is the order of Pages.
func Order(url string) string { return canon.SURT(url) + " " + oneWord(url) }

// timeWord writes an instant so that byte order is order in time.
func timeWord(t time.Time) string {
	if t.IsZero() {
		return "00000000000000000000"
	}
	return fmt.Sprintf("%020d", uint64(t.UnixNano())+1<<63)
}

// oneWord escapes what would end a word or a line.
func oneWord(s string) string {
	if strings.IndexFunc(s, isBreak) < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isBreak(r rune) bool { return r <= ' ' || r == 0x7f }

// line gives a note as a line of a sorter.
func (n *note) line(key string) ([]byte, error) {
	b, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("write line of %s: %w", n.Capture.URL, err)
	}
	out := make([]byte, 0, len(key)+1+len(b))
	return append(append(append(out, key...), ' '), b...), nil
}

// splitLine cuts a line into n words and the rest.
func splitLine(line []byte, n int) ([]string, []byte, error) {
	words := make([]string, 0, n)
	rest := string(line)
	for range n {
		word, after, ok := strings.Cut(rest, " ")
		if !ok {
			return nil, nil, fmt.Errorf("line of %d words, want %d and a value", len(words)+1, n)
		}
		words, rest = append(words, word), after
	}
	return words, []byte(rest), nil
}
