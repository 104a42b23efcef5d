package websim

import (
	"time"
)

// Spec describes a simulated web. docs/websim.md explains every field; Load fills in defaults and
// checks limits.
type Spec struct {
	Epoch time.Time `toml:"epoch"` // the instant at which the history begins
	Span  Duration  `toml:"span"`  // how long things change; after it all stands still
	Sites []Site    `toml:"site"`
	files []file    // fixed bodies from a txtar archive
}

// file is a fixed body of a page from some instant on.
type file struct {
	host, path string
	from       Duration
	data       []byte
}

// Site describes one host, or Count hosts that differ in number.
type Site struct {
	Host    string   `toml:"host"`    // "news.sim.test"; "{n}" stands for the number where Count is set
	Count   int      `toml:"count"`   // number of hosts made from this description
	Addr    string   `toml:"addr"`    // loopback address for the real server
	Addrs   int      `toml:"addrs"`   // with Count: hosts take turns on this many addresses from Addr on
	Scheme  string   `toml:"scheme"`  // http, https, both, upgrade (http redirects to https)
	WWW     bool     `toml:"www"`     // www.HOST redirects to HOST
	Lang    string   `toml:"lang"`    // de, en, fr
	Latency Duration `toml:"latency"` // before every answer

	Pages    int     `toml:"pages"`    // HTML pages
	Fanout   int     `toml:"fanout"`   // children per page in the tree
	Depth    int     `toml:"depth"`    // where Fanout is not given: levels below the home page
	Paths    string  `toml:"paths"`    // tree, flat, query
	Links    int     `toml:"links"`    // links across the tree per page
	External float64 `toml:"external"` // share of those that lead to other sites
	Topics   int     `toml:"topics"`   // number of topics; 0 is none
	Affinity float64 `toml:"affinity"` // share of cross links that stay within the topic

	Assets int                `toml:"assets"` // pages that are not HTML
	Mix    map[string]float64 `toml:"mix"`    // how often each type among them
	Size   map[string]Size    `toml:"size"`   // by type

	Soft404  bool       `toml:"soft404"` // unknown paths answer 200
	Robots   Robots     `toml:"robots"`
	Sitemap  Sitemap    `toml:"sitemap"`
	Feed     Feed       `toml:"feed"`
	Change   []Change   `toml:"change"`
	Life     []Life     `toml:"life"`
	Serve    []Serve    `toml:"serve"`
	Page     []Fixed    `toml:"page"`
	Redirect []Redirect `toml:"redirect"`
	Trap     []Trap     `toml:"trap"`
	Fault    []Fault    `toml:"fault"`
	Limit    Limit      `toml:"limit"`
}

// Size is a lognormal distribution of body sizes in bytes.
type Size struct {
	Mean  int     `toml:"mean"`
	Sigma float64 `toml:"sigma"` // of the logarithm; 0 makes all of the mean size
}

// Match chooses pages. A field left out matches all.
type Match struct {
	Path  string   `toml:"path"`  // glob: * within a segment, ** across
	Type  []string `toml:"type"`  // html, css, js, png, jpeg, svg, pdf, json, xml, txt
	Depth []int    `toml:"depth"` // [level] or [first, last] in the tree; the home page is 0
	Share float64  `toml:"share"` // of the pages that match otherwise, by chance; 0 and 1 are all
}

// Robots describes robots.txt.
type Robots struct {
	Disallow []string `toml:"disallow"`
	Allow    []string `toml:"allow"`
	Agent    string   `toml:"agent"` // * by default
	Delay    Duration `toml:"delay"` // Crawl-delay
	Text     string   `toml:"text"`  // the whole file, in place of the rest
	Status   int      `toml:"status"`
}

// Sitemap describes the sitemap.
type Sitemap struct {
	On         bool   `toml:"on"`
	Split      int    `toml:"split"`      // URLs per file; more make an index
	Lastmod    string `toml:"lastmod"`    // true, off, now, constant
	Changefreq string `toml:"changefreq"` // true, off, lie
}

// Feed describes an RSS feed of the newest changes.
type Feed struct {
	Path  string `toml:"path"`
	Items int    `toml:"items"`
}

// Limit is a rate limit kept by the server: faster clients get 429.
type Limit struct {
	Every      Duration `toml:"every"`       // one request per this long
	Burst      int      `toml:"burst"`       // that many at once
	RetryAfter Duration `toml:"retry_after"` // what the answer says
}

// Fixed is a page with a path of its own, in addition to the tree.
type Fixed struct {
	Path string `toml:"path"`
	Type string `toml:"type"`
	Size int    `toml:"size"`
	Link *bool  `toml:"link"` // linked from the home page; true by default
	data []version
	// until is when the page vanishes, in milliseconds; 0 is never.
	until int64
}

// version is a fixed body from some instant on.
type version struct {
	from  int64
	data  []byte
	write func() []byte // in place of data
}

// Redirect answers a path with a redirect.
type Redirect struct {
	From   string `toml:"from"`
	To     string `toml:"to"` // a path or a URL
	Status int    `toml:"status"`
}

// Trap is a place where a crawler finds new URLs without end.
type Trap struct {
	Kind string `toml:"kind"` // calendar, path, session, params
	At   string `toml:"at"`   // where it begins
}
