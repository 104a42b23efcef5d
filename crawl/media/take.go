package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"varve/crawl/collect"
	"varve/web/links"
)

func newReader(b []byte) *bytes.Reader { return bytes.NewReader(b) }

// take asks for a file that a list names, once. Of a file whose segments are ranges the whole is asked for:
// that is one request, and replay finds every range in it. Only where the crawl's limit cuts it short, or
// the server gives ranges only, it is taken range after range. ok tells whether it was had, now or before.
func (s *stream) take(ctx context.Context, url string) (ok bool, err error) {
	if _, before := s.known[url]; before {
		return true, nil
	}
	if err := s.spent(ctx); err != nil {
		return false, err
	}
	s.known[url] = struct{}{}
	resp, err := s.fetch(ctx, url, false, nil)
	if err != nil {
		return s.missed(ctx, url, err)
	}
	status, truncated := resp.Status, resp.Truncated
	if err := resp.Close(); err != nil {
		return false, fmt.Errorf("%s: %w", url, err)
	}
	switch {
	case truncated && status == 200, rangesOnly(status):
		if err := s.ranges(ctx, url); err != nil {
			return s.missed(ctx, url, err)
		}
	case status/100 != 2:
		return s.missed(ctx, url, fmt.Errorf("the server answers %d", status))
	case truncated:
		return s.missed(ctx, url, errors.New("cut short"))
	}
	return true, nil
}

// rangesOnly tells the answers of servers that may do better when asked for a range.
func rangesOnly(status int) bool {
	return status == 403 || status == 406 || status == 413 || status == 416
}

// missed notes a file that could not be had. Only what ends the whole stream is an error.
func (s *stream) missed(ctx context.Context, url string, err error) (bool, error) {
	if ctx.Err() != nil || errors.Is(err, errLimit) {
		return false, err
	}
	if s.failed < maxNoted {
		s.note("media-missed", fmt.Sprintf("%s: %v", url, err))
	}
	delete(s.known, url) // it may be asked for again while it is listed
	return false, nil
}

// maxNoted bounds how many missed files are named one by one.
const maxNoted = 20

// segment takes a segment and counts it.
func (s *stream) segment(ctx context.Context, url string) (bool, error) {
	if _, before := s.known[url]; before {
		return true, nil
	}
	ok, err := s.take(ctx, url)
	if ok {
		s.segments++
	} else if err == nil {
		s.failed++
	}
	return ok, err
}

// link adds a link that the crawl may follow.
func (s *stream) link(url string, kind links.Kind, anchor string) {
	s.result.Links = append(s.result.Links, links.Link{URL: url, Raw: url, Kind: kind, Hop: links.HopEmbed, Anchor: anchor})
}

// VODPrefix begins the address of a recording; the address of the list follows.
const VODPrefix = "urn:vod:"

// ObjectPrefix begins the address of a media object that an external program got (crawl/media/external); the
// address of its player, or of the file it was made from, follows.
const ObjectPrefix = "urn:media:"

// recording adds what was taken of a live list.
func (s *stream) recording(url, mime string, text []byte, segments int) {
	s.result.Resources = append(s.result.Resources, collect.Resource{
		URI: VODPrefix + url, ContentType: mime, Body: bytes.NewReader(text),
		Fields: []collect.Field{{Name: "recording-of", Value: url}, {Name: "media-segments", Value: fmt.Sprint(segments)}},
	})
}
