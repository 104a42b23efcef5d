// Package thread tells what people wrote on a page of a forum, blog or wiki: a thread as a thread, its posts over time, who wrote them, and what
// was edited or deleted between captures.
//
//	captures of the page with contents of their own, until the one that is shown     (holdings.Index: those that the visitor may see)
//	  -> the posts, comments and articles on each                                    (crawl/webapp, as `varve derive --units objects` cuts them out)
//	  -> what became of each: first seen, edited between, gone between               (webapp.Follow)
//
// They are read when somebody asks, so access rules hold for them as for the page, and what a curator adds to the files about applications is
// seen at once.
package thread

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/crawl/webapp"
	"varve/derive/annotate"
	"varve/page"
	"varve/serve/holdings"
	"varve/web/canon"
	"varve/web/markup"
)

// Thread is what a page of an application has.
type Thread struct {
	URL         string    `json:"url"`
	Application string    `json:"application"`
	Release     string    `json:"release,omitempty"` // of the application; "" if the page does not say
	Kind        string    `json:"kind"`              // forum, blog or wiki
	At          time.Time `json:"at"`                // of the capture that is shown
	Posts       []Post    `json:"posts"`             // on it, in the order of the page
	Gone        []Post    `json:"gone,omitempty"`    // seen on earlier captures, and not on that one
	More        int       `json:"more,omitempty"`    // posts that are not told
	Looks       int       `json:"looks"`             // captures that were compared
	Left        int       `json:"left,omitempty"`    // captures with another content that were not
}

// Software names the application, with its version if the page says it.
func (t *Thread) Software() string { return strings.TrimSpace(t.Application + " " + t.Release) }

// Post is a post, comment or article, as it was last seen.
type Post struct {
	Type   string     `json:"type"`
	ID     string     `json:"id,omitempty"`    // by the application's own account
	Reply  string     `json:"reply,omitempty"` // ID of what it answers
	Depth  int        `json:"depth,omitempty"` // how many answers it is away from the beginning, at most MaxDepth
	Title  string     `json:"title,omitempty"`
	Author string     `json:"author,omitempty"`
	When   string     `json:"when,omitempty"` // it was written, as the page says it
	Time   *time.Time `json:"time,omitempty"` // that, read
	Text   string     `json:"text"`
	Cut    bool       `json:"cut,omitempty"` // there is more of the text
	Link   string     `json:"link,omitempty"`
	Tags   []string   `json:"tags,omitempty"`
	First  time.Time  `json:"first"`           // capture that it was first and last seen on
	Last   time.Time  `json:"last"`            //
	Since  *time.Time `json:"since,omitempty"` // last capture without it before the first; none if it was there from the first capture on
	Gone   *time.Time `json:"gone,omitempty"`  // first capture without it after the last
	Edits  []Edit     `json:"edits,omitempty"`
}

// Edit is a change of text or title between two captures.
type Edit struct {
	After time.Time `json:"after"` // captures: it was so on the first, and otherwise on the second
	By    time.Time `json:"by"`
	Title string    `json:"title,omitempty"` // as they were before
	Text  string    `json:"text"`
}

// Bounds of one answer.
const (
	maxLooks = 10      // contents that are read
	maxPosts = 200     // that are told, of those that are there and of those that are gone
	maxText  = 4000    // bytes of a post
	maxPage  = 4 << 20 // bytes of a capture
	MaxDepth = 5       // of answers
)

// Library is where pages are read. Index and Contents tell what the visitor may see.
type Library struct {
	Index    holdings.Index
	Contents holdings.Contents
	Archive  string // its directory
}

// Read returns what people wrote on a page as of an instant (zero: now); nil if it is of no application that is known. Hide takes out of
// a text what is not the visitor's to see, before it is cut.
func (l *Library) Read(ctx context.Context, collection, address string, until time.Time, hide func(string) string) (*Thread, error) {
	col, err := catalog.Open(l.Archive).Collection(collection)
	if err != nil {
		return nil, err
	}
	k, err := annotate.ReadKnowledge(col.Dir())
	if err != nil {
		return nil, &BadKnowledge{err}
	}
	t := &Thread{URL: address, Posts: []Post{}}
	captures, err := t.captures(ctx, l.Index, holdings.Query{Collection: collection, URL: address, To: until})
	if err != nil || len(captures) == 0 {
		return nil, err
	}
	reader := page.NewReader()
	var looks []webapp.Look
	for i, c := range captures {
		shown := i == len(captures)-1
		at, err := canon.Parse(c.URL)
		if err != nil {
			return nil, nil
		}
		app := k.NewReader()
		got, err := l.Contents.Content(ctx, collection, c, maxPage)
		if err == nil {
			_, err = reader.Read(page.Input{URL: c.URL, MIME: got.MIME, Body: got.Body}, page.Want{Brief: true, With: []markup.Subscriber{app}})
		}
		if err != nil {
			if shown {
				return nil, ctx.Err() // the page itself says why it cannot be read
			}
			t.Left++
			continue
		}
		s := app.Sight(at, nil)
		if s == nil {
			if shown {
				return nil, nil
			}
			continue
		}
		list, left := s.Extract(at, app.Root())
		looks = append(looks, webapp.Look{At: c.Time, Objects: list})
		if shown {
			t.URL, t.Application, t.Release, t.Kind, t.At, t.More = c.URL, s.App.Name, s.Version, s.App.Kind, c.Time, left
		}
	}
	t.Looks = len(looks)
	t.add(looks, hide)
	return t, nil
}

// BadKnowledge is that the files about applications of a collection cannot be read.
type BadKnowledge struct{ Err error }

// Error implements error.
func (e *BadKnowledge) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong with the files.
func (e *BadKnowledge) Unwrap() error { return e.Err }

// captures lists the captures that are compared: the last ones with contents of their own, of which the very last is shown.
func (t *Thread) captures(ctx context.Context, index holdings.Index, q holdings.Query) (list []holdings.IndexedCapture, err error) {
	seen := map[string]bool{}
	for c, err := range index.Captures(ctx, q) {
		if err != nil {
			return nil, err
		}
		if c.Status != http.StatusOK || c.Revisit || seen[c.Digest] {
			continue
		}
		seen[c.Digest] = true
		if list = append(list, c); len(list) > maxLooks {
			list = slices.Delete(list, 0, 1)
			t.Left++
		}
	}
	return list, nil
}

// add puts the posts in order: as they stand on the capture that is shown, and apart those that are gone.
func (t *Thread) add(looks []webapp.Look, hide func(string) string) {
	depth := map[string]int{}
	for _, l := range webapp.Follow(looks) {
		list := &t.Posts
		if !l.Last.Equal(t.At) {
			list = &t.Gone
		}
		if len(*list) == maxPosts {
			t.More++
			continue
		}
		p := Post{
			Type: l.Type, ID: l.ID, Reply: l.Reply, Title: hide(l.Title), Author: l.Author, When: l.When, Time: known(l.Time), Text: clip(hide(l.Text)), Cut: len(l.Text) > maxText,
			Link: l.Link, Tags: l.Tags, First: l.First, Last: l.Last, Since: known(l.Since), Gone: known(l.Gone),
		}
		if l.Reply != "" {
			p.Depth = min(depth[l.Reply]+1, MaxDepth)
		}
		depth[l.ID] = p.Depth
		for _, e := range l.Edits {
			p.Edits = append(p.Edits, Edit{e.After, e.By, hide(e.Title), clip(hide(e.Text))})
		}
		*list = append(*list, p)
	}
}

func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// clip cuts a text to what is told of one post, at a character.
func clip(s string) string {
	n := maxText
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
