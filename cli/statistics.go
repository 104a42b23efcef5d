package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/whole"
	"varve/derive/annotate"
	"varve/entity/base"
	"varve/entity/dump"
	"varve/entity/statistics"
	"varve/serve/search"
)

func newStatisticsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "statistics",
		Short: "Link texts to articles of a site of statistics",
		Long: `A text names concrete persons, places and companies; an article of statistics treats a theme. 'varve statistics link' goes from one to the other: by the kinds of the things that are named, which stand for
themes of the site, and by words. The site is imported from a dump once; the screen Statistics and the browser extension use it, too. docs/entities.md tells more.`,
	}
	c.AddCommand(newStatisticsImportCommand(), newStatisticsAboutCommand(), newStatisticsLinkCommand())
	return c
}

func newStatisticsImportCommand() *cobra.Command {
	var archive string
	var add, asJSON bool
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import articles and category trees",
		Long: `Imports a site of statistics: a dump of a MediaWiki (.xml; Eurostat's Statistics Explained is one) with its articles, categories and redirects to categories, or lines of JSON (.jsonl, docs/formats/statistics.md),
packed or not (.gz, .bz2, .zst). Several files are one site: a tree of classes of your own can come as lines of JSON. What was imported before is replaced, unless --add.

Exit codes: 0 imported, 2 could not.`,
		Example: `  varve statistics import statistics-explained.xml.gz
  varve statistics import --add classes.jsonl`,
		Args: needArgs(1, "dumps to import"),
		RunE: func(c *cobra.Command, args []string) error {
			path := statistics.File(archive)
			var site *statistics.Site
			if add {
				var err error
				if site, err = statistics.Open(path); err != nil && varve.KindOf(err) != varve.NotFound {
					return err
				}
			}
			for _, name := range args {
				one, err := readStatistics(name, site != nil)
				if err != nil {
					return &varve.Error{Kind: varve.Invalid, Op: "import " + name, Err: err, Hint: "an XML dump of a MediaWiki, or lines of JSON (docs/formats/statistics.md)"}
				}
				if site == nil {
					site = one
				} else if err := site.Join(one); err != nil {
					return &varve.Error{Kind: varve.Invalid, Op: "import " + name, Err: err}
				}
			}
			var b bytes.Buffer
			if err := site.Write(&b); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "keep statistics", Err: err}
			}
			if err := whole.Bytes(path, 0o644, b.Bytes()); err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "keep statistics", Err: err}
			}
			return printStatistics(c.OutOrStdout(), site, asJSON)
		},
	}
	c.Flags().StringVar(&archive, "archive", "archive", "the archive directory")
	c.Flags().BoolVar(&add, "add", false, "add to what was imported before")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// readStatistics reads a file. What is added to a site may have no articles of its own.
func readStatistics(name string, added bool) (*statistics.Site, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := dump.Unpack(f)
	if err != nil {
		return nil, err
	}
	plain := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".bz2"), ".zst")
	if filepath.Ext(plain) == ".xml" {
		return statistics.ReadMediaWiki(in)
	}
	s, err := statistics.Read(in)
	if errors.Is(err, statistics.ErrNoArticles) && added {
		return s, nil
	}
	return s, err
}

// statisticsReport is what a site has.
type statisticsReport struct {
	Site     string `json:"site"`
	Articles int    `json:"articles"`
	Themes   int    `json:"themes"`
	Classes  int    `json:"classes"` // that came with it
	Aligned  int    `json:"aligned"` // classes, and types of names, that stand for a theme
	Reached  int    `json:"reached"` // themes that some class stands for
}

func printStatistics(w io.Writer, s *statistics.Site, asJSON bool) error {
	a, err := s.Alignment()
	if err != nil {
		return err
	}
	r := statisticsReport{Site: s.Name, Articles: len(s.Articles), Themes: len(s.Themes), Classes: len(s.Classes), Aligned: len(a)}
	var reached []string
	for _, list := range a {
		for _, x := range list {
			reached = append(reached, x.Theme)
		}
	}
	slices.Sort(reached)
	r.Reached = len(slices.Compact(reached))
	if asJSON {
		return PrintJSON(w, r)
	}
	_, err = fmt.Fprintf(w, "%s: %d articles, %d themes, %d classes of its own; %d classes stand for %d of the themes\n", oneLine(r.Site), r.Articles, r.Themes, r.Classes, r.Aligned, r.Reached)
	return err
}

func newStatisticsAboutCommand() *cobra.Command {
	var archive string
	var asJSON bool
	c := &cobra.Command{
		Use: "about", Short: "Say what was imported", Args: cobra.NoArgs,
		Long:    "Says how many articles and themes the site has, and how many of them the classes of things stand for.\n\nExit codes: 0 told, 2 there is none.",
		Example: "  varve statistics about --json",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := statistics.Open(statistics.File(archive))
			if err != nil {
				return err
			}
			return printStatistics(c.OutOrStdout(), s, asJSON)
		},
	}
	c.Flags().StringVar(&archive, "archive", "archive", "the archive directory")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newStatisticsLinkCommand() *cobra.Command {
	var archive, method string
	var asJSON bool
	c := &cobra.Command{
		Use:   "link FILE",
		Short: "List the articles of statistics that a text has to do with",
		Long: `Links the text of a file (- is the standard input; text, HTML or a document) to articles of the site that was imported. --method both takes articles of themes that the kinds of the things named stand for, and orders them by
words; voting goes by themes alone, words by words alone (tf-idf).

Exit codes: 0 listed, 1 no article fits, 2 could not.`,
		Example: `  varve statistics link news.txt
  varve statistics link news.html --method words --json`,
		Args: needArgs(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := statistics.ParseMethod(method)
			if err != nil {
				return UsageError(c, "--method: "+err.Error())
			}
			in := annotate.Content{Time: time.Now(), Language: "en"}
			if args[0] == "-" {
				in.Body, err = io.ReadAll(io.LimitReader(c.InOrStdin(), maxLinkedText))
			} else {
				in.Body, err = os.ReadFile(args[0])
			}
			if err != nil {
				return &varve.Error{Kind: varve.NotFound, Op: "read " + args[0], Err: err}
			}
			l, err := annotate.OpenLinker(base.InArchive(archive))
			switch {
			case err == nil:
				in.Linker = l
				defer l.Close()
			case varve.KindOf(err) != varve.NotFound:
				return err
			}
			found, err := search.LinkStatistics(c.Context(), statistics.NewDesk(archive), nil, in, m)
			if err != nil {
				return err
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), found)
			} else {
				t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
				for _, a := range found.Ranked {
					fmt.Fprintf(t, "%.3f\t%s\t%s\t%s\n", a.Score, oneLine(a.Title), oneLine(strings.Join(a.Themes, ", ")), oneLine(strings.Join(a.Shared, " ")))
				}
				err = t.Flush()
			}
			if err == nil && len(found.Ranked) == 0 {
				fmt.Fprintln(c.ErrOrStderr(), "no article fits: --method words goes by words alone")
				err = varve.ErrFindings
			}
			return err
		},
	}
	c.Flags().StringVar(&archive, "archive", "archive", "the archive directory")
	c.Flags().StringVar(&method, "method", string(statistics.Both), "both, voting or words")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// maxLinkedText bounds what is read from the standard input.
const maxLinkedText = 16 << 20
