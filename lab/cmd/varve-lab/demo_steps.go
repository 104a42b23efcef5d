package main

import (
	"bytes"
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
	"varve/cli"
	"varve/lab/websim/country"
	"varve/serve"
)

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
	d.varve("All versions of the ministry's page about the rent law", "versions", lawURL, "--archive", d.dir, "--collection", "public")
	d.varve("How many pages of public bodies were online on the day of the election", "versions", "--at", "2024-09-22", "--count", "--archive", d.dir, "--collection", "public")
	d.varve("What people said, and when it changed: posts that want the Prime Minister to resign, by year and month", "search", "Calder AND resign", "--archive", d.dir, "--collection", "forum", "--limit", "2", "--trend", "month")
	d.varve("Pages about the rent law for a collection of its own, the most relevant first", "select", "propose", "rent-law", "--topic", "rent law tenancy landlord", "--archive", d.dir, "--collection", "public")
	d.varve("Keep what the ministry said from being deleted while the affair is looked into", "retention", "hold", country.Ministry, "--matter", "Inquiry into the Calder affair", "--reason", "order of the parliament", "--archive", d.dir)
	d.varve("What needs a look in the morning", "tray", "--archive", d.dir)
}

// lawURL is the page of the ministry about the rent law.
const lawURL = "http://" + country.Ministry + "/law/tenancy-act.html"

// measure grades all crawls of the collections in which something was visited twice, and shows the newest of the newspaper.
func (d *demo) measure() {
	if d.failed != nil || d.ctx.Err() != nil {
		return
	}
	cols, err := catalog.Open(d.dir).Collections()
	if err != nil {
		d.failed = err
		return
	}
	for _, col := range cols {
		if r := d.newestReport(col); r == nil || len(r.Groups) == 0 {
			continue
		}
		d.aside("coherence", "report", "--archive", d.dir, "--collection", col.Name, "--all")
		if col.Name == "news" {
			d.varve("How well the newest capture of the newspaper hangs together", "coherence", "report", "--archive", d.dir, "--collection", "news", "--top", "3")
		}
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
func (d *demo) varve(title string, args ...string) { d.run(title, cli.New(), d.out, args...) }

// aside runs a command of which nothing but a failure is shown.
func (d *demo) aside(args ...string) {
	if d.ctx.Err() != nil || d.failed != nil {
		return
	}
	if err := d.execute(cli.New(), io.Discard, args); varve.ExitCode(err) > varve.ExitFindings {
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
	if c.Name() != "varve" { // a command of its own needs a root, or its arguments are taken for commands
		root := &cobra.Command{Use: "varve"}
		root.AddCommand(c)
		c = root
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
	defer d.look.watch(d.step, d.shown(args))()
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
		files, cli.SizeText(bytes), time.Since(d.begun).Seconds(), time.Duration(u.Utime.Nano()+u.Stime.Nano()).Seconds(), cli.SizeText(u.Maxrss<<10))
}

// serve shows the archive until the context ends.
func (d *demo) serve(o demoOptions) error {
	s, err := serve.Listen(d.ctx, serve.Config{
		Archive: d.dir, Addr: o.addr, ReplayAddr: o.replayAddr, Index: cli.IndexForServer, Version: cli.Version,
		Log: slog.New(slog.NewTextHandler(d.err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(s.URL(), "/")
	fmt.Fprintf(d.out, "\nWhere to look (Ctrl-C ends it):\n")
	for _, p := range [][2]string{
		{base + "/search?q=Calder+resign", "what was said about the affair and the election, and when"},
		{base + "/trends?terms=trust,resign,promise&collection=forum", "how the words of the forum change"},
		{base + "/collections/public/page?url=" + lawURL, "the rent law: calendar and distinct versions"},
		{base + "/collections/public/compare?url=" + lawURL, "what changed in it"},
		{base + "/collections/news", "the layers of the newspaper: one band per crawl, colour = how well it hangs together"},
		{base + "/collections/news/crawls/" + d.newest("news") + "/coherence", "what the newest capture proves, worst pages first, with its graph"},
		{base + "/collections/forum/map", "how the forum grew and changed"},
		{base + "/tray", "what a curator should look at"},
		{strings.TrimSuffix(s.ReplayURL(), "/") + "/news/20240922120000/http://news.sim.test/", "the newspaper on the day of the election"},
	} {
		fmt.Fprintf(d.out, "  %s\n      %s\n", p[0], p[1])
	}
	fmt.Fprintf(d.out, "The first page offers a guided tour of these, about three minutes. ")
	fmt.Fprintf(d.out, "Walk-throughs of a journalist, a library, a company and an archivist: docs/guide/walkthroughs.md\n")
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
