package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/lab/chance"

	"go.uber.org/goleak"

	"varve/archive/warc"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// The environment that makes this test binary a crawler that another process kills.
const (
	killDirEnv     = "VARVE_TEST_CRAWL_DIR"
	killResolveEnv = "VARVE_TEST_CRAWL_RESOLVE"
	killSeedEnv    = "VARVE_TEST_CRAWL_SEED"
	killAgainEnv   = "VARVE_TEST_CRAWL_REVISIT"
	killCollectEnv = "VARVE_TEST_CRAWL_COLLECT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDirEnv); dir != "" {
		os.Exit(crawlUntilKilled(dir))
	}
	goleak.VerifyTestMain(m)
}

// crawlUntilKilled starts or resumes the crawl in dir and runs it to its end, if it gets there.
func crawlUntilKilled(dir string) int {
	engine, err := engineFor(strings.Fields(os.Getenv(killResolveEnv)), nil, noDelay())
	if err != nil {
		fmt.Println(err)
		return 2
	}
	place := placeIn(dir)
	if rep, err := crawl.ReadReport(place.Dir); err == nil && rep.Complete {
		return 0 // killed when all was done
	}
	def := crawl.Definition{
		Seeds: []string{os.Getenv(killSeedEnv)}, Scope: scope.Definition{Mode: scope.Host}, Workers: 4, MaxWARC: 200 << 10, MinDisk: -1,
	}
	def.Revisit = coherence.RevisitKind(os.Getenv(killAgainEnv))
	opts := crawl.Options{Stages: stages.Set{}.Of}
	if os.Getenv(killCollectEnv) != "" {
		opts.Stages = stages.Set{Collect: scripted()}.Of
	}
	run, err := engine.StartIn(context.Background(), "killed", place, def, opts)
	if errors.Is(err, crawl.ErrComplete) {
		return 0 // the kill came after the end
	}
	if err != nil {
		fmt.Println(err)
		return 2
	}
	rep, err := run.Wait()
	if err != nil || !rep.Complete {
		fmt.Println(rep, err)
		return 2
	}
	return 0
}

// kills is how often a crawler is killed: 30 times in a test run, 300 in `make drill`.
func kills() int {
	if os.Getenv("VARVE_DRILL") != "" {
		return 300
	}
	return 30
}

// flatSite is one host of n pages.
func flatSite(t testing.TB, pages int) *websim.Spec {
	t.Helper()
	spec, err := websim.Load("flat.toml", fmt.Appendf(nil, `
[[site]]
host = "flat.sim.test"
pages = %d
paths = "flat"
size.html = { mean = 4000, sigma = 0.2 }
`, pages))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// SIGKILL at random moments of crawls of 1,500 pages, each time with resume: no page is lost, no
// record is there twice, the WARC files are valid and the report says what is in them.
func TestKilledCrawl(t *testing.T) {
	s := simulateSpec(t, flatSite(t, 1500), 5)
	want := wholeSite(t, s)
	rng := chance.Rand(t, 61)
	left := kills()
	for crawls := 0; left > 0; crawls++ {
		dir := t.TempDir()
		killed := 0
		for ; ; killed++ {
			if done := crawlAndKill(t, s, dir, rng, left > 0 && killed < 15); done {
				break
			}
			left--
		}
		got := recorded(t, filepath.Join(dir, "warc"))
		checkNothingLost(t, want, got)
		checkTotals(t, placeIn(dir))
		t.Logf("crawl %d: killed %d times, %d URLs", crawls, killed, len(got))
	}
}

// crawlAndKill runs the crawler in a process of its own and kills it after a random time, or lets
// it end. It tells whether it ended by itself.
func crawlAndKill(t *testing.T, s *server.Server, dir string, rng *rand.Rand, kill bool, env ...string) bool {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), env...), killDirEnv+"="+dir, killResolveEnv+"="+strings.Join(s.Resolve(), "\n"), killSeedEnv+"="+s.Seeds()[0])
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if kill {
		timer := time.AfterFunc(time.Duration(rng.IntN(700))*time.Millisecond, func() { _ = c.Process.Kill() })
		defer timer.Stop()
	}
	err := c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return false
	}
	if err != nil {
		t.Fatalf("crawler: %v\n%s", err, out.String())
	}
	return true
}

// wholeSite crawls without being disturbed: what must be there.
func wholeSite(t *testing.T, s *server.Server) map[string]int {
	t.Helper()
	dir := t.TempDir()
	run, err := newEngine(t, s, noDelay()).StartIn(context.Background(), "whole",
		crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")},
		crawl.Definition{Seeds: s.Seeds(), Scope: scope.Definition{Mode: scope.Host}}, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := run.Wait(); err != nil || !rep.Complete {
		t.Fatal(rep, err)
	}
	got := recorded(t, filepath.Join(dir, "warc"))
	if twice(got) > 0 {
		t.Fatalf("an undisturbed crawl recorded %d URLs twice", twice(got))
	}
	return got
}

// recorded counts the responses per URL, by a strict reading with all digests checked.
func recorded(t *testing.T, dir string) map[string]int {
	t.Helper()
	out := map[string]int{}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, warc.OpenSuffix) {
			t.Errorf("%s was left open", path)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		countResponses(t, out, f, path)
		f.Close()
	}
	return out
}

func countResponses(t *testing.T, out map[string]int, src io.Reader, name string) {
	t.Helper()
	r, err := warc.NewReader(src, warc.Options{Name: name, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if typ := rec.Type(); (typ == warc.TypeResponse || typ == warc.TypeRevisit) && !strings.HasSuffix(rec.TargetURI(), "/robots.txt") {
			out[rec.TargetURI()]++
		}
	}
}

func twice(got map[string]int) int {
	n := 0
	for _, c := range got {
		n += c - 1
	}
	return n
}

// checkNothingLost compares with the whole site. Nothing is there twice: what was durable is settled
// from the WARC files, and what was not is cut.
func checkNothingLost(t *testing.T, want, got map[string]int) {
	t.Helper()
	for _, url := range slices.Sorted(maps.Keys(want)) {
		if got[url] != 1 {
			t.Errorf("%s is there %d times", url, got[url])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d URLs, want %d", len(got), len(want))
	}
}
