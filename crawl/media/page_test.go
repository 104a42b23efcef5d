package media_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/crawl/collect"
	"varve/crawl/media"
	"varve/crawl/media/object"
	"varve/web/wire"
)

// wishes is a queue in memory.
type wishes struct {
	list []string
	err  error
}

func (w *wishes) Add(page, url string) error {
	w.list = append(w.list, page+" "+url)
	return w.err
}

func pageAnswer(content string) *collect.Answer {
	return &collect.Answer{URL: base + "/a", Status: 200, MIME: "text/html", Header: wire.Header{{Name: "Content-Type", Value: "text/html"}}, Content: []byte(content)}
}

const filmPage = `<html><head><title>Films</title></head><body><p>Two films.</p>
<video src="/clip.mp4" poster="/poster.svg"><track src="/s.vtt"></video>
<iframe src="https://player.vimeo.com/video/12345" title="The vote"></iframe>
<iframe src="https://other.example/embed/9"></iframe></body></html>`

// The objects of a page stand in its metadata, files become links, well-known players are asked for.
func TestPage(t *testing.T) {
	q := &wishes{}
	res, err := media.New(media.Config{Queue: q}).Collect(context.Background(), pageAnswer(filmPage), nil)
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, text := range field(res, media.ObjectField) {
		var o object.Object
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		urls = append(urls, o.URL)
	}
	if want := []string{base + "/clip.mp4", "https://player.vimeo.com/video/12345", "https://other.example/embed/9"}; !slices.Equal(urls, want) {
		t.Errorf("objects %v", urls)
	}
	var links []string
	for _, l := range res.Links {
		links = append(links, l.Kind.String()+" "+strings.TrimPrefix(l.URL, base))
	}
	if want := []string{"media-object /clip.mp4", "media-part /poster.svg", "media-part /s.vtt"}; !slices.Equal(links, want) {
		t.Errorf("links %v", links)
	}
	if want := []string{base + "/a https://player.vimeo.com/video/12345"}; !slices.Equal(q.list, want) {
		t.Errorf("asked for %v", q.list)
	}
}

func TestPageWithoutMedia(t *testing.T) {
	res, err := media.New(media.Config{}).Collect(context.Background(), pageAnswer("<html><p>Words.</p></html>"), nil)
	if err != nil || len(res.Fields) > 0 || len(res.Links) > 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

// A queue that cannot be written is told, and the page's objects are kept all the same.
func TestBrokenQueue(t *testing.T) {
	full := errors.New("disk full")
	res, err := media.New(media.Config{Queue: &wishes{err: full}}).Collect(context.Background(), pageAnswer(filmPage), nil)
	if !errors.Is(err, full) || len(field(res, media.ObjectField)) != 3 {
		t.Errorf("%+v, %v", res, err)
	}
}

// A list that is none, a manifest that is none, and an answer of an error.
func TestBadAnswers(t *testing.T) {
	for _, a := range []*collect.Answer{
		{URL: base + "/x.m3u8", Status: 200, MIME: "application/vnd.apple.mpegurl", Content: []byte("<html>")},
		{URL: base + "/x.mpd", Status: 200, MIME: "application/dash+xml", Content: []byte("<html>")},
		{URL: base + "/x.m3u8", Status: 200, MIME: "application/vnd.apple.mpegurl"},
	} {
		if res, err := media.New(media.Config{}).Collect(context.Background(), a, nil); err == nil || res == nil {
			t.Errorf("%s: %+v, %v", a.URL, res, err)
		}
	}
	if res, err := media.New(media.Config{}).Collect(context.Background(), &collect.Answer{URL: base + "/x.m3u8", Status: 404, MIME: "application/vnd.apple.mpegurl"}, nil); err != nil || res == nil {
		t.Errorf("%+v, %v", res, err)
	}
}

// Objects beyond the limit are counted.
func TestTooManyObjects(t *testing.T) {
	var page strings.Builder
	for i := range 203 {
		fmt.Fprintf(&page, "<video src=/v%d.mp4></video>", i)
	}
	res, err := media.New(media.Config{}).Collect(context.Background(), pageAnswer(page.String()), nil)
	if err != nil || len(res.Links) != 200 || res.Cut != 3 || len(field(res, "media-cut")) != 1 {
		t.Errorf("%d links, %d cut, %v", len(res.Links), res.Cut, err)
	}
}
