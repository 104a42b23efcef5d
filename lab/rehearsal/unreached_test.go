package rehearsal_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
)

// badRobots are ways in which robots.txt fails for good.
var badRobots = map[string]string{
	"503":                 "kind = \"status\"\nstatus = 503\n",
	"500":                 "kind = \"status\"\nstatus = 500\n",
	"429":                 "kind = \"status\"\nstatus = 429\n",
	"503, come in 20 min": "kind = \"status\"\nstatus = 503\nretry_after = \"1200\"\n",
	"reset":               "kind = \"reset-early\"\n",
	"closed":              "kind = \"close\"\n",
	"no HTTP":             "kind = \"garbage\"\n",
	"cut short":           "kind = \"truncate\"\n", // the rules that did not come are not known
}

func robotsWeb(fault string) string {
	return fmt.Sprintf("[[site]]\nhost = \"bad.sim.test\"\npages = 5\n[[site.fault]]\nat = \"/robots.txt\"\n%s[[site]]\nhost = \"good.sim.test\"\npages = 5\n", fault)
}

// A crawl ends though the robots.txt of a host never answers, with short waits as with the usual ones: the attempts count, the
// host is given up, nothing of it was asked for, and the report says which host and why.
func TestGivesUpWithoutRobots(t *testing.T) {
	for name, fault := range badRobots {
		for _, wait := range []time.Duration{5 * time.Millisecond, 30 * time.Second} {
			t.Run(fmt.Sprintf("%s, waits of %s", name, wait), func(t *testing.T) {
				s := newStage(t, robotsWeb(fault), 1, rehearsal.Config{Memory: true})
				def := crawl.Definition{Scope: scope.Definition{Mode: scope.Host}, Workers: 2, RetryAfter: scope.Duration(wait), MaxTime: scope.Duration(7 * 24 * time.Hour)}
				for _, h := range s.Web.Hosts() {
					def.Seeds = append(def.Seeds, h.Seed)
				}
				begun := s.Clock.Now()
				res, err := s.Crawl(t.Context(), t.TempDir(), def, crawl.Options{Stages: stages.Set{}.Of})
				if err != nil {
					t.Fatal(err)
				}
				rep, took, asked := res.Report, s.Clock.Now().Sub(begun), 0
				for _, e := range res.Looks {
					switch {
					case e.Host != "bad.sim.test":
					case e.Target != "/robots.txt":
						t.Errorf("%s was asked for without robots.txt", e.Target)
					default:
						asked++
					}
				}
				if !rep.Finished || rep.Complete || rep.Queued != 0 || rep.Pages < 5 {
					t.Errorf("after %v: %s, %d pages, %d queued", took, rep.Why, rep.Pages, rep.Queued)
				}
				if asked != 4 || took > 2*time.Hour || wait == 30*time.Second && took < 3*time.Minute {
					t.Errorf("asked %d times in %v", asked, took)
				}
				u, told := rep.Unreached["http://bad.sim.test"]
				if !told || u.Attempts != 4 || u.URLs != 1 || !strings.HasPrefix(u.Why, "robots.txt: ") {
					t.Errorf("the report says %+v", rep.Unreached)
				}
			})
		}
	}
}

// A host whose robots.txt answers after a few minutes is not lost.
func TestRobotsComesBack(t *testing.T) {
	s := newStage(t, robotsWeb("kind = \"status\"\nstatus = 503\ntimes = 3\n"), 1, rehearsal.Config{Memory: true})
	def := crawl.Definition{Seeds: []string{"http://bad.sim.test/"}, Scope: scope.Definition{Mode: scope.Host}, Workers: 2}
	res, err := s.Crawl(t.Context(), t.TempDir(), def, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	if rep := res.Report; !rep.Complete || rep.Pages < 5 || len(rep.Unreached) != 0 || rep.Refused != 0 {
		t.Errorf("%+v", rep)
	}
}

// Attempts count over a resume: stopped after every one, a crawl asks no more often.
func TestRobotsAttemptsAreKept(t *testing.T) {
	s := newStage(t, robotsWeb("kind = \"close\"\n"), 1, rehearsal.Config{})
	dir := t.TempDir()
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc"), Store: vfs.NewMem(), Files: warc.Disk{}}
	def := crawl.Definition{Seeds: []string{"http://bad.sim.test/"}, Scope: scope.Definition{Mode: scope.Host}, Workers: 1, MaxTime: scope.Duration(time.Second)}
	runs := 0
	for ; runs < 20; runs++ {
		res, err := s.CrawlIn(t.Context(), "test", place, def, crawl.Options{Stages: stages.Set{}.Of})
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(time.Hour) // politeness is done with the host
		if res.Report.Finished {
			if u := res.Report.Unreached["http://bad.sim.test"]; u.Attempts != 4 {
				t.Errorf("%+v", res.Report.Unreached)
			}
			break
		}
	}
	if n := s.Log.Len(); n != 4 {
		t.Errorf("asked %d times in %d runs", n, runs)
	}
}

// A server that asks to be left alone for longer than a crawl waits is left alone: the crawl ends, says so, and can be resumed.
func TestLeftAloneForADay(t *testing.T) {
	for _, at := range []string{"at = \"/robots.txt\"\n", "share = 1.0\n"} {
		s := newStage(t, strings.Replace(robotsWeb("kind = \"status\"\nstatus = 503\nretry_after = \"86400\"\n"), "at = \"/robots.txt\"\n", at, 1), 1, rehearsal.Config{})
		dir := t.TempDir()
		place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc"), Store: vfs.NewMem(), Files: warc.Disk{}}
		def := crawl.Definition{Seeds: []string{"http://bad.sim.test/", "http://good.sim.test/"}, Scope: scope.Definition{Mode: scope.Host}, Workers: 2}
		begun := s.Clock.Now()
		res, err := s.CrawlIn(t.Context(), "test", place, def, crawl.Options{Stages: stages.Set{}.Of})
		if err != nil {
			t.Fatal(err)
		}
		if took := s.Clock.Now().Sub(begun); res.Report.Finished || res.Report.Queued == 0 || took > time.Hour || !strings.Contains(res.Report.Why, "bad.sim.test asked to be left alone") {
			t.Errorf("%s: in %v %+v", at, took, res.Report)
		}
		asked := len(res.Looks)
		s.Clock.Advance(25 * time.Hour)
		if res, err = s.CrawlIn(t.Context(), "test", place, def, crawl.Options{Stages: stages.Set{}.Of}); err != nil || len(res.Looks) == 0 || res.Report.Finished {
			t.Errorf("%s: asked %d times, then %d: %v", at, asked, len(res.Looks), err)
		}
	}
}

// A host that is gone in the middle of a crawl is given up after some tries, not after some for each of its URLs: also one that
// begins every answer and ends none.
func TestGivesUpLostHost(t *testing.T) {
	for kind, why := range map[string]string{
		"close": "disconnect", "reset-early": "disconnect", "truncate": "answer cut short: disconnect", "reset": "answer cut short: disconnect", "cut-chunks": "answer cut short: disconnect",
	} {
		t.Run(kind, func(t *testing.T) {
			s := newStage(t, fmt.Sprintf("[[site]]\nhost = \"bad.sim.test\"\npages = 3\n[[site.fault]]\nkind = %q\nshare = 1.0\n", kind), 3, rehearsal.Config{Memory: true})
			def := crawl.Definition{Scope: scope.Definition{Mode: scope.Host}, Workers: 2, MaxTime: scope.Duration(90 * 24 * time.Hour)}
			page := s.Web.Hosts()[0].Seed
			for i := range 60 {
				def.Seeds = append(def.Seeds, fmt.Sprintf("%s?%d", page, i))
			}
			begun := s.Clock.Now()
			res, err := s.Crawl(t.Context(), t.TempDir(), def, crawl.Options{Stages: stages.Set{}.Of})
			if err != nil {
				t.Fatal(err)
			}
			rep := res.Report
			u := rep.Unreached["http://bad.sim.test"]
			if took := s.Clock.Now().Sub(begun); !rep.Finished || rep.Complete || took > 12*time.Hour || u.URLs == 0 || u.Attempts < 8 || u.Why != why {
				t.Errorf("in %v: %s, %+v, %d queued, %v", took, rep.Why, rep.Unreached, rep.Queued, rep.Errors)
			}
		})
	}
}
