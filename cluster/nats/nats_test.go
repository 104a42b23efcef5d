package nats_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"varve"
	"varve/cluster/nats"
	"varve/crawl/nodes/engine"
	"varve/crawl/nodes/engine/enginetest"
	"varve/lab/natsd"
)

func start(t *testing.T, o natsd.Options) *natsd.Cluster {
	t.Helper()
	c, err := natsd.Start(t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return c
}

func open(t *testing.T, c *natsd.Cluster, crawl string) *nats.Engine {
	t.Helper()
	e, err := nats.Open(t.Context(), nats.Config{URL: c.URL(), Crawl: crawl, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func conformance(t *testing.T, c *natsd.Cluster) {
	n := 0
	enginetest.Run(t, func(t *testing.T) func() engine.Engine {
		n++
		crawl := fmt.Sprintf("c%d", n)
		return func() engine.Engine { return open(t, c, crawl) }
	})
}

// One server, and three with a copy on each, do what the engine in memory does.
func TestConformance(t *testing.T) { conformance(t, start(t, natsd.Options{})) }

func TestConformanceThree(t *testing.T) {
	if testing.Short() {
		t.Skip("three servers")
	}
	conformance(t, start(t, natsd.Options{Servers: 3, NoSync: os.Getenv("VARVE_DRILL") == ""}))
}

// What cannot work says why, and nobody reads a password in it.
func TestBad(t *testing.T) {
	locked := start(t, natsd.Options{User: "crawler", Password: "secret1"})
	wrong := strings.ReplaceAll(locked.URL(), "secret1", "secret2")
	for _, c := range []struct {
		name string
		cfg  nats.Config
		kind varve.Kind
		word string
	}{
		{"password", nats.Config{URL: wrong, Crawl: "c"}, varve.Forbidden, "--creds"},
		{"nobody there", nats.Config{URL: "nats://user:secret3@127.0.0.1:1", Crawl: "c"}, varve.Unavailable, "run"},
		{"name", nats.Config{URL: locked.URL(), Crawl: "a.b"}, varve.Invalid, "letters"},
		{"no such file", nats.Config{URL: locked.URL(), Crawl: "c", Creds: "/nonexistent"}, varve.Unavailable, "nonexistent"},
	} {
		e, err := nats.Open(context.Background(), c.cfg)
		if err == nil {
			e.Close()
			t.Errorf("%s: it opened", c.name)
			continue
		}
		var ours *varve.Error
		if !errors.As(err, &ours) || ours.Kind != c.kind {
			t.Errorf("%s: %v", c.name, err)
		}
		if text := err.Error() + ours.Hint; !strings.Contains(text, c.word) || strings.Contains(text, "secret") {
			t.Errorf("%s: %q", c.name, text)
		}
	}
}
