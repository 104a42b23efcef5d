package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/serve"
)

// fill lets the simulated web live and crawls it whenever a crawl is due.
func (d *demo) fill(s demoStory) (err error) {
	srv, ca, err := s.listen(d.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.Close()) }()
	status := srv.Status()
	fmt.Fprintf(d.out, "A simulated web is on %s: %d hosts, %d pages and assets that change, move and vanish by known rules.\n", srv.Addr(), len(status.Seeds), status.Pages)
	fmt.Fprintf(d.out, "Its clock says %s and runs %.0f times as fast as yours while crawls run. The archive is in %s.\n", status.At.Format(time.DateOnly), s.speed, d.dir)
	for _, c := range s.cols {
		if err := s.plan(d.dir, c, srv.Seeds()); err != nil {
			return err
		}
		fmt.Fprintf(d.out, "  collection %-8s %s, every %d weeks, revisits by %s\n", c.name, strings.Join(c.hosts, ", "), 4*c.months, c.revisit)
	}
	args := []string{"crawl", "--due", "--archive", d.dir, "--ca", ca, "--quiet"}
	for _, r := range srv.Resolve() {
		args = append(args, "--resolve", r)
	}
	for i := range s.months {
		if i > 0 {
			srv.Timeline().Advance(s.month)
		}
		d.run(srv.Timeline().Now().Format(time.DateOnly)+": crawl what is due", newCrawlCommand(newWebClock(srv.Timeline())), d.out, args...)
		if d.failed != nil || d.ctx.Err() != nil {
			return d.failed
		}
	}
	return nil
}

// understand makes of the WARC files what can be asked, and asks.
func (d *demo) understand() {
	d.varve("Check every record and digest of the files of one collection", "warc", "check", d.warcs("public"))
	d.varve("Tables of pages, links, hosts and crawls", "derive", "--archive", d.dir)
	d.varve("Indexes: which URL when, which version valid when, all words", "index", "--archive", d.dir)
	d.measure()
	d.varve("Sign what the newest capture of the public bodies proves", "coherence", "statement", "--archive", d.dir, "--collection", "public")
	if id := d.newest("public"); id != "" {
		dir := filepath.Join(d.dir, "collections", "public")
		d.varve("Check that statement from the WARC files alone, as somebody else would", "coherence", "verify", "--archive", d.dir,
			filepath.Join(dir, "crawls", id, "statement.json"), filepath.Join(dir, "warc"))
	}
	d.varve("All versions of the ministry's home page", "versions", "http://ministry.sim.test/", "--archive", d.dir, "--collection", "public")
	d.varve("How many pages were online on 1 May", "versions", "--at", "2025-05-01", "--count", "--archive", d.dir, "--collection", "public")
	d.varve("Who said it when: a word of the newspaper, counted by month", "search", demoWord, "--archive", d.dir, "--collection", "news", "--limit", "3", "--trend", "month", "--facets", "lang")
}

// demoWord is frequent on the simulated newspaper: the prose of websim is invented, its frequent words are English.
const demoWord = "people"

// measure grades all crawls and shows the newest of the newspaper.
func (d *demo) measure() {
	cols, err := catalog.Open(d.dir).Collections()
	if err != nil {
		d.failed = errors.Join(d.failed, err)
		return
	}
	for _, col := range cols {
		ids, err := col.Crawls()
		if err != nil {
			d.failed = errors.Join(d.failed, err)
			return
		}
		for i, id := range ids {
			if col.Name == "news" && i == len(ids)-1 {
				d.varve("How well the newest capture of the newspaper hangs together", "coherence", "report", "--archive", d.dir, "--collection", "news", "--top", "3")
				continue
			}
			d.aside("coherence", "report", "--archive", d.dir, "--collection", col.Name, "--crawl", id)
		}
		fmt.Fprintf(d.out, "\n   %s: %d captures are graded\n", col.Name, len(ids))
	}
}

func (d *demo) newest(collection string) string {
	col, err := catalog.Open(d.dir).Collection(collection)
	if err != nil {
		return ""
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) == 0 {
		return ""
	}
	return ids[len(ids)-1]
}

// warcs is the pattern of the files of a collection, as a person types it.
func (d *demo) warcs(collection string) string {
	return filepath.Join(d.dir, "collections", collection, "warc", "*.warc.gz")
}

// varve prints a command of the program and runs it.
func (d *demo) varve(title string, args ...string) { d.run(title, newRootCommand(), d.out, args...) }

// aside runs a command of which nothing but a failure is shown.
func (d *demo) aside(args ...string) {
	if d.ctx.Err() != nil || d.failed != nil {
		return
	}
	if err := d.execute(newRootCommand(), io.Discard, args); varve.ExitCode(err) > varve.ExitFindings {
		d.failed = fmt.Errorf("varve %s: %w", d.shown(args), err)
	}
}

// run prints a command and runs it: the root, or crawl on the clock of the simulated web.
func (d *demo) run(title string, c *cobra.Command, out io.Writer, args ...string) {
	if d.ctx.Err() != nil || d.failed != nil {
		return
	}
	d.step++
	fmt.Fprintf(d.out, "\n%d. %s\n   $ varve %s\n", d.step, title, d.shown(args))
	start := time.Now()
	text := &indented{w: out}
	err := d.execute(c, text, args)
	text.end()
	switch varve.ExitCode(err) {
	case varve.ExitDone, varve.ExitFindings:
		fmt.Fprintf(d.out, "   (%.1f s)\n", time.Since(start).Seconds())
	default:
		d.failed = fmt.Errorf("varve %s: %w", d.shown(args), err)
	}
}

func (d *demo) execute(c *cobra.Command, out io.Writer, args []string) error {
	if c.HasParent() || c.Name() != "varve" {
		args = args[1:] // the command itself, without the root
	}
	var given []string
	for _, a := range args {
		if files, err := filepath.Glob(a); err == nil && strings.Contains(a, "*.warc") {
			given = append(given, files...)
			continue
		}
		given = append(given, a)
	}
	c.SetArgs(given)
	c.SetOut(out)
	c.SetErr(d.err)
	c.SilenceErrors, c.SilenceUsage = true, true
	return c.ExecuteContext(d.ctx)
}

// shown gives a command line as a person would type it.
func (d *demo) shown(args []string) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.ContainsAny(a, " \"") || strings.HasPrefix(a, "*") {
			a = "'" + a + "'"
		}
		b.WriteString(a)
	}
	return strings.ReplaceAll(b.String(), d.dir, "ARCHIVE")
}

// account says what was made and what it cost.
func (d *demo) account() {
	var files, bytes int64
	_ = filepath.WalkDir(d.dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil // a file that vanishes while we count is not counted
		}
		if info, err := e.Info(); err == nil {
			files, bytes = files+1, bytes+info.Size()
		}
		return nil
	})
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	fmt.Fprintf(d.out, "\nMade: %d files, %s. It took %.0f s and %.0f s of processor time, the simulated web included; %s of memory at most.\n",
		files, sizeText(bytes), time.Since(d.begun).Seconds(), time.Duration(u.Utime.Nano()+u.Stime.Nano()).Seconds(), sizeText(u.Maxrss<<10))
}

// serve shows the archive until the context ends.
func (d *demo) serve(o demoOptions) error {
	s, err := serve.Listen(d.ctx, serve.Config{
		Archive: d.dir, Addr: o.addr, ReplayAddr: o.replayAddr, Index: indexForServer, Version: version,
		Log: slog.New(slog.NewTextHandler(d.err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(s.URL(), "/")
	fmt.Fprintf(d.out, "\nWhere to look (Ctrl-C ends it):\n")
	for _, p := range [][2]string{
		{base + "/collections/news", "the layers of the newspaper: one band per crawl, colour = how well it hangs together"},
		{base + "/collections/news/crawls/" + d.newest("news") + "/coherence", "what the newest capture proves, worst pages first, with its graph"},
		{base + "/collections/public/page?url=http://ministry.sim.test/", "the ministry's home page: calendar and distinct versions"},
		{base + "/collections/public/compare?url=http://ministry.sim.test/", "what changed on it"},
		{base + "/collections/news/map", "how the newspaper grew and changed"},
		{base + "/search?collection=news&q=" + demoWord, "what was said, and when"},
		{strings.TrimSuffix(s.ReplayURL(), "/") + "/news/20250501000000/http://news.sim.test/", "the newspaper as it was on 1 May 2025"},
	} {
		fmt.Fprintf(d.out, "  %s\n      %s\n", p[0], p[1])
	}
	fmt.Fprintf(d.out, "Varve: %s/\n", base)
	return s.Run(d.ctx)
}

// indented sets what a command prints apart from what the demonstration says.
type indented struct {
	w    io.Writer
	rest []byte
}

// Write passes whole lines on.
func (t *indented) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, ok := bytes.Cut(t.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		if _, err := fmt.Fprintf(t.w, "   %s\n", line); err != nil {
			return 0, err
		}
		t.rest = rest
	}
}

// end passes the last line on, if it had no end.
func (t *indented) end() {
	if len(t.rest) > 0 {
		fmt.Fprintf(t.w, "   %s\n", t.rest)
	}
}
