package browser

import (
	"log/slog"
	"time"

	"varve/crawl/browser/behave"
	"varve/crawl/browser/chromium"
	"varve/crawl/browser/proxy"
)

// ErrMissing is wrapped when there is no Chromium on this machine; the *varve.Error around it says how
// to get one.
var ErrMissing = chromium.ErrMissing

// Find gives the path of a Chromium: the given one, or the first of the usual names in the search path.
func Find(path string) (string, error) { return chromium.Find(path) }

// Config says how pages are executed. Zero fields mean the default named at the field.
type Config struct {
	Path      string // of Chromium; searched for
	Dir       string // for profile folders; the system's temporary folder
	NoSandbox bool   // without Chromium's sandbox, where the machine has none; root is without anyway

	Browsers int   // running at a time; 1
	Tabs     int   // pages open at a time in each; 3
	Pages    int   // of one browser until it is replaced; 400
	Reuse    int   // of one tab until it is replaced; 50
	Memory   int64 // bytes of one browser with all its processes; 2 GiB

	Budget Budget // of one page
	Limits behave.Limits
	Proxy  proxy.Limits
	Rules  *behave.Rules // the built-in ones

	UserAgent  string // what scripts see in navigator.userAgent; Chromium's own, without "Headless"
	Language   string // "en-US"
	Seed       uint32 // of Math.random; 1
	Text       bool   // keep the rendered text as a resource
	Screenshot bool   // keep a picture of the window as a resource
	Still      bool   // no behaviours: load, wait, take

	Log *slog.Logger // what happened to browsers; silent
}

// Budget bounds what one page may use. Zero fields mean the default named at the field.
type Budget struct {
	Wall     time.Duration // from beginning to end; 60 s
	Load     time.Duration // until its load event; 20 s
	Steps    int           // presses, options and steps of a site; 60
	Scrolls  int           // 50
	Requests int           // 1,000
	Quiet    time.Duration // without changes, after which a page is quiet; 150 ms
	Patience time.Duration // longest wait for quiet after loading; 4 s
	Brief    time.Duration // longest wait for quiet after a step; 1.5 s
	Stale    time.Duration // age from which a request no longer counts against quiet; 10 s
	Play     time.Duration // how long media are played; 500 ms
	Hang     time.Duration // silence after which a script of the page is interrupted; 5 s
}

func (c *Config) withDefaults() {
	set(&c.Browsers, 1)
	set(&c.Tabs, 3)
	set(&c.Pages, 400)
	set(&c.Reuse, 50)
	set(&c.Memory, 2<<30)
	set(&c.Seed, 1)
	b := &c.Budget
	set(&b.Wall, time.Minute)
	set(&b.Load, 20*time.Second)
	set(&b.Steps, 60)
	set(&b.Scrolls, 50)
	set(&b.Requests, 1000)
	set(&b.Quiet, 150*time.Millisecond)
	set(&b.Patience, 4*time.Second)
	set(&b.Brief, 1500*time.Millisecond)
	set(&b.Stale, 10*time.Second)
	set(&b.Play, 500*time.Millisecond)
	set(&b.Hang, 5*time.Second)
	c.Proxy.Requests = b.Requests
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

func set[N int | int64 | uint32 | time.Duration](v *N, usual N) {
	if *v <= 0 {
		*v = usual
	}
}
