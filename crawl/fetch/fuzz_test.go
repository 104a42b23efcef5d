package fetch

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"
)

// cannedConn answers with fixed bytes, in pieces, and then hangs up.
type cannedConn struct {
	net.Conn
	data   []byte
	piece  int
	closed bool
}

func (c *cannedConn) Read(p []byte) (int, error) {
	if len(c.data) == 0 || c.closed {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.piece)], c.data)
	c.data = c.data[n:]
	return n, nil
}

func (c *cannedConn) Write(p []byte) (int, error)      { return len(p), nil }
func (c *cannedConn) Close() error                     { c.closed = true; return nil }
func (c *cannedConn) SetReadDeadline(time.Time) error  { return nil }
func (c *cannedConn) SetWriteDeadline(time.Time) error { return nil }

type cannedDialer struct{ *cannedConn }

func (d cannedDialer) DialContext(context.Context, string, string) (net.Conn, error) {
	return d.cannedConn, nil
}

// FuzzResponse reads arbitrary bytes as an answer. Whatever comes: no panic, bounded size, digests
// and sizes that agree with the bytes, and a connection that is closed or kept, never lost.
func FuzzResponse(f *testing.F) {
	for _, a := range answers {
		if s := sent(a.steps); len(s) < 1<<12 {
			f.Add([]byte(s), uint16(1000), a.method == "HEAD")
			f.Add([]byte(s), uint16(1), false)
		}
	}
	const bodyLimit = 4 << 10
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, piece uint16, head bool) {
		conn := &cannedConn{data: data, piece: int(piece) + 1}
		c, err := New(Config{
			Dialer: cannedDialer{conn}, SpoolDir: dir, Memory: minMemory,
			Limits: Limits{Head: 1 << 10, Body: bodyLimit, Interim: 2},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.h2.set("192.0.32.7", 80, false)
		r := &Request{URL: testURL}
		if head {
			r.Method = "HEAD"
		}
		x, err := c.Fetch(t.Context(), r)
		checkExchange(t, x, err, data, bodyLimit)
		if kept := c.pool.count == 1; kept == conn.closed || kept && (err != nil || len(conn.data) > 0 && x.Extra > 0) {
			t.Errorf("kept %v, closed %v, error %v", kept, conn.closed, err)
		}
		if err := x.Release(); err != nil {
			t.Error(err)
		}
	})
}

func checkExchange(t *testing.T, x *Exchange, err error, data []byte, bodyLimit int64) {
	t.Helper()
	all := []byte(response(t, x))
	if !bytes.Contains(data, all) {
		t.Errorf("recorded %q of %q", all, data)
	}
	if x.Head.Status == 0 {
		if err == nil || x.Truncated != Whole {
			t.Errorf("no head, error %v, truncated %q", err, x.Truncated)
		}
		return
	}
	if (err == nil) != (x.Truncated == Whole) {
		t.Errorf("error %v, truncated %q", err, x.Truncated)
	}
	if int64(len(all)) != int64(x.HeadSize)+x.BodySize || x.BodySize > bodyLimit {
		t.Errorf("%d bytes, head %d, body %d", len(all), x.HeadSize, x.BodySize)
	}
	payload, rerr := io.ReadAll(x.Payload())
	if err == nil && rerr != nil || int64(len(payload)) != x.PayloadSize && rerr == nil {
		t.Errorf("payload %d bytes, %v; counted %d", len(payload), rerr, x.PayloadSize)
	}
	if err == nil && digestsOf(string(all), string(payload)) != x.Digests {
		t.Error("digests differ")
	}
	if b, aerr := x.AppendContent(nil, 100); len(b) > 100 || aerr == nil && len(x.Head.Codings()) == 0 && rerr == nil && !bytes.Equal(b, payload) {
		t.Errorf("append: %d bytes, %v", len(b), aerr)
	}
}
