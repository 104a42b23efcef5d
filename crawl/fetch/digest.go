package fetch

import (
	"crypto/sha1"
	"crypto/sha256"
	"hash"

	"varve/web/wire"
)

// Digests are computed while the response streams in. The block is head and raw body as stored;
// the payload is the raw body without chunked framing, its content coding kept.
type Digests struct {
	BlockSHA1     [sha1.Size]byte
	PayloadSHA1   [sha1.Size]byte
	PayloadSHA256 [sha256.Size]byte
}

// tally hashes each span of a response once as block and once as payload. It is reused between
// fetches.
type tally struct {
	block, sha1, sha256 hash.Hash
	chunks              wire.Dechunker
	onSpan              func([]byte) // t.payload, bound once
	size                int64        // bytes of payload
}

func newTally() *tally {
	t := &tally{block: sha1.New(), sha1: sha1.New(), sha256: sha256.New()}
	t.onSpan = t.payload
	return t
}

func (t *tally) reset() {
	t.block.Reset()
	t.sha1.Reset()
	t.sha256.Reset()
	t.chunks = wire.Dechunker{}
	t.size = 0
}

// payload takes a span of payload. A hash never fails.
func (t *tally) payload(span []byte) {
	t.size += int64(len(span))
	_, _ = t.sha1.Write(span)
	_, _ = t.sha256.Write(span)
}

func (t *tally) sum(d *Digests) {
	t.block.Sum(d.BlockSHA1[:0])
	t.sha1.Sum(d.PayloadSHA1[:0])
	t.sha256.Sum(d.PayloadSHA256[:0])
}
