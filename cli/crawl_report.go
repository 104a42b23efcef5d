package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// crawlSummary is the last line of --json.
type crawlSummary struct {
	Crawl      string  `json:"crawl"`
	Complete   bool    `json:"complete"`
	Why        string  `json:"why"`
	Pages      int64   `json:"pages"`
	URLs       int64   `json:"urls"`
	Bytes      int64   `json:"bytes"`
	Errors     int64   `json:"errors"`
	Revisits   int64   `json:"revisits"`
	Queued     int64   `json:"queued"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"`
	MaxRSS     int64   `json:"max_rss"`

	Finished bool        `json:"finished"`
	Gaps     []crawl.Gap `json:"gaps,omitempty"`
	WARCs    []string    `json:"warcs"`
}

func (o *crawlOptions) printReport(out io.Writer, col *catalog.Collection, rep *crawl.Report) error {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	s := crawlSummary{
		Crawl: rep.Crawl, Complete: rep.Complete, Finished: rep.Finished, Gaps: rep.Gaps, Why: rep.Why, Pages: rep.Pages, URLs: rep.URLs, Bytes: rep.Bytes,
		Errors: rep.Failed, Revisits: rep.Revisits, Queued: rep.Queued, Seconds: rep.Seconds, WARCs: []string{},
		CPUSeconds: time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds(), MaxRSS: u.Maxrss << 10,
	}
	for _, f := range rep.Files {
		s.WARCs = append(s.WARCs, filepath.Join(col.WarcDir(), f))
	}
	if o.json {
		if err := json.NewEncoder(out).Encode(s); err != nil {
			return err
		}
	} else {
		printCrawl(out, rep, s)
	}
	if !rep.Complete {
		return varve.ErrFindings
	}
	return nil
}

// printCrawl writes the report for people.
func printCrawl(out io.Writer, rep *crawl.Report, s crawlSummary) {
	word := "complete"
	switch {
	case !rep.Finished:
		word = "stopped early (" + rep.Why + "; --resume goes on)"
	case !rep.Complete:
		word = "finished, but not complete (what is missing stands below)"
	}
	if n := elsewhere(rep); n > 0 && rep.Complete {
		word = fmt.Sprintf("complete; %d parts of its pages lie on other hosts and were not to be had (they stand below)", n)
	}
	fmt.Fprintf(out, "Crawl %s: %s\n", rep.Crawl, word)
	fmt.Fprintf(out, "  %d pages among %d answers, %s in %.1f s; %d failed, %d refused, %d already held\n",
		rep.Pages, rep.URLs, SizeText(rep.Bytes), rep.Seconds, rep.Failed, rep.Refused, rep.Revisits)
	printCounts(out, "status", rep.Status)
	printCounts(out, "errors", rep.Errors)
	printCounts(out, "refused", rep.Refusals)
	for _, label := range slices.Sorted(maps.Keys(rep.Rules)) {
		fmt.Fprintf(out, "  rule %q kept out: %s\n", label, rep.Rules[label])
	}
	printCounts(out, "suspected traps", rep.Traps)
	printCounts(out, "alike", rep.Alike)
	for _, a := range rep.Applications {
		fmt.Fprintf(out, "  made by %s: %d pages; links to forms, orders and old versions that were not visited: %d\n", oneLine(strings.TrimSpace(a.Name+" "+a.Version)), a.Pages, a.NotVisited)
		printCounts(out, "cookies of "+a.Name+" that were not sent back", a.NotSent)
	}
	if rep.SitemapCut > 0 {
		fmt.Fprintf(out, "  sitemaps: %d addresses were not queued, the budget of their host was used up (--max-sitemap)\n", rep.SitemapCut)
	}
	if told := int64(len(rep.Seeds)); told > 0 && sum(rep.Outcomes) > told {
		printCounts(out, "seeds", rep.Outcomes)
	}
	printGroups(out, rep.Groups)
	for _, line := range spamLines(rep.Spam) {
		fmt.Fprintln(out, "  "+line)
	}
	for url, seed := range rep.Seeds {
		if seed.Outcome != "ok" {
			fmt.Fprintf(out, "  seed %s: %s %s%s\n", url, seed.Outcome, seed.To, seed.Why)
		}
	}
	for _, g := range rep.Gaps {
		if g.Elsewhere {
			fmt.Fprintf(out, "  not got: %d, %s: %s\n", g.Count, g.Cause, strings.Join(g.Examples, ", "))
			continue
		}
		fmt.Fprintf(out, "  missing: %d, %s%s\n", g.Count, g.Cause, exampleText(g.Examples))
	}
	printUnreached(out, rep.Unreached)
	for _, w := range s.WARCs {
		fmt.Fprintf(out, "  %s\n", w)
	}
}

// elsewhere counts parts of pages that lie on other hosts and were not to be had.
func elsewhere(rep *crawl.Report) (n int64) {
	for _, g := range rep.Gaps {
		if g.Elsewhere {
			n += g.Count
		}
	}
	return n
}

// exampleText names the first of some examples.
func exampleText(list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return ": " + list[0]
	}
	return ": " + list[0] + ", ..."
}

// printUnreached writes what was given up, and why.
func printUnreached(out io.Writer, list map[string]crawl.Unreached) {
	for _, authority := range slices.Sorted(maps.Keys(list)) {
		u := list[authority]
		fmt.Fprintf(out, "  not reached: %s, %d URLs: %s (%d attempts since %s)\n", authority, u.URLs, u.Why, u.Attempts, u.Since.UTC().Format(time.RFC3339))
	}
}

func sum(counts map[string]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}
