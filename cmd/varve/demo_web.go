package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/websim"
	"varve/websim/server"
)

// demoStory says which web is shown, how it is crawled and for how long.
type demoStory struct {
	sites  []demoSite
	cols   []demoCollection
	months int           // of four weeks
	speed  float64       // simulated seconds in a second, while crawls run
	start  time.Time     // of the simulated web
	month  time.Duration // from one look for due crawls to the next
}

// demoSite takes a preset of websim and makes it as small as a demonstration needs.
type demoSite struct {
	preset        string
	pages, assets int // of each site of it
	hosts         int // of it at most; 0: all
}

type demoCollection struct {
	name, title, purpose string
	hosts                []string
	months               int // from crawl to crawl
	revisit              string
	pages                int // at most, where the site has no end; 0: no limit
}

// demoScript is what is shown. The shop has traps, so its crawl has a limit.
func demoScript(fast bool) demoStory {
	s := demoStory{
		sites: []demoSite{{"news", 240, 90, 0}, {"ministry", 160, 90, 0}, {"university", 60, 30, 2}, {"blog", 16, 6, 0}, {"shop", 90, 60, 0}},
		cols: []demoCollection{
			{"news", "The newspaper", "What people could read, month by month.", []string{"news.sim.test"}, 1, "plan", 0},
			{"public", "Public bodies", "Ministry and university: what was online, and when.", []string{"ministry.sim.test", "uni.sim.test", "dept01.uni.sim.test"}, 2, "plan", 0},
			{"citizens", "Citizens", "A blog, as an example of what people write themselves.", []string{"blog.sim.test"}, 2, "plan", 0},
			{"shop", "The shop", "Prices and terms.", []string{"shop.sim.test"}, 4, "fifo", 150},
		},
		months: 9, speed: 20_000, month: 28 * 24 * time.Hour, start: time.Date(2025, 1, 6, 3, 0, 0, 0, time.UTC),
	}
	if fast {
		s.sites = []demoSite{{"news", 25, 8, 0}, {"ministry", 15, 8, 0}, {"blog", 10, 5, 0}}
		s.cols = s.cols[:3]
		s.cols[1].hosts, s.cols[1].months, s.cols[2].months = []string{"ministry.sim.test"}, 1, 1
		s.months = 3
	}
	return s
}

// web makes the simulated web of the story.
func (s demoStory) web() (*websim.Web, error) {
	all := &websim.Spec{Epoch: s.start, Span: websim.Duration(2 * 365 * 24 * time.Hour)}
	for _, site := range s.sites {
		spec, err := websim.Preset(site.preset)
		if err != nil {
			return nil, err
		}
		for i, one := range spec.Sites {
			if site.hosts > 0 && i >= site.hosts {
				break
			}
			one.Pages, one.Assets = site.pages, site.assets
			all.Sites = append(all.Sites, one)
		}
	}
	return websim.New(all, 7)
}

// webClock is the machine's clock, set to the date of the simulated web: captures carry that date, and waits
// and planned turns keep the pace of the machine.
type webClock struct {
	clock.Clock
	by time.Duration
}

// newWebClock makes a clock that says now what the simulated web says.
func newWebClock(web *server.Timeline) webClock {
	real := clock.Real()
	return webClock{real, web.Now().Sub(real.Now())}
}

// Now is the present instant on the date it is set to.
func (c webClock) Now() time.Time { return c.Clock.Now().Add(c.by) }

// plan writes the collection.toml of a collection.
func (s demoStory) plan(dir string, c demoCollection, seeds []string) error {
	col, err := catalog.Open(dir).Collection(c.name)
	if err != nil {
		return err
	}
	if err := col.Create(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "title = %q\npurpose = %q\nclock = \"simulated\"\n\n[crawl.regular]\nseeds = [", c.title, c.purpose)
	for i, h := range c.hosts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", seedOf(seeds, h))
	}
	fmt.Fprintf(&b, "]\nevery = %q\nscope = \"host\"\nrevisit = %q\ndelay = \"0s\"\n", time.Duration(c.months)*s.month, c.revisit)
	if c.pages > 0 {
		fmt.Fprintf(&b, "max-pages = %d\n", c.pages)
	}
	return os.WriteFile(col.DefinitionFile(), []byte(b.String()), 0o644)
}

func seedOf(seeds []string, host string) string {
	for _, s := range seeds {
		if strings.Contains(s, "://"+host+"/") {
			return s
		}
	}
	return "http://" + host + "/"
}

// listen serves the web on loopback and writes the certificate of its authority beside the archive.
func (s demoStory) listen(dir string) (*server.Server, string, error) {
	web, err := s.web()
	if err != nil {
		return nil, "", err
	}
	srv, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), s.start, s.speed), NoDigest: true})
	if err != nil {
		return nil, "", err
	}
	ca := filepath.Join(dir, "simulated-web-ca.pem")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		srv.Close()
		return nil, "", err
	}
	if err := os.WriteFile(ca, srv.CA(), 0o644); err != nil {
		srv.Close()
		return nil, "", err
	}
	return srv, ca, nil
}
