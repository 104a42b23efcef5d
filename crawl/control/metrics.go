package control

import (
	"net/http"

	"varve/crawl"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics serves the counters of the run to Prometheus. They are read when asked for, so they
// cost the crawl nothing.
func (c *Stage) metrics() http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(&collector{c.r})
	return promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
}

type collector struct{ r *crawl.Run }

// metric is one counter or gauge and where it is read.
type metric struct {
	name, help string
	kind       prometheus.ValueType
	value      func(crawl.Progress) float64
}

var metrics = []metric{
	{"varve_crawl_urls_total", "Answers recorded.", prometheus.CounterValue, func(p crawl.Progress) float64 { return float64(p.URLs) }},
	{"varve_crawl_pages_total", "HTML pages with status 2xx recorded.", prometheus.CounterValue, func(p crawl.Progress) float64 { return float64(p.Pages) }},
	{"varve_crawl_bytes_total", "Bytes of answers received.", prometheus.CounterValue, func(p crawl.Progress) float64 { return float64(p.Bytes) }},
	{"varve_crawl_failed_total", "URLs given up.", prometheus.CounterValue, func(p crawl.Progress) float64 { return float64(p.Failed) }},
	{"varve_crawl_refused_total", "URLs not fetched: scope, robots.txt, traps.", prometheus.CounterValue, func(p crawl.Progress) float64 { return float64(p.Refused) }},
	{"varve_crawl_queued", "URLs queued or under way.", prometheus.GaugeValue, func(p crawl.Progress) float64 { return float64(p.Queued) }},
	{"varve_crawl_hosts", "Hosts with URLs queued.", prometheus.GaugeValue, func(p crawl.Progress) float64 { return float64(p.Hosts) }},
	{"varve_crawl_running", "1 while the crawl takes URLs.", prometheus.GaugeValue, func(p crawl.Progress) float64 {
		if p.State == crawl.Running {
			return 1
		}
		return 0
	}},
}

// Describe tells nothing beforehand: all metrics are made when collected.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect reads the counters.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	p := c.r.Progress()
	for _, m := range metrics {
		desc := prometheus.NewDesc(m.name, m.help, nil, prometheus.Labels{"crawl": c.r.ID})
		out <- prometheus.MustNewConstMetric(desc, m.kind, m.value(p))
	}
}
