package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"varve"
	"varve/crawl"
)

func newScopeTestCommand() *cobra.Command {
	var o crawlOptions
	var seeds []string
	var hops, via string
	c := &cobra.Command{
		Use:   "scope-test URL...",
		Short: "Tell which scope rule decides about a URL",
		Long: `Shows what every rule says about a URL and which one has the last word.

  varve crawl scope-test --seed https://example.org/ https://cdn.example.net/a.png --hops LE
  varve crawl scope-test --seed https://example.org/ --scope-file rules.toml https://example.org/calendar/

Hops are the way from a seed, one letter each: L link, S form, M sitemap or feed entry, E embed,
R redirect, X speculative; the default L is a link on the seed.

Exit codes: 0 all are in, 1 one or more are out, 2 could not.`,
		Args: needArgs(1, "at least one URL"),
		RunE: func(c *cobra.Command, args []string) error {
			return runScopeTest(&o, seeds, hops, via, args, c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringArrayVar(&seeds, "seed", nil, "a seed of the crawl; repeatable")
	f.StringVar(&hops, "hops", "L", "the way from the seed")
	f.StringVar(&via, "via", "", "the page it was found on")
	f.StringVar(&o.scope, "scope", "host", "what belongs to the crawl: page, prefix, host, domain")
	f.StringVar(&o.scopeFile, "scope-file", "", "scope rules and settings per domain (TOML)")
	f.IntVar(&o.maxHops, "max-hops", -1, "links from a seed to a page at most")
	f.BoolVar(&o.json, "json", false, "print one JSON object per URL")
	return c
}

func runScopeTest(o *crawlOptions, seeds []string, hops, via string, urls []string, out io.Writer) error {
	def, err := o.scopeDefinition()
	if err != nil {
		return err
	}
	tester, err := crawl.NewScopeTester(def, seeds)
	if err != nil {
		return err
	}
	outside := false
	for _, url := range urls {
		t, err := tester.Test(url, hops, via, now())
		if err != nil {
			return err
		}
		outside = outside || !t.Decision.Accepted()
		if err := printDecision(out, o.json, t); err != nil {
			return err
		}
	}
	if outside {
		return varve.ErrFindings
	}
	return nil
}

func printDecision(out io.Writer, asJSON bool, t crawl.ScopeTest) error {
	if asJSON {
		return json.NewEncoder(out).Encode(t)
	}
	fmt.Fprintf(out, "%s\n  %s\n", t.URL, t.Decision)
	for _, op := range t.Opinions {
		mark := " "
		if op.Decide {
			mark = "*"
		}
		fmt.Fprintf(out, "  %s %2d %-7s %-28s %s\n", mark, op.Rule, op.Word, op.Name, op.Why)
	}
	return nil
}
