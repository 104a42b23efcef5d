package canon

import (
	"syscall"
	"testing"
	"time"
)

// cpu gives the processor time that the process has used; it does not depend on other processes
// as wall time does.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perCPU runs f and reports the processor time of one call.
func perCPU(b *testing.B, f func()) {
	b.ReportAllocs()
	start := cpu()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(cpu()-start)/float64(b.N), "cpu-ns/op")
}

func BenchmarkResolve(b *testing.B) {
	base, _ := Parse("https://www.example.com/news/2026/index.html?x=1")
	for _, c := range []struct{ name, ref string }{
		{"relative", "../2025/12/some-article-title.html"},
		{"rooted", "/static/css/main.css?v=20260101"},
		{"absolute", "https://cdn.example.com/lib/jquery-3.7.1.min.js"},
		{"encoded", "/wiki/Zürich (Stadt)"},
		{"query", "?page=2"},
		{"mailto", "mailto:someone@example.com"},
		{"international", "https://bücher.example/a"},
	} {
		for _, way := range []struct {
			name  string
			parse func() (URL, error)
		}{
			{"ours", func() (URL, error) { return base.Resolve(c.ref) }},
			{"library", func() (URL, error) { return parseFull(c.ref, &base) }},
		} {
			b.Run(c.name+"/"+way.name, func(b *testing.B) {
				perCPU(b, func() {
					if _, err := way.parse(); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}

var benchURLs = []struct{ name, url string }{
	{"plain", "https://www.example.com/news/2026/some-article-title.html"},
	{"query", "https://www.example.com/Search?q=Some+Words&page=2&lang=en&sort=date"},
	{"session", "https://www.example.com/a?PHPSESSID=" + id32 + "&x=1"},
	{"escaped", "https://de.example.org/wiki/Z%C3%BCrich_%28Stadt%29"},
}

func BenchmarkSURT(b *testing.B) {
	for _, c := range benchURLs {
		b.Run(c.name, func(b *testing.B) { perCPU(b, func() { SURT(c.url) }) })
	}
}

func BenchmarkFrontierKey(b *testing.B) {
	for _, c := range benchURLs {
		u, _ := Parse(c.url)
		b.Run(c.name, func(b *testing.B) { perCPU(b, func() { u.FrontierKey() }) })
	}
}

func BenchmarkPayLevelDomain(b *testing.B) {
	perCPU(b, func() { PayLevelDomain("www.news.example.co.uk") })
}

func BenchmarkRequestKey(b *testing.B) {
	body := []byte(`{"query": "news", "page": 3, "filter": {"lang": "en", "date": [2025, 2026]}}`)
	perCPU(b, func() { RequestKey("POST", "https://www.example.com/api", "application/json", body) })
}
