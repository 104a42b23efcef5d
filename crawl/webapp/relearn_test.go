package webapp

import (
	"fmt"
	"strings"
	"testing"

	"varve/web/canon"
)

// The site of these tests: comments on pages, in two templates.
type remark struct{ id, author, day, text string }

func remarks(page int) (list []remark) {
	for i := range 1 + page%4 {
		n := 10*page + i
		list = append(list, remark{fmt.Sprint(100 + n), fmt.Sprintf("Reader %d", n), fmt.Sprintf("2025-06-%02d", 1+n%28), fmt.Sprintf("Remark %d on page %d: I saw the lamp as well, at night %d.", i, page, n)})
	}
	return list
}

const wpHead = `<html><head><meta name="generator" content="WordPress 6.1"><link rel="https://api.w.org/" href="/wp-json/"></head><body class="single">`

func oldTemplate(page int) string {
	var b strings.Builder
	fmt.Fprintf(&b, wpHead+`<main><article id="post-%d" class="hentry"><h1 class="entry-title">Page %d</h1><div class="entry-content"><p>The log of page %d has this entry.</p></div></article><ol class="comment-list">`, page, page, page)
	for _, r := range remarks(page) {
		fmt.Fprintf(&b, `<li id="comment-%s" class="comment"><div class="comment-author"><b class="fn">%s</b></div><div class="comment-metadata"><time datetime="%sT12:00:00+00:00">then</time></div><div class="comment-content"><p>%s</p></div></li>`, r.id, r.author, r.day, r.text)
	}
	return b.String() + "</ol></main>"
}

func newTemplate(page int) string {
	var b strings.Builder
	fmt.Fprintf(&b, wpHead+`<nav><div class="item">Home</div><div class="item">About</div></nav><h2 class="headline">Page %d</h2><div class="story" data-post="p-%d"><p>The log of page %d has this entry.</p></div><div class="talk">`, page, page, page)
	for _, r := range remarks(page) {
		fmt.Fprintf(&b, `<div class="item remark" id="r-%s"><div class="top"><span class="who">%s</span> <span class="when" title="%s">some time ago</span></div><div class="said"><p>%s</p></div></div>`, r.id, r.author, r.day, r.text)
	}
	return b.String() + "</div>"
}

func TestRelearn(t *testing.T) {
	k := Default()
	var samples []Sample
	for page := range 6 {
		address := fmt.Sprintf("http://example.org/2025/06/page-%d/", page)
		u, r, s := look(t, k, address, oldTemplate(page))
		known, _ := s.Extract(u, r.Root())
		if len(known) != 1+len(remarks(page)) {
			t.Fatalf("page %d has %d objects in the old template", page, len(known))
		}
		u, r, s = look(t, k, address, newTemplate(page))
		if list, _ := s.Extract(u, r.Root()); len(list) > 0 {
			t.Fatalf("the new template is read already: %v", list)
		}
		samples = append(samples, Sample{u, r.Root(), s.LevelName(), known})
	}
	var learned []*Extraction
	for _, l := range Relearn(samples) {
		if l.Learned == nil {
			t.Fatalf("%s: nothing was learned: %+v", l.Type, l)
		}
		learned = append(learned, l.Learned)
	}
	file := string(AppendExtractions(nil, learned))
	for _, want := range []string{
		"each = 'div.remark'\n", "author = ['span.who']\n", "time = ['span.when @title']\n", "id = ['@id =~ ^r-(\\d+)$']\n", "text = ['div.said']\n",
		"title = ['h2.headline']\n", "each = 'div.story'\n", "text = ['.']\n",
	} {
		if !strings.Contains(file, want) {
			t.Errorf("no %q in\n%s", want, file)
		}
	}
	app, err := k.Named("WordPress").Variant(learned, false)
	if err != nil {
		t.Fatal(err)
	}
	k = k.With(app)
	for _, page := range []int{7, 10} { // that were not learned from
		for _, template := range []func(int) string{oldTemplate, newTemplate} {
			u, r, s := look(t, k, fmt.Sprintf("http://example.org/2025/06/page-%d/", page), template(page))
			list, _ := s.Extract(u, r.Root())
			if len(list) != 1+len(remarks(page)) {
				t.Fatalf("page %d: %d objects: %+v", page, len(list), list)
			}
			if list[0].Title != fmt.Sprintf("Page %d", page) || list[0].Text != fmt.Sprintf("The log of page %d has this entry.", page) {
				t.Errorf("post is %+v", list[0])
			}
			for i, want := range remarks(page) {
				o := list[1+i]
				if o.ID != want.id || o.Author != want.author || o.Time.Format("2006-01-02") != want.day || o.Text != want.text {
					t.Errorf("comment is %+v, want %+v", o, want)
				}
			}
		}
	}
}

// Where nothing of what was known is found, nothing is learned.
func TestRelearnNothing(t *testing.T) {
	u, err := canon.Parse("http://example.org/")
	if err != nil {
		t.Fatal(err)
	}
	root := treeOf("<p>Something else altogether.")
	for _, l := range Relearn([]Sample{{URL: u, Root: root, Known: []Object{{Type: "post", Text: "What was written before"}}}}) {
		if l.Learned != nil || l.Found != 0 {
			t.Errorf("%+v", l)
		}
	}
	if list := Relearn([]Sample{{URL: u, Root: root}}); list != nil {
		t.Errorf("%+v", list)
	}
}
