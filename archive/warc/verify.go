package warc

import (
	"errors"
	"fmt"
	"hash"

	"varve/web/wire"
)

// maxHTTPHead is the longest HTTP head that is parsed.
const maxHTTPHead = 1 << 20

// verifier hashes a block as it streams by and holds the sums against the header. "Payload" has
// two readings in use (with and without chunk framing); for chunked bodies both are hashed and
// either is right.
type verifier struct {
	blocks, raws, dechunkeds hashPool

	block, raw, dechunked hash.Hash // nil when not wanted
	wantBlock             DigestValue
	wantPayload           DigestValue

	http     bool // the block holds an HTTP head before its payload
	inHead   bool
	head     []byte
	noHead   bool // it should have one, but has none
	chunks   wire.Dechunker
	chunkErr error
	sum      [64]byte
}

func newVerifier() *verifier {
	return &verifier{blocks: hashPool{}, raws: hashPool{}, dechunkeds: hashPool{}}
}

// start prepares for a record. Digests that cannot be read are told at the end, by check.
func (v *verifier) start(rec *Record) {
	v.block, v.raw, v.dechunked = nil, nil, nil
	v.wantBlock, v.wantPayload = DigestValue{}, DigestValue{}
	v.head, v.noHead, v.chunkErr = v.head[:0], false, nil
	if d, err := ParseDigest(rec.Header.Get(FieldBlockDigest)); err == nil {
		v.wantBlock, v.block = d, v.blocks.get(d.Algorithm)
	}
	v.http = rec.IsHTTP()
	v.inHead = v.http
	if payloadIsElsewhere(rec) {
		return
	}
	if d, err := ParseDigest(rec.Header.Get(FieldPayloadDigest)); err == nil {
		v.wantPayload, v.raw = d, v.raws.get(d.Algorithm)
	}
}

// payloadIsElsewhere tells records whose payload digest is of bytes that are not in their block, or not
// known to be: what the payload of a type of an extension is, only the extension says.
func payloadIsElsewhere(rec *Record) bool {
	kind := rec.Type()
	return kind == TypeRevisit || rec.Header.Has(FieldSegmentNumber) || typeOf(kind) == inUnknown
}

func (v *verifier) feed(p []byte) {
	if v.block != nil {
		v.block.Write(p)
	}
	if v.inHead {
		p = v.feedHead(p)
	}
	if v.raw == nil || len(p) == 0 {
		return
	}
	v.raw.Write(p)
	if v.dechunked != nil && v.chunkErr == nil {
		_, v.chunkErr = v.chunks.Feed(p, func(span []byte) { v.dechunked.Write(span) })
	}
}

// feedHead collects the HTTP head and gives back what belongs to the body.
func (v *verifier) feedHead(p []byte) []byte {
	had := len(v.head)
	v.head = append(v.head, p[:min(len(p), maxHTTPHead-had)]...)
	if !startsHTTP(v.head) {
		v.inHead, v.noHead = false, true
		return v.replayHead(p, had)
	}
	end := wire.HeadEnd(v.head)
	if end < 0 {
		if len(v.head) >= maxHTTPHead {
			v.inHead, v.noHead = false, true
		}
		return nil
	}
	v.inHead = false
	if v.raw != nil && wire.SaysChunked(v.head[:end]) {
		v.dechunked = v.dechunkeds.get(v.wantPayload.Algorithm)
		v.chunks = wire.Dechunker{}
	}
	return p[end-had:]
}

// replayHead gives the bytes kept so far to the payload, since they turned out not to be a head.
func (v *verifier) replayHead(p []byte, had int) []byte {
	if v.raw != nil {
		v.raw.Write(v.head[:had])
	}
	return p
}

// startsHTTP tells whether b may be the start of an HTTP message.
func startsHTTP(b []byte) bool {
	const status = "HTTP/"
	if len(b) <= len(status) {
		return string(b) == status[:len(b)] || isUpper(b)
	}
	if string(b[:len(status)]) == status {
		return true
	}
	for i, c := range b[:min(len(b), 24)] {
		if c == ' ' {
			return i > 0
		}
		if !isUpper(b[i:i+1]) && c != '-' && c != '_' {
			return false
		}
	}
	return len(b) < 24
}

func isUpper(b []byte) bool {
	for _, c := range b {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// check compares the sums with the header at the end of a sound block.
func (v *verifier) check(r *Reader) {
	h := r.rec.Header
	if text := h.Get(FieldBlockDigest); text != "" && !v.matches(v.block, v.wantBlock) {
		v.mismatch(r, RuleBlockDigest, "block", text, v.block)
	}
	if v.http && (v.noHead || v.inHead) && r.rec.Type() != TypeRevisit {
		v.tellHTTP(r)
	}
	text := h.Get(FieldPayloadDigest)
	if text == "" {
		return
	}
	if payloadIsElsewhere(&r.rec) {
		if _, err := ParseDigest(text); err != nil {
			v.mismatch(r, RulePayloadDigest, "payload", text, nil)
		}
		return
	}
	switch {
	case v.matches(v.raw, v.wantPayload):
		r.rec.payload = PayloadRaw
	case v.dechunked != nil && v.matches(v.dechunked, v.wantPayload):
		r.rec.payload = PayloadUnframed
	default:
		v.mismatch(r, RulePayloadDigest, "payload", text, v.raw)
	}
}

// tellHTTP tells what keeps a block from holding an HTTP message. The standard only recommends one, and
// lets writers keep what came when it was none (6.3.2).
func (v *verifier) tellHTTP(r *Reader) {
	clause := ""
	switch {
	case r.arc != nil:
	case r.rec.Type() == TypeResponse:
		clause = "6.3.2"
	default:
		clause = "6.5.2"
	}
	what := "the block should hold an HTTP message and does not start like one"
	switch {
	case len(v.head) == 0:
		what = "the block should hold an HTTP message and is empty"
	case !v.noHead:
		what = "the head of the HTTP message in the block has no empty line at its end"
	}
	r.findAt(Advice, RuleHTTP, clause, what)
}

func (v *verifier) matches(h hash.Hash, want DigestValue) bool {
	return h != nil && string(h.Sum(v.sum[:0])) == want.Sum
}

func (v *verifier) mismatch(r *Reader, rule Rule, what, text string, h hash.Hash) {
	clause := "5.8"
	if rule == RulePayloadDigest {
		clause = "5.9"
	}
	d, err := ParseDigest(text)
	switch {
	case errors.Is(err, errAlgorithm):
		r.findAt(Advice, RuleDigestUnknown, clause, what+" "+err.Error())
	case err != nil:
		r.findAt(Digest, RuleDigestForm, clause, what+" "+err.Error())
	case h == nil:
		r.find(Digest, rule, what+" digest could not be computed")
	default:
		got := FormatDigest(d.Algorithm, h.Sum(v.sum[:0]))
		r.find(Digest, rule, fmt.Sprintf("%s digest is %s, the header says %s", what, got, clip(text)))
	}
}

// ErrNoHTTP is returned for a block that should hold an HTTP message and does not.
var ErrNoHTTP = errors.New("no HTTP message in the block")
