package websim

import "varve/lab/websim/truth"

// Change is a process by which the pages it matches change. All that match a page add up.
type Change struct {
	Match
	Process string             `toml:"process"` // poisson, bernoulli
	Every   Duration           `toml:"every"`   // poisson: mean time between changes
	Slot    Duration           `toml:"slot"`    // bernoulli: length of a slot
	P       float64            `toml:"p"`       // bernoulli: probability of a change in a slot
	Spread  string             `toml:"spread"`  // how rates differ between pages: none, exponential, lognormal
	Kinds   map[string]float64 `toml:"kinds"`   // how often each kind; content by default
	Burst   Burst              `toml:"burst"`
}

// Burst makes all pages of a rule change faster for a while.
type Burst struct {
	Every  Duration `toml:"every"`  // mean time between bursts
	Lasts  Duration `toml:"lasts"`  // length of a burst
	Factor float64  `toml:"factor"` // how many times more changes
}

// Life says how leaves of the tree appear, vanish, return and move. The first match counts.
type Life struct {
	Match
	Appear    float64  `toml:"appear"`     // share that is not there at the epoch
	Vanish    Duration `toml:"vanish"`     // mean time until a page vanishes
	Gone      float64  `toml:"gone"`       // share of vanished pages that answer 410 and not 404
	Return    Duration `toml:"return"`     // mean time until it is back
	Move      Duration `toml:"move"`       // mean time until it moves
	DeadLinks float64  `toml:"dead_links"` // share of vanished pages that stay linked from their parent
}

func (l *Life) process() truth.Life {
	return truth.Life{
		Appear: l.Appear, Vanish: float64(l.Vanish.ms()),
		Return: float64(l.Return.ms()), Move: float64(l.Move.ms()),
	}
}

// Serve says how matching pages are served. Where several match, each sets the fields it names.
type Serve struct {
	Match
	ETag         string   `toml:"etag"`          // strong, weak, off
	LastModified string   `toml:"last_modified"` // true, off, now, constant, future
	Encoding     string   `toml:"encoding"`      // identity, gzip, deflate, br
	Chunked      *bool    `toml:"chunked"`
	Charset      string   `toml:"charset"`      // utf-8, iso-8859-1: of the bytes
	Declared     string   `toml:"declared"`     // right, none, wrong: what is said about it
	Dates        []string `toml:"dates"`        // meta, jsonld, time, footer: dates in the content
	DatesSay     string   `toml:"dates_say"`    // true, constant, now, published
	Volatile     *bool    `toml:"volatile"`     // tokens and time stamps of every single request
	ContentType  string   `toml:"content_type"` // in place of the right one
	Cache        string   `toml:"cache"`        // Cache-Control
}

// Fault is a server misbehaving: at a path of its own (At), or on the pages it matches.
type Fault struct {
	Match
	At         string   `toml:"at"`
	Kind       string   `toml:"kind"`
	Link       *bool    `toml:"link"`        // whether At is linked from the home page; true by default
	Delay      Duration `toml:"delay"`       // slow: before the first byte; drip: between pieces
	Bytes      int64    `toml:"bytes"`       // drip: per piece; bomb: unpacked; lengths: how far off; floods: how much
	Status     int      `toml:"status"`      // status: the status
	RetryAfter string   `toml:"retry_after"` // status: the header, seconds or "date"
	Times      int      `toml:"times"`       // only the first n requests of each URL; 0 is all
	Every      Duration `toml:"every"`       // only in windows that begin this often on average
	Lasts      Duration `toml:"lasts"`       // length of these windows
}
