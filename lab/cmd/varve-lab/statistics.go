package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/statsite"
)

func newStatisticsCommand() *cobra.Command {
	var addr, file string
	c := &cobra.Command{
		Use:   "statistics",
		Short: "Serve a small site of statistics, to show live linking on",
		Long: `Serves a small site in the form of Eurostat's Statistics Explained on this machine: 24 articles of our own words, 20 themes with a thesaurus, and its dump at Special:Export; or writes the dump with --dump. It is a
demonstration: the texts are made up.

  varve-lab statistics --dump site.xml
  varve statistics import site.xml
  varve-lab statistics                     the pages that its articles lead to are then there

Exit codes: 0 ended, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file != "" {
				if err := os.WriteFile(file, statsite.Dump("http://"+addr), 0o644); err != nil {
					return &varve.Error{Kind: varve.Unavailable, Op: "write the dump", Err: err}
				}
				return nil
			}
			h, err := statsite.Handler()
			if err != nil {
				return err
			}
			l, err := (&net.ListenConfig{}).Listen(c.Context(), "tcp", addr)
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "listen on " + addr, Err: err, Hint: "--addr chooses another address"}
			}
			srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
			fmt.Fprintf(c.OutOrStdout(), "http://%s/ (its dump: /statistics-shown/index.php/Special:Export)\n", l.Addr())
			stopped := context.AfterFunc(c.Context(), func() { _ = srv.Close() }) // readers of a demonstration can be cut off
			defer stopped()
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8095", "where to serve it, on this machine")
	c.Flags().StringVar(&file, "dump", "", "write the dump into this file instead")
	return c
}
