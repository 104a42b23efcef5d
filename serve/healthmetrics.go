package serve

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"varve/serve/health"
)

// healthMetrics shows Prometheus how nodes and uploads stand. They are sums: metrics are shown to all who may look, names of crawls and
// collections are not.
type healthMetrics struct {
	desk *health.Desk
	ctx  context.Context
}

var healthGauges = []struct {
	name, help string
	value      func(*health.Sums) float64
}{
	{"varve_nodes_engine_up", "1 if the engine of crawls of several nodes answers.", func(s *health.Sums) float64 { return s.Reachable }},
	{"varve_nodes_crawls", "Crawls of several nodes that the engine knows.", func(s *health.Sums) float64 { return s.Fleets }},
	{"varve_nodes", "Nodes that hold a session.", func(s *health.Sums) float64 { return s.Nodes }},
	{"varve_nodes_partitions_owned", "Partitions that a live node owns.", func(s *health.Sums) float64 { return s.Owned }},
	{"varve_nodes_partitions_released", "Partitions that nobody owns, handed over.", func(s *health.Sums) float64 { return s.Released }},
	{"varve_nodes_partitions_orphaned", "Partitions of nodes that are gone.", func(s *health.Sums) float64 { return s.Orphans }},
	{"varve_nodes_address_leases", "Addresses that a node holds.", func(s *health.Sums) float64 { return s.Leases }},
	{"varve_nodes_log_lag", "Messages for nodes that they have not read yet.", func(s *health.Sums) float64 { return s.Lag }},
	{"varve_nodes_queued", "URLs that wait on all nodes.", func(s *health.Sums) float64 { return s.Queued }},
	{"varve_uploads_waiting", "Finished WARC files that no store has yet.", func(s *health.Sums) float64 { return s.Waiting }},
	{"varve_uploads_waiting_bytes", "Bytes of these.", func(s *health.Sums) float64 { return s.WaitingBytes }},
	{"varve_health_findings", "Findings that somebody should look at.", func(s *health.Sums) float64 { return s.Findings }},
}

// Describe tells nothing beforehand: all are made when collected.
func (m *healthMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect looks.
func (m *healthMetrics) Collect(out chan<- prometheus.Metric) {
	sums := m.desk.Look(m.ctx).Sum()
	for _, g := range healthGauges {
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc(g.name, g.help, nil, nil), prometheus.GaugeValue, g.value(&sums))
	}
}
