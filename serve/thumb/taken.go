package thumb

import (
	"bytes"
	"context"
	"errors"
	"time"

	"varve/serve/holdings"
)

// near is how far apart a page and the picture that the crawl took of it are at most.
const near = 10 * time.Minute

// FindTaken finds the picture that the crawl took of a page when it was captured, if it took one.
func FindTaken(ctx context.Context, index holdings.Index, collection, page string, at time.Time) (holdings.IndexedCapture, bool) {
	q := holdings.Query{Collection: collection, URL: "urn:view:" + page, From: at.Add(-near), To: at.Add(near), Limit: 1}
	for p, err := range index.Captures(ctx, q) {
		return p, err == nil
	}
	return holdings.IndexedCapture{}, false
}

// maxTaken bounds such a picture.
const maxTaken = 8 << 20

// errNotTaken says that the crawl took no picture.
var errNotTaken = errors.New("no picture was taken")

// Taken reads the picture that the crawl took of a page when it was captured: a PNG of the whole window.
func Taken(ctx context.Context, index holdings.Index, contents holdings.Contents, collection, page string, at time.Time) ([]byte, error) {
	p, ok := FindTaken(ctx, index, collection, page, at)
	if !ok {
		return nil, errNotTaken
	}
	got, err := contents.Content(ctx, collection, p, maxTaken)
	if err != nil {
		return nil, err
	}
	if got.Truncated || !bytes.HasPrefix(got.Body, []byte("\x89PNG\r\n\x1a\n")) {
		return nil, errNotTaken
	}
	return got.Body, nil
}
