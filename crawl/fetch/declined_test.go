package fetch

import (
	"io"
	"net"
	"strings"
	"testing"

	"varve/web/wire"
)

// Who asks may look at the head first: of a body that is not wanted nothing is read, of one that may be long only so much.
func TestDeclined(t *testing.T) {
	body := strings.Repeat("x", 1<<20)
	plain := listen(t, func(_ int, c net.Conn) {
		_, _ = takeRequest(c)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"+body)
		c.Close()
	})
	h2 := quick()
	h2.Overrides = simTest(t, serveH2(t, nil, nil))
	for _, tt := range []struct {
		name, url string
		client    *Client
	}{
		{"http/1.1", "http://" + plain.String() + "/", newClient(t, quick())},
		{"h2", "http://www.sim.test/", newClient(t, h2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := ""
			x, err := get(t, tt.client, &Request{URL: tt.url, Head: func(h *wire.Head) (int64, bool) {
				seen = h.MediaType()
				return 0, false
			}})
			if ClassOf(err) != Declined || seen != "text/plain" || x.BodySize != 0 || x.Response.Size() != int64(x.HeadSize) {
				t.Errorf("%v, type %q, %d bytes of the body, %d in all", err, seen, x.BodySize, x.Response.Size())
			}
			x, err = get(t, tt.client, &Request{URL: tt.url, MaxBody: 100, Head: func(*wire.Head) (int64, bool) { return 10, true }})
			if ClassOf(err) != BodyLarge || x.BodySize != 10 {
				t.Errorf("%v, %d bytes", err, x.BodySize)
			}
			if x, _ = get(t, tt.client, &Request{URL: tt.url, MaxBody: 10, Head: func(*wire.Head) (int64, bool) { return 100, true }}); x.BodySize != 10 {
				t.Errorf("the limit of the request was lifted: %d bytes", x.BodySize)
			}
		})
	}
}
