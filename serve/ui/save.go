package ui

import (
	"bytes"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/serve/message"
)

// plainText is a version of a page as a text that can be kept by itself: what it is, where and when it was captured, how to cite it, and its text.
func (d *documentData) plainText(l *message.Language) string {
	var b strings.Builder
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, oneLine(value))
		}
	}
	if d.Title != "" {
		fmt.Fprintf(&b, "%s\n\n", oneLine(d.Title))
	}
	line(l.Text("Address"), d.URL)
	line(l.Text("First captured"), d.From.UTC().Format(time.RFC3339))
	line(l.Text("Last captured"), d.Last.UTC().Format(time.RFC3339))
	line(l.Text("Published"), d.Published)
	line(l.Text("Collection"), d.Home.Title)
	line(l.Text("Crawl"), d.Crawl)
	line(l.Text("Digest"), d.Digest)
	if d.Cite != nil {
		line(l.Text("Cite as"), d.Cite.APA())
		line("PWID", d.Cite.PWID())
		line("Memento", d.Cite.Memento)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(d.Text))
	return b.String()
}

// oneLine is text without line ends and control characters.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)), " ")
}

// saved returns the version as a file, if one is asked for: txt is plain text, eml a mail that is not sent yet.
func (u *UI) saved(r *http.Request, d *documentData, format string) (*view, error) {
	l := message.From(r.Context())
	text, err := u.shownText(r, d.plainText(l))
	if err != nil {
		return nil, err
	}
	name := d.Home.Name + "-" + d.Host + "-" + cdxj.Timestamp(d.From)
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if format == "txt" {
		return &view{file: &file{name + ".txt", "text/plain; charset=utf-8", []byte(text)}}, nil
	}
	subject, err := u.shownText(r, mailSubject(l, d))
	if err != nil {
		return nil, err
	}
	body, err := mail(subject, text, u.cfg.Now())
	return &view{file: &file{name + ".eml", "message/rfc822", body}}, err
}

func mailSubject(l *message.Language, d *documentData) string {
	title := d.Title
	if title == "" {
		title = d.URL
	}
	return oneLine(l.Text("Archived page: {0}, as of {1}", short(title, 120), l.Day(d.From)))
}

// mail makes a mail of a text (RFC 5322). It has no recipient and is marked as not sent: mail programs open it as a draft.
func mail(subject, text string, now time.Time) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Date: %s\r\nSubject: %s\r\nX-Unsent: 1\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
		now.UTC().Format(time.RFC1123Z), mime.QEncoding.Encode("utf-8", oneLine(subject)))
	w := quotedprintable.NewWriter(&b)
	if _, err := w.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n"))); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

// mailTo is an address by which a mail program begins a mail with the citation; the whole text does not fit into one.
func mailTo(l *message.Language, d *documentData) string {
	if d.Cite == nil {
		return ""
	}
	q := url.Values{"subject": {mailSubject(l, d)}, "body": {d.Cite.APA() + "\n\n" + d.Cite.Memento + "\n"}}
	return "mailto:?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}
