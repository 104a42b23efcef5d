package frontier

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"time"
)

// Order is the order in which the URLs of one host are given out. Bands come before it in all
// orders: no URL of band 1 is given out while the host has one of band 0.
type Order string

// The orders.
const (
	BestFirst    Order = "best-first"    // highest score first, the oldest among equals
	BestNewest   Order = "best-newest"   // highest score first, the newest among equals
	BreadthFirst Order = "breadth-first" // oldest first, whatever the score
	DepthFirst   Order = "depth-first"   // newest first, whatever the score
)

func (o Order) validate() error {
	switch o {
	case BestFirst, BestNewest, BreadthFirst, DepthFirst:
		return nil
	}
	return fmt.Errorf("frontier config: order %q is not one of %s, %s, %s, %s", string(o), BestFirst, BestNewest, BreadthFirst, DepthFirst)
}

func (o Order) byScore() bool { return o == BestFirst || o == BestNewest }
func (o Order) newest() bool  { return o == BestNewest || o == DepthFirst }

// pos is the place of an item in the queue of its host; smaller is given out earlier. hi holds
// band and rank (8 and 48 bits), lo the sequence number (48 bits, mirrored when the newest comes
// first). An item that must wait has lateBand added to its band and its time (Unix milliseconds) as
// rank, so that it lies behind everything that is ready, sorted by band and time.
type pos struct{ hi, lo uint64 }

const (
	lateBand = 0x80
	rankBits = 48
	rankMask = 1<<rankBits - 1
	maxSeq   = rankMask
	posLen   = 13
)

// lateStart lies before every item that waits and behind every item that is ready; queueEnd behind
// all of them.
var (
	lateStart = pos{hi: lateBand << rankBits}
	queueEnd  = pos{hi: ^uint64(0), lo: ^uint64(0)}
)

func (p pos) band() uint8   { return uint8(p.hi>>rankBits) &^ lateBand }
func (p pos) rank() uint64  { return p.hi & rankMask }
func (p pos) late() bool    { return p.hi >= lateStart.hi }
func (p pos) due() int64    { return int64(p.rank()) }
func (p pos) cmp(q pos) int { return cmp.Or(cmp.Compare(p.hi, q.hi), cmp.Compare(p.lo, q.lo)) }

// lateEnds gives places before and behind all items of a band that wait.
func lateEnds(band uint8) (start, end pos) {
	return makePos(lateBand|band, 0, 0), makePos(lateBand|band, rankMask, rankMask)
}

func makePos(band uint8, rank, seq uint64) pos {
	return pos{hi: uint64(band)<<rankBits | rank&rankMask, lo: seq & rankMask}
}

func appendPos(b []byte, p pos) []byte {
	b = append(b, byte(p.hi>>48), byte(p.hi>>40))
	b = binary.BigEndian.AppendUint32(b, uint32(p.hi>>8))
	b = append(b, byte(p.hi), byte(p.lo>>40), byte(p.lo>>32))
	return binary.BigEndian.AppendUint32(b, uint32(p.lo))
}

// decodePos reads what appendPos wrote; b has posLen bytes.
func decodePos(b []byte) pos {
	var hi, lo uint64
	for _, c := range b[:7] {
		hi = hi<<8 | uint64(c)
	}
	for _, c := range b[7:posLen] {
		lo = lo<<8 | uint64(c)
	}
	return pos{hi: hi, lo: lo}
}

// ranking turns band, score and sequence number into a place.
type ranking struct {
	order   Order
	buckets uint64
}

func (r ranking) bucket(s score) uint64 { return uint64(s) * r.buckets / scoreUnit }

func (r ranking) ready(band uint8, s score, seq uint64) pos {
	rank := uint64(0)
	if r.order.byScore() {
		rank = r.buckets - r.bucket(s)
	}
	return makePos(band, rank, r.seq(seq))
}

func (r ranking) wait(band uint8, at time.Time, seq uint64) pos {
	ms := min(max(at.UnixMilli(), 1), rankMask)
	return makePos(lateBand|band, uint64(ms), r.seq(seq))
}

func (r ranking) seq(n uint64) uint64 {
	if r.order.newest() {
		return maxSeq - n
	}
	return n
}

// moved keeps the sequence number of an item whose band or score changed.
func (r ranking) moved(old pos, band uint8, s score) pos {
	if old.late() {
		return makePos(lateBand|band, old.rank(), old.lo)
	}
	p := r.ready(band, s, 0)
	p.lo = old.lo
	return p
}
