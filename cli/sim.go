package cli

import "github.com/spf13/cobra"

func newSimCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sim",
		Short: "Recorded sites, served as if they were live",
		Long:  `Practise on your own files: sites from WARC files are served on loopback, and crawled like the web.`,
	}
	c.AddCommand(newSimReplayCommand())
	return c
}
