package fulltext

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
)

// ranked is a hit on its way: where it is, and what it is ranked by.
type ranked struct {
	shard int
	doc   uint32
	score float64 // shown
	rank  float64 // by which hits are ordered, highest first
}

// better orders hits.
func (a ranked) better(b ranked) bool {
	if a.rank != b.rank {
		return a.rank > b.rank
	}
	if a.shard != b.shard {
		return a.shard < b.shard
	}
	return a.doc < b.doc
}

// best is a heap with the worst hit on top.
type best []ranked

func (b best) Len() int           { return len(b) }
func (b best) Less(i, j int) bool { return b[j].better(b[i]) }
func (b best) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *best) Push(x any)        { *b = append(*b, x.(ranked)) }
func (b *best) Pop() any          { last := (*b)[len(*b)-1]; *b = (*b)[:len(*b)-1]; return last }

// A cursor is the rank and place of the last hit that was shown.
func (r ranked) cursor() string {
	b := binary.BigEndian.AppendUint64(nil, math.Float64bits(r.rank))
	b = binary.BigEndian.AppendUint32(b, uint32(r.shard))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, r.doc))
}

func parseCursor(s string) (*ranked, error) {
	if s == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 16 {
		return nil, errors.New("the cursor is none that an answer gave")
	}
	return &ranked{rank: math.Float64frombits(binary.BigEndian.Uint64(b)), shard: int(binary.BigEndian.Uint32(b[8:])), doc: binary.BigEndian.Uint32(b[12:])}, nil
}
