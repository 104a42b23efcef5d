package fetch

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"varve/web/wire"
)

// receive reads the answer into the exchange and tells whether the connection can be kept.
func (k *call) receive(sent time.Time) (keep bool, err error) {
	span, err := k.readHead(sent)
	if err != nil {
		return false, err
	}
	x := k.x
	x.Protocol = protocolName(x.Head.Proto)
	if k.req.Jar != nil {
		k.req.Jar.store(k.req.URL, x.Head.Header)
	}
	f, keep := frame(k.req.method(), &x.Head, x.note)
	k.cn.idle = idleTime(&x.Head)
	_, _ = x.pieces.tally.block.Write(x.Response.mem[:x.HeadSize])
	if err := k.showHead(); err != nil {
		x.Response.dropBack(len(x.Response.mem) - x.HeadSize)
		return false, err
	}
	b := body{call: k, framing: f}
	if err := b.read(span); err != nil {
		return false, err
	}
	return keep && x.Extra == 0 && k.readErr == nil && f.kind == b.kind, nil
}

// showHead asks the caller whether it wants the body, and how much of it.
func (k *call) showHead() error {
	if k.req.Head == nil {
		return nil
	}
	most, wanted := k.req.Head(&k.x.Head)
	if !wanted {
		return faultf(Declined, "the body was not wanted")
	}
	if most > 0 {
		k.limits.Body = min(k.limits.Body, most)
	}
	return nil
}

// protocolName writes a version as WARC-Protocol has it.
func protocolName(proto string) string {
	switch proto {
	case "HTTP/1.1":
		return "http/1.1"
	case "HTTP/1.0":
		return "http/1.0"
	}
	return strings.ToLower(proto)
}

// readHead reads until the final head is there and gives the bytes that came behind it. Interim
// heads (1xx) and empty lines before it are taken out of the spool.
func (k *call) readHead(sent time.Time) (rest []byte, err error) {
	x, sp := k.x, &k.x.Response
	wait, class, seen := k.client.cfg.Timeouts.FirstByte, HeadTimeout, 0
	for {
		size := 0
		if len(sp.mem) > 0 {
			if size, err = k.headSize(seen); err != nil {
				return nil, err
			}
		}
		if size > 0 {
			done, err := k.takeHead(size)
			if err != nil || done {
				return sp.mem[x.HeadSize:], err
			}
			seen = 0
			continue
		}
		seen = len(sp.mem)
		span, err := k.fill(wait, class)
		if err != nil {
			return nil, err
		}
		if !k.began {
			k.began = true
			x.Timings.FirstByte = k.client.cfg.Clock.Now().Sub(sent)
			wait, class = k.client.cfg.Timeouts.Idle, IdleTimeout
			k.pace.start(k.limits, len(span))
		}
	}
}

// headSize looks for the end of the head in the spool, of which the first seen bytes have been
// searched; 0 means read on. What cannot become a head is refused at once.
func (k *call) headSize(seen int) (int, error) {
	sp := &k.x.Response
	if blank := leadingBlank(sp.mem); blank > 0 {
		if k.blank == 0 {
			k.x.note("empty lines before the status line")
		}
		if k.blank += blank; k.blank > maxBlank {
			return 0, faultf(Protocol, "over %d empty lines before the status line", maxBlank/2)
		}
		sp.dropFront(blank)
		seen = 0
	}
	if !mayBeHead(sp.mem) {
		return 0, faultf(Protocol, "answer starts with %q", sp.mem[:min(len(sp.mem), 40)])
	}
	from := max(seen-2, 0) // the blank line may have begun in the bytes searched
	if n := wire.HeadEnd(sp.mem[from:]); n > 0 && from+n <= k.limits.Head {
		return from + n, nil
	} else if n > 0 || len(sp.mem) > k.limits.Head {
		return 0, faultf(HeadLarge, "over %d bytes", k.limits.Head)
	}
	return 0, nil
}

// maxBlank bounds the bytes of empty lines before a status line.
const maxBlank = 32

// leadingBlank counts the line ends that some servers send after an earlier body.
func leadingBlank(b []byte) int {
	n := 0
	for n < len(b) && (b[n] == '\r' || b[n] == '\n') {
		n++
	}
	return n
}

// mayBeHead tells whether b is, or is the beginning of, a status line.
func mayBeHead(b []byte) bool {
	for _, start := range [...]string{"HTTP/", "ICY "} {
		n := min(len(b), len(start))
		if string(b[:n]) == start[:n] {
			return true
		}
	}
	return false
}

// errUpgrade is returned for a switch of protocols that nobody asked for.
var errUpgrade = errors.New("101 Switching Protocols was not asked for")

// takeHead parses the head; an interim one is put aside and done is false.
func (k *call) takeHead(size int) (done bool, err error) {
	x, sp := k.x, &k.x.Response
	head, err := wire.ParseHead(sp.mem[:size])
	switch {
	case err != nil:
		return false, as(Protocol, err)
	case head.Status < 100:
		return false, faultf(Protocol, "status %d", head.Status)
	case head.Status == 101:
		return false, as(Protocol, errUpgrade)
	case head.Status > 199:
		x.Head, x.HeadSize = head, size
		if !bytes.HasSuffix(sp.mem[:size], crlf2) {
			x.note("lines of the head end with LF alone")
		}
		return true, nil
	}
	x.Interim = append(x.Interim, head)
	if len(x.Interim) > k.limits.Interim {
		return false, faultf(Protocol, "more than %d interim answers", k.limits.Interim)
	}
	sp.dropFront(size)
	return false, nil
}

// crlf2 ends a head written as the standard says.
var crlf2 = []byte("\r\n\r\n")
