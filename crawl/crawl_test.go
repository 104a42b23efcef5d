package crawl_test

import (
	"context"
	"crypto/x509"
	"io"
	"log/slog"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// simulate serves a preset on loopback.
func simulate(t testing.TB, preset string, seed uint64) *server.Server {
	t.Helper()
	spec, err := websim.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	return simulateSpec(t, spec, seed)
}

func simulateSpec(t testing.TB, spec *websim.Spec, seed uint64) *server.Server {
	t.Helper()
	web, err := websim.New(spec, seed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// newEngine makes an engine that finds the hosts of a simulated web.
func newEngine(t testing.TB, s *server.Server, manners polite.Config) *crawl.Engine {
	t.Helper()
	e, err := engineFor(s.Resolve(), s.Pool(), manners)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func engineFor(resolve []string, roots *x509.CertPool, manners polite.Config) (*crawl.Engine, error) {
	cfg, err := fetchConfig(resolve, roots)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(cfg)
	if err != nil {
		return nil, err
	}
	return crawl.NewEngine(engineConfig(client, manners)), nil
}

// fetchConfig finds the hosts of a simulated web by rules PATTERN=ADDR.
func fetchConfig(resolve []string, roots *x509.CertPool) (fetch.Config, error) {
	cfg := fetch.Config{UserAgent: "varve-test", TLS: fetch.TLS{Roots: roots}}
	cfg.Timeouts = fetch.Timeouts{FirstByte: 2 * time.Second, Idle: 2 * time.Second, Total: 5 * time.Second}
	for _, rule := range resolve {
		o, err := fetch.ParseOverride(rule)
		if err != nil {
			return cfg, err
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	return cfg, nil
}

func engineConfig(f crawl.Fetcher, manners polite.Config) crawl.EngineConfig {
	return crawl.EngineConfig{
		Fetcher: f, Polite: manners, Clock: clock.Real(),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Software: "varve test",
	}
}

func noDelay() polite.Config {
	c := polite.Fixed(0)
	c.BackoffFirst, c.BackoffMost = 5*time.Millisecond, 20*time.Millisecond
	return c
}

func collection(t testing.TB, dir string) *catalog.Collection {
	t.Helper()
	c, err := catalog.Open(dir).Collection("test")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCrawlOneHost(t *testing.T) {
	s := simulate(t, "tiny", 1)
	col := collection(t, t.TempDir())
	run, err := newEngine(t, s, noDelay()).Start(context.Background(), col, crawl.Definition{
		Seeds: s.Seeds(), Scope: scope.Definition{Mode: scope.Host},
	}, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", rep)
	if !rep.Complete || rep.Pages == 0 {
		t.Errorf("report %+v", rep)
	}
}
