package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/clock"
	"varve/websim"
	"varve/websim/server"
)

func newDemoCommand() *cobra.Command {
	var keep string
	var fast bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "See what Varve does, on a simulated web; no network needed",
		Long: `Starts a simulated news site on loopback, captures it, lets a month go by, captures it again, and
checks, counts and packs what was captured. Each step is a command that you can run yourself; it is
printed before it runs.

Exit codes: 0 shown, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runDemo(c.Context(), keep, fast, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&keep, "keep", "", "keep the archive in this directory (default: a temporary one, removed)")
	c.Flags().BoolVar(&fast, "fast", false, "a smaller site")
	return c
}

// demo is a demonstration under way.
type demo struct {
	ctx      context.Context
	out, err io.Writer
	dir      string
	step     int
}

func runDemo(ctx context.Context, keep string, fast bool, out, errOut io.Writer) (err error) {
	dir := keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "varve-demo"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	preset := "news"
	if fast {
		preset = "tiny"
	}
	s, err := demoWeb(preset)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	d := &demo{ctx: ctx, out: out, err: errOut, dir: dir}
	fmt.Fprintf(out, "A simulated web is on %s; it has %d pages and assets, and its clock says %s.\n",
		s.Addr(), s.Status().Pages, s.Status().At.Format(time.DateOnly))
	crawl := []string{"crawl", s.Seeds()[0], "--archive", dir, "--collection", "demo", "--delay", "0", "--quiet"}
	for _, r := range s.Resolve() {
		crawl = append(crawl, "--resolve", r)
	}
	d.run("Capture the site", crawl...)
	s.Timeline().Advance(30 * 24 * time.Hour)
	d.run("A month goes by on the simulated web; capture it again", crawl...)
	warcs, err := filepath.Glob(filepath.Join(dir, "collections", "demo", "warc", "*.warc.gz"))
	if err != nil {
		return err
	}
	d.run("Check every record and digest", append([]string{"warc", "check"}, warcs...)...)
	d.run("What is in it", append([]string{"warc", "stat"}, warcs...)...)
	d.run("What is held twice", append([]string{"warc", "dedup-report"}, warcs...)...)
	d.run("Pack it for exchange: ReplayWeb.page and pywb open this file", append([]string{"wacz", "export", filepath.Join(dir, "demo.wacz")}, warcs...)...)
	if keep != "" {
		fmt.Fprintf(out, "\nThe archive is in %s.\n", keep)
	} else {
		fmt.Fprintf(out, "\nThe archive was temporary. Keep it with: varve demo --keep DIR\n")
	}
	return nil
}

func demoWeb(preset string) (*server.Server, error) {
	spec, err := websim.Preset(preset)
	if err != nil {
		return nil, err
	}
	web, err := websim.New(spec, 7)
	if err != nil {
		return nil, err
	}
	return server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0), NoDigest: true})
}

// run prints a command and runs it.
func (d *demo) run(title string, args ...string) {
	d.step++
	fmt.Fprintf(d.out, "\n%d. %s\n   $ varve %s\n", d.step, title, d.shown(args))
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(d.out)
	root.SetErr(d.err)
	start := time.Now()
	err := root.ExecuteContext(d.ctx)
	switch varve.ExitCode(err) {
	case varve.ExitDone:
		fmt.Fprintf(d.out, "   done in %.1f s\n", time.Since(start).Seconds())
	case varve.ExitFindings:
		fmt.Fprintf(d.out, "   done with findings in %.1f s\n", time.Since(start).Seconds())
	default:
		fmt.Fprintf(d.out, "   failed: %v\n", err)
	}
}

// shown gives a command line as a person would type it: the WARC files as one pattern.
func (d *demo) shown(args []string) string {
	var out []string
	for _, a := range args {
		if filepath.Ext(a) == ".gz" {
			a = filepath.Join(filepath.Dir(a), "*.warc.gz")
		}
		if len(out) == 0 || out[len(out)-1] != a {
			out = append(out, a)
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), d.dir, "ARCHIVE")
}
