package frontier

// filter answers "surely new" or "look it up" for hashed keys: a split block Bloom filter.
//
// A key belongs to one block of 256 bits (32 bytes, so one cache line is touched) and sets one
// bit in each of its eight words; it is surely new when one of its eight bits is not set. With 12
// bits per key about one new key in 200 is looked up for nothing, with 10 about one in 80, with 6
// about one in 10; past that the filter still is right, only less useful.
//
// It grows by stages so that a small crawl stays small: the first stage has 256 KiB, each next
// one four times as much while the bound allows, and the last takes what is left. Keys go into
// the newest stage, questions to all of them.
type filter struct {
	stages []stage
	bound  int64 // bytes of all stages together
	used   int64
}

type stage struct {
	blocks []block
	free   func()
	keys   int
	room   int // keys until the next stage is begun
}

type block [8]uint32

const (
	blockBytes     = 32
	bitsPerKey     = 12
	firstStage     = 256 << 10
	stageGrowth    = 4
	keysPerBlock16 = blockBytes * 8 * 16 / bitsPerKey // keys per 16 blocks
)

// salts are odd constants that spread one 32-bit hash into eight independent bit numbers; those
// of the Parquet specification's split block Bloom filter.
var salts = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
	0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// newFilter makes a filter that takes at most bound bytes, with room for the keys expected.
func newFilter(bound, expected int64) *filter {
	f := &filter{bound: bound}
	want := max(expected*bitsPerKey/8*5/4, firstStage)
	f.grow(want)
	return f
}

// grow begins a stage of about want bytes; it tells false when the bound leaves no room for one
// of at least half of that.
func (f *filter) grow(want int64) bool {
	size := min(want, f.bound-f.used) / blockBytes
	if size == 0 || len(f.stages) > 0 && size*blockBytes < want/2 {
		return false
	}
	f.used += size * blockBytes
	blocks, free := newBlocks(size)
	f.stages = append(f.stages, stage{blocks: blocks, free: free, room: int(size * keysPerBlock16 / 16)})
	return true
}

// close gives the memory back. Nothing may be asked or added any more.
func (f *filter) close() {
	for _, s := range f.stages {
		s.free()
	}
	f.stages = nil
}

func (f *filter) add(h uint64) {
	s := &f.stages[len(f.stages)-1]
	if s.keys >= s.room {
		if f.grow(int64(len(s.blocks)) * blockBytes * stageGrowth) {
			s = &f.stages[len(f.stages)-1]
		} else if rest := f.bound - f.used; rest >= firstStage && f.grow(rest) {
			s = &f.stages[len(f.stages)-1]
		}
	}
	s.keys++
	b := &s.blocks[s.index(h)]
	for i, salt := range salts {
		b[i] |= 1 << (uint32(h) * salt >> 27)
	}
}

// surelyNew tells that h was never added.
func (f *filter) surelyNew(h uint64) bool {
	for i := range f.stages {
		if f.stages[i].has(h) {
			return false
		}
	}
	return true
}

func (s *stage) has(h uint64) bool {
	b := &s.blocks[s.index(h)]
	for i, salt := range salts {
		if b[i]&(1<<(uint32(h)*salt>>27)) == 0 {
			return false
		}
	}
	return true
}

// index maps the upper half of the hash evenly to the blocks without a division.
func (s *stage) index(h uint64) uint64 { return (h >> 32) * uint64(len(s.blocks)) >> 32 }
