package guide_test

import (
	"testing"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/guide"
	"varve/web/canon"
	"varve/web/links"
)

// A link has the score of the longest prefix it lies below; seeds and what was taken keep theirs.
func TestAdmit(t *testing.T) {
	s := guide.New(crawl.Definition{Priorities: []crawl.Priority{{Prefix: "a.example/news/", Score: 0.9}, {Prefix: "a.example/", Score: 0.1}}})
	link := &links.Link{}
	for _, c := range []struct {
		url   string
		link  *links.Link
		taken bool
		want  float64
	}{
		{"http://a.example/news/today", link, false, 0.9},
		{"https://a.example/about", link, false, 0.1},
		{"http://b.example/news/", link, false, 0.5},
		{"http://a.example/news/", nil, false, 0.5},
		{"http://a.example/news/", nil, true, 0.5},
	} {
		u, err := canon.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		it := frontier.Item{Score: crawl.PlainScore}
		s.Admit(&crawl.Admission{URL: u, Item: &it, Link: c.link, Taken: c.taken})
		if it.Score != c.want {
			t.Errorf("%s (link %v, taken %v): %g, want %g", c.url, c.link != nil, c.taken, it.Score, c.want)
		}
	}
	s.Set(nil)
	var def crawl.Definition
	if s.Define(&def); len(def.Priorities) != 0 {
		t.Errorf("in force are %v", def.Priorities)
	}
}
