package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/smallbase"
)

func newKBCommand() *cobra.Command {
	var data, out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "kb",
		Short: "Make the small base of entities from sets that may be handed on",
		Long: `Makes a base of entities (base.kb) and its ATTRIBUTION from the sets of DATA/kb, without those of licences that bind what is made from them. 'varve entity --base DIR' uses it.

Exit codes: 0 made, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			about, err := smallbase.Make(c.Context(), data, out)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err, Hint: "--data must name a folder with kb/"}
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), about)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%d entities, %d names, %d links in %s\n", about.Entities, about.Names, about.Links, out)
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "../shared/data", "folder of the sets")
	f.StringVar(&out, "out", "dist/kb", "folder of the base")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
