package country

import (
	"strings"
	"testing"

	"varve/crawl/webapp"
	"varve/page"
	"varve/web/canon"
	"varve/web/markup"
)

// What people write on the forum, below the entries of the diary and in the encyclopaedia is read by what is known of applications: each with who
// wrote it, and a post that a moderator took down is no longer among them.
func TestObjects(t *testing.T) {
	c, err := New(Config{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	web, err := c.Web()
	if err != nil {
		t.Fatal(err)
	}
	thread := c.ThreadURL("Ferry contract: must Calder go?")
	read := func(date, address string) (app string, types map[string]int, authors int) {
		t.Helper()
		u, err := canon.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		r := webapp.Default().NewReader()
		a := web.Get(address, day(date))
		if _, err := page.NewReader().Read(page.Input{URL: address, MIME: "text/html; charset=utf-8", Body: a.Body}, page.Want{Brief: true, With: []markup.Subscriber{r}}); err != nil {
			t.Fatal(err)
		}
		s := r.Sight(u, nil)
		if s == nil {
			t.Fatalf("%s on %s: no application\n%s", address, date, a.Body)
		}
		list, _ := s.Extract(u, r.Root())
		types = map[string]int{}
		for _, o := range list {
			if types[o.Type]++; o.Author != "" {
				authors++
			}
		}
		return s.App.Name, types, authors
	}
	app, early, authors := read("2024-06-20", thread)
	if app != "forum" || early["post"] < 8 || authors != early["post"] {
		t.Errorf("the thread: %s, %v, %d authors", app, early, authors)
	}
	_, late, _ := read("2025-12-01", thread)
	gone := strings.Count(string(web.Get(thread, day("2025-12-01")).Body), "class=\"removed\"")
	if gone == 0 || late["post"]+gone != postsPerPage {
		t.Errorf("of %d posts %v are there, %d gone", postsPerPage, late, gone)
	}
	if app, got, authors := read("2025-12-01", "http://"+Blog+"/5.html"); app != "WordPress" || got["post"] != 1 || got["comment"] < 1 || authors != 1+got["comment"] {
		t.Errorf("the entry: %s, %v, %d authors", app, got, authors)
	}
	if app, got, _ := read("2025-12-01", "http://"+Wiki+"/wiki/Harding_Lines"); app != "MediaWiki" || got["article"] != 1 {
		t.Errorf("the article: %s, %v", app, got)
	}
}
