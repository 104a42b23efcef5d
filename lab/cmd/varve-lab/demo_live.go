package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/cli"
	"varve/clock"
	"varve/crawl"
	"varve/lab/websim/country"
)

// fill lets the simulated web live and crawls it whenever a crawl is due.
func (d *demo) fill(s demoStory) (err error) {
	t := clock.NewVirtual(s.start)
	srv, ca, err := s.listen(d.dir, t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.Close()) }()
	status := srv.Status()
	fmt.Fprintf(d.out, "A simulated country is on %s: %d hosts, %d pages and files that appear, change and vanish by known rules.\n", srv.Addr(), len(status.Seeds), status.Pages)
	fmt.Fprintf(d.out, "Its clock says %s and moves on by %v with every answer. The archive is in %s.\n", s.start.Format(time.DateOnly), s.pace, d.dir)
	for _, c := range s.cols {
		if err := s.plan(d.dir, c, srv.Seeds()); err != nil {
			return err
		}
		fmt.Fprintf(d.out, "  collection %-8s %s, every %d weeks, revisits by %s\n", c.name, strings.Join(c.hosts, ", "), int((time.Duration(c.steps)*s.step).Hours()/24/7), c.revisit)
	}
	args := []string{"crawl", "--due", "--archive", d.dir, "--ca", ca, "--quiet"}
	for _, r := range srv.Resolve() {
		args = append(args, "--resolve", r)
	}
	return d.live(s, t, args)
}

// live goes through the years: the first crawls are shown in full, of the others one line each, and what happened meanwhile.
func (d *demo) live(s demoStory, t *clock.Virtual, args []string) error {
	events, err := country.Events()
	if err != nil {
		return err
	}
	before := t.Now()
	d.run(before.Format(time.DateOnly)+": crawl what is due", d.crawlCommand(t), d.out, args...)
	if d.failed != nil || d.ctx.Err() != nil {
		return d.failed
	}
	d.step++
	fmt.Fprintf(d.out, "\n%d. The same command, %d weeks later, and again, until the years have gone by\n", d.step, int(s.step.Hours()/24/7))
	for i := range s.steps - 1 {
		t.AdvanceTo(s.start.Add(time.Duration(i+1) * s.step))
		for _, e := range events {
			if e.Time.After(before) && !e.Time.After(t.Now()) {
				fmt.Fprintf(d.out, "   %s  in the newspaper: %s\n", e.Time.Format(time.DateOnly), e.Title)
			}
		}
		before = t.Now()
		if err := d.crawlDue(t, args); err != nil || d.ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// crawlCommand is crawl on the clock of the simulated web.
func (d *demo) crawlCommand(t *clock.Virtual) *cobra.Command {
	return cli.NewWatchedCrawl(t, d.look.see)
}

// crawlDue runs what is due and tells of each crawl in one line.
func (d *demo) crawlDue(t *clock.Virtual, args []string) error {
	var told bytes.Buffer
	old := d.err
	d.err = &told
	err := d.execute(d.crawlCommand(t), io.Discard, args)
	d.err = old
	if varve.ExitCode(err) > varve.ExitFindings {
		return fmt.Errorf("varve %s: %w\n%s", d.shown(args), err, told.String())
	}
	cols, err := catalog.Open(d.dir).Collections()
	if err != nil {
		return err
	}
	for _, col := range cols {
		if r := d.newestReport(col); r != nil && !r.Started.Before(t.Now().Add(-14*24*time.Hour)) {
			fmt.Fprintf(d.out, "   %s  crawled %-9s %4d answers, %4d of them held already%s\n", r.Started.Format(time.DateOnly), col.Name+":", r.URLs, r.Revisits, found(r))
		}
	}
	return nil
}

// found is how much of a planned crawl hung together.
func found(r *crawl.Report) string {
	var visited, same float64
	for _, g := range r.Groups {
		visited, same = visited+float64(g.Visited), same+g.Actual*float64(g.Visited)
	}
	if visited == 0 {
		return ""
	}
	return fmt.Sprintf(", %.1f %% of the pages unchanged at the revisit", 100*same/visited)
}

func (d *demo) newestReport(col *catalog.Collection) *crawl.Report {
	id := d.newest(col.Name)
	if id == "" {
		return nil
	}
	dir, err := col.CrawlDir(id)
	if err != nil {
		return nil
	}
	r, err := crawl.ReadReport(dir)
	if err != nil {
		return nil
	}
	return r
}
