package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/nodes"
	"varve/lab/servetest"
	"varve/serve"
	"varve/serve/health"
)

// someNodes is an engine with a crawl of three nodes, one of which is gone.
type someNodes struct{}

func (someNodes) Fleets(context.Context) ([]nodes.Overview, string, error) {
	return []nodes.Overview{{
		Crawl: "country", State: "running", Partitions: 256, Owned: 171, Orphans: 85, Log: 48_211, Waiting: 1_204, Leases: 96, Age: 26 * time.Hour,
		Nodes: []nodes.Status{{Node: "1f0c77aa", Name: "crawler-1.lib.example", State: "running", Waiting: 1_204}, {Node: "5d20b3c1", Name: "crawler-2.lib.example", State: "paused", Why: "disk nearly full: 812 MB free"}},
		Together: crawl.Together{Name: "country", Pages: 1_204_332, URLs: 3_884_120, Bytes: 91 << 30, Queued: 2_113_004, Nodes: []crawl.NodeStands{
			{Node: "1f0c77aa", Name: "crawler-1.lib.example", State: "running", Partitions: 86, URLs: 1_400_120, Pages: 433_120, Bytes: 33 << 30, Queued: 1_113_004, Rate: 81.3},
			{Node: "5d20b3c1", Name: "crawler-2.lib.example", State: "paused", Why: "disk nearly full: 812 MB free", Partitions: 85, URLs: 1_300_000, Pages: 401_212, Bytes: 30 << 30, Queued: 1_000_000},
			{Node: "9e11d004", Name: "crawler-3.lib.example", State: nodes.Gone, URLs: 1_184_000, Pages: 370_000, Bytes: 28 << 30},
		}},
	}}, "n1 2.15.0", nil
}

// Administrators see how nodes and uploads stand, and programs the same; metrics are sums that name nothing.
func TestHealth(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Many(dir, 2, 1); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.Nodes, c.Store = someNodes{}, "s3" })
	_, page := s.do("GET", s.ui+"/health", "")
	for _, want := range []string{"country", "crawler-3.lib.example", "gone", "85", "48,211", "disk nearly full"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not tell of %q", want)
		}
	}
	_, body := s.do("GET", s.ui+"/api/health", "")
	var h health.Health
	if err := json.Unmarshal([]byte(body), &h); err != nil || len(h.Fleets) != 1 || len(h.Findings) < 2 || h.Findings[0].Kind != health.Orphans {
		t.Errorf("%v %+v", err, h)
	}
	resp, metrics := s.do("GET", s.ui+"/metrics", "")
	if resp.StatusCode != http.StatusOK || !strings.Contains(string(metrics), "varve_nodes_partitions_orphaned 85") || !strings.Contains(string(metrics), "varve_nodes_engine_up 1") || strings.Contains(string(metrics), "country") {
		t.Errorf("%d %.3000s", resp.StatusCode, metrics)
	}
}
