package fetch

import (
	"errors"
)

// body reads the raw body of one answer.
type body struct {
	*call
	framing
	more bool // the body goes on beyond the limit
}

// read takes the span that came with the head and reads on until the body ends.
func (b *body) read(span []byte) error {
	b.x.chunks = b.kind == byChunks
	span = b.reserve(span)
	for {
		done, err := b.take(span)
		if err != nil || done {
			return err
		}
		span, err = b.fill(b.client.cfg.Timeouts.Idle, IdleTimeout)
		if len(span) == 0 && err != nil {
			return b.end(err)
		}
		if err != nil { // too slow: keep the bytes all the same
			_, _ = b.take(span)
			return err
		}
	}
}

// reserve makes room for a body of known length in one step. It returns the span where it lies now: the buffer that it was in belongs to
// another fetch from then on.
func (b *body) reserve(span []byte) []byte {
	sp := &b.x.Response
	if need := int64(b.x.HeadSize) + b.size + 1; b.kind == byLength && need > int64(cap(sp.mem)) && need <= int64(sp.bound) {
		sp.grow(int(need))
	}
	return sp.mem[len(sp.mem)-len(span):]
}

// take counts and hashes a span that lies at the end of the spool. What is behind the message, or
// over the limit, is taken out of the spool again.
func (b *body) take(span []byte) (done bool, err error) {
	x := b.x
	if over := x.BodySize + int64(len(span)) - b.limits.Body; over > 0 && b.kind != noBody {
		b.more = b.limits.Body < b.size || b.kind != byLength
		if b.more {
			span = span[:int64(len(span))-over]
			x.Response.dropBack(int(over))
		}
	}
	used, done, err := b.split(span)
	if err == nil {
		if x.Extra = len(span) - used; x.Extra > 0 {
			x.note("bytes behind the end of the message")
		}
		x.Response.dropBack(x.Extra)
	} else {
		used = len(span) // malformed framing: what came is kept as it is
	}
	_, _ = x.pieces.tally.block.Write(span[:used])
	x.BodySize += int64(used)
	if err == nil && !done && b.more {
		err = faultf(BodyLarge, "over %d bytes", b.limits.Body)
	}
	return done, err
}

// split finds how many bytes of the span belong to the body, and hands on its payload.
func (b *body) split(span []byte) (used int, done bool, err error) {
	t := b.x.pieces.tally
	switch b.kind {
	case noBody:
		return 0, true, nil
	case byLength:
		used = int(min(int64(len(span)), b.size-b.x.BodySize))
		t.payload(span[:used])
		return used, b.x.BodySize+int64(used) == b.size, nil
	case byChunks:
		return b.splitChunks(span)
	}
	t.payload(span)
	return len(span), false, nil
}

func (b *body) splitChunks(span []byte) (used int, done bool, err error) {
	t := b.x.pieces.tally
	used, err = t.chunks.Feed(span, t.onSpan)
	if err != nil && !t.chunks.Started() {
		return len(span), false, b.unchunk(span)
	}
	if err != nil {
		return used, false, as(Protocol, err)
	}
	if done = t.chunks.Done(); done {
		b.x.Trailers = t.chunks.Trailers()
	}
	return used, done, nil
}

// unchunk meets a body that is announced as chunked and is not: it goes to the end of the
// connection, and the bytes before this span, taken for a chunk size, are payload too.
func (b *body) unchunk(span []byte) error {
	b.x.note("announced as chunked, but not in chunks")
	b.kind, b.x.chunks = byClose, false
	t := b.x.pieces.tally
	buf := make([]byte, 4<<10)
	for off, end := int64(b.x.HeadSize), int64(b.x.HeadSize)+b.x.BodySize; off < end; {
		n, err := b.x.Response.ReadAt(buf[:min(int64(len(buf)), end-off)], off)
		if err != nil {
			return as(Local, err)
		}
		t.payload(buf[:n])
		off += int64(n)
	}
	t.payload(span)
	return nil
}

// end judges a body that stopped: that is how some end.
func (b *body) end(err error) error {
	class := classIn(err)
	switch {
	case b.kind == byClose && class == Disconnect:
		return nil
	case b.kind == byChunks && class == Disconnect && !b.x.pieces.tally.chunks.Started():
		return b.unchunk(nil)
	case b.kind == byLength && b.other >= 0 && b.x.BodySize == b.other && (class == Disconnect || class == IdleTimeout):
		return nil
	case b.kind == byLength && class == Disconnect:
		return faultf(Disconnect, "%d of %d bytes: %w", b.x.BodySize, b.size, errors.Unwrap(err))
	}
	return err
}
