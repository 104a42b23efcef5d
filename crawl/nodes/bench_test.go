package nodes_test

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"varve/cluster/nats"
	"varve/crawl/nodes/engine"
	"varve/lab/natsd"
)

// cpu is the processor time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCrawl crawls the same sites by one process, by one node and by three, in memory and with NATS; simulated web and server are in the figures. For profiles:
//
//	go test ./crawl/nodes -run '^$' -bench Crawl/nats3 -benchtime 1x -cpuprofile /tmp/cpu -memprofile /tmp/mem
func BenchmarkCrawl(b *testing.B) {
	web := sites(b, 30, 100, 3)
	for _, c := range []struct {
		name  string
		count int
		nats  bool
	}{{"alone", 0, false}, {"memory1", 1, false}, {"memory3", 3, false}, {"nats1", 1, true}, {"nats3", 3, true}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				s := &setting{resolve: web.Resolve(), manners: noDelay(), expect: c.count, parts: 256, def: webScope("http://site01.test/")}
				memory := engine.NewMemory()
				join := func() engine.Engine { return memory.Join() }
				if c.nats {
					d, err := natsd.Start(b.TempDir(), natsd.Options{})
					if err != nil {
						b.Fatal(err)
					}
					defer d.Stop()
					join = func() engine.Engine {
						e, err := nats.Open(b.Context(), nats.Config{URL: d.URL(), Crawl: "test"})
						if err != nil {
							b.Fatal(err)
						}
						b.Cleanup(e.Close)
						return e
					}
				}
				before := cpu()
				if c.count == 0 {
					alone(b, s)
				} else {
					var all sync.WaitGroup
					for i := range c.count {
						e, dir := join(), b.TempDir()
						all.Go(func() {
							m, err := s.start(b.Context(), e, fmt.Sprintf("n%d", i), dir)
							if err != nil {
								b.Error(err)
								return
							}
							_, _ = m.run.Wait()
							m.client.Close()
						})
					}
					all.Wait()
				}
				b.ReportMetric((cpu() - before).Seconds(), "cpu-s/crawl")
			}
		})
	}
}
