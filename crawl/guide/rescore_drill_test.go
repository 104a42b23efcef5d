package guide

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/relevance"
)

// lists is a site whose list pages each have a thousand links, to cats and to dogs in turn.
type lists struct {
	links  int // of a list
	served atomic.Int64
}

func (s *lists) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	n, ok := strings.CutPrefix(r.URL.Path, "/list/")
	switch {
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case ok:
		fmt.Fprint(w, "<title>animals</title><p>a page about animals of all kinds")
		for i := range s.links {
			fmt.Fprintf(w, "<p><a href=/p/%s/%d>%s %d</a>", n, i, []string{"cats", "dogs"}[i%2], i)
		}
	default:
		s.served.Add(1)
		fmt.Fprint(w, "<p>that is all")
	}
}

const (
	childEnv  = "VARVE_RESCORE_CHILD" // directory, address of the site, number of lists and of their links
	drillSize = "VARVE_DRILL_QUEUE"
)

func seedsOf(url string, lists int) (out []string) {
	for i := range lists {
		out = append(out, fmt.Sprintf("%s/list/%d", url, i))
	}
	return out
}

// TestRescoreChild is the crawl that TestRescoreKilled kills: it fills its queue, and scores it again without an end.
func TestRescoreChild(t *testing.T) {
	fields := strings.Fields(os.Getenv(childEnv))
	if len(fields) != 4 {
		t.Skip("run by TestRescoreKilled")
	}
	n, _ := strconv.Atoi(fields[2])
	run, stage := beginWith(t, placeIn(fields[0]), seedsOf(fields[1], n), about("cats"))
	links, _ := strconv.Atoi(fields[3])
	untilIn(t, time.Hour, "the lists are read", func() bool { return run.Frontier().Stats().Seen() >= int64(n+n*links) })
	for i := 0; ; i++ {
		if err := stage.SetAbout(about([]string{"dogs", "cats"}[i%2])); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(fields[0], "changed"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		untilIn(t, time.Hour, "the queue is scored again", func() bool {
			note, err := run.Frontier().NoteOf(rescoreNote)
			return err == nil && len(note) == 0
		})
	}
}

func placeIn(dir string) crawl.Place {
	return crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
}

// A crawl that is killed while it scores its queue again loses no URL, and goes on scoring by the definition that was in force.
func TestRescoreKilled(t *testing.T) {
	rescoreKilled(t, 4, 500)
}

func rescoreKilled(t *testing.T, n, links int) {
	t.Helper()
	s := &lists{links: links}
	server := httptest.NewServer(s)
	defer server.Close()
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestRescoreChild$", "-test.timeout=0")
	child.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d %d", childEnv, dir, server.URL, n, links))
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	untilIn(t, time.Hour, "the child scores its queue again", func() bool {
		select {
		case err := <-ended:
			t.Fatalf("the child ended by itself: %v", err)
		default:
		}
		_, err := os.Stat(filepath.Join(dir, "changed"))
		return err == nil
	})
	_ = child.Process.Kill() // its end is what counts
	<-ended
	def, err := crawl.ReadDefinition(placeIn(dir).Dir)
	if err != nil {
		t.Fatal(err)
	}
	run, stage := beginWith(t, placeIn(dir), seedsOf(server.URL, n), def.About)
	run.Pause("test")
	untilIn(t, time.Hour, "the queue is scored again after the kill", func() bool {
		note, err := run.Frontier().NoteOf(rescoreNote)
		return err == nil && len(note) == 0
	})
	if got, want := run.Frontier().Stats().Seen(), int64(n+n*links); got != want {
		t.Errorf("%d URLs are known, want %d", got, want)
	}
	checkScores(t, run, stage.About().Keywords[0].Word)
	run.Stop("test")
	if _, err := run.Wait(); err != nil {
		t.Error(err)
	}
}

// checkScores sees that all links to the animal that the crawl is about wait with more than those to the other.
func checkScores(t *testing.T, run *crawl.Run, wanted string) {
	t.Helper()
	least, most, n := 2.0, -1.0, 0
	for cursor := ""; ; {
		list, next, err := run.Frontier().List("", cursor, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			i, err := strconv.Atoi(l.Item.URL[strings.LastIndexByte(l.Item.URL, '/')+1:])
			if err != nil || l.State != frontier.Queued || strings.Contains(l.Item.URL, "/list/") {
				continue
			}
			if n++; []string{"cats", "dogs"}[i%2] == wanted {
				least = min(least, l.Item.Score)
			} else {
				most = max(most, l.Item.Score)
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if n > 0 && least < most {
		t.Errorf("of %d that wait, one about %s has %.3f and one that is not %.3f", n, wanted, least, most)
	}
}

// TestDrillRescore scores a queue of a million URLs again while the crawl runs: how long it takes, and how much slower the crawl is meanwhile.
// VARVE_DRILL_QUEUE makes it smaller. Then a crawl of a tenth of that is killed in the middle of it.
func TestDrillRescore(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1 runs it")
	}
	queue := 1_000_000
	if n, err := strconv.Atoi(os.Getenv(drillSize)); err == nil {
		queue = n
	}
	s := &lists{links: 1000}
	server := httptest.NewServer(s)
	defer server.Close()
	n := queue / s.links
	run, stage := beginWith(t, placeIn(t.TempDir()), seedsOf(server.URL, n), about("cats"))
	untilIn(t, time.Hour, "the lists are read", func() bool { return run.Frontier().Stats().Seen() >= int64(n+n*s.links) })
	waiting := run.Frontier().Stats().Queued
	if err := stage.SetAbout(about("dogs")); err != nil {
		t.Fatal(err)
	}
	// The rescoring is held every other second, so that what else the machine does slows both alike.
	var pages, seconds [2]float64
	for turn := 0; ; turn = 1 - turn {
		if note, err := run.Frontier().NoteOf(rescoreNote); err != nil || len(note) == 0 || run.Frontier().Stats().Queued == 0 {
			break
		}
		if turn == 0 {
			stage.changing.Lock()
		}
		began, first := time.Now(), s.served.Load()
		time.Sleep(time.Second)
		pages[turn] += float64(s.served.Load() - first)
		seconds[turn] += time.Since(began).Seconds()
		if turn == 0 {
			stage.changing.Unlock()
		}
	}
	alone, both := pages[0]/seconds[0], pages[1]/seconds[1]
	t.Logf("%d URLs waited, scored again in %.0f s; pages per second: %.0f while it is held, %.0f while it goes on: %.2f", waiting, seconds[1], alone, both, both/alone)
	run.Stop("test")
	if _, err := run.Wait(); err != nil {
		t.Error(err)
	}
	rescoreKilled(t, max(1, n/10), s.links)
}

// beginWith starts or resumes a crawl of seeds.
func beginWith(t *testing.T, place crawl.Place, seeds []string, about relevance.About) (*crawl.Run, *Judged) {
	t.Helper()
	return beginDef(t, place, crawl.Definition{Seeds: seeds, Workers: 4, MinDisk: -1, About: about})
}
