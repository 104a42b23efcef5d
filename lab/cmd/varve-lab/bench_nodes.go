package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"varve/cli"
	"varve/cluster/nats"
	"varve/crawl/nodes"
	"varve/lab/eval/nodespeed"
	"varve/lab/natsd"
)

func newBenchNodesCommand() *cobra.Command {
	var asJSON bool
	var cfg nodespeed.Config
	c := &cobra.Command{
		Use:   "nodes",
		Short: "The price of a crawl on several nodes, beside one process",
		Long: `Crawls a simulated web with one process, and with --nodes nodes and a NATS server (every write synced), all on this machine, and prints answers
per second of CPU time of both, the CPU of the server, and memory.

Exit codes: 0 measured, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			if cfg.Varve, err = cli.Beside("varve", "'make build' builds it"); err != nil {
				return err
			}
			if cfg.Dir, err = os.MkdirTemp("", "varve-nodes"); err != nil {
				return err
			}
			defer os.RemoveAll(cfg.Dir)
			cfg.NATS = []string{self, "bench", "nats"}
			res, err := nodespeed.Run(c.Context(), cfg)
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), res)
			}
			res.Print(c.OutOrStdout())
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&cfg.Nodes, "nodes", 3, "how many")
	f.IntVar(&cfg.Sites, "sites", 50, "sites of the web")
	f.IntVar(&cfg.Pages, "pages", 200, "pages of each")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// newBenchNATSCommand is the server that 'bench nodes' measures: a process of its own.
func newBenchNATSCommand() *cobra.Command {
	return &cobra.Command{
		Use: "nats DIR", Hidden: true, Args: cobra.ExactArgs(1), Short: "A NATS server on loopback until the input ends",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := natsd.Start(args[0], natsd.Options{})
			if err != nil {
				return err
			}
			defer s.Stop()
			fmt.Fprintln(c.OutOrStdout(), s.URL())
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt)
			defer stop()
			over := make(chan struct{})
			go func() { _, _ = io.Copy(io.Discard, c.InOrStdin()); close(over) }()
			select {
			case <-over:
			case <-ctx.Done():
			}
			e, err := nats.Open(c.Context(), nats.Config{URL: s.URL(), Crawl: "bench"})
			if err != nil {
				return err
			}
			defer e.Close()
			routed, err := nodes.Routed(c.Context(), e)
			fmt.Fprintln(c.OutOrStdout(), routed)
			return err
		},
	}
}
