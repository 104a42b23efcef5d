package review

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Line is a line of crawl.log (docs/formats/crawl-files.md).
type Line struct {
	Time   time.Time `json:"time"`
	Status int       `json:"status"` // of HTTP, or a negative one
	Size   int64     `json:"size"`
	URL    string    `json:"url"`
	Hops   string    `json:"hops,omitempty"` // how it was found: L link, E embed, R redirect, X guessed, P prerequisite
	Via    string    `json:"via,omitempty"`  // the page that led to it
	MIME   string    `json:"mime,omitempty"`
	Digest string    `json:"digest,omitempty"`
	Note   string    `json:"note,omitempty"` // class of a failure, reason of a refusal, duplicate, revisit
}

// ParseLine reads a line of crawl.log. The type is what a server sent and may hold spaces, so it is found by
// what stands around it.
func ParseLine(text string) (Line, error) {
	text = strings.TrimRight(text, "\r\n")
	var words [6]string
	rest := text
	for i := range words {
		words[i], rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	}
	at, err := time.Parse("2006-01-02T15:04:05.000Z", words[0])
	if err != nil {
		return Line{}, fmt.Errorf("time %.40q: %w", words[0], err)
	}
	status, err := strconv.Atoi(words[1])
	if err != nil {
		return Line{}, fmt.Errorf("status %.40q is no number", words[1])
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return Line{}, fmt.Errorf("size %.40q is no number", words[2])
	}
	mime, rest, ok := strings.Cut(rest, " #000 ")
	if !ok || words[3] == "" {
		return Line{}, fmt.Errorf("it ends after %d bytes", len(text))
	}
	l := Line{Time: at, Status: status, Size: size, URL: words[3], Hops: word(words[4]), Via: word(words[5]), MIME: word(mime)}
	tail := strings.SplitN(rest, " ", 4) // start+milliseconds, digest, source, annotations
	if len(tail) < 4 {
		return Line{}, fmt.Errorf("it ends after %d bytes", len(text))
	}
	l.Digest, l.Note = word(tail[1]), word(tail[3])
	if reason, err := strconv.Unquote(l.Note); err == nil {
		l.Note = reason
	}
	return l, nil
}

func word(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

// hop is how the URL was found, redirects on the way left out; 0 for a seed.
func (l Line) hop() byte {
	hops := strings.TrimRight(l.Hops, "R")
	if hops == "" {
		return 0
	}
	return hops[len(hops)-1]
}
