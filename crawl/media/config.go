package media

import (
	"time"

	"varve/clock"
)

// Renditions says how much of a stream is taken.
type Renditions string

// The choices of renditions.
const (
	One Renditions = "one" // the best under the limits, its first sound, all subtitles
	All Renditions = "all" // every one
)

// Config says what is taken of streams. Zero fields mean the default named at the field.
type Config struct {
	Renditions Renditions    // One
	Height     int           // of pictures, at most, for One; 1080
	Bandwidth  int64         // bits per second, at most, for One; 8 Mbit/s
	Live       time.Duration // that live streams are taken for; 10 min. Negative: not at all
	Time       time.Duration // that one stream may take; 1 h
	Size       int64         // bytes of one stream; 4 GiB
	Segments   int           // of one stream; 50,000
	Range      int64         // bytes asked for at a time, of files in ranges; 8 MiB
	Clock      clock.Clock   // the machine's
	Queue      Queue         // where objects go that only other programs can get; nil: they are only noted
	// AnyPlayer has also players queued that are of no well-known service.
	AnyPlayer bool
	// TakePlayers has the pages of queued players asked for as parts of the page that shows them: somebody gets their films in this crawl.
	TakePlayers bool
}

// Queue takes media objects that need an external program.
type Queue interface {
	// Add asks for an object of a page; one that is known already is not added again.
	Add(page, url string) error
}

func (c Config) withDefaults() Config {
	if c.Renditions == "" {
		c.Renditions = One
	}
	set(&c.Height, 1080)
	set(&c.Bandwidth, 8_000_000)
	if c.Live == 0 {
		c.Live = 10 * time.Minute
	}
	set(&c.Time, time.Hour)
	set(&c.Size, 4<<30)
	set(&c.Segments, 50_000)
	set(&c.Range, 8<<20)
	if c.Clock == nil {
		c.Clock = clock.Real()
	}
	return c
}

func set[N int | int64 | time.Duration](v *N, usual N) {
	if *v <= 0 {
		*v = usual
	}
}
