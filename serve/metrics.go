package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the counters of a server.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	files    prometheus.Counter
	captures prometheus.Counter
}

func newMetrics(leaks func() float64) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "varve_http_requests_total", Help: "Requests by host (screens, replay) and class of status."}, []string{"host", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "varve_http_request_seconds", Help: "Time to answer, by host.", Buckets: []float64{.002, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"host"}),
		files:    prometheus.NewCounter(prometheus.CounterOpts{Name: "varve_indexed_files_total", Help: "Files indexed since the start."}),
		captures: prometheus.NewCounter(prometheus.CounterOpts{Name: "varve_indexed_captures_total", Help: "Captures indexed since the start."}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.files, m.captures, prometheus.NewCounterFunc(
		prometheus.CounterOpts{Name: "varve_replay_leaks_total", Help: "Attempts of replayed pages to reach the live web; the browser stopped them."}, leaks))
	return m
}

func (m *metrics) indexed(files int, captures int64) {
	m.files.Add(float64(files))
	m.captures.Add(float64(captures))
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// counted counts the requests of a host.
func (m *metrics) counted(host string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			m.requests.WithLabelValues(host, strconv.Itoa(s.status/100)+"xx").Inc()
			m.seconds.WithLabelValues(host).Observe(time.Since(began).Seconds())
		}()
		next.ServeHTTP(s, r)
	})
}

// statusWriter remembers the status. Streaming goes through it by Unwrap.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap gives http.ResponseController what is below.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Flush sends what was written so far.
func (s *statusWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }
