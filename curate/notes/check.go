package notes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"varve"
)

// Limits of a line.
const (
	MaxText = 8000
	maxLink = 2000
	maxURL  = 8000
	maxBy   = 200
)

var (
	noteID  = regexp.MustCompile(`^[0-9a-f]{16}$`)
	crawlID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$`)
)

const example = `{"kind":"question","url":"https://ministry.example/law","text":"Was the annex ever online?"}`

func refuse(format string, args ...any) error {
	return &varve.Error{Kind: varve.Invalid, Op: "write a note", Msg: fmt.Sprintf(format, args...), Hint: example}
}

// tidy cuts white space around what people type.
func (l *Line) tidy() {
	l.Text, l.Link, l.URL, l.Crawl = strings.TrimSpace(strings.ReplaceAll(l.Text, "\r\n", "\n")), strings.TrimSpace(l.Link), strings.TrimSpace(l.URL), strings.TrimSpace(l.Crawl)
	l.By = strings.TrimSpace(l.By)
}

// check tells what is wrong with a line.
func (l *Line) check() error {
	switch {
	case l.By == "" || len(l.By) > maxBy || !plain(l.By, ""):
		return refuse("it must say who writes it, in at most %d bytes", maxBy)
	case len(l.Text) > MaxText:
		return refuse("the text has %d bytes; %d are the most", len(l.Text), MaxText)
	case !plain(l.Text, "\n\t"):
		return refuse("the text has characters that cannot be shown, or is no UTF-8")
	case l.Text == "" && (l.Do == Say || l.Do == Answer):
		return refuse("there is no text")
	case l.Link != "" && !linkable(l.Link):
		return refuse("the link %.80q is neither a web address, nor the id of a note, nor crawl:ID", l.Link)
	}
	if l.Do != Say {
		return l.checkAct()
	}
	if !slices.Contains(Kinds(), l.Kind) {
		return refuse("%.40q is no kind: note, decision, question or rights", l.Kind)
	}
	return l.Subject.Check()
}

// checkAct tells what is wrong with a line about a note.
func (l *Line) checkAct() error {
	switch {
	case !slices.Contains([]Act{Answer, Close, Reopen, Publish, Withdraw}, l.Do):
		return refuse("%.40q can not be done: answer, close, reopen, publish or withdraw", l.Do)
	case !noteID.MatchString(l.Re):
		return refuse("%.40q is no id of a note", l.Re)
	case l.Kind != "" || l.Subject != (Subject{}) || l.Public:
		return refuse("kind, subject and public belong to the note itself")
	}
	return nil
}

// Check tells what is wrong with a subject.
func (s Subject) Check() error {
	switch {
	case s.Crawl != "" && s.URL != "":
		return refuse("a note is about a crawl or about a page, not both")
	case s.Crawl != "" && !crawlID.MatchString(s.Crawl):
		return refuse("%.80q is no id of a crawl", s.Crawl)
	case s.URL != "" && (len(s.URL) > maxURL || !webAddress(s.URL)):
		return refuse("%.80q is no web address", s.URL)
	case s.URL == "" && !s.Time.IsZero():
		return refuse("the time of a capture needs its address")
	}
	return nil
}

// plain tells whether a text can be shown: letters, and those control characters that are named.
func plain(s, but string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(but, r) })
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && plain(s, "")
}

func linkable(s string) bool {
	crawl, isCrawl := strings.CutPrefix(s, "crawl:")
	return len(s) <= maxLink && (noteID.MatchString(s) || isCrawl && crawlID.MatchString(crawl) || webAddress(s))
}

// identify gives a line its id.
func (l *Line) identify() {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		l.At.UTC().Format(time.RFC3339Nano), l.By, string(l.Do), l.Re, string(l.Kind), l.Crawl, l.URL, l.Time.UTC().Format(time.RFC3339Nano), l.Text, l.Link,
	}, "\x00")))
	l.ID = hex.EncodeToString(sum[:8])
}
