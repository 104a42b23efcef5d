package posts

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// What posts point to is found in all forms in which they come; their own addresses, pictures, persons and tags are not.
func TestRead(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"text": {
			"the flood: https://news.example/a and https://news.example/b#top.\n\nnothing here\nagain https://news.example/a",
			"[https://news.example/a https://news.example/b] [] [https://news.example/a]",
		},
		"lines of objects": {
			`{"text":"see https://t.example/x","created_at":"Wed Oct 10 20:19:24 +0000 2018","entities":{"urls":[{"url":"https://t.example/x","expanded_url":"https://news.example/long"}],"media":[{"url":"https://pic.example/1"}]}}
{"content":"<p>Look <a href=\"https://news.example/c\">here</a> <a href=\"https://soc.example/@eva\">@eva</a> <a href=\"https://soc.example/tags/flood\" rel=\"tag\">#flood</a></p>","url":"https://soc.example/1","created_at":"2021-07-15T10:00:00Z","card":{"url":"https://news.example/card","image":"https://pic.example/2"}}`,
			"[https://t.example/x https://news.example/long] [https://news.example/c https://news.example/card]",
		},
		"an array":   {`[{"body":"http://a.example/"}, {"text":"","links":["http://b.example/", 7, {"href":"http://c.example/"}]}]`, "[http://a.example/] [http://b.example/ http://c.example/]"},
		"a page":     {`{"items":[{"content_text":"http://a.example/1"},{"content_text":"two"}]}`, "[http://a.example/1] []"},
		"RSS":        {`<?xml version="1.0"?><rss><channel><link>http://feed.example/</link><item><title>one</title><link>http://feed.example/1</link><description>&lt;a href="http://a.example/1"&gt;x&lt;/a&gt;</description><pubDate>Wed, 14 Jul 2021 10:00:00 +0000</pubDate></item><item><title>two</title><link>http://feed.example/2</link></item></channel></rss>`, "[http://a.example/1] [http://feed.example/2]"},
		"Atom":       {`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>x</title><link rel="self" href="http://feed.example/self"/><link href="http://feed.example/3"/><content type="xhtml"><div><a href="http://a.example/2">x</a></div></content><updated>2021-07-15T10:00:00Z</updated></entry></feed>`, "[http://a.example/2]"},
		"with a BOM": {"\xef\xbb\xbfhttp://a.example/", "[http://a.example/]"},
		"nothing":    {" \n ", ""},
	} {
		var got []string
		err := Read(strings.NewReader(tt.text), func(p Post) error {
			got = append(got, fmt.Sprint(p.Links))
			if name == "lines of objects" && p.At.IsZero() {
				t.Errorf("%s: no time", name)
			}
			return nil
		})
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s (%v)", name, got, tt.want, err)
		}
	}
	if at := timeIn("Wed, 14 Jul 2021 10:00:00 +0000"); !at.Equal(time.Date(2021, 7, 14, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("time of a feed: %v", at)
	}
}

// What is wrong is told with the number of the post.
func TestBadPosts(t *testing.T) {
	for text, want := range map[string]string{
		`{"text":"a"} {"text":`:            "post 2",
		`[{"text":"a"}, 7]`:                "post 2",
		"<html><p>no feed</p></html>":      "no feed",
		"a\n" + strings.Repeat("x", 2<<20): "post 2",
	} {
		if err := Read(strings.NewReader(text), func(Post) error { return nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q in it", text, err, want)
		}
	}
	stop := errors.New("enough")
	if err := Read(strings.NewReader("a\nb"), func(Post) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// Pages that most posts point to come first; a post that names a page twice counts once.
func TestSeeds(t *testing.T) {
	const text = "http://a.example/ http://a.example/\nhttp://b.example/ x\nhttp://c.example/ http://b.example/"
	seeds, n, err := Seeds(strings.NewReader(text), 1)
	if err != nil || n != 3 || fmt.Sprint(seeds) != "[{http://b.example/ 2} {http://a.example/ 1} {http://c.example/ 1}]" {
		t.Errorf("%v of %d posts, %v", seeds, n, err)
	}
	if seeds, _, _ = Seeds(strings.NewReader(text), 2); len(seeds) != 1 {
		t.Errorf("named twice: %v", seeds)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"text":"http://a.example/","links":[{"url":"x"}]}`)
	f.Add(`<rss><item><title>http://a.example/</title></item></rss>`)
	f.Add("text http://a.example/\n")
	f.Fuzz(func(t *testing.T, text string) {
		_ = Read(io.LimitReader(strings.NewReader(text), 1<<20), func(p Post) error {
			for _, l := range p.Links {
				if !strings.HasPrefix(l, "http") {
					t.Errorf("%q is no link", l)
				}
			}
			return nil
		})
	})
}
