package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/cli"
	"varve/lab/eval/capture"
	"varve/lab/websim/difficult"
	"varve/serve"
)

// captureExperiment are the flags of experiment capture.
type captureExperiment struct {
	cfg    capture.Config
	mode   string
	replay bool
	missed bool
	json   bool
	extra  []string
}

func newExperimentCaptureCommand() *cobra.Command {
	var o captureExperiment
	c := &cobra.Command{
		Use:   "capture",
		Short: "How much of difficult sites is captured, and at what price",
		Long: `Crawls simulated sites that cannot be captured by reading source (router applications, lists that load more,
answers to POST, shadow roots, ...) in three modes: with the parser alone, with a browser for every page, and routed by
rules and measured gain. What must be captured of each site, its key elements, is known.

Prints per site and in all: key elements captured (by the WARC files), answers 404, requests, documents, processor time
of the crawler with all processes it started, and time. Every answer in the WARC files is compared to the byte with
what the server says it sent. With --replay the archive is then looked at in Chromium, with the server stopped: do the
views of the site show their words?

  varve-lab experiment capture --mode parser
  varve-lab experiment capture --site router --site post --replay --missed
  varve-lab experiment capture --json > capture.json

Modes that execute pages need Chromium (Debian: apt-get install chromium).

Exit codes: 0 measured and all targets met, 1 measured and a target missed, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runExperimentCapture(c, &o) },
	}
	f := c.Flags()
	f.StringArrayVar(&o.cfg.Sites, "site", nil, "a site, repeatable (default all): "+strings.Join(difficult.Names(), ", "))
	f.StringVar(&o.mode, "mode", "all", "parser, routed, browser, several with commas between, or all")
	f.IntVar(&o.cfg.Plain, "plain", difficult.Plain, "plain pages beside the difficult ones of each site")
	f.Uint64Var(&o.cfg.Seed, "seed", 1, "seed of the sites")
	f.BoolVar(&o.replay, "replay", false, "look at the views of each site in the archive, with the server stopped")
	f.BoolVar(&o.missed, "missed", false, "also list what was missed")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.StringVar(&o.cfg.Dir, "dir", "", "where to put the archives (default the temporary folder)")
	f.BoolVar(&o.cfg.Keep, "keep", false, "leave the archives there")
	f.StringArrayVar(&o.extra, "crawl-flag", nil, "a further argument for 'varve crawl', as --crawl-flag=--workers=4; repeatable")
	return c
}

func runExperimentCapture(c *cobra.Command, o *captureExperiment) (err error) {
	if o.cfg.Modes, err = capture.ParseModes(o.mode); err != nil {
		return cli.UsageError(c, err.Error())
	}
	if o.cfg.Plain < 1 || o.cfg.Plain > 10_000 {
		return cli.UsageError(c, "--plain must be between 1 and 10000")
	}
	program, _, err := programs()
	if err != nil {
		return err
	}
	o.cfg.Crawl = capture.Program(program, o.extra...)
	if o.replay {
		o.cfg.Replay = replayArchive
	}
	res, err := capture.Run(c.Context(), o.cfg, c.ErrOrStderr())
	if errors.Is(err, capture.ErrNoBrowser) {
		return &varve.Error{Kind: varve.Unavailable, Op: c.CommandPath(), Err: err, Hint: "or leave --replay out"}
	}
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: c.CommandPath(), Err: err}
	}
	if o.json {
		err = cli.PrintJSON(c.OutOrStdout(), res)
	} else {
		err = res.Print(c.OutOrStdout(), o.missed)
	}
	if err == nil && !res.Met() {
		err = varve.ErrFindings
	}
	return err
}

// replayArchive indexes the archive of a crawl and serves it on free ports.
func replayArchive(ctx context.Context, archive string) (base string, stop func() error, err error) {
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return "", nil, err
	}
	if _, err := cli.IndexForServer(ctx, col); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s, err := serve.Listen(ctx, serve.Config{
		Archive: archive, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: cli.Version, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		cancel()
		return "", nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return s.ReplayURL() + "/" + capture.Collection + "/", func() error {
		cancel()
		return <-ended
	}, nil
}
