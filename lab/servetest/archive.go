package servetest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/catalog"
	"varve/archive/history"
	"varve/clock"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// Site is a collection to be made.
type Site struct {
	Collection string
	Title      string
	Purpose    string
	Spec       string // a site description of websim
	Seed       uint64
	Start      time.Time // of the first crawl
	Every      time.Duration
	Crawls     int
	MaxPages   int64
	Revisit    coherence.RevisitKind // of pages, when all are visited; none if empty
	Speed      float64               // simulated seconds that go by in a second of a crawl
}

// Build crawls a site as often as it says and leaves the collection in the archive directory.
func Build(ctx context.Context, dir string, site Site) error {
	spec, err := websim.Load(site.Collection+".toml", []byte(site.Spec))
	if err != nil {
		return fmt.Errorf("site of %s: %w", site.Collection, err)
	}
	web, err := websim.New(spec, site.Seed)
	if err != nil {
		return fmt.Errorf("site of %s: %w", site.Collection, err)
	}
	timeline := server.NewTimeline(clock.Real(), web.Epoch(), site.Speed)
	srv, err := server.Listen(web, server.Options{Timeline: timeline, NoDigest: true})
	if err != nil {
		return fmt.Errorf("serve the site of %s: %w", site.Collection, err)
	}
	defer srv.Close()
	col, err := catalog.Open(dir).Collection(site.Collection)
	if err != nil {
		return err
	}
	if err := col.Create(); err != nil {
		return err
	}
	plan := fmt.Sprintf("title = %q\npurpose = %q\n\n[crawl.regular]\nseeds = [%q]\nevery = %q\nscope = \"host\"\n",
		site.Title, site.Purpose, srv.Seeds()[0], site.Every)
	if err := os.WriteFile(col.DefinitionFile(), []byte(plan), 0o644); err != nil {
		return err
	}
	for i := range site.Crawls {
		at := site.Start.Add(time.Duration(i) * site.Every)
		if err := crawlOnce(ctx, srv, col, site, at); err != nil {
			return fmt.Errorf("crawl %d of %s: %w", i+1, site.Collection, err)
		}
		timeline.Advance(site.Every)
	}
	return nil
}

func crawlOnce(ctx context.Context, srv *server.Server, col *catalog.Collection, site Site, at time.Time) (err error) {
	then := offset{clock.Real(), time.Until(at)}
	cfg := fetch.Config{UserAgent: "varve-servetest", TLS: fetch.TLS{Roots: srv.Pool()}, Clock: then}
	for _, rule := range srv.Resolve() {
		o, err := fetch.ParseOverride(rule)
		if err != nil {
			return err
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	client, err := fetch.New(cfg)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	store, err := history.Open(vfs.Default, col.HistoryDir(), history.Config{}, log)
	if err != nil {
		return err
	}
	engine := crawl.NewEngine(crawl.EngineConfig{
		Fetcher: client, Polite: polite.Fixed(0), Clock: then, Log: log, Software: "varve/servetest",
	})
	run, err := engine.Start(ctx, col, crawl.Definition{
		Name: "regular", Seeds: srv.Seeds()[:1], Scope: scope.Definition{Mode: scope.Host}, MaxPages: site.MaxPages, MinDisk: -1, Workers: 4,
		Coherence: crawl.Coherence{Revisit: site.Revisit},
	}, crawl.Options{History: store, Stages: stages.Set{}.Of})
	if err == nil {
		_, err = run.Wait()
	}
	if e := store.Close(); err == nil {
		err = e
	}
	return err
}

// offset is the machine's clock, set to another date.
type offset struct {
	clock.Clock
	by time.Duration
}

// Now is the present instant on the date it is set to.
func (o offset) Now() time.Time { return o.Clock.Now().Add(o.by) }
