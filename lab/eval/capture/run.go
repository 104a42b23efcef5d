package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/difficult"
	"varve/lab/websim/server"
)

// Job is one crawl to be made.
type Job struct {
	Mode    Mode
	Seed    string
	Resolve []string // rules of the simulated web
	Archive string   // the folder of the archive; the collection is Collection
}

// Collection is the name of the collection that jobs write to.
const Collection = "capture"

// Cost is what a crawl used.
type Cost struct {
	CPU  time.Duration // of the crawler and of all it started
	Wall time.Duration
}

// Crawler makes a crawl and tells what it cost.
type Crawler func(ctx context.Context, j Job) (Cost, error)

// Replayer serves an archive and gives the address of its collection, which ends with a slash.
type Replayer func(ctx context.Context, archive string) (base string, stop func() error, err error)

// Config says what to measure, and with what.
type Config struct {
	Sites  []string // names; none: all
	Modes  []Mode
	Plain  int // plain siblings of each site
	Seed   uint64
	Dir    string // for temporary files
	Keep   bool   // leave the archives where they are
	Crawl  Crawler
	Replay Replayer // nil: views are not looked at
}

// Run measures every site in every mode, the modes of a site in turn, so that a noisy spell hits all of them.
func Run(ctx context.Context, cfg Config, progress io.Writer) (_ *Result, err error) {
	sites, err := difficult.Load(cfg.Seed, cfg.Plain, cfg.Sites...)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(cfg.Dir, "capture")
	if err != nil {
		return nil, err
	}
	if cfg.Keep {
		fmt.Fprintf(progress, "archives are kept in %s\n", dir)
	} else {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	res := &Result{Plain: cfg.Plain, Seed: cfg.Seed}
	for _, s := range sites {
		for _, m := range cfg.Modes {
			line, err := measure(ctx, &cfg, s, m, filepath.Join(dir, s.Name+"-"+string(m)))
			if err != nil {
				return nil, fmt.Errorf("site %s, mode %s: %w", s.Name, m, err)
			}
			fmt.Fprintf(progress, "%-9s %-8s %3d of %3d key elements, %2d not found, %5.1f s CPU, %5.1f s\n", s.Name, m, line.Captured, line.Elements, line.NotFound, line.CPU, line.Wall)
			res.Lines = append(res.Lines, *line)
		}
	}
	res.sum()
	return res, nil
}

// measure crawls one site in one mode and judges the outcome.
func measure(ctx context.Context, cfg *Config, s *difficult.Site, m Mode, archive string) (*Line, error) {
	web, err := difficult.Web(cfg.Seed, s)
	if err != nil {
		return nil, err
	}
	srv, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0)})
	if err != nil {
		return nil, err
	}
	cost, err := cfg.Crawl(ctx, Job{Mode: m, Seed: s.Seed, Resolve: srv.Resolve(), Archive: archive})
	log := srv.Log().Entries()
	if err = errors.Join(err, srv.Close()); err != nil { // from here on there is no server: what is shown is in the archive
		return nil, err
	}
	line := &Line{Site: s.Name, Mode: m, CPU: cost.CPU.Seconds(), Wall: cost.Wall.Seconds()}
	if err := line.judge(s, log, filepath.Join(archive, "collections", Collection, "warc")); err != nil {
		return nil, err
	}
	if cfg.Replay != nil {
		err = line.look(ctx, s, cfg.Replay, archive)
	}
	return line, err
}

// judge compares the WARC files with what is known of the site and with the server's log.
func (l *Line) judge(s *difficult.Site, log []websim.Entry, dir string) error {
	list, err := ReadExchanges(dir)
	if err != nil {
		return err
	}
	l.Elements, l.Requests = len(s.Elements), len(log)
	got := map[difficult.Element]bool{}
	pages := map[string]bool{}
	for _, x := range list {
		if x.Status != 200 {
			continue
		}
		if x.MIME == "text/html" {
			pages[x.URL] = true
		}
		for _, e := range s.Elements {
			if e.Matches(x.Method, x.URL, x.Body) {
				got[e] = true
			}
		}
	}
	l.Captured, l.Documents = len(got), len(pages)
	for _, e := range s.Elements {
		if !got[e] {
			l.Missed = append(l.Missed, e)
		}
	}
	for _, e := range log {
		if e.Status == 404 {
			l.NotFound++
		}
	}
	l.Inexact = compare(list, log)
	return nil
}

// compare tells which answers are in the server's log and not, byte for byte, in the records, or the other way round.
func compare(list []Exchange, log []websim.Entry) (differ []string) {
	count := map[string]int{}
	for _, e := range log {
		count[e.Method+" "+e.URL()+" "+e.Digest]++
	}
	for _, x := range list {
		key := x.Method + " " + x.URL + " " + x.Digest
		if count[key]--; count[key] < 0 {
			differ = append(differ, "recorded, not sent: "+key)
		}
	}
	for _, e := range log {
		key := e.Method + " " + e.URL() + " " + e.Digest
		if count[key] > 0 {
			count[key]--
			differ = append(differ, "sent, not recorded: "+key)
		}
	}
	return differ
}
