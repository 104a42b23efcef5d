package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/api"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/route"
	"varve/page"
)

// routeTest are the flags of route-test.
type routeTest struct {
	crawlOptions
	url, mime, hops, state string
	status                 int
	pages                  int64
	elapsed                time.Duration
}

func newRouteTestCommand() *cobra.Command {
	o := routeTest{crawlOptions: crawlOptions{clock: clock.Real()}}
	c := &cobra.Command{
		Use:   "route-test URL|FILE...",
		Short: "Tell how an answer would be collected, and why",
		Long: `Shows which rule decides about an answer, what in the page speaks for executing it, and what
was measured of its section. A URL is fetched (once, without robots.txt); a FILE is taken as the content of --url.

  varve crawl route-test https://example.org/shop/ --contact https://my.library/crawler
  varve crawl route-test page.html --url https://example.org/shop/17
  varve crawl route-test list.m3u8 --mime application/vnd.apple.mpegurl
  varve crawl route-test page.html --routes my-routes.toml --state archive/collections/news/crawls/ID/route.json

Exit codes: 0 the parser is enough for all, 1 one or more go to a collector, 2 could not.`,
		Args: needArgs(1, "at least one URL or file"),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args, c.OutOrStdout()) },
	}
	f := c.Flags()
	f.StringVar(&o.url, "url", "https://example.org/", "where a FILE is from")
	f.StringVar(&o.mime, "mime", "text/html", "the type of a FILE")
	f.IntVar(&o.status, "status", 200, "the status of a FILE")
	f.StringVar(&o.hops, "hops", "L", "the way from the seed")
	f.Int64Var(&o.pages, "pages", 0, "pages that the crawl has by then")
	f.DurationVar(&o.elapsed, "elapsed", 0, "how long the crawl has lasted by then")
	f.StringVar(&o.state, "state", "", "route.json of a crawl: what it measured")
	f.StringVar(&o.capture.mode, "capture", "auto", "parser, auto or browser")
	f.StringVar(&o.capture.routes, "routes", "", "rules that come before the built-in ones")
	f.StringVar(&o.contact, "contact", "", "URL or mail address at which site owners reach you; needed outside loopback")
	f.StringArrayVar(&o.resolve, "resolve", nil, "PATTERN[:PORT]=ADDR[:PORT] instead of DNS; repeatable")
	f.BoolVar(&o.json, "json", false, "print one JSON object per answer")
	return c
}

// run explains the answers one after the other.
func (o *routeTest) run(ctx context.Context, args []string, out io.Writer) error {
	rules, err := readRoutes(o.capture.routes, nil)
	if err != nil {
		return err
	}
	router := route.New(rules, route.Mode(o.capture.mode), api.New(api.Config{}), route.Browser, route.Media, route.API)
	if o.state != "" {
		b, err := os.ReadFile(o.state)
		if err == nil {
			err = router.Restore(b)
		}
		if err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "--state " + o.state, Err: err}
		}
	}
	further := false
	for _, arg := range args {
		e, err := o.evidence(ctx, arg)
		if err != nil {
			return err
		}
		x := router.Explain(e)
		further = further || x.Collector != route.Parser
		if err := printRoute(out, o.json, x); err != nil {
			return err
		}
	}
	if further {
		return varve.ErrFindings
	}
	return nil
}

// evidence gets an answer and what the parser finds in it.
func (o *routeTest) evidence(ctx context.Context, arg string) (*collect.Evidence, error) {
	e := &collect.Evidence{Pages: o.pages, Elapsed: o.elapsed}
	e.Answer = collect.Answer{URL: o.url, MIME: o.mime, Status: o.status, Hops: o.hops}
	var err error
	if strings.Contains(arg, "://") {
		err = o.fetch(ctx, arg, &e.Answer)
	} else if e.Content, err = os.ReadFile(arg); err != nil {
		err = &varve.Error{Kind: varve.Invalid, Op: "route-test", Err: err}
	}
	if err != nil {
		return nil, err
	}
	p, err := page.NewReader().Read(page.Input{URL: e.URL, MIME: e.MIME, Body: e.Content}, page.Want{})
	e.Info = p.Info
	return e, err
}

// fetch asks for a URL as a crawl would.
func (o *routeTest) fetch(ctx context.Context, arg string, a *collect.Answer) error {
	u, err := crawl.ParseSeed(arg)
	if err != nil {
		return err
	}
	def := crawl.Definition{UserAgent: "varve/" + Version, Contact: o.contact}
	proxies, err := o.reach(&def)
	if err != nil {
		return err
	}
	client, err := o.client(def, proxies)
	if err != nil {
		return err
	}
	defer client.Close()
	x, err := client.Fetch(ctx, &fetch.Request{URL: u.String(), MaxBody: 32 << 20, MaxTime: time.Minute, AllowLoopback: true})
	defer x.Release()
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "fetch " + arg, Err: err}
	}
	a.URL, a.Status, a.MIME = u.String(), x.Head.Status, x.Head.MediaType()
	a.Content, err = x.AppendContent(nil, 8<<20)
	return err
}

// printRoute writes an explanation.
func printRoute(out io.Writer, asJSON bool, x route.Explanation) error {
	if asJSON {
		return json.NewEncoder(out).Encode(x)
	}
	fmt.Fprintf(out, "%s\n  %s", x.URL, x.Collector)
	if x.Rule != "" {
		fmt.Fprintf(out, " (rule %q)", x.Rule)
	}
	fmt.Fprintf(out, ": %s\n", x.Why)
	if len(x.Signs) > 0 {
		fmt.Fprintf(out, "  signs: %s; chance %.2f\n", strings.Join(x.Signs, " "), x.Chance)
	}
	if x.Section != "" {
		fmt.Fprintf(out, "  section: %s; expected gain %.2f, pays from %.2f\n", x.Section, x.Gain, x.MinGain)
	}
	if r := x.Record; r != nil {
		fmt.Fprintf(out, "  measured: %d of %d executed pages brought %d new URLs; %d pages asked\n", r.Brought, r.Runs, r.Total, r.Pages)
	}
	return nil
}
