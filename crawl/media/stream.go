package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"varve/crawl/collect"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/wire"
)

// maxList bounds a list or manifest in memory.
const maxList = 32 << 20

// maxRedirects bounds redirects in a row, as browsers have it.
const maxRedirects = 20

// stream is one call of Collect.
type stream struct {
	cfg    Config
	answer *collect.Answer
	net    collect.Net
	result *collect.Result

	began    time.Time
	size     int64
	segments int                 // taken
	failed   int                 // that could not be had
	requests int                 // made
	known    map[string]struct{} // addresses that were asked for
	cut      string              // the limit that ended it
	left     int                 // segments and objects that a limit kept out
}

func newStream(cfg Config, a *collect.Answer, net collect.Net) *stream {
	return &stream{cfg: cfg, answer: a, net: net, result: &collect.Result{}, began: cfg.Clock.Now(), known: map[string]struct{}{}}
}

func (s *stream) note(name, value string) {
	if value != "" {
		s.result.Fields = append(s.result.Fields, collect.Field{Name: name, Value: value})
	}
}

// finish tells what was done.
func (s *stream) finish() *collect.Result {
	if s.segments+s.failed > 0 {
		s.note("media-segments", strconv.Itoa(s.segments))
		s.note("media-bytes", strconv.FormatInt(s.size, 10))
	}
	if s.failed > 0 {
		s.note("media-failed", strconv.Itoa(s.failed))
	}
	s.note("media-cut", s.cut)
	s.result.Cut = s.left
	s.result.Cost = collect.Cost{Wall: s.cfg.Clock.Now().Sub(s.began), Requests: s.requests}
	return s.result
}

// errLimit ends a stream that has had its share; the reason is in cut.
var errLimit = errors.New("a limit of the stream is reached")

// spent tells, as an error, that no more may be taken.
func (s *stream) spent(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		s.cut = "stopped"
		return ctx.Err()
	case s.cut != "":
	case s.cfg.Clock.Now().Sub(s.began) > s.cfg.Time:
		s.cut = fmt.Sprintf("time limit of %v", s.cfg.Time)
	case s.size >= s.cfg.Size:
		s.cut = fmt.Sprintf("size limit of %d bytes", s.cfg.Size)
	case s.segments+s.failed >= s.cfg.Segments:
		s.cut = fmt.Sprintf("limit of %d segments", s.cfg.Segments)
	default:
		return nil
	}
	s.left = max(s.left, 1) // at least: who knows better adds to it
	return errLimit
}

// got is an answer with where it came from in the end.
type got struct {
	*collect.Response
	url string
}

// fetch asks for a URL and follows redirects. The answer must be closed.
func (s *stream) fetch(ctx context.Context, url string, fresh bool, header wire.Header) (*got, error) {
	for range maxRedirects {
		s.requests++
		resp, err := s.net.Fetch(ctx, &collect.Request{URL: url, Header: header, Hop: links.HopEmbed, Fresh: fresh})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", url, err)
		}
		next, ok := redirected(resp, url)
		if !ok {
			if !resp.Cached {
				s.size += resp.Size
			}
			return &got{resp, url}, nil
		}
		if err := resp.Close(); err != nil {
			return nil, fmt.Errorf("%s: %w", url, err)
		}
		url = next
	}
	return nil, fmt.Errorf("%s: more than %d redirects in a row", url, maxRedirects)
}

// redirected tells where an answer leads.
func redirected(resp *collect.Response, from string) (string, bool) {
	switch resp.Status {
	case 301, 302, 303, 307, 308:
	default:
		return "", false
	}
	base, err := canon.Parse(from)
	if err != nil {
		return "", false
	}
	u, err := base.Resolve(resp.Header.Get("Location"))
	return u.WithoutFragment().String(), err == nil && u.IsHTTP() && resp.Header.Get("Location") != ""
}

// text asks for a list and reads it.
func (s *stream) text(ctx context.Context, url string, fresh bool) (body []byte, at *got, err error) {
	resp, err := s.fetch(ctx, url, fresh, nil)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, resp.Close()) }()
	if resp.Status/100 != 2 {
		return nil, resp, fmt.Errorf("%s: the server answers %d", url, resp.Status)
	}
	body, err = content(resp.Response, maxList)
	if err != nil {
		return nil, resp, fmt.Errorf("%s: %w", url, err)
	}
	return body, resp, nil
}

// content reads the content of a recorded answer, without codings.
func content(resp *collect.Response, limit int64) (out []byte, err error) {
	raw, err := io.ReadAll(io.LimitReader(resp.Raw, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if int64(len(raw)) > limit {
		return nil, fmt.Errorf("longer than %d bytes", limit)
	}
	head, err := wire.ParseHead(raw)
	if err != nil {
		return nil, err
	}
	var body io.Reader = newReader(raw[head.Size:])
	if head.Chunked() {
		body = wire.NewChunkReader(body)
	}
	plain, err := wire.Decode(body, head.Codings())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	out, err = io.ReadAll(io.LimitReader(plain, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = fmt.Errorf("unpacked longer than %d bytes", limit)
	}
	return out, err
}
