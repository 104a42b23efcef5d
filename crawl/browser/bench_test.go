package browser_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/crawl/browser"
	"varve/crawl/collect"
)

// samples are pages of the kinds that a crawl meets.
func samples() pages {
	plain := "<!doctype html><title>Plain</title><h1>Plain</h1>" + strings.Repeat("<p>Some words of a page, <a href=/x>and a link</a>.</p>", 60)
	app := `<!doctype html><title>App</title><div id=root></div><button id=more>Load more</button><script src=/app.js></script>`
	return pages{
		"/plain": plain, "/app": app,
		"/app.js":     `fetch('/data.json').then(r => r.json()).then(d => { root.innerHTML = d.map(x => '<p><a href="/item/' + x + '">Item ' + x + '</a></p>').join('') }); more.onclick = () => fetch('/more.json').then(r => r.json()).then(d => { root.insertAdjacentHTML('beforeend', d.map(x => '<p><a href="/item/' + x + '">' + x + '</a></p>').join('')); more.remove() })`,
		"/data.json":  `[1,2,3,4,5]`,
		"/more.json":  `[6,7,8,9]`,
		"/pic.svg":    `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>`,
		"/styled":     "<!doctype html><link rel=stylesheet href=/s.css><title>Styled</title>" + strings.Repeat("<img src=/pic.svg>", 20) + plain,
		"/s.css":      "p { color: #333 } a { color: #06c }",
		"/robots.txt": "",
	}
}

// BenchmarkPage measures the processor time of the browser per page. Run it with
//
//	go test -run - -bench Page -benchtime 40x ./crawl/browser
func BenchmarkPage(b *testing.B) {
	for _, path := range []string{"/plain", "/styled", "/app"} {
		for _, still := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/still=%t", path[1:], still), func(b *testing.B) { benchmarkPage(b, path, still) })
		}
	}
}

func benchmarkPage(b *testing.B, path string, still bool) {
	n := site(b, samples())
	c := collector(b, browser.Config{Still: still, Pages: 10_000})
	execute(b, c, n, "http://www.test"+path) // a browser is running
	b.ResetTimer()
	var mu sync.Mutex
	var cpu time.Duration
	var work sync.WaitGroup
	next := make(chan struct{}, b.N)
	for range b.N {
		next <- struct{}{}
	}
	close(next)
	for range 3 {
		work.Go(func() {
			for range next {
				r, err := c.Collect(b.Context(), &collect.Answer{URL: "http://www.test" + path}, n)
				if err != nil {
					b.Error(err)
					return
				}
				mu.Lock()
				cpu += r.Cost.CPU
				mu.Unlock()
			}
		})
	}
	work.Wait()
	b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/page")
	b.ReportMetric(float64(b.N)/cpu.Seconds(), "pages/cpu-s")
}
