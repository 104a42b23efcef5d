// Package posts reads short messages with links, as people write them on networks, and makes seeds of what they point to (seed paper 002,
// section 5.2, table 6: a crawl that begins where people point).
//
// A file of posts is one of these; its first sign tells which:
//
//	[ or {   JSON: objects one after the other, an array, or an object that has one in items, posts, statuses or data
//	<        a feed: RSS 0.9 to 2.0, Atom
//	else     text, a post a line
//
// A post points to the links in its text, and to those in fields that are there for links: links, urls, card, entities. Its own address, pictures
// and whom it names are not what it points to. An entry of a feed without a link in its text points to its page.
package posts

import (
	"bufio"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"varve/page"
	"varve/web/canon"
	"varve/web/links"
)

// Post is a short message.
type Post struct {
	Text  string
	At    time.Time // zero: not known
	Links []string  // that it points to, each once
}

// Limits of a file.
const (
	maxPost  = 1 << 20 // bytes of a line of text, and of the text of a post that is looked at
	maxPosts = 5_000_000
)

// Read passes the posts of a file one after the other. An error names the post, counted from 1.
func Read(r io.Reader, do func(Post) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	rd := &reader{do: do, page: page.NewReader()}
	if mark, err := in.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		_, _ = in.Discard(3) // it is there
	}
	first, err := firstByte(in)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	case first == '{', first == '[':
		err = rd.json(in, first == '[')
	case first == '<':
		err = rd.feed(in)
	default:
		err = rd.text(in)
	}
	if err != nil {
		return fmt.Errorf("post %d: %w", rd.n+1, err)
	}
	return nil
}

// firstByte returns the first byte that is no space, and leaves it there.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, in.UnreadByte()
		}
	}
}

type reader struct {
	do   func(Post) error
	page *page.Reader
	n    int // posts so far
}

func (rd *reader) pass(p Post, more ...string) error {
	p.Links = rd.linksOf(p.Text, more)
	if rd.n++; rd.n > maxPosts {
		return fmt.Errorf("a file has at most %d posts: cut it", maxPosts)
	}
	return rd.do(p)
}

// linksOf returns the links of a text, which may be HTML, and further ones.
func (rd *reader) linksOf(text string, more []string) (out []string) {
	add := func(raw string) {
		if u, err := canon.Parse(raw); err == nil && u.IsHTTP() && !slices.Contains(out, u.WithoutFragment().String()) {
			out = append(out, u.WithoutFragment().String())
		}
	}
	if text = text[:min(len(text), maxPost)]; text != "" {
		in := page.Input{URL: "http://posts.invalid/", MIME: "text/plain; charset=utf-8", Body: []byte(text)}
		if strings.Contains(text, "</") || strings.Contains(text, "<a ") {
			in.MIME = "text/html; charset=utf-8"
		}
		// A text that cannot be read to its end has the links before it.
		_, _ = rd.page.Read(in, page.Want{Links: func(l links.Link) {
			if l.Hop == links.HopLink && !strings.HasPrefix(l.URL, "http://posts.invalid/") && !mentions(l) {
				add(strings.Clone(l.URL))
			}
		}})
	}
	for _, m := range more {
		add(m)
	}
	return out
}

// mentions reports whether a link leads to a person or a tag and not to what a post points to, as networks write them.
func mentions(l links.Link) bool {
	return strings.HasPrefix(l.Anchor, "@") || strings.HasPrefix(l.Anchor, "#") || slices.Contains(strings.Fields(l.Rel), "tag")
}

func (rd *reader) text(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), maxPost)
	for lines.Scan() {
		if text := strings.ToValidUTF8(strings.TrimSpace(lines.Text()), "�"); text != "" {
			if err := rd.pass(Post{Text: text}); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func (rd *reader) json(in io.Reader, array bool) error {
	dec := json.NewDecoder(in)
	if array {
		if _, err := dec.Token(); err != nil {
			return err
		}
	}
	for dec.More() {
		var o map[string]any
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := rd.objects(o); err != nil {
			return err
		}
	}
	if !array {
		return nil
	}
	_, err := dec.Token()
	return err
}

// objects passes a post, or those that an object holds.
func (rd *reader) objects(o map[string]any) error {
	for _, name := range []string{"items", "posts", "statuses", "data"} {
		list, ok := o[name].([]any)
		if !ok {
			continue
		}
		for _, one := range list {
			if p, ok := one.(map[string]any); ok {
				if err := rd.object(p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return rd.object(o)
}

func (rd *reader) object(o map[string]any) error {
	p := Post{Text: textIn(o, "full_text", "text", "content", "content_text", "content_html", "body", "message")}
	p.At = timeIn(textIn(o, "created_at", "time", "date", "published", "date_published", "timestamp"))
	var more []string
	for _, name := range []string{"links", "urls", "link", "external_url", "card", "entities", "embed"} {
		more = appendLinks(more, o[name], 0)
	}
	return rd.pass(p, more...)
}

// textIn returns the first of the fields that has a text.
func textIn(o map[string]any, names ...string) string {
	for _, name := range names {
		if s, ok := o[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// appendLinks adds the addresses in a field that is there for links: a text, a list, or an object that has them in fields of usual names.
func appendLinks(out []string, v any, depth int) []string {
	if depth > 4 {
		return out
	}
	switch v := v.(type) {
	case string:
		return append(out, v)
	case []any:
		for _, one := range v {
			out = appendLinks(out, one, depth+1)
		}
	case map[string]any:
		for _, name := range []string{"expanded_url", "unwound_url", "uri", "href", "url"} { // the longest form alone
			if s, ok := v[name].(string); ok && s != "" {
				return append(out, s)
			}
		}
		for _, name := range []string{"urls", "links", "external"} {
			out = appendLinks(out, v[name], depth+1)
		}
	}
	return out
}

var layouts = []string{time.RFC3339Nano, time.RFC1123Z, time.RFC1123, time.RubyDate, "2006-01-02 15:04:05", "2006-01-02"}

// timeIn reads a time as networks and feeds write it.
func timeIn(s string) time.Time {
	for _, l := range layouts {
		if t, err := time.Parse(l, strings.TrimSpace(s)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// entry is an item of RSS or an entry of Atom.
type entry struct {
	Title       string `xml:"title"`
	Description string `xml:"description"`
	Summary     string `xml:"summary"`
	Encoded     string `xml:"encoded"`
	Content     struct {
		Text  string `xml:",chardata"`
		Inner string `xml:",innerxml"`
	} `xml:"content"`
	Links []struct {
		Href string `xml:"href,attr"`
		Rel  string `xml:"rel,attr"`
		Text string `xml:",chardata"`
	} `xml:"link"`
	Dates []string `xml:"pubDate"`
	Pub   string   `xml:"published"`
	Upd   string   `xml:"updated"`
	DC    string   `xml:"date"`
}

func (rd *reader) feed(in io.Reader) error {
	dec := xml.NewDecoder(in)
	dec.Strict = false
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // addresses are ASCII in all of them
	entries := 0
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			if entries == 0 {
				return errors.New("neither item nor entry: this is no feed")
			}
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "item" && start.Name.Local != "entry" {
			continue
		}
		var e entry
		if err := dec.DecodeElement(&e, &start); err != nil {
			return err
		}
		entries++
		if err := rd.pass(e.post(rd)); err != nil {
			return err
		}
	}
}

func (e *entry) post(rd *reader) Post {
	content := cmp.Or(strings.TrimSpace(e.Content.Text), e.Content.Inner)
	p := Post{Text: strings.TrimSpace(strings.Join([]string{e.Title, e.Description, e.Summary, content, e.Encoded}, "\n"))}
	p.At = timeIn(cmp.Or(append(e.Dates, e.Pub, e.DC, e.Upd)...))
	if len(rd.linksOf(p.Text, nil)) > 0 {
		return p
	}
	for _, l := range e.Links {
		if l.Rel == "" || l.Rel == "alternate" {
			p.Text += "\n" + cmp.Or(l.Href, strings.TrimSpace(l.Text))
			break
		}
	}
	return p
}

// Seed is an address that posts point to.
type Seed struct {
	URL   string
	Posts int // that point to it
}

// Seeds returns what the posts of a file point to: those that most posts do first, of equal ones what was named first. Addresses that fewer posts than
// least point to are left out.
func Seeds(r io.Reader, least int) (seeds []Seed, posts int, err error) {
	at := map[string]int{}
	err = Read(r, func(p Post) error {
		posts++
		for _, l := range p.Links {
			i, known := at[l]
			if !known {
				i = len(seeds)
				at[l] = i
				seeds = append(seeds, Seed{URL: l})
			}
			seeds[i].Posts++
		}
		return nil
	})
	seeds = slices.DeleteFunc(seeds, func(s Seed) bool { return s.Posts < least })
	slices.SortStableFunc(seeds, func(a, b Seed) int { return cmp.Compare(b.Posts, a.Posts) })
	return seeds, posts, err
}
