package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"varve/serve/extension"
)

func newExtensionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "extension DIR",
		Short: "Unpack the browser extension that marks names on pages",
		Long: `Writes the extension for Chromium, Chrome, Edge and their kin into a folder. It marks persons, places and things on the page one reads, and what kinds of things they are, as the Varve server on this
machine knows them. Load it at chrome://extensions (developer mode, "load unpacked"), and allow it to ask the server:

  varve serve --allow-origin ORIGIN      ORIGIN is what this command prints

A page is read when its button is clicked, and its text goes to the server on this machine and nowhere else.

Exit codes: 0 unpacked, 2 could not.`,
		Example: `  varve extension ~/varve-extension`,
		Args:    needArgs(1, "a folder"),
		RunE: func(c *cobra.Command, args []string) error {
			origin, err := extension.Origin()
			if err != nil {
				return err
			}
			if err := extension.Unpack(args[0]); err != nil {
				return err
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), map[string]string{"folder": args[0], "origin": origin})
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "unpacked into %s: load it at chrome://extensions, then\n  varve serve --allow-origin %s\n", oneLine(args[0]), origin)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
