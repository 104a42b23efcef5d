package frontier

import (
	"encoding/binary"
	"fmt"
	"math"
)

// seen is what the seen-set holds of a key without its outcome.
type seen struct {
	state State // Queued, Done or Dropped; Unseen when there is no record
	host  uint32
	pos   pos    // of Queued
	score score  // of Queued
	count uint32 // of Queued: how many scores went into score
}

func appendQueued(b []byte, s seen) []byte {
	b = binary.AppendUvarint(append(b, byte(Queued)), uint64(s.host))
	b = binary.AppendUvarint(append(b, byte(s.pos.hi>>rankBits)), s.pos.rank())
	b = binary.AppendUvarint(b, s.pos.lo)
	b = binary.AppendUvarint(b, uint64(s.score))
	return binary.AppendUvarint(b, uint64(s.count))
}

func appendDone(b []byte, host uint32, o *Outcome) []byte {
	b = binary.AppendUvarint(append(b, byte(Done)), uint64(host))
	failed := byte(0)
	if o.Failed {
		failed = 1
	}
	b = binary.AppendVarint(append(b, failed), int64(o.Status))
	b = binary.AppendUvarint(b, uint64(o.Size))
	b = appendTime(b, o.At)
	b = appendBytes(b, o.Digest)
	return appendBytes(b, o.Record)
}

func appendDropped(b []byte, host uint32, reason string) []byte {
	b = binary.AppendUvarint(append(b, byte(Dropped)), uint64(host))
	return appendString(b, reason)
}

// decodeSeen reads a seen record; outcome and reason are passed over.
func decodeSeen(v []byte) (seen, error) {
	r := reader{b: v}
	s := r.seen()
	if s.state != Queued {
		r.b = nil
	}
	return s, r.done("seen record")
}

// decodeSettled reads a seen record with its outcome or reason.
func decodeSettled(v []byte) (seen, Outcome, string, error) {
	r := reader{b: v}
	s := r.seen()
	var o Outcome
	var reason string
	switch s.state {
	case Done:
		o.Failed = r.byte() == 1
		o.Status = int(r.varint())
		size := r.uvarint()
		if size > math.MaxInt64 {
			r.fail(fmt.Errorf("size %d is too large", size))
		}
		o.Size, o.At = int64(size), r.time()
		o.Digest, o.Record = r.clone(), r.clone()
	case Dropped:
		reason = r.string()
	}
	return s, o, reason, r.done("seen record")
}

func (r *reader) seen() seen {
	s := seen{state: State(r.byte())}
	host := r.uvarint()
	if host > math.MaxUint32 {
		r.fail(fmt.Errorf("host number %d is too large", host))
	}
	s.host = uint32(host)
	switch s.state {
	case Queued:
		band, rank := r.byte(), r.uvarint()
		s.pos = makePos(band, rank, r.uvarint())
		s.score = score(min(r.uvarint(), scoreUnit))
		s.count = uint32(min(r.uvarint(), math.MaxUint32))
	case Done, Dropped:
	default:
		r.fail(fmt.Errorf("state %d is not known", s.state))
	}
	return s
}
