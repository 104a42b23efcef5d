package fetch

import (
	"net/netip"
	"time"

	"varve/web/wire"
)

// Exchange is one request and what came back. It is given out also when the fetch failed, with
// what there was until then. Release frees its buffers.
type Exchange struct {
	RequestBytes []byte // as sent, without the proxy's own credentials; valid until Release
	Response     Spool  // head and raw body as received

	Head     wire.Head // zero if no whole head came
	HeadSize int       // bytes of the head in Response
	BodySize int64     // bytes of the raw body in Response
	Trailers wire.Header
	Interim  []wire.Head // 1xx heads that came before; not in Response
	Extra    int         // bytes seen behind the end of the message; not in Response

	PayloadSize int64 // body without chunked framing
	Digests     Digests
	Truncated   Reason   // why the body ends early
	Notes       []string // what was odd about the message

	Protocol string         // "http/1.1", "http/1.0", "h2"
	Remote   netip.AddrPort // the address connected to; the proxy's where there is one
	Reused   bool           // the connection had carried a request before
	TLS      *TLSInfo       // nil for plain connections
	DNS      *Answer        // the answer that gave the address; nil for literal addresses and proxies
	Timings  Timings

	client *Client
	pieces *pieces
	chunks bool // the raw body is in chunks
}

// Timings say when a fetch began and how long its phases took. Phases that a kept connection
// spared are zero.
type Timings struct {
	Start     time.Time
	DNS       time.Duration // lookup
	Connect   time.Duration // all attempts to connect, and the proxy's greeting
	TLS       time.Duration // handshake
	Write     time.Duration // sending the request
	FirstByte time.Duration // from the request sent to the first byte back
	Total     time.Duration // from Start to the last byte
}

// pieces are the parts of an exchange that are reused.
type pieces struct {
	request []byte
	tally   *tally
}

// newExchange takes buffers from the pools.
func (c *Client) newExchange() *Exchange {
	p, ok := c.pieces.Get().(*pieces)
	if !ok {
		p = &pieces{request: make([]byte, 0, 1<<10), tally: newTally()}
	}
	p.tally.reset()
	x := &Exchange{
		client: c, pieces: p,
		Response: Spool{bound: c.cfg.Memory, pool: &c.buffers, dir: c.cfg.SpoolDir},
	}
	x.Response.reset()
	return x
}

// maxKeptRequest is the largest request whose buffer is kept for the next one.
const maxKeptRequest = 16 << 10

// Release gives buffers and temporary files back. What the Exchange points to must not be used
// after it; Head, digests and timings stay good.
func (x *Exchange) Release() error {
	if x.pieces == nil {
		return nil
	}
	if cap(x.RequestBytes) <= maxKeptRequest {
		x.pieces.request = x.RequestBytes[:0]
	}
	x.client.pieces.Put(x.pieces)
	x.pieces, x.RequestBytes = nil, nil
	return x.Response.Close()
}

// note remembers something odd.
func (x *Exchange) note(what string) { x.Notes = append(x.Notes, what) }
