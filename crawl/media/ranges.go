package media

import (
	"context"
	"errors"
	"fmt"

	"varve/web/wire"
)

// file goes further with a file that may not have come whole: the crawl's record of it tells.
func (s *stream) file(ctx context.Context) error {
	a := s.answer
	if a.Status/100 == 2 || rangesOnly(a.Status) {
		ok, err := s.take(ctx, a.URL)
		if err != nil || !ok {
			return err
		}
		if s.requests > 1 { // it was taken in ranges
			s.note("media-bytes", fmt.Sprint(s.size))
		}
	}
	return nil
}

// errChanged is returned when a file became another one between two ranges of it.
var errChanged = errors.New("it changed while it was taken")

// ranges takes a file range after range. All ranges must be of the same file: same size, same validator.
func (s *stream) ranges(ctx context.Context, url string) error {
	var first extent
	for at := int64(0); ; {
		if err := s.spent(ctx); err != nil {
			return err
		}
		h := wire.Header{}
		h.Add("Range", fmt.Sprintf("bytes=%d-%d", at, at+s.cfg.Range-1))
		resp, err := s.fetch(ctx, url, false, h)
		if err != nil {
			return err
		}
		e, err := extentOf(resp)
		if err = errors.Join(err, resp.Close()); err != nil {
			return err
		}
		switch {
		case e.whole:
			return nil
		case at == 0:
			first = e
		case e.size != first.size || e.tag != first.tag:
			return errChanged
		}
		if e.from != at || e.to <= at {
			return fmt.Errorf("asked for bytes from %d, got %d to %d", at, e.from, e.to)
		}
		if at = e.to; e.size >= 0 && at >= e.size {
			return nil
		}
	}
}

// extent is the part of a file that an answer holds.
type extent struct {
	from, to int64
	size     int64 // of the file; -1: not told
	tag      string
	whole    bool
}

// extentOf reads which bytes came; an answer that was cut short holds fewer than it says.
func extentOf(resp *got) (extent, error) {
	switch resp.Status {
	case 200:
		if resp.Truncated {
			return extent{}, errors.New("the file is over the limit and the server gives no ranges")
		}
		return extent{whole: true}, nil
	case 206:
	default:
		return extent{}, fmt.Errorf("the server answers %d to a range", resp.Status)
	}
	e, ok := parseContentRange(resp.Header.Get("Content-Range"))
	if !ok {
		return e, fmt.Errorf("the Content-Range %.60q cannot be read", resp.Header.Get("Content-Range"))
	}
	if resp.Truncated {
		return e, errors.New("a range was cut short")
	}
	e.tag = resp.Header.Get("ETag")
	return e, nil
}

// parseContentRange reads bytes first-last/size.
func parseContentRange(s string) (extent, bool) {
	var first, last int64
	size := ""
	if n, err := fmt.Sscanf(s, "bytes %d-%d/%s", &first, &last, &size); err != nil || n != 3 || first < 0 || last < first {
		return extent{}, false
	}
	e := extent{from: first, to: last + 1, size: -1}
	if size == "*" {
		return e, true
	}
	_, err := fmt.Sscanf(size, "%d", &e.size)
	return e, err == nil && e.size >= e.to
}
