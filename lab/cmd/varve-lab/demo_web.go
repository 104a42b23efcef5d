package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/country"
	"varve/lab/websim/server"
)

// demoStory says how the simulated country is crawled, and for how long.
type demoStory struct {
	scale float64 // of the country
	cols  []demoCollection
	steps int           // looks for due crawls
	step  time.Duration // from one to the next
	pace  time.Duration // that goes by with every answer of the simulated web
	start time.Time     // of the first
}

type demoCollection struct {
	name, title, purpose string
	hosts                []string
	steps                int // from crawl to crawl
	revisit              string
}

// demoSeed names the country that is shown; 'varve-lab sim serve --preset country --seed 7' serves the same.
const demoSeed = 7

// demoScript is what is shown: three years, which end before the country does.
func demoScript(fast bool) demoStory {
	s := demoStory{
		scale: 1, steps: 20, step: 8 * 7 * 24 * time.Hour, pace: 5 * time.Minute, start: time.Date(2023, 1, 9, 6, 0, 0, 0, time.UTC),
		cols: []demoCollection{
			{"news", "The newspaper", "What people could read, and when.", []string{country.News}, 1, "plan"},
			{"forum", "The forum", "What people said themselves: threads, profiles, moderation.", []string{country.Forum}, 1, "plan"},
			{"public", "Public bodies", "Ministry and university: what was online, and when.", []string{country.Ministry, country.Uni}, 2, "plan"},
			{"shop", "The shop", "Prices and terms.", []string{country.Shop}, 3, "fifo"},
			{"citizens", "Citizens and islands", "A diary with its answers and a tourist office, as examples of small sites.", []string{country.Blog, country.Islands}, 3, "plan"},
			{"wiki", "The encyclopaedia", "What was held to be known, and when it was changed.", []string{country.Wiki}, 3, "plan"},
		},
	}
	if fast {
		s.scale, s.steps, s.step = 0.3, 7, 24*7*24*time.Hour
		for i := range s.cols {
			s.cols[i].steps = 1
		}
	}
	return s
}

// web makes the simulated web of the story.
func (s demoStory) web() (*websim.Web, error) {
	land, err := country.New(country.Config{Scale: s.scale}, demoSeed)
	if err != nil {
		return nil, err
	}
	return land.Web()
}

// plan writes the collection.toml of a collection. Its crawls are graded afterwards: derive, which reads the files anyway, notes what each record proves.
func (s demoStory) plan(dir string, c demoCollection, seeds []string) error {
	col, err := catalog.Open(dir).Collection(c.name)
	if err != nil {
		return err
	}
	if err := col.Create(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "title = %q\npurpose = %q\nclock = \"simulated\"\n\n[analyse]\nunits = [%s]\n\n[derive]\nmappers = [\"evidence\"]\n\n[crawl.regular]\nseeds = [", c.title, c.purpose, c.units())
	for i, h := range c.hosts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", seedOf(seeds, h))
	}
	fmt.Fprintf(&b, "]\nevery = %q\nscope = \"host\"\nrevisit = %q\ndelay = \"0s\"\nretries = -1\n", time.Duration(c.steps)*s.step-24*time.Hour, c.revisit)
	return os.WriteFile(col.DefinitionFile(), []byte(b.String()), 0o644)
}

// units are what is found in the texts of a collection: facts where offices are told.
func (c demoCollection) units() string {
	units := `"mentions", "times", "terms", "opinions"`
	if slices.Contains(c.hosts, country.News) || slices.Contains(c.hosts, country.Ministry) {
		units += `, "facts"`
	}
	return units
}

func seedOf(seeds []string, host string) string {
	for _, s := range seeds {
		if strings.Contains(s, "://"+host+"/") {
			return s
		}
	}
	return "http://" + host + "/"
}

// listen serves the web on loopback, in the time of the clock, and writes the certificate of its authority beside the archive.
func (s demoStory) listen(dir string, t *clock.Virtual) (*server.Server, string, error) {
	web, err := s.web()
	if err != nil {
		return nil, "", err
	}
	srv, err := server.Listen(web, server.Options{Timeline: server.Follow(t), Pace: s.pace, NoDigest: true})
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
