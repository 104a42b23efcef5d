package polite

import "time"

// Config is how polite a process is. Zero fields of the zero Config mean no delay and no limit on addresses;
// Default gives good manners.
type Config struct {
	Factor float64       // rest after a request = Factor x its duration,
	Min    time.Duration // but at least this
	Max    time.Duration // and at most this

	HostConns int           // connections to one host at a time; 0 counts as 1
	IPConns   int           // connections to one address; 0 = no limit
	IPDelay   time.Duration // between the starts of two requests to one address; 0 = none

	MaxCrawlDelay time.Duration // a longer Crawl-delay counts as this
	MaxRetryAfter time.Duration // a longer Retry-After counts as this; 0 = no limit

	BackoffFirst time.Duration // after the first failure in a row; doubles with each
	BackoffMost  time.Duration
	MaxFailing   int // failing hosts that are remembered after their rest

	Grace time.Duration // how long a place is kept for a crawl whose turn has come; 0 counts as 5 s
}

// Default is the configuration for the open web.
func Default() Config {
	return Config{
		Factor: 5, Min: time.Second, Max: 30 * time.Second,
		HostConns: 1, IPConns: 4, IPDelay: 250 * time.Millisecond,
		MaxCrawlDelay: 5 * time.Minute, MaxRetryAfter: 24 * time.Hour,
		BackoffFirst: 10 * time.Second, BackoffMost: 30 * time.Minute, MaxFailing: 100_000,
		Grace: 5 * time.Second,
	}
}

// Fixed is the configuration for --delay D: the same rest after each request. A rest shorter than the one of
// addresses counts for addresses as well: who says 20 ms means it, also for the one address that all hosts have. Zero
// means none at all: no rest, no limit on addresses, no Crawl-delay; only what a server in trouble asks for is kept.
func Fixed(d time.Duration) Config {
	c := Default()
	c.Factor, c.Min, c.Max, c.IPDelay = 0, d, d, min(c.IPDelay, d)
	if d <= 0 {
		c.Min, c.Max, c.IPConns, c.IPDelay, c.MaxCrawlDelay = 0, 0, 0, 0, 0
	}
	return c
}

func (c Config) grace() time.Duration {
	if c.Grace <= 0 {
		return 5 * time.Second
	}
	return c.Grace
}

// Limits are what differs for one host, from the curator's settings and from robots.txt. Zero fields
// leave the Config. Of two crawls on one host, the limits of the one that made the last request count.
type Limits struct {
	Delay      *time.Duration // fixed rest instead of the adaptive one
	Min, Max   time.Duration
	Conns      int
	CrawlDelay time.Duration // from robots.txt
}

func (c Config) conns(l Limits) int {
	if l.Conns > 0 {
		return l.Conns
	}
	return max(c.HostConns, 1)
}

// rest gives the time to leave a host alone after a request that took so long.
func (c Config) rest(l Limits, took time.Duration) time.Duration {
	least, most := c.Min, c.Max
	if l.Min > 0 {
		least = l.Min
	}
	if l.Max > 0 {
		most = l.Max
	}
	d := time.Duration(min(c.Factor*float64(took), float64(most)))
	d = max(d, least)
	if l.Delay != nil {
		d = *l.Delay
		if d <= 0 {
			return 0
		}
	}
	return max(d, min(l.CrawlDelay, c.MaxCrawlDelay))
}
