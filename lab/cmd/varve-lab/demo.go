package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"varve/cli"

	"github.com/spf13/cobra"

	"varve"
)

// demoOptions are the flags of demo.
type demoOptions struct {
	keep             string
	fast, noServe    bool
	addr, replayAddr string
}

func newDemoCommand() *cobra.Command {
	var o demoOptions
	c := &cobra.Command{
		Use:   "demo",
		Short: "See what Varve does, on a simulated web; no network needed",
		Long: `Serves a simulated country on loopback (a newspaper, a forum, a ministry, a university, a shop, a diary, an encyclopaedia, a broadcaster, and a web with spam rings),
lets three years go by on it, with an election, a rent law and an affair, and crawls it on schedule meanwhile, every page visited and revisited.
Then it makes tables and indexes, measures how well the captures hang together, signs and checks a statement, asks the archive
questions, and serves screens and replay until Ctrl-C. The years are those of the simulated web: they take a minute or two.

Each step is a command that you can run yourself; it is printed before it runs.

  varve-lab demo --keep demo-archive        afterwards: varve serve --archive demo-archive

Exit codes: 0 shown, 1 interrupted before it was ready, 2 could not.`,
		Example: `  varve-lab demo
  varve-lab demo --fast --no-serve --keep /tmp/demo`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDemo(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.keep, "keep", "", "keep the archive in this directory, which must be new or empty (default: a temporary one, removed)")
	f.BoolVar(&o.fast, "fast", false, "a smaller country, fewer crawls, no spam filter")
	f.BoolVar(&o.noServe, "no-serve", false, "end when the archive is made")
	f.StringVar(&o.addr, "addr", "127.0.0.1:0", "address of screens and API; port 0 takes a free one")
	f.StringVar(&o.replayAddr, "replay-addr", "localhost:0", "address of replay; another host name")
	return c
}

func runDemo(c *cobra.Command, o demoOptions) (err error) {
	dir, remove, err := demoDir(o.keep)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	out := &oneAtATime{w: c.OutOrStdout()}
	d := &demo{ctx: c.Context(), out: out, err: c.ErrOrStderr(), dir: dir, begun: time.Now(), look: &lookout{out: out}}
	if err := d.fill(demoScript(o.fast)); err != nil {
		return d.ended(err)
	}
	d.film()
	d.spam(o.fast)
	d.understand()
	if d.failed != nil || d.ctx.Err() != nil {
		return d.ended(d.failed)
	}
	if err := d.tour(demoScript(o.fast)); err != nil {
		return err
	}
	d.account()
	if o.keep != "" {
		fmt.Fprintf(d.out, "\nThe archive is in %s. Show it again with: varve serve --archive %s\n", dir, dir)
	}
	if o.noServe {
		return nil
	}
	return d.serve(o)
}

// demoDir gives the directory of the archive and how to be rid of it.
func demoDir(keep string) (dir string, remove func() error, err error) {
	if keep == "" {
		dir, err = os.MkdirTemp("", "varve-demo-")
		return dir, func() error { return os.RemoveAll(dir) }, err
	}
	list, err := os.ReadDir(keep)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", nil, cli.InputError(keep, err)
	}
	if len(list) > 0 {
		return "", nil, &varve.Error{
			Kind: varve.Conflict, Op: "--keep " + keep, Msg: "there is something in it",
			Hint: "name a new directory, or see what is there: 'varve serve --archive " + keep + "'",
		}
	}
	dir, err = filepath.Abs(keep)
	return dir, func() error { return nil }, err
}

// demo is a demonstration under way.
type demo struct {
	ctx      context.Context
	out, err io.Writer
	dir      string
	begun    time.Time
	look     *lookout
	step     int
	failed   error // of the first command that could not
}

// ended tells an interrupt from a failure.
func (d *demo) ended(err error) error {
	if d.ctx.Err() != nil {
		fmt.Fprintln(d.out, "\nInterrupted.")
		return varve.ErrFindings
	}
	return err
}
