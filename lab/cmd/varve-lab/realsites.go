package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/realsites"
)

func newRealsitesCommand() *cobra.Command {
	var cfg realsites.Config
	var json bool
	var from []string
	c := &cobra.Command{
		Use:   "realsites",
		Short: "How real web applications are captured and shown again",
		Long: `Installs real software (packages of Debian, as root; npm), fills it, serves it on loopback by nginx and PHP, captures it with
'varve crawl', stops the server, and looks at the archive in Chromium. Everything but the packages is removed in the end.

One table: pages in the archive against those of the site's own database or files; addresses queued; requests that the server saw, and
how many of them it had nothing for; what was refused; other hosts that were asked; whether the crawl called itself complete; and pages
whose words in replay, with the server stopped, are those that the live page showed, whose pictures are alike (structural similarity at
least 0.97), and what called for other hosts; posts and articles read right after the site got another template; processor time beside that of a crawl with a browser for every page. Below it everything that is missing, by name. A
site whose packages cannot be had is left out with the reason.

  varve-lab realsites
  varve-lab realsites --site vitepress --site docsify --keep
  varve-lab realsites --json > sites.json; varve-lab realsites --from sites.json

Exit codes: 0 all sites whole, 1 something is missing, differs or was left out, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if len(from) > 0 {
				return printRealsites(c, from)
			}
			if cfg.Varve, _, err = programs(); err != nil {
				return err
			}
			if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
				return cli.InputError(cfg.Dir, err)
			}
			cfg.Replay = replayArchive
			var lines []realsites.Line
			err = realsites.Run(c.Context(), cfg, c.ErrOrStderr(), func(l *realsites.Line) error {
				lines = append(lines, *l)
				if json {
					return cli.PrintJSON(c.OutOrStdout(), l)
				}
				return nil
			})
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: c.CommandPath(), Err: err}
			}
			if !json {
				err = realsites.Print(c.OutOrStdout(), lines)
			}
			for i := range lines {
				if err == nil && !lines[i].Whole() {
					err = varve.ErrFindings
				}
			}
			return err
		},
	}
	f := c.Flags()
	f.StringArrayVar(&cfg.Sites, "site", nil, "a site, repeatable (default all): "+strings.Join(realsites.Names(), ", "))
	f.IntVar(&cfg.Looks, "looks", 20, "pages of each site that are looked at live and in replay, at most; 0 for none")
	f.BoolVar(&cfg.Plain, "plain", true, "crawl forums and wikis once more with what shows nothing new, to count the requests of that")
	f.BoolVar(&cfg.Browser, "browser", true, "crawl each site once more with a browser for every page, to compare the processor time")
	f.BoolVar(&cfg.Changes, "changes", true, "edit sites that can be, crawl them again, and hold what is said of changes against what was done")
	f.BoolVar(&cfg.Templates, "templates", true, "give sites that can have one another template, and see whether what people wrote is read then")
	f.StringVar(&cfg.Themes, "themes", "", "a folder with further templates of WordPress, each in a folder of its own")
	f.StringVar(&cfg.Dir, "dir", filepath.Join(os.TempDir(), "varve-realsites"), "where sites and archives are made; packages of npm stay there for the next time")
	f.BoolVar(&cfg.Keep, "keep", false, "leave sites, logs and archives there")
	f.StringArrayVar(&cfg.Flags, "crawl-flag", nil, "a further argument for 'varve crawl', as --crawl-flag=--capture=parser; repeatable")
	f.BoolVar(&json, "json", false, "print a JSON object for each site, as soon as it is measured")
	f.StringArrayVar(&from, "from", nil, "measure nothing: print the table of what --json printed into a file before, repeatable")
	return c
}

// printRealsites prints the table of what was measured before.
func printRealsites(c *cobra.Command, files []string) error {
	var lines []realsites.Line
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return cli.InputError(file, err)
		}
		more, err := realsites.ReadLines(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return cli.InputError(file, err)
		}
		lines = append(lines, more...)
	}
	return realsites.Print(c.OutOrStdout(), lines)
}
