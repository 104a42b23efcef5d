package capture

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// within gives a crawler that runs the engine in this process; the browser's modes are left to options.
func within(t testing.TB, options func(j Job, cfg fetch.Config) crawl.Options) Crawler {
	return func(ctx context.Context, j Job) (Cost, error) {
		cfg := fetch.Config{UserAgent: "varve-test"}
		for _, rule := range j.Resolve {
			o, err := fetch.ParseOverride(rule)
			if err != nil {
				return Cost{}, err
			}
			cfg.Overrides = append(cfg.Overrides, o)
		}
		client, err := fetch.New(cfg)
		if err != nil {
			return Cost{}, err
		}
		defer client.Close()
		col, err := catalog.Open(j.Archive).Collection(Collection)
		if err != nil {
			return Cost{}, err
		}
		e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), Software: "varve test"})
		start := time.Now()
		def := crawl.Definition{Seeds: []string{j.Seed}, Scope: scope.Definition{Mode: scope.Host}, MinDisk: -1, Retries: -1}
		var opts crawl.Options
		if options != nil {
			opts = options(j, cfg)
		}
		run, err := e.Start(ctx, col, def, opts)
		if err != nil {
			return Cost{}, err
		}
		_, err = run.Wait()
		return Cost{Wall: time.Since(start), CPU: time.Millisecond}, err
	}
}

// replayed serves an archive of a test.
func replayed(t testing.TB) Replayer {
	return func(_ context.Context, archive string) (string, func() error, error) {
		x := replaytest.NewIndex()
		if err := x.AddDir(Collection, filepath.Join(archive, "collections", Collection, "warc")); err != nil {
			return "", nil, err
		}
		srv := httptest.NewUnstartedServer(nil)
		base := "http://localhost" + srv.Listener.Addr().String()[len("127.0.0.1"):]
		srv.Config.Handler = replaytest.Handler(t, x, func(c *replay.Config) { c.Base, c.Now = base, time.Now })
		srv.Start()
		return base + "/" + Collection + "/", func() error { srv.Close(); return nil }, nil
	}
}
