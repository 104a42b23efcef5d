package gate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/chance"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/gate"
	"varve/crawl/polite"
	"varve/crawl/spamfilter"
	"varve/crawl/stages"
	"varve/lab/websim/server"
	"varve/lab/websim/spam"
)

// The environment that makes this test binary a crawler that another process kills.
const (
	killDirEnv     = "VARVE_TEST_SPAM_DIR"
	killResolveEnv = "VARVE_TEST_SPAM_RESOLVE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDirEnv); dir != "" {
		os.Exit(crawlUntilKilled(dir))
	}
	os.Exit(m.Run())
}

// killed is the world that is crawled by the process that is killed.
var killed = spam.Config{Hosts: 50, Scale: 0.5}

const killedSeed = 9

// crawlUntilKilled starts or resumes the crawl in dir and runs it to its end, if it gets there.
func crawlUntilKilled(dir string) int {
	fail := func(err error) int { fmt.Println(err); return 2 }
	world, err := spam.New(killed, killedSeed)
	if err != nil {
		return fail(err)
	}
	cfg := fetch.Config{UserAgent: "varve-test"}
	for _, s := range strings.Split(os.Getenv(killResolveEnv), "\n") {
		o, err := fetch.ParseOverride(s)
		if err != nil {
			return fail(err)
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	client, err := fetch.New(cfg)
	if err != nil {
		return fail(err)
	}
	defer client.Close()
	at := world.Epoch().AddDate(1, 6, 0)
	s := &scene{world: world, at: at}
	engine := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: quiet(), Software: "test"})
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
	run, err := engine.StartIn(context.Background(), "killed", place, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: oracle{world, at}}}.Of})
	if errors.Is(err, crawl.ErrComplete) {
		return 0
	}
	if err != nil {
		return fail(err)
	}
	rep, err := run.Wait()
	if err != nil || !rep.Complete {
		fmt.Println(rep, err)
		return 2
	}
	return 0
}

// kills is how often the crawler is killed: 10 times in a test run, 200 in `make drill`.
func kills() int {
	if os.Getenv("VARVE_DRILL") != "" {
		return 200
	}
	return 10
}

// SIGKILL at random moments: the states, samples and verdicts are those of the visits that are done. No host is asked for more than its
// sample before its verdict, but for what was under way when the kill came; none is judged twice; no normal page is lost.
func TestKilledFilter(t *testing.T) {
	s := newScene(t, killed, killedSeed)
	srv, err := server.Listen(s.web, server.Options{Timeline: server.NewTimeline(clock.Real(), s.at, 0)})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	rng := chance.Rand(t, 5)
	for left, round := kills(), 0; left > 0; round++ {
		dir := t.TempDir()
		from := srv.Log().Len()
		times := 0
		for ; !crawlAndKill(t, dir, srv, rng, left > 0 && times < 10); times++ {
			left--
		}
		rep, err := crawl.ReadReport(filepath.Join(dir, "crawl"))
		if err != nil || rep.Spam == nil || !rep.Complete || rep.Queued != 0 {
			t.Fatalf("%+v, %v", rep, err)
		}
		asked := map[string]map[string]bool{}
		for _, e := range srv.Log().Since(from) {
			if e.Status == 200 && e.Target != "/robots.txt" && e.Target != "/style.css" && !strings.HasPrefix(e.Target, "/img/") {
				if asked[e.Host] == nil {
					asked[e.Host] = map[string]bool{}
				}
				asked[e.Host][e.Target] = true
			}
		}
		s.checkKilled(t, dir, rep, asked)
		t.Logf("round %d: killed %d times; %v", round, times, rep.Spam.Hosts)
	}
}

// checkKilled compares what was asked for with what the report and the events say.
func (s *scene) checkKilled(t *testing.T, dir string, rep *crawl.Report, asked map[string]map[string]bool) {
	t.Helper()
	judged := map[string]int{}
	for _, e := range events(t, filepath.Join(dir, "crawl")) {
		if e["event"] == "host-state" && e["state"] == "rejected" {
			judged[e["host"].(string)]++ //nolint:forcetypeassert // ours
		}
	}
	for _, h := range rep.Spam.Rejected {
		if bad, _ := s.world.Label(h.Host, s.at); !bad || h.Pages < 4 {
			t.Errorf("rejected: %+v", h)
		}
		// A page under way when a kill came is fetched again, and perhaps another in its place.
		if n := len(asked[h.Host]); n > 4+4*10 {
			t.Errorf("%s: %d pages were asked for", h.Host, n)
		}
	}
	for host, n := range judged {
		if n > 2 { // a kill may come between the event and the commit
			t.Errorf("%s was rejected %d times", host, n)
		}
	}
	if len(rep.Spam.Rejected) < 3 || int64(len(rep.Spam.Rejected)) != rep.Spam.Hosts[spamfilter.Rejected] {
		t.Errorf("%d rejected hosts, counted %v", len(rep.Spam.Rejected), maps.Collect(maps.All(rep.Spam.Hosts)))
	}
	for _, h := range s.world.Hosts() {
		if bad, _ := s.world.Label(h.Name, s.at); !bad && len(asked[h.Name]) > 0 && len(asked[h.Name]) < h.Pages*3/4 {
			t.Errorf("%s (%s): %d pages of %d", h.Name, h.Kind, len(asked[h.Name]), h.Pages)
		}
	}
}

// crawlAndKill runs the crawler in a process of its own and kills it after a random time, or lets it end. It tells whether it
// ended by itself.
func crawlAndKill(t *testing.T, dir string, srv *server.Server, rng *rand.Rand, kill bool) bool {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), killDirEnv+"="+dir, killResolveEnv+"="+strings.Join(srv.Resolve(), "\n"))
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if kill {
		timer := time.AfterFunc(time.Duration(100+rng.IntN(900))*time.Millisecond, func() { _ = c.Process.Kill() })
		defer timer.Stop()
	}
	err := c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return false
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return true
}
