package frontier

import (
	"encoding/binary"
	"fmt"
	"math"

	"varve/archive/durable"
)

// seen is what the seen-set holds of a key without its outcome.
type seen struct {
	state State // Queued, Done or Dropped; Unseen when there is no record
	host  uint32
	pos   pos    // of Queued
	score score  // of Queued
	count uint32 // of Queued: how many scores went into score
	band  uint8  // of Dropped: the one it was in; a find for a more urgent one opens it again
}

// droppedIn is the state on disk of what was dropped since bands are kept with it. Before, it was that of Dropped.
const droppedIn = byte(Dropped) + 1

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
	b = durable.AppendTime(b, o.At)
	b = durable.AppendBytes(b, o.Digest)
	return durable.AppendBytes(b, o.Record)
}

func appendDropped(b []byte, host uint32, band uint8, reason string) []byte {
	b = binary.AppendUvarint(append(b, droppedIn), uint64(host))
	return durable.AppendString(append(b, band), reason)
}

// decodeSeen reads a seen record; outcome and reason are passed over.
func decodeSeen(v []byte) (seen, error) {
	r := durable.NewReader(v)
	s := readSeen(&r)
	if s.state != Queued {
		r.Skip()
	}
	return s, r.Done("seen record")
}

// decodeSettled reads a seen record with its outcome or reason.
func decodeSettled(v []byte) (seen, Outcome, string, error) {
	r := durable.NewReader(v)
	s := readSeen(&r)
	var o Outcome
	var reason string
	switch s.state {
	case Done:
		o.Failed = r.Byte() == 1
		o.Status = int(r.Varint())
		o.Size, o.At = r.Int64(), r.Time()
		o.Digest, o.Record = r.Bytes(), r.Bytes()
	case Dropped:
		reason = r.String()
	}
	return s, o, reason, r.Done("seen record")
}

// readSeen reads the part that all seen records have.
func readSeen(r *durable.Reader) seen {
	s := seen{state: State(r.Byte())}
	s.host = uint32(r.Upto(math.MaxUint32))
	switch s.state {
	case Queued:
		band, rank := r.Byte(), r.Uvarint()
		s.pos = makePos(band, rank, r.Uvarint())
		s.score = score(min(r.Uvarint(), scoreUnit))
		s.count = uint32(min(r.Uvarint(), math.MaxUint32))
	case Done, Dropped: // of Dropped no band is known: nothing opens it again
	case State(droppedIn):
		s.state, s.band = Dropped, r.Byte()
	default:
		r.Fail(fmt.Errorf("state %d is not known", s.state))
	}
	return s
}
