package dash

import "time"

// Manifest is an MPD.
type Manifest struct {
	URL       string
	Live      bool          // type="dynamic"
	Start     time.Time     // availabilityStartTime
	End       time.Time     // availabilityEndTime; zero: not told
	Duration  time.Duration // of the whole presentation; 0: not told
	Refresh   time.Duration // minimumUpdatePeriod; of live ones 0 is: with each segment
	Refreshed bool          // Refresh is told; else the manifest stays as it is
	Window    time.Duration // timeShiftBufferDepth; 0: from the start
	Locations []string      // where to ask next time
	Patches   []string      // where to ask for what has changed
	Remote    []string      // elements that are to be fetched (xlink)
	Others    []string      // further files that it names: indexes of segments, what switches bit streams
	Periods   []Period
	Cut       bool // a limit was reached
	Lost      int  // how many elements it left out
}

// Period is a stretch of the presentation.
type Period struct {
	ID       string
	Start    time.Duration
	Duration time.Duration // 0: not told
	Sets     []Set
}

// Set is what a player chooses one representation of.
type Set struct {
	ID        string
	Kind      string // video, audio, text, image; empty: not known
	MIME      string
	Codecs    string
	Language  string
	Protected bool // it is encrypted by a key system
	Reps      []Representation
}

// Representation is a stream.
type Representation struct {
	ID        string
	Bandwidth int64 // bits per second
	Width     int
	Height    int
	MIME      string
	Codecs    string
	Base      string // what its addresses are relative to, and the file if it has no segments
	Named     bool   // Base is of a BaseURL of its own
	plan      plan
	period    stretch
	live      liveness
}

// stretch is when a period is: what the numbers of segments depend on.
type stretch struct{ start, duration time.Duration }

// liveness is when segments are there.
type liveness struct {
	on     bool
	start  time.Time
	window time.Duration
}

// Resource is a file, or a range of one.
type Resource struct {
	URL    string
	Offset int64
	Length int64 // 0: the whole file
}

// Segment is one piece of a representation.
type Segment struct {
	Resource
	Number   int64
	Time     int64 // in ticks of Timescale
	Ticks    int64 // how long, in ticks; 0: not known
	Duration time.Duration
}

// Limits bound what a manifest may cost. Zero fields mean the defaults.
type Limits struct {
	Elements int // 200,000
	Depth    int // 64
	Segments int // of one representation; 200,000
	Runs     int // S elements of one timeline; 100,000
	Reps     int // representations of a manifest; 2000
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		to    *int
		value int
	}{{&l.Elements, 200_000}, {&l.Depth, 64}, {&l.Segments, 200_000}, {&l.Runs, 100_000}, {&l.Reps, 2000}} {
		if *d.to <= 0 {
			*d.to = d.value
		}
	}
	return l
}
