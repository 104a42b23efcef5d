package thumb

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"varve/crawl/collect"
	"varve/serve/memento"
	"varve/web/wire"
)

// Archive answers for a URL at a time as its server did. *replay.Handler is one.
type Archive interface {
	ServeAsWas(w http.ResponseWriter, r *http.Request, collection, url string, at time.Time)
}

// Bounds of what one picture is drawn from.
const (
	maxPart  = 16 << 20 // bytes of one answer; longer ones come cut off
	maxTotal = 64 << 20 // bytes of all; beyond it nothing is answered
)

// then is the network of the past: it asks the archive, and notes what of it was given to the browser.
type then struct {
	archive    Archive
	collection string
	at         time.Time

	mu    sync.Mutex
	parts []Part
	total int
}

var _ collect.Net = (*then)(nil)

// Fetch gives what the archive has.
func (t *then) Fetch(ctx context.Context, q *collect.Request) (*collect.Response, error) {
	t.mu.Lock()
	over := t.total > maxTotal
	t.mu.Unlock()
	if over {
		return nil, fmt.Errorf("%w: the parts of the page have more than %d bytes", collect.ErrRefused, maxTotal)
	}
	method := q.Method
	if method == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, q.URL, bytes.NewReader(q.Body))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", collect.ErrRefused, err)
	}
	for _, f := range q.Header {
		if !strings.EqualFold(f.Name, "Accept-Datetime") {
			r.Header.Add(f.Name, f.Value)
		}
	}
	w := &answer{header: http.Header{}, room: maxPart}
	t.archive.ServeAsWas(w, r, t.collection, q.URL, t.at)
	when, err := http.ParseTime(w.header.Get("Memento-Datetime"))
	if err != nil { // not archived, or not to be seen
		return nil, fmt.Errorf("%w: the archive has no such capture", collect.ErrRefused)
	}
	var url string
	ok := false
	if links := w.header.Values("Link"); len(links) > 0 { // those of the page come before ours
		url, ok = memento.Original(links[len(links)-1])
	}
	if !ok {
		return nil, fmt.Errorf("the archive does not say which address it answered for %.200q", q.URL)
	}
	t.mu.Lock()
	t.parts = append(t.parts, Part{URL: url, Time: when.UTC()})
	t.total += w.body.Len()
	t.mu.Unlock()
	return w.response(when)
}

// into notes the parts of a page, each once; false if the page itself was not among them.
func (t *then) into(m *made) (page bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := map[Part]bool{}
	for _, p := range t.parts {
		switch {
		case p == m.Part:
			page = true
		case !seen[p]:
			seen[p] = true
			m.Parts = append(m.Parts, p)
		}
	}
	return page
}

// answer takes what the archive writes, up to a bound.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
	room   int
	cut    bool
}

// Header gives the header that will be sent.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader sets the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
}

// Write takes a piece of the body. One that has no room any more ends the answer.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if len(b) > a.room-a.body.Len() {
		a.cut = true
		n, _ := a.body.Write(b[:a.room-a.body.Len()])
		return n, io.ErrShortWrite
	}
	return a.body.Write(b)
}

// response is the answer as bytes of the wire.
func (a *answer) response(when time.Time) (*collect.Response, error) {
	a.WriteHeader(http.StatusOK)
	a.header.Del("Content-Length") // the head says below how long what is there is
	var raw bytes.Buffer
	fmt.Fprintf(&raw, "HTTP/1.1 %d %s\r\n", a.status, http.StatusText(a.status))
	if err := a.header.Write(&raw); err != nil {
		return nil, err
	}
	fmt.Fprintf(&raw, "Content-Length: %d\r\n\r\n", a.body.Len())
	head := make(wire.Header, 0, len(a.header))
	for name, values := range a.header {
		for _, v := range values {
			head = append(head, wire.Field{Name: name, Value: v})
		}
	}
	raw.Write(a.body.Bytes())
	return &collect.Response{Status: a.status, Header: head, Raw: io.NopCloser(&raw), Size: int64(raw.Len()), Truncated: a.cut, Cached: true, Date: when}, nil
}
