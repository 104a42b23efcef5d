package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/gather"
	"varve/crawl/media"
	"varve/crawl/media/external"
	"varve/crawl/media/object"
	"varve/crawl/media/queue"
	"varve/crawl/scope"
	"varve/curate/curation"
)

// mediaFetchOptions are the flags of media fetch.
type mediaFetchOptions struct {
	*mediaOptions
	page         string
	found        bool
	size         string
	longest      time.Duration
	live, within time.Duration
	height       int
	ytdlp        string
	ffmpeg       string
	crawl        crawlOptions
}

func newMediaFetchCommand(m *mediaOptions) *cobra.Command {
	o := mediaFetchOptions{mediaOptions: m, crawl: crawlOptions{clock: clock.Real()}}
	c := &cobra.Command{
		Use:   "fetch [URL...]",
		Short: "Get films and sounds, by external programs where it must be",
		Long: `Puts the given addresses into the queue and gets all that is in it: streams and files by Varve itself, what is
behind players by yt-dlp, formats that no browser plays any more by ffmpeg. It is a crawl of its own: polite, within
robots.txt, recorded byte for byte. yt-dlp runs in a network of its own, whose only door is the recording proxy, where
the system allows that (else it is told to use the proxy, and you are told). What it makes is kept as urn:media:URL
with the page it was found on, and replay shows it in place of the dead player.

The queue outlives a kill: run it again, and what was not got is got. An address is given up after 3 attempts.

Exit codes: 0 all were got (or the queue is empty), 1 some could not be, 2 could not begin.`,
		Example: `  varve media fetch https://player.example/embed/7 --page https://news.example/vote --collection news --contact https://my.library/crawler
  varve media fetch --found --collection news --contact https://my.library/crawler
  varve media fetch --collection news --contact https://my.library/crawler`,
		RunE: func(c *cobra.Command, args []string) error { return runMediaFetch(c, &o, args) },
	}
	f := c.Flags()
	f.StringVar(&o.page, "page", "", "the page that shows the given addresses")
	f.BoolVar(&o.found, "found", false, "ask for all that pages show and that is not archived")
	f.StringVar(&o.size, "max-size", "2GiB", "bytes of one film")
	f.DurationVar(&o.longest, "max-length", 4*time.Hour, "length of one film")
	f.DurationVar(&o.live, "live", 0, "how long live streams are taken; 0: those of players are refused, others for 10m")
	f.DurationVar(&o.within, "time", 30*time.Minute, "time for one film")
	f.IntVar(&o.height, "height", 1080, "lines of pictures at most")
	f.StringVar(&o.ytdlp, "yt-dlp", "", "the yt-dlp to use (default: searched for; none: do without)")
	f.StringVar(&o.ffmpeg, "ffmpeg", "", "the ffmpeg to use (default: searched for; none: do without)")
	k := &o.crawl
	f.StringVar(&k.contact, "contact", "", "URL or mail address at which site owners reach you; needed outside loopback")
	f.StringVar(&k.operator, "operator", "", "who runs the crawl, for the WARC files")
	f.StringVar(&k.userAgent, "user-agent", "varve/"+Version, "product part of the User-Agent")
	f.StringArrayVar(&k.resolve, "resolve", nil, "PATTERN[:PORT]=ADDR[:PORT] instead of DNS; repeatable")
	f.StringArrayVar(&k.proxy, "proxy", nil, "[PATTERN=]URL of an http or socks5 proxy; repeatable")
	f.BoolVar(&k.ignoreRobots, "ignore-robots", false, "fetch what robots.txt forbids; only with the right to do so")
	f.BoolVar(&k.allowPrivate, "allow-private", false, "let public pages lead to private and loopback addresses")
	f.BoolVar(&k.noIndex, "no-index", false, "do not index what was got; 'varve index' does it later")
	f.BoolVar(&k.quiet, "quiet", false, "no progress")
	return c
}

func runMediaFetch(c *cobra.Command, o *mediaFetchOptions, args []string) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	list := curation.Open(col.Dir(), now)
	if err := o.ask(c.Context(), list, args); err != nil {
		return err
	}
	q, err := list.Queue()
	if err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "varve: some lines of the queue cannot be read and are left out: %v\n", err)
	}
	items := q.Pending()
	if len(items) == 0 {
		fmt.Fprintln(c.ErrOrStderr(), "varve: nothing is asked for; 'varve media list --state found' names what could be")
		return nil
	}
	tools := o.tools()
	if err := tools.Missing(); err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "varve: %v\n       %s\n", err, varve.HintOf(err))
	}
	f, err := o.fetching(items, tools, sayUnjailed(c.ErrOrStderr()))
	if err != nil {
		return err
	}
	def, err := o.definition(items)
	if err != nil {
		return err
	}
	o.crawl.capture.given = &gather.Options{Route: f, Collectors: map[string]collect.Collector{media.Name: f.media, external.Name: f.external}, Time: o.within + time.Minute}
	err = o.crawl.run(c.Context(), col, def, "", io.Discard, c.ErrOrStderr())
	if err != nil && !errors.Is(err, varve.ErrFindings) {
		return err
	}
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) == 0 {
		return errors.Join(err, errors.New("the crawl left no trace"))
	}
	return o.settle(c, q, items, f, ids[len(ids)-1])
}

// tools are the programs to use.
func (o *mediaFetchOptions) tools() external.Tools {
	t := external.Find()
	set := func(to *string, given string) {
		switch given {
		case "":
		case "none":
			*to = ""
		default:
			*to = given
		}
	}
	set(&t.YTDLP, o.ytdlp)
	set(&t.FFmpeg, o.ffmpeg)
	if t.FFmpeg == "" {
		t.FFprobe = ""
	}
	return t
}

// ask puts what the command names into the queue.
func (o *mediaFetchOptions) ask(ctx context.Context, list *curation.List, args []string) error {
	by := os.Getenv("USER")
	for _, u := range args {
		if err := list.Ask(o.page, u, by); err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "ask for " + u, Err: err}
		}
	}
	if !o.found {
		return nil
	}
	page, err := list.Entries(ctx, curation.Query{State: curation.Found, Limit: 10_000})
	if page == nil {
		return err
	}
	for i := range page.Entries {
		e := &page.Entries[i]
		if e.Label == "ignore" || e.Kind == string(object.Stream) { // no program here gets what is not HTTP
			continue
		}
		if err := list.Ask(e.Page, e.URL, by); err != nil {
			return err
		}
	}
	return nil
}

// definition is a crawl of the items alone, with what they need.
func (o *mediaFetchOptions) definition(items []queue.Item) (crawl.Definition, error) {
	def := crawl.Definition{
		Scope: scope.Definition{Mode: scope.Page}, IgnoreRobots: o.crawl.ignoreRobots, AllowPrivate: o.crawl.allowPrivate,
		UserAgent: o.crawl.userAgent, Contact: o.crawl.contact, Operator: o.crawl.operator, Name: "media", MaxGuess: -1,
	}
	for _, it := range items {
		def.Seeds = append(def.Seeds, it.URL)
	}
	return def, o.crawl.limit(&def)
}

// fetching is one run over the queue: it routes answers and remembers what came of them.
type fetching struct {
	items    map[string]queue.Item
	media    collect.Collector
	external collect.Collector

	mu  sync.Mutex
	end map[string]error // by address; nil: got
}

func (o *mediaFetchOptions) fetching(items []queue.Item, tools external.Tools, unjailed func(error)) (*fetching, error) {
	size, err := scope.ParseSize(o.size)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "--max-size", Err: err}
	}
	f := &fetching{items: map[string]queue.Item{}, end: map[string]error{}}
	for _, it := range items {
		f.items[it.URL] = it
	}
	ext, err := external.New(external.Config{
		Tools: tools, Time: o.within, Length: o.longest, Live: o.live, Size: int64(size), Height: o.height,
		Jail: jailHelper(), Unjailed: unjailed,
		Of: func(a *collect.Answer) (string, string) {
			it, _ := f.item(a)
			return it.URL, it.Page
		},
	})
	if err != nil {
		return nil, err
	}
	f.external = noting{f, ext}
	f.media = noting{f, media.New(media.Config{Live: o.live, Time: o.within, Size: int64(size), Height: o.height})}
	return f, nil
}

// item gives the item that an answer is about: its address, or where that redirects.
func (f *fetching) item(a *collect.Answer) (queue.Item, bool) {
	if it, ok := f.items[a.URL]; ok {
		return it, true
	}
	it, ok := f.items[a.Via]
	return it, ok && strings.Trim(a.Hops, "R") == ""
}

// Choose sends streams and files that browsers play to Varve's own collector, all else to the programs.
func (f *fetching) Choose(e *collect.Evidence) collect.Choice {
	if _, ok := f.item(&e.Answer); !ok || e.Status/100 == 3 {
		return collect.Choice{}
	}
	switch format := media.FormatOf(e.MIME, e.URL, e.Content); {
	case format == media.HLS, format == media.DASH, format == media.File && plays(e.MIME):
		return collect.Choice{Collector: media.Name, Why: "asked for"}
	case format == media.File, format == media.Page:
		return collect.Choice{Collector: external.Name, Why: "asked for"}
	}
	return collect.Choice{}
}

// plays tells types that browsers of today play.
func plays(mime string) bool {
	switch mime {
	case "video/mp4", "video/webm", "video/ogg", "audio/mpeg", "audio/mp4", "audio/ogg", "audio/webm", "audio/wav", "audio/flac", "audio/aac":
		return true
	}
	return false
}

// Learn has nothing to learn.
func (f *fetching) Learn(collect.Choice, collect.Yield) {}

// noting remembers how a collector ended.
type noting struct {
	f   *fetching
	who collect.Collector
}

// Collect asks the collector and notes what came of it.
func (n noting) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	res, err := n.who.Collect(ctx, a, net)
	if it, ok := n.f.item(a); ok {
		n.f.mu.Lock()
		n.f.end[it.URL] = err
		n.f.mu.Unlock()
	}
	return res, err
}

// settle writes what came of the items, now that all is durable, and prints it.
func (o *mediaFetchOptions) settle(c *cobra.Command, q *queue.Queue, items []queue.Item, f *fetching, id string) error {
	failed := false
	for _, it := range items {
		err, tried := f.end[it.URL]
		if !tried {
			err = errors.New("its address gave no film and no page that shows one")
		}
		line := map[string]any{"url": it.URL, "page": it.Page, "crawl": id, "got": err == nil}
		if err != nil {
			failed = true
			line["error"] = err.Error()
			if hint := varve.HintOf(err); hint != "" {
				line["hint"] = hint
			}
			err = q.Fail(it.URL, err.Error())
		} else {
			err = q.Done(it.URL, id)
		}
		if err != nil {
			return err
		}
		if o.json {
			err = PrintJSON(c.OutOrStdout(), line)
		} else if line["got"] == true {
			_, err = fmt.Fprintf(c.OutOrStdout(), "got     %s\n", it.URL)
		} else {
			_, err = fmt.Fprintf(c.OutOrStdout(), "failed  %s: %v\n", it.URL, line["error"])
		}
		if err != nil {
			return err
		}
	}
	if failed {
		return varve.ErrFindings
	}
	return nil
}
