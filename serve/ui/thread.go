package ui

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/crawl/webapp"
	"varve/derive/annotate"
	body "varve/page"
	"varve/serve/holdings"
	"varve/serve/search"
	"varve/web/canon"
	"varve/web/markup"
)

// A page of a forum, blog or wiki is shown as what people wrote: a thread as a thread, and what was edited or deleted between captures. The
// objects are read when the page is asked for, from captures that the visitor may see, and cut out as `varve derive --units objects` does.

// thread is what a page of an application has.
type thread struct {
	Application string
	Release     string
	Kind        string
	At          time.Time // of the capture that is shown
	Posts       []threadPost
	Gone        []threadPost // seen on earlier captures, and not on the one that is shown
	More        int          // posts that are not shown
	Looks       int          // captures that were compared
	Left        int          // captures with another content that were not
	Problem     string
}

// threadPost is one object.
type threadPost struct {
	webapp.Life
	Depth int      // how many answers it is away from the beginning, at most maxDepth
	Lines []string // of the text
}

// Software names the application, with its version if the page says it.
func (t *thread) Software() string { return strings.TrimSpace(t.Application + " " + t.Release) }

// Arrows show how deep an answer is.
func (p threadPost) Arrows() string { return strings.Repeat("↳", p.Depth) }

const (
	maxThreadLooks = 10      // contents that are read
	maxThreadPosts = 200     // that are shown
	maxThreadText  = 4000    // bytes of a post
	maxThreadPage  = 4 << 20 // bytes of a capture
	maxDepth       = 5
)

// thread reads what people wrote on the page of a document; nil if it is of no application that is known.
func (u *UI) thread(r *http.Request, doc *search.Document) (*thread, error) {
	if u.cfg.Contents == nil || u.cfg.Index == nil || !strings.Contains(doc.MIME, "html") {
		return nil, nil
	}
	col, err := catalog.Open(u.cfg.Archive).Collection(doc.Collection)
	if err != nil {
		return nil, err
	}
	k, err := annotate.ReadKnowledge(col.Dir())
	if err != nil {
		return &thread{Problem: err.Error()}, nil
	}
	t := &thread{}
	captures, err := t.captures(u, r, doc)
	if err != nil || len(captures) == 0 {
		return nil, err
	}
	reader := body.NewReader()
	var looks []webapp.Look
	for i, c := range captures {
		shown := i == len(captures)-1
		got, err := u.cfg.Contents.Content(r.Context(), doc.Collection, c, maxThreadPage)
		if err != nil {
			if shown {
				return nil, nil // the page says why it cannot be read
			}
			t.Left++
			continue
		}
		at, err := canon.Parse(c.URL)
		if err != nil {
			return nil, nil
		}
		app := k.NewReader()
		if _, err := reader.Read(body.Input{URL: c.URL, MIME: got.MIME, Body: got.Body}, body.Want{Brief: true, With: []markup.Subscriber{app}}); err != nil {
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
			t.Application, t.Release, t.Kind, t.At, t.More = s.App.Name, s.Version, s.App.Kind, c.Time, left
		}
	}
	if t.Looks = len(looks); t.Application == "" {
		return nil, nil
	}
	return t, t.add(u, r, looks)
}

// captures lists the captures that are compared: those with contents of their own until the version that is shown, which comes last.
func (t *thread) captures(u *UI, r *http.Request, doc *search.Document) (list []holdings.IndexedCapture, err error) {
	seen := map[string]bool{}
	for c, err := range u.cfg.Index.Captures(r.Context(), holdings.Query{Collection: doc.Collection, URL: doc.URL, To: doc.Last}) {
		if err != nil {
			return nil, err
		}
		if c.Status != http.StatusOK || c.Revisit || seen[c.Digest] {
			continue
		}
		seen[c.Digest] = true
		if list = append(list, c); len(list) > maxThreadLooks {
			list = slices.Delete(list, 0, 1)
			t.Left++
		}
	}
	return list, nil
}

// add puts the posts in order: as they stand on the capture that is shown, and apart those that are gone.
func (t *thread) add(u *UI, r *http.Request, looks []webapp.Look) error {
	depth := map[string]int{}
	for _, l := range webapp.Follow(looks) {
		p := threadPost{Life: l}
		if l.Reply != "" {
			p.Depth = min(depth[l.Reply]+1, maxDepth)
		}
		depth[l.ID] = p.Depth
		text, err := u.shownText(r, clip(l.Text, maxThreadText))
		if err != nil {
			return err
		}
		p.Lines = strings.Split(text, "\n")
		switch {
		case l.Last.Equal(t.At):
			t.Posts = append(t.Posts, p)
		default:
			t.Gone = append(t.Gone, p)
		}
	}
	for _, list := range []*[]threadPost{&t.Posts, &t.Gone} {
		if n := len(*list) - maxThreadPosts; n > 0 {
			t.More += n
			*list = (*list)[:maxThreadPosts]
		}
	}
	return nil
}
