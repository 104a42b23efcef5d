package fetch

import (
	"crypto/sha1"
	"fmt"
	"hash"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// otherFetches is a hash during whose writes other fetches take buffers from the pool, fill them, and give them back.
type otherFetches struct {
	hash.Hash
	pool *bufferPool
}

func (o otherFetches) Write(p []byte) (int, error) {
	var taken []*buffer
	for range 8 {
		b := o.pool.get(1)
		copy(b.space, strings.Repeat("another answer ", len(b.space)/15+1))
		taken = append(taken, b)
	}
	for _, b := range taken {
		o.pool.put(b)
	}
	return o.Hash.Write(p)
}

// What is hashed of an answer lies in no buffer that was given back: an answer moves to a larger buffer when its length is known,
// or as it grows, and another fetch fills the smaller one meanwhile.
func TestDigestsOfMovedBuffers(t *testing.T) {
	for _, size := range []int{100, 30 << 10, 40 << 10, 100 << 10, 255 << 10, 600 << 10} {
		for _, framing := range []string{"length", "chunks", "close"} {
			t.Run(fmt.Sprintf("%s %d", framing, size), func(t *testing.T) {
				body := strings.Repeat("the answer ", size/11)
				head, tail := "HTTP/1.1 200 OK\r\n", ""
				switch framing {
				case "length":
					head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
				case "chunks":
					head += fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(body))
					tail = "\r\n0\r\n\r\n"
				default:
					head += "\r\n"
				}
				p := &pipes{serve: func(_ int, c net.Conn) {
					if _, err := takeRequest(c); err == nil {
						_, _ = io.WriteString(c, head+body+tail)
					}
				}}
				defer p.all.Wait()
				c := newClient(t, Config{Dialer: p})
				const tries = 5 // a sync.Pool may forget what it was given
				for range tries {
					tl := newTally()
					tl.block, tl.sha1 = otherFetches{sha1.New(), &c.buffers}, otherFetches{sha1.New(), &c.buffers}
					c.pieces = sync.Pool{New: func() any { return &pieces{tally: tl} }}
					x, err := c.Fetch(t.Context(), &Request{URL: testURL})
					if err != nil {
						t.Fatal(err)
					}
					if got := response(t, x); got != head+body+tail {
						t.Errorf("other bytes were kept: %d of %d", len(got), len(head+body+tail))
					}
					if x.Digests.BlockSHA1 != sha1.Sum([]byte(head+body+tail)) {
						t.Error("the digest of the block is of other bytes than were kept")
					}
					if x.Digests.PayloadSHA1 != sha1.Sum([]byte(body)) {
						t.Error("the digest of the payload is of other bytes than were kept")
					}
					if err := x.Release(); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}
