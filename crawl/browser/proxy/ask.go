package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varve/crawl/collect"
	"varve/web/links"
	"varve/web/wire"
)

// ours are request fields that belong to the connection, or that would make an answer partial.
var ours = map[string]bool{
	"host": true, "connection": true, "keep-alive": true, "proxy-connection": true, "proxy-authorization": true, "te": true, "trailer": true,
	"transfer-encoding": true, "upgrade": true, "content-length": true, "expect": true,
	"if-none-match": true, "if-modified-since": true, "if-range": true, "if-match": true, "if-unmodified-since": true, "range": true,
}

// ask fetches what a request asks for and passes the answer on.
func (l *link) ask(h *wire.Head, url string) bool {
	body, err := l.body(h)
	if err != nil {
		l.fail(413, err)
		return false
	}
	t := l.proxy.current()
	if t == nil {
		l.fail(503, errors.New("no page is open"))
		return true
	}
	x := Exchange{URL: url, Method: h.Method, Dest: h.Header.Get("Sec-Fetch-Dest"), Hop: links.HopEmbed}
	if url == t.page || x.Dest == "document" {
		x.Hop = links.HopLink
	}
	n, fresh, err := t.begin(x, body)
	if err != nil {
		l.fail(503, err)
		return true
	}
	resp, err := t.net.Fetch(t.ctx, &collect.Request{Method: h.Method, URL: url, Header: header(h.Header), Body: body, Hop: x.Hop, Fresh: fresh})
	if err != nil {
		t.end(n, func(x *Exchange) { x.Err = err })
		l.fail(statusOf(err), err)
		return true
	}
	defer resp.Close()
	keep, err := l.pass(h, resp)
	t.end(n, func(x *Exchange) {
		x.Status, x.MIME, x.RecordID, x.Cached, x.Err = resp.Status, wire.MediaType(resp.Header.Get("Content-Type")), resp.RecordID, resp.Cached, err
	})
	return keep && err == nil
}

// statusOf is the answer to the browser when there is none from the server.
func statusOf(err error) int {
	switch {
	case errors.Is(err, collect.ErrRefused):
		return 403
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return 504
	}
	return 502
}

// header gives the fields that the browser wants to say to the server.
func header(from wire.Header) wire.Header {
	out := make(wire.Header, 0, len(from))
	for _, f := range from {
		if !ours[strings.ToLower(f.Name)] {
			out = append(out, f)
		}
	}
	return out
}

// body reads the body of a request.
func (l *link) body(h *wire.Head) ([]byte, error) {
	limit := l.proxy.limits.Body
	var r io.Reader
	switch {
	case h.Chunked():
		r = wire.NewChunkReader(l.br)
	case h.Header.Has("Content-Length"):
		n, err := strconv.ParseInt(h.Header.Get("Content-Length"), 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("length of the body: %q", h.Header.Get("Content-Length"))
		}
		if n > limit {
			return nil, fmt.Errorf("body of %d bytes, at most %d are sent", n, limit)
		}
		b := make([]byte, n)
		_, err = io.ReadFull(l.br, b)
		return b, err
	default:
		return nil, nil
	}
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("body over %d bytes", limit)
	}
	return b, err
}
