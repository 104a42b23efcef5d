package health_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/nodes"
	"varve/serve/health"
)

type source struct {
	fleets []nodes.Overview
	err    error
	asked  int
}

func (s *source) Fleets(context.Context) ([]nodes.Overview, string, error) {
	s.asked++
	return s.fleets, "n1 2.15.0", s.err
}

func archive(t *testing.T) *catalog.Archive {
	t.Helper()
	dir := t.TempDir()
	warcs := filepath.Join(dir, "collections", "press", "warc")
	if err := os.MkdirAll(warcs, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(warcs, "a.warc.gz")
	if err := os.WriteFile(path, []byte("0123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	return catalog.Open(dir)
}

// What is wrong is found and told, worst first; the sums name nothing.
func TestLook(t *testing.T) {
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	s := &source{fleets: []nodes.Overview{
		{Crawl: "country", State: "running", Partitions: 256, Owned: 200, Orphans: 56, Leases: 4, Waiting: 20_003, Nodes: []nodes.Status{
			{Node: "a", Name: "anna", State: "running", Waiting: 20_003},
			{Node: "b", Name: "berta", State: "paused", Why: "disk nearly full: 3 MB free"},
		}, Together: crawl.Together{Queued: 12}},
		{Crawl: "left", State: "no node runs", Partitions: 256, Released: 256},
		{Crawl: "held", State: "paused by eva", Orders: crawl.Orders{Paused: true}, Nodes: []nodes.Status{{Node: "c", Name: "cleo", State: "paused"}}},
	}}
	d := &health.Desk{Archive: archive(t), Store: "s3", Source: s, Now: func() time.Time { return now }}
	h := d.Look(t.Context())
	var kinds []health.Kind
	for _, f := range h.Findings {
		kinds = append(kinds, f.Kind)
	}
	want := []health.Kind{health.NoNode, health.Orphans, health.Waits, health.Lags, health.Uploading}
	if len(kinds) != len(want) {
		t.Fatalf("%v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("%v, want %v", kinds, want)
		}
	}
	if h.Engine != "n1 2.15.0" || len(h.Uploads) != 1 || h.Uploads[0].Waiting != 1 || h.Uploads[0].Bytes != 10 {
		t.Errorf("%+v", h)
	}
	if sum := h.Sum(); sum.Nodes != 3 || sum.Orphans != 56 || sum.Lag != 20_003 || sum.Waiting != 1 || sum.Reachable != 1 {
		t.Errorf("%+v", sum)
	}
	d.Look(t.Context())
	if s.asked != 1 {
		t.Errorf("the engine was asked %d times within a moment", s.asked)
	}
}

// An engine that cannot be asked is a finding, not an error; without one nothing is said of it.
func TestUnreachable(t *testing.T) {
	d := &health.Desk{Archive: archive(t), Store: "directory", Source: &source{err: errors.New("no servers available")}, Now: time.Now}
	h := d.Look(t.Context())
	if len(h.Findings) != 1 || h.Findings[0].Kind != health.Unreachable || h.Sum().Reachable != 0 || len(h.Uploads) != 0 {
		t.Errorf("%+v", h)
	}
	alone := (&health.Desk{Archive: archive(t), Now: time.Now}).Look(t.Context())
	if alone.Joined || len(alone.Findings) != 0 {
		t.Errorf("%+v", alone)
	}
}
