package rehearsal_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
)

// A crawl on a virtual clock never waits for real time: not for a host that asks to be left alone, fails or is gone,
// also if no other host has anything to do that would move time on. In a bubble, real time goes by only where
// somebody waits for it, so it tells.
func TestNoRealWaits(t *testing.T) {
	hosts := []string{"a", "b", "c"}
	troubles := map[string]string{
		"503":                "[[site.fault]]\nkind = \"status\"\nstatus = 503\nshare = 1.0\n",
		"503 at first":       "[[site.fault]]\nkind = \"status\"\nstatus = 503\ntimes = 2\nshare = 1.0\n",
		"503, retry-after":   "[[site.fault]]\nkind = \"status\"\nstatus = 503\nretry_after = \"1200\"\nshare = 1.0\n",
		"429, retry-after":   "[[site.fault]]\nkind = \"status\"\nstatus = 429\nretry_after = \"date\"\ndelay = \"40m\"\nshare = 1.0\n",
		"429 for a day":      "[[site.fault]]\nkind = \"status\"\nstatus = 429\nretry_after = \"86400\"\nshare = 1.0\n",
		"reset":              "[[site.fault]]\nkind = \"reset\"\nshare = 1.0\n",
		"close":              "[[site.fault]]\nkind = \"close\"\nshare = 1.0\n",
		"robots.txt 503":     "robots = { status = 503 }\n",
		"crawl-delay of 60s": "robots = { delay = \"60s\" }\n",
	}
	for name, trouble := range troubles {
		for _, last := range hosts {
			t.Run(name+" at "+last, func(t *testing.T) {
				var web string
				for _, h := range hosts {
					web += fmt.Sprintf("[[site]]\nhost = \"%s.sim.test\"\npages = 4\n", h)
					if h == last {
						web += trouble
					}
				}
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, web, 1, rehearsal.Config{Memory: true})
					def := crawl.Definition{Scope: scope.Definition{Mode: scope.Host}, Workers: 1} // several would wait for a mutex, and time would stand still in the bubble
					for _, h := range s.Web.Hosts() {
						def.Seeds = append(def.Seeds, h.Seed)
					}
					real, virtual := time.Now(), s.Clock.Now()
					res, err := s.Crawl(t.Context(), t.TempDir(), def, crawl.Options{Stages: stages.Set{}.Of})
					if err != nil {
						t.Fatal(err)
					}
					if waited := time.Since(real); waited > time.Second {
						t.Errorf("%v of real time were waited for", waited)
					}
					t.Logf("%v of virtual time: %v, %d left", s.Clock.Now().Sub(virtual), res.Report.Why, res.Report.Queued)
				})
			})
		}
	}
}

// A paused crawl sleeps, also when a URL that waits for another attempt has become due: it wakes for its watchers only.
func TestPausedCrawlSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, "[[site]]\nhost = \"a.sim.test\"\npages = 3\n[[site.fault]]\nkind = \"status\"\nstatus = 503\nshare = 1.0\n", 1, rehearsal.Config{Memory: true})
		dir := t.TempDir()
		place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc"), Store: vfs.NewMem(), Files: warc.Disk{}}
		def := crawl.Definition{Seeds: []string{s.Web.Hosts()[0].Seed}, Scope: scope.Definition{Mode: scope.Host}, Workers: 1, MinDisk: -1}
		run, err := s.Engine.StartIn(t.Context(), "test", place, def, crawl.Options{Stages: stages.Set{}.Of})
		if err != nil {
			t.Fatal(err)
		}
		for synctest.Wait(); !strings.Contains(run.WaitsFor(), "tried again"); synctest.Wait() {
			s.Clock.AdvanceNext()
		}
		run.Pause("test")
		synctest.Wait()
		s.Clock.Advance(time.Hour) // it is due
		end, wakes := s.Clock.Now().Add(10*time.Minute), 0
		for synctest.Wait(); s.Clock.Now().Before(end) && wakes < 1000; synctest.Wait() {
			s.Clock.AdvanceNext()
			wakes++
		}
		if wakes > 40 { // progress is told every 30 s, and now and then somebody looks
			t.Errorf("%d wake-ups in 10 minutes", wakes)
		}
		run.Resume()
		if rep, err := run.Drive(s.Clock); err != nil || !rep.Finished || rep.Status[503] < 3 {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}
