package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/web/wire"
)

// speakH2 sends the request over HTTP/2 and stores the answer as HTTP/1.1 text.
func (k *call) speakH2(c *conn) error {
	ctx, cancel := context.WithDeadlineCause(k.ctx, k.end, faultf(TotalTimeout, "no time left"))
	defer cancel()
	ctx, stall := context.WithCancelCause(ctx)
	defer stall(nil)
	timer := time.AfterFunc(k.client.cfg.Timeouts.FirstByte, func() { stall(faultf(HeadTimeout, "no answer")) })
	defer timer.Stop()

	req, err := k.h2Request(ctx)
	if err != nil {
		return as(BadRequest, err)
	}
	sent := k.client.cfg.Clock.Now()
	resp, err := c.h2.RoundTrip(req)
	if err != nil {
		return h2Fault(ctx, err)
	}
	defer resp.Body.Close()
	k.x.Timings.FirstByte = k.client.cfg.Clock.Now().Sub(sent)
	k.pace.start(k.limits, 0)
	if err := k.storeH2Head(resp); err != nil {
		return err
	}
	timer.Stop()
	if err := k.showHead(); err != nil {
		return err
	}
	return k.readH2Body(ctx, resp.Body, stall)
}

// h2Request gives the recorded request, which is text, to the library.
func (k *call) h2Request(ctx context.Context) (*http.Request, error) {
	head, err := wire.ParseHead(k.x.RequestBytes)
	if err != nil {
		return nil, err
	}
	host := string(k.target.appendAuthority(nil, false))
	u := &url.URL{Scheme: k.target.scheme(), Host: host, Opaque: "//" + host + k.target.Path} // opaque: nothing is re-encoded
	req := (&http.Request{Method: head.Method, URL: u, Host: host, Header: http.Header{}}).WithContext(ctx)
	for _, f := range head.Header {
		switch strings.ToLower(f.Name) {
		case "host", "connection", "content-length":
		default:
			req.Header[http.CanonicalHeaderKey(f.Name)] = append(req.Header.Values(f.Name), f.Value)
		}
	}
	if len(k.req.Body) > 0 {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(k.req.Body)), int64(len(k.req.Body))
	}
	return req, nil
}

// storeH2Head writes the head as text. The order of fields is not to be had, so they are sorted.
func (k *call) storeH2Head(resp *http.Response) error {
	x := k.x
	b := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\n", resp.StatusCode, http.StatusText(resp.StatusCode))
	names := make([]string, 0, len(resp.Header))
	for name := range resp.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range resp.Header[name] {
			b = append(append(append(append(b, strings.ToLower(name)...), ": "...), v...), "\r\n"...)
		}
	}
	b = append(b, "\r\n"...)
	head, err := wire.ParseHead(b)
	if err != nil {
		return as(Protocol, err)
	}
	if err := x.Response.write(b); err != nil {
		return as(Local, err)
	}
	x.Head, x.HeadSize, x.Protocol = head, len(b), "h2"
	_, _ = x.pieces.tally.block.Write(b)
	if k.req.Jar != nil {
		k.req.Jar.store(k.req.URL, head.Header)
	}
	return nil
}

// readH2Body reads the body into the spool under the same limits as on HTTP/1.1.
func (k *call) readH2Body(ctx context.Context, r io.Reader, stall func(error)) error {
	idle := time.AfterFunc(k.client.cfg.Timeouts.Idle, func() { stall(faultf(IdleTimeout, "no byte")) })
	defer idle.Stop()
	b := body{call: k, framing: framing{kind: byClose}}
	for {
		room, err := k.x.Response.room(minRoom)
		if err != nil {
			return as(Local, err)
		}
		n, err := r.Read(room)
		k.x.Response.added(n)
		if _, over := b.take(room[:n]); over != nil {
			return over
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return h2Fault(ctx, err)
		}
		if err := k.pace.add(n); err != nil {
			return err
		}
		idle.Reset(k.client.cfg.Timeouts.Idle)
	}
}

// h2Fault finds what ended the exchange: one of our deadlines, or the server.
func h2Fault(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); classIn(cause) != "" {
		return cause
	}
	if class := classIn(broken(err, IdleTimeout)); class == Reset {
		return as(Reset, err)
	}
	switch text := err.Error(); { // the library exports no values to compare with
	case strings.Contains(text, "header list larger"):
		return as(HeadLarge, err)
	case strings.Contains(text, "PROTOCOL_ERROR"), strings.Contains(text, "COMPRESSION_ERROR"):
		return as(Protocol, err)
	}
	return as(Disconnect, err)
}
