package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"varve"
	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/api"
	"varve/crawl/browser"
	"varve/crawl/browser/behave"
	"varve/crawl/collect"
	"varve/crawl/gather"
	"varve/crawl/media"
	"varve/crawl/media/external"
	"varve/crawl/media/queue"
	"varve/crawl/route"
	"varve/crawl/scope"
	"varve/curate/curation"
)

// captureOptions are the flags of crawl that say how far answers are followed.
type captureOptions struct {
	mode, routes, apiRules string
	behaviours             string
	browserPath            string
	tabs                   int
	noMedia, noAPI         bool
	renditions             string
	players, mediaBudget   string
	ytdlp                  string
	mediaLive, pageTime    time.Duration
	screenshots, text      bool

	given *gather.Options // by a command that chooses itself; nil: by the flags
}

func (o *captureOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.mode, "capture", "auto", "parser: only read pages; auto: execute them in Chromium where that pays; browser: execute all")
	f.StringVar(&o.routes, "routes", "", "rules that choose per URL (TOML, docs/formats/routes.md); they come before the built-in ones")
	f.StringVar(&o.browserPath, "browser-path", "", "the Chromium to use (default: searched for)")
	f.StringVar(&o.behaviours, "behaviours", "", "what to do on executed pages of a site (TOML, docs/formats/behaviours.md), before the built-in behaviours")
	f.IntVar(&o.tabs, "browser-tabs", 3, "pages executed at a time")
	f.DurationVar(&o.pageTime, "page-time", 0, "longest time for executing one page (default 1m)")
	f.BoolVar(&o.screenshots, "screenshots", false, "keep a picture of every executed page")
	f.BoolVar(&o.text, "rendered-text", false, "keep the text that an executed page shows")
	f.BoolVar(&o.noMedia, "no-media", false, "do not follow streams (HLS, DASH)")
	f.StringVar(&o.renditions, "media-renditions", "one", "of a stream: one, the best under 1080 lines, or all")
	f.DurationVar(&o.mediaLive, "media-live", 0, "how long a live stream is followed (default 10m)")
	f.StringVar(&o.players, "media-players", "auto", "films behind players of others, by yt-dlp where it is installed: auto, those of well-known services; all that look like players; none, only put into the queue")
	f.StringVar(&o.mediaBudget, "media-budget", "10GiB", "bytes of all films behind players; what is beyond stays in the queue of 'varve media fetch'")
	f.StringVar(&o.ytdlp, "yt-dlp", "", "the yt-dlp to use (default: searched for; none: do without)")
	f.BoolVar(&o.noAPI, "no-api", false, "do not page through interfaces (WordPress, MediaWiki, Mastodon, Discourse)")
	f.StringVar(&o.apiRules, "api-rules", "", "rules for further interfaces (TOML, docs/formats/api-rules.md)")
}

// What is as usual.
const (
	playersAuto        = "auto"
	defaultMediaBudget = 10 << 30
)

// definition makes the part of a definition that is about capture. What is as usual is left out.
func (o *captureOptions) definition() (crawl.Capturing, error) {
	c := crawl.Capturing{
		Routes: o.routes, APIRules: o.apiRules, Behaviours: o.behaviours, MediaLive: scope.Duration(o.mediaLive), PageTime: scope.Duration(o.pageTime),
		Screenshot: o.screenshots, PageText: o.text,
	}
	if o.mode != string(route.Auto) {
		c.Mode = o.mode
	}
	switch o.renditions {
	case "one", "":
	case "all":
		c.Media = o.renditions
	default:
		return c, &varve.Error{Kind: varve.Invalid, Op: "--media-renditions", Msg: fmt.Sprintf("%q is not known", o.renditions), Hint: "one or all"}
	}
	if o.noMedia {
		c.Media = "none"
	}
	if o.players != playersAuto {
		c.Players = o.players
	}
	budget, err := scope.ParseSize(o.mediaBudget)
	if err != nil || budget <= 0 {
		return c, &varve.Error{Kind: varve.Invalid, Op: "--media-budget", Msg: fmt.Sprintf("%q is no size", o.mediaBudget), Err: err, Hint: "500MB or 10GiB"}
	}
	if budget != defaultMediaBudget {
		c.MediaBudget = budget
	}
	if o.noAPI {
		c.APIs = "ignore"
	}
	return c, nil
}

// collectors makes those who go further with answers, and the route that chooses among them. Nothing is
// started before it is needed. Collectors take real time, so a crawl on another clock has none.
func (o *captureOptions) collectors(col *catalog.Collection, def crawl.Definition, t clock.Clock, log *slog.Logger, progress io.Writer) (*collecting, error) {
	if o.given != nil {
		return &collecting{Options: *o.given}, nil
	}
	if t != clock.Real() {
		return &collecting{}, nil
	}
	rules, err := readRoutes(def.Routes, col)
	if err != nil {
		return nil, err
	}
	out := gather.Options{Collectors: map[string]collect.Collector{}, Slots: o.tabs}
	mode := route.Mode(cmp.Or(def.Mode, string(route.Auto)))
	end, err := o.addBrowser(&out, def, col, mode, log)
	if err != nil {
		return nil, err
	}
	var films *players
	if def.Media != "none" {
		wanted, err := queue.Open(curation.QueuePath(col.Dir()), now)
		if err != nil {
			log.Warn("lines of the queue of media objects are left out", "err", err)
		}
		if def.Players != "none" {
			tools := mediaFetchOptions{ytdlp: o.ytdlp}
			if films, err = newPlayers(wanted, tools.tools(), cmp.Or(int64(def.MediaBudget), defaultMediaBudget), sayUnjailed(progress)); err != nil {
				return nil, errors.Join(err, end())
			}
		}
		out.Collectors[route.Media] = media.New(media.Config{
			Renditions: media.Renditions(def.Media), Live: time.Duration(def.MediaLive), Queue: wanted, AnyPlayer: def.Players == "all", TakePlayers: films != nil,
		})
	}
	finder, err := addAPI(&out, def, col)
	if err != nil {
		return nil, errors.Join(err, end())
	}
	router := route.New(rules, mode, finder, slices.Sorted(maps.Keys(out.Collectors))...)
	router.WhenMissing(func(url string) {
		fmt.Fprintf(progress, "varve: pages such as %s show more when they are executed, and there is no Chromium on this machine; the crawl goes on without.\n"+
			"       apt install chromium (or --browser-path FILE), then crawl again; --capture parser ends this message\n", url)
	})
	out.Route = router
	if films != nil {
		films.Router = router
		out.Route, out.Collectors[external.Name] = films, films.films
	}
	return &collecting{out, end, films}, nil
}

// collecting is who goes further with the answers of a crawl.
type collecting struct {
	gather.Options
	end     func() error // nil: there is nothing to end
	players *players     // nil: nobody gets films behind players
}

// Close ends what was started.
func (c *collecting) Close() error {
	if c.end == nil {
		return nil
	}
	return c.end()
}

// settle does what is due when all that a crawl got is durable.
func (c *collecting) settle(crawl string, progress io.Writer) error {
	if c.players == nil {
		return nil
	}
	return c.players.settle(crawl, progress)
}

// addBrowser adds the collector that executes pages, if there is a Chromium. Only who asked for one by name
// gets an error without.
func (o *captureOptions) addBrowser(out *gather.Options, def crawl.Definition, col *catalog.Collection, mode route.Mode, log *slog.Logger) (func() error, error) {
	nothing := func() error { return nil }
	if mode == route.ParserOnly {
		return nothing, nil
	}
	path, err := browser.Find(o.browserPath)
	if err != nil {
		if mode == route.Everywhere || o.browserPath != "" || !errors.Is(err, browser.ErrMissing) {
			return nothing, err
		}
		return nothing, nil
	}
	cfg := browser.Config{Path: path, Tabs: o.tabs, Text: def.PageText, Screenshot: def.Screenshot, Log: log}
	cfg.Budget.Wall = time.Duration(def.PageTime)
	if cfg.Rules, err = readBehaviours(def.Behaviours, col); err != nil {
		return nothing, err
	}
	b, err := browser.New(cfg)
	if err != nil {
		return nothing, err
	}
	out.Collectors[route.Browser], out.Runs = b, route.Browser
	return b.Close, nil
}

// addAPI adds the collector that pages through interfaces.
func addAPI(out *gather.Options, def crawl.Definition, col *catalog.Collection) (route.Finder, error) {
	if def.APIs == "ignore" {
		return nil, nil
	}
	rules := api.Default()
	if def.APIRules != "" {
		f, err := openBeside(def.APIRules, col)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "api-rules", Err: err}
		}
		defer f.Close()
		own, err := api.Load(def.APIRules, f)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "api-rules", Err: err, Hint: "see docs/formats/api-rules.md"}
		}
		rules = own.Before(rules)
	}
	c := api.New(api.Config{Rules: rules})
	out.Collectors[route.API] = c
	return c, nil
}

// readRoutes reads the rules of a crawl: its own before the built-in ones. A relative name is looked for
// here and beside collection.toml.
func readRoutes(name string, col *catalog.Collection) (*route.Rules, error) {
	if name == "" {
		return route.Default(), nil
	}
	f, err := openBeside(name, col)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "routes", Err: err}
	}
	defer f.Close()
	own, err := route.Load(name, f)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "routes", Err: err, Hint: "see docs/formats/routes.md"}
	}
	return own.Before(route.Default()), nil
}

// readBehaviours reads what is done on executed pages: the crawl's own rules before the built-in ones.
func readBehaviours(name string, col *catalog.Collection) (*behave.Rules, error) {
	builtin, err := behave.Builtin()
	if err != nil || name == "" {
		return builtin, err
	}
	f, err := openBeside(name, col)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "behaviours", Err: err}
	}
	defer f.Close()
	own, err := behave.Load(name, f)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "behaviours", Err: err, Hint: "see docs/formats/behaviours.md"}
	}
	return builtin.With(own), nil
}

// openBeside opens a file by its name, or beside the plan of a collection.
func openBeside(name string, col *catalog.Collection) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil && col != nil && !filepath.IsAbs(name) {
		if beside, err := os.Open(filepath.Join(col.Dir(), name)); err == nil {
			return beside, nil
		}
	}
	return f, err
}
