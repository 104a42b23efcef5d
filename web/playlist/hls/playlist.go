package hls

import (
	"fmt"
	"time"
)

// Playlist is a play list: multivariant if it has variants or renditions, else of segments.
type Playlist struct {
	URL        string
	Version    int
	Variants   []Variant
	Renditions []Rendition
	Trick      []Variant // lists of key frames or pictures, for winding
	Others     []string  // further files that it names: session keys and data

	Target        time.Duration // the longest segment
	Sequence      uint64        // of the first segment
	Discontinuity uint64        // number of the discontinuities before the first segment
	Kind          string        // VOD, EVENT or empty
	Ended         bool          // no more segments will come
	Segments      []Segment
	Parts         []Resource // pieces of a segment that is not whole yet

	Problems []Problem // what was forgiven
	Cut      bool      // a limit was reached, so there is more than is told here
}

// Multivariant tells whether the list names other lists.
func (p *Playlist) Multivariant() bool {
	return len(p.Variants) > 0 || len(p.Renditions) > 0 && len(p.Segments) == 0
}

// Duration is the time that its segments take.
func (p *Playlist) Duration() (sum time.Duration) {
	for i := range p.Segments {
		sum += p.Segments[i].Duration
	}
	return sum
}

// Resource is a file, or a range of one.
type Resource struct {
	URL    string
	Offset int64 // of the range
	Length int64 // of the range; 0: the whole file
}

// Segment is one piece of a stream.
type Segment struct {
	Resource
	Sequence      uint64
	Duration      time.Duration
	Title         string
	Map           *Resource // what comes before it; shared by the segments that have it
	Keys          []Key     // one per key system; shared
	Discontinuity bool      // it does not go on where the one before ended
	Gap           bool      // the server says it is not there
	Date          time.Time // of its first picture, where told
}

// Key says how segments are encrypted.
type Key struct {
	Method string // NONE, AES-128, SAMPLE-AES, ...
	URL    string // of the key; may be of a scheme that nobody fetches
	IV     string // as written
	Format string // of the key; empty is identity
	raw    string // the attributes as written, variables put in
}

// Variant is one version of the whole programme.
type Variant struct {
	URL        string
	Bandwidth  int64 // bits per second at most
	Average    int64 // bits per second; 0: not told
	Codecs     string
	Width      int
	Height     int
	FrameRate  float64
	Audio      string // names of groups of renditions
	Video      string
	Subtitles  string
	Captions   string
	Line       int
	PathwayID  string
	Resolution string // as written
}

// Rendition is an alternative that goes with variants.
type Rendition struct {
	Kind     string // AUDIO, VIDEO, SUBTITLES, CLOSED-CAPTIONS
	URL      string // empty: it is in the variant itself
	Group    string
	Language string
	Name     string
	Default  bool
	Auto     bool
	Forced   bool
	Line     int
}

// Problem is something that the standard forbids and that was understood all the same.
type Problem struct {
	Line int
	What string
}

// String gives the problem with its line.
func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.What) }

// Limits bound what a list may cost. Zero fields mean the defaults.
type Limits struct {
	Line      int // bytes of one line; 64 KiB
	Segments  int // 200,000
	Variants  int // variants and renditions together; 1000
	Variables int // 64
	Problems  int // told; 100
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		to    *int
		value int
	}{{&l.Line, 64 << 10}, {&l.Segments, 200_000}, {&l.Variants, 1000}, {&l.Variables, 64}, {&l.Problems, 100}} {
		if *d.to <= 0 {
			*d.to = d.value
		}
	}
	return l
}
